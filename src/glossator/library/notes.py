"""`library.notes`: making, finding, changing and linking notes, each anchored to the words it is about.

What a bound hides of a document, it hides of its notes, too: such a note is in no list and no count, and is not changed
or linked without `Bound(uncapped=True)`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import apsw

from glossator.document.model import Color
from glossator.errors import NotFound, StoreError, UsageError
from glossator.library.note_reading import Seen, link_rows, notes_of, seen
from glossator.library.note_views import LinkTable, Note, NoteList, Passage, RemovedNote
from glossator.library.results import Bound
from glossator.store import annotations as stored
from glossator.store.anchors import anchor_new_note
from glossator.store.annotations import AROUND, COLORS, Anchoring, Annotation
from glossator.store.content import text_slice
from glossator.store.database import now
from glossator.store.documents import get_document
from glossator.store.editions import edition_of, get_edition
from glossator.store.links import RELATIONS, Link, Relation, remove_links, set_link
from glossator.store.noted import Filter, find_notes, load_notes, visible

if TYPE_CHECKING:
    from glossator.document.locator import Locator, State
    from glossator.library.library import Library
    from glossator.library.note_places import Spot
    from glossator.library.reader import Reader

DEFAULT = Bound()
STATES = ("exact", "moved", "lost")


class Notes:
    """The notes of a library."""

    def __init__(self, library: "Library") -> None:
        """Take the library they are kept in."""
        self._library = library
        self._database = library.database

    # -- making

    def add(  # noqa: PLR0913  the façade mirrors the options of the command
        self,
        doc: str,
        *,
        quote: str | None = None,
        occurrence: int | None = None,
        span: tuple[int, int] | None = None,
        body: str = "",
        color: Color = "yellow",
        tags: Sequence[str] = (),
        bound: Bound = DEFAULT,
    ) -> Note:
        """Make a note at a quotation (declared repairs are forgiven) or a span; return it.

        Of words that stand there more than once the first occurrence is taken, unless another one is asked for; the
        note says how many there are. Kept as quotation are the source's own words.

        Raises:
            NotFound: no such document; the words are not in it; the span is outside it.
            UsageError: not one of quotation and span; an unknown colour; an empty tag.
        """
        from glossator.library.note_places import Wanted, spot

        _check_color(color)
        labels = stored.tidy_tags(tags)
        sight = seen(self._library, [doc], (), bound)
        document = _only(sight, doc)
        place = spot(sight.reader, document, Wanted(quote=quote, occurrence=occurrence, span=span))
        locator = _locator(sight.reader, document, place)
        with self._database.write() as c:
            key = _written(c, document, locator, body=body, color=color, tags=labels)
        note = self._told(key, sight, (document,))
        return replace(note, occurrence=place.occurrence, occurrences=place.occurrences, repairs=place.repairs)

    def attach(
        self,
        note: str,
        *,
        doc: str | None = None,
        quote: str | None = None,
        occurrence: int | None = None,
        span: tuple[int, int] | None = None,
        bound: Bound = DEFAULT,
    ) -> Note:
        """Say where a note stands, in its own document or in another one; return it.

        A lost note, or one in its own document, takes the new words as its quotation. One that stands elsewhere gets a
        second place, as in another edition of the work.

        Raises:
            NotFound: no such note or document; its document is gone and no other is named; as `add`.
            UsageError: as `add`.
        """
        from glossator.library.note_places import Wanted, spot

        sight = seen(self._library, () if doc is None else [doc], (), _general(bound, doc))
        with self._database.read() as c:
            key = self._key(c, note, sight)
            noted = load_notes(c, [key])[0]
        document = noted.document if doc is None else _only(sight, doc)
        if document is None:
            raise NotFound(
                f"“{noted.title}”, which the note was made in, is not in the library",
                hint="add it again, or name another document with --doc",
            )
        place = spot(sight.reader, document, Wanted(quote=quote, occurrence=occurrence, span=span))
        locator = _locator(sight.reader, document, place)
        with self._database.write() as c:
            _reattached(c, key, document, locator, further=noted.state != "lost")
        told = self._told(key, sight, (document,))
        return replace(told, occurrence=place.occurrence, occurrences=place.occurrences, repairs=place.repairs)

    # -- finding

    def list(  # noqa: PLR0913  as above
        self,
        *,
        docs: Sequence[str] = (),
        collections: Sequence[str] = (),
        tags: Sequence[str] = (),
        query: str | None = None,
        states: "Sequence[State]" = (),
        colors: Sequence[Color] = (),
        limit: int | None = None,
        offset: int = 0,
        bound: Bound = DEFAULT,
    ) -> NoteList:
        """Return notes: of one document in reading order, else the newest first; with a query the best first.

        Every tag must be there, of several colours or states one. Without `limit` all are returned.

        Raises:
            NotFound: no such document or collection.
            UsageError: an unknown colour or state, or a query without a word.
        """
        _check(states, STATES, "state")
        _check(colors, COLORS, "colour")
        with self._database.read() as c:
            sight = seen(self._library, docs, collections, bound)
            wanted = Filter(
                documents=sight.documents,
                gone=sight.gone,
                tags=stored.tidy_tags(tags),
                colors=tuple(colors),
                states=tuple(states),
                caps=sight.caps,
            )
            if query is None:
                keys, total = find_notes(c, wanted, limit=limit, offset=offset)
            else:
                keys, total = _searched(c, query, wanted, limit, offset)
            shown = None if sight.gone else sight.documents
            return NoteList(tuple(notes_of(c, sight, keys, documents=shown)), total, sight.notice)

    def show(self, note: str, *, doc: str | None = None, bound: Bound = DEFAULT) -> Note:
        """Return a note with its links, each with the words at its other end; `doc`: as it stands in that document.

        Raises:
            NotFound: no such note, or a bound hides it.
        """
        with self._database.read() as c:
            sight = seen(self._library, () if doc is None else [doc], (), _general(bound, doc))
            return self._told(self._key(c, note, sight), sight, sight.documents)

    def open(self, target: str, *, context: int = 1, bound: Bound = DEFAULT) -> Passage:
        """Return the passage that a document, a note or a locator names, with `context` blocks on each side.

        Raises:
            NotFound: no such thing, or its passage is not in the text any more.
            UsageError: a locator that is none.
        """
        from glossator.library.passage import open_passage

        return open_passage(self._library, target, context=context, bound=bound)

    # -- changing

    def edit(
        self,
        note: str,
        *,
        body: str | None = None,
        color: Color | None = None,
        tags: Sequence[str] | None = None,
        bound: Bound = DEFAULT,
    ) -> Note:
        """Change a note; what is None stays, `tags` replaces all of them. Return it.

        Raises:
            NotFound: no such note, or a bound hides it.
            UsageError: an unknown colour, or an empty tag.
        """
        if color is not None:
            _check_color(color)
        labels = None if tags is None else tuple(sorted(stored.tidy_tags(tags)))
        sight = seen(self._library, (), (), bound)
        with self._database.write() as c:
            key = self._key(c, note, sight)
            before = stored.get_annotation(c, key)
            given: dict[str, Any] = {"body": body, "color": color, "tags": labels}
            changes = {k: v for k, v in given.items() if v is not None and v != getattr(before, k)}
            if changes:
                stored.update_annotation(c, key, **changes, updated=now())
                _index(c, key)
        return self._told(key, sight)

    def remove(self, note: str, *, bound: Bound = DEFAULT) -> RemovedNote:
        """Remove a note with its links; return it as it was.

        Raises:
            NotFound: no such note, or a bound hides it.
        """
        told = self.show(note, bound=bound)
        with self._database.write() as c:
            stored.remove_annotations(c, [stored.annotation_key(c, told.id)], at=now())
        return RemovedNote(told)

    def link(self, note: str, other: str, *, relation: Relation = "related", bound: Bound = DEFAULT) -> Note:
        """Link a note to another one; return the first. One that is linked so already takes the new relation.

        Raises:
            NotFound: one of them is not there, or a bound hides it.
            UsageError: a note to itself, or an unknown relation.
        """
        _check((relation,), RELATIONS, "relation")
        sight = seen(self._library, (), (), bound)
        with self._database.write() as c:
            one, two = self._key(c, note, sight), self._key(c, other, sight)
            if one == two:
                raise UsageError("a note cannot be linked to itself", hint="name two notes")
            set_link(c, Link(one, two, relation, now()))
        return self._told(one, sight)

    def unlink(self, note: str, other: str, *, relation: Relation | None = None, bound: Bound = DEFAULT) -> Note:
        """Remove the links between two notes, in both directions; of one relation, where it is given. Return the first.

        Raises:
            NotFound: one of them is not there, or they are not linked so.
            UsageError: an unknown relation.
        """
        _check(() if relation is None else (relation,), RELATIONS, "relation")
        sight = seen(self._library, (), (), bound)
        with self._database.write() as c:
            one, two = self._key(c, note, sight), self._key(c, other, sight)
            if not remove_links(c, one, two, relation):
                so = "" if relation is None else f" as {relation!r}"
                raise NotFound(f"{note} and {other} are not linked{so}", hint="`glossator note show ID` lists links")
        return self._told(one, sight)

    def links(self, *, docs: Sequence[str] = (), collections: Sequence[str] = (), bound: Bound = DEFAULT) -> LinkTable:
        """Return the links of the notes of some documents, or all; both ends with their words.

        Raises:
            NotFound: no such document or collection.
        """
        with self._database.read() as c:
            sight = seen(self._library, docs, collections, bound)
            keys = None
            if sight.documents is not None:
                keys, _ = find_notes(c, Filter(documents=sight.documents, gone=sight.gone, caps=sight.caps))
            return LinkTable(link_rows(c, sight, keys), sight.notice)

    # -- inside

    def _key(self, c: apsw.Connection, name: str, sight: Seen) -> int:
        """Return the key of a note that may be seen."""
        key = stored.annotation_key(c, name)
        if not visible(c, [key], sight.caps):
            raise NotFound(f"note {name!r} stands after what was read", hint="--uncapped shows it all the same")
        return key

    def _told(self, key: int, sight: Seen, documents: tuple[int, ...] | None = None) -> Note:
        with self._database.read() as c:
            found = notes_of(c, sight, [key], documents=documents, receipts=True)
            found = found or notes_of(c, sight, [key], documents=None, receipts=True)
        return found[0]


# --- writing --------------------------------------------------------------------------------------------------------


def _written(
    c: apsw.Connection, document: int, locator: "Locator", *, body: str, color: Color, tags: tuple[str, ...]
) -> int:
    """Write a new note at a place that was found in a document; return its key."""
    _check_unchanged(c, document, locator)
    home = edition_of(c, document)
    made = now()
    note = Annotation(
        id=stored.new_id(), home=home, body=body, color=color, tags=tags, created=made, updated=made,
        **_words(c, document, locator),
    )  # fmt: skip
    key = stored.insert_annotation(c, note)
    stored.set_anchor(c, key, home, _anchoring(locator))
    anchor_new_note(c, key, home)
    _index(c, key)
    return key


def _reattached(c: apsw.Connection, key: int, document: int, locator: "Locator", *, further: bool) -> None:
    _check_unchanged(c, document, locator)
    before = stored.get_annotation(c, key)
    edition, home = edition_of(c, document), get_edition(c, before.home)
    if further and edition != before.home and home is not None and home.document is not None:
        stored.set_anchor(c, key, edition, _anchoring(locator))
        return
    stored.drop_anchors(c, key)
    stored.update_annotation(c, key, home=edition, updated=now(), **_words(c, document, locator))
    stored.set_anchor(c, key, edition, _anchoring(locator))
    anchor_new_note(c, key, edition)
    _index(c, key)


def _words(c: apsw.Connection, document: int, locator: "Locator") -> dict[str, Any]:
    """Return what a note keeps of the place it is made at: the words, their surroundings, the locator."""
    start, end = locator.start, locator.end
    return {
        "quote": text_slice(c, document, start, end),
        "before": text_slice(c, document, start - AROUND, start),
        "after": text_slice(c, document, end, end + AROUND),
        "locator": locator.to_json(),
    }


def _index(c: apsw.Connection, key: int) -> None:
    from glossator.index.annotations import index_annotations

    index_annotations(c, [key])


def _anchoring(locator: "Locator") -> Anchoring:
    return Anchoring(state="exact", score=1.0, start=locator.start, end=locator.end, text_version=locator.text_version)


def _check_unchanged(c: apsw.Connection, document: int, locator: "Locator") -> None:
    """Refuse a place that was found in a text which another process has replaced since."""
    there = get_document(c, document)
    if there.text_version != locator.text_version:
        raise StoreError(f"“{there.title}” was just replaced by a new version", hint="try again")


# --- reading --------------------------------------------------------------------------------------------------------


def _locator(reader: "Reader", document: int, place: "Spot") -> "Locator":
    with reader.database.read():
        return reader.locator(reader.open(document), place.start, place.end)


def _searched(c: apsw.Connection, query: str, wanted: Filter, limit: int | None, offset: int) -> tuple[list[int], int]:
    from glossator.index.annotations import search_notes
    from glossator.search.query import parse_query

    parsed = parse_query(query)
    return search_notes(
        c, parsed.text, wanted, phrases=parsed.phrases, excluded=parsed.excluded, limit=limit, offset=offset
    )


def _only(sight: Seen, doc: str) -> int:
    """Return the one document that was named."""
    if sight.documents is None or len(sight.documents) != 1:
        raise NotFound(f"{doc!r} is not in the library any more", hint="add its file again; its notes were kept")
    return sight.documents[0]


def _general(bound: Bound, doc: str | None) -> Bound:
    """Refuse a position where no document is named to count it in."""
    if isinstance(bound.up_to, int) and doc is None:
        raise UsageError(f"--up-to {bound.up_to} needs exactly one document", hint="name it with --doc")
    return bound


def _check_color(color: str) -> None:
    _check((color,), COLORS, "colour")


def _check(given: Sequence[str], known: Sequence[str], what: str) -> None:
    for value in given:
        if value not in known:
            raise UsageError(f"there is no {what} {value!r}", hint=f"one of {', '.join(known)}")
