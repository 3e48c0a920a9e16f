"""The part of the façade that tools may use: every call is made under the bound of the run, none returns raw text."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

from glossator.agent.veil import Veil
from glossator.document.model import Color
from glossator.errors import NotFound, UsageError
from glossator.library.memories import Remembered
from glossator.library.note_reading import seen
from glossator.library.note_views import Note, NoteList
from glossator.library.originals import keep
from glossator.library.results import (
    AddedDocument,
    AddResult,
    Bound,
    CollectionList,
    DocumentEntry,
    DocumentView,
    IngestEvent,
    ProgressView,
    Removed,
)
from glossator.library.sessions import reach_under
from glossator.library.shelves import TagList
from glossator.store.links import Relation
from glossator.store.memory import Kind

if TYPE_CHECKING:
    from glossator.library.figures import Stats
    from glossator.library.library import Library
    from glossator.library.reader import Reader

ALL = Bound(uncapped=True)


class Hooks(TypedDict, total=False):
    """What hears of the progress of bringing in, and what stops it."""

    progress: Callable[[IngestEvent], None] | None
    cancel: Callable[[], bool] | None


class Desk:
    """What lies on the desk of a run: the documents of its scope and what the person keeps about them.

    A tool that needs another part of the façade adds a method here, which passes the bound on. Documents are named by
    their ids, which a tool has from `ToolContext.open`: what is not in the scope cannot be named.
    """

    def __init__(self, library: "Library", *, docs: Sequence[str] = (), bound: Bound) -> None:
        """Serve `docs` (ids; none: the whole library) under `bound`."""
        self._library = library
        self._docs = tuple(docs)
        self.bound = bound

    def covers(self, document: str) -> bool:
        """Return whether a document (its id) is in the scope of the run."""
        return not self._docs or document in self._docs

    @property
    def folder(self) -> Path:
        """Return the folder of the library, where no tool has anything to look for."""
        return self._library.database.folder

    @cached_property
    def everything(self) -> "Reader":
        """Return a reader of all documents, also those out of the scope: for checks, never to show text of."""
        return seen(self._library, self._docs, (), self.bound).reader

    @cached_property
    def veil(self) -> Veil:
        """Return what keeps hidden text out of what comes from elsewhere, for all documents of the library."""
        return Veil(self.everything)

    # -- documents and shelves

    def documents(self) -> list[DocumentEntry]:
        """Return the documents of the scope, by title."""
        return [d for d in self._library.documents().documents if self.covers(d.id)]

    def show(self, document: str) -> DocumentView:
        """Return what is known of a document, its contents as far as they may be shown."""
        return self._library.show(document, bound=self.bound)

    def progress(self, document: str) -> ProgressView:
        """Return how far a document was read."""
        return self._library.progress(document)

    def statistics(self, document: str | None = None) -> "Stats":
        """Return counts of the scope, or of one document, and how they are read."""
        return self._library.stats(self._docs if document is None else [document])

    def collections(self) -> CollectionList:
        """Return all collections."""
        return self._library.shelves.collections()

    def tags(self) -> TagList:
        """Return the tags of documents."""
        return self._library.shelves.tags()

    def collect(self, name: str, documents: Sequence[str], *, out: bool = False) -> None:
        """Put documents into a collection, or take them out."""
        shelves = self._library.shelves
        (shelves.remove if out else shelves.add)(name, documents)

    def tag(self, name: str, documents: Sequence[str], *, off: bool = False) -> None:
        """Give documents a tag, or take it off."""
        shelves = self._library.shelves
        (shelves.untag if off else shelves.tag)(name, documents)

    # -- bringing in, and taking out

    def add(self, source: str, *, collection: str | None = None, **hooks: Unpack[Hooks]) -> AddedDocument:
        """Bring a file or a page into the library; what holds text that is hidden is not kept.

        Raises:
            UsageError: it holds the text of a document that is not read yet, or is no single file.
        """
        return self._checked(self._library.add([source], collection=collection, **hooks))

    def add_text(
        self, text: str, title: str, *, collection: str | None = None, **hooks: Unpack[Hooks]
    ) -> AddedDocument:
        """Bring a text into the library as a document of its own; it is kept in the library's folder.

        Raises: as `add`.
        """
        page = f"# {' '.join(title.split())}\n\n{text.strip()}\n"
        return self.add(str(keep(self.folder, page.encode(), ".md")), collection=collection, **hooks)

    def _checked(self, result: AddResult) -> AddedDocument:
        if len(result.documents) != 1:
            raise UsageError("that is not one document", hint="bring in one file or page at a time")
        (added,) = result.documents
        fresh = added.id is not None and added.status in ("added", "quarantined")
        if added.id is not None and fresh and self.veil.active:
            text = self._library.text(added.id, bound=ALL).text
            if self.veil.over(text) != text:
                self._library.remove(added.id)
                raise UsageError(
                    f"“{added.title}” holds text that is not read yet; it was not kept",
                    hint="the person can add it with `glossator add`",
                )
        return added

    def remove(self, document: str, notes: Literal["keep", "delete"]) -> Removed:
        """Take a document of the scope out of the library."""
        return self._library.remove(document, notes)

    # -- notes

    def notes(
        self,
        *,
        document: str | None = None,
        query: str | None = None,
        tags: Sequence[str] = (),
        colors: Sequence[Color] = (),
        limit: int | None = None,
        offset: int = 0,
    ) -> NoteList:
        """Return notes of the scope, or of one document of it."""
        docs = self._docs if document is None else (document,)
        return self._library.notes.list(
            docs=docs, query=query, tags=tags, colors=colors, limit=limit, offset=offset, bound=self.bound
        )

    def note(self, name: str) -> Note:
        """Return a note of the scope by its id, or the beginning of it.

        Raises:
            NotFound: there is none in sight, or several begin so.
        """
        found = [n for n in self.notes().notes if n.id == name or (len(name) >= 4 and n.id.startswith(name))]
        if len(found) != 1:
            raise NotFound(f"no note {name!r} is in sight", hint="`list_notes` shows the ids of those that are")
        return found[0]

    def add_note(self, document: str, quote: str, *, body: str, color: Color, tags: Sequence[str]) -> Note:
        """Make a note at words of a document."""
        return self._library.notes.add(document, quote=quote, body=body, color=color, tags=tags, bound=self.bound)

    def write_on(self, note: str, body: str) -> Note:
        """Give a note of the scope another text."""
        return self._library.notes.edit(self.note(note).id, body=body, bound=ALL)

    def link(self, note: str, other: str, relation: Relation) -> None:
        """Link two notes of the scope."""
        self._library.notes.link(self.note(note).id, self.note(other).id, relation=relation, bound=ALL)

    # -- memory

    def remember(self, text: str, kind: Kind, document: str | None) -> Remembered:
        """Keep something in mind, with the bound it was learned under."""
        reach = reach_under(self._library.database, self._docs or None, self.bound)
        return self._library.memory.keep(text, kind=kind, doc=document, reach=reach)

    def memories(self) -> tuple[Remembered, ...]:
        """Return what is remembered, each with whether it comes from parts that are hidden now."""
        return self._library.memory.all(docs=self._docs, bound=self.bound)
