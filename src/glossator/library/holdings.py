"""What the index holds of each document: where it came from, how many passages, whether they have vectors."""

from collections.abc import Sequence
from dataclasses import dataclass

from glossator.library.results import Json
from glossator.store import collections as stored_collections
from glossator.store import documents as stored
from glossator.store.database import Database
from glossator.store.documents import StoredDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A document as the index holds it."""

    id: str
    title: str
    sources: tuple[str, ...]
    format: str
    status: str
    passages: int
    vectors: str
    added: str

    def to_json(self) -> Json:
        """Return the entry of `sources`."""
        return {
            "id": self.id,
            "title": self.title,
            "source": self.sources[0] if self.sources else None,
            "sources": list(self.sources),
            "format": self.format,
            "status": self.status,
            "passages": self.passages,
            "vectors": self.vectors,
            "added": self.added,
        }


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the index holds, by title."""

    sources: Sequence[Holding]

    def to_json(self) -> Json:
        """Return the JSON of `sources`: the documents, and their sums."""
        vectors = [h.vectors for h in self.sources]
        return {
            "sources": [h.to_json() for h in self.sources],
            "documents": len(self.sources),
            "passages": sum(h.passages for h in self.sources),
            "vectors": {state: vectors.count(state) for state in ("ready", "pending", "none")},
        }


def holdings(database: Database, collection: str | None = None) -> Holdings:
    """Return what the index holds of all documents, or of those of a collection.

    Raises:
        NotFound: there is no such collection.
    """
    with database.read() as c:
        key = None if collection is None else stored_collections.get_collection(c, collection).key
        found = sorted(stored.list_documents(c, key), key=lambda d: (d.title.casefold(), d.key))
    return Holdings([_holding(d) for d in found])


def _holding(document: StoredDocument) -> Holding:
    return Holding(
        id=document.id,
        title=document.title,
        sources=document.sources,
        format=document.format,
        status=document.status,
        passages=document.chunks,
        vectors=document.vectors,
        added=document.added,
    )
