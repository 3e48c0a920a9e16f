"""The indexes of a library in memory, brought up to date from the rows.

A `Snapshot` never changes; it carries the generation it was made at. `Indexes` makes a new one when the library has
moved on, from the read transaction it is given, so that what is found fits the texts read beside it. Words and vectors
are loaded when first asked for, each on its own: a search by words loads no vector.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

import apsw
import numpy as np

from glossator.index.lexical import Index
from glossator.index.ranges import Mask
from glossator.index.segment import Segment, load, merge
from glossator.index.vector import ExactVectors, VectorIndex, batch_of
from glossator.store.chunks import embedders, vector_rows
from glossator.store.database import Database
from glossator.store.scope import Visible
from glossator.store.sql import Row, rows, value

SMALL = 2_000  # up to so many chunks in scope, vectors are read for one search alone if none are in memory yet
LOG = 10_000  # changes kept for indexes to replay; those that were away for longer load everything
FAN = 8  # so many neighbouring segments of about one size become one


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The indexes as they were at a generation. `vectors` is by embedder spec; empty when none were asked for."""

    generation: int
    lexical: Index
    vectors: Mapping[str, VectorIndex]


@dataclass(frozen=True, slots=True)
class _Words:
    generation: int = -1
    segments: Mapping[int, Segment] = field(default_factory=dict)
    live: Mask = field(default_factory=lambda: np.zeros(1, np.bool_))
    index: Index = field(default_factory=lambda: Index(()))


@dataclass(frozen=True, slots=True)
class _Vectors:
    generation: int = -1
    by_spec: Mapping[str, ExactVectors] = field(default_factory=dict)


