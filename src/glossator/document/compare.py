"""What two texts have in common, in order.

The *content* of both (see `fold`; so neither white space, hyphenation nor Unicode form matter) is cut into lines. Lines
that occur once in each are paired where they keep their order, and grow over equal neighbours; what lies between is
paired again by its own unique lines, then by ever shorter unique pieces. Paired content is *common*.

Source: patience diff (B. Cohen): unique common lines, longest increasing subsequence, recursion between them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from glossator.document.fold import Folded, fold

_PIECES = (40, 16, 6)  # characters of content, where no unique line is left; the shortest only in small regions
_SMALL = 4_000  # characters of a region that is searched for the shortest pieces
_LARGE = 50_000  # characters of a region that is searched by hashes
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHORTEST_LINE = 8


@dataclass(frozen=True, slots=True)
class Stretch:
    """Common content: `length` folded characters, at `old` in one text's content and at `new` in the other's."""

    old: int
    new: int
    length: int


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """What two texts have in common; the stretches ascend in both."""

    old_text: str
    new_text: str
    old: Folded
    new: Folded
    stretches: tuple[Stretch, ...]

    def mapped(self, i: int) -> int | None:
        """Return where folded character `i` of the old text is in the new one, None where it is not common."""
        s = self.stretch_before(i)
        return None if s is None or i >= s.old + s.length else s.new + i - s.old

    def stretch_before(self, i: int) -> Stretch | None:
        """Return the last stretch that begins at or before folded character `i` of the old text."""
        at = bisect_right(self.stretches, i, key=lambda s: s.old) - 1
        return self.stretches[at] if at >= 0 else None

    def pieces(self, a: int, b: int) -> list[Stretch]:
        """Return the common content of `[a, b)` of the old content, clipped to it."""
        at = max(0, bisect_right(self.stretches, a, key=lambda s: s.old) - 1)
        found = []
        while at < len(self.stretches) and self.stretches[at].old < b:
            s = self.stretches[at]
            low, high = max(a, s.old), min(b, s.old + s.length)
            if low < high:
                found.append(Stretch(low, s.new + low - s.old, high - low))
            at += 1
        return found

    def origins(self, a: int, b: int) -> list[Stretch]:
        """Return the common content of `[a, b)` of the new content, clipped to it."""
        at = max(0, bisect_right(self.stretches, a, key=lambda s: s.new) - 1)
        found = []
        while at < len(self.stretches) and self.stretches[at].new < b:
            s = self.stretches[at]
            low, high = max(a, s.new), min(b, s.new + s.length)
            if low < high:
                found.append(Stretch(s.old + low - s.new, low, high - low))
            at += 1
        return found


@lru_cache(maxsize=2)
def compare(old_text: str, new_text: str) -> Comparison:
    """Return what two texts have in common. Texts of 2 million characters take about a second."""
    return compare_folded(old_text, new_text, fold(old_text), fold(new_text))


def compare_folded(old_text: str, new_text: str, old: Folded, new: Folded, *, by_lines: bool = True) -> Comparison:
    """Return what two texts have in common, whose content is known; short ones are better compared without lines."""
    if old.text == new.text:
        whole = (Stretch(0, 0, len(old.text)),) if old.text else ()
        return Comparison(old_text, new_text, old, new, whole)
    lines = (content_lines(old_text, old), content_lines(new_text, new)) if by_lines else ([], [])
    common = _common(old.text, new.text, *lines, level=0 if by_lines else 1)
    return Comparison(old_text, new_text, old, new, tuple(_joined(common)))


# --- comparing ------------------------------------------------------------------------------------------------------

_Span = tuple[int, int]


def content_lines(text: str, folded: Folded) -> list[_Span]:
    """Return the content intervals of the lines of a text, but for the shortest ones."""
    breaks = [0, *(m.end() for m in re.finditer("\n", text)), len(text)]
    bounds = np.searchsorted(folded.offsets[:-1], np.array(breaks)).tolist()
    return [(a, b) for a, b in pairwise(bounds) if b - a >= _SHORTEST_LINE]


def _common(old: str, new: str, old_lines: list[_Span], new_lines: list[_Span], *, level: int) -> list[Stretch]:
    """Pair two contents; a region is paired by lines (level 0), and by pieces where it has no line in common."""
    found: list[Stretch] = []
    regions = [
        (0, len(old), 0, len(new), level)
    ]  # old interval, new interval, how it is paired: 0 lines, n pieces[n - 1]
    while regions:
        a, b, c, d, level = regions.pop()
        last = level > len(_PIECES) or (level == len(_PIECES) and max(b - a, d - c) > _SMALL)
        # a few equal letters at an end are chance as long as something unique may still be found
        least = 1 if last else _SHORTEST_LINE
        head = same_ahead(old, new, a, c, min(b - a, d - c))
        head *= head >= least
        found.append(Stretch(a, c, head))
        a, c = a + head, c + head
        tail = same_behind(old, new, b, d, min(b - a, d - c))
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
        back = same_behind(old, new, pair.old, pair.new, min(pair.old - a, pair.new - c))
        end, new_end = pair.old + pair.length, pair.new + pair.length
        room = min(max(following.old, end) - end, max(following.new, new_end) - new_end)
        ahead = same_ahead(old, new, end, new_end, room)
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


def same_ahead(old: str, new: str, a: int, c: int, most: int) -> int:
    """Return how many characters from `a` and `c` on are equal, at most `most`."""
    return _longest(lambda low, high: old[a + low : a + high] == new[c + low : c + high], most)


def same_behind(old: str, new: str, b: int, d: int, most: int) -> int:
    """Return how many characters before `b` and `d` are equal, at most `most`."""
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
