"""Contents to sections: entries with a start become intervals with a path."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from glossator.document.model import Section


@dataclass(frozen=True, slots=True)
class Point:
    """An entry of the contents: its title, its level in the contents, and where it begins in the canonical text."""

    title: str
    level: int
    start: int


def sections_of(points: Iterable[Point], length: int) -> tuple[Section, ...]:
    """Return sections in reading order for entries in the order of the contents, over a text of `length` characters.

    A section's path follows the contents, its level is its depth there, however many levels the contents skip. Where
    contents and text differ in order, the text decides.
    """
    placed = sorted(_with_paths(points), key=lambda p: p[1])
    ends = _ends([(len(path), start) for path, start in placed], length)
    return tuple(
        Section(number=n, level=len(path), title=path[-1], path=path, start=start, end=end)
        for n, ((path, start), end) in enumerate(zip(placed, ends, strict=True), 1)
    )


def _with_paths(points: Iterable[Point]) -> list[tuple[tuple[str, ...], int]]:
    found: list[tuple[tuple[str, ...], int]] = []
    above: list[Point] = []
    for point in points:
        while above and above[-1].level >= point.level:
            above.pop()
        above.append(point)
        found.append((tuple(p.title for p in above), point.start))
    return found


def _ends(entries: Sequence[tuple[int, int]], length: int) -> list[int]:
    """Return for each (level, start) where the next entry of its level or above begins."""
    ends = [length] * len(entries)
    begins: dict[int, int] = {}  # level -> start of the nearest later entry of that level
    for i in range(len(entries) - 1, -1, -1):
        level, start = entries[i]
        ends[i] = min((begins[a] for a in begins if a <= level), default=length)
        begins[level] = start
    return ends
