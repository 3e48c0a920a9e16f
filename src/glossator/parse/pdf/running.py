"""Running heads, running feet and page numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from glossator.parse.pdf.pieces import Piece, rows_of

MARGIN = 0.13  # of the page's height, at the top and at the bottom: where running text stands
REPEATED = 0.3  # of the pages (at least two) must have it
_NUMBER_BELOW, _NUMBER_ABOVE = 0.1, 0.92  # of the height: a number of its own there is the page's
_OUTER_ROWS = 2
_WIDEST_ROW = 3  # pieces; a row of more is a table's, whose repeated head or numbers must stay
_PAGE_NUMBER = re.compile(r"[-–—\s]*(\d{1,4}|[ivxlc]{1,6})[-–—\s]*", re.IGNORECASE)
_PAGE_OF = re.compile(r"(page|p\.|第)?\s*\d+\s*(页|頁|of \d+|/\s*\d+)")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_FEWEST_HEADS = 4  # pages
_SAID_AGAIN = 0.6  # of the pages with something at that height
_LARGEST = 1.15  # of the usual size of the document's characters: a slide's title is larger and is no head
_COUNTERS = re.compile(r"\d+|\b[ivxlc]+\b")


def running_pieces(pages: Sequence[tuple[Sequence[Piece], float]]) -> set[Piece]:
    """Return the running heads, feet and page numbers among the pieces of all pages, given with the page's height.

    They stand in the outer rows of the margin and repeat from page to page (digits and roman numerals counted as
    equal, a step of four points allowed), or are page numbers, or stand where the heads of chapters change from one
    to the next (`_shared_heights`).
    """
    edges = [_outer(pieces, height) for pieces, height in pages]
    seen: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for n, pieces in enumerate(edges):
        for p in pieces:
            seen[_key(p)].add(n)
    needed = max(2, REPEATED * len(pages))
    heights = _shared_heights(seen, needed)
    small = _LARGEST * median([p.size for pieces, _ in pages for p in pieces] or [0.0])
    found: set[Piece] = set()
    for edge, (_, height) in zip(edges, pages, strict=True):
        for p in edge:
            text, y = _key(p)
            times = len(seen[text, y] | seen.get((text, y - 1), set()) | seen.get((text, y + 1), set()))
            if times >= needed or _is_page_number(p, height) or (y in heights and p.size <= small):
                found.add(p)
    return found


def _shared_heights(seen: Mapping[tuple[str, int], set[int]], needed: float) -> set[int]:
    """Return the heights (in steps) of heads that name the chapter or section, and so repeat on its pages only.

    Many pages have a piece at such a height, and on most of them it says what another page says there. The first line
    of the body stands at one height too, but says something else on each page.
    """
    at: defaultdict[int, set[int]] = defaultdict(set)
    again: defaultdict[int, set[int]] = defaultdict(set)
    for (_, y), numbers in seen.items():
        at[y] |= numbers
        if len(numbers) > 1:
            again[y] |= numbers
    enough = max(_FEWEST_HEADS, needed)
    return {y for y, numbers in at.items() if len(numbers) >= enough and len(again[y]) >= _SAID_AGAIN * len(numbers)}


def printed_labels(running: Sequence[Sequence[Piece]]) -> list[str | None]:
    """Return the page number printed on each page, given its running pieces; None where there is none.

    A number counts only where another page's number agrees with it: a year in every foot is no page number.
    """
    numbers = [_printed_number(pieces) for pieces in running]
    offsets = Counter(number[1] - n for n, number in enumerate(numbers) if number)
    agreed = {offset for offset, times in offsets.items() if times >= 2}
    return [
        number[0] if number and number[1] - n in agreed else None  # the roman and arabic pages have two offsets
        for n, number in enumerate(numbers)
    ]


def _printed_number(pieces: Sequence[Piece]) -> tuple[str, int] | None:
    """Return the number that stands alone in exactly one running piece, as printed and as a value."""
    numbers = [m for p in pieces if (m := _PAGE_NUMBER.fullmatch(p.text.strip()))]
    if len(numbers) != 1:
        return None
    text = numbers[0].group(1)
    return text, int(text) if text.isdecimal() else _roman(text.lower())


def _roman(text: str) -> int:
    values = [_ROMAN[c] for c in text]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))


def _outer(pieces: Sequence[Piece], height: float) -> list[Piece]:
    rows = rows_of(pieces)
    out = []
    for side in (rows[:_OUTER_ROWS], rows[: -_OUTER_ROWS - 1 : -1]):
        for row in side:
            if len(row) > _WIDEST_ROW:
                break
            out += [p for p in row if p.y0 > height * (1 - MARGIN) or p.y1 < height * MARGIN]
    return out


def _key(p: Piece) -> tuple[str, int]:
    return _COUNTERS.sub("#", p.text.lower().replace(" ", "")), round(p.y0 / 4)


def _is_page_number(p: Piece, height: float) -> bool:
    text = p.text.lower()
    if _PAGE_OF.fullmatch(text):
        return True
    outer = p.y1 < height * _NUMBER_BELOW or p.y0 > height * _NUMBER_ABOVE
    return outer and _PAGE_NUMBER.fullmatch(p.text) is not None
