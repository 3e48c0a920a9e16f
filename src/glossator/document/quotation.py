"""Where a quotation stands in a canonical text, and what had to be forgiven to find it.

Used by `locate`, receipts, `verify` and re-anchoring. Knows text, not documents: callers add document and section.

A quotation is looked for as it is; then by its content (`fold`), each candidate's white space and punctuation judged
by `gaps`; then, if it leaves something out between parts, part by part; then with spelling forgiven (`spelling`).
Whatever needs more than the declared `REPAIRS` is not a quotation of the text.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from glossator.document import gaps
from glossator.document.boundaries import cuts_meaning, cuts_word
from glossator.document.fold import CHARACTER_FOLDS, Folded, fold, is_content, is_unspaced
from glossator.document.near import NearMiss, near_windows
from glossator.document.quoted import quotations_in, split_ellipsis
from glossator.document.spelling import Alignment, is_negation, misspelt
from glossator.errors import UsageError

__all__ = ["REPAIRS", "Match", "NearMiss", "Verdict", "find_all", "find_quotation", "near_misses", "quotations_in"]

Verdict = Literal["verified", "repaired", "not_found"]

REPAIRS = (*CHARACTER_FOLDS, "quotes", "dashes", "spaces", "hyphenation", "ellipsis", "punctuation", "spelling")
"""Every declared repair, in the order in which a match names them. `unicode` is the form (NFC, NFD, compatibility
letters), `variants` traditional and simplified characters, `spaces` also line breaks, `width` also full stops and
commas of either width, `punctuation` marks that the quotation dropped or that end it for the quoting sentence's
sake."""

ELLIPSIS_GAP = 600  # characters that an ellipsis inside a quotation may stand for
_CANDIDATES = 2_000  # occurrences of the content that are judged
_SHORT_GAP = 3  # words (Chinese: characters): so short an omission may not leave out a negation
_CUT_FROM = 24  # characters of content from which a literal quotation may end inside a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A quotation found: `[start, end)` in code points of the canonical text.

    With an ellipsis inside, the span runs from the first part to the last and holds what was left out. `occurrences`
    counts the places that match in the same way (word for word, or after repairs).
    """

    start: int
    end: int
    verdict: Verdict
    repairs: tuple[str, ...] = ()
    occurrences: int = 1


def find_quotation(text: str, quotation: str, *, near: int | None = None) -> Match | None:
    """Return the best occurrence of `quotation` in `text`, or None.

    Exact occurrences win, then those with the fewest repairs; among equals the one nearest to `near`, else the first.
    `repairs` are those without which the two would differ. A quotation that begins or ends inside a word is none,
    unless it is literal, long, and cuts no negation off; inside a number it always is none. The folded form of the
    last few texts is kept, so asking one text often is cheap.

    Raises:
        UsageError: nothing but white space was asked for.

    Source: text-quote anchoring, W3C Web Annotation Data Model, section 4.2.4; spelling by exact seeds.
    """
    wanted = _wanted(quotation)
    found = _exact(text, wanted) or _folded_matches(text, wanted) or _forgiven(text, wanted)
    if not found:
        return None
    target = found[0].start if near is None else near
    best = min(found, key=lambda m: (len(m.repairs), abs(m.start - target), m.start))
    return _counted(best, len(found))


def find_all(text: str, quotation: str, limit: int = 100) -> list[Match]:
    """Return occurrences of `quotation` in reading order, at most `limit`: exact ones and those by content.

    Where there is none of these, the ones that `find_quotation` would find.

    Raises:
        UsageError: nothing but white space was asked for.
    """
    wanted = _wanted(quotation)
    exact = _exact(text, wanted)
    known = {m.start for m in exact}
    found = exact + [m for m in _folded_matches(text, wanted) if m.verdict == "repaired" and m.start not in known]
    found = found or _forgiven(text, wanted)
    return [_counted(m, len(found)) for m in sorted(found, key=lambda m: m.start)[:limit]]


def near_misses(text: str, quotation: str, *, limit: int = 3) -> list[NearMiss]:
    """Return the passages most like a quotation that was not found, best first; `score` is 1 for the same content.

    Raises:
        UsageError: nothing but white space was asked for.
    """
    return near_windows(_folded(text), text, fold(_wanted(quotation)), limit=limit)


