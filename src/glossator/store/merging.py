"""Writing what came from another library: notes with their own ids and times, and what is known of documents.

The rules of the merge are above, in `library.exchange.merge`; here is how each row is written. All of it belongs into
the one transaction of an import.
"""

import json
from typing import Any

import apsw

from glossator.store.annotations import (
    Anchoring,
    Annotation,
    forget_removal,
    insert_annotation,
    set_anchor,
    update_annotation,
)
from glossator.store.catalogue import ID_DIGITS
from glossator.store.content import dump
from glossator.store.editions import edition_of
from glossator.store.portable import Event, Facts, File, Note, Reached, facts_from_json, facts_to_json
from glossator.store.sql import rows, value

_EDITION_ID = 8  # characters, as of a document
_SAME = (
    *("quote", "before", "after", "locator", "body", "color"),
    *("tags", "origin", "details", "created", "updated"),
)


def edition_for(c: apsw.Connection, file: File) -> int:
    """Return the key of the edition of a file: of its document where that is here, else one that waits for it."""
    document = value(c, "select key from document where sha256 = ? order by key limit 1", (file.sha256,))
    if document is not None:
        return edition_of(c, document)
    known = value(
        c, "select key from edition where sha256 = ? and document is null order by key limit 1", (file.sha256,)
    )
    if known is not None:
        return int(known)
    c.execute(
        "insert into edition(document, id, sha256, format, title, authors, identifiers) values (null,?,?,?,?,?,?)",
        (
            id_of_hash(file.sha256, _EDITION_ID),
            file.sha256,
            file.format,
            file.title,
            dump(list(file.authors)),
            dump(dict(file.identifiers)),
        ),
    )
    return c.last_insert_rowid()


def id_of_hash(sha256: str, length: int) -> str:
    """Return the first digits of a hash in base 32, as ids are made of files' hashes."""
    number = int(sha256, 16) >> max(0, len(sha256) * 4 - 5 * length)
    return "".join(ID_DIGITS[number >> shift & 31] for shift in range(5 * length - 5, -1, -5))


def write_note(c: apsw.Connection, note: Note, home: int, key: int | None) -> int:
    """Write a note with its id and times, or in the place of the one with `key`; return its key. Anchors are apart."""
    values: dict[str, Any] = {name: getattr(note, name) for name in _SAME} | {"home": home}
    if key is not None:
        update_annotation(c, key, **values)
        return key
    forget_removal(c, note.id)
    return insert_annotation(c, Annotation(id=note.id, **values))


def write_anchors(c: apsw.Connection, note: int, anchors: dict[int, Anchoring]) -> None:
    """Write where a note (its key) stands, by edition, in the place of all that was known."""
    c.execute("delete from anchor where annotation = ?", (note,))
    for edition, anchoring in anchors.items():
        set_anchor(c, note, edition, anchoring)


def remember_removal(c: apsw.Connection, identifier: str, at: str) -> None:
    """Remember that a note was removed elsewhere; of two times the later one stays."""
    c.execute(
        "insert into annotation_removed(id, at) values (?,?) on conflict(id) do update set at = max(at, excluded.at)",
        (identifier, at),
    )


# --- documents ------------------------------------------------------------------------------------------------------


def awaited_facts(c: apsw.Connection, sha256: str) -> Facts | None:
    """Return what imports said of a file that is not here, or None."""
    found = value(c, "select facts from awaited where sha256 = ?", (sha256,))
    return None if found is None else facts_from_json(json.loads(found))


def await_document(c: apsw.Connection, facts: Facts) -> None:
    """Keep what is known of a file until its document comes."""
    c.execute(
        "insert or replace into awaited(sha256, facts) values (?,?)", (facts.file.sha256, dump(facts_to_json(facts)))
    )


def stop_awaiting(c: apsw.Connection, sha256: str) -> None:
    """Forget what was kept of a file: its document has come."""
    c.execute("delete from awaited where sha256 = ?", (sha256,))


def edited_of(c: apsw.Connection, key: int) -> set[str]:
    """Return which fields of a document a person's choice holds."""
    return set(json.loads(value(c, "select edited from document where key = ?", (key,))))


def details_of(c: apsw.Connection, key: int) -> dict[str, object]:
    """Return what is known of a document besides its columns."""
    found: dict[str, object] = json.loads(value(c, "select details from document where key = ?", (key,)))
    return found


def set_details(c: apsw.Connection, key: int, details: dict[str, object]) -> None:
    """Write what is known of a document besides its columns."""
    c.execute("update document set details = ? where key = ?", (dump(details), key))


def write_reached(c: apsw.Connection, key: int, reached: Reached) -> None:
    """Write how far a document was read, with the time it was read at."""
    c.execute(
        "insert or replace into progress(document, position, read_to, finished, updated, text_version)"
        " values (?,?,?,?,?,?)",
        (
            key,
            reached.position,
            reached.read_to,
            int(reached.finished),
            reached.updated,
            reached.text_version,
        ),
    )


def write_events(c: apsw.Connection, key: int, events: tuple[Event, ...]) -> int:
    """Add those entries to the history of a document that it does not hold; return how many."""
    known = set(rows(c, "select at, event, position, read_to from reading where document = ?", (key,)))
    fresh = [e for e in events if (e.at, e.event, e.position, e.read_to) not in known]
    c.executemany(
        "insert into reading(document, at, event, position, read_to, share) values (?,?,?,?,?,?)",
        ((key, e.at, e.event, e.position, e.read_to, e.share) for e in fresh),
    )
    return len(fresh)
