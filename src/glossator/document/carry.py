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
_AROUND = 200  # those that count as around it
AGREES = 0.5  # share of them that is common where the surroundings are the same
_ROOM, _TIMES = 600, 3  # characters of content that a passage may have grown by, and how often its own length
_GAP = 4_000  # characters of new content between common content, in which words are looked for
_CHANCE = 3  # equal characters in a row that say nothing yet; in scripts without spaces, one less
_LONG = 600  # characters of content from which likeness is measured by pieces
_MARKS = 4  # characters that punctuation may grow by
_TYPOGRAPHY = {ord(c): '"' for c in "“”„‟«»‹›‘’‚‛'「」『』"} | {ord(c): "-" for c in "–—―‐‑−─"} | {ord("。"): "."}


@dataclass(frozen=True, slots=True)
class Carried:
    """A passage in the new text: `[start, end)` of it, and its content `[first, last)`.

    `sure` tells that it has the same beside it as before; else it may be a copy, and the passage have changed places.
    """

    start: int
    end: int
    first: int
    last: int
    sure: bool = True


def carry(compared: Comparison, start: int, end: int) -> Carried | None:
    """Return where `[start, end)` of the old text is in the new one; None where that is not sure.

    None also where it is ambiguous: one of two equal passages side by side is gone or new, and nothing tells which.
    """
    i, j = content_of(compared.old, start, end)
    if i >= j:
        return _between_neighbours(compared, start, end, i)
    pieces = compared.pieces(i, j)
    if sum(p.length for p in pieces) < j - i:
        pieces = _closer(compared, pieces, i, j)
    if len(pieces) != 1 or pieces[0].length < j - i:
        pieces = _near_together(_healed(compared, pieces, i, j), j - i)
    kept = sum(p.length for p in pieces)
    if kept < (j - i) * AGREES:
        return _alone_in_gap(compared, start, end, (i, j))
    if _slides(compared, pieces):
        return None
    a, b = _with_edited_ends(compared, pieces, i, j)
    sure = _beside(compared, (i, j), (a, b))
    if not sure and not _likely(compared, (i, j), (a, b)):
        return None
    return Carried(*_in_text(compared, start, end, (i, j), (a, b)), a, b, sure)


def likeness(quote: str, words: str) -> tuple[bool, float]:
    """Return whether some words still say what a quote says, edited, and how alike both are (0 to 1)."""
    old, new = fold(quote), fold(words)
    if old.text == new.text:
        return True, 1.0
    if not old.text or not new.text:
        return False, 0.0
    if max(len(old.text), len(new.text)) > _LONG:
        sizes = [s.length for s in compare_folded(quote, words, old, new, by_lines=False).stretches]
    else:
        blocks = SequenceMatcher(None, old.text, new.text, autojunk=False).get_matching_blocks()
        sizes = [b.size for b in blocks]
    least = _CHANCE - (is_unspaced(old.text[0]) or is_unspaced(old.text[-1]))
    length = len(old.text)
    most = min(length, len(new.text))
    head = same_ahead(old.text, new.text, 0, 0, most)
    ends = head + same_behind(old.text, new.text, length, len(new.text), most - head)
    kept = max(ends, sum(n for n in sizes if n >= min(least, length)))
    alike = 2 * kept / (length + len(new.text))
    whole = sum(sorted(sizes)[-2:]) >= 0.9 * length  # something was put in between
    return kept >= ALIKE * length and (alike >= AGREES or whole), alike


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


def _closer(compared: Comparison, pieces: list[Stretch], i: int, j: int) -> list[Stretch]:
    """The pieces of a passage that is not whole, by a closer look at what stands between its neighbours."""
    if not pieces or j - i > _LONG:
        return pieces
    a, b = _end_before(compared, i), _start_behind(compared, j)
    if not 0 < b - a <= _TIMES * (j - i) + _ROOM:
        return pieces
    matcher = SequenceMatcher(None, compared.old.text[i:j], compared.new.text[a:b], autojunk=False)
    found = [Stretch(i + m.a, a + m.b, m.size) for m in matcher.get_matching_blocks() if m.size]
    return found if sum(p.length for p in found) > sum(p.length for p in pieces) else pieces


def _healed(compared: Comparison, pieces: list[Stretch], i: int, j: int) -> list[Stretch]:
    """The pieces, an end of the passage joined to the rest where what stands there is the same.

    So where new text was put in or taken out beside the passage that begins or ends alike. A few letters that cannot be
    joined and stand far off are chance, and left out.
    """
    old, new = compared.old.text, compared.new.text
    most = max(pieces, key=lambda p: p.length, default=Stretch(i, 0, 0))
    if most.length > (j - i) // 2:
        head, tail, end = most.old - i, j - most.old - most.length, most.new + most.length
        before = [p for p in pieces if p.old < most.old]
        behind = [p for p in pieces if p.old > most.old]
        if head and old[i : most.old] == new[max(0, most.new - head) : most.new]:
            before, most = [], Stretch(i, most.new - head, head + most.length)
        if tail and old[j - tail : j] == new[end : end + tail]:
            behind, most = [], Stretch(most.old, most.new, most.length + tail)
        pieces = [*before, most, *behind]
    if len(pieces) > 1 and pieces[0].length <= _CHANCE and _gap(pieces[0], pieces[1]) > BESIDE:
        pieces = pieces[1:]
    if len(pieces) > 1 and pieces[-1].length <= _CHANCE and _gap(pieces[-2], pieces[-1]) > BESIDE:
        pieces = pieces[:-1]
    return pieces


