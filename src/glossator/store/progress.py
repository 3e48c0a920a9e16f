"""Where the reader is in a document, how far it was read, and when.

`progress` is the present state, `reading` its history: a row for each sitting, each finish and each fresh start. The
positions of a row count in the text of its time.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import apsw

from glossator.document.model import Document
from glossator.store.database import now
from glossator.store.sql import row, rows, value

Event = Literal["read", "finished", "restarted"]
SITTING = timedelta(minutes=10)  # what follows within belongs to the same sitting, and to the same row


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A row of the history: where a reader was at that time; `share` is position by length."""

    document: int  # key
    at: str
    event: Event
    position: int
    read_to: int
    share: float


def record_reading(c: apsw.Connection, key: int, event: Event) -> None:
    """Write the present progress of a document into its history; the same sitting on one day stays one row."""
    progress = get_progress(c, key)
    if progress is None:
        return
    characters = value(c, "select characters from content where document = ?", (key,))
    share = progress.position / characters if characters else 0.0
    last = row(c, "select key, at, event from reading where document = ? order by key desc limit 1", (key,))
    if last is not None and last[2] == event and (event != "read" or _one_sitting(last[1], progress.updated)):
        c.execute(
            "update reading set at = ?, position = ?, read_to = ?, share = ? where key = ?",
            (progress.updated, progress.position, progress.read_to, share, last[0]),
        )
        return
    c.execute(
        "insert into reading(document, at, event, position, read_to, share) values (?,?,?,?,?,?)",
        (key, progress.updated, event, progress.position, progress.read_to, share),
    )


def readings(c: apsw.Connection, key: int | None = None) -> list[Sitting]:
    """Return the history of a document (its key) or of all, each document's in order."""
    found = rows(
        c,
        "select document, at, event, position, read_to, share from reading where ?1 is null or document = ?1"
        " order by document, key",
        (key,),
    )
    return [
        Sitting(document=document, at=at, event=event, position=position, read_to=read_to, share=share)
        for document, at, event, position, read_to, share in found
    ]


def _one_sitting(before: str, after: str) -> bool:
    if before[:10] != after[:10]:
        return False
    return datetime.fromisoformat(after) - datetime.fromisoformat(before) <= SITTING


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
