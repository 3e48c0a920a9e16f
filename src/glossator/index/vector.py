"""Vectors in memory, searched exactly.

One index per embedder; vectors of different embedders are never compared. A chunk that is longer than its embedder
reads has several windows, and scores by the best of them. Rows lie in batches ordered by chunk id, so a range of ids is
a slice of each batch.

`VectorIndex` is what the search knows; `ExactVectors` keeps 4 bytes per dimension in memory and multiplies all rows in
scope (about 15 ms for 100,000 rows of 384 dimensions on one core). An index of quantised rows can take its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from glossator.index.ranges import Ids, Mask, Range, mask_of, top
from glossator.store.chunks import StoredEmbedder
from glossator.store.scope import PartialChunk
from glossator.store.sql import Row

Vectors = npt.NDArray[np.float32]
GATHER = 0.3  # up to this share of a batch its rows are copied out, above it all are multiplied


class VectorIndex(Protocol):
    """What a search by vector needs of an index."""

    @property
    def embedder(self) -> StoredEmbedder:
        """Return what made the vectors; a query must be embedded by the same fingerprint."""
        ...

    def __len__(self) -> int:
        """Return the number of vectors."""
        ...

    def search(
        self, query: Vectors, k: int, ranges: Sequence[Range] | None = None, partial: Sequence[PartialChunk] = ()
    ) -> tuple[Ids, Vectors]:
        """Return ids and scores (cosine) of the best `k` chunks in `ranges` (None: everywhere), best first.

        Of the chunks in `partial` only windows count that end in their visible part.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Vectors that came together: `rows[i]` belongs to `chunks[i]` (ascending) and read up to position `ends[i]`."""

    chunks: Ids
    ends: Ids
    rows: Vectors


class ExactVectors:
    """A `VectorIndex` that multiplies the query with every row in scope. Never changes once made."""

    def __init__(self, embedder: StoredEmbedder, batches: Sequence[Batch], live: Mask | None = None) -> None:
        """Take batches that have no chunk in common, and a bool for every chunk id: whether it is there; None: all."""
        self.embedder = embedder
        self.batches = tuple(_merged(batches))
        self.live = live

    def __len__(self) -> int:
        """Return the number of vectors, those of removed chunks included."""
        return sum(len(b.chunks) for b in self.batches)

    def search(
        self, query: Vectors, k: int, ranges: Sequence[Range] | None = None, partial: Sequence[PartialChunk] = ()
    ) -> tuple[Ids, Vectors]:
        """Return ids and scores (cosine) of the best `k` chunks in `ranges` (None: everywhere), best first."""
        parts = [p for b in self.batches if len((p := _scored(b, query, ranges, partial))[0])]
        if not parts or k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        ids = np.concatenate([p[0] for p in parts])
        scores = np.concatenate([p[1] for p in parts])
        if self.live is not None:
            there = _alive(ids, self.live)
            ids, scores = ids[there], scores[there]
        return top(ids, scores, k)

    def holds_any(self, chunks: Ids) -> bool:
        """Say whether there are vectors of one of these chunks."""
        return any(bool(np.isin(chunks, b.chunks).any()) for b in self.batches)

    def extended(self, batches: Sequence[Batch], live: Mask) -> "ExactVectors":
        """Return an index with more batches and another `live`, without the rows of chunks that are gone."""
        kept = [_without_dead(b, live) for b in self.batches]
        return ExactVectors(self.embedder, [*kept, *batches], live)


def batch_of(found: Sequence[Row], dimension: int) -> Batch:
    """Return the batch of rows (chunk, end of the window, float16 bytes), which may come in any order.

    Raises:
        ValueError: a row has not `dimension` values.
    """
    chunks = np.array([row[0] for row in found], np.int64)
    ends = np.array([row[1] for row in found], np.int64)
    values = np.frombuffer(b"".join([row[2] for row in found]), np.dtype(np.float16).newbyteorder("<"))
    rows = values.reshape(len(found), dimension).astype(np.float32)
    if len(chunks) > 1 and (chunks[1:] < chunks[:-1]).any():
        order = np.argsort(chunks, kind="stable")
        chunks, ends, rows = chunks[order], ends[order], rows[order]
    return Batch(chunks, ends, rows)


def _scored(
    batch: Batch, query: Vectors, ranges: Sequence[Range] | None, partial: Sequence[PartialChunk]
) -> tuple[Ids, Vectors]:
    """The chunks of a batch that may be seen, each with the score of its best window."""
    if ranges is None:
        return _best(batch.chunks, _cosines(batch.rows, query))
    cut = _cut_rows(batch, partial)
    if len(ranges) == 1 and not len(cut):
        a, b = batch.chunks.searchsorted(ranges[0]).tolist()
        return _best(batch.chunks[a:b], _cosines(batch.rows[a:b], query))
    seen = np.flatnonzero(mask_of(ranges, int(batch.chunks[-1]) + 1)[batch.chunks]) if ranges else cut[:0]
    rows = np.union1d(seen, cut) if len(cut) else seen
    if len(rows) > GATHER * len(batch.chunks):
        return _best(batch.chunks[rows], _cosines(batch.rows, query)[rows])
    return _best(batch.chunks[rows], _cosines(batch.rows[rows], query))


def _cosines(rows: Vectors, query: Vectors) -> Vectors:
    """The product of every row with the query, on one core: a threaded BLAS waits for its threads when others work too.

    Under load, 8,000 rows of 384 took 20 ms with `@`, and 2 ms so; on a quiet machine both take about 1 ms.
    """
    products: Vectors = np.vecdot(rows, query)
    return products


def _cut_rows(batch: Batch, partial: Sequence[PartialChunk]) -> Ids:
    """The rows of windows that lie in the visible part of a chunk that a bound cuts."""
    places: list[int] = []
    for chunk in partial:
        a, b = batch.chunks.searchsorted((chunk.id, chunk.id + 1)).tolist()
        places += [i for i in range(a, b) if batch.ends[i] <= chunk.visible_end]
    return np.array(places, np.int64)


def _best(chunks: Ids, scores: Vectors) -> tuple[Ids, Vectors]:
    """Each chunk once, with its best score; rows of one chunk stand together."""
    starts = np.flatnonzero(np.append(True, chunks[1:] != chunks[:-1])) if len(chunks) else chunks
    if len(starts) == len(chunks):
        return chunks, scores
    best: Vectors = np.maximum.reduceat(scores, starts)
    return chunks[starts], best


def _alive(ids: Ids, live: Mask) -> Mask:
    there: Mask = ids < len(live)
    there[there] = live[ids[there]]
    return there


def _without_dead(batch: Batch, live: Mask) -> Batch:
    """The batch without the rows of removed chunks, once they are worth a copy."""
    there = _alive(batch.chunks, live)
    if np.count_nonzero(there) * 4 > len(there) * 3:
        return batch
    return Batch(batch.chunks[there], batch.ends[there], batch.rows[there])


def _merged(batches: Sequence[Batch]) -> list[Batch]:
    """The batches, large ones first, with those joined that are of about one size: their number stays logarithmic."""
    out: list[Batch] = []
    for batch in sorted((b for b in batches if len(b.chunks)), key=lambda b: -len(b.chunks)):
        out.append(batch)
        while len(out) > 1 and len(out[-1].chunks) * 2 >= len(out[-2].chunks):
            out[-2:] = [_joined(out[-2], out[-1])]
    return out


def _joined(a: Batch, b: Batch) -> Batch:
    chunks = np.concatenate((a.chunks, b.chunks))
    order = np.argsort(chunks, kind="stable")
    ends, rows = np.concatenate((a.ends, b.ends)), np.concatenate((a.rows, b.rows))
    return Batch(chunks[order], ends[order], rows[order])
