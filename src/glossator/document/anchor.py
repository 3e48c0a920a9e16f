"""Stored positions after the canonical text changed: a better parser, or a new version of the file.

The *content* of both texts (see `fold`; so neither white space, hyphenation nor Unicode form matter) is cut into
lines. Lines that occur once in each are paired where they keep their order, and grow over equal neighbours; what lies
between is paired again by its own unique lines, then by ever shorter unique pieces. Paired content is *common*:
positions in it map exactly, others to the end of the common content before them.

Known limit: a passage that changed places is not common; `reanchor_span` finds it again by its words, `map_position`
does not.

Source: patience diff (B. Cohen): unique common lines, longest increasing subsequence, recursion between them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

import numpy as np

from glossator.document.fold import Folded, fold
from glossator.document.locator import CONTEXT, Locator, Quote, Resolution, resolve

_PIECES = (40, 16, 6)  # characters of content, where no unique line is left; the shortest only in small regions
_SMALL = 4_000  # characters of a region that is searched for the shortest pieces
_LARGE = 50_000  # characters of a region that is searched by hashes
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHORTEST_LINE = 8
_ALIKE = 0.6  # share of its content that an edited passage keeps to count as the same


@dataclass(frozen=True, slots=True)
class Stretch:
    """Common content: `length` folded characters, at `old` in one text's content and at `new` in the other's."""

    old: int
    new: int
    length: int


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """What two texts have in common, in order."""

    old_text: str
    new_text: str
    old: Folded
    new: Folded
    stretches: tuple[Stretch, ...]


def map_position(position: int, old_text: str, new_text: str) -> int:
    """Return where a position of the old text is in the new one; the nearest earlier common place when it is lost.

    What precedes the result was before the position already: new content just before it stays behind it, so that a
    bound never opens onto something unread.
    """
    compared = compare(old_text, new_text)
    i = bisect_left(compared.old.offsets, position, hi=len(compared.old.text))
    last = _stretch_before(compared, i - 1)
    j = 0 if last is None else last.new + min(i - last.old, last.length)
    if _mapped(compared, i) == j:
        return _before(compared, i, j, position)
    return 0 if last is None else _after(compared, last, j, position)


def reanchor_span(start: int, end: int, old_text: str, new_text: str) -> Resolution:
    """Return where `[start, end)` of the old text is in the new one.

    `exact`: it lies in common content, in the same order. `moved`: its words were edited in place, or stand elsewhere
    in the same surroundings. `lost`: neither.
    """
    compared = compare(old_text, new_text)
    words = old_text[start:end]
    place = _common_span(compared, start, end)
    if place:
        same = fold(new_text[slice(*place)]).text == fold(words).text
        if same:
            return Resolution("exact", *place, 1.0)
        score = SequenceMatcher(None, fold(words).text, fold(new_text[slice(*place)]).text, autojunk=False).ratio()
        if score >= _ALIKE:
            return Resolution("moved", *place, round(score, 3))
    before, after = old_text[max(0, start - CONTEXT) : start], old_text[end : end + CONTEXT]
    quote = Quote(words, before, after)
    locator = Locator(document="", text_version="", start=start, end=end, quote=quote)
    found = resolve(locator, text=new_text, text_version="new", blocks=())
    return Resolution("moved", found.start, found.end, found.score) if found.state == "exact" else found


def surviving_share(old_text: str, new_text: str) -> float:
    """Return the share (0 to 1) of the old text's content that the new text still has, moved lines included."""
    compared = compare(old_text, new_text)
    total = len(compared.old.text)
    if not total:
        return 1.0
    common = sum(s.length for s in compared.stretches)
    elsewhere = {compared.new.text[a:b] for a, b in _lines(compared.new_text, compared.new)}
    kept = [(s.old, s.old + s.length) for s in compared.stretches]
    starts = [a for a, _ in kept]
    for a, b in _lines(compared.old_text, compared.old):
        at = bisect_right(starts, a) - 1
        is_common = at >= 0 and b <= kept[at][1]
        if not is_common and compared.old.text[a:b] in elsewhere:
            common += b - a - _overlap(kept, a, b)
    return min(1.0, common / total)


@lru_cache(maxsize=2)
def compare(old_text: str, new_text: str) -> Comparison:
    """Return what two texts have in common. Texts of 2 million characters take about a second."""
    old, new = fold(old_text), fold(new_text)
    if old.text == new.text:
        whole = (Stretch(0, 0, len(old.text)),) if old.text else ()
        return Comparison(old_text, new_text, old, new, whole)
    lines = _lines(old_text, old), _lines(new_text, new)
    return Comparison(old_text, new_text, old, new, tuple(_joined(_common(old.text, new.text, *lines))))


# --- mapping --------------------------------------------------------------------------------------------------------


def _stretch_before(compared: Comparison, i: int) -> Stretch | None:
    """The last stretch that begins at or before folded character `i` of the old text."""
    at = bisect_right(compared.stretches, i, key=lambda s: s.old) - 1
    return compared.stretches[at] if at >= 0 else None


