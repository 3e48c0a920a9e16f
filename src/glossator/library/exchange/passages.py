"""Passages that other programs marked, and how they become notes here: found by their words, or listed as not found.

Nothing is guessed. Words that stand at several places are taken to one of them only where their surroundings say so, or
where the passages around them, in the other program's order, leave one place (`ordering`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256 as hashed
from typing import TYPE_CHECKING, Any

from glossator.library.exchange import matching
from glossator.library.exchange.ordering import order_of
from glossator.library.exchange.placing import Spot, place_in_context, places_of
from glossator.library.exchange.results import Problem
from glossator.library.reader import Reader
from glossator.store.annotations import AROUND, DIGITS, MARK
from glossator.store.documents import StoredDocument
from glossator.store.merging import id_of_hash
from glossator.store.portable import File, Note, Standing

if TYPE_CHECKING:
    from glossator.library.exchange.matching import Shelf

SHOWN = 60  # characters of a quotation in a message


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What another program says of one passage. `identity` makes the id, so that a second import adds nothing.

    `order` is where it stands among the passages of its document, as that program counts.
    """

    line: int | None
    name: str  # for messages
    identity: tuple[str, ...]
    origin: str
    addresses: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    author: str = ""
    quote: str = ""
    before: str = ""
    after: str = ""
    body: str = ""
    tags: tuple[str, ...] = ()
    color: str = "yellow"
    order: int | None = None
    created: str
    updated: str
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Made:
    """The notes that passages became, the files they are in, and what did not fit."""

    notes: tuple[Note, ...]
    files: tuple[File, ...]
    problems: tuple[Problem, ...]


def notes_of(reader: Reader, shelf: "Shelf", passages: Sequence[Passage]) -> Made:
    """Return the passages as notes, each at its place in its document."""
    problems: list[Problem] = []
    groups: dict[tuple[Any, ...], list[Passage]] = {}
    for passage in passages:
        groups.setdefault((passage.addresses, passage.titles, passage.author), []).append(passage)
    notes: list[Note] = []
    files: dict[str, File] = {}
    for group in groups.values():
        document = _document(reader, shelf, group)
        if isinstance(document, str):
            problems += [Problem(p.line, f"{p.name}: {document}") for p in group]
            continue
        files[document.sha256] = File(
            sha256=document.sha256,
            format=document.format,
            title=document.title,
            authors=document.authors,
            identifiers=document.identifiers,
        )
        made, failed = _placed(reader, document, group)
        notes += made
        problems += failed
    problems.sort(key=lambda p: p.line or 0)
    return Made(tuple(notes), tuple(files.values()), tuple(problems))


def note_id(identity: Sequence[str]) -> str:
    """Return the id of the note that a passage becomes, always the same for the same passage."""
    digest = hashed("\0".join(identity).encode("utf-8", "surrogatepass")).hexdigest()
    return MARK + id_of_hash(digest, DIGITS)


def _document(reader: Reader, shelf: "Shelf", group: Sequence[Passage]) -> StoredDocument | str:
    """Return the document that passages are of, or what is to be said when that is not known."""
    first = group[0]
    found: list[StoredDocument] = []
    for address in first.addresses:
        found = found or [d for d in shelf.documents if d.sha256 == address] or matching.by_address(shelf, address)
    found = found or matching.by_title(shelf, (*first.titles, *first.addresses), first.author)
    title = first.titles[0] if first.titles else first.addresses[0] if first.addresses else ""
    if not found:
        return f"no document here is called “{title}”" if title else "nothing says which document it is of"
    if len(found) > 1:
        held = [sum(bool(p.quote) and p.quote in reader.text(d.key) for p in group) for d in found]
        if max(held) == 0 or (held.count(max(held)) > 1 and not _one_work(found)):
            return f"“{title}” fits {len(found)} documents: " + ", ".join(d.id for d in found)
        return found[held.index(max(held))]
    return found[0]