def _likely(compared: Comparison, old: tuple[int, int], new: tuple[int, int]) -> bool:
    """Whether there is known content before or behind, or the passage is long, whole, and stands here as often."""
    words, now = compared.old.text[slice(*old)], compared.new.text[slice(*new)]
    if _supported(compared, old, new):
        return True
    return (
        len(words) >= 2 * _telling(words)
        and words == now
        and compared.old.text.count(words) == compared.new.text.count(now)
    )


def _beside(compared: Comparison, old: tuple[int, int], new: tuple[int, int]) -> bool:
    """Whether what stood just before or behind the passage still does."""
    (i, j), (a, b) = old, new
    if i == a == 0 or (j == len(compared.old.text) and b == len(compared.new.text)):
        return True
    before = compared.pieces(max(0, i - BESIDE), i)
    behind = compared.pieces(j, min(j + BESIDE, len(compared.old.text)))
    near = sum(p.length for p in before if a - 2 * BESIDE <= p.new < a)
    next_to = sum(p.length for p in behind if b <= p.new < b + 2 * BESIDE)
    return near >= AGREES * min(BESIDE, max(i, 1)) or next_to >= AGREES * min(BESIDE, len(compared.old.text) - j or 1)


def _gap(p: Stretch, q: Stretch) -> int:
    return q.new - p.new - p.length


def _alone_in_gap(compared: Comparison, start: int, end: int, content: tuple[int, int]) -> Carried | None:
    """The place of a passage between the nearest common content on both sides, if its words stand there once."""
    i, j = content
    words = compared.old.text[i:j]
    before, after = compared.stretch_before(i - 1), _stretch_behind(compared, j)
    if before is None or after is None or before.old + before.length > i or len(words) < _telling(words):
        return None
    low, high = before.new + before.length, after.new
    if high - low > _GAP or compared.old.text.count(words, before.old + before.length, after.old) != 1:
        return None
    if compared.new.text.count(words, low, high) != 1:
        return None
    a = compared.new.text.index(words, low, high)
    return Carried(*_in_text(compared, start, end, content, (a, a + len(words))), a, a + len(words), sure=False)


def _end_before(compared: Comparison, i: int) -> int:
    """Where the common content before old character `i` ends in the new text."""
    s = compared.stretch_before(i - 1)
    return 0 if s is None else s.new + min(i - s.old, s.length)


def _start_behind(compared: Comparison, j: int) -> int:
    """Where the common content from old character `j` on begins in the new text."""
    at = compared.mapped(j)
    s = _stretch_behind(compared, j)
    return at if at is not None else len(compared.new.text) if s is None else s.new


def _stretch_behind(compared: Comparison, j: int) -> Stretch | None:
    at = bisect_left(compared.stretches, j, key=lambda s: s.old)
    return compared.stretches[at] if at < len(compared.stretches) else None


def _telling(words: str) -> int:
    """How many characters of content are no chance in a gap."""
    return 4 if any(is_unspaced(c) for c in words) else 12


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
    """Whether something around the passage was around it before, or what is around it now stood farther off."""
    (i, j), (a, b) = old, new
    sides = (
        share_of_old(compared, i - _AROUND, i),
        share_of_old(compared, j, min(j + _AROUND, len(compared.old.text))),
        _share_of_new(compared, a - _AROUND, a),
        _share_of_new(compared, b, min(b + _AROUND, len(compared.new.text))),
    )
    return max(sides) >= AGREES


def _share_of_new(compared: Comparison, a: int, b: int) -> float:
    a = max(a, 0)
    return sum(p.length for p in compared.origins(a, b)) / (b - a) if a < b else 0.0


def _slides(compared: Comparison, pieces: list[Stretch]) -> bool:
    """Whether a gap beside the passage could as well be on its other side: then it may be its twin that is here."""
    if len(pieces) > 1:
        return False
    first, last = pieces[0].old, pieces[0].old + pieces[0].length
    at = compared.stretch_before(first)
    if at is None or compared.mapped(first) != pieces[0].new:  # put together from two stretches
        return False
    index = bisect_left(compared.stretches, at.old, key=lambda s: s.old)
    behind = compared.stretches[index + 1] if index + 1 < len(compared.stretches) else None
    before = compared.stretches[index - 1] if index else None
    if behind and first >= at.old + at.length - _slide(compared, at, behind, back=True):
        return True
    return before is not None and last <= at.old + _slide(compared, before, at, back=False)


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
