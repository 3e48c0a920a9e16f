"""What the library answers about notes, as values with the JSON that every surface prints."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from glossator.library.results import DocumentRef, Json, with_notice

if TYPE_CHECKING:
    from glossator.document.locator import Locator, State
    from glossator.document.model import Color
    from glossator.store.links import Relation


@dataclass(frozen=True, slots=True)
class Titled:
    """A document as a note names it: it may be gone from the library."""

    id: str
    title: str

    def to_json(self) -> Json:
        """Return id and title."""
        return {"id": self.id, "title": self.title}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLink:
    """A link as one of its notes sees it; `document` and `quote` of the other end where a single note is shown."""

    id: str
    relation: "Relation"
    direction: Literal["out", "in"]
    document: Titled | None = None
    quote: str | None = None

    def to_json(self) -> Json:
        """Return the entry of `links`."""
        shape: Json = {"id": self.id, "relation": self.relation, "direction": self.direction}
        if self.document is not None:
            shape |= {"document": self.document.to_json(), "quote": self.quote}
        return shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note or highlight; `locator` is None when it is lost.

    `occurrences` and `repairs` are known where it was just made from a quotation: how often those words stand in the
    document, and what had to be forgiven to find them.
    """

    id: str
    document: Titled
    quote: str
    body: str
    color: "Color"
    tags: tuple[str, ...]
    locator: "Locator | None"
    state: "State"
    score: float
    origin: str
    author: str | None
    links: tuple[NoteLink, ...]
    created: str
    updated: str
    occurrence: int | None = None
    occurrences: int | None = None
    repairs: tuple[str, ...] = ()
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of a note."""
        shape: Json = {
            "id": self.id,
            "document": self.document.to_json(),
            "kind": "note" if self.body else "highlight",
            "quote": self.quote,
            "body": self.body,
            "color": self.color,
            "tags": list(self.tags),
            "locator": None if self.locator is None else self.locator.to_json(),
            "state": self.state,
            "score": round(self.score, 3),
            "links": [link.to_json() for link in self.links],
            "origin": self.origin,
            "created": self.created,
            "updated": self.updated,
        }
        if self.author is not None:
            shape["author"] = self.author
        if self.occurrences is not None:
            shape |= {"occurrence": self.occurrence, "occurrences": self.occurrences, "repairs": list(self.repairs)}
        return with_notice(shape, self.notice)


@dataclass(frozen=True, slots=True)
class NoteList:
    """Notes, as far as they were asked for; `total` is how many there are."""

    notes: tuple[Note, ...]
    total: int
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `note list`."""
        return with_notice({"notes": [note.to_json() for note in self.notes], "total": self.total}, self.notice)


@dataclass(frozen=True, slots=True)
class RemovedNote:
    """A note that is gone, as it was."""

    note: Note

    def to_json(self) -> Json:
        """Return the JSON of `note remove`."""
        return {"removed": self.note.id} | self.note.to_json()


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """A note at one end of a link."""

    id: str
    document: Titled
    quote: str

    def to_json(self) -> Json:
        """Return the entry of `source` or `target`."""
        return {"id": self.id, "document": self.document.to_json(), "quote": self.quote}


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link with the words at both ends."""

    source: LinkEnd
    target: LinkEnd
    relation: "Relation"
    created: str

    def to_json(self) -> Json:
        """Return the entry of `links`."""
        return {
            "source": self.source.to_json(),
            "target": self.target.to_json(),
            "relation": self.relation,
            "created": self.created,
        }


@dataclass(frozen=True, slots=True)
class LinkTable:
    """Links between notes, oldest first."""

    links: tuple[LinkRow, ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `note links`."""
        return with_notice({"links": [link.to_json() for link in self.links]}, self.notice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage with what stands around it; `note` where a note was asked for."""

    document: DocumentRef
    locator: "Locator"
    text: str
    before: str
    after: str
    note: Note | None = None
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `open`."""
        shape: Json = {
            "document": self.document.to_json(),
            "locator": self.locator.to_json(),
            "text": self.text,
            "before": self.before,
            "after": self.after,
        }
        if self.note is not None:
            shape["note"] = self.note.to_json()
        return with_notice(shape, self.notice)
