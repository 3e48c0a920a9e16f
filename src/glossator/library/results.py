"""What the library answers, as values. `to_json()` is the shape that every surface prints, key by key.

Shapes of documents, texts and progress stand here; those of passages, answers and receipts in `findings`, those of
models, checks, batches and figures in `upkeep`.
A `notice` says in words what was left out or is not ready; the key is there only when there is something to say
(a search always has it).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from glossator.document.locator import Locator
    from glossator.document.model import Metadata

Json = dict[str, Any]
AddStatus = Literal["added", "updated", "unchanged", "quarantined", "failed"]
Stage = Literal["reading", "parsing", "indexing", "embedding", "packing", "proving", "restoring"]


@dataclass(frozen=True, slots=True)
class Bound:
    """How far the caller may see.

    `up_to`: `[0, up_to)` of the one document asked, or "progress": each document up to where it was read.
    `uncapped` lifts the default of documents whose later parts are hidden. With neither, that default holds.
    """

    up_to: int | Literal["progress"] | None = None
    uncapped: bool = False


@dataclass(frozen=True, slots=True)
class IngestEvent:
    """One step of long work on `file`: `done` of `total` files are finished.

    When embedding, it is passages that are counted; of a backup, MiB.
    """

    file: str
    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document as it is named beside a passage."""

    id: str
    title: str
    source: str | None

    def to_json(self) -> Json:
        """Return id, title and source."""
        return {"id": self.id, "title": self.title, "source": self.source}


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedDocument:
    """What became of one file or URL."""

    source: str
    status: AddStatus
    id: str | None = None
    title: str | None = None
    format: str | None = None
    sections: int = 0
    chunks: int = 0
    pages: int | None = None
    language: str | None = None
    confidence: float = 0.0
    vectors: Literal["ready", "pending", "none"] = "none"
    warnings: tuple[str, ...] = ()
    error: Mapping[str, str] | None = None

    def to_json(self) -> Json:
        """Return the entry of `add`."""
        return {
            "id": self.id,
            "title": self.title,
            "source": self.source,
            "format": self.format,
            "status": self.status,
            "sections": self.sections,
            "chunks": self.chunks,
            "pages": self.pages,
            "language": self.language,
            "confidence": round(self.confidence, 4),
            "vectors": self.vectors,
            "warnings": list(self.warnings),
            "error": None if self.error is None else dict(self.error),
        }


@dataclass(frozen=True, slots=True)
class AddResult:
    """The outcome of `add`, file by file, in the order they were met. `interrupted`: stopped before the end."""

    documents: tuple[AddedDocument, ...]
    interrupted: bool = False

    @property
    def ok(self) -> bool:
        """Return False when something failed and nothing was added, updated, quarantined or there already."""
        return not any(d.status == "failed" for d in self.documents) or any(
            d.status != "failed" for d in self.documents
        )

    @property
    def changed(self) -> bool:
        """Return True when a document is new in the library or not as it was."""
        return any(d.status in ("added", "updated", "quarantined") for d in self.documents)

    def to_json(self) -> Json:
        """Return the JSON of `add`."""
        return {"documents": [d.to_json() for d in self.documents]}


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentEntry:
    """A line of the list of documents."""

    id: str
    title: str
    authors: tuple[str, ...]
    sources: tuple[str, ...]
    format: str
    language: str | None
    status: str
    confidence: float
    added: str
    progress: float | None
    read: str | None = None  # when it was read last
    finished: bool = False
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def ref(self) -> DocumentRef:
        """Return the short form."""
        return DocumentRef(self.id, self.title, self.sources[0] if self.sources else None)

    def to_json(self) -> Json:
        """Return the entry of `list`."""
        return {
            "id": self.id,
            "title": self.title,
            "authors": list(self.authors),
            "source": self.sources[0] if self.sources else None,
            "sources": list(self.sources),
            "format": self.format,
            "language": self.language,
            "status": self.status,
            "confidence": round(self.confidence, 4),
            "added": self.added,
            "progress": self.progress,
            "read": self.read,
            "finished": self.finished,
            "collections": list(self.collections),
            "tags": list(self.tags),
        }


