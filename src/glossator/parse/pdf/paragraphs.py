"""Lines to paragraphs, headings, notes and tables inside one region."""

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Literal

from glossator.parse.pdf.pieces import Cell, Piece, Table, merged, rows_of
from glossator.parse.pdf.tables import find_tables

SMALL = 0.96  # of the body size: notes and captions are smaller
LARGE = 1.09  # of the body size: headings are larger
LONGEST_LABEL = 12  # characters of "Table 2" on a line of its own, above the caption
LONGEST_BOLD = 90  # characters of a bold line that may be a heading
LONGEST_HEADING = 220  # characters
LEADING = 1.28  # of the usual distance of two lines: more begins a paragraph
INDENT = (0.7, 3.2)  # of the body size: what counts as an indent
SHORT_END = 1.2  # of the body size by which a paragraph's last line ends before the right edge

DraftKind = Literal["heading", "note", "small", "text", "table"]

_CAPTION_LABEL = re.compile(
    r"^\s*(?:(?:table|figure|fig\.)\s*(?:\d+(?:[.-]\d+)*|[IVX]+)\s*(?:[:.：|—–]|$)|[表图圖]\s*\d+(?:[.-]\d+)*\s*[:：.\s])",
    re.IGNORECASE,
)
STOPS = frozenset(".!?。！？”\"'’…）):：;；")
_BULLET = re.compile(r"^\s*[•●▪◦·○■]")
_NEW_ITEM = re.compile(r"^\s*([•●▪◦–\-*·○■]|\(?\d{1,2}[.)]|\[\d+\])\s")
_DASH = re.compile(r"^\s*[–-]")
_NOTE_MARK = re.compile(r"^\s*(\d{1,3}|[*†‡§¶]|[①-⑳]|[¹²³⁴-⁹])\s?\S")
_NOTE_START = re.compile(r"^\d+\s?[^\d\s.,%]")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Draft:
    """A block before it has a text. `page` (from 0) is where it ends; `grid` are the cells of a table."""

    kind: DraftKind
    page: int
    lines: tuple[Piece, ...] = ()
    left: float = 0
    right: float = 0
    indent: float = 0
    has_indents: bool = False
    justified: bool = False
    listed: bool = False
    grid: list[list[Cell]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What the lines of body text in a region have in common, in points."""

    left: float
    right: float
    leading: float
    justified: bool
    has_indents: bool
    body: float

    def indents(self, line: Piece) -> bool:
        """Return whether a line begins with an indent."""
        return INDENT[0] * self.body < line.x0 - self.left < INDENT[1] * self.body


def region_drafts(region: Sequence[Piece], body: float, page: int) -> list[Draft]:
    """Return the blocks of a region from top to bottom."""
    tables = [p.table for p in region if p.table]
    rest = [p for p in region if not p.table]
    tables = find_tables(rest, body) + tables
    used = {p for table in tables for p in table.pieces}
    lines = [reduce(merged, row) for row in rows_of([p for p in rest if p not in used])]
    measure = _measure(lines, body)
    items: list[tuple[float, Piece | Table]] = [(-line.middle, line) for line in lines]
    items += [(-table.rows[0][0].middle, table) for table in tables]
    drafts: list[Draft] = []
    current: Draft | None = None
    for _, item in sorted(items, key=lambda item: item[0]):
        if isinstance(item, Table):
            drafts.append(Draft(kind="table", page=page, lines=tuple(item.pieces), grid=item.grid))
            current = None
            continue
        kind = _kind_of_line(item, current, body)
        if current is None or kind != current.kind or _starts_block(item, current, measure):
            current = _new_draft(kind, page, item, measure)
            drafts.append(current)
        else:
            current = drafts[-1] = replace(current, lines=(*current.lines, item))
    return [_too_long_for_heading(draft) for draft in drafts]


def ends_sentence(text: str) -> bool:
    """Return whether a text ends with a full stop or the like, a note's mark after it left aside."""
    return text.rstrip("0123456789*†‡¹²³").rstrip()[-1:] in STOPS


def is_caption(draft: Draft) -> bool:
    """Return whether a block begins with the label of a table or figure: "Table 2:", "图3："."""
    return _CAPTION_LABEL.match(draft.lines[0].text) is not None


def _new_draft(kind: DraftKind, page: int, first: Piece, measure: Measure) -> Draft:
    return Draft(
        kind=kind,
        page=page,
        lines=(first,),
        left=measure.left,
        right=measure.right,
        indent=first.x0 - measure.left,
        has_indents=measure.has_indents,
        justified=measure.justified,
        listed=kind in ("text", "small") and _BULLET.match(first.text) is not None,
    )


def _too_long_for_heading(draft: Draft) -> Draft:
    too_long = draft.kind == "heading" and sum(len(p.text) for p in draft.lines) > LONGEST_HEADING
    return replace(draft, kind="text") if too_long else draft


def _measure(lines: Sequence[Piece], body: float) -> Measure:
    text = [p for p in lines if abs(p.size - body) < 0.6]
    left = statistics.mode([round(p.x0) for p in text]) if text else 0
    ends = sorted(p.x1 for p in text)
    right = ends[int(len(ends) * 0.9)] if ends else 0
    gaps = [a.y0 - b.y0 for a, b in pairwise(text) if 0 < a.y0 - b.y0 < 3 * body]
    low, high = INDENT[0] * body, INDENT[1] * body
    return Measure(
        left=left,
        right=right,
        leading=statistics.median(gaps) if gaps else body * 1.3,
        justified=len(text) >= 4 and sum(abs(p.x1 - right) < 2 for p in text) > 0.45 * len(text),
        has_indents=sum(low < p.x0 - left < high for p in text) >= 2,
        body=body,
    )


def _is_note_start(line: Piece, body: float) -> bool:
    return line.size < body * SMALL and _NOTE_MARK.match(line.text) is not None


def _kind_of_line(line: Piece, block: Draft | None, body: float) -> DraftKind:
    if line.size > body * LARGE or (line.bold and len(line.text) < LONGEST_BOLD):
        return "heading"
    if line.size >= body * SMALL:
        return "text"
    goes_on = block is not None and block.kind == "note" and abs(block.lines[-1].size - line.size) < 0.6
    return "note" if goes_on or _is_note_start(line, body) else "small"


def _starts_block(line: Piece, block: Draft, m: Measure) -> bool:
    """Return whether `line`, of the same kind, begins a new block after `block`."""
    before = block.lines[-1]
    gap = before.y0 - line.y0
    if block.kind == "heading":
        return gap > 2.0 * line.size or abs(before.size - line.size) > 0.8
    if block.kind == "note":
        return _starts_note(line, before, m)
    apart = gap > m.leading * LEADING or _starts_item(line, before)
    if apart or _starts_caption(line, before, m) or _ends_caption(block, m):
        return True
    return _leaves_item(line, block, m) if block.listed else _starts_paragraph(line, before, m)


def _starts_note(line: Piece, before: Piece, m: Measure) -> bool:
    if not _is_note_start(line, m.body):
        return False
    if line.mark is not None:
        return True
    return _NOTE_START.match(line.text) is not None and (before.x1 < m.right - m.body or ends_sentence(before.text))


def _starts_item(line: Piece, before: Piece) -> bool:
    if not _NEW_ITEM.match(line.text):
        return False
    wrapped_dash = _DASH.match(line.text) and not ends_sentence(before.text) and abs(line.x0 - before.x0) <= 2
    return not wrapped_dash


def _starts_caption(line: Piece, before: Piece, m: Measure) -> bool:
    ended = ends_sentence(before.text) or before.x1 < m.right - SHORT_END * m.body
    return ended and _CAPTION_LABEL.match(line.text) is not None


def _ends_caption(block: Draft, m: Measure) -> bool:
    """Return whether a block is a caption whose last line is short; the label may have a line of its own."""
    before = block.lines[-1]
    return is_caption(block) and len(before.text) > LONGEST_LABEL and before.x1 < m.right - SHORT_END * m.body


def _leaves_item(line: Piece, item: Draft, m: Measure) -> bool:
    """Return whether a line has not the indent of a list item, which its second line gives."""
    if len(item.lines) > 1:
        return abs(line.x0 - item.lines[1].x0) > 2
    return line.x0 < min(item.lines[0].x0, m.left) - 2


def _starts_paragraph(line: Piece, before: Piece, m: Measure) -> bool:
    short_end = ends_sentence(before.text) and before.x1 < m.right - SHORT_END * m.body
    if m.has_indents:  # two lines with one indent are an indented block, not two starts
        return m.indents(line) and (short_end or abs(line.x0 - before.x0) >= 1.5)
    return m.justified and short_end and line.x0 - m.left < m.body * 0.5
