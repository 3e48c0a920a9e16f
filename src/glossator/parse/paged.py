"""Paged publications to documents: text over all pages, what of it begins on each page, sections from the outline."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from glossator.document.model import Block, Document, Line, Page, PageAnchor, ParseReport, body, lay_out
from glossator.parse.flow import plain
from glossator.parse.marks import place_marks
from glossator.parse.publication import Paged, PagedNav, PageGeometry
from glossator.parse.sections import Point, sections_of

_LONGEST_TITLE = 200
_ABOVE = 3.0  # points; an outline's target may lie this far under the top of its heading


def document_of_pages(publication: Paged) -> Document:
    """Return the document of a paged publication; see `blocks.document_of`."""
    text, blocks = lay_out(list(publication.blocks))
    contents = _from_outline(publication.navigation, blocks) or _from_headings(blocks)
    marks, lost = place_marks(publication.marks, blocks, text)
    return Document(
        metadata=publication.metadata,
        format=publication.format,
        text=text,
        blocks=blocks,
        sections=sections_of(contents, len(text)),
        report=_with_lost(publication.report, lost),
        pages=_pages(publication.pages, blocks, len(text)),
        marks=marks,
    )


def _with_lost(report: ParseReport, marks: int) -> ParseReport:
    """Say in the report how many marks of the file stand on no text."""
    if not marks:
        return report
    said = f"{marks} note{'s' if marks > 1 else ''} in the file stand{'' if marks > 1 else 's'} on no text: not read in"
    return replace(report, warnings=(*report.warnings, said))


def _pages(geometry: Sequence[PageGeometry], blocks: Sequence[Block], length: int) -> tuple[Page, ...]:
    """Give each page the text from its first line, in reading order, to that of the next page that has one."""
    first: dict[int, int] = {}
    for start, line in _lines(blocks):
        first[line.page] = min(start + line.start, first.get(line.page, length))
    starts: list[int] = []
    after = length
    for page in reversed(geometry):
        after = min(first.get(page.number, after), after)
        starts.insert(0, after)
    if starts:
        starts[0] = 0
    return tuple(
        Page(
            number=page.number,
            start=start,
            end=end,
            label=page.label,
            width=page.width,
            height=page.height,
            rotation=page.rotation,
            confidence=page.confidence,
            reasons=page.reasons,
            status=page.status,
        )
        for page, start, end in zip(geometry, starts, [*starts[1:], length], strict=True)
    )


_First = tuple[int, Block, Line]  # where a block starts, the block, its first line


def _from_outline(outline: Sequence[PagedNav], blocks: Sequence[Block]) -> list[Point]:
    pages: dict[int, list[_First]] = {}
    for first in _firsts(blocks):
        pages.setdefault(first[2].page, []).append(first)
    numbers = sorted(pages)
    found = []
    for entry in outline:
        later = numbers[bisect_right(numbers, entry.page) :]
        start = _place(entry, pages.get(entry.page, []))
        if start is None and later:
            start = pages[later[0]][0][0]
        if start is not None and plain(entry.title):
            found.append(Point(plain(entry.title), entry.level, start))
    return found


def _place(entry: PagedNav, here: Sequence[_First]) -> int | None:
    """Return where an entry begins: at the block on its page that is its title, else the first one at its height.

    The title is looked for first, because in columns what is lower on the page may come earlier in reading; of several
    blocks with that title the one nearest to the height counts.
    """
    wanted = _letters(entry.title)
    titles = [(_letters(block.text[: 4 * _LONGEST_TITLE]), block, start, line) for start, block, line in here]
    same = [t for t in titles if wanted and (t[0] == wanted or (t[1].kind == "heading" and t[0].endswith(wanted)))]
    if same:
        return min(same, key=lambda t: (0.0 if entry.y is None else abs(t[3].box[3] - entry.y), t[2]))[2]
    return next((start for start, _, line in here if entry.y is None or line.box[1] <= entry.y + _ABOVE), None)


def _from_headings(blocks: Sequence[Block]) -> list[Point]:
    return [
        Point(plain(block.text)[:_LONGEST_TITLE], block.level or 1, start)
        for start, _, block in body(tuple(blocks))
        if block.kind == "heading"
    ]


def _lines(blocks: Sequence[Block]) -> Iterator[tuple[int, Line]]:
    for start, _, block in body(tuple(blocks)):
        if isinstance(block.anchor, PageAnchor):
            yield from ((start, line) for line in block.anchor.lines)


def _firsts(blocks: Sequence[Block]) -> Iterator[_First]:
    """Yield the blocks in the text that have a place, in reading order."""
    for start, _, block in body(tuple(blocks)):
        if isinstance(block.anchor, PageAnchor) and block.anchor.lines:
            yield start, block, block.anchor.lines[0]


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
