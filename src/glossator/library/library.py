"""The façade: what a person, a script or a server can ask of a library, as a table of contents.

Every method returns a value whose `to_json()` is the printed shape, and raises `GlossatorError` subclasses only.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from glossator.library.findings import Answer, Located, SearchResult, Verification
from glossator.library.results import (
    AddResult,
    BatchAnswer,
    Bound,
    CollectionList,
    Diagnosis,
    DocumentList,
    DocumentText,
    DocumentView,
    EditedDocument,
    Evaluation,
    IngestEvent,
    ModelList,
    ProgressView,
    Reading,
    Removed,
)

Mode = Literal["hybrid", "lexical", "vector"]
DEFAULT = Bound()


class Library:
    """A folder with one library file. Usable from several threads; several processes may hold one folder."""

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
        raise NotImplementedError

    def close(self) -> None:
        """Release the file."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    # -- documents

    def add(
        self,
        paths: Sequence[str],
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
        raise NotImplementedError

    def documents(self, collection: str | None = None) -> DocumentList:
        """Return all documents, or those of a collection, by title."""
        raise NotImplementedError

    def show(
        self, doc: str, *, pages: bool = False, preview: int | None = None, bound: Bound = DEFAULT
    ) -> DocumentView:
        """Return metadata, contents and how well the document was read; `preview` adds the raw text of a page."""
        raise NotImplementedError

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
        raise NotImplementedError

    def remove(self, doc: str, notes: Literal["keep", "delete"] = "keep") -> Removed:
        """Remove a document with everything derived from it. Files outside the library folder are never touched."""
        raise NotImplementedError

    def text(self, doc: str, *, bound: Bound = DEFAULT) -> DocumentText:
        """Return the canonical text up to the bound."""
        raise NotImplementedError

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
        raise NotImplementedError

    # -- finding

    def search(
        self,
        query: str,
        *,
        docs: Sequence[str] = (),
        collections: Sequence[str] = (),
        k: int = 10,
        mode: Mode = "hybrid",
        explain: bool = False,
        why_not: str | None = None,
        bound: Bound = DEFAULT,
    ) -> SearchResult:
        """Return the `k` best passages."""
        raise NotImplementedError

    def ask(
        self,
        question: str,
        *,
        docs: Sequence[str] = (),
        collections: Sequence[str] = (),
        selection: tuple[int, int] | None = None,
        model: str = "none",
        bound: Bound = DEFAULT,
    ) -> Answer:
        """Return an answer made of verbatim sentences with receipts, or an abstention."""
        raise NotImplementedError

    def locate(self, quote: str, *, docs: Sequence[str] = (), bound: Bound = DEFAULT) -> Located:
        """Return where a quotation stands, word for word or after declared repairs."""
        raise NotImplementedError

    def verify(self, path: str | Path, *, bound: Bound = DEFAULT) -> Verification:
        """Check every quotation of a file that this program, or a person, wrote."""
        raise NotImplementedError

    # -- reading position and collections

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
        raise NotImplementedError

    def collections(self) -> CollectionList:
        """Return all collections."""
        raise NotImplementedError

    def create_collection(self, name: str, description: str | None = None) -> CollectionList:
        """Make a collection."""
        raise NotImplementedError

    def add_to_collection(self, name: str, docs: Sequence[str]) -> CollectionList:
        """Put documents into a collection, which is made when it is not there."""
        raise NotImplementedError

    def remove_collection(self, name: str, docs: Sequence[str] = ()) -> CollectionList:
        """Take documents out of a collection, or remove the collection when none is named; documents stay."""
        raise NotImplementedError

    # -- upkeep

    def evaluate(
        self, docs: Sequence[str] = (), collections: Sequence[str] = (), queries: Path | None = None
    ) -> Evaluation:
        """Return retrieval figures over questions made from the user's own documents, or over those of a file."""
        raise NotImplementedError

    def models(self) -> ModelList:
        """Return the embedders that can be used here, and what each costs."""
        raise NotImplementedError

    def doctor(self, repair: bool = False, *, progress: Callable[[IngestEvent], None] | None = None) -> Diagnosis:
        """Check the library file, counts, models and the folder; with `repair`, rebuild derived data first."""
        raise NotImplementedError

    def batch(self, lines: Iterable[str]) -> Iterator[BatchAnswer]:
        """Answer JSON lines of reading commands one by one, in order; an error belongs to its line alone."""
        raise NotImplementedError
