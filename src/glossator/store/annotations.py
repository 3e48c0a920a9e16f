"""Notes as rows: what was marked, what was written to it, its tags, and what is left of a removed one.

Where a note stands is in `anchor` (one row for each edition it stands in), never here; `locator` is the place it was
made at. Which notes a filter means is asked in `noted`. Whoever changes words of a note calls `index_annotations`
of `index.annotations` in the same transaction.
"""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

import apsw

from glossator.document.model import Color, clean
from glossator.errors import Ambiguous, NotFound, UsageError
from glossator.store.catalogue import ID_DIGITS, SHORTEST_PREFIX
from glossator.store.content import dump
from glossator.store.sql import Row, row, rows, value

if TYPE_CHECKING:
    from glossator.document.locator import State

COLORS: tuple[Color, ...] = get_args(Color)
MARK = "n-"  # begins every id of a note, so that it is never taken for a document's
BROUGHT = "pdf"  # origin of what stands in the document's own file
DIGITS = 10  # of an id, after the mark
AROUND = 256  # characters of the surroundings that are kept on each side


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A note or highlight. `locator` is the JSON of the place it was made at, in the edition `home`.

    `origin` is "person", or where it was read from (`BROUGHT`, "kindle" …); `details` holds what else was said there.
    """

    id: str
    home: int
    quote: str
    before: str = ""
    after: str = ""
    locator: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""
    color: Color = "yellow"
    tags: tuple[str, ...] = ()
    origin: str = "person"
    details: Mapping[str, Any] = field(default_factory=dict)
    created: str
    updated: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchoring:
    """Where a note stands in an edition; a lost one stands nowhere."""

    state: "State"
    score: float
    start: int | None
    end: int | None
    text_version: str | None


_FIELDS = "id, home, quote, before, after, locator, body, color, origin, details, created, updated"
_NAMES = tuple(_FIELDS.split(", "))
_STORED = {"locator": dump, "details": dump, "body": clean, "quote": clean, "before": clean, "after": clean}


def new_id() -> str:
    """Return an id that no other note has."""
    return MARK + "".join(secrets.choice(ID_DIGITS) for _ in range(DIGITS))


def insert_annotation(c: apsw.Connection, annotation: Annotation) -> int:
    """Write a new note; return its key. Its anchor (`set_anchor`) and its words are written by the caller."""
    values = [_stored(name, getattr(annotation, name)) for name in _NAMES]
    c.execute(f"insert into annotation({_FIELDS}) values ({','.join('?' * len(values))})", values)
    key = c.last_insert_rowid()
    set_tags(c, key, annotation.tags)
    return key


def update_annotation(c: apsw.Connection, key: int, **changes: Any) -> None:
    """Write new values of fields of a note; `tags` replaces all of them."""
    for name, given in changes.items():
        if name == "tags":
            set_tags(c, key, given)
        else:
            assert name in _NAMES, name
            c.execute(f"update annotation set {name} = ? where key = ?", (_stored(name, given), key))


def get_annotation(c: apsw.Connection, key: int) -> Annotation:
    """Return a note by its key.

    Raises:
        NotFound: it is not (or no longer) there.
    """
    found = row(c, f"select {_FIELDS} from annotation where key = ?", (key,))
    if found is None:
        raise NotFound(f"note {key} is not in the library", hint="`glossator note list` shows what is there")
    return _annotation(found, tags_of(c, [key]).get(key, ()))


def annotation_key(c: apsw.Connection, name: str) -> int:
    """Return the key of the note of which `name` is the id, or the beginning of its id.

    Raises:
        NotFound: there is none.
        Ambiguous: several ids begin so.
    """
    wanted = clean(name).strip().lower()
    found = rows(c, "select key, id from annotation where id = ?", (wanted,))
    if not found and len(wanted) >= SHORTEST_PREFIX + len(MARK):
        found = rows(c, "select key, id from annotation where id >= ? and id < ? limit 9", (wanted, wanted + "~"))
    if len(found) == 1:
        return int(found[0][0])
    if found:
        raise Ambiguous(f"{name!r} fits {len(found)} notes", hint=f"say which: {', '.join(i for _, i in found[:8])}")
    raise NotFound(f"there is no note {name!r}", hint="`glossator note list` shows the notes with their ids")


def keys_by_id(c: apsw.Connection, ids: Iterable[str]) -> dict[str, int]:
    """Return the keys of those notes of some ids that are there."""
    found = rows(c, "select id, key from annotation where id in (select value from json_each(?))", (dump(list(ids)),))
    return dict(found)


def keys_homed_in(c: apsw.Connection, edition: int) -> list[int]:
    """Return the keys of the notes that were made in an edition."""
    return [key for (key,) in rows(c, "select key from annotation where home = ? order by key", (edition,))]


def remove_annotations(c: apsw.Connection, keys: Sequence[int], *, at: str | None) -> int:
    """Remove notes with their links, tags and anchors; return how many were there.

    With a time `at` it is remembered that they were removed, so that no import brings them back.
    """
    given = dump(list(keys))
    chosen = "key in (select value from json_each(?))"
    if at is not None:
        c.execute(f"insert or replace into annotation_removed select id, ? from annotation where {chosen}", (at, given))
    count = value(c, f"select count(*) from annotation where {chosen}", (given,))
    c.execute(f"delete from annotation where {chosen}", (given,))
    return int(count)


def remove_notes_of(c: apsw.Connection, document: int, at: str) -> int:
    """Remove the notes that were made in a document (its key); return how many there were.

    Those that its file brought are not remembered as removed: with the file they come back.
    """
    found = rows(
        c,
        "select a.key, a.origin from annotation a join edition e on e.key = a.home where e.document = ?",
        (document,),
    )
    brought = [key for key, origin in found if origin == BROUGHT]
    count = remove_annotations(c, brought, at=None)
    return count + remove_annotations(c, [key for key, origin in found if origin != BROUGHT], at=at)


def removed_notes(c: apsw.Connection) -> dict[str, str]:
    """Return the ids of removed notes, and when each was removed."""
    return dict(rows(c, "select id, at from annotation_removed order by id"))


def forget_removal(c: apsw.Connection, identifier: str) -> None:
    """Forget that a note was removed, as when it comes back with a later change."""
    c.execute("delete from annotation_removed where id = ?", (identifier,))


# --- tags -----------------------------------------------------------------------------------------------------------


def set_tags(c: apsw.Connection, key: int, tags: Sequence[str]) -> None:
    """Give a note these tags and no others."""
    c.execute("delete from annotation_tag where annotation = ?", (key,))
    for tag in tidy_tags(tags):
        c.execute("insert into tag(name) values (?) on conflict(name) do nothing", (tag,))
        c.execute("insert into annotation_tag select ?, key from tag where name = ?", (key, tag))


def tidy_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return tags without surrounding space, each once, in the order given.

    Raises:
        UsageError: an empty one.
    """
    names = tuple(dict.fromkeys(" ".join(clean(tag).split()) for tag in tags))
    if "" in names:
        raise UsageError("a tag needs a name", hint="give one that is not empty")
    return names


