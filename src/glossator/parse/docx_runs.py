"""The inside of a Word paragraph: runs, links, notes' marks, formulas and pictures, as inline XHTML.

What is text: what the page shows after all tracked changes were accepted. So inserted text is in, deleted text is not;
fields give their result, not their code; hidden text, comments and index entries are out. Marks of notes are links
without text: their numbers are made by the word processor, and a quotation may run across them.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from glossator.parse.docx_math import linear
from glossator.parse.docx_package import Element, Package, child, descendants, is_on, name, value

MATHML = "http://www.w3.org/1998/Math/MathML"

_OUT = frozenset(
    """
    w:del w:moveFrom w:rPr w:pPr w:instrText w:delText w:delInstrText w:commentReference w:annotationRef w:footnoteRef
    w:endnoteRef w:separator w:continuationSeparator w:fldChar w:lastRenderedPageBreak w:proofErr w:bookmarkEnd
    w:commentRangeStart w:commentRangeEnd w:sectPr w:rt w:softHyphen w:ptab w:sdtPr w:sdtEndPr w:smartTagPr
    """.split()  # noqa: SIM905
)
_LITERAL = {
    "w:tab": "\t",
    "w:noBreakHyphen": "‑",
}
_PAGE_BREAKS = ("page", "column")
_LIKELY_URL = re.compile(r"(?:https?|mailto|ftp):", re.IGNORECASE)

# The Symbol font by character code, for letters and the commonest signs; Wingdings for the signs used in forms.
_SYMBOL = dict(
    zip(
        "ABGDEZHQIKLMNXOPRSTUFCYWabgdezhqiklmnxoprstufcywVJ",
        "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψωςϑ",
        strict=True,
    )
) | {
    "\xa3": "≤", "\xb3": "≥", "\xb9": "≠", "\xb1": "±", "\xb4": "×", "\xb8": "÷", "\xbb": "≈", "\xa5": "∞", "\xb7": "•",
    "\xac": "←", "\xad": "↑", "\xae": "→", "\xaf": "↓", "\xab": "↔", "\xde": "⇒", "\xdb": "⇔", "\xce": "∈", "\xcc": "⊂",
    "\xc7": "∩", "\xc8": "∪", "\xc6": "∅", "\xd6": "√", "\xe5": "∑", "\xf2": "∫", "\xb6": "∂", "\xd1": "∇", "\xb0": "°",
    "\xa2": "′", "\xb2": "″", "\xd0": "∠", "\xd3": "©", "\xd2": "®", "\xd4": "™", "\x22": "∀", "\x24": "∃", "\x2d": "−",
}  # fmt: skip
_WINGDINGS = {
    "\xfc": "✓", "\xfb": "✗", "\xfe": "☑", "\xfd": "☒", "\xa8": "☐", "\x6f": "☐", "\xe0": "→", "\xdf": "←", "\xe1": "↑",
    "\xe2": "↓", "\xf0": "⇨", "\xa7": "▪", "\x6c": "●", "\x6e": "■", "\x71": "❑", "\x76": "❖", "\xd8": "➢", "\x4a": "☺",
    "\x4c": "☹", "\x28": "☎", "\x2a": "✉", "\xab": "★",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inline:
    """The markup of a paragraph, its plain text, and what was anchored in it: text boxes, to be read after it."""

    markup: str
    text: str
    boxes: list[Element]
    display_math: bool


@dataclass(frozen=True, slots=True)
class References:
    """What the text refers to: notes as ("w:footnote", id) in the order of reading, bookmarks by name.

    `notes` and `left_out`, which counts what is no text by its name, fill while the file is read.
    """

    bookmarks: frozenset[str] = frozenset()
    notes: list[tuple[str, str]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


_Span = tuple[str, str]  # tags around it ("", "b", "b i", "raw" for markup), text


def inline(paragraph: Element, package: Package, references: References) -> Inline:
    """Return what is in a paragraph, or in anything that holds runs."""
    reading = _Reading(package, references)
    spans = list(reading.of(paragraph))
    markup = "".join(_wrapped(tags, "".join(text for _, text in group)) for tags, group in _grouped(spans))
    text = "".join(text for tags, text in spans if tags != "raw")
    shown = [tags for tags, text in spans if tags == "raw" or text.strip()]
    display = bool(shown) and all(tags == "raw" for tags in shown) and "<math" in markup and "<img" not in markup
    return Inline(markup, text, reading.boxes, display)


def note_id(note: tuple[str, str]) -> str:
    """Return the id of the element that a note becomes."""
    kind, identifier = note
    return f"{kind[2:]}-{identifier}"


def chosen(alternatives: Element) -> Element | None:
    """Return the one branch of `mc:AlternateContent` to read: the first choice, which all of them repeat."""
    found = child(alternatives, "mc:Choice")
    return found if found is not None else child(alternatives, "mc:Fallback")


class _Reading:
    def __init__(self, package: Package, references: References) -> None:
        self._package = package
        self._references = references
        self.boxes: list[Element] = []

    def of(self, el: Element, tags: str = "") -> Iterator[_Span]:
        """Yield the spans below an element."""
        for sub in el:
            kind = name(sub)
            if kind == "w:r":
                yield from self._run(sub)
            elif kind == "w:hyperlink":
                yield from self._link(sub)
            elif kind == "mc:AlternateContent":
                branch = chosen(sub)
                if branch is not None:
                    yield from self.of(branch, tags)
            elif kind in ("m:oMath", "m:oMathPara"):
                yield from self._math(sub)
            elif kind in ("w:drawing", "w:pict", "w:object"):
                yield from self._drawing(sub)
            elif kind not in _OUT:
                yield from self._character(sub, kind, tags)

    def _run(self, run: Element) -> Iterator[_Span]:
        properties = child(run, "w:rPr")
        if properties is None:
            yield from self.of(run)
        elif is_on(child(properties, "w:vanish")):
            self._references.left_out["stretches of hidden text"] += 1
        else:
            yield from self.of(run, _tags(properties))

    def _character(self, el: Element, kind: str, tags: str) -> Iterator[_Span]:
        if kind == "w:t":
            yield tags, el.text or ""
        elif kind in _LITERAL:
            yield tags, _LITERAL[kind]
        elif kind in ("w:br", "w:cr"):
            yield (tags, " ") if value(el, "type") in _PAGE_BREAKS else ("raw", "<br/>")
        elif kind == "w:sym":
            yield tags, _symbol(el)
        elif kind in ("w:footnoteReference", "w:endnoteReference"):
            yield "raw", self._call((kind.removesuffix("Reference"), value(el, "id") or ""))
        elif kind == "w:bookmarkStart":
            if value(el, "name") in self._references.bookmarks:
                yield "raw", f'<a id="{escape(str(value(el, "name")))}"></a>'
        elif kind == "w:ruby":
            base, reading = child(el, "w:rubyBase"), child(el, "w:rt")
            if base is not None:
                yield "raw", f"<ruby>{self._markup(base)}"
                yield "raw", f"<rt>{self._markup(reading)}</rt></ruby>" if reading is not None else "</ruby>"
        else:
            yield from self.of(el, tags)

    def _call(self, note: tuple[str, str]) -> str:
        if note not in self._references.notes:
            self._references.notes.append(note)
        return f'<a class="noteref" role="doc-noteref" href="#{escape(note_id(note))}"></a>'

    def _markup(self, el: Element) -> str:
        return "".join(_wrapped(tags, "".join(t for _, t in group)) for tags, group in _grouped(list(self.of(el))))

    def _link(self, el: Element) -> Iterator[_Span]:
        relation = self._package.relations.get(value(el, "id") or "")
        anchor = value(el, "anchor")
        target = relation.target if relation and relation.external else ""
        href = f"{target}#{anchor}" if target and anchor else target or (f"#{anchor}" if anchor else "")
        if href.startswith("#") or _LIKELY_URL.match(href):
            yield "raw", f'<a href="{escape(href)}">'
            yield from self.of(el)
            yield "raw", "</a>"
        else:
            yield from self.of(el)

    def _math(self, el: Element) -> Iterator[_Span]:
        text = escape(" ".join(linear(el).split()), quote=False)
        if text:
            yield "raw", f'<math xmlns="{MATHML}"><mtext>{text}</mtext></math>'

    def _drawing(self, el: Element) -> Iterator[_Span]:
        boxes = list(_outermost(el, "w:txbxContent"))
        self.boxes += boxes
        if boxes:
            return
        self._references.left_out["charts"] += sum(1 for _ in descendants(el, "c:chart"))
        shapes = [text for p in descendants(el, "a:p") if (text := _drawn(p))]
        if shapes:
            yield "", " ".join(shapes)
        picture = next(descendants(el, "pic:pic", "v:imagedata"), None)
        described = next(descendants(el, "wp:docPr"), None)
        alternative = value(described, "descr") or value(picture, "alt") or ""
        if picture is not None and alternative.strip():
            yield "raw", f'<img alt="{escape(" ".join(alternative.split()))}"/>'


def _outermost(el: Element, wanted: str) -> Iterator[Element]:
    """Yield the elements of a name that are in no other of that name, one branch of alternatives only."""
    for sub in el:
        kind = name(sub)
        if kind == wanted:
            yield sub
        elif kind == "mc:AlternateContent":
            branch = chosen(sub)
            if branch is not None:
                yield from _outermost(branch, wanted)
        else:
            yield from _outermost(sub, wanted)


def _drawn(paragraph: Element) -> str:
    return "".join(t.text or "" for t in descendants(paragraph, "a:t")).strip()


def _tags(properties: Element) -> str:
    found = []
    if is_on(child(properties, "w:b")):
        found.append("b")
    if is_on(child(properties, "w:i")):
        found.append("i")
    raised = value(child(properties, "w:vertAlign"))
    if raised in ("superscript", "subscript"):
        found.append(raised[:3])
    return " ".join(found)


def _symbol(el: Element) -> str:
    code = value(el, "char") or ""
    if not re.fullmatch(r"[0-9a-fA-F]{1,5}", code):
        return ""
    number = int(code, 16)
    letter = chr(number - 0xF000) if 0xF000 <= number <= 0xF0FF else chr(number)
    font = (value(el, "font") or "").lower()
    table = _SYMBOL if font == "symbol" else _WINGDINGS if font.startswith("wingdings") else {}
    return table.get(letter, chr(number))


def _grouped(spans: list[_Span]) -> Iterator[tuple[str, Iterator[_Span]]]:
    """Group neighbours of one format, so that a word processor's cuts leave no trace; white space takes any format."""
    return groupby(spans, key=lambda span: span[0])


def _wrapped(tags: str, text: str) -> str:
    if tags == "raw":
        return text
    markup = escape(text, quote=False)
    if not markup.strip():
        return markup
    for tag in reversed(tags.split()):
        markup = f"<{tag}>{markup}</{tag}>"
    return markup