# --- the four ways of finding ---------------------------------------------------------------------------------------


def _exact(text: str, wanted: str) -> list[Match]:
    return [
        Match(start=at, end=at + len(wanted), verdict="verified")
        for at in _occurrences(text, wanted)
        if not cuts_word(text, at, at + len(wanted))
    ]


def _forgiven(text: str, wanted: str) -> list[Match]:
    """Return what is found in the less plain ways, the first that finds something."""
    return _cut(text, wanted) or _elided(text, wanted) or _misspelt(text, wanted)


def _cut(text: str, wanted: str) -> list[Match]:
    """Literal occurrences that begin or end inside a word."""
    if len(fold(wanted).text) < _CUT_FROM:
        return []
    return [
        Match(start=at, end=at + len(wanted), verdict="verified")
        for at in _occurrences(text, wanted)
        if not cuts_meaning(text, at, at + len(wanted))
    ]


def _folded_matches(text: str, wanted: str) -> list[Match]:
    source, quote = _folded(text), fold(wanted)
    if not quote.text:
        return []
    found: list[Match] = []
    for tried, at in enumerate(_occurrences(source.text, quote.text)):
        if tried == _CANDIDATES:
            break
        match = _judged(text, source, wanted, quote, Alignment.straight(at, len(quote.text)))
        if match:
            found.append(match)
    return found


def _elided(text: str, wanted: str) -> list[Match]:
    parts = split_ellipsis(wanted)
    if len(parts) < 2:
        return []
    found: list[Match] = []
    for first in _folded_matches(text, parts[0]):
        matches = _follow(text, first, parts[1:])
        if matches:
            repairs = {"ellipsis"}.union(*(m.repairs for m in matches))
            found.append(Match(start=first.start, end=matches[-1].end, verdict="repaired", repairs=_in_order(repairs)))
    shortest = min((m.end - m.start for m in found), default=0)
    return [m for m in found if m.end - m.start == shortest]


def _follow(text: str, first: Match, parts: Sequence[str]) -> list[Match]:
    """Return `first` and the nearest match of each further part behind it, or nothing when one is missing."""
    matches = [first]
    source = _folded(text)
    for part in parts:
        quote = fold(part)
        after = matches[-1].end
        last = after + ELLIPSIS_GAP
        begin, end = (bisect_left(source.offsets, p) for p in (after, last + 1 + 2 * len(part)))
        match = next(_judged_between(text, source, part, quote, begin, end), None)
        if match is None or match.start > last or _hides_negation(text[after : match.start]):
            return []
        matches.append(match)
    return matches


def _judged_between(text: str, source: Folded, part: str, quote: Folded, begin: int, end: int) -> Iterator[Match]:
    for at in _occurrences(source.text, quote.text, begin, end):
        match = _judged(text, source, part, quote, Alignment.straight(at, len(quote.text)))
        if match:
            yield match


def _misspelt(text: str, wanted: str) -> list[Match]:
    source, quote = _folded(text), fold(wanted)
    found = []
    for alignment in misspelt(text, source, wanted, quote):
        match = _judged(text, source, wanted, quote, alignment)
        if match:
            found.append(match)
    fewest = min((len(m.repairs) for m in found), default=0)
    return [m for m in found if len(m.repairs) == fewest]


# --- judging a candidate --------------------------------------------------------------------------------------------


def _judged(text: str, source: Folded, wanted: str, quote: Folded, alignment: Alignment) -> Match | None:
    """Return the match that an alignment of contents makes, or None when something else than content differs."""
    repairs = _gap_repairs(text, source, wanted, quote, alignment)
    if repairs is None:
        return None
    start, end = source.source_start(alignment.source[0]), source.source_end(alignment.source[-1] + 1)
    if cuts_word(text, start, end):
        return None
    edges = _edges(text, start, end, wanted, quote)
    if edges is None:
        return None
    start, end, at_edges = edges
    repairs |= at_edges | _character_repairs(text, source, wanted, quote, alignment)
    if alignment.edits:
        repairs |= {"spelling"}
    if text[start:end] == wanted:
        return Match(start=start, end=end, verdict="verified")
    return Match(start=start, end=end, verdict="repaired", repairs=_in_order(repairs or {"spaces"}))


