"""Where a quotation stands, among all documents of a scope.

Word for word, every document is looked at: a substring is found wherever it is. With repairs, the documents that share
rare words with the quotation are looked at first, and all of them while the scope is small. Texts are seen up to their
caps only.

Known limit: with repairs, in a scope of more than `SMALL` characters, only the `CANDIDATES` likeliest documents.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glossator.document.quotation import Match, find_quotation, near_misses
from glossator.errors import UsageError
from glossator.library.findings import Located, Near
from glossator.library.reader import Opened, Reader

CANDIDATES = 12  # documents looked at with repairs in a large scope
SMALL = 20_000_000  # characters of a scope in which every document is looked at with repairs
NEAR = 3
ASKED = 1_000  # characters of a quotation that are searched for


@dataclass(frozen=True, slots=True)
class Place:
    """A match in a document."""

    opened: Opened
    match: Match


def locate(reader: Reader, quote: str) -> Located:
    """Return where `quote` stands in the reader's scope, or what comes nearest to it.

    Raises:
        UsageError: the quotation is empty.
    """
    quote = quote.strip()
    if not quote:
        raise UsageError("an empty quotation stands everywhere", hint="give the words to look for")
    with reader.database.read():
        order = _in_order(reader, quote)
        found, places = _found(reader, order, quote)
        if found is None:
            return Located(quote=quote, status="not_found", near=_near(reader, order, quote))
        match = found.match
        return Located(
            quote=quote,
            status="repaired" if match.verdict == "repaired" else "verified",
            repairs=match.repairs,
            occurrences=sum(p.match.occurrences for p in places) or match.occurrences,
            document=found.opened.ref,
            locator=reader.locator(found.opened, match.start, match.end),
        )


def find(reader: Reader, quote: str) -> Place | None:
    """Return where `quote` stands in the reader's scope, or None, as `locate` without its near ones."""
    with reader.database.read():
        return _found(reader, _in_order(reader, quote), quote)[0] if quote.strip() else None


def find_in(reader: Reader, key: int, quote: str, *, near: int | None = None) -> Place | None:
    """Return where `quote` stands in one document, as far as it may be shown; the occurrence nearest to `near`."""
    opened = reader.open(key)
    match = find_quotation(reader.text(key), quote, near=near) if quote.strip() else None
    return None if match is None else Place(opened, match)


def _in_order(reader: Reader, quote: str) -> list[int]:
    """Return the documents of the scope, those that share rare words with the quotation first."""
    keys = [d.key for d in reader.documents()]
    found = reader.search(quote[:ASKED], k=CANDIDATES, mode="lexical").passages
    likely = list(dict.fromkeys(p.document for p in found))
    return likely + [k for k in keys if k not in set(likely)]


def _found(reader: Reader, order: Sequence[int], quote: str) -> tuple[Place | None, list[Place]]:
    """Return the best place, and all those where it stands word for word."""
    places = _word_for_word(reader, order, quote)
    return (places[0] if places else _repaired(reader, order, quote)), places


def _word_for_word(reader: Reader, order: Sequence[int], quote: str) -> list[Place]:
    places: list[Place] = []
    for key in order:
        if quote in reader.text(key):
            place = find_in(reader, key, quote)
            if place and place.match.verdict == "verified":
                places.append(place)
    return places


def _repaired(reader: Reader, order: Sequence[int], quote: str) -> Place | None:
    best: Place | None = None
    for key in _worth_folding(reader, order):
        place = find_in(reader, key, quote)
        if place and (best is None or len(place.match.repairs) < len(best.match.repairs)):
            best = place
        if best and best.match.verdict == "verified":
            break
    return best


def _worth_folding(reader: Reader, order: Sequence[int]) -> Iterator[int]:
    seen = 0
    for n, key in enumerate(order):
        seen += reader.open(key).end
        if n >= CANDIDATES and seen > SMALL:
            return
        yield key


def _near(reader: Reader, order: Sequence[int], quote: str) -> tuple[Near, ...]:
    found: list[Near] = []
    for key in order[:CANDIDATES]:
        text, opened = reader.text(key), reader.open(key)
        for miss in near_misses(text, quote, limit=NEAR):
            locator = reader.locator(opened, miss.start, miss.end)
            found.append(Near(document=opened.ref, text=text[miss.start : miss.end], score=miss.score, locator=locator))
    return tuple(sorted(found, key=lambda n: -n.score)[:NEAR])
