"""Columns: the pieces of a page as regions in reading order, whatever the order of the stream."""

from collections.abc import Sequence
from itertools import pairwise

from glossator.parse.pdf.pieces import Piece, columns_wide, rows_of

GUTTER = 0.75  # of the body size: the least width of a free gutter
GUTTER_POINTS = 6.0
SIDE_ROWS = 3  # rows that must stand on either side of a gutter
SIDE_WIDTH = 0.12  # of the region: so must this much width
REACH = 2.2  # of the body size: how near to a gutter a line must start to support it
RAGGED = 6.0  # of the body size: how far before it a line of ragged text may end
CROSSING = 1.5  # lines of support that each piece across a gutter costs
_DEEPEST = 12

Region = list[Piece]


def regions_of(pieces: Sequence[Piece], body: float) -> list[Region]:
    """Return the regions of a page in reading order; `body` is the size of the document's text in points."""
    return _join_side_by_side(_split(list(pieces), body, 0))


def _split(pieces: Region, body: float, depth: int) -> list[Region]:
    """Cut a region at a free gutter; else at the best one that few pieces cross.

    Those pieces (titles, wide tables) then divide the region into bands.
    """
    if len(pieces) < 4 or depth > _DEEPEST:
        return [pieces] if pieces else []
    halves = _at_free_gutter(pieces, body)
    if halves is None:
        gutter = _best_gutter(pieces, body)
        if gutter is None:
            return [pieces]
        x, crossing = gutter
        if crossing:
            return _split_bands(pieces, crossing, body, depth)
        # a piece stands in the gutter, but nothing reaches over x
        halves = _halves(
            pieces, [p for p in pieces if p.x0 + p.x1 <= 2 * x], [p for p in pieces if p.x0 + p.x1 > 2 * x]
        )
    if halves is None:
        return [pieces]
    return _split(halves[0], body, depth + 1) + _split(halves[1], body, depth + 1)


def _at_free_gutter(pieces: Region, body: float) -> tuple[Region, Region] | None:
    """Return the two sides of the widest gap that no piece touches, if both sides are columns."""
    spans = sorted((p.x0, p.x1) for p in pieces)
    left, right, end = spans[0][0], max(b for _, b in spans), spans[0][1]
    gaps = []
    for a, b in spans:
        if a - end >= max(GUTTER * body, GUTTER_POINTS):
            gaps.append((a - end, end, a))
        end = max(end, b)
    least = SIDE_WIDTH * (right - left)
    for _, a, b in sorted(gaps, reverse=True):
        if a - left > least and right - b > least:
            x = (a + b) / 2
            halves = _halves(pieces, [p for p in pieces if p.x1 <= x + 0.1], [p for p in pieces if p.x0 >= x - 0.1])
            if halves is not None:
                return halves
    return None


def _halves(pieces: Region, one: Region, two: Region) -> tuple[Region, Region] | None:
    if len(rows_of(one)) < SIDE_ROWS or len(rows_of(two)) < SIDE_ROWS or len(one) + len(two) < len(pieces):
        return None
    return one, two


def _best_gutter(pieces: Region, body: float) -> tuple[float, Region] | None:
    """Return (x, pieces across) of the gutter with the most support, or None.

    Support are the lines that end left of it (within RAGGED) or start right of it (within REACH), the smaller number of
    the two, less CROSSING for each piece across.
    """
    left, right = min(p.x0 for p in pieces), max(p.x1 for p in pieces)
    least = max(0.7 * body, 5.0)
    middles = {
        round(max((q.x0 + p.x1) / 2, q.x0 - body)): None
        for row in rows_of(pieces)
        for p, q in pairwise(row)
        if q.x0 - p.x1 >= least
    }
    best: tuple[float, float, Region] | None = None
    for x in middles:
        if not 0.15 * (right - left) < x - left < 0.85 * (right - left):
            continue
        ending = sum(x - RAGGED * body < p.x1 <= x + 1 for p in pieces)
        starting = sum(x - 1 <= p.x0 < x + REACH * body for p in pieces)
        support = min(ending, starting)
        if support < SIDE_ROWS or (best is not None and support <= best[0]):
            continue
        across = [p for p in pieces if p.x0 < x - 1 and p.x1 > x + 1]
        score = support - CROSSING * len(across)
        if score > 0 and (best is None or score > best[0]):
            best = score, x, across
    return None if best is None else best[1:]


def _split_bands(pieces: Region, crossing: Region, body: float, depth: int) -> list[Region]:
    bands = _bands(pieces, crossing)
    if len(bands) == 1:
        return [pieces]
    regions: list[Region] = []
    for spanning, band in bands:
        regions += [band] if spanning else _split(band, body, depth + 1)
    return regions


def _bands(pieces: Region, crossing: Region) -> list[tuple[bool, Region]]:
    """Return (spanning?, pieces) from top to bottom; neighbours of a spanning piece on its row go with it."""
    across = set(crossing)
    bands: list[tuple[bool, Region]] = []
    rest = [p for p in pieces if p not in across]
    for row in rows_of(crossing):
        top, bottom = max(p.y1 for p in row), min(p.y0 for p in row)
        above = [p for p in rest if p.middle > top]
        beside = [p for p in rest if bottom < p.middle <= top]
        rest = [p for p in rest if p.middle <= bottom]
        if above:
            bands.append((False, above))
        if bands and bands[-1][0]:
            bands[-1][1].extend(row + beside)
        else:
            bands.append((True, row + beside))
    if rest:
        bands.append((False, rest))
    return bands


def _join_side_by_side(regions: Sequence[Region]) -> list[Region]:
    """Return the regions with those that stand side by side, in aligned rows of short cells, as one: a table."""
    out: list[Region] = []
    for region in regions:
        if out and _one_table(out[-1], region):
            out[-1] = out[-1] + region
        else:
            out.append(region)
    return out


def _one_table(one: Region, two: Region) -> bool:
    (low1, high1), (low2, high2) = _extent(one), _extent(two)
    if min(high1, high2) - max(low1, low2) < 0.6 * min(high1 - low1, high2 - low2):
        return False
    a, b = rows_of(one), rows_of(two)
    middles = [row[0].middle for row in a]
    aligned = sum(any(abs(m - row[0].middle) < 2.5 for m in middles) for row in b)
    return aligned >= 0.75 * len(b) and _mean_width(b) < 18 and _mean_width(a[-len(b) :]) < 22


def _extent(region: Region) -> tuple[float, float]:
    return min(p.y0 for p in region), max(p.y1 for p in region)


def _mean_width(rows: Sequence[Sequence[Piece]]) -> float:
    return sum(columns_wide(p.text) for row in rows for p in row) / max(1, sum(map(len, rows)))
