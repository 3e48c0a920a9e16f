"""From what a person gives, a quotation or a span, to the place in a document where a note is made."""

from dataclasses import dataclass

from glossator.document.quotation import find_all, near_misses
from glossator.errors import NotFound, UsageError
from glossator.library.reader import Opened, Reader

MOST = 100_000  # occurrences of a quotation that are counted
NEAR = 3  # passages named when a quotation was not found
SHOWN = 120  # characters shown of each


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Where a note is to be: the words (of several occurrences the one counted from 1), or a span."""

    quote: str | None = None
    occurrence: int | None = None
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place in a document; `occurrence` of `occurrences` where it was found by its words."""

    start: int
    end: int
    occurrence: int | None = None
    occurrences: int | None = None
    repairs: tuple[str, ...] = ()


def spot(reader: Reader, key: int, wanted: Wanted) -> Spot:
    """Return the place that is meant in a document, as far as the reader shows it.

    Words that stand there letter for letter are counted alone; only where there are none, those found with repairs.

    Raises:
        UsageError: not exactly one of quotation and span, an empty one, or an occurrence that is none.
        NotFound: the words are not there (the hint names what comes near), or the span is outside the text.
    """
    if (wanted.quote is None) == (wanted.span is None):
        raise UsageError("a note stands at a quotation or at a span", hint="give one of --quote and --span")
    if wanted.occurrence is not None and (wanted.quote is None or wanted.occurrence < 1):
        raise UsageError(
            "an occurrence is counted from 1, of a quotation", hint="give --quote with --occurrence 1, 2 …"
        )
    with reader.database.read():
        opened = reader.open(key)
        if wanted.span is not None:
            return _of_span(reader, opened, *wanted.span)
        return _of_quote(reader, opened, wanted.quote or "", wanted.occurrence or 1)


def _of_span(reader: Reader, opened: Opened, start: int, end: int) -> Spot:
    document = opened.document
    if start >= end:
        raise UsageError(f"the span {start}:{end} holds nothing", hint="give START:END with START before END")
    if start < 0 or end > document.characters:
        raise NotFound(
            f"the span {start}:{end} is outside “{document.title}”",
            hint=f"its text has the positions 0 to {document.characters}",
        )
    if end > opened.end:
        raise NotFound(
            f"the span {start}:{end} of “{document.title}” comes after what was read",
            hint="--uncapped shows it all the same",
        )
    if not reader.text(document.key, start, end).strip():
        raise UsageError(f"the span {start}:{end} holds nothing but space", hint="give one that holds words")
    return Spot(start=start, end=end)


def _of_quote(reader: Reader, opened: Opened, quote: str, occurrence: int) -> Spot:
    if not quote.strip():
        raise UsageError("an empty quotation stands everywhere", hint="give the words that the note is about")
    text = reader.text(opened.document.key)
    found = find_all(text, quote, limit=MOST)
    found = [m for m in found if m.verdict == "verified"] or found
    title = opened.document.title
    if not found:
        raise NotFound(f"“{title}” does not hold {_short(quote)}", hint=_near(opened, text, quote))
    if occurrence > len(found):
        raise NotFound(
            f"there is no occurrence {occurrence} of {_short(quote)} in “{title}”",
            hint=f"it stands there {len(found)} times" if len(found) > 1 else "it stands there once",
        )
    match = found[occurrence - 1]
    return Spot(start=match.start, end=match.end, occurrence=occurrence, occurrences=len(found), repairs=match.repairs)


def _near(opened: Opened, text: str, quote: str) -> str:
    misses = near_misses(text, quote, limit=NEAR)
    hidden = "; --uncapped also looks past what was read" if opened.capped else ""
    if not misses:
        return f"nothing in it comes near; `glossator locate` looks in all documents{hidden}"
    near = "; ".join(f"{_short(text[m.start : m.end])} at {m.start}:{m.end}" for m in misses)
    return f"nearest: {near}{hidden}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return f"“{words}”" if len(words) <= SHOWN else f"“{words[:SHOWN].rstrip()}…”"
