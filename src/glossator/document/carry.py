"""A passage carried through a comparison of two texts: where its words are in the other one.

A passage is where its common content is, if enough of it is left and it still stands beside something that stood beside
it before. The same words alone are no proof: they may be another occurrence.
"""

import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from difflib import SequenceMatcher

from glossator.document.compare import Comparison, Stretch, compare_folded, same_ahead, same_behind
from glossator.document.fold import Folded, fold, is_unspaced

ALIKE = 0.6  # share of its content that an edited passage keeps to count as the same
BESIDE = 48  # characters of content on each side that count as beside a passage
AGREES = 0.5  # share of them that is common where the surroundings are the same
_SURE = 40  # characters of content of a passage that is known by its words alone, where order holds
_ROOM, _TIMES = 600, 3  # characters of content that a passage may have grown by, and how often its own length
_CHANCE = 3  # equal characters in a row that say nothing yet; in scripts without spaces, one less
_LONG = 600  # characters of content from which likeness is measured by pieces
_MARKS = 4  # characters that punctuation may grow by
_TYPOGRAPHY = {ord(c): '"' for c in "“”„‟«»‹›‘’‚‛'「」『』"} | {ord(c): "-" for c in "–—―‐‑−─"} | {ord("。"): "."}


@dataclass(frozen=True, slots=True)
class Carried:
    """A passage in the new text: `[start, end)` of it, and its content `[first, last)`."""

    start: int
    end: int
    first: int
    last: int


def carry(compared: Comparison, start: int, end: int) -> Carried | None:
    """Return where `[start, end)` of the old text is in the new one; None where that is not sure.

    None also where it is ambiguous: one of two equal passages side by side is gone or new, and nothing tells which.
    """
    i, j = content_of(compared.old, start, end)
    if i >= j:
        return _between_neighbours(compared, start, end, i)
    pieces = _near_together(compared.pieces(i, j), j - i)
    if not pieces or sum(p.length for p in pieces) < (j - i) * AGREES or _slides(compared, pieces, i, j):
        return None
    a, b = _with_edited_ends(compared, pieces, i, j)
    kept = sum(p.length for p in pieces) / (j - i)
    if not (kept > 0.9 and j - i >= _SURE) and not _supported(compared, (i, j), (a, b)):
        return None
    return Carried(*_in_text(compared, start, end, (i, j), (a, b)), a, b)


def likeness(quote: str, words: str) -> tuple[float, float]:
    """Return how much of a quote's content some words keep in order (0 to 1), and how alike both are (0 to 1)."""
    old, new = fold(quote), fold(words)
    if old.text == new.text:
        return 1.0, 1.0
    if not old.text or not new.text:
        return 0.0, 0.0
    if max(len(old.text), len(new.text)) > _LONG:
        kept = sum(s.length for s in compare_folded(quote, words, old, new).stretches)
    else:
        least = _CHANCE - (is_unspaced(old.text[0]) or is_unspaced(old.text[-1]))
        blocks = SequenceMatcher(None, old.text, new.text, autojunk=False).get_matching_blocks()
        kept = sum(b.size for b in blocks if b.size >= min(least, len(old.text)))
    return kept / len(old.text), 2 * kept / (len(old.text) + len(new.text))


def content_of(folded: Folded, start: int, end: int) -> tuple[int, int]:
    """Return the content interval of `[start, end)` of a text."""
    last = len(folded.text)
    return bisect_left(folded.offsets, start, hi=last), bisect_left(folded.offsets, end, hi=last)


def share_of_old(compared: Comparison, a: int, b: int) -> float:
    """Return the share of `[a, b)` of the old content that is common; 0 where it is empty."""
    a = max(a, 0)
    return sum(p.length for p in compared.pieces(a, b)) / (b - a) if a < b else 0.0


# --- parts of it ----------------------------------------------------------------------------------------------------


def _near_together(pieces: list[Stretch], length: int) -> list[Stretch]:
    """The pieces without those that stand too far off to be the same passage: the smaller side of the widest gap."""
    while len(pieces) > 1 and pieces[-1].new + pieces[-1].length - pieces[0].new > _TIMES * length + _ROOM:
        gaps = [pieces[n].new - pieces[n - 1].new - pieces[n - 1].length for n in range(1, len(pieces))]
        cut = gaps.index(max(gaps)) + 1
        left, right = pieces[:cut], pieces[cut:]
        pieces = left if sum(p.length for p in left) >= sum(p.length for p in right) else right
    return pieces


