"""The passages most like a quotation that is not there."""

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

from glossator.document.fold import Folded, is_unspaced

_SHINGLE = 12  # folded characters; Chinese and other unspaced scripts take a third
_COMMON = 50  # a shingle that occurs more often says nothing
_LONGEST = 600  # folded characters of a quotation that are compared; a longer one is judged by its beginning
LEAST = 0.5


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A passage `[start, end)` like the quotation; `score` from 0 to 1, the share of content in common."""

    start: int
    end: int
    score: float


def near_windows(source: Folded, text: str, quote: Folded, *, limit: int) -> list[NearMiss]:
    """Return up to `limit` passages of a text like a quotation, best first, none below `LEAST`."""
    wanted = quote.text[:_LONGEST]
    length = len(wanted)
    if not length:
        return []
    votes = _votes(source.text, wanted)
    found: list[NearMiss] = []
    for diagonal, _ in votes.most_common(8 * limit):
        start = max(0, diagonal)
        window = source.text[start : start + length]
        score = SequenceMatcher(None, window, wanted, autojunk=False).ratio()
        if score < LEAST or not window:
            continue
        a, b = _whole_words(text, source.source_start(start), source.source_end(start + len(window)))
        if all(b <= m.start or m.end <= a for m in found):
            found.append(NearMiss(a, b, round(score, 3)))
    return sorted(found, key=lambda m: -m.score)[:limit]


def _votes(source: str, quote: str) -> Counter[int]:
    """Count, for every place where the quotation could begin, the shingles that say so (to the nearest eighth)."""
    size = _SHINGLE // 3 if sum(map(is_unspaced, quote)) * 2 > len(quote) else _SHINGLE
    size = min(size, len(quote))
    grain = max(1, len(quote) // 8)
    votes: Counter[int] = Counter()
    for k in range(0, len(quote) - size + 1, max(1, size // 3)):
        at = source.find(quote[k : k + size])
        places: list[int] = []
        while at >= 0 and len(places) <= _COMMON:
            places.append(at)
            at = source.find(quote[k : k + size], at + 1)
        if len(places) <= _COMMON:
            votes.update({(p - k) // grain * grain for p in places})
    return votes


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    def inside(a: int) -> bool:
        return 0 < a < len(text) and text[a - 1].isalnum() and text[a].isalnum() and not is_unspaced(text[a])

    while inside(start):
        start -= 1
    while inside(end):
        end += 1
    return start, end
