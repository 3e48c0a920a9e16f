"""How far the reader may see, document by document: the one place where a `Bound` becomes caps and words.

The rules, in order:
    up_to N           [0, N) of the one document asked.
    up_to "progress"  each document up to its `read_to`; a book without progress is closed, unless `uncapped`.
    uncapped          everything.
    neither           documents whose spoilers are hidden, up to their `read_to`; by default that is an unfinished book
                      with progress. One that is hidden by choice and has no progress is closed.
A finished document is open under the last three.
"""

from collections.abc import Mapping, Sequence

from glossator.document.model import Page
from glossator.errors import UsageError
from glossator.library.results import Bound
from glossator.store.documents import StoredDocument
from glossator.store.progress import Progress

NAMED = 3  # documents named in a notice before it says "and N more"


def check_bound(bound: Bound, documents: int | None) -> None:
    """Refuse a bound that the call cannot have; `documents` is how many were named, None for the whole library.

    Raises:
        UsageError: a position that is negative, or without exactly one document.
    """
    if not isinstance(bound.up_to, int):
        return
    if documents != 1:
        raise UsageError(
            f"--up-to {bound.up_to} needs exactly one document",
            hint="name it with --doc; `--up-to progress` works for several",
        )
    if bound.up_to < 0:
        raise UsageError(f"--up-to {bound.up_to} is not a position", hint="positions count from 0")


def spoilers_of(document: StoredDocument, progress: Progress | None) -> str:
    """Return "hide" or "show": the choice made for the document, else the default."""
    if document.spoilers is not None:
        return document.spoilers
    unfinished = progress is not None and not progress.finished
    return "hide" if document.profile == "book" and unfinished else "show"


def cap_of(document: StoredDocument, progress: Progress | None, bound: Bound) -> int | None:
    """Return the first hidden position of a document, or None when nothing is hidden."""
    cap = _cap(document, progress, bound)
    return None if cap is None or cap >= document.characters else cap


def _cap(document: StoredDocument, progress: Progress | None, bound: Bound) -> int | None:
    if isinstance(bound.up_to, int):
        return bound.up_to
    if progress is not None and progress.finished:
        return None
    if bound.up_to == "progress":
        if progress is not None:
            return progress.read_to
        return 0 if document.profile == "book" and not bound.uncapped else None
    if bound.uncapped or spoilers_of(document, progress) == "show":
        return None
    return 0 if progress is None else progress.read_to


def notice_of(
    documents: Sequence[StoredDocument], caps: Mapping[int, int], pages: Mapping[int, Sequence[Page]]
) -> str | None:
    """Return what is hidden in words, naming up to three documents, or None when nothing is."""
    capped = [d for d in documents if d.key in caps]
    if not capped:
        return None
    parts = [_read_up_to(d, caps[d.key], pages.get(d.key, ())) for d in capped[:NAMED]]
    if len(capped) > NAMED:
        parts.append(f"and {len(capped) - NAMED} more documents only as far as they were read")
    return f"{'; '.join(parts)}. What comes later is hidden; --uncapped shows it."


def _read_up_to(document: StoredDocument, cap: int, pages: Sequence[Page]) -> str:
    if cap == 0:
        return f"{document.title}: nothing of it is read yet"
    page = next((p.number for p in reversed(pages) if p.start < cap), None)
    place = f"page {page}" if page is not None else f"{100 * cap // max(1, document.characters)}%"
    return f"{document.title}: read up to {place}"
