"""Collections and tags: how a person sorts documents. Removing either leaves the documents where they are."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from glossator.errors import NotFound, UsageError
from glossator.library.results import AddResult, CollectionList, CollectionView, DocumentRef, IngestEvent
from glossator.library.scoping import the_document
from glossator.store import collections as stored
from glossator.store import documents as stored_documents
from glossator.store import tags as stored_tags
from glossator.store.collections import Collection
from glossator.store.documents import StoredDocument
from glossator.store.tags import Tag

if TYPE_CHECKING:
    from glossator.library.library import Library

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TagView:
    """A tag: `documents` is how many have it."""

    name: str
    documents: int

    def to_json(self) -> Json:
        """Return the entry of `tags`."""
        return {"name": self.name, "documents": self.documents}


@dataclass(frozen=True, slots=True)
class TagList:
    """Tags by name; after a change, the one that changed."""

    tags: tuple[TagView, ...]

    def to_json(self) -> Json:
        """Return the JSON of `tag`."""
        return {"tags": [t.to_json() for t in self.tags]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What a scan of a folder found: what was added, what is missing since, what is back."""

    collection: CollectionView
    added: AddResult
    missing: tuple[DocumentRef, ...] = ()
    back: tuple[DocumentRef, ...] = ()

    def to_json(self) -> Json:
        """Return the JSON of `collection scan`."""
        return {
            "collections": [self.collection.to_json()],
            **self.added.to_json(),
            "missing": [d.to_json() for d in self.missing],
            "back": [d.to_json() for d in self.back],
        }


class Shelves:
    """The collections and tags of a library."""

    def __init__(self, library: "Library") -> None:
        """Take the library."""
        self.library = library
        self.database = library.database

    def collections(self) -> CollectionList:
        """Return all collections."""
        with self.database.read() as c:
            return CollectionList(tuple(map(_collection, stored.list_collections(c))))

    def create(
        self, name: str, description: str | None = None, *, folder: str | Path | None = None, glob: str | None = None
    ) -> CollectionList:
        """Make a collection; with `folder` it follows that folder's files, as `scan` finds them.

        One that is there takes the new description and folder, where they are given.

        Raises:
            UsageError: the name is empty, or a glob without a folder.
            NotFound: there is no such folder.
        """
        if glob is not None and folder is None:
            raise UsageError("a glob needs a folder", hint="give the folder with --folder")
        if folder is not None and not Path(folder).is_dir():
            raise NotFound(f"{folder}: no such folder", hint="check the spelling of the path")
        with self.database.write() as c:
            made = stored.create_collection(c, name)
            if description is not None:
                stored.describe_collection(c, made.key, description)
            if folder is not None:
                stored.set_folder(c, made.key, os.path.abspath(folder), glob)
            return _one(c, made.name)

    def add(self, name: str, docs: Sequence[str]) -> CollectionList:
        """Put documents into a collection, which is made when it is not there."""
        with self.database.write() as c:
            collection = stored.create_collection(c, name)
            stored.add_members(c, collection.key, [the_document(c, d).key for d in docs])
            return _one(c, collection.name)

    def remove(self, name: str, docs: Sequence[str] = ()) -> CollectionList:
        """Take documents out of a collection, or remove the collection when none is named; documents stay."""
        with self.database.write() as c:
            collection = stored.get_collection(c, name)
            if not docs:
                stored.remove_collection(c, collection.key)
                return CollectionList((_collection(collection),))
            stored.remove_members(c, collection.key, [the_document(c, d).key for d in docs])
            return _one(c, name)

    def scan(
        self,
        name: str,
        *,
        wait: bool = True,
        progress: Callable[[IngestEvent], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Scan:
        """Add what is new or changed in the folder of a collection, and note what is missing there.

        Files that went away leave their documents in the library and in the collection, with the status `missing`.

        Raises:
            NotFound: there is no such collection, or its folder is gone: then nothing is changed.
            UsageError: it follows no folder.
        """
        from glossator.library import presence

        with self.database.read() as c:
            collection = stored.get_collection(c, name)
            before = presence.missing(stored_documents.list_documents(c, collection.key))
        folder = collection.folder
        if folder is None:
            raise UsageError(
                f"the collection {collection.name!r} follows no folder",
                hint=f"`glossator collection create {collection.name!r} --folder DIR` gives it one",
            )
        if not Path(folder).is_dir():
            raise NotFound(
                f"{folder}: the folder of the collection {collection.name!r} is gone",
                hint="connect its disk, or give it another one with `glossator collection create NAME --folder DIR`",
            )
        added = self.library.add(
            [folder], collection=collection.name, glob=collection.glob, wait=wait, progress=progress, cancel=cancel
        )
        with self.database.read() as c:
            members = [d for d in stored_documents.list_documents(c, collection.key) if presence.below(d, folder)]
        presence.check(self.database, members)
        with self.database.read() as c:
            gone, back = presence.changes(before, stored_documents.list_documents(c, collection.key))
            view = _collection(stored.get_collection(c, collection.name))
        return Scan(collection=view, added=added, missing=_refs(gone), back=_refs(back))

    def tags(self) -> TagList:
        """Return the tags of documents, by name."""
        with self.database.read() as c:
            return TagList(tuple(map(_tag, stored_tags.list_tags(c))))

    def tag(self, name: str, docs: Sequence[str]) -> TagList:
        """Give documents a tag.

        Raises:
            UsageError: the name is empty.
            NotFound: a document that is not there; then nothing is changed.
        """
        with self.database.write() as c:
            keys = [the_document(c, d).key for d in docs]
            stored_tags.tag_documents(c, stored_tags.ensure_tag(c, name), keys)
            return TagList((_tag(stored_tags.get_tag(c, name)),))

    def untag(self, name: str, docs: Sequence[str] = ()) -> TagList:
        """Take a tag from documents, or from all when none is named; return it as it is now.

        Raises:
            NotFound: no document has the tag, or a document is not there.
        """
        with self.database.write() as c:
            tag = stored_tags.get_tag(c, name)
            stored_tags.untag_documents(c, tag.key, [the_document(c, d).key for d in docs] if docs else None)
            left = len(stored_tags.tagged(c, tag.key))
            return TagList((TagView(tag.name, left),))


def _one(c: apsw.Connection, name: str) -> CollectionList:
    return CollectionList((_collection(stored.get_collection(c, name)),))


def _collection(collection: Collection) -> CollectionView:
    return CollectionView(
        collection.name, collection.description or None, collection.documents, collection.folder, collection.glob
    )


def _tag(tag: Tag) -> TagView:
    return TagView(tag.name, tag.documents)


def _refs(documents: Sequence[StoredDocument]) -> tuple[DocumentRef, ...]:
    return tuple(DocumentRef(d.id, d.title, d.sources[0] if d.sources else None) for d in documents)
