"""What every embedder is: its protocol, its fingerprint, and the windows in which it reads a longer text."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from glossator.document.model import clean
from glossator.document.sentence import Span, sentences

Vectors = NDArray[np.float32]
Notice = Callable[[str], None]

BATCH = 16
WINDOW_OVERLAP = 0.1  # of the limit; a short sentence that leads over to the next window is in both


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What made a vector. Vectors of different fingerprints are never compared."""

    model: str
    sha256: str  # of the weights; of the service's address where the weights are elsewhere
    dimension: int
    rule: str  # prefix, pooling and normalisation


@runtime_checkable
class Embedder(Protocol):
    """A model that turns texts into unit vectors.

    `max_tokens` is the most of a text that is read whole, by the count of `count_tokens` (which leaves out what the
    model itself adds); None when there is no limit. `languages` are BCP 47 primary tags, `("*",)` for many.
    """

    @property
    def name(self) -> str:
        """Return the spec that loads it."""
        ...

    @property
    def fingerprint(self) -> Fingerprint:
        """Return what its vectors are stored under."""
        ...

    @property
    def max_tokens(self) -> int | None:
        """Return the most tokens it reads whole, or None."""
        ...

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages it is for."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, (n, dimension); no text may exceed `max_tokens` (see `windows`)."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector of a query, (dimension,); a query that is too long is read in windows."""
        ...


def by_length(
    texts: Sequence[str], dimension: int, embed: Callable[[list[str]], Vectors], batch: int = BATCH
) -> Vectors:
    """Return `embed` of all texts, called with `batch` texts of similar length at a time; rows in the given order."""
    rows = np.empty((len(texts), dimension), np.float32)
    order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
    for at in range(0, len(order), batch):
        part = order[at : at + batch]
        rows[part] = embed([clean(texts[i]) for i in part])
    return rows


def unit(rows: Vectors) -> Vectors:
    """Return the rows at length 1; a zero row stays zero."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: Vectors = np.asarray(rows / np.where(norms == 0, 1, norms), dtype=np.float32)
    return scaled


def query_in_windows(text: str, embedder: Embedder, embed: Callable[[list[str]], Vectors]) -> Vectors:
    """Return the vector of a query of any length: the mean over its windows, at length 1."""
    text = clean(text)  # what a terminal could not decode arrives as lone surrogates
    rows = embed([text[a:b] for a, b in windows(text, embedder)])
    mean: Vectors = unit(rows.mean(axis=0))
    return mean


def threads_for(asked: int | None) -> int:
    """Return how many threads to compute with: as asked, else one per core this process may use, at most four."""
    if asked is not None:
        return max(1, asked)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(4, cores or 1))


def address_hash(*parts: str) -> str:
    """Return a stand-in for the hash of weights that are elsewhere."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def windows(text: str, embedder: Embedder, language: str | None = None) -> list[Span]:
    """Return the spans of `text` that the embedder reads whole; together they hold everything but white space.

    A text within the limit is one window. A longer one is divided between sentences into windows of about one length,
    each repeating the last sentences of the one before it (up to a tenth of the limit); a sentence that is too long by
    itself is divided by tokens, at spaces where there are any.
    """
    limit = embedder.max_tokens
    if limit is None or (whole := embedder.count_tokens([text])[0]) <= limit:
        return [(0, len(text))]
    spans = [piece for span in sentences(text, language) for piece in _within(text, span, embedder, limit)]
    # Tokens of a whole can exceed the sum of its parts by one at each joint, where a space begins the next part.
    counts = [n + 1 for n in embedder.count_tokens([text[a:b] for a, b in spans])]
    return list(_packed(spans, counts, limit, aim=-(-whole // -(-whole // limit)))) or [(0, len(text))]


def _packed(spans: Sequence[Span], counts: Sequence[int], limit: int, *, aim: int) -> Iterator[Span]:
    """Yield windows that end once they hold `aim` tokens, and never hold more than `limit`."""
    first = 0
    while first < len(spans):
        end, total = first, 0
        while end < len(spans) and (end == first or (total < aim and total + counts[end] <= limit)):
            total += counts[end]
            end += 1
        yield spans[first][0], spans[end - 1][1]
        if end == len(spans):
            return
        first = _repeated(counts, first, end, min(limit * WINDOW_OVERLAP, limit - counts[end]))


def _repeated(counts: Sequence[int], first: int, end: int, room: float) -> int:
    """Return where the next window begins: before `end` by the sentences that fit into `room`."""
    start = end
    while start - 1 > first and counts[start - 1] <= room:
        start -= 1
        room -= counts[start]
    return start


def _within(text: str, span: Span, embedder: Embedder, limit: int) -> Iterator[Span]:
    """Yield `span`, or pieces of it that fit the limit."""
    start, end = span
    while embedder.count_tokens([text[start:end]])[0] >= limit:
        cut = _longest(text, start, end, embedder, limit)
        yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _longest(text: str, start: int, end: int, embedder: Embedder, limit: int) -> int:
    """Return the largest end of a piece from `start` that stays under the limit, moved back to a space if near."""
    low, high = start + 1, min(end, start + limit * 16)  # sixteen characters a token is beyond any prose
    while low < high:
        middle = (low + high + 1) // 2
        if embedder.count_tokens([text[start:middle]])[0] < limit:
            low = middle
        else:
            high = middle - 1
    space = max(text.rfind(c, start + 1, low) for c in " \n\t，、,;；")
    return space + 1 if space > start + (low - start) * 3 // 4 else low