def _gap_repairs(text: str, source: Folded, wanted: str, quote: Folded, alignment: Alignment) -> set[str] | None:
    """Judge every gap between aligned characters."""
    repairs: set[str] = set()
    previous = -1, -1
    for i, k in zip(alignment.source, alignment.quote, strict=True):
        s, q = source.source_start(i), quote.source_start(k)
        if previous[0] >= 0 and (s - previous[0] > 1 or q - previous[1] > 1):
            here, there = text[previous[0] + 1 : s], wanted[previous[1] + 1 : q]
            if alignment.edits:  # a letter that only one side has is no part of the gap
                here, there = _without_content(here), _without_content(there)
            if here != there:
                judged = gaps.compare(here, there, source.text[i - 1], source.text[i])
                if judged is None:
                    return None
                repairs |= judged
        previous = s, q
    return repairs


def _without_content(gap: str) -> str:
    return "".join(c for c in gap if not is_content(c))


def _character_repairs(text: str, source: Folded, wanted: str, quote: Folded, alignment: Alignment) -> set[str]:
    """Return the least set of character folds that make the aligned characters equal."""
    here = "".join(text[p] for p in sorted({source.source_start(i) for i in alignment.matched(0)}))
    there = "".join(wanted[p] for p in sorted({quote.source_start(k) for k in alignment.matched(1)}))
    if here == there:
        return set()
    needed = set(CHARACTER_FOLDS)
    for repair in CHARACTER_FOLDS:
        fewer = frozenset(needed - {repair})
        if fold(here, fewer).text == fold(there, fewer).text:
            needed.remove(repair)
    return needed


def _edges(text: str, start: int, end: int, wanted: str, quote: Folded) -> tuple[int, int, set[str]] | None:
    """Grow `[start, end)` over the marks at the quotation's own ends."""
    lead, tail = wanted[: quote.source_start(0)], wanted[quote.source_end(len(quote.text)) :]
    before = gaps.edge(_gap_before(text, start, lead), lead[::-1], text[start])
    after = gaps.edge(_gap_after(text, end, tail), tail, text[end - 1])
    if before is None or after is None:
        return None
    return start - before[0], end + after[0], set(before[1] | after[1])


def _gap_after(text: str, end: int, tail: str) -> str:
    spaced = any(c.isspace() for c in tail)
    at = end
    while at < len(text) and not is_content(text[at]) and (spaced or not text[at].isspace()):
        at += 1
    return text[end:at]


def _gap_before(text: str, start: int, lead: str) -> str:
    """The gap before `start`, nearest character first."""
    spaced = any(c.isspace() for c in lead)
    at = start
    while at and not is_content(text[at - 1]) and (spaced or not text[at - 1].isspace()):
        at -= 1
    return text[at:start][::-1]


def _hides_negation(omitted: str) -> bool:
    """Tell whether a short omission turns the sentence round."""
    words = omitted.split()
    han = sum(is_unspaced(c) for c in omitted)
    if (han or len(words)) > _SHORT_GAP:
        return False
    return any(is_negation(w) for w in (omitted if han else words))


# --- small things ---------------------------------------------------------------------------------------------------


def _wanted(quotation: str) -> str:
    wanted = quotation.strip()
    if not wanted:
        raise UsageError("there is nothing to look for", hint="give the words of the quotation")
    return wanted


@lru_cache(maxsize=16)  # a novel folded is some 4 MB; many quotations are looked for in the same few documents
def _folded(text: str) -> Folded:
    return fold(text)


def _occurrences(text: str, wanted: str, begin: int = 0, end: int | None = None) -> Iterator[int]:
    at = text.find(wanted, begin, end)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1, end)


def _counted(match: Match, occurrences: int) -> Match:
    return Match(
        start=match.start, end=match.end, verdict=match.verdict, repairs=match.repairs, occurrences=occurrences
    )


def _in_order(repairs: set[str]) -> tuple[str, ...]:
    return tuple(r for r in REPAIRS if r in repairs)
