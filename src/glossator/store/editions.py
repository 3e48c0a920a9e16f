"""Editions: the files that notes were made in, as they are remembered also when their document is gone.

An edition has a row once a note is made in a document, or stands in it. While the document is there, its own facts
(title, hash) are what counts; the edition's are brought up to date when the file changes and when it is removed.
"""

import json
from dataclasses import dataclass

import apsw

from glossator.store.catalogue import SHORTEST_PREFIX
from glossator.store.content import full_text
from glossator.store.sketches import write_sketch
from glossator.store.sql import Row, row, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A file that notes were made in; `document` is the key of its document, None when that was removed."""

    key: int
    document: int | None
    id: str
    sha256: str
    format: str
    title: str
    authors: tuple[str, ...]
    identifiers: tuple[tuple[str, str], ...]


_COLUMNS = "key, document, id, sha256, format, title, authors, identifiers"
_FACTS = "id, sha256, format, title, authors, identifiers"


def known_edition(c: apsw.Connection, document: int) -> int | None:
    """Return the key of the edition that a document (its key) is, or None when it is none yet."""
    found = row(c, "select key from edition where document = ?", (document,))
    return None if found is None else int(found[0])


def edition_of(c: apsw.Connection, document: int) -> int:
    """Return the key of the edition that a document (its key) is, made when there is none yet."""
    found = row(c, "select key from edition where document = ?", (document,))
    if found is not None:
        return int(found[0])
    c.execute(
        f"insert into edition(document, {_FACTS}) select key, {_FACTS} from document where key = ?",
        (document,),
    )
    key = c.last_insert_rowid()
    write_sketch(c, key, full_text(c, document))
    return key


def refresh_edition(c: apsw.Connection, document: int) -> None:
    """Write what is known of a document (its key) into its edition, if it has one."""
    c.execute(
        f"update edition set ({_FACTS}) = (select {_FACTS} from document where key = ?1) where document = ?1",
        (document,),
    )


def get_edition(c: apsw.Connection, key: int) -> Edition | None:
    """Return an edition by its key, or None."""
    found = row(c, f"select {_COLUMNS} from edition where key = ?", (key,))
    return None if found is None else _edition(found)


def editions(c: apsw.Connection) -> dict[int, Edition]:
    """Return all editions, by key."""
    return {found[0]: _edition(found) for found in rows(c, f"select {_COLUMNS} from edition order by key")}


def gone_editions(c: apsw.Connection, name: str) -> list[int]:
    """Return the editions (keys) whose document was removed and that `name` means: an id, its beginning, or a title."""
    gone = rows(c, "select key, id, title from edition where document is null order by key")
    wanted = name.strip().casefold()
    for fits in (
        [key for key, identifier, _ in gone if identifier == wanted],
        [key for key, identifier, _ in gone if len(wanted) >= SHORTEST_PREFIX and identifier.startswith(wanted)],
        [key for key, _, title in gone if title.casefold() == wanted],
    ):
        if fits:
            return fits
    return []


def drop_edition(c: apsw.Connection, key: int) -> None:
    """Forget an edition that no note was made in; one that is the home of a note stays."""
    c.execute("delete from edition where key = ?1 and not exists (select 1 from annotation where home = ?1)", (key,))


def _edition(found: Row) -> Edition:
    *facts, authors, identifiers = found
    key, document, identifier, sha256, form, title = facts
    return Edition(
        key=key,
        document=document,
        id=identifier,
        sha256=sha256,
        format=form,
        title=title,
        authors=tuple(json.loads(authors)),
        identifiers=tuple(json.loads(identifiers).items()),
    )
