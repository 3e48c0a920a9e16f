"""Passages found again in another text by their words, surroundings and order, where the text they were in is gone.

Each passage with its surroundings is a window. Short pieces of its content vote for the regions of the new text where
they stand; in each likely region the window is compared with it (see `compare`), and the passage is where its words
come out, if enough of the surroundings do, too. Of several such places the one whose surroundings agree best is taken;
equal ones are told apart by the passages before and behind, else the passage is lost.

Known limit: of a passage that is gone, a copy in the same surroundings (half of them or more) counts as the passage.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from glossator.document.carry import AGREES, BESIDE, carry, content_of, likeness, share_of_old
from glossator.document.compare import Comparison, Stretch, compare_folded
from glossator.document.fold import Folded, fold
from glossator.document.locator import LOST, Resolution

SURROUNDINGS = 256  # characters on each side that are kept with a passage
_PIECE = 12  # characters of content that vote together
_COMMON = 64  # places of a piece from which it says nothing
_BUCKET = 64  # characters of content within which votes are for the same region
_REGIONS = 6  # likely regions of a window that are looked at
_MARGIN = 400  # characters of content around a likely region: a note or a running head may stand inside it
_SMALL = 4_000  # characters of content of a text that is looked at whole
_ENOUGH = 0.4  # share of all the surroundings that must be there
_MOVED = 0.5  # the share where the old text is known, and a place in it is not: all of one side will do, too
_ONE_SIDE = 0.9
_ALL = 0.8  # share of them from which nothing has changed
_CLEARLY = 0.15  # by how much the best place must be better than the next
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Words with their surroundings.

    `at` is where they stood among others of the same text, None if unknown; `content` is their content interval in the
    old text, where that is known.
    """

    quote: str
    before: str = ""
    after: str = ""
    at: int | None = None
    content: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a passage may be: the region's part of the text, and how much of its surroundings is there."""

    start: int
    end: int
    agrees: float


