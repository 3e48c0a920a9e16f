"""Collections: named sets of documents, made by the person."""

from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from glossator.document.model import clean
from glossator.errors import NotFound, UsageError
from glossator.store.database import now
from glossator.store.sql import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A named set of documents; `documents` is how many it holds. With `folder` it follows that folder's files."""

    key: int
    name: str
    description: str
    created: str
    documents: int
    folder: str | None = None
    glob: str | None = None


def list_collections(c: apsw.Connection) -> list[Collection]:
    """Return all collections, by name."""
    found = rows(
        c,
        "select key, name, description, created, (select count(*) from member where collection = key), folder, glob"
        " from collection order by name",
    )
    return [
        Collection(
            key=key, name=name, description=description, created=created, documents=documents, folder=folder, glob=glob
        )
        for key, name, description, created, documents, folder, glob in found
    ]


def get_collection(c: apsw.Connection, name: str) -> Collection:
    """Return a collection by its name.

    Raises:
        NotFound: there is none of that name; the hint lists those there are.
    """
    there = list_collections(c)
    for collection in there:
        if _tidy(collection.name) == _tidy(name):
            return collection
    names = ", ".join(x.name for x in there[:20]) or "none yet; `glossator collection create NAME` makes one"
    raise NotFound(f"there is no collection {name!r}", hint=f"collections: {names}")


def create_collection(c: apsw.Connection, name: str, description: str = "") -> Collection:
    """Make a collection, its name on one line; return it. One of that name that is there is returned as it is.

    Raises:
        UsageError: the name is empty.
    """
    name = _tidy(name)
    if not name:
        raise UsageError("a collection needs a name", hint="give one that is not empty")
    c.execute(
        "insert into collection(name, description, created) values (?,?,?) on conflict(name) do nothing",
        (name, clean(description), now()),
    )
    return get_collection(c, name)


def describe_collection(c: apsw.Connection, key: int, description: str) -> None:
    """Write what belongs into a collection."""
    c.execute("update collection set description = ? where key = ?", (clean(description), key))


def set_folder(c: apsw.Connection, key: int, folder: str, glob: str | None) -> None:
    """Let a collection follow the files of a folder (a path), those whose names match where a glob is given."""
    c.execute("update collection set folder = ?, glob = ? where key = ?", (clean(folder), glob, key))


def remove_collection(c: apsw.Connection, key: int) -> None:
    """Remove a collection; its documents stay in the library."""
    c.execute("delete from collection where key = ?", (key,))


def add_members(c: apsw.Connection, collection: int, documents: Iterable[int]) -> int:
    """Put documents (keys) into a collection; return how many were not in it before."""
    before = c.total_changes()
    c.executemany(
        "insert or ignore into member(collection, document) values (?,?)", ((collection, d) for d in documents)
    )
    return c.total_changes() - before


def remove_members(c: apsw.Connection, collection: int, documents: Iterable[int]) -> int:
    """Take documents (keys) out of a collection; return how many were in it."""
    before = c.total_changes()
    c.executemany("delete from member where collection = ? and document = ?", ((collection, d) for d in documents))
    return c.total_changes() - before


def members(c: apsw.Connection, collection: int) -> tuple[int, ...]:
    """Return the keys of the documents of a collection, ascending."""
    sql = "select document from member where collection = ? order by document"
    return tuple(key for (key,) in rows(c, sql, (collection,)))


def collections_of(c: apsw.Connection) -> dict[int, tuple[str, ...]]:
    """Return the names of the collections of every document that is in one, by document key."""
    found: dict[int, list[str]] = {}
    sql = "select m.document, x.name from member m join collection x on x.key = m.collection order by x.name"
    for document, name in rows(c, sql):
        found.setdefault(document, []).append(name)
    return {document: tuple(names) for document, names in found.items()}


def _tidy(name: str) -> str:
    return " ".join(clean(name).split())
