"""The flow of a Word file: paragraphs, headings, lists, tables and text boxes, as pieces of XHTML.

Headings are paragraphs whose style is called "heading N" (in Word's own files in every language), or that have an
outline level. Lists nest by their level. Text boxes follow the paragraph that they are anchored to.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from glossator.parse.assembly import Piece
from glossator.parse.docx_package import (
    BODY_TEXT,
    Element,
    Package,
    child,
    integer,
    is_on,
    name,
    outline_of_unknown,
    value,
)
from glossator.parse.docx_runs import Inline, References, chosen, inline

_DEEPEST = 40  # levels of content controls, boxes and tables within one another
_MOST_COLUMNS = 1000
_CODE = re.compile(r"(?:source )?code(?: block)?|(?:html )?preformatted(?: text)?|verbatim|macro|listing")
_QUOTATION = re.compile(r"(?:intense )?quote|quotations?|block ?text|block quotation")
_CONTAINERS = frozenset({"w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag", "w:body"})
_LOST = {"w:altChunk": "an embedded document"}


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph read: `kind` is heading, title, item, code, quotation, caption or text."""

    kind: str
    content: Inline
    level: int = 0  # of a heading from 1, of an item from 0
    ordered: bool = False


def pieces(body: Element, package: Package, references: References) -> Iterator[Piece]:
    """Yield the pieces of a body, of a note or of a cell, in order; the boxes of a paragraph follow it."""
    yield from _Body(package, references).pieces(body, 0)


def markup(container: Element, package: Package, references: References) -> str:
    """Return the same as one string."""
    return "\n".join(piece.markup for piece in pieces(container, package, references))


class _Body:
    def __init__(self, package: Package, references: References) -> None:
        self._package = package
        self._references = references
        self._headings = 0

    def pieces(self, container: Element, depth: int) -> Iterator[Piece]:
        """Yield the pieces of what stands in a container, lists and listings gathered."""
        gathered: list[_Paragraph] = []
        for el in self._blocks(container, depth):
            if name(el) == "w:p":
                paragraph = self._paragraph(el)
                if gathered and (paragraph.kind != gathered[0].kind or paragraph.kind not in _GATHERED):
                    yield _GATHERED[gathered[0].kind](gathered)
                    gathered = []
                if paragraph.kind in _GATHERED:
                    gathered.append(paragraph)
                elif paragraph.content.markup.strip():
                    yield self._single(paragraph)
                yield from self._boxes(paragraph, depth)
            else:
                if gathered:
                    yield _GATHERED[gathered[0].kind](gathered)
                    gathered = []
                yield Piece(markup=self._table(el, depth + 1))
        if gathered:
            yield _GATHERED[gathered[0].kind](gathered)

    def _blocks(self, container: Element, depth: int) -> Iterator[Element]:
        """Yield paragraphs and tables, through content controls and accepted changes."""
        if depth > _DEEPEST:
            self._package.warnings.append("text nested too deeply was left out")
            return
        for el in container:
            kind = name(el)
            if kind in ("w:p", "w:tbl"):
                yield el
            elif kind in _CONTAINERS:
                yield from self._blocks(el, depth + 1)
            elif kind == "mc:AlternateContent":
                branch = chosen(el)
                if branch is not None:
                    yield from self._blocks(branch, depth + 1)
            elif kind in _LOST:
                self._package.warnings.append(f"{_LOST[kind]} was left out")

    # --- paragraphs -------------------------------------------------------------------------------------------------

    def _paragraph(self, el: Element) -> _Paragraph:
        content = inline(el, self._package, self._references)
        properties = child(el, "w:pPr")
        identifier = value(child(properties, "w:pStyle")) or self._package.default_style or ""
        style = self._package.styles.get(identifier)
        outline = self._outline(properties, identifier)
        if outline is not None and outline < BODY_TEXT and content.text.strip():
            return _Paragraph("heading", content, outline + 1)
        called = style.name if style else identifier.lower()
        if called in ("title", "subtitle") and content.text.strip():
            return _Paragraph(called, content)
        number = child(properties, "w:numPr")
        list_id = value(child(number, "w:numId")) if number is not None else (style.list_id if style else None)
        if list_id not in (None, "0") and content.markup.strip():
            level = integer(child(number, "w:ilvl"), default=style.list_level if style else 0)
            kind = self._package.numbering.get((str(list_id), level), "bullet")
            return _Paragraph("item", content, max(0, min(level, BODY_TEXT)), kind not in ("bullet", "none"))
        if _CODE.fullmatch(called):
            return _Paragraph("code", content)
        if called == "caption":
            return _Paragraph("caption", content)
        return _Paragraph("quotation" if _QUOTATION.fullmatch(called) else "text", content)

    def _outline(self, properties: Element | None, identifier: str) -> int | None:
        own = child(properties, "w:outlineLvl")
        if own is not None:
            return integer(own, default=BODY_TEXT)
        style = self._package.styles.get(identifier)
        return style.outline if style else outline_of_unknown(identifier)

    def _single(self, paragraph: _Paragraph) -> Piece:
        content = paragraph.content
        if paragraph.kind == "heading":
            self._headings += 1
            identifier = f"heading-{self._headings}"
            tag = f"h{min(paragraph.level, 6)}"
            return Piece(
                markup=f'<{tag} id="{identifier}">{content.markup}</{tag}>',
                title=" ".join(content.text.split()),
                level=paragraph.level,
                name=identifier,
            )
        if paragraph.kind == "text" and content.display_math:
            return Piece(markup=content.markup.replace("<math ", '<math display="block" '))
        wrap = _WRAPS.get(paragraph.kind, "<p>{}</p>")
        return Piece(markup=wrap.format(content.markup))

    def _boxes(self, paragraph: _Paragraph, depth: int) -> Iterator[Piece]:
        for box in paragraph.content.boxes:
            inside = "\n".join(p.markup for p in self.pieces(box, depth + 1))
            if inside:
                yield Piece(markup=f'<aside class="textbox">{inside}</aside>')

    # --- tables -----------------------------------------------------------------------------------------------------

    def _table(self, table: Element, depth: int) -> str:
        rows = [self._row(row, depth) for row in self._rows(table, depth)]
        _merge(rows)
        lines = ("<tr>" + "".join(cell.markup() for cell in row if cell.rows) + "</tr>" for row in rows)
        return f"<table>{''.join(lines)}</table>"

    def _rows(self, table: Element, depth: int) -> Iterator[Element]:
        for el in table:
            if name(el) == "w:tr" and child(el, "w:trPr", "w:del") is None:
                yield el
            elif name(el) in _CONTAINERS and depth < _DEEPEST:
                yield from self._rows(el, depth + 1)

    def _row(self, row: Element, depth: int) -> list["_Cell"]:
        head = is_on(child(row, "w:trPr", "w:tblHeader"))
        before = min(integer(child(row, "w:trPr", "w:gridBefore")), _MOST_COLUMNS)
        cells = [_Cell(0, before, "", merged=None, head=False)] if before > 0 else []
        at = max(before, 0)
        for el in self._cells(row, depth):
            properties = child(el, "w:tcPr")
            columns = max(1, min(integer(child(properties, "w:gridSpan"), default=1), _MOST_COLUMNS))
            merge = child(properties, "w:vMerge")
            merged = None if merge is None else value(merge) or "continue"
            content = "\n".join(p.markup for p in self.pieces(el, depth))
            cells.append(_Cell(at, columns, content, merged=merged, head=head))
            at += columns
        return cells

    def _cells(self, row: Element, depth: int) -> Iterator[Element]:
        for el in row:
            if name(el) == "w:tc":
                yield el
            elif name(el) in _CONTAINERS and depth < _DEEPEST:
                yield from self._cells(el, depth + 1)