def _before(compared: Comparison, i: int, j: int, position: int) -> int:
    """The place as far before new character `j` as `position` is before old character `i`, if the gaps are alike."""
    old, new = compared.old.source_start(i), compared.new.source_start(j)
    gap = compared.old_text[position:old]
    return new - len(gap) if compared.new_text[max(0, new - len(gap)) : new] == gap else new


def _after(compared: Comparison, stretch: Stretch, j: int, position: int) -> int:
    """The place behind new character `j - 1`; as far behind as `position` is, where the texts go on alike."""
    old, new = compared.old.source_end(stretch.old + j - stretch.new), compared.new.source_end(j)
    gap = compared.old_text[old:position]
    return new + len(gap) if gap and not fold(gap).text and compared.new_text.startswith(gap, new) else new


def _common_span(compared: Comparison, start: int, end: int) -> tuple[int, int] | None:
    """The new place of a span whose first and last characters of content are common."""
    last_index = len(compared.old.text)
    first = bisect_left(compared.old.offsets, start, hi=last_index)
    last = bisect_left(compared.old.offsets, end, hi=last_index) - 1
    if first > last:
        return None
    ends = [_mapped(compared, first), _mapped(compared, last)]
    if ends[0] is None or ends[1] is None:
        return None
    new_start, new_end = compared.new.source_start(ends[0]), compared.new.source_end(ends[1] + 1)
    lead = compared.old_text[start : compared.old.source_start(first)]
    tail = compared.old_text[compared.old.source_end(last + 1) : end]
    if lead and compared.new_text[max(0, new_start - len(lead)) : new_start] == lead:
        new_start -= len(lead)
    if tail and compared.new_text.startswith(tail, new_end):
        new_end += len(tail)
    return new_start, new_end


def _mapped(compared: Comparison, i: int) -> int | None:
    stretch = _stretch_before(compared, i)
    if stretch is None or i >= stretch.old + stretch.length:
        return None
    return stretch.new + i - stretch.old


def _overlap(kept: Sequence[tuple[int, int]], a: int, b: int) -> int:
    at = max(0, bisect_right(kept, (a, a)) - 1)
    total = 0
    while at < len(kept) and kept[at][0] < b:
        total += max(0, min(b, kept[at][1]) - max(a, kept[at][0]))
        at += 1
    return total


# --- comparing ------------------------------------------------------------------------------------------------------

_Span = tuple[int, int]


def _lines(text: str, folded: Folded) -> list[_Span]:
    """The content intervals of the lines of a text."""
    breaks = [0, *(m.end() for m in re.finditer("\n", text)), len(text)]
    bounds = np.searchsorted(folded.offsets[:-1], np.array(breaks)).tolist()
    return [(a, b) for a, b in pairwise(bounds) if b - a >= _SHORTEST_LINE]


def _common(old: str, new: str, old_lines: list[_Span], new_lines: list[_Span]) -> list[Stretch]:
    """Pair two contents; a region is paired by lines, and by pieces where it has no line in common."""
    found: list[Stretch] = []
    regions = [(0, len(old), 0, len(new), 0)]  # old interval, new interval, how it is paired: 0 lines, n pieces[n - 1]
    while regions:
        a, b, c, d, level = regions.pop()
        last = level > len(_PIECES) or (level == len(_PIECES) and max(b - a, d - c) > _SMALL)
        # a few equal letters at an end are chance as long as something unique may still be found
        least = 1 if last else _SHORTEST_LINE
        head = _same_ahead(old, new, a, c, min(b - a, d - c))
        head *= head >= least
        found.append(Stretch(a, c, head))
        a, c = a + head, c + head
        tail = _same_behind(old, new, b, d, min(b - a, d - c))
        tail *= tail >= least
        b, d = b - tail, d - tail
        found.append(Stretch(b, d, tail))
        if last or a == b or c == d:
            continue
        if level:
            pairs = _unique_pieces(old, new, (a, b), (c, d), _PIECES[level - 1])
        else:
            pairs = _unique_lines(old, new, _inside(old_lines, a, b), _inside(new_lines, c, d))
        anchors = list(_grown(old, new, _in_order(pairs), (a, b, c, d)))
        found.extend(anchors)
        for i, j, k, m in _between(anchors, a, b, c, d):
            # lines may be unique in a smaller region; pieces are looked for once
            regions.append((i, j, k, m, level if anchors and not level else level + 1))
    return sorted((s for s in found if s.length), key=lambda s: s.old)


def _between(anchors: Sequence[Stretch], a: int, b: int, c: int, d: int) -> Iterator[tuple[int, int, int, int]]:
    for s in anchors:
        yield a, s.old, c, s.new
        a, c = s.old + s.length, s.new + s.length
    yield a, b, c, d


def _inside(lines: list[_Span], a: int, b: int) -> list[_Span]:
    return [s for s in lines[bisect_left(lines, (a, a)) : bisect_left(lines, (b, b))] if s[1] <= b]


