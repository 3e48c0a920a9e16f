"""The documents of the library as values, and which one a name means."""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from glossator.document.model import Metadata, clean
from glossator.errors import NotFound
from glossator.sources.files import uri_of
from glossator.store.sql import Row, rows

Status = Literal["ready", "quarantined", "missing"]
Spoilers = Literal["hide", "show"]
SHORTEST_PREFIX = 4  # of an id, to name a document by it
ID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument:
    """A document as the library knows it; its chunks have the ids `[first_chunk, first_chunk + chunks)`."""

    key: int
    id: str
    sha256: str
    title: str
    authors: tuple[str, ...]
    language: str | None
    published: str | None
    identifiers: tuple[tuple[str, str], ...]
    format: str
    sources: tuple[str, ...]
    status: Status
    profile: str
    text_version: str
    characters: int
    parser: str
    chunker: str  # fingerprint of the settings its chunks were made with
    confidence: float
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    spoilers: Spoilers | None  # None: nobody chose
    added: str
    updated: str
    first_chunk: int
    chunks: int
    page_count: int | None
    section_count: int | None
    embedder: str | None
    vectors: Literal["ready", "pending", "none"]

    @property
    def metadata(self) -> Metadata:
        """The metadata as a value, edits included."""
        return Metadata(
            title=self.title,
            authors=self.authors,
            language=self.language,
            published=self.published,
            identifiers=self.identifiers,
        )


_COLUMNS = (
    "d.key, d.id, d.sha256, d.title, d.authors, d.language, d.published, d.identifiers, d.format,"
    " (select json_group_array(uri) from (select uri from source where document = d.key order by rowid)),"
    " d.status, d.profile, t.text_version, t.characters, t.parser, t.chunker, t.confidence, t.reasons, t.warnings,"
    " d.spoilers, d.added, d.updated, t.first_chunk, t.chunks, t.page_count, t.section_count, t.embedder, t.vectors"
)
_NAMES = (
    "key",
    "id",
    "sha256",
    "title",
    "authors",
    "language",
    "published",
    "identifiers",
    "format",
    "sources",
    "status",
    "profile",
    "text_version",
    "characters",
    "parser",
    "chunker",
    "confidence",
    "reasons",
    "warnings",
    "spoilers",
    "added",
    "updated",
    "first_chunk",
    "chunks",
    "page_count",
    "section_count",
    "embedder",
    "vectors",
)
_FROM = "from document d join content t on t.document = d.key"


def get_document(c: apsw.Connection, key: int) -> StoredDocument:
    """Return a document by its key.

    Raises:
        NotFound: it is not (or no longer) there.
    """
    found = _select(c, "where d.key = ?", (key,))
    if not found:
        raise NotFound(f"document {key} is not in the library", hint="`glossator list` shows what is there")
    return found[0]


def get_documents(c: apsw.Connection, keys: Iterable[int]) -> dict[int, StoredDocument]:
    """Return those of the documents that are there, by key."""
    found = _select(c, "where d.key in (select value from json_each(?))", (json.dumps(list(keys)),))
    return {document.key: document for document in found}


def list_documents(c: apsw.Connection, collection: int | None = None) -> list[StoredDocument]:
    """Return all documents, or those of a collection (its key), in the order they were added."""
    if collection is None:
        return _select(c, "order by d.key", ())
    where = "where d.key in (select document from member where collection = ?) order by d.key"
    return _select(c, where, (collection,))


def list_unfinished(c: apsw.Connection) -> list[StoredDocument]:
    """Return the documents of which something may be hidden: with progress, or hidden by choice."""
    where = "where d.key in (select document from progress) or d.spoilers = 'hide' order by d.key"
    return _select(c, where, ())


def count_pending(c: apsw.Connection, keys: Sequence[int] | None) -> tuple[int, int]:
    """Return how many documents wait for vectors, and how many there are; of `keys` only, where given."""
    sql = "select coalesce(sum(vectors = 'pending'), 0), count(*) from content"
    if keys is None:
        ((pending, total),) = rows(c, sql, ())
    else:
        where = " where document in (select value from json_each(?))"
        ((pending, total),) = rows(c, sql + where, (json.dumps(list(keys)),))
    return pending, total


def by_sha256(c: apsw.Connection, sha256: str) -> StoredDocument | None:
    """Return the document that was read from these bytes, or None."""
    found = _select(c, "where d.sha256 = ? order by d.key limit 1", (sha256,))
    return found[0] if found else None


def by_source(c: apsw.Connection, uri: str) -> StoredDocument | None:
    """Return the document that was read from this path or URL, or None."""
    found = _select(c, "where d.key = (select document from source where uri = ?)", (uri,))
    return found[0] if found else None


def find_documents(c: apsw.Connection, name: str) -> list[StoredDocument]:
    """Return what `name` may mean: one document, or several it fits equally, or none.

    Tried in order: id, unique id prefix of 4 characters or more, path or URL, exact title, unique title prefix. The
    first that fits one document decides; else the candidates of the first that fits several. Titles are compared
    without case and in Unicode normal form.
    """
    several: list[int] = []
    for attempt in (_by_id, _by_id_prefix, _by_path, _by_title, _by_title_prefix):
        keys = attempt(c, name)
        if len(keys) == 1:
            return [get_document(c, keys[0])]
        several = several or keys
    return [get_document(c, key) for key in several]


def _select(c: apsw.Connection, where: str, values: Sequence[Any]) -> list[StoredDocument]:
    return [_document(found) for found in rows(c, f"select {_COLUMNS} {_FROM} {where}", values)]


def _document(found: Row) -> StoredDocument:
    values: dict[str, Any] = dict(zip(_NAMES, found, strict=True))
    for name in ("authors", "sources", "reasons", "warnings"):
        values[name] = tuple(json.loads(values[name]))
    values["identifiers"] = tuple(json.loads(values["identifiers"]).items())
    return StoredDocument(**values)


def _by_id(c: apsw.Connection, name: str) -> list[int]:
    return _keys(c, "select key from document where id = ?", clean(name).lower())


def _by_id_prefix(c: apsw.Connection, name: str) -> list[int]:
    name = name.lower()
    if len(name) < SHORTEST_PREFIX or set(name) - set(ID_DIGITS):
        return []
    above = name[:-1] + chr(ord(name[-1]) + 1)
    return _keys(c, "select key from document where id >= ? and id < ? order by key", name, above)


def _by_path(c: apsw.Connection, name: str) -> list[int]:
    uris = (clean(name), uri_of(name) if "\0" not in name else "")
    return _keys(c, "select distinct document from source where uri in (?, ?) order by document", *uris)


def _by_title(c: apsw.Connection, name: str) -> list[int]:
    wanted = _folded(name)
    return [key for key, title in _titles(c) if _folded(title) == wanted]


def _by_title_prefix(c: apsw.Connection, name: str) -> list[int]:
    wanted = _folded(name)
    return [key for key, title in _titles(c) if wanted and _folded(title).startswith(wanted)]


def _keys(c: apsw.Connection, sql: str, *values: str) -> list[int]:
    return [key for (key,) in rows(c, sql, values)]


def _titles(c: apsw.Connection) -> list[Row]:
    return rows(c, "select key, title from document order by key")


def _folded(title: str) -> str:
    return " ".join(unicodedata.normalize("NFC", title).casefold().split())