@dataclass(slots=True)
class _Cell:
    column: int
    columns: int
    content: str
    merged: str | None  # "restart" or "continue" of a vertical merge
    head: bool
    rows: int = 1  # 0: covered by the cell above

    def markup(self) -> str:
        tag = "th" if self.head else "td"
        spans = "".join(f' {key}="{n}"' for key, n in (("colspan", self.columns), ("rowspan", self.rows)) if n > 1)
        return f"<{tag}{spans}>{self.content}</{tag}>"


def _merge(rows: Sequence[Sequence[_Cell]]) -> None:
    """Give the first cell of each vertical merge its number of rows, and the text of the cells it covers."""
    open_cells: dict[int, _Cell] = {}
    for row in rows:
        still: dict[int, _Cell] = {}
        for cell in row:
            above = open_cells.get(cell.column)
            if cell.merged == "continue" and above is not None:
                above.rows += 1
                above.content += cell.content
                cell.rows = 0
                still[cell.column] = above
            elif cell.merged is not None:
                still[cell.column] = cell
        open_cells = still


_WRAPS = {
    "title": '<h1 class="title">{}</h1>',
    "subtitle": '<p class="subtitle">{}</p>',
    "quotation": "<blockquote><p>{}</p></blockquote>",
    "caption": "<figure><figcaption>{}</figcaption></figure>",
}


def _list(items: Sequence[_Paragraph]) -> Piece:
    """Return consecutive items as lists within lists."""
    out: list[str] = []
    open_lists: list[tuple[int, str]] = []  # (level, tag), each with its last item still open
    for item in items:
        tag = "ol" if item.ordered else "ul"
        while open_lists and open_lists[-1][0] > item.level:
            out.append(f"</li></{open_lists.pop()[1]}>")
        if open_lists and open_lists[-1] != (item.level, tag) and open_lists[-1][0] == item.level:
            out.append(f"</li></{open_lists.pop()[1]}>")
        if open_lists and open_lists[-1][0] == item.level:
            out.append("</li>")
        else:
            out.append(f"<{tag}>")
            open_lists.append((item.level, tag))
        out.append(f"<li>{item.content.markup}")
    out.extend(f"</li></{tag}>" for _, tag in reversed(open_lists))
    return Piece(markup="".join(out))


def _listing(paragraphs: Sequence[_Paragraph]) -> Piece:
    text = "\n".join(p.content.text for p in paragraphs)
    return Piece(markup=f"<pre>{escape(text, quote=False)}</pre>" if text.strip() else "")


_GATHERED: dict[str, Callable[[Sequence[_Paragraph]], Piece]] = {"item": _list, "code": _listing}