def _unique_lines(old: str, new: str, old_lines: list[_Span], new_lines: list[_Span]) -> list[Stretch]:
    here, there = _once(old, old_lines), _once(new, new_lines)
    return [Stretch(a, there[line], len(line)) for line, a in here.items() if line in there]


def _once(text: str, spans: Sequence[_Span]) -> dict[str, int]:
    """Where each piece that occurs once begins, in order."""
    seen: dict[str, int] = {}
    for a, b in spans:
        piece = text[a:b]
        seen[piece] = -1 if piece in seen else a
    return {piece: a for piece, a in seen.items() if a >= 0}


def _unique_pieces(old: str, new: str, here: _Span, there: _Span, size: int) -> list[Stretch]:
    """Pieces of the old region, end to end, that occur once in it and once anywhere in the new region."""
    pieces = _once(old, [(i, i + size) for i in range(here[0], here[1] - size + 1, size)])
    places: dict[str, int] = {}
    for k in _likely(new, there, list(pieces), size) if there[1] - there[0] > _LARGE else range(*there):
        piece = new[k : k + size]
        if piece in pieces:
            places[piece] = -1 if piece in places else k
    return [Stretch(a, places[piece], size) for piece, a in pieces.items() if places.get(piece, -1) >= 0]


def _likely(text: str, region: _Span, pieces: list[str], size: int) -> list[int]:
    """Where a piece may begin in a large region: where the hash of `size` characters is that of a piece."""
    points = np.frombuffer(text[slice(*region)].encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    wanted = np.frombuffer("".join(pieces).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).reshape(-1, size)
    windows = len(points) - size + 1
    hashes, wanted_hashes = np.zeros(windows, dtype=np.uint64), np.zeros(len(wanted), dtype=np.uint64)
    for k in range(size):
        hashes = hashes * _MULTIPLIER + points[k : k + windows]
        wanted_hashes = wanted_hashes * _MULTIPLIER + wanted[:, k]
    found: list[int] = np.flatnonzero(np.isin(hashes, wanted_hashes)).tolist()
    return [region[0] + k for k in found]


def _in_order(pairs: list[Stretch]) -> list[Stretch]:
    """The longest run of pairs that ascends in both texts (patience sorting)."""
    pairs.sort(key=lambda s: s.old)
    tops: list[int] = []  # the smallest new position that ends a run of each length
    ends: list[int] = []  # the pair it belongs to
    before: list[int] = []
    for n, pair in enumerate(pairs):
        at = bisect_left(tops, pair.new)
        before.append(ends[at - 1] if at else -1)
        if at == len(tops):
            tops.append(pair.new)
            ends.append(n)
        else:
            tops[at], ends[at] = pair.new, n
    run: list[Stretch] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        run.append(pairs[n])
        n = before[n]
    return run[::-1]


def _grown(old: str, new: str, pairs: list[Stretch], region: tuple[int, int, int, int]) -> Iterator[Stretch]:
    """Grow each pair over equal characters, as far as its neighbours; pairs that a grown one covers are left out."""
    a, b, c, d = region
    for n, pair in enumerate(pairs):
        if pair.old < a or pair.new < c:
            continue
        following = pairs[n + 1] if n + 1 < len(pairs) else Stretch(b, d, 0)
        back = _same_behind(old, new, pair.old, pair.new, min(pair.old - a, pair.new - c))
        end, new_end = pair.old + pair.length, pair.new + pair.length
        room = min(max(following.old, end) - end, max(following.new, new_end) - new_end)
        ahead = _same_ahead(old, new, end, new_end, room)
        a, c = end + ahead, new_end + ahead
        yield Stretch(pair.old - back, pair.new - back, back + pair.length + ahead)


def _joined(stretches: list[Stretch]) -> Iterator[Stretch]:
    current: Stretch | None = None
    for s in stretches:
        if current and current.old + current.length == s.old and current.new + current.length == s.new:
            current = Stretch(current.old, current.new, current.length + s.length)
            continue
        if current:
            yield current
        current = s
    if current:
        yield current


def _same_ahead(old: str, new: str, a: int, c: int, most: int) -> int:
    """How many characters from `a` and `c` on are equal, at most `most`."""
    return _longest(lambda low, high: old[a + low : a + high] == new[c + low : c + high], most)


def _same_behind(old: str, new: str, b: int, d: int, most: int) -> int:
    """How many characters before `b` and `d` are equal, at most `most`."""
    return _longest(lambda low, high: old[b - high : b - low] == new[d - high : d - low], most)


def _longest(equal: Callable[[int, int], bool], most: int) -> int:
    """How far `equal` holds, at most to `most`: by steps that double, then by halves; it tells of `[low, high)`."""
    low, step = 0, 64
    while low < most:
        size = min(step, most - low)
        if equal(low, low + size):
            low, step = low + size, step * 2
        elif size == 1:
            break
        else:
            most, step = low + size - 1, max(1, size // 2)
    return low
