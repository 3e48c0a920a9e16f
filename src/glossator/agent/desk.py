"""The part of the façade that tools may use: every call is made under the bound of the run, none returns raw text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glossator.library.results import Bound, DocumentEntry, DocumentView, ProgressView

if TYPE_CHECKING:
    from glossator.library.library import Library


class Desk:
    """What lies on the desk of a run: the documents of its scope and what the person keeps about them.

    A tool that needs another part of the façade adds a method here, which passes the bound on.
    """

    def __init__(self, library: "Library", *, docs: Sequence[str] = (), bound: Bound) -> None:
        """Serve `docs` (ids; none: the whole library) under `bound`."""
        self._library = library
        self._docs = tuple(docs)
        self.bound = bound

    def covers(self, document: str) -> bool:
        """Return whether a document (its id) is in the scope of the run."""
        return not self._docs or document in self._docs

    def documents(self) -> list[DocumentEntry]:
        """Return the documents of the scope, by title."""
        return [d for d in self._library.documents().documents if self.covers(d.id)]

    def show(self, document: str) -> DocumentView:
        """Return what is known of a document, its contents as far as they may be shown."""
        return self._library.show(document, bound=self.bound)

    def progress(self, document: str) -> ProgressView:
        """Return how far a document was read."""
        return self._library.progress(document)
