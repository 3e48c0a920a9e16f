"""The analyses of the façade: `library.analysis`. Each needs no language model, and works under a bound."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glossator.library.analysis.values import Arguments, Comparison, Contrast, Map, People, Quotations, Summary
from glossator.library.results import Bound

if TYPE_CHECKING:
    from glossator.library.library import Library

DEFAULT = Bound()


class Analysis:
    """What can be said of documents in their own words and by counting."""

    def __init__(self, library: "Library") -> None:
        """Read the documents of `library`."""
        self._library = library

    def summary(self, doc: str, *, section: int | None = None, bound: Bound = DEFAULT) -> Summary:
        """Return a document, or a section of it, in its own sentences; under a bound, the story so far.

        Raises:
            NotFound: no such document or section, or it begins past the bound.
        """
        from glossator.library.analysis.summary import summary

        return summary(self._library.scope([doc], bound=bound), section)

    def people(self, doc: str, *, bound: Bound = DEFAULT) -> People:
        """Return the names of a document with their first places, and its concepts where it tells no story."""
        from glossator.library.analysis.people import people

        return people(self._library.scope([doc], bound=bound))

    def compare(
        self, claim: str, *, docs: Sequence[str] = (), collections: Sequence[str] = (), bound: Bound = DEFAULT
    ) -> Comparison:
        """Return what documents say to a claim: passages that support it, contradict it, or mention it.

        Raises:
            UsageError: there is no claim.
        """
        from glossator.library.analysis.compare import compare

        return compare(self._library.scope(docs, collections, bound=bound), claim)

    def map(self, doc: str, *, bound: Bound = DEFAULT) -> Map:
        """Return a document as a tree of its contents and key points."""
        from glossator.library.analysis.outline import outline

        return outline(self._library.scope([doc], bound=bound))

    def arguments(self, doc: str, *, section: int | None = None, bound: Bound = DEFAULT) -> Arguments:
        """Return the claims, reasons, examples, objections and conclusions of a document or a section.

        Raises:
            NotFound: no such document or section, or it begins past the bound.
        """
        from glossator.library.analysis.arguments import arguments

        return arguments(self._library.scope([doc], bound=bound), section)

    def quotations(self, doc: str, k: int = 10, *, bound: Bound = DEFAULT) -> Quotations:
        """Return up to `k` sentences of a document that are worth remembering."""
        from glossator.library.analysis.arguments import quotations

        return quotations(self._library.scope([doc], bound=bound), k)

    def compare_sections(self, first: tuple[str, int], second: tuple[str, int], *, bound: Bound = DEFAULT) -> Contrast:
        """Return two sections, each named by document and number, side by side.

        Raises:
            NotFound: no such document or section, or it begins past the bound.
        """
        from glossator.library.analysis.contrast import compare_sections

        scopes = [self._library.scope([doc], bound=bound) for doc, _ in (first, second)]
        return compare_sections(scopes[0], scopes[1], (first[1], second[1]))
