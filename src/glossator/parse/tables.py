"""Tables of canonical XHTML: which ones hold data, and their cells as rows of equal length with the way back."""

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from glossator.document.model import CELL, TextRun
from glossator.parse.flow import shifted
from glossator.parse.html import local_name

LONGEST_CELL = 2000  # characters; above this a table is taken for a page layout
_NO_DATA_TABLE = {"table", "h1", "h2", "h3", "h4", "h5", "h6", "pre"}
_MOST_COLUMNS_SPANNED = 1000  # HTML Standard, section 4.9.11
_ROOM_FOR_SPANS = 20  # places per written cell; a table that asks for more is crafted, and its spans are ignored


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as written: its text, the runs of it, and how many columns and rows it covers."""

    text: str
    runs: tuple[TextRun, ...]
    columns: int = 1
    rows: int = 1


def is_layout(table: etree._Element) -> bool:
    """Tell whether a table only places things on a page, so that its cells are read as ordinary blocks.

    It is, when it says so, has one cell, or holds what no cell of data holds: a table, a heading, a listing, or a
    text of more than `LONGEST_CELL` characters.
    """
    if table.get("role") in ("presentation", "none"):
        return True
    cells = 0
    for el in table.iterdescendants("*"):
        name = local_name(el)
        if name in _NO_DATA_TABLE:
            return True
        if name in ("td", "th"):
            cells += 1
            if len("".join(str(t) for t in el.itertext())) > LONGEST_CELL:
                return True
    return cells < 2


def span(cell: etree._Element, name: str) -> int:
    """Return a `colspan` or `rowspan`, from 1; nonsense counts as 1."""
    value = (cell.get(name) or "1").strip()
    return max(1, min(int(value), _MOST_COLUMNS_SPANNED)) if value.isdecimal() and len(value) < 6 else 1


def lay_out_cells(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[tuple[str, ...], ...], str, tuple[TextRun, ...]]:
    """Return (rows, text, runs): rows of equal length, cells joined by `CELL`, rows by a newline.

    The text of a cell that spans several places stands in the first of them, the others are "". Rows without any
    text are left out.
    """
    grid = [row for row in _spread(rows) if any(cell.text for cell in row)]
    parts: list[str] = []
    runs: list[TextRun] = []
    at = 0
    for i, row in enumerate(grid):
        for j, cell in enumerate(row):
            if i or j:
                parts.append(CELL if j else "\n")
                at += 1
            parts.append(cell.text)
            runs += shifted(cell.runs, at)
            at += len(cell.text)
    return tuple(tuple(cell.text for cell in row) for row in grid), "".join(parts), tuple(runs)


_EMPTY = Cell("", ())


def _spread(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Put every cell in its place of the grid. Source: HTML Standard, section 4.9.12, forming a table."""
    written = sum(len(row) for row in rows)
    asked = sum(cell.columns * min(cell.rows, len(rows) - i) for i, row in enumerate(rows) for cell in row)
    spans = asked <= _ROOM_FOR_SPANS * written
    grid: list[list[Cell]] = []
    covered: dict[tuple[int, int], bool] = {}
    for i, row in enumerate(rows):
        placed: list[Cell] = []
        for cell in row:
            while covered.pop((i, len(placed)), False):
                placed.append(_EMPTY)
            columns, depth = (cell.columns, min(cell.rows, len(rows) - i)) if spans else (1, 1)
            at = len(placed)
            placed += [cell, *[_EMPTY] * (columns - 1)]
            covered |= {(below, at + c): True for below in range(i + 1, i + depth) for c in range(columns)}
        grid.append(placed)
    width = max((len(row) for row in grid), default=0)
    return [row + [_EMPTY] * (width - len(row)) for row in grid]