class Seeds:
    """Where short pieces of content stand in a text."""

    def __init__(self, content: str) -> None:
        hashes = _hashes(content)
        self._order = np.argsort(hashes, kind="stable")
        self._sorted = hashes[self._order]

    def votes(self, window: str) -> list[int]:
        """Return where in the text a window of content would begin, the likeliest first."""
        wanted = _hashes(window)
        low = np.searchsorted(self._sorted, wanted, side="left")
        high = np.searchsorted(self._sorted, wanted, side="right")
        told = np.flatnonzero((high > low) & (high - low <= _COMMON))
        counted: Counter[int] = Counter()
        for k in told.tolist():
            counted.update(((self._order[low[k] : high[k]] - k) // _BUCKET).tolist())
        joined = {b: n + max(counted.get(b - 1, 0), counted.get(b + 1, 0)) for b, n in counted.items()}
        best = sorted(joined, key=lambda b: (-joined[b], b))
        return [b * _BUCKET for b in best if joined[b] * 10 >= joined[best[0]]]


def find_passages(
    passages: Sequence[Passage], text: str, *, taken: Sequence[Stretch] | None = None
) -> list[Resolution]:
    """Return where each passage is in a text: `exact` in unchanged words and surroundings, else `moved`, or `lost`.

    Args:
        passages: What is looked for; those with `at` are told apart by their order, too.
        text: Where it is looked for.
        taken: What the text has in common with the one that the passages were in, where that is known, in order: what
            came from elsewhere is something else, and what is left to find has changed places.
    """
    folded = fold(text)
    seeds = Seeds(folded.text)
    places = [_places(p, text, folded, seeds, taken) for p in passages]
    chosen = [_clearly_best(found) for found in places]
    for n in _out_of_order(passages, chosen):
        chosen[n] = None
        places[n] = []
    known = sorted((p.at, c.start, c.end) for p, c in zip(passages, chosen, strict=True) if c and p.at is not None)
    for n, (passage, found) in enumerate(zip(passages, places, strict=True)):
        if chosen[n] is None and len(found) > 1 and passage.at is not None:
            chosen[n] = _between(found, passage.at, known)
    return [_resolution(p, c, text) for p, c in zip(passages, chosen, strict=True)]


def resolution_of(quote: str, text: str, start: int, end: int, *, in_place: bool) -> Resolution:
    """Return how a place holds a quote: `exact` if it says the same and is in place, `lost` if it says too little."""
    words = text[start:end]
    if in_place and words == quote:
        return Resolution("exact", start, end, 1.0)
    if not fold(quote).text:
        return Resolution("exact" if in_place else "moved", start, end, 1.0) if words == quote else LOST
    same, alike = likeness(quote, words)
    if not same:
        return Resolution("lost", None, None, round(alike, 3))
    return Resolution("exact" if in_place and alike == 1.0 else "moved", start, end, round(alike, 3))


# --- places of one passage ------------------------------------------------------------------------------------------


def _places(passage: Passage, text: str, folded: Folded, seeds: Seeds, taken: Sequence[Stretch] | None) -> list[_Place]:
    """The places that may be a passage, those with the most of its surroundings first."""
    window = passage.before + passage.quote + passage.after
    inside = fold(window)
    length = len(folded.text)
    starts = seeds.votes(inside.text)[:_REGIONS]
    regions = [(max(0, s - _MARGIN), min(length, s + len(inside.text) + _BUCKET + _MARGIN)) for s in starts]
    if not regions and length <= _SMALL:
        regions = [(0, length)]
    found: dict[int, _Place] = {}
    for a, b in regions:
        place, content = _place_in(passage, (window, inside), (text, folded, a, b), moved=taken is not None)
        if (
            place
            and not _is_taken(content, taken or (), passage.content)
            and place.agrees > found.get(place.start, _NOWHERE).agrees
        ):
            found[place.start] = place
    return sorted(found.values(), key=lambda p: -p.agrees)


_NOWHERE = _Place(0, 0, -1.0)


def _place_in(
    passage: Passage, window: tuple[str, Folded], region: tuple[str, Folded, int, int], *, moved: bool
) -> tuple[_Place | None, tuple[int, int]]:
    """The place of a passage in a region, and its content interval in the whole text."""
    text, folded, a, b = region
    origin = folded.source_start(a)
    part = text[origin : folded.source_start(b)]
    compared = compare_folded(window[0], part, window[1], fold(part), by_lines=False)
    start = len(passage.before)
    end = start + len(passage.quote)
    carried = carry(compared, start, end)
    if carried is None:
        return None, (0, 0)
    content = a + carried.first, a + carried.last
    agrees = _agreement(compared, start, end, moved=moved)
    if agrees is None:
        return None, content
    same, _ = likeness(passage.quote, part[carried.start : carried.end])
    if not same:
        return None, content
    return _Place(origin + carried.start, origin + carried.end, agrees), content


def _agreement(compared: Comparison, start: int, end: int, *, moved: bool) -> float | None:
    """The share of a window's surroundings that is common; None when that is too little to be the same place."""
    i, j = content_of(compared.old, start, end)
    last = len(compared.old.text)
    if i == 0 and j == last:
        return 1.0
    before = max(share_of_old(compared, i - BESIDE, i), share_of_old(compared, 0, i))
    after = max(share_of_old(compared, j, min(j + BESIDE, last)), share_of_old(compared, j, last))
    total = (share_of_old(compared, 0, i) * i + share_of_old(compared, j, last) * (last - j)) / (i + last - j)
    if moved:
        sides = share_of_old(compared, 0, i), share_of_old(compared, j, last)
        return total if total >= _MOVED or max(sides) >= _ONE_SIDE else None
    return total if max(before, after) >= AGREES and total >= _ENOUGH else None


def _is_taken(content: tuple[int, int], taken: Sequence[Stretch], own: tuple[int, int] | None) -> bool:
    """Whether most of some new content came from another place than the passage's own."""
    a, b = content
    at = max(0, bisect_right(taken, a, key=lambda s: s.new) - 1)
    covered = 0
    while at < len(taken) and taken[at].new < b:
        s = taken[at]
        if own is None or s.old >= own[1] or s.old + s.length <= own[0]:
            covered += max(0, min(b, s.new + s.length) - max(a, s.new))
        at += 1
    return covered > AGREES * (b - a)


# --- choosing -------------------------------------------------------------------------------------------------------


def _clearly_best(found: Sequence[_Place]) -> _Place | None:
    if len(found) == 1 or (found and found[0].agrees - found[1].agrees >= _CLEARLY):
        return found[0]
    return None


def _out_of_order(passages: Sequence[Passage], chosen: Sequence[_Place | None]) -> list[int]:
    """The passages that left the order of the others without all of their surroundings: they may be copies."""
    known = [
        (p.at, c.start, n) for n, (p, c) in enumerate(zip(passages, chosen, strict=True)) if c and p.at is not None
    ]
    known.sort()
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for k, (_, start, _) in enumerate(known):
        at = bisect_right(tops, start)
        before.append(ends[at - 1] if at else -1)
        tops[at : at + 1], ends[at : at + 1] = [start], [k]
    in_order = set()
    k = ends[-1] if ends else -1
    while k >= 0:
        in_order.add(k)
        k = before[k]
    away = (n for k, (_, _, n) in enumerate(known) if k not in in_order)
    return [n for n in away if (place := chosen[n]) is not None and place.agrees < _ALL]


def _between(found: Sequence[_Place], at: int, known: Sequence[tuple[int, int, int]]) -> _Place | None:
    """The only one of equal places that is between the passages known before and behind."""
    n = bisect_left(known, (at, -1, -1))
    low = known[n - 1][1] if n else None
    high = known[n][2] if n < len(known) else None
    if low is None or high is None:
        return None
    inside = [p for p in found if low <= p.start and p.end <= high and found[0].agrees - p.agrees < _CLEARLY]
    return replace(inside[0], agrees=AGREES) if len(inside) == 1 else None


def _resolution(passage: Passage, place: _Place | None, text: str) -> Resolution:
    if place is None:
        return LOST
    return resolution_of(passage.quote, text, place.start, place.end, in_place=place.agrees >= _ALL)


def _hashes(content: str) -> _Hashes:
    points = np.frombuffer(content.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    windows = len(points) - _PIECE + 1
    if windows <= 0:
        return np.zeros(0, dtype=np.uint64)
    hashes = np.zeros(windows, dtype=np.uint64)
    for k in range(_PIECE):
        hashes = hashes * _MULTIPLIER + points[k : k + windows]
    return hashes
