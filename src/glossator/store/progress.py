"""Where the reader is in a document, and how far it was read."""

from dataclasses import dataclass

import apsw

from glossator.document.model import Document
from glossator.store.database import now
from glossator.store.sql import rows, value


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A reader's place: `position` is where the view is, `[0, read_to)` what was read; both in `text_version`."""

    document: int  # key
    position: int
    read_to: int
    finished: bool
    updated: str
    text_version: str


def get_progress(c: apsw.Connection, key: int) -> Progress | None:
    """Return the progress of a document, or None if it was never set."""
    return all_progress(c, key).get(key)


def all_progress(c: apsw.Connection, key: int | None = None) -> dict[int, Progress]:
    """Return the progress of every document that has some, by key."""
    found = rows(
        c,
        "select document, position, read_to, finished, updated, text_version from progress"
        " where ?1 is null or document = ?1",
        (key,),
    )
    return {
        document: Progress(
            document=document,
            position=position,
            read_to=read_to,
            finished=bool(finished),
            updated=updated,
            text_version=version,
        )
        for document, position, read_to, finished, updated, version in found
    }


def set_progress(c: apsw.Connection, key: int, *, position: int, read_to: int, finished: bool = False) -> Progress:
    """Write the progress of a document, in positions of its present text; return it."""
    version = value(c, "select text_version from content where document = ?", (key,))
    _write(
        c,
        Progress(
            document=key, position=position, read_to=read_to, finished=finished, updated=now(), text_version=version
        ),
    )
    return all_progress(c, key)[key]


def clear_progress(c: apsw.Connection, key: int) -> None:
    """Forget the progress of a document."""
    c.execute("delete from progress where document = ?", (key,))


def reanchor_progress(c: apsw.Connection, key: int, old: str, document: Document) -> None:
    """Move the progress of a document from its old text to the new one; a lost place becomes the nearest one before."""
    progress = get_progress(c, key)
    if progress is None:
        return
    from glossator.document.anchor import map_position

    new = document.text
    same = progress.text_version == document.text_version  # also where `old` came out of a damaged file
    places = {progress.position, progress.read_to}
    moved = {p: p if same else min(map_position(p, old, new), len(new)) for p in places}
    _write(
        c,
        Progress(
            document=key,
            position=moved[progress.position],
            read_to=moved[progress.read_to],
            finished=progress.finished,
            updated=progress.updated,
            text_version=document.text_version,
        ),
    )


def _write(c: apsw.Connection, p: Progress) -> None:
    c.execute(
        "insert or replace into progress(document, position, read_to, finished, updated, text_version)"
        " values (?,?,?,?,?,?)",
        (p.document, p.position, p.read_to, int(p.finished), p.updated, p.text_version),
    )