def _one_work(found: Sequence[StoredDocument]) -> bool:
    """Tell whether documents are files of one work: of one title, of the same authors."""
    return len({(matching.title_key(d.title), d.authors) for d in found}) == 1


def _placed(reader: Reader, document: StoredDocument, group: Sequence[Passage]) -> tuple[list[Note], list[Problem]]:
    text = reader.text(document.key)
    places = [_places(text, p) for p in group]
    told = zip(group, places, strict=True)
    order = order_of([(p.order, found[0].start) for p, found in told if len(found) == 1 and p.order is not None])
    notes: list[tuple[Passage, Note]] = []
    problems: list[Problem] = []
    for passage, everywhere in zip(group, places, strict=True):
        several = len(everywhere) > 1 and order is not None and passage.order is not None
        found = order.choose(passage.order or 0, everywhere) if several and order else everywhere
        if len(found) == 1:
            notes.append((passage, _note(reader, document, passage, found[0], text)))
        else:
            problems.append(Problem(passage.line, f"{passage.name}: {_said(document, passage, len(found))}"))
    return _absorbed(notes), problems


def _absorbed(notes: Sequence[tuple[Passage, Note]]) -> list[Note]:
    """Return the notes without those whose words stand inside another one's: earlier forms of a Kindle's highlight.

    The longer one takes what was written to the shorter, and the id of the earliest, so that it stays the same note.
    """
    kept: list[tuple[Passage, Note]] = []
    for passage, note in sorted(notes, key=lambda x: (_span(x[1])[0], -_span(x[1])[1], x[0].line or 0)):
        inside = bool(kept) and passage.origin == "kindle" and _span(note)[1] <= _span(kept[-1][1])[1]
        if not inside:
            kept.append((passage, note))
            continue
        holder, longer = kept[-1]
        first, own = (passage, note.id) if (passage.line or 0) < (holder.line or 0) else (holder, longer.id)
        body = longer.body if note.body in longer.body else f"{longer.body}\n\n{note.body}".strip()
        created, updated = min(longer.created, note.created), max(longer.updated, note.updated)
        kept[-1] = (first, replace(longer, id=own, body=body, created=created, updated=updated))
    return [note for _, note in kept]


def _span(note: Note) -> tuple[int, int]:
    """Return where a note that was just placed stands."""
    return note.standings[0].start or 0, note.standings[0].end or 0


def _places(text: str, passage: Passage) -> list[Spot]:
    if not passage.quote.strip():
        return []
    if passage.before.strip() or passage.after.strip():
        spot = place_in_context(text, passage.quote, passage.before, passage.after)
        if spot is not None:
            return [spot]
    return places_of(text, passage.quote)


def _said(document: StoredDocument, passage: Passage, times: int) -> str:
    if not passage.quote.strip():
        return "it names no words, so its place cannot be known"
    words = " ".join(passage.quote.split())
    short = words if len(words) <= SHOWN else words[:SHOWN].rstrip() + "…"
    where = f"“{document.title}”"
    if times:
        return f"“{short}” stands {times} times in {where}, and nothing says at which of them"
    return f"“{short}” is not in {where}"


def _note(reader: Reader, document: StoredDocument, passage: Passage, spot: Spot, text: str) -> Note:
    locator = reader.locator(reader.open(document.key), spot.start, spot.end)
    standing = Standing(
        sha256=document.sha256,
        state=spot.state,
        score=spot.score,
        start=spot.start,
        end=spot.end,
        text_version=document.text_version,
    )
    return Note(
        id=note_id(passage.identity),
        home=document.sha256,
        quote=text[spot.start : spot.end],
        before=text[max(0, spot.start - AROUND) : spot.start],
        after=text[spot.end : spot.end + AROUND],
        locator=locator.to_json(),
        body=passage.body,
        color=passage.color,
        tags=tuple(sorted(passage.tags)),
        origin=passage.origin,
        details=dict(passage.details),
        created=passage.created,
        updated=passage.updated,
        standings=(standing,),
    )
