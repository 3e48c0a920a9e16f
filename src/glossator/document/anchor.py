"""Stored positions after the canonical text changed: a better parser, or a new version of the file.

Positions in common content (see `compare`) map exactly, others to the end of the common content before them. Passages
are carried over by the same comparison; one that changed places is found again by its words and surroundings, never
where the comparison found something else.

Known limit: a passage that changed places is not common; `reanchor` finds it again by its words, `map_position` does
not.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from glossator.document.carry import carry, content_of
from glossator.document.compare import Comparison, Stretch, compare, content_lines
from glossator.document.fold import fold
from glossator.document.locator import LOST, Resolution
from glossator.document.passage import SURROUNDINGS, Passage, find_passages, resolution_of

__all__ = [
    "Comparison",
    "Span",
    "Stretch",
    "common_content",
    "compare",
    "map_position",
    "reanchor",
    "reanchor_span",
    "surviving_share",
]

_LONG = 64  # characters of common content that are no chance


@dataclass(frozen=True, slots=True)
class Span:
    """A passage of the old text: `[start, end)` of it, and the words that were marked there, if not the same."""

    start: int
    end: int
    quote: str | None = None


def map_position(position: int, old_text: str, new_text: str) -> int:
    """Return where a position of the old text is in the new one; the nearest earlier common place when it is lost.

    What precedes the result was before the position already: new content just before it stays behind it, so that a
    bound never opens onto something unread.
    """
    compared = compare(old_text, new_text)
    i = bisect_left(compared.old.offsets, position, hi=len(compared.old.text))
    last = compared.stretch_before(i - 1)
    j = 0 if last is None else last.new + min(i - last.old, last.length)
    if compared.mapped(i) == j:
        return _before(compared, i, j, position)
    return 0 if last is None else _after(compared, last, j, position)


def reanchor_span(start: int, end: int, old_text: str, new_text: str) -> Resolution:
    """Return where `[start, end)` of the old text is in the new one.

    `exact`: it lies in common content, in the same order. `moved`: its words were edited in place, or stand elsewhere
    in the same surroundings. `lost`: neither, or two places are equally likely.
    """
    return reanchor([Span(start, end)], old_text, new_text)[0]


def reanchor(spans: Sequence[Span], old_text: str, new_text: str) -> list[Resolution]:
    """Return where passages of the old text are in the new one, as `reanchor_span` does, comparing once."""
    compared = compare(old_text, new_text)
    found: list[Resolution] = []
    away: list[int] = []
    for n, span in enumerate(spans):
        carried = carry(compared, span.start, span.end)
        quote = old_text[span.start : span.end] if span.quote is None else span.quote
        place = carried and resolution_of(quote, new_text, carried.start, carried.end, in_place=True)
        found.append(place or LOST)
        if carried is None or not carried.sure or found[n].state == "lost":
            away.append(n)
    if away:
        passages = [_passage(spans[n], compared) for n in away]
        taken = common_content(old_text, new_text)
        for n, place in zip(away, find_passages(passages, new_text, taken=taken), strict=True):
            if place.state != "lost":
                found[n] = replace(place, state="moved")
    return found


def common_content(old_text: str, new_text: str) -> list[Stretch]:
    """Return the content that two texts have in common, in order, but for short stretches.

    Short ones may be chance, where blocks have changed places.
    """
    return [s for s in compare(old_text, new_text).stretches if s.length >= _LONG]


def _passage(span: Span, compared: Comparison) -> Passage:
    text = compared.old_text
    return Passage(
        quote=text[span.start : span.end] if span.quote is None else span.quote,
        before=text[max(0, span.start - SURROUNDINGS) : span.start],
        after=text[span.end : span.end + SURROUNDINGS],
        content=content_of(compared.old, span.start, span.end),
    )


def surviving_share(old_text: str, new_text: str) -> float:
    """Return the share (0 to 1) of the old text's content that the new text still has, moved lines included."""
    compared = compare(old_text, new_text)
    total = len(compared.old.text)
    if not total:
        return 1.0
    common = sum(s.length for s in compared.stretches)
    elsewhere = {compared.new.text[a:b] for a, b in content_lines(compared.new_text, compared.new)}
    kept = [(s.old, s.old + s.length) for s in compared.stretches]
    starts = [a for a, _ in kept]
    for a, b in content_lines(compared.old_text, compared.old):
        at = bisect_right(starts, a) - 1
        is_common = at >= 0 and b <= kept[at][1]
        if not is_common and compared.old.text[a:b] in elsewhere:
            common += b - a - _overlap(kept, a, b)
    return min(1.0, common / total)


# --- mapping ---


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


def _overlap(kept: Sequence[tuple[int, int]], a: int, b: int) -> int:
    at = max(0, bisect_right(kept, (a, a)) - 1)
    total = 0
    while at < len(kept) and kept[at][0] < b:
        total += max(0, min(b, kept[at][1]) - max(a, kept[at][0]))
        at += 1
    return total
