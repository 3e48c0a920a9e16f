"""Vectors for the chunks that wait for them, batch by batch.

Each batch is one transaction, so a kill loses at most one batch and the next call goes on where it stopped: what waits
is found in the store, never remembered elsewhere. Two processes may do this at once; they repeat some work and agree.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glossator.errors import Cancelled, ModelError, NotFound
from glossator.library.results import IngestEvent
from glossator.store import chunks as stored_chunks
from glossator.store import documents as stored
from glossator.store.chunks import ChunkRow, VectorRow
from glossator.store.database import Database

if TYPE_CHECKING:
    from glossator.embed import Embedder

logger = logging.getLogger(__name__)
BATCH = 16  # windows in one transaction; a slow model takes about four seconds for them
Load = Callable[[str], "Embedder"]


@dataclass(frozen=True, slots=True)
class Hooks:
    """How a long work is watched: told of each step, asked before each whether to stop."""

    report: Callable[[IngestEvent], None] = lambda _: None
    cancelled: Callable[[], bool] = lambda: False

    def check(self) -> None:
        """Raise Cancelled when the person stopped the work."""
        if self.cancelled():
            raise Cancelled


@dataclass(frozen=True, slots=True)
class _Window:
    chunk: int
    number: int
    start: int
    end: int
    text: str


def finish_vectors(database: Database, load: Load, hooks: Hooks, *, first: Iterable[int] = ()) -> dict[str, ModelError]:
    """Compute all vectors that are pending, those of the documents `first` before others.

    Returns the embedders (by spec) that could not be used; their documents stay pending, and searchable by words.

    Raises:
        Cancelled: stopped between two batches; what was computed stays.
        StoreError: the library cannot be written.
    """
    failed: dict[str, ModelError] = {}
    wanted = set(first)
    with database.read() as c:
        waiting = sorted(stored_chunks.pending_documents(c), key=lambda pair: pair[0] not in wanted)
        total = sum(d.chunks for d in stored.list_documents(c) if d.vectors == "pending")
    done = 0
    for key, spec in waiting:
        if spec in failed:
            continue
        try:
            done = _embed_document(database, key, load(spec), spec, _Progress(hooks, done, total))
        except ModelError as error:
            logger.warning("%s: %s", spec, error)
            failed[spec] = error
    return failed


@dataclass(slots=True)
class _Progress:
    hooks: Hooks
    done: int
    total: int

    def step(self, title: str, chunks: int) -> None:
        self.done += chunks
        self.hooks.report(IngestEvent(title, "embedding", self.done, self.total))
        self.hooks.check()


def _embed_document(database: Database, key: int, embedder: "Embedder", spec: str, progress: _Progress) -> int:
    with database.write() as c:
        embedder_key = stored_chunks.embedder_key(c, embedder.fingerprint, spec=spec)
    with database.read() as c:
        try:
            document = stored.get_document(c, key)
        except NotFound:  # another process removed it meanwhile
            return progress.done
        rows = stored_chunks.pending_chunks(c, embedder_key, document=key)
        windows = [_windows_of(row, stored.text_slice(c, key, row.start, row.end), embedder) for row in rows]
    progress.step(document.title, document.chunks - len(rows))
    for batch in _batches(windows):
        vectors = _rows(embedder, [w for windows_of_chunk in batch for w in windows_of_chunk])
        with database.write() as c:
            stored_chunks.insert_vectors(c, embedder_key, vectors)
        progress.step(document.title, len(batch))
    return progress.done


def _windows_of(row: ChunkRow, text: str, embedder: "Embedder") -> list[_Window]:
    from glossator.embed import windows

    return [
        _Window(row.id, n, row.start + a, row.start + b, text[a:b]) for n, (a, b) in enumerate(windows(text, embedder))
    ]


def _batches(windows: Sequence[list[_Window]]) -> Iterator[list[list[_Window]]]:
    """Yield chunks of similar length, about `BATCH` windows at a time, the longest first: memory peaks at once."""
    batch: list[list[_Window]] = []
    size = 0
    for chunk in sorted(windows, key=lambda ws: -max(len(w.text) for w in ws)):
        if batch and size + len(chunk) > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(chunk)
        size += len(chunk)
    if batch:
        yield batch


def _rows(embedder: "Embedder", windows: Sequence[_Window]) -> list[VectorRow]:
    values = embedder.embed_passages([w.text for w in windows]).astype("<f2")
    return [(w.chunk, w.number, w.start, w.end, value.tobytes()) for w, value in zip(windows, values, strict=True)]
