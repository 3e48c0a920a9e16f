"""Tables: runs of rows of short, aligned cells."""

import re
from collections.abc import Sequence

from glossator.parse.pdf.pieces import Cell, Piece, Table, Word, columns_wide, rows_of

CELL_WIDTH = 32  # typewriter columns: a longer text in a row of two is prose
STRICT_WIDTH, STRICT_MEAN = 24, 14  # of the cells of a table that is looked for across the whole page
ALIGNED = 0.7  # share of a row's cells that must stand under cells of the first row
ROW_GAP = 3.2  # lines between two rows
HEAD_GAP = 1.6
_LABEL = re.compile(r"(table|表)\s*\d", re.IGNORECASE)

Span = tuple[float, float]


def set_tables_apart(pieces: Sequence[Piece], body: float) -> list[Piece]:
    """Return the pieces with a stand-in for each table that is plain to see across the page.

    Tables wider than a column must be found before the page is cut into columns.
    """
    candidates = _short_rows(pieces)
    tables = find_tables(candidates, body) if candidates else []
    used = {p for table in tables for p in table.pieces}
    return [p for p in pieces if p not in used] + [_stand_in(table, body) for table in tables]


def find_tables(pieces: Sequence[Piece], body: float) -> list[Table]:
    """Return the tables among pieces of one region: three or more rows of short aligned cells, with their heads."""
    rows = rows_of(pieces)
    tables: list[Table] = []
    used: set[Piece] = set()
    i = 0
    while i < len(rows):
        j = _end_of_table(rows, i, body) if _many_short(rows[i]) else i
        if j - i >= 3:
            part = rows[i:j]
            spans = column_spans(part)
            if len(spans) >= 2:
                part = _header_rows(rows, i, spans, body, used) + part
                used.update(p for row in part for p in row)
                tables.append(Table(part, [_cut_cells(row, spans) for row in part]))
        i = max(j, i + 1)
    return tables


def column_spans(rows: Sequence[Sequence[Piece]]) -> list[Span]:
    """Return the x intervals of a table's columns: the unions of overlapping cells."""
    spans: list[Span] = []
    for a, b in sorted((p.x0, p.x1) for row in rows for p in row):
        if spans and a < spans[-1][1] - 0.5:
            spans[-1] = spans[-1][0], max(spans[-1][1], b)
        else:
            spans.append((a, b))
    return spans


def cell_text(cell: Cell) -> str:
    """Return the text of a cell: its words, a space between them."""
    return " ".join(p.text[w.start : w.end] for p, w in cell)


def _short_rows(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of rows that may belong to a table; none where no row is surely one's."""
    strict: set[Piece] = set()
    loose: set[Piece] = set()
    for row in rows_of(pieces):
        widths = [columns_wide(p.text) for p in row]
        if len(row) >= 2 and max(widths) < STRICT_WIDTH:
            loose.update(row)
            if len(row) >= 3 and sum(widths) < STRICT_MEAN * len(row):
                strict.update(row)
    return [p for p in pieces if p in loose] if strict else []


def _many_short(row: Sequence[Piece]) -> bool:
    return len(row) >= 3 and not row[0].table and sum(columns_wide(p.text) for p in row) < CELL_WIDTH * len(row)


def _end_of_table(rows: Sequence[Sequence[Piece]], first: int, body: float) -> int:
    j = first + 1
    while j < len(rows):
        row = rows[j]
        few_short = len(row) >= 2 and all(columns_wide(p.text) < CELL_WIDTH for p in row)
        if not (_many_short(row) or few_short):
            break
        if rows[j - 1][0].y0 - row[0].y1 > ROW_GAP * max(body, row[0].height):
            break
        aligned = sum(any(min(a.x1, b.x1) - max(a.x0, b.x0) > -4 for a in rows[first]) for b in row)
        if aligned < len(row) * ALIGNED:
            break
        j += 1
    return j


def _header_rows(
    rows: Sequence[list[Piece]], first: int, spans: Sequence[Span], body: float, used: set[Piece]
) -> list[list[Piece]]:
    """Return the rows above a table that fill nearly all its columns: heads that were too wide to pass as cells."""
    found: list[list[Piece]] = []
    below = rows[first][0]
    while first > 0 and len(spans) >= 3:
        row = rows[first - 1]
        if row[0] in used or row[0].y0 - below.y1 > HEAD_GAP * max(body, below.height):
            break
        if sum(len(p.text) for p in row) > 22 * len(spans) or _LABEL.match(row[0].text):
            break
        if sum(map(bool, _cut_cells(row, spans))) < max(2, len(spans) - 1):
            break
        found.insert(0, row)
        below, first = row[0], first - 1
    return found


def _cut_cells(row: Sequence[Piece], spans: Sequence[Span]) -> list[Cell]:
    """Return the cells of a row: each word goes to the column it overlaps most, so a piece over two is cut."""
    cells: list[Cell] = [[] for _ in spans]
    for p in row:
        for word in p.words:
            cells[_column_of(word, spans)].append((p, word))
    return cells


def _column_of(word: Word, spans: Sequence[Span]) -> int:
    return max(range(len(spans)), key=lambda k: min(word.x1, spans[k][1]) - max(word.x0, spans[k][0]))


def _stand_in(table: Table, body: float) -> Piece:
    inside = table.pieces
    return Piece(
        page=inside[0].page,
        text="T",
        leads=inside[0].leads[:1],
        trail=inside[0].trail,
        turn=inside[0].turn,
        x0=min(p.x0 for p in inside),
        y0=min(p.y0 for p in inside),
        x1=max(p.x1 for p in inside),
        y1=max(p.y1 for p in inside),
        size=body,
        table=table,
    )
