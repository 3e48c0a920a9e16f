"""What another program's count of places (Kindle's locations, pages) says of places in a text here.

The two grow together: passages whose places are certain say how. Of several places for the same words, one is taken if
it alone lies between the certain neighbours, or if it alone is as near to where the count points as the certain places
are themselves. Where the certain places do not grow together, the count means nothing and nothing is taken.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from glossator.library.exchange.placing import Spot

FEWEST = 3  # certain places from which their order counts
MEASURED = 8  # certain places from which it counts how far they lie from where the count points
IN_ORDER = 0.95  # share of the certain places that must ascend
FARTHER = 3  # times farther than the certain places ever are, the other candidates must be


@dataclass(frozen=True, slots=True)
class Order:
    """Certain places in ascending order, and how far the worst of them lies from where its neighbours point."""

    counts: tuple[int, ...]
    starts: tuple[int, ...]
    error: float | None

    def choose(self, count: int, found: Sequence[Spot]) -> list[Spot]:
        """Return the one place of `found` that fits a count; all of them when that is not certain."""
        at, behind = bisect_left(self.counts, count), bisect_right(self.counts, count)
        low = self.starts[at - 1] if at else 0
        high = self.starts[behind] if behind < len(self.starts) else None
        between = [s for s in found if s.start >= low and (high is None or s.start <= high)]
        if len(between) == 1:
            return between
        pointed = self.point(count)
        if pointed is None or self.error is None:
            return list(found)
        near = [s for s in between if abs(s.start - pointed) <= self.error]
        far = [s for s in between if abs(s.start - pointed) > FARTHER * self.error]
        return near if len(near) == 1 and len(far) == len(between) - 1 else list(found)

    def point(self, count: int) -> float | None:
        """Return where a count points, between its neighbours; None outside them."""
        at = bisect_left(self.counts, count)
        if at < len(self.counts) and self.counts[at] == count:
            return float(self.starts[at])
        if not 0 < at < len(self.counts):
            return None
        return _between(self.counts, self.starts, at - 1, at, count)


def order_of(certain: Sequence[tuple[int | None, int]]) -> Order | None:
    """Return what the certain places (count, position) say, or None when they do not grow together."""
    pairs = sorted((c, s) for c, s in certain if c is not None)
    ascending = _ascending(pairs)
    distinct = len({c for c, _ in ascending})
    if distinct < max(FEWEST, len(pairs) / 2) or len(ascending) < IN_ORDER * len(pairs):
        return None
    counts, starts = tuple(c for c, _ in ascending), tuple(s for _, s in ascending)
    return Order(counts, starts, _error(counts, starts))


def _error(counts: Sequence[int], starts: Sequence[int]) -> float | None:
    """How far a certain place lies at most from where the two beside it point."""
    if len(counts) < MEASURED:
        return None
    return max(abs(_between(counts, starts, i - 1, i + 1, counts[i]) - starts[i]) for i in range(1, len(counts) - 1))


def _between(counts: Sequence[int], starts: Sequence[int], low: int, high: int, count: int) -> float:
    width = counts[high] - counts[low]
    share = (count - counts[low]) / width if width else 0.5
    return starts[low] + share * (starts[high] - starts[low])


def _ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose positions ascend (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for n, (_, start) in enumerate(pairs):
        at = bisect_right(tops, start)
        before.append(ends[at - 1] if at else -1)
        tops[at : at + 1], ends[at : at + 1] = [start], [n]
    run: list[tuple[int, int]] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        run.append(pairs[n])
        n = before[n]
    return run[::-1]
