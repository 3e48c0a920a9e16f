"""The façade: what a person, a script or a server can ask of a library, as a table of contents.

Every method returns a value whose `to_json()` is the printed shape, and raises `GlossatorError` subclasses only. What
a method needs is imported when it is called: a search loads no parser, a listing no model.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from glossator.errors import UsageError
from glossator.library import place, views
from glossator.library.findings import Answer, Located, SearchResult, Verification
from glossator.library.reader import Means
from glossator.library.results import (
    AddResult,
    Bound,
    DocumentList,
    DocumentText,
    DocumentView,
    EditedDocument,
    IngestEvent,
    ProgressView,
    Reading,
    Removed,
)
from glossator.library.scoping import Names, Scoped, scoped, the_document
from glossator.store import collections as stored_collections
from glossator.store import documents as stored
from glossator.store import tags as stored_tags
from glossator.store.annotations import remove_notes_of
from glossator.store.database import Database, now, open_database

if TYPE_CHECKING:
    from glossator.embed import Embedder
    from glossator.index.snapshot import Indexes
    from glossator.library.analysis.analysis import Analysis
    from glossator.library.backup import Backups
    from glossator.library.exchange.exchange import Exchange
    from glossator.library.figures import Stats
    from glossator.library.memories import Memories
    from glossator.library.notes import Notes
    from glossator.library.originals import Item
    from glossator.library.prepare import Plan
    from glossator.library.sessions import Sessions
    from glossator.library.shelves import Shelves
    from glossator.library.upkeep import BatchAnswer, Diagnosis, Evaluation, ModelList
    from glossator.search.rewrite import Method, Say

Mode = Literal["hybrid", "lexical", "vector"]
DEFAULT = Bound()


class Library:
    """A folder with one library file. Usable from several threads; several processes may hold one folder."""

    def __init__(self, database: Database, *, embedder: str | None = None) -> None:
        """Take an open library file; `open` is the usual way."""
        self.database = database
        self._setting = embedder
        self._embedders: dict[str, Embedder] = {}
        self._indexes: Indexes | None = None
        self._lock = threading.RLock()

    @classmethod
    def open(
        cls, folder: Path | None = None, *, create: bool = True, embedder: str | None = None, readonly: bool = False
    ) -> Self:
        """Return the library in `folder` (else the platform's data folder), made when `create` and not there.

        `embedder` is a spec such as "builtin:minilm", "none" for a lexical library, None for a choice by language.

        Raises:
            NotFound: there is none, and `create` is False.
            StoreError: it cannot be read or written.
        """
        if folder is None:
            from glossator.config import default_library

            folder = default_library()
        return cls(open_database(folder, create=create, readonly=readonly), embedder=embedder)

    def close(self) -> None:
        """Release the file."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    # -- documents

    def add(
        self,
        paths: "str | Path | Sequence[str | Item]",
        *,
        collection: str | None = None,
        profile: Literal["auto", "book", "paper"] = "auto",
        wait: bool = True,
        glob: str | None = None,
        progress: Callable[[IngestEvent], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> AddResult:
        """Read files, folders and URLs into the library; one entry per file, a failing file stops no other.

        Raises:
            Cancelled: never; a cancelled add returns what was done with `interrupted` set.
        """
        from glossator.library import ingest
        from glossator.library.vectors import Hooks

        plan = self._plan(profile=profile, collection=collection, wait=wait)
        hooks = Hooks(progress or (lambda _: None), cancel or (lambda: False))
        documents, interrupted = ingest.add(self.database, _several(paths), plan, hooks, glob=glob)
        return AddResult(tuple(documents), interrupted)

    def documents(self, collection: str | None = None, *, tag: str | None = None) -> DocumentList:
        """Return all documents, or those of a collection or with a tag, by title."""
        with self.database.read() as c:
            key = None if collection is None else stored_collections.get_collection(c, collection).key
            found = sorted(stored.list_documents(c, key), key=lambda d: (d.title.casefold(), d.key))
            if tag is not None:
                name, tags = stored_tags.tag_name(tag), stored_tags.tags_of(c)
                found = [d for d in found if name in tags.get(d.key, ())]
            return DocumentList(views.entries(self.database, found))

    def show(
        self, doc: str, *, pages: bool = False, preview: int | None = None, bound: Bound = DEFAULT
    ) -> DocumentView:
        """Return metadata, contents and how well the document was read.

        Of its pages those that were read badly, with `pages` all; `preview` adds the raw text of a page.
        """
        return views.view(self.database, self.scope([doc], bound=bound), pages=pages, preview=preview)

    def edit(
        self,
        doc: str,
        *,
        title: str | None = None,
        authors: Sequence[str] | None = None,
        language: str | None = None,
        published: str | None = None,
    ) -> EditedDocument:
        """Change metadata; what is None stays."""
        given = {"title": title, "authors": authors, "language": language, "published": published}
        changes = {name: value for name, value in given.items() if value is not None}
        with self.database.write() as c:
            key = the_document(c, doc).key
            if changes:
                stored.set_metadata(c, key, **changes)
            (identifier,) = (stored.get_document(c, key).id,)
        return EditedDocument(self.show(identifier))

    def remove(self, doc: str, notes: Literal["keep", "delete"] = "keep") -> Removed:
        """Remove a document with everything derived from it. Files outside the library folder are never touched.

        Its notes are kept (listed as lost until the work is there again), or deleted with it.
        """
        with self.database.write() as c:
            document = the_document(c, doc)
            if notes == "delete":
                remove_notes_of(c, document.key, now())
            stored.remove_document(c, document.key)
        for kept in (self.database.folder / "originals").glob(f"{document.sha256}*"):
            kept.unlink(missing_ok=True)
        return Removed(document.id, "kept" if notes == "keep" else "deleted")

    def text(self, doc: str, *, bound: Bound = DEFAULT) -> DocumentText:
        """Return the canonical text up to the bound."""
        shown = self.scope([doc], bound=bound)
        document = shown.only
        return DocumentText(document.id, document.text_version, shown.reader.text(document.key), shown.notice)

    def read(
        self,
        doc: str,
        *,
        section: int | None = None,
        at: int | None = None,
        page: int | None = None,
        page_label: str | None = None,
        context: int = 1,
        bound: Bound = DEFAULT,
    ) -> Reading:
        """Return blocks: of a section with its subsections, of a page, around a position, or all.

        Raises:
            UsageError: two places at once, or a position out of range.
            NotFound: no such section or page.
        """
        shown = self.scope([doc], bound=bound)
        where = views.Place(section=section, at=at, page=page, page_label=page_label, context=context)
        blocks = views.blocks(shown.reader, shown.only.key, where)
        return Reading(shown.reader.open(shown.only.key).ref, tuple(blocks), shown.notice)

    # -- finding

    def search(
        self,
        query: str,
        *,
        docs: Sequence[str] = (),
        collections: Sequence[str] = (),
        tags: Sequence[str] = (),
        k: int = 10,
        mode: Mode = "hybrid",
        explain: bool = False,
        why_not: str | None = None,
        rewrite: "Method" = "none",
        say: "Say | None" = None,
        bound: Bound = DEFAULT,
    ) -> SearchResult:
        """Return the `k` best passages; `say` is the language model that a `rewrite` of the query needs."""
        from glossator.library import seek

        if mode not in ("hybrid", "lexical", "vector"):
            raise UsageError(f"no search mode {mode!r}", hint="one of hybrid, lexical, vector")
        if rewrite not in seek.METHODS:
            raise UsageError(f"no rewriting {rewrite!r}", hint=f"one of {', '.join(seek.METHODS)}")
        shown = self.scope(docs, collections, tags=tags, bound=bound)
        key = None if why_not is None else self._key(why_not)
        filters = seek.Filters(docs=docs, collections=collections) if explain else None
        rewriting = None if rewrite == "none" else seek.Rewrite(rewrite, say)
        how = seek.How(k=k, mode=mode, rewrite=rewriting)
        return seek.search(shown, query, how, filters=filters, why_not=key)

    def ask(
        self,
        question: str,
        *,
        docs: Sequence[str] = (),
        collections: Sequence[str] = (),
        tags: Sequence[str] = (),
        selection: tuple[int, int] | None = None,
        model: str = "none",
        bound: Bound = DEFAULT,
    ) -> Answer:
        """Return an answer made of verbatim sentences with receipts, or an abstention."""
        from glossator.library import asking

        if model != "none":
            raise UsageError(
                f"no model {model!r} can be used here", hint="--model none answers in the text's own words"
            )
        return asking.ask(self.scope(docs, collections, tags=tags, bound=bound), question, selection)

    def locate(self, quote: str, *, docs: Sequence[str] = (), bound: Bound = DEFAULT) -> Located:
        """Return where a quotation stands, word for word or after declared repairs."""
        from dataclasses import replace

        from glossator.library.locate import locate

        shown = self.scope(docs, bound=bound)
        return replace(locate(shown.reader, quote), notice=shown.notice)

    def verify(self, path: str | Path, *, bound: Bound = DEFAULT) -> Verification:
        """Check every quotation of a file that this program, or a person, wrote."""
        from glossator.library.claims import claims_of_file
        from glossator.library.verify import check

        claims = claims_of_file(Path(path))
        shown = self.scope((), bound=bound)
        return Verification(tuple(check(shown.reader, claims)), shown.notice)

    # -- reading position, conversations, collections

    def progress(
        self,
        doc: str,
        *,
        at: int | None = None,
        page: int | None = None,
        section: int | None = None,
        finished: bool = False,
        restart: bool = False,
        spoilers: Literal["hide", "show"] | None = None,
    ) -> ProgressView:
        """Return the reading position, after setting it when a place is given."""
        change = place.Change(at=at, page=page, section=section, finished=finished, restart=restart, spoilers=spoilers)
        if not change.empty:
            with self.database.write() as c:
                place.apply(c, the_document(c, doc), change)
        with self.database.read() as c:
            return place.progress_of(self.database, the_document(c, doc))

    @property
    def notes(self) -> "Notes":
        """Return the notes, highlights and their links."""
        from glossator.library.notes import Notes

        return Notes(self)

    def view(self, doc: str, at: int) -> ProgressView:
        """Note where the reader's view begins, and return the progress: see `place.look` for what grows."""
        with self.database.write() as c:
            place.look(c, the_document(c, doc), at)
        return self.progress(doc)

    def stats(self, docs: Sequence[str] = (), collections: Sequence[str] = (), tags: Sequence[str] = ()) -> "Stats":
        """Return counts of the library, or of some of its documents, and how they are read."""
        from glossator.library.figures import stats

        return stats(self.database, Names(docs, collections, tags))

    @property
    def analysis(self) -> "Analysis":
        """Return what can be said of documents without a language model."""
        from glossator.library.analysis.analysis import Analysis

        return Analysis(self)

    @property
    def exchange(self) -> "Exchange":
        """Return the ways out and in for notes and metadata."""
        from glossator.library.exchange.exchange import Exchange

        return Exchange(self)

    @property
    def sessions(self) -> "Sessions":
        """Return the conversations kept here."""
        from glossator.library.sessions import Sessions

        return Sessions(self.database)

    @property
    def memory(self) -> "Memories":
        """Return what the agent remembers across sessions."""
        from glossator.library.memories import Memories

        return Memories(self.database)

    @property
    def backups(self) -> "Backups":
        """Return the backups of this library."""
        from glossator.library.backup import Backups

        return Backups(self.database)

    @property
    def shelves(self) -> "Shelves":
        """Return collections and tags."""
        from glossator.library.shelves import Shelves

        return Shelves(self)

    # -- upkeep

    def evaluate(
        self, docs: Sequence[str] = (), collections: Sequence[str] = (), queries: Path | None = None
    ) -> "Evaluation":
        """Return retrieval figures over questions made from the user's own documents, or over those of a file."""
        from glossator.library.evaluation import evaluate

        return evaluate(self, docs, collections, queries)

    def models(self) -> "ModelList":
        """Return the embedders that can be used here, and what each costs."""
        from glossator.embed import available
        from glossator.library.upkeep import ModelList

        return ModelList(tuple(available()))

    def doctor(
        self,
        repair: bool = False,
        *,
        progress: Callable[[IngestEvent], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> "Diagnosis":
        """Check the library file, counts, models and the folder; with `repair`, rebuild derived data first."""
        from glossator.library import doctor, rebuild
        from glossator.library.upkeep import Diagnosis
        from glossator.library.vectors import Hooks

        plan = self._plan()
        checks = doctor.examine(self.database, plan)
        if repair:
            hooks = Hooks(progress or (lambda _: None), cancel or (lambda: False))
            problems = rebuild.rebuild(self.database, plan, hooks, everything=doctor.broken(checks))
            checks = [*doctor.examine(self.database, plan), doctor.repaired(problems)]
        return Diagnosis(tuple(checks))

    def batch(self, lines: Iterable[str]) -> "Iterator[BatchAnswer]":
        """Answer JSON lines of reading commands one by one, in order; an error belongs to its line alone."""
        from glossator.library.batch import answer_lines

        return answer_lines(self, lines)

    @property
    def embedder_setting(self) -> str | None:
        """Return the embedder it was opened with, for another process on the same library; None: by language."""
        return self._setting

    # -- what the parts below are given

    def embedder(self, spec: str) -> "Embedder":
        """Return a loaded embedder; each is loaded once.

        Raises:
            ModelError: it cannot be used here.
        """
        with self._lock:
            if spec not in self._embedders:
                from glossator.embed import load

                self._embedders[spec] = load(spec)
            return self._embedders[spec]

    def indexes(self) -> "Indexes":
        """Return the search indexes, refreshed by whoever asks them for a snapshot."""
        with self._lock:
            if self._indexes is None:
                from glossator.index.snapshot import Indexes

                self._indexes = Indexes(self.database)
            return self._indexes

    def identify(self, doc: str) -> str:
        """Return the id of the document that a name means.

        Raises:
            NotFound: none, or several.
        """
        with self.database.read() as c:
            return the_document(c, doc).id

    def _key(self, doc: str) -> int:
        with self.database.read() as c:
            return the_document(c, doc).key

    def _means(self) -> Means:
        return Means(self.indexes, None if self._setting == "none" else self.embedder)

    def _plan(
        self, *, profile: Literal["auto", "book", "paper"] = "auto", collection: str | None = None, wait: bool = True
    ) -> "Plan":
        from glossator.embed import choose
        from glossator.library.prepare import Plan

        return Plan(
            choose=lambda language: choose(language, self._setting),
            load=self.embedder,
            profile=profile,
            collection=collection,
            wait=wait,
            setting=self._setting,
        )

    def scope(
        self, docs: Sequence[str], collections: Sequence[str] = (), *, tags: Sequence[str] = (), bound: Bound
    ) -> Scoped:
        """Return a reader of the named documents (all, when none are named), clipped to the bound.

        Raises: as `scoping.scoped`.
        """
        return scoped(self.database, Names(docs, collections, tags), bound, means=self._means())


def _several(paths: "str | Path | Sequence[str | Item]") -> "Sequence[str | Item]":
    return [str(paths)] if isinstance(paths, str | Path) else paths