class Indexes:
    """The indexes of one library, shared by all threads of a process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._words = _Words()
        self._vectors = _Vectors()

    def snapshot(
        self, c: apsw.Connection | None = None, *, vectors: bool = True, visible: Visible | None = None
    ) -> Snapshot:
        """Return the indexes as of the read transaction `c`, or as of now without one.

        With `vectors` false none are loaded. With `visible`, and no vectors in memory yet, those of a small scope are
        read for this call alone. Another thread may have brought the indexes further than `c` sees; what they hold then
        lies outside the ranges of `resolve_scope(c, …)`, or is gone from its rows.

        Raises:
            StoreError: the postings are damaged, or of another version of this program.
        """
        if c is None:
            with self._database.read() as own:
                return self.snapshot(own, vectors=vectors, visible=visible)
        generation = self._database.generation(c)
        with self._lock:
            if self._words.generation < generation:
                self._words = _read_words(c, self._words, generation)
            words = self._words
            found: Mapping[str, VectorIndex] = {}
            if vectors and self._vectors.generation < 0 and visible is not None and _is_small(visible, words):
                found = _small(c, visible, words.live)
            elif vectors:
                if self._vectors.generation < generation:
                    self._vectors = _read_vectors(c, self._vectors, generation, words.live)
                found = self._vectors.by_spec
        return Snapshot(generation=words.generation, lexical=words.index, vectors=MappingProxyType(dict(found)))


def compact(database: Database) -> bool:
    """Merge one run of neighbouring segments, in a transaction of its own; return whether there was one to merge.

    Call it after adding, until it returns False. The merging itself is done before the transaction begins; if another
    process changed one of the segments meanwhile, nothing is written.

    Raises:
        LibraryBusy: another writer held the library for too long.
        StoreError: the postings are damaged, or the library cannot be written.
    """
    with database.read() as c:
        run = _due(rows(c, "select id, chunks from lexical_segment order by first"))
        if not run:
            return False
        marks = ",".join("?" * len(run))
        chosen = rows(c, f"select data, first from lexical_segment where id in ({marks}) order by first", run)
        merged = merge([load(data, first) for data, first in chosen], _read_live(c))
    data = merged.dump()
    with database.write() as c:
        if value(c, f"select count(*) from lexical_segment where id in ({marks})", run) < len(run):
            return True  # one is gone; look again
        c.execute(f"delete from lexical_segment where id in ({marks})", run)
        if merged.length.any():
            sql = "insert into lexical_segment(first, chunks, data) values (?,?,?)"
            c.execute(sql, (merged.first, merged.chunks, data))
        c.execute("delete from change where generation < (select max(generation) from change) - ?", (LOG,))
    return True


def _due(segments: list[Row]) -> list[int]:
    """The ids of the first `FAN` neighbours of the lowest size class that has so many, or none."""
    classes = [int(np.log(max(chunks, 1)) / np.log(FAN)) for _, chunks in segments]
    for limit in sorted(set(classes)):
        run: list[int] = []
        for (i, _), size in zip(segments, classes, strict=True):
            run = [*run, i] if size <= limit else []
            if len(run) == FAN:
                return run
    return []


def _read_words(c: apsw.Connection, before: _Words, generation: int) -> _Words:
    """Load the segments that are new, and make the index over those that are there."""
    present = {i: first for i, first in rows(c, "select id, first from lexical_segment")}
    segments = {i: s for i, s in before.segments.items() if i in present}
    for i in present.keys() - segments.keys():
        segments[i] = load(value(c, "select data from lexical_segment where id = ?", (i,)), present[i])
    live = _read_live(c)
    return _Words(generation, segments, live, Index(segments.values(), live))


def _read_live(c: apsw.Connection) -> Mask:
    """A bool for every chunk id that was ever given out: whether its document is there."""
    live = np.zeros(int(value(c, "select value from meta where key = 'next_chunk'")), np.bool_)
    for first, chunks in rows(c, "select first_chunk, chunks from content where chunks > 0"):
        live[first : first + chunks] = True
    return live


def _read_vectors(c: apsw.Connection, before: _Vectors, generation: int, live: Mask) -> _Vectors:
    """Replay what changed since, or load everything: at first, after a reset, when the log is too short."""
    changes = rows(
        c,
        "select operation, first, chunks, embedder from change where generation > ? order by generation",
        (before.generation,),
    )
    whole = len(changes) == generation - before.generation and before.generation >= 0
    if not whole or any(operation == "reset" for operation, *_ in changes):
        return _Vectors(generation, _all_vectors(c, live))
    by_spec = dict(before.by_spec)
    for embedder in embedders(c):
        mine = sorted(
            {(first, chunks) for op, first, chunks, key in changes if op == "vectors" and key == embedder.key}
        )
        found = [r for first, chunks in mine for r in vector_rows(c, embedder.key, first, first + chunks)]
        index = by_spec.get(embedder.spec)
        if index is None or index.embedder.key != embedder.key:
            index = ExactVectors(embedder, ())
        batches = [batch_of(found, embedder.fingerprint.dimension)] if found else []
        if batches and (index.holds_any(batches[0].chunks) or _overlap(mine)):
            return _Vectors(generation, _all_vectors(c, live))
        by_spec[embedder.spec] = index.extended(batches, live)
    return _Vectors(generation, by_spec)


def _all_vectors(c: apsw.Connection, live: Mask) -> dict[str, ExactVectors]:
    found: dict[str, ExactVectors] = {}
    for embedder in embedders(c):
        vectors = vector_rows(c, embedder.key)
        batches = [batch_of(vectors, embedder.fingerprint.dimension)] if vectors else []
        found[embedder.spec] = ExactVectors(embedder, batches, live)
    return found


def _is_small(visible: Visible, words: _Words) -> bool:
    """Say whether a scope is so much smaller than the library that loading everything does not pay."""
    return visible.span <= SMALL and words.index.chunks > 2 * SMALL


def _small(c: apsw.Connection, visible: Visible, live: Mask) -> dict[str, ExactVectors]:
    """The vectors of a scope, straight from the rows."""
    ranges = [*visible.ranges, *((p.id, p.id + 1) for p in visible.partial)]
    found: dict[str, ExactVectors] = {}
    for embedder in embedders(c):
        vectors = [r for first, end in ranges for r in vector_rows(c, embedder.key, first, end)]
        batches = [batch_of(vectors, embedder.fingerprint.dimension)] if vectors else []
        found[embedder.spec] = ExactVectors(embedder, batches, live)
    return found


def _overlap(ranges: list[tuple[int, int]]) -> bool:
    return any(a + n > b for (a, n), (b, _) in pairwise(ranges))
