"""Writing documents: identity, metadata, sources, content. Reading is in `catalogue` and `content`, passed on here.

A document keeps its `key` (an integer, never reused) and its `id` (short, printable) for life, also when a changed file
replaces its content. What a person edited is not overwritten by what a new parse says.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack, cast

import apsw

from glossator.document.codec import metadata_to_json
from glossator.document.model import Document, Metadata, clean
from glossator.errors import UsageError
from glossator.store.anchors import anchor_arrival, reanchor_notes, release_notes
from glossator.store.catalogue import (
    ID_DIGITS,
    Spoilers,
    Status,
    StoredDocument,
    by_sha256,
    by_source,
    count_pending,
    find_documents,
    get_document,
    get_documents,
    list_documents,
    list_unfinished,
)
from glossator.store.chunks import drop_chunks
from glossator.store.content import (
    blocks_and_text,
    blocks_between,
    dump,
    full_text,
    insert_content,
    pages,
    running_blocks,
    sections,
    text_slice,
)
from glossator.store.database import now
from glossator.store.editions import refresh_edition
from glossator.store.progress import reanchor_progress
from glossator.store.sessions import reanchor_reaches
from glossator.store.sql import Row, row, value

__all__ = [
    "Filing",
    "StoredDocument",
    "add_source",
    "blocks_and_text",
    "blocks_between",
    "by_sha256",
    "by_source",
    "count_pending",
    "find_documents",
    "full_text",
    "get_document",
    "get_documents",
    "insert_document",
    "list_documents",
    "list_unfinished",
    "pages",
    "remove_document",
    "remove_source",
    "replace_content",
    "running_blocks",
    "sections",
    "set_embedder",
    "set_metadata",
    "set_spoilers",
    "set_status",
    "text_slice",
]

ID_LENGTH = 8  # characters of a document id
_LANGUAGE = re.compile(r"[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*")  # BCP 47, what is well-formed; not what is registered
_EDITABLE = ("title", "authors", "language", "published", "identifiers")


class Filing(TypedDict, total=False):
    """What is known of a document besides its text. `embedder` is a spec, None for none."""

    sha256: str
    sources: Sequence[str]
    profile: str
    status: Status
    embedder: str | None


def insert_document(c: apsw.Connection, document: Document, **filing: Unpack[Filing]) -> int:
    """Write a new document without chunks (see `insert_chunks`, in the same transaction); return its key.

    `sha256` is required; `profile` is the document's own if not given, `status` "ready", `embedder` None.
    """
    sha256 = filing["sha256"]
    time = now()
    c.execute(
        "insert into document(id, sha256, format, title, authors, language, published, identifiers, status, profile,"
        " added, updated) values (?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            _new_id(c, sha256),
            sha256,
            document.format,
            *_metadata_row(document.metadata),
            filing.get("status", "ready"),
            filing.get("profile", document.profile),
            time,
            time,
        ),
    )
    key = c.last_insert_rowid()
    for uri in filing.get("sources", ()):
        add_source(c, key, uri)
    insert_content(c, key, document, filing.get("embedder"))
    anchor_arrival(c, key, document)
    return key


def replace_content(c: apsw.Connection, key: int, document: Document, **filing: Unpack[Filing]) -> None:
    """Put a new parse in the place of the old one: text, blocks, chunks, vectors and postings of the old one go.

    The document keeps key, id, sources, collections and what a person edited; its progress is re-anchored. What
    `filing` leaves out stays as it was; `sources` are added to those known.
    """
    before = get_document(c, key)
    old = full_text(c, key)
    drop_chunks(c, key)
    c.execute("delete from content where document = ?", (key,))
    edited = set(json.loads(value(c, "select edited from document where key = ?", (key,))))
    for name, parsed in zip(_EDITABLE, _metadata_row(document.metadata), strict=True):
        if name not in edited:
            c.execute(f"update document set {name} = ? where key = ?", (parsed, key))
    c.execute(
        "update document set sha256 = ?, format = ?, status = ?, profile = ?, updated = ? where key = ?",
        (
            filing.get("sha256", before.sha256),
            document.format,
            filing.get("status", before.status),
            filing.get("profile", before.profile),
            now(),
            key,
        ),
    )
    for uri in filing.get("sources", ()):
        add_source(c, key, uri)
    insert_content(c, key, document, filing.get("embedder", before.embedder))
    reanchor_progress(c, key, old, document)
    reanchor_notes(c, key, old, document)
    reanchor_reaches(c, before.id, old, before.text_version, document)


def remove_document(c: apsw.Connection, key: int) -> None:
    """Remove a document and all that belongs to it: content, chunks, vectors, postings, progress, memberships.

    Its notes stay, with what is known of it as their edition.
    """
    refresh_edition(c, key)
    release_notes(c, key)
    drop_chunks(c, key)
    c.execute("delete from document where key = ?", (key,))


def add_source(c: apsw.Connection, key: int, uri: str) -> None:
    """Note that a document is (also) at this path or URL; a source that belonged to another document moves."""
    c.execute(
        "insert into source(uri, document) values (?, ?) on conflict(uri) do update set document = excluded.document",
        (uri, key),
    )


def remove_source(c: apsw.Connection, uri: str) -> None:
    """Forget a path or URL."""
    c.execute("delete from source where uri = ?", (uri,))


def set_metadata(c: apsw.Connection, key: int, **changes: Any) -> None:
    """Write what a person says of a document: title, authors, language, published or identifiers (pairs or mapping).

    Raises:
        UsageError: another name, an empty title, or a language that is no tag.
    """
    for name, given in changes.items():
        if name not in _EDITABLE:
            raise UsageError(f"a document has no field {name!r}", hint=f"fields are: {', '.join(_EDITABLE)}")
        if name == "title" and not str(given).strip():
            raise UsageError("a document needs a title", hint="give one that is not empty")
        if name == "language" and not _LANGUAGE.fullmatch(str(given)):
            raise UsageError(f"{given!r} is not a language tag", hint="give one such as en, zh-Hant or pt-BR (BCP 47)")
        c.execute(f"update document set {name} = ? where key = ?", (_stored(name, given), key))
    edited = set(json.loads(value(c, "select edited from document where key = ?", (key,))))
    c.execute(
        "update document set edited = ?, updated = ? where key = ?", (dump(sorted(edited | changes.keys())), now(), key)
    )


def set_spoilers(c: apsw.Connection, key: int, spoilers: Spoilers | None) -> None:
    """Write whether the unread part of a document is hidden; None leaves it to the default."""
    c.execute("update document set spoilers = ? where key = ?", (spoilers, key))


def set_status(c: apsw.Connection, key: int, status: Status) -> None:
    """Write whether a document is ready, quarantined (kept, not searched), or missing at its sources."""
    c.execute("update document set status = ? where key = ?", (status, key))


def set_embedder(c: apsw.Connection, key: int, embedder: str | None) -> None:
    """Give a document another embedder (a spec) or none: its vectors go, and the new ones are pending."""
    document = get_document(c, key)
    first, chunks = document.first_chunk, document.chunks
    c.execute("delete from vector where chunk >= ? and chunk < ?", (first, first + chunks))
    state = "none" if embedder is None else "pending" if chunks else "ready"
    c.execute("update content set embedder = ?, vectors = ? where document = ?", (embedder, state, key))
    c.execute("insert into change(operation, first, chunks) values ('reset', ?, ?)", (first, chunks))


def _metadata_row(metadata: Metadata) -> Row:
    values = metadata_to_json(metadata)
    return tuple(_stored(name, values[name]) for name in _EDITABLE)


def _stored(name: str, value: Any) -> Any:
    if name == "authors":
        names: Sequence[str] = [value] if isinstance(value, str) else value
        return dump([clean(a) for a in names])
    if name == "identifiers":
        pairs = value.items() if isinstance(value, Mapping) else cast(Sequence[tuple[str, str]], value)
        return dump({clean(scheme): clean(v) for scheme, v in pairs})
    if name == "title":
        return " ".join(line.strip() for line in clean(value).splitlines() if line.strip())
    return clean(value) if isinstance(value, str) else value


def _new_id(c: apsw.Connection, sha256: str) -> str:
    """The first digits of the bytes' hash, in base 32; where those are taken, of the hash of that hash, and so on."""
    number = int(sha256, 16) >> max(0, len(sha256) * 4 - 5 * ID_LENGTH)
    while True:
        digits = "".join(ID_DIGITS[number >> shift & 31] for shift in range(5 * ID_LENGTH - 5, -1, -5))
        if row(c, "select 1 from document where id = ?", (digits,)) is None:
            return digits
        number = int.from_bytes(hashlib.sha256(digits.encode()).digest())