@dataclass(frozen=True, slots=True)
class DocumentList:
    """The documents of the library, or of a collection."""

    documents: tuple[DocumentEntry, ...]

    def to_json(self) -> Json:
        """Return the JSON of `list`."""
        return {"documents": [d.to_json() for d in self.documents]}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsEntry:
    """An entry of the contents; what lies past the bound keeps its number and level, all else is None."""

    number: int
    level: int
    title: str | None
    start: int | None
    end: int | None
    page: int | None

    def to_json(self) -> Json:
        """Return the entry of `contents`."""
        return {
            "number": self.number,
            "level": self.level,
            "title": self.title,
            "start": self.start,
            "end": self.end,
            "page": self.page,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuality:
    """How well a page was read."""

    page: int
    confidence: float
    reasons: tuple[str, ...]
    status: str

    def to_json(self) -> Json:
        """Return the entry of `parse.pages`."""
        return {
            "page": self.page,
            "confidence": round(self.confidence, 4),
            "reasons": list(self.reasons),
            "status": self.status,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """Everything `show` says of a document."""

    entry: DocumentEntry
    metadata: "Metadata"
    contents: tuple[ContentsEntry, ...]
    parser: str
    text_version: str
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    pages: tuple[PageQuality, ...]
    indexed_characters: int
    characters: int
    quarantined_pages: tuple[int, ...]
    spoilers: str
    preview: tuple[int, str] | None = None  # page, its text as it was read
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `show`."""
        from glossator.document.codec import metadata_to_json

        shape: Json = {
            "id": self.entry.id,
            "metadata": metadata_to_json(self.metadata),
            "contents": [c.to_json() for c in self.contents],
            "parse": {
                "parser": self.parser,
                "text_version": self.text_version,
                "confidence": round(self.entry.confidence, 4),
                "reasons": list(self.reasons),
                "warnings": list(self.warnings),
                "pages": [p.to_json() for p in self.pages],
            },
            "coverage": {
                "indexed_characters": self.indexed_characters,
                "characters": self.characters,
                "quarantined_pages": list(self.quarantined_pages),
            },
            "spoilers": self.spoilers,
            "collections": list(self.entry.collections),
            "tags": list(self.entry.tags),
        }
        if self.preview is not None:
            shape["preview"] = {"page": self.preview[0], "text": self.preview[1]}
        return with_notice(shape, self.notice)


@dataclass(frozen=True, slots=True)
class EditedDocument:
    """A document after `edit`: what `show` and `list` say of it, in one."""

    view: DocumentView

    def to_json(self) -> Json:
        """Return the JSON of `edit`."""
        return self.view.entry.to_json() | self.view.to_json()


@dataclass(frozen=True, slots=True)
class Removed:
    """A document that is gone."""

    id: str
    notes: Literal["kept", "deleted"]

    def to_json(self) -> Json:
        """Return the JSON of `remove`."""
        return {"removed": self.id, "notes": self.notes}


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The canonical text, up to the bound."""

    id: str
    text_version: str
    text: str
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `text`."""
        return with_notice({"id": self.id, "text_version": self.text_version, "text": self.text}, self.notice)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockView:
    """A block with its place; positions of a running head or foot are None."""

    kind: str
    level: int | None
    start: int | None
    end: int | None
    text: str
    locator: "Locator | None"
    rows: tuple[tuple[str, ...], ...] | None = None

    def to_json(self) -> Json:
        """Return the entry of `blocks`."""
        shape: Json = {
            "kind": self.kind,
            "level": self.level,
            "start": self.start,
            "end": self.end,
            "text": self.text,
        }
        if self.rows is not None:
            shape["rows"] = [list(row) for row in self.rows]
        return shape | {"locator": None if self.locator is None else self.locator.to_json()}


@dataclass(frozen=True, slots=True)
class Reading:
    """Blocks of a document, in reading order."""

    document: DocumentRef
    blocks: tuple[BlockView, ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `read`."""
        return with_notice({"id": self.document.id, "blocks": [b.to_json() for b in self.blocks]}, self.notice)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressView:
    """Where the reader is: `position` of the view, `read_to` how far was read."""

    document: DocumentRef
    position: int
    read_to: int
    fraction: float
    section: int | None
    page: int | None
    finished: bool
    spoilers: str
    updated: str | None  # None: nothing was read yet

    def to_json(self) -> Json:
        """Return the JSON of `progress`."""
        return {
            "document": self.document.id,
            "position": self.position,
            "read_to": self.read_to,
            "fraction": self.fraction,
            "section": self.section,
            "page": self.page,
            "finished": self.finished,
            "spoilers": self.spoilers,
            "updated": self.updated,
        }


@dataclass(frozen=True, slots=True)
class CollectionView:
    """A collection: `documents` is how many are in it; `folder` is what it follows."""

    name: str
    description: str | None
    documents: int
    folder: str | None = None
    glob: str | None = None

    def to_json(self) -> Json:
        """Return the entry of `collections`; `folder` and `glob` where it follows one."""
        shape: Json = {"name": self.name, "description": self.description, "documents": self.documents}
        return shape if self.folder is None else shape | {"folder": self.folder, "glob": self.glob}


@dataclass(frozen=True, slots=True)
class CollectionList:
    """Collections by name; after a change, the one that changed."""

    collections: tuple[CollectionView, ...]

    def to_json(self) -> Json:
        """Return the JSON of `collection`."""
        return {"collections": [c.to_json() for c in self.collections]}


def with_notice(shape: Json, notice: str | None) -> Json:
    """Return the shape, with the notice when there is one."""
    return shape if notice is None else shape | {"notice": notice}


def joined(notices: Sequence[str | None]) -> str | None:
    """Return the distinct notices as one text, or None."""
    return " ".join(dict.fromkeys(n for n in notices if n)) or None
