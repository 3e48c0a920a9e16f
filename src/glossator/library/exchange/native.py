"""This program's own JSON: everything a person made, without loss.

The bytes depend on what was made and on nothing else: no time of the export, no order of a library, no ids of
documents. So an export, imported elsewhere and exported again, is the same file. Documents are named by the SHA-256 of
their file; what a library says beside it (title, authors) is for people and for finding the same work.
"""

import json
from typing import Any

from glossator.document.locator import State
from glossator.errors import DamagedFile
from glossator.library.exchange.fields import Fields
from glossator.store.annotations import COLORS
from glossator.store.links import RELATIONS
from glossator.store.portable import (
    EDITABLE,
    Event,
    Facts,
    File,
    Link,
    Note,
    Portable,
    Reached,
    Removal,
    Standing,
    facts_to_json,
)

Json = dict[str, Any]
FORMAT = "glossator notes"
VERSION = 1
STATES: tuple[State, ...] = ("exact", "moved", "lost")
EVENTS = ("read", "finished", "restarted")


def is_native(data: Any) -> bool:
    """Tell whether parsed JSON is an export of this program."""
    return isinstance(data, dict) and data.get("format") == FORMAT


def to_text(portable: Portable) -> str:
    """Return the file."""
    titles = {f.file.sha256: f.file.title for f in portable.documents}
    data = {
        "format": FORMAT,
        "version": VERSION,
        "documents": [facts_to_json(f) for f in portable.documents],
        "collections": [{"name": name, "description": description} for name, description in portable.collections],
        "notes": [note_to_json(n, titles.get(n.home, "")) for n in portable.notes],
        "links": [
            {"source": x.source, "target": x.target, "relation": x.relation, "created": x.created}
            for x in portable.links
        ],
        "removed": [{"id": r.id, "at": r.at} for r in portable.removed],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def from_data(data: Json, path: str) -> Portable:
    """Return what a file holds.

    Raises:
        DamagedFile: a newer version of this program wrote it, or a value is missing or not what it should be.
    """
    top = Fields(data, path)
    if data.get("version") != VERSION:
        raise DamagedFile(
            f"{path}: version {data.get('version')!r} of this format is not known here",
            hint="upgrade glossator, or export again with the version that is here",
        )
    portable = Portable(
        documents=tuple(map(facts_from_fields, top.objects("documents"))),
        collections=tuple((x.text("name"), x.text("description")) for x in top.objects("collections")),
        notes=tuple(map(note_from_fields, top.objects("notes"))),
        links=tuple(map(_link, top.objects("links"))),
        removed=tuple(Removal(x.note("id"), x.time("at")) for x in top.objects("removed")),
    )
    check_files(portable, top)
    return portable


def check_files(portable: Portable, top: Fields) -> None:
    """Make sure that every file a note names is told of.

    Raises:
        DamagedFile: one is not.
    """
    told = {f.file.sha256 for f in portable.documents}
    for note in portable.notes:
        if {note.home, *(s.sha256 for s in note.standings)} - told:
            raise top.wrong("documents", f"complete: note {note.id} is made in a file it does not name")


# --- a note ---------------------------------------------------------------------------------------------------------


def note_to_json(note: Note, title: str) -> Json:
    """Return the shape of a note; the title is for who reads the file."""
    return {
        "id": note.id,
        "document": {"sha256": note.home, "title": title},
        "quote": note.quote,
        "body": note.body,
        "color": note.color,
        "tags": list(note.tags),
        "created": note.created,
        "updated": note.updated,
        "origin": note.origin,
        **rest_to_json(note),
    }


def rest_to_json(note: Note) -> Json:
    """Return what of a note only this program has a use for: its surroundings, and where it stands."""
    return {
        "details": note.details,
        "before": note.before,
        "after": note.after,
        "locator": note.locator,
        "anchors": [
            {
                "document": s.sha256,
                "state": s.state,
                "score": s.score,
                "start": s.start,
                "end": s.end,
                "text_version": s.text_version,
            }
            for s in note.standings
        ],
    }


def note_from_fields(x: Fields) -> Note:
    """Return the note that `note_to_json` wrote.

    Raises:
        DamagedFile: a value is missing or not what it should be.
    """
    return Note(
        id=x.note("id"),
        home=x.inner("document").hash("sha256"),
        quote=x.text("quote"),
        body=x.text("body"),
        color=x.choice("color", COLORS),
        tags=x.texts("tags"),
        created=x.time("created"),
        updated=x.time("updated"),
        origin=x.text("origin"),
        **rest_from_fields(x),
    )


def rest_from_fields(x: Fields) -> Json:
    """Return the fields of a note that `rest_to_json` wrote."""
    return {
        "details": x.mapping("details"),
        "before": x.text("before"),
        "after": x.text("after"),
        "locator": x.mapping("locator"),
        "standings": tuple(map(_standing, x.objects("anchors"))),
    }


def _standing(x: Fields) -> Standing:
    state: State = x.choice("state", STATES)  # type: ignore[assignment]
    lost = state == "lost"
    start, end = (None, None) if lost else (x.integer("start"), x.integer("end"))
    if start is not None and end is not None and start >= end:
        raise x.wrong("end", "behind the start")
    return Standing(
        sha256=x.hash("document"),
        state=state,
        score=x.number("score"),
        start=start,
        end=end,
        text_version=x.optional("text_version"),
    )


def _link(x: Fields) -> Link:
    return Link(
        source=x.note("source"),
        target=x.note("target"),
        relation=x.choice("relation", RELATIONS),
        created=x.time("created"),
    )


# --- a document -----------------------------------------------------------------------------------------------------


def _file(x: Fields) -> File:
    identifiers = x.mapping("identifiers")
    if not all(isinstance(v, str) for v in identifiers.values()):
        raise x.wrong("identifiers", "an object of texts")
    return File(
        sha256=x.hash("sha256"),
        format=x.text("format"),
        title=x.text("title"),
        authors=x.texts("authors"),
        identifiers=tuple(identifiers.items()),
    )


def facts_from_fields(x: Fields) -> Facts:
    """Return what is known of a document.

    Raises:
        DamagedFile: a value is missing or not what it should be.
    """
    spoilers = None if x.data.get("spoilers") is None else x.choice("spoilers", ("hide", "show"))
    reached = None if x.data.get("progress") is None else _reached(x.inner("progress"))
    return Facts(
        file=_file(x),
        edited=_edited(x),
        details=x.mapping("details"),
        spoilers=spoilers,
        tags=x.texts("tags"),
        collections=x.texts("collections"),
        reached=reached,
        events=tuple(map(_event, x.objects("readings"))),
    )


def _edited(x: Fields) -> Json:
    given = x.mapping("edited")
    if set(given) - set(EDITABLE):
        raise x.wrong("edited", f"made of {', '.join(EDITABLE)}")
    inside = Fields(given, f"{x.where}, edited")
    for name in given:
        if name == "authors":
            inside.texts(name)
        elif name == "identifiers":
            inside.mapping(name)
        else:
            inside.optional(name)
    return given


def _reached(x: Fields) -> Reached:
    return Reached(
        position=x.integer("position"),
        read_to=x.integer("read_to"),
        finished=x.flag("finished"),
        updated=x.time("updated"),
        text_version=x.text("text_version"),
        words=x.text("words"),
    )


def _event(x: Fields) -> Event:
    return Event(
        at=x.time("at"),
        event=x.choice("event", EVENTS),
        position=x.integer("position"),
        read_to=x.integer("read_to"),
        share=x.number("share"),
    )
