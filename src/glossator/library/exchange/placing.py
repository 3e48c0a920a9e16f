"""Where a quotation of another program, or of another version of a text, stands here.

Knows text, not notes. What is found is always the words asked for: a quotation that stands at several places is taken
to none of them, unless its surroundings tell them apart.
"""

from dataclasses import dataclass
from functools import lru_cache

from glossator.document.fold import Folded, fold, is_unspaced
from glossator.document.locator import Locator, Quote, State, resolve
from glossator.document.quotation import find_all

CONTEXT = 32  # characters of surroundings that are compared
LEAST_CUT = 24  # characters of content by which a part of a quotation is recognised; of unspaced scripts a third
LEAST_WHOLE = 8  # where all of it stands there, only cut within a word
LEAST_SHARE = 0.5  # of its content, for a part to stand for the whole


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a text, and how well the words agree with what was asked for (1: word for word)."""

    start: int
    end: int
    state: State
    score: float


def place_in_context(text: str, quote: str, before: str, after: str) -> Spot | None:
    """Return where a quotation stands by its words and surroundings, or None when that is not certain."""
    if not quote.strip():
        return None
    asked = Quote(quote, before[-CONTEXT:], after[:CONTEXT])
    locator = Locator(document="", text_version="", start=0, end=0, quote=asked)
    found = resolve(locator, text=text, text_version="here", blocks=())
    if found.start is None or found.end is None:
        return None
    same = fold(text[found.start : found.end]).text == fold(quote).text
    return Spot(found.start, found.end, "exact" if same else "moved", found.score)


def places_of(text: str, quote: str) -> list[Spot]:
    """Return every place of a quotation; where there is none, the one place of its longest part, if that is certain."""
    found = find_all(text, quote) if quote.strip() else []
    if found:
        return [Spot(m.start, m.end, "exact", 1.0) for m in found]
    part = _longest_part(text, quote)
    return [part] if part else []


def _longest_part(text: str, quote: str) -> Spot | None:
    """A quotation that was cut, or differs inside: its beginning and its end, as far as the text has them."""
    whole, asked = _folded(text), fold(quote).text
    head = _agrees(whole.text, asked, from_end=False)
    tail = _agrees(whole.text, asked, from_end=True)
    unspaced = sum(map(is_unspaced, asked)) * 2 > len(asked)
    least = LEAST_WHOLE if head == len(asked) else LEAST_CUT // 3 if unspaced else LEAST_CUT
    first = whole.text.find(asked[:head]) if head >= least and whole.text.count(asked[:head]) == 1 else -1
    last = whole.text.find(asked[len(asked) - tail :]) if tail >= least and _once(whole.text, asked, tail) else -1
    if first >= 0 and last >= 0 and 0 < last + tail - first <= len(asked) * 1.25 and last >= first:
        share = min(1.0, (head + tail) / len(asked))
        span = (first, last + tail)
    elif head >= tail and first >= 0:
        share, span = head / len(asked), (first, first + head)
    elif last >= 0:
        share, span = tail / len(asked), (last, last + tail)
    else:
        return None
    if share < LEAST_SHARE:
        return None
    start, end = _whole_words(text, whole.source_start(span[0]), whole.source_end(span[1]))
    return Spot(start, end, "moved", round(share, 3)) if start < end else None


def _once(text: str, asked: str, tail: int) -> bool:
    return text.count(asked[len(asked) - tail :]) == 1


def _agrees(text: str, asked: str, *, from_end: bool) -> int:
    """How many characters of the beginning (or the end) of `asked` stand somewhere in the text."""
    low, high = 0, len(asked)
    while low < high:
        middle = (low + high + 1) // 2
        piece = asked[len(asked) - middle :] if from_end else asked[:middle]
        if piece in text:
            low = middle
        else:
            high = middle - 1
    return low


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Draw the ends of a span in to whole words, where they cut one."""
    if 0 < end < len(text) and _inside_word(text, end):
        while end > start and _inside_word(text, end):
            end -= 1
        while end > start and text[end - 1].isspace():
            end -= 1
    if start and _inside_word(text, start):
        while start < end and _inside_word(text, start):
            start += 1
        while start < end and text[start].isspace():
            start += 1
    return start, end


def _inside_word(text: str, at: int) -> bool:
    a, b = text[at - 1 : at], text[at : at + 1]
    return a.isalnum() and b.isalnum() and not (is_unspaced(a) or is_unspaced(b))


@lru_cache(maxsize=4)
def _folded(text: str) -> Folded:
    return fold(text)
