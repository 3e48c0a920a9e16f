"""What surrounds the text of a Word file: its parts and their relations, styles, lists, and what it says of itself.

Office Open XML has two namespaces for everything, Transitional and Strict (ISO/IEC 29500-1 and -4). Elements are named
here by prefix and local name ("w:p"), which makes the two the same.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from glossator.errors import DamagedFile
from glossator.parse.archive import Archive
from glossator.sources.files import shown

_TRANSITIONAL = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
_PREFIXES = {
    "wordprocessingml/main": "w",
    "officeDocument/math": "m",
    "officeDocument/relationships": "r",
    "drawingml/main": "a",
    "drawingml/chart": "c",
    "drawingml/wordprocessingDrawing": "wp",
    "drawingml/picture": "pic",
    "markup-compatibility": "mc",
    "package/relationships": "rel",
    "package/metadata/core-properties": "cp",
}
_OTHER_PREFIXES = {
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://purl.org/dc/elements/1.1/": "dc",
}
_VERSION = re.compile(r"/2006(?=/|$)")
_HEADING_NAME = re.compile(r"heading (\d)|(?:标题|標題|見出し|제목|titre|überschrift|título|titolo|заголовок) ?(\d)")
_HEADING_ID = re.compile(r"(?:heading|berschrift|titre|titolo|ttulo)(\d)")
BODY_TEXT = 9  # an outline level that means none, ECMA-376 part 1, 17.3.1.20

Element = etree._Element


def name(el: Element) -> str:
    """Return "w:p" for the paragraph of either namespace; "" for comments and processing instructions."""
    tag: object = el.tag
    return qualified(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=4096)
def qualified(tag: str) -> str:
    """Return prefix and local name of a tag or attribute in Clark notation."""
    space, _, local = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
    return f"{prefix}:{local}" if (prefix := _prefix(space)) else local


def value(el: Element | None, attribute: str = "val") -> str | None:
    """Return an attribute whatever its namespace, or None."""
    if el is None:
        return None
    return next((str(v) for k, v in el.attrib.items() if str(k).rpartition("}")[2] == attribute), None)


def integer(el: Element | None, attribute: str = "val", default: int = 0) -> int:
    """Return an attribute as a number, `default` when it is missing or none."""
    said = value(el, attribute)
    return int(said) if said is not None and re.fullmatch(r"-?\d{1,9}", said) else default


def child(el: Element | None, *path: str) -> Element | None:
    """Return the first child by name, then its first child, and so on."""
    for step in path:
        el = next((c for c in el if name(c) == step), None) if el is not None else None
    return el


def descendants(el: Element, *names: str) -> Iterator[Element]:
    """Yield the elements below, in document order, that have one of these names."""
    wanted = set(names)
    return (d for d in el.iterdescendants() if name(d) in wanted)


def is_on(el: Element | None) -> bool:
    """Tell whether a toggle such as `w:b` is there and not switched off."""
    return el is not None and value(el) not in ("0", "false", "off", "none")


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a part points: `kind` is the last step of the type's URI, `target` an entry or, if `external`, a URL."""

    kind: str
    target: str
    external: bool


@dataclass(frozen=True, slots=True)
class Style:
    """What matters of a paragraph style: its name, its outline level (0 is a heading 1) and its list."""

    name: str
    outline: int | None = None
    list_id: str | None = None
    list_level: int = 0


@dataclass(frozen=True, slots=True)
class Package:
    """The opened parts. `warnings` fills while the file is read."""

    path: Path
    archive: Archive
    main: str
    relations: Mapping[str, Relation]
    styles: Mapping[str, Style]
    default_style: str | None
    numbering: Mapping[tuple[str, int], str]
    warnings: list[str] = field(default_factory=list)

    def part(self, kind: str) -> Element | None:
        """Return the root of the part that the document is related to in this way, or None."""
        target = next((r.target for r in self.relations.values() if r.kind == kind and not r.external), None)
        return parse_part(self.archive, target, self.warnings)


def open_package(archive: Archive, path: Path) -> Package:
    """Return the package around a document's main part.

    Raises:
        DamagedFile: there is no main part.
    """
    warnings: list[str] = []
    roots = _relations(archive, "", warnings)
    named = next((r.target for r in roots.values() if r.kind == "officeDocument" and archive.find(r.target)), None)
    main = archive.find(named or "word/document.xml")
    if main is None:
        raise DamagedFile(
            f"{shown(path)}: there is no document in it (word/document.xml is missing)",
            hint="open it in a word processor and save it again",
        )
    relations = _relations(archive, main, warnings)
    by_kind = {r.kind: r.target for r in relations.values() if not r.external}
    styles, default = _styles(parse_part(archive, by_kind.get("styles", "word/styles.xml"), warnings))
    numbering = _numbering(parse_part(archive, by_kind.get("numbering", "word/numbering.xml"), warnings))
    return Package(path, archive, main, relations, styles, default, numbering, warnings)


