"""Chunks, their vectors, and the ids that order everything.

The chunks of a document have contiguous ids, in reading order, and an id is never given out twice: a document, a
spoiler bound and a collection are ranges of ids, in SQL and in every index. All that changes what an index holds adds a
row to `change`; its number is the library's generation.

Text, chunks and postings are committed first, so a document can be searched at once; its vectors follow in batches,
each in a transaction of its own. A kill between two batches loses the second only: `pending_chunks` says what is left.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import apsw

from glossator.store.content import dump
from glossator.store.sql import Row, row, rows, value

if TYPE_CHECKING:
    from glossator.chunker import Chunk
    from glossator.embed.base import Fingerprint


VectorRow = tuple[int, int, int, int, bytes]  # chunk, window, start, end, values as little-endian float16


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRow:
    """A stored chunk: `[start, end)` of the canonical text of the document with the key `document`."""

    id: int
    document: int
    start: int
    end: int
    kind: str
    section: int | None  # its number
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEmbedder:
    """An embedder that has vectors in the library; `spec` names it as users do, and is there once."""

    key: int
    spec: str
    fingerprint: "Fingerprint"


def insert_chunks(
    c: apsw.Connection, key: int, chunks: Sequence["Chunk"], segment: bytes, *, settings: str = ""
) -> tuple[int, int]:
    """Write all chunks of a document and the postings of their texts (`lexical.build(...).dump()`).

    `settings` is the fingerprint of what made the chunks. Returns the id of the first chunk and their number.

    Raises:
        ValueError: the chunks are not in reading order (by `start`); bounds depend on it.
    """
    n = len(chunks)
    if any(a.start > b.start for a, b in pairwise(chunks)):
        raise ValueError("chunks must be in the order of their starts")
    first = int(value(c, "select value from meta where key = 'next_chunk'"))
    c.execute("update meta set value = ? where key = 'next_chunk'", (first + n,))
    c.executemany(
        'insert into chunk(id, document, start, "end", kind, section, tokens) values (?,?,?,?,?,?,?)',
        ((first + i, key, x.start, x.end, x.kind, x.section, x.tokens) for i, x in enumerate(chunks)),
    )
    c.execute(
        "update content set first_chunk = ?, chunks = ?, longest_chunk = ?, chunker = ?,"
        " vectors = case when ?2 = 0 and vectors = 'pending' then 'ready' else vectors end where document = ?",
        (first, n, max((x.end - x.start for x in chunks), default=0), settings, key),
    )
    if n:
        c.execute("insert into lexical_segment(first, chunks, data) values (?,?,?)", (first, n, segment))
    c.execute("insert into change(operation, first, chunks) values ('add', ?, ?)", (first, n))
    return first, n


def drop_chunks(c: apsw.Connection, key: int) -> None:
    """Remove the chunks of a document with their vectors, and every segment of postings that holds no other's.

    In a merged segment their postings stay, ignored by every search, until it is merged again.
    """
    at = row(c, "select first_chunk, chunks from content where document = ? and chunks > 0", (key,))
    if at is None:
        return
    first, n = at
    c.execute("delete from vector where chunk >= ? and chunk < ?", (first, first + n))
    c.execute("delete from chunk where id >= ? and id < ?", (first, first + n))
    c.execute(
        "delete from lexical_segment where first <= ?1 and first + chunks > ?1 and not exists (select 1 from content t"
        " where t.document <> ?2 and t.chunks > 0 and t.first_chunk >= lexical_segment.first"
        " and t.first_chunk < lexical_segment.first + lexical_segment.chunks)",
        (first, key),
    )
    c.execute("insert into change(operation, first, chunks) values ('remove', ?, ?)", (first, n))


def chunk_rows(c: apsw.Connection, ids: Iterable[int]) -> list[ChunkRow]:
    """Return the chunks with these ids, in their order; an id that is gone is left out."""
    wanted = [int(i) for i in ids]
    there = rows(
        c,
        'select id, document, start, "end", kind, section, tokens from chunk'
        " where id in (select value from json_each(?))",
        (dump(wanted),),
    )
    found = {chunk[0]: chunk_row(chunk) for chunk in there}
    return [found[i] for i in wanted if i in found]


def chunks_of(c: apsw.Connection, key: int) -> list[ChunkRow]:
    """Return all chunks of a document, in reading order."""
    sql = 'select id, document, start, "end", kind, section, tokens from chunk where document = ? order by id'
    return [chunk_row(found) for found in rows(c, sql, (key,))]


def embedders(c: apsw.Connection) -> list[StoredEmbedder]:
    """Return the embedders that the library knows, oldest first."""
    from glossator.embed.base import Fingerprint

    found = rows(c, "select key, spec, model, sha256, dimension, rule from embedder order by key")
    return [
        StoredEmbedder(
            key=key,
            spec=spec,
            fingerprint=Fingerprint(model=model, sha256=sha256, dimension=dimension, rule=rule),
        )
        for key, spec, model, sha256, dimension, rule in found
    ]


def embedder_key(c: apsw.Connection, fingerprint: "Fingerprint", *, spec: str | None = None) -> int:
    """Return the key of an embedder, written down when it is new. `spec` names it as users do; default: its model.

    When the model behind a spec has changed, vectors of the former one can no longer be searched: they go, and the
    documents that have this embedder are pending again.
    """
    values = (spec or fingerprint.model, fingerprint.model, fingerprint.sha256, fingerprint.dimension, fingerprint.rule)
    sql = "select key from embedder where spec = ? and model = ? and sha256 = ? and dimension = ? and rule = ?"
    found = value(c, sql, values)
    if found is not None:
        return int(found)
    if value(c, "select 1 from embedder where spec = ?", values[:1]):
        c.execute("delete from embedder where spec = ?", values[:1])
        c.execute("update content set vectors = 'pending' where embedder = ? and chunks > 0", values[:1])
        c.execute("insert into change(operation, first, chunks) values ('reset', 0, 0)")
    c.execute("insert into embedder(spec, model, sha256, dimension, rule) values (?,?,?,?,?)", values)
    return c.last_insert_rowid()


def pending_chunks(
    c: apsw.Connection, embedder: int, *, document: int | None = None, limit: int = -1
) -> list[ChunkRow]:
    """Return chunks that wait for a vector of this embedder, in id order: all, or those of one document.

    They are the chunks of documents whose `embedder` is this embedder's spec and whose vectors are pending.
    """
    found = rows(
        c,
        'select x.id, x.document, x.start, x."end", x.kind, x.section, x.tokens from content t'
        " join chunk x on x.document = t.document where t.vectors = 'pending'"
        " and t.embedder = (select spec from embedder where key = ?1) and (?2 is null or t.document = ?2)"
        " and not exists (select 1 from vector v where v.chunk = x.id and v.embedder = ?1) order by x.id limit ?3",
        (embedder, document, limit),
    )
    return [chunk_row(chunk) for chunk in found]


def pending_documents(c: apsw.Connection) -> list[tuple[int, str]]:
    """Return (key, embedder spec) of the documents whose vectors are pending, in the order they were added."""
    sql = "select document, embedder from content where vectors = 'pending' order by document"
    return [(document, spec) for document, spec in rows(c, sql)]


def insert_vectors(c: apsw.Connection, embedder: int, vectors: Sequence[VectorRow]) -> int:
    """Write vectors: for each (chunk, window, start, end, float16 bytes) of unit length; return how many were written.

    `[start, end)` is what the window read, in positions of the canonical text. All windows of a chunk come in one call.
    Rows of chunks that are gone meanwhile are left out. A document whose chunks all have vectors becomes `ready`.
    """
    there = _existing(c, sorted({vector[0] for vector in vectors}))
    kept = [vector for vector in vectors if vector[0] in there]
    if not kept:
        return 0
    c.executemany(
        'insert or replace into vector(embedder, chunk, "window", start, "end", value) values (?,?,?,?,?,?)',
        ((embedder, *vector) for vector in kept),
    )
    for first, end in _runs(sorted(there)):
        c.execute(
            "insert into change(operation, first, chunks, embedder) values ('vectors', ?, ?, ?)",
            (first, end - first, embedder),
        )
    c.execute(
        "update content set vectors = 'ready' where vectors = 'pending' and document in"
        " (select document from chunk where id in (select value from json_each(?1)))"
        " and not exists (select 1 from chunk x where x.document = content.document"
        " and not exists (select 1 from vector v where v.chunk = x.id and v.embedder = ?2))",
        (dump(sorted(there)), embedder),
    )
    return len(kept)


def vector_rows(c: apsw.Connection, embedder: int, first: int = 0, end: int = 1 << 62) -> list[Row]:
    """Return (chunk, end of the window, float16 bytes) of an embedder's vectors of the chunks `[first, end)`."""
    whole = first <= 0 and end >= 1 << 62  # then in the order they were written, which is how they lie on disk
    where = "" if whole else " and chunk >= ? and chunk < ?"
    sql = f'select chunk, "end", value from vector where embedder = ?{where}'
    return rows(c, sql, (embedder,) if whole else (embedder, first, end))


def _existing(c: apsw.Connection, ids: Sequence[int]) -> set[int]:
    sql = "select id from chunk where id in (select value from json_each(?))"
    return {i for (i,) in rows(c, sql, (dump(ids),))}


def _runs(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the maximal ranges `[first, end)` of ascending ids."""
    start = previous = None
    for i in ids:
        if start is None or previous is None or i != previous + 1:
            if start is not None and previous is not None:
                yield start, previous + 1
            start = i
        previous = i
    if start is not None and previous is not None:
        yield start, previous + 1


def chunk_row(found: Row) -> ChunkRow:
    """Return a row of (id, document, start, end, kind, section, tokens) as a value."""
    i, document, start, end, kind, section, tokens = found
    return ChunkRow(id=i, document=document, start=start, end=end, kind=kind, section=section, tokens=tokens)