def tags_of(c: apsw.Connection, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Return the tags of those notes that have some, by name."""
    found: dict[int, list[str]] = {}
    sql = (
        "select x.annotation, t.name from json_each(?) k join annotation_tag x on x.annotation = k.value"
        " join tag t on t.key = x.tag order by t.name"
    )
    for key, name in rows(c, sql, (dump(list(keys)),)):
        found.setdefault(key, []).append(name)
    return {key: tuple(names) for key, names in found.items()}


# --- anchors: one note in one edition -------------------------------------------------------------------------------


def set_anchor(c: apsw.Connection, annotation: int, edition: int, anchoring: Anchoring) -> None:
    """Write where a note stands in an edition, in the place of what was known."""
    c.execute(
        'insert or replace into anchor(annotation, edition, state, score, start, "end", text_version)'
        " values (?,?,?,?,?,?,?)",
        (
            annotation,
            edition,
            anchoring.state,
            float(anchoring.score),
            anchoring.start,
            anchoring.end,
            anchoring.text_version,
        ),
    )


def drop_anchors(c: apsw.Connection, annotation: int) -> None:
    """Forget every place of a note."""
    c.execute("delete from anchor where annotation = ?", (annotation,))


def anchors_of(c: apsw.Connection, annotation: int) -> dict[int, Anchoring]:
    """Return where a note stands, by edition."""
    sql = 'select edition, state, score, start, "end", text_version from anchor where annotation = ? order by edition'
    return {
        edition: Anchoring(state=state, score=score, start=start, end=end, text_version=version)
        for edition, state, score, start, end, version in rows(c, sql, (annotation,))
    }


def _annotation(found: Row, tags: tuple[str, ...]) -> Annotation:
    values = dict(zip(_NAMES, found, strict=True))
    for name in ("locator", "details"):
        values[name] = json.loads(values[name])
    return Annotation(**values, tags=tags)


def _stored(name: str, given: Any) -> Any:
    return _STORED[name](given) if name in _STORED else given
