"""What the elements of canonical XHTML mean for reading: which are blocks, notes, hidden, or no text at all."""

import re

from lxml import etree

from glossator.document.model import BlockKind
from glossator.parse.html import OPS, SVG, local_name

BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noframes ol optgroup option p
    pre search section summary table tbody td tfoot th thead tr ul
    """.split()  # noqa: SIM905
)
OUT = frozenset(
    """
    head script style template noscript audio video canvas datalist iframe object embed applet annotation
    annotation-xml
    """.split()  # noqa: SIM905
)
_ABOUT_DRAWINGS = frozenset({"title", "desc", "metadata", "defs"})
LISTS = frozenset({"ul", "ol", "dl", "menu", "dir"})
ITEMS = frozenset({"li", "dt", "dd"})
CAPTIONS = frozenset({"caption", "figcaption"})
NOTES = frozenset({"footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote"})
NOTE_LISTS = frozenset({"footnotes"})
COLLECTIONS = frozenset({"endnotes", "rearnotes", "doc-endnotes"})  # the publication's own section of notes
PAGE_BREAKS = frozenset({"pagebreak", "doc-pagebreak"})
_OPS_TYPE = f"{{{OPS}}}type"
_HEADING = re.compile(r"h([1-6])$")
_NOT_SHOWN = re.compile(r"display\s*:\s*none", re.IGNORECASE)


def kind(el: etree._Element, name: str, depth: int) -> tuple[BlockKind, int | None] | None:
    """Return kind and level of the text in a block element, given the depth of lists; None for plain containers."""
    heading = _HEADING.match(name)
    if heading:
        return "heading", int(heading[1])
    if el.get("role") == "heading":
        level = el.get("aria-level") or "2"
        return "heading", int(level) if level.isdecimal() and 0 < int(level) < 100 else 2
    if name in ITEMS:
        return "list_item", max(depth, 1)
    if name in CAPTIONS:
        return "caption", None
    if name == "blockquote":
        return "quotation", None
    return None


def types(el: etree._Element) -> frozenset[str]:
    """Return what an element says it is: `epub:type`, `role`, and the class names that mean a note."""
    if not el.attrib:
        return frozenset()
    words = f"{el.get(_OPS_TYPE) or ''} {el.get('role') or ''}".split()
    if local_name(el) in BLOCKS:
        words += [c for c in (el.get("class") or "").split() if c in NOTES or c in NOTE_LISTS or c in COLLECTIONS]
    return frozenset(words)


def is_hidden(el: etree._Element) -> bool:
    """Tell what the element itself says is not shown; style sheets are not read."""
    return "hidden" in el.attrib or bool(_NOT_SHOWN.search(el.get("style") or ""))


def is_no_text(el: etree._Element, name: str) -> bool:
    """Tell elements whose content is not running text: scripts, what describes a drawing, fallbacks.

    The `epub:default` of a switch repeats its first case for readers without MathML or SVG.
    """
    if name in OUT:
        return True
    if name in _ABOUT_DRAWINGS:
        return str(el.tag).startswith(f"{{{SVG}}}")
    if name != "default" or not str(el.tag).startswith(f"{{{OPS}}}"):
        return False
    case = el.getprevious()
    return case is not None and local_name(case) == "case"


def is_svg_text(el: etree._Element) -> bool:
    """Tell the elements of a drawing that hold running text."""
    return el.tag in (f"{{{SVG}}}text", f"{{{SVG}}}foreignObject")
