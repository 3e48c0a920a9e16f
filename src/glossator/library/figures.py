"""`stats`: what is in the library and how it is read, as counts. Days are those of the reader's own clock.

How much was read on a day is by how far `read_to` grew on it. Limit: setting a place for the first time counts all
before it as read on that day, and positions in a text that changed since count as they were.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import apsw

from glossator.library.bounds import cap_of
from glossator.library.results import Bound
from glossator.library.scoping import Names, documents_named
from glossator.store import documents as stored
from glossator.store.collections import collections_of, list_collections
from glossator.store.database import Database
from glossator.store.documents import StoredDocument
from glossator.store.noted import Filter, find_notes
from glossator.store.progress import Progress, Sitting, all_progress, readings
from glossator.store.sessions import list_sessions
from glossator.store.tags import list_tags, tags_of

Json = dict[str, Any]
UNKNOWN = "unknown"  # a language that is not known


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingFigures:
    """How a set of documents is read. `days` holds the days on which something was read, the newest last."""

    finished: int
    in_progress: int
    not_begun: int
    this_week: int  # characters
    this_month: int
    this_year: int
    streak: int  # days in a row up to today, or up to yesterday
    days: tuple[tuple[date, int], ...]

    def to_json(self) -> Json:
        """Return the figures."""
        return {
            "finished": self.finished,
            "in_progress": self.in_progress,
            "not_begun": self.not_begun,
            "this_week": self.this_week,
            "this_month": self.this_month,
            "this_year": self.this_year,
            "streak": self.streak,
            "days": [{"date": day.isoformat(), "characters": characters} for day, characters in self.days],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of the library, or of some of its documents; then `history` has the sittings of a single one."""

    documents: int
    formats: Mapping[str, int]
    languages: Mapping[str, int]
    statuses: Mapping[str, int]
    characters: int
    pages: int
    notes: int
    tags: int
    collections: int
    sessions: int | None  # None: of some documents only
    reading: ReadingFigures
    history: tuple[Sitting, ...] | None = None

    def to_json(self) -> Json:
        """Return the JSON of `stats`."""
        shape: Json = {
            "documents": self.documents,
            "formats": dict(self.formats),
            "languages": dict(self.languages),
            "statuses": dict(self.statuses),
            "characters": self.characters,
            "pages": self.pages,
            "notes": self.notes,
            "tags": self.tags,
            "collections": self.collections,
            "sessions": self.sessions,
            "reading": self.reading.to_json(),
        }
        return shape if self.history is None else shape | {"history": [_sitting(s) for s in self.history]}


def stats(database: Database, names: Names, *, today: date | None = None) -> Stats:
    """Return the counts of the named documents, or of the library when none are named.

    Raises:
        NotFound: a name that is not there, or fits several.
    """
    with database.read() as c:
        scoped = bool(names.documents or names.collections or names.tags)
        documents = documents_named(c, names) if scoped else stored.list_documents(c)
        keys = {d.key for d in documents}
        progress = all_progress(c)
        history = [s for s in readings(c) if s.document in keys]
        return Stats(
            documents=len(documents),
            formats=_counted(documents, lambda d: d.format),
            languages=_counted(documents, lambda d: d.language or UNKNOWN),
            statuses=_counted(documents, lambda d: d.status),
            characters=sum(d.characters for d in documents),
            pages=sum(d.page_count or 0 for d in documents),
            notes=_notes(c, documents, progress, everything=not scoped),
            tags=_distinct(tags_of(c), keys) if scoped else len(list_tags(c)),
            collections=_distinct(collections_of(c), keys) if scoped else len(list_collections(c)),
            sessions=None if scoped else len(list_sessions(c)),
            reading=reading_figures(documents, progress, history, today or date.today()),
            history=tuple(history) if names.documents and len(documents) == 1 else None,
        )


def reading_figures(
    documents: Sequence[StoredDocument], progress: Mapping[int, Progress], history: Sequence[Sitting], today: date
) -> ReadingFigures:
    """Return how the documents are read, from their progress and the history of each in order."""
    begun = [progress[d.key] for d in documents if d.key in progress]
    days = characters_by_day(history)
    return ReadingFigures(
        finished=sum(p.finished for p in begun),
        in_progress=sum(not p.finished and max(p.position, p.read_to) > 0 for p in begun),
        not_begun=len(documents) - sum(p.finished or max(p.position, p.read_to) > 0 for p in begun),
        this_week=_since(days, today - timedelta(days=today.weekday()), today),
        this_month=_since(days, today.replace(day=1), today),
        this_year=_since(days, today.replace(month=1, day=1), today),
        streak=streak({day for day, characters in days.items() if characters}, today),
        days=tuple(sorted((day, characters) for day, characters in days.items() if characters)),
    )


def characters_by_day(history: Sequence[Sitting]) -> dict[date, int]:
    """Return how many characters were read on each day of a history."""
    days: dict[date, int] = {}
    read_to: dict[int, int] = {}
    for sitting in history:
        day = datetime.fromisoformat(sitting.at).astimezone().date()
        grown = max(0, sitting.read_to - read_to.get(sitting.document, 0))
        days[day] = days.get(day, 0) + grown
        read_to[sitting.document] = sitting.read_to
    return days


def streak(days: set[date], today: date) -> int:
    """Return on how many days in a row something was read, up to today or, while today is young, up to yesterday."""
    day = today if today in days else today - timedelta(days=1)
    count = 0
    while day in days:
        count += 1
        day -= timedelta(days=1)
    return count


def _since(days: Mapping[date, int], first: date, last: date) -> int:
    return sum(characters for day, characters in days.items() if first <= day <= last)


def _counted(documents: Sequence[StoredDocument], of: Callable[[StoredDocument], str]) -> dict[str, int]:
    return dict(sorted(Counter(map(of, documents)).items(), key=lambda pair: (-pair[1], pair[0])))


def _distinct(names: Mapping[int, Sequence[str]], keys: set[int]) -> int:
    return len({name for key in keys for name in names.get(key, ())})


def _notes(
    c: apsw.Connection, documents: Sequence[StoredDocument], progress: Mapping[int, Progress], *, everything: bool
) -> int:
    """Return how many notes there are, but for those that the unread part of a document hides."""
    caps = {d.key: cap for d in documents if (cap := cap_of(d, progress.get(d.key), Bound())) is not None}
    wanted = Filter(documents=None if everything else tuple(d.key for d in documents), caps=caps)
    return find_notes(c, wanted, limit=0)[1]


def _sitting(sitting: Sitting) -> Json:
    return {
        "at": sitting.at,
        "event": sitting.event,
        "position": sitting.position,
        "read_to": sitting.read_to,
        "fraction": sitting.share,
    }
