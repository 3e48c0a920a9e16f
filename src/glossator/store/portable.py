"""Notes and what belongs to their documents as values that know no keys: what leaves a library and comes into another.

Files are named by the hash of their bytes, notes by their ids. `collect` reads all of it from one snapshot; what a
reader may not see yet is cut by its caller. Writing is in `merging`.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import apsw

from glossator.document.locator import State
from glossator.store.annotations import tags_of
from glossator.store.content import text_slice
from glossator.store.sql import rows, value

Json = dict[str, Any]
EDITABLE = ("title", "authors", "language", "published", "identifiers")
READ = 64  # characters before a reading position by which another text finds it


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file by the hash of its bytes, and what it is called."""

    sha256: str
    format: str
    title: str
    authors: tuple[str, ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a note stands in a file; a lost one has no place."""

    sha256: str
    state: State
    score: float
    start: int | None
    end: int | None
    text_version: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note with everything that its person or this program knows of it. `locator` is the one it was made with."""

    id: str
    home: str  # the hash of the file it was made in
    quote: str
    before: str
    after: str
    locator: Json
    body: str
    color: str
    tags: tuple[str, ...]
    origin: str
    details: Json
    created: str
    updated: str
    standings: tuple[Standing, ...] = ()

    def standing(self, sha256: str) -> Standing | None:
        """Return where it stands in a file, or None when nothing is known of that."""
        return next((s for s in self.standings if s.sha256 == sha256), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link from one note to another."""

    source: str
    target: str
    relation: str
    created: str


@dataclass(frozen=True, slots=True)
class Removal:
    """A note that was removed, and when."""

    id: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """How far a document was read; `words` are those before `read_to`, by which another text finds the place."""

    position: int
    read_to: int
    finished: bool
    updated: str
    text_version: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One entry of the history of readings."""

    at: str
    event: str
    position: int
    read_to: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a person's use added to a file: corrections, tags, collections, how far it was read."""

    file: File
    edited: Json = field(default_factory=dict)
    details: Json = field(default_factory=dict)
    spoilers: str | None = None
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    reached: Reached | None = None
    events: tuple[Event, ...] = ()

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing here but the file's name."""
        kept = (self.edited, self.details, self.spoilers, self.tags, self.collections, self.reached, self.events)
        return not any(kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portable:
    """Everything that is exchanged, in an order that does not depend on the library it came from."""

    documents: tuple[Facts, ...] = ()
    collections: tuple[tuple[str, str], ...] = ()  # name, description
    notes: tuple[Note, ...] = ()
    links: tuple[Link, ...] = ()
    removed: tuple[Removal, ...] = ()


def collect(c: apsw.Connection) -> Portable:
    """Return all notes, links and removals, and the facts of every document that has some or has notes."""
    notes = _notes(c)
    named = {s for n in notes for s in (n.home, *(x.sha256 for x in n.standings))}
    facts = _facts(c)
    files = {**_edition_files(c), **{sha: f.file for sha, f in facts.items()}}
    kept = [
        facts.get(sha) or Facts(file=file)
        for sha, file in files.items()
        if sha in named or (sha in facts and not facts[sha].empty)
    ]
    collections = rows(c, "select name, description from collection order by name")
    return Portable(
        documents=tuple(sorted(kept, key=lambda f: f.file.sha256)),
        collections=tuple((name, description) for name, description in collections),
        notes=tuple(sorted(notes, key=lambda n: (n.created, n.id))),
        links=tuple(_links(c)),
        removed=tuple(Removal(i, at) for i, at in rows(c, "select id, at from annotation_removed order by id")),
    )


def present_files(c: apsw.Connection) -> dict[str, int]:
    """Return the keys of the documents that are in the library, by the hash of their file."""
    return dict(rows(c, "select sha256, key from document order by key desc"))


_PLAIN = ("id", "quote", "before", "after", "body", "color", "origin", "created", "updated")
_PARSED = ("locator", "details")


def _notes(c: apsw.Connection) -> list[Note]:
    found = rows(c, f"select key, home, {', '.join(_PLAIN + _PARSED)} from annotation order by key")
    shas = _shas(c)
    tags = tags_of(c, [note[0] for note in found])
    standings = _standings(c, shas)
    notes = []
    for key, home, *values in found:
        plain: dict[str, Any] = dict(zip(_PLAIN, values, strict=False))
        parsed = {name: json.loads(text) for name, text in zip(_PARSED, values[len(_PLAIN) :], strict=True)}
        known = standings[key]
        where = tuple(known[sha] for sha in sorted(known))
        notes.append(Note(home=shas[home], tags=tags.get(key, ()), standings=where, **plain, **parsed))
    return notes


def _shas(c: apsw.Connection) -> dict[int, str]:
    """Return the hashes of all editions; of two editions of one file, the one whose document is here comes last."""
    sql = (
        "select e.key, coalesce(d.sha256, e.sha256) from edition e left join document d on d.key = e.document"
        " order by e.document is not null, e.key"
    )
    return dict(rows(c, sql))


def _standings(c: apsw.Connection, shas: dict[int, str]) -> dict[int, dict[str, Standing]]:
    standings: dict[int, dict[str, Standing]] = defaultdict(dict)
    place = {key: n for n, key in enumerate(shas)}
    found = rows(c, 'select annotation, edition, state, score, start, "end", text_version from anchor')
    for key, edition, state, score, start, end, version in sorted(found, key=lambda r: place[r[1]]):
        standings[key][shas[edition]] = Standing(
            sha256=shas[edition], state=state, score=score, start=start, end=end, text_version=version
        )
    return standings


def _links(c: apsw.Connection) -> Iterable[Link]:
    found = rows(
        c,
        "select s.id, t.id, l.relation, l.created from link l join annotation s on s.key = l.source"
        " join annotation t on t.key = l.target order by s.id, t.id",
    )
    for source, target, relation, created in found:
        yield Link(source=source, target=target, relation=relation, created=created)


def _edition_files(c: apsw.Connection) -> dict[str, File]:
    found = rows(c, "select sha256, format, title, authors, identifiers from edition where document is null")
    return {f[0]: _file(*f) for f in found}


def _file(sha256: str, form: str, title: str, authors: str, identifiers: str) -> File:
    return File(
        sha256=sha256,
        format=form,
        title=title,
        authors=tuple(json.loads(authors)),
        identifiers=tuple(json.loads(identifiers).items()),
    )


def _facts(c: apsw.Connection) -> dict[str, Facts]:
    """Return the facts of the documents that are here, and of those that are awaited."""
    tags = _names(c, "select x.document, t.name from document_tag x join tag t on t.key = x.tag order by t.name")
    shelves = _names(
        c, "select m.document, x.name from member m join collection x on x.key = m.collection order by x.name"
    )
    found = rows(
        c,
        "select key, sha256, format, title, authors, identifiers, language, published, edited, details, spoilers"
        " from document order by key",
    )
    facts = {sha: facts_from_json(json.loads(text)) for sha, text in rows(c, "select sha256, facts from awaited")}
    for key, sha, form, title, authors, identifiers, language, published, edited, details, spoilers in found:
        values = {
            "title": title,
            "authors": json.loads(authors),
            "language": language,
            "published": published,
            "identifiers": json.loads(identifiers),
        }
        facts[sha] = Facts(
            file=_file(sha, form, title, authors, identifiers),
            edited={name: values[name] for name in EDITABLE if name in json.loads(edited)},
            details=json.loads(details),
            spoilers=spoilers,
            tags=tags.get(key, ()),
            collections=shelves.get(key, ()),
            reached=reached_of(c, key),
            events=events_of(c, key),
        )
    return facts


def _names(c: apsw.Connection, sql: str) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for key, name in rows(c, sql):
        found[key] = (*found.get(key, ()), name)
    return found


def events_of(c: apsw.Connection, key: int) -> tuple[Event, ...]:
    """Return the history of readings of a document (its key)."""
    sql = "select at, event, position, read_to, share from reading where document = ? order by at, key"
    return tuple(
        Event(at=at, event=event, position=position, read_to=read_to, share=share)
        for at, event, position, read_to, share in rows(c, sql, (key,))
    )


def reached_of(c: apsw.Connection, key: int) -> Reached | None:
    """Return how far a document (its key) was read, or None."""
    found = rows(
        c, "select position, read_to, finished, updated, text_version from progress where document = ?", (key,)
    )
    if not found:
        return None
    position, read_to, finished, updated, version = found[0]
    present = value(c, "select text_version from content where document = ?", (key,))
    words = text_slice(c, key, max(0, read_to - READ), read_to) if present == version else ""
    return Reached(
        position=position,
        read_to=read_to,
        finished=bool(finished),
        updated=updated,
        text_version=version,
        words=words,
    )


# --- as JSON, for files and for what waits for its document -----------------------------------------------------------


def file_to_json(file: File) -> Json:
    """Return the shape of a file's name."""
    return {
        "sha256": file.sha256,
        "format": file.format,
        "title": file.title,
        "authors": list(file.authors),
        "identifiers": dict(file.identifiers),
    }


def facts_to_json(facts: Facts) -> Json:
    """Return the shape of what is known of a document; what there is nothing of is left out."""
    reached = facts.reached
    known: Json = {
        "edited": facts.edited,
        "details": facts.details,
        "spoilers": facts.spoilers,
        "tags": list(facts.tags),
        "collections": list(facts.collections),
        "progress": None
        if reached is None
        else {
            "position": reached.position,
            "read_to": reached.read_to,
            "finished": reached.finished,
            "updated": reached.updated,
            "text_version": reached.text_version,
            "words": reached.words,
        },
        "readings": [
            {"at": e.at, "event": e.event, "position": e.position, "read_to": e.read_to, "share": e.share}
            for e in facts.events
        ],
    }
    return {**file_to_json(facts.file), **{name: x for name, x in known.items() if x}}


def facts_from_json(data: Json) -> Facts:
    """Return what `facts_to_json` wrote; its caller has checked the shape."""
    reached = data.get("progress")
    return Facts(
        file=file_from_json(data),
        edited=data.get("edited", {}),
        details=data.get("details", {}),
        spoilers=data.get("spoilers"),
        tags=tuple(data.get("tags", ())),
        collections=tuple(data.get("collections", ())),
        reached=None if reached is None else Reached(**reached),
        events=tuple(Event(**e) for e in data.get("readings", ())),
    )


def file_from_json(data: Json) -> File:
    """Return what `file_to_json` wrote."""
    return File(
        sha256=data["sha256"],
        format=data["format"],
        title=data["title"],
        authors=tuple(data["authors"]),
        identifiers=tuple(data["identifiers"].items()),
    )