def _with_edited_ends(compared: Comparison, pieces: list[Stretch], i: int, j: int) -> tuple[int, int]:
    """The new content of the pieces, with what stands in place of an end of the passage that was edited."""
    first, last = pieces[0], pieces[-1]
    a, b = first.new, last.new + last.length
    head, tail = first.old - i, j - last.old - last.length
    before = compared.mapped(i - 1) if i else -1
    if head and before is not None and 0 < a - before - 1 <= 2 * head + 8:
        a = before + 1
    after = compared.mapped(j) if j < len(compared.old.text) else len(compared.new.text)
    if tail and after is not None and 0 < after - b <= 2 * tail + 8:
        b = after
    return a, b


def _supported(compared: Comparison, old: tuple[int, int], new: tuple[int, int]) -> bool:
    """Whether something beside the passage was beside it before, or what is beside it now stood farther off."""
    (i, j), (a, b) = old, new
    sides = (
        share_of_old(compared, i - BESIDE, i),
        share_of_old(compared, j, min(j + BESIDE, len(compared.old.text))),
        _share_of_new(compared, a - BESIDE, a),
        _share_of_new(compared, b, min(b + BESIDE, len(compared.new.text))),
    )
    alone = i == 0 and j == len(compared.old.text)
    return alone or max(sides) >= AGREES


def _share_of_new(compared: Comparison, a: int, b: int) -> float:
    a = max(a, 0)
    return sum(p.length for p in compared.origins(a, b)) / (b - a) if a < b else 0.0


def _slides(compared: Comparison, pieces: list[Stretch], i: int, j: int) -> bool:
    """Whether a gap beside the passage could as well be on its other side: then it may be its twin that is here."""
    if len(pieces) > 1:
        return False
    at = compared.stretch_before(i)
    assert at is not None
    index = bisect_left(compared.stretches, at.old, key=lambda s: s.old)
    behind = compared.stretches[index + 1] if index + 1 < len(compared.stretches) else None
    before = compared.stretches[index - 1] if index else None
    if behind and i >= at.old + at.length - _slide(compared, at, behind, back=True):
        return True
    return before is not None and j <= at.old + _slide(compared, before, at, back=False)


def _slide(compared: Comparison, one: Stretch, other: Stretch, *, back: bool) -> int:
    """How far the gap between two stretches can move, where it is in one text only."""
    ends, starts = (one.old + one.length, one.new + one.length), (other.old, other.new)
    if (ends[0] == starts[0]) == (ends[1] == starts[1]):
        return 0
    text, side = (compared.old.text, 0) if ends[1] == starts[1] else (compared.new.text, 1)
    if back:
        return same_behind(text, text, ends[side], starts[side], one.length)
    return same_ahead(text, text, ends[side], starts[side], other.length)


def _between_neighbours(compared: Comparison, start: int, end: int, i: int) -> Carried | None:
    """The place of a passage without content (a dash, say) between its neighbours, if it stands there once."""
    before = compared.mapped(i - 1) if i else -1
    after = compared.mapped(i) if i < len(compared.old.text) else len(compared.new.text)
    words = compared.old_text[start:end]
    if before is None or after is None or after != before + 1 or not words:
        return None
    low, high = compared.new.source_end(before + 1), compared.new.source_start(after)
    if compared.new_text.count(words, low, high) != 1:
        return None
    at = compared.new_text.index(words, low, high)
    return Carried(at, at + len(words), after, after)


def _in_text(compared: Comparison, start: int, end: int, old: tuple[int, int], new: tuple[int, int]) -> tuple[int, int]:
    """The new place in characters of the text, with the punctuation at its ends where that is the same."""
    low, high = compared.new.source_start(new[0]), compared.new.source_end(new[1])
    lead = compared.old_text[start : compared.old.source_start(old[0])]
    tail = compared.old_text[compared.old.source_end(old[1]) : end]
    ahead = compared.new_text[max(0, low - len(lead) - _MARKS) : low][::-1]
    return low - _same_marks(lead[::-1], ahead), high + _same_marks(tail, compared.new_text[high : high + 2 * _MARKS])


def _same_marks(marks: str, text: str) -> int:
    """How much of the beginning of `text` says what punctuation said, in whatever typography."""
    if text.startswith(marks):
        return len(marks)
    for many in range(len(marks), 0, -1):
        wanted = _plain(marks[:many])
        for length in range(1, min(len(text), many + _MARKS) + 1) if wanted else ():
            if _plain(text[:length]) == wanted:
                return length
    return 0


def _plain(marks: str) -> str:
    return "".join(unicodedata.normalize("NFKC", marks).translate(_TYPOGRAPHY).split())
