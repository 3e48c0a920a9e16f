"""From names and a bound to a scope: which documents a call may see, and how far."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from glossator.errors import Ambiguous, NotFound
from glossator.library.bounds import cap_of, check_bound, notice_of
from glossator.library.reader import Means, Reader
from glossator.library.results import Bound
from glossator.store import collections as stored_collections
from glossator.store import documents as stored
from glossator.store import tags as stored_tags
from glossator.store.database import Database
from glossator.store.documents import StoredDocument
from glossator.store.progress import all_progress
from glossator.store.scope import Scope

LISTED = 8  # candidates in a message


@dataclass(frozen=True, slots=True)
class Names:
    """What a call is about, as it was named: documents, all of some collections, all with some tags, together."""

    documents: Sequence[str] = ()
    collections: Sequence[str] = ()
    tags: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoped:
    """What a call may see: a reader clipped to it, and the words that say what is hidden."""

    reader: Reader
    named: tuple[StoredDocument, ...] | None  # None: the whole library
    notice: str | None

    @property
    def documents(self) -> tuple[StoredDocument, ...]:
        """Return the documents of the scope; for the whole library they are read when asked for."""
        return tuple(self.reader.documents()) if self.named is None else self.named

    @property
    def only(self) -> StoredDocument:
        """Return the document, where exactly one was asked for."""
        (document,) = self.documents
        return document


def the_document(c: apsw.Connection, name: str) -> StoredDocument:
    """Return the one document that `name` means.

    Raises:
        NotFound: none; the hint names documents that are alike.
        Ambiguous: several; the hint lists them.
    """
    found = stored.find_documents(c, name)
    if len(found) == 1:
        return found[0]
    if found:
        more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
        raise Ambiguous(f"{name!r} fits {len(found)} documents", hint=f"say which: {_listed(found)}{more}")
    raise NotFound(f"no document is called {name!r}", hint=_alike(c, name))


def scoped(database: Database, names: Names, bound: Bound, *, means: Means) -> Scoped:
    """Return what may be seen of what is named; of all documents, when nothing is.

    Raises:
        UsageError: a position as bound without exactly one document.
        NotFound: a name that is not there, or fits several.
    """
    with database.read() as c:
        named = bool(names.documents or names.collections or names.tags)
        documents = documents_named(c, names) if named else _cappable(c, bound)
        only = names.documents and not (names.collections or names.tags)
        check_bound(bound, len(documents) if only else None)
        progress = all_progress(c)
        caps = {d.key: cap for d in documents if (cap := cap_of(d, progress.get(d.key), bound)) is not None}
        scope = Scope(documents=tuple(d.key for d in documents) if named else None, caps=caps)
        pages = {key: stored.pages(c, key) for key in list(caps)[:LISTED]}
        return Scoped(
            reader=Reader(
                database, scope, means=means, versions={d.key: d.text_version for d in documents if d.key in caps}
            ),
            named=tuple(documents) if named else None,
            notice=notice_of(documents, caps, pages),
        )


def _cappable(c: apsw.Connection, bound: Bound) -> list[StoredDocument]:
    """Return the documents that may have a cap: by progress all, else those begun or hidden by choice."""
    return stored.list_documents(c) if bound.up_to == "progress" else stored.list_unfinished(c)


def documents_named(c: apsw.Connection, names: Names) -> list[StoredDocument]:
    """Return the documents that are named, each once.

    Raises:
        NotFound: a name that is not there, or fits several.
    """
    found = {d.key: d for d in (the_document(c, name) for name in names.documents)}
    for name in names.collections:
        collection = stored_collections.get_collection(c, name)
        found |= {d.key: d for d in stored.list_documents(c, collection.key)}
    for name in names.tags:
        keys = sorted(stored_tags.tagged(c, stored_tags.get_tag(c, name).key) - found.keys())
        found |= {key: stored.get_document(c, key) for key in keys}
    return list(found.values())


def _listed(documents: Sequence[StoredDocument]) -> str:
    return "; ".join(f"{d.id} “{d.title}”" for d in documents[:LISTED])


def _alike(c: apsw.Connection, name: str) -> str:
    from difflib import get_close_matches

    documents = stored.list_documents(c)
    titles = {d.title.casefold(): d for d in documents}
    wanted = name.casefold()
    close = [titles[t] for t in get_close_matches(wanted, list(titles), n=3, cutoff=0.5)]
    close += [d for t, d in titles.items() if wanted in t and d not in close][:3]
    if close:
        return f"did you mean {_listed(close)}?"
    return (
        "`glossator list` shows what is there" if documents else "the library is empty; `glossator add PATH` fills it"
    )