def parse_part(archive: Archive, target: str | None, warnings: list[str]) -> Element | None:
    """Return the root element of an XML part; None, with a warning if it is broken, when it cannot be read."""
    entry = archive.find(target) if target else None
    if entry is None:
        return None
    try:
        return parse_xml(archive.read(entry))
    except (etree.XMLSyntaxError, DamagedFile) as error:
        warnings.append(f"{entry} is damaged and was left out ({error})")
        return None


def parse_xml(data: bytes) -> Element:
    """Return the root element, without expanding entities or reading anything from outside."""
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    return etree.fromstring(data, parser)


def _prefix(space: str) -> str:
    if space in _OTHER_PREFIXES:
        return _OTHER_PREFIXES[space]
    for root in (_TRANSITIONAL, _STRICT):
        if space.startswith(root):
            return _PREFIXES.get(_VERSION.sub("", space[len(root) :]), "")
    return ""


def _relations(archive: Archive, part: str, warnings: list[str]) -> dict[str, Relation]:
    folder, base = posixpath.split(part)
    root = parse_part(archive, posixpath.join(folder, "_rels", f"{base}.rels"), warnings)
    found: dict[str, Relation] = {}
    for el in root if root is not None else ():
        target = value(el, "Target") or ""
        external = value(el, "TargetMode") == "External"
        if not external:
            absolute = target if target.startswith("/") else posixpath.join("/", folder, target)
            target = posixpath.normpath(unquote(absolute)).lstrip("/")
        kind = (value(el, "Type") or "").rpartition("/")[2]
        found[value(el, "Id") or ""] = Relation(kind, target, external)
    return found


def _styles(root: Element | None) -> tuple[dict[str, Style], str | None]:
    elements = {value(el, "styleId") or "": el for el in (descendants(root, "w:style") if root is not None else ())}
    default = next(
        (i for i, el in elements.items() if value(el, "type") == "paragraph" and value(el, "default") in ("1", "true")),
        None,
    )
    return {i: _style(i, elements) for i in elements}, default


def _style(identifier: str, elements: Mapping[str, Element]) -> Style:
    """Return a style with what it inherits from the styles it is based on."""
    own = (value(child(elements[identifier], "w:name")) or identifier).lower()
    outline, list_id, list_level = _outline_of_name(own, identifier), None, 0
    chain, at = list[Element](), identifier
    while at in elements and len(chain) < 20:  # a chain may be a ring
        chain.append(elements[at])
        at = value(child(elements[at], "w:basedOn")) or ""
    for el in chain:
        said = value(child(el, "w:pPr", "w:outlineLvl"))
        if outline is None and said is not None and said.isdecimal():
            outline = int(said)
        number = child(el, "w:pPr", "w:numPr")
        if list_id is None and number is not None:
            list_id = value(child(number, "w:numId"))
            list_level = integer(child(number, "w:ilvl"))
        if outline is None and el is not chain[0]:
            outline = _outline_of_name((value(child(el, "w:name")) or "").lower(), "")
    return Style(own, outline, list_id, list_level)


def _outline_of_name(style: str, identifier: str) -> int | None:
    if style == "toc heading":
        return BODY_TEXT
    found = _HEADING_NAME.fullmatch(style) or _HEADING_ID.fullmatch(identifier.lower())
    digit = next((g for g in found.groups() if g), None) if found else None
    return int(digit) - 1 if digit and digit != "0" else None


def outline_of_unknown(identifier: str) -> int | None:
    """Return the outline level that the id of a style without definition stands for ("Heading2" is 1), or None."""
    return _outline_of_name(identifier.lower(), identifier)


def _numbering(root: Element | None) -> dict[tuple[str, int], str]:
    """Return the number format ("bullet", "decimal" …) of every list and level."""
    if root is None:
        return {}
    formats: dict[str, dict[int, str]] = {}
    for abstract in descendants(root, "w:abstractNum"):
        levels = {
            integer(level, "ilvl"): value(child(level, "w:numFmt")) or "decimal"
            for level in descendants(abstract, "w:lvl")
        }
        formats[value(abstract, "abstractNumId") or ""] = levels
    return {
        (value(number, "numId") or "", level): kind
        for number in descendants(root, "w:num")
        for level, kind in formats.get(value(child(number, "w:abstractNumId")) or "", {}).items()
    }
