"""Postings of a run of chunks as one immutable value, and as the bytes of one row.

A segment is made when a document is added, before the transaction that writes it; neighbouring segments are merged
later. It knows its chunks by their place in it: which id the first one has is told when it is loaded, since ids are
given out only inside the transaction.

Limits: a term occurs at most 255 times in a chunk and a chunk counts at most 65,535 terms (what is above is counted as
that much); terms are kept as 64-bit hashes, so there is no search by prefix and no list of terms.
"""

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from glossator.errors import StoreError
from glossator.index.ranges import Mask
from glossator.index.tokens import TOKENIZER, counted

MOST_TIMES = 255
LONGEST = 0xFFFF
_MAGIC = b"GLS1"
_HEADER = struct.Struct("<4sIIII")  # magic, tokenizer, terms, postings, chunks


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Segment:
    """Postings of the chunks `[first, first + chunks)`, grouped by term.

    The postings of `terms[i]` are `local[offsets[i]:offsets[i + 1]]` (chunk id less `first`, ascending) and the `times`
    beside them. `length` is each chunk's number of counted terms; 0 where no chunk has that id.
    """

    first: int
    terms: npt.NDArray[np.uint64]  # hashes, ascending
    offsets: npt.NDArray[np.uint32]
    local: npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
    times: npt.NDArray[np.uint8]
    length: npt.NDArray[np.uint16]

    @property
    def chunks(self) -> int:
        """How many ids the segment spans."""
        return len(self.length)

    @property
    def end(self) -> int:
        """The id after its last one."""
        return self.first + len(self.length)

    def find(self, terms: npt.NDArray[np.uint64]) -> list[tuple[int, int, int]]:
        """Return for each of `terms` (hashes) that occurs its place among them, and its postings' start and stop."""
        if not len(self.terms):
            return []
        at = np.minimum(self.terms.searchsorted(terms), len(self.terms) - 1)
        there = np.flatnonzero(self.terms[at] == terms)
        at = at[there]
        return list(zip(there.tolist(), self.offsets[at].tolist(), self.offsets[at + 1].tolist(), strict=True))

    def dump(self) -> bytes:
        """Return the segment as bytes; `load` is the inverse."""
        head = _HEADER.pack(_MAGIC, TOKENIZER, len(self.terms), len(self.local), self.chunks)
        return head + b"".join(a.tobytes() for a in (self.terms, self.offsets, self.local, self.length, self.times))


def load(data: bytes, first: int) -> Segment:
    """Return the segment that `dump` wrote, its first chunk having the id `first`.

    The arrays are views of `data` where it is aligned.

    Raises:
        StoreError: the bytes are no segment, or the terms of another version of this program.
    """
    try:
        magic, tokenizer, terms, postings, chunks = _HEADER.unpack_from(data)
        if (magic, tokenizer) != (_MAGIC, TOKENIZER):
            raise StoreError(
                "the search index of this library was made by another version of glossator",
                hint="`glossator doctor --repair` makes it again from the texts",
            )
        at = _HEADER.size
        parts: list[npt.NDArray[Any]] = []
        for kind, count in (
            (np.uint64, terms),
            (np.uint32, terms + 1),
            (_local_type(chunks), postings),
            (np.uint16, chunks),
            (np.uint8, postings),
        ):
            view = np.frombuffer(data, np.dtype(kind).newbyteorder("<"), count, at)
            parts.append(view if view.flags.aligned else view.copy())  # else every look-up would copy all of it
            at += view.nbytes
    except (struct.error, ValueError) as error:
        raise StoreError(
            f"the search index of this library is damaged: {error}",
            hint="`glossator doctor --repair` makes it again from the texts",
        ) from error
    return Segment(first=first, terms=parts[0], offsets=parts[1], local=parts[2], length=parts[3], times=parts[4])


def build(token_lists: Sequence[list[str]], first: int = 0) -> Segment:
    """Return the segment of consecutive chunks, one list of `tokens` for each."""
    keys: list[int] = []
    times: list[int] = []
    distinct: list[int] = []
    for terms in token_lists:
        counts = Counter(terms)
        keys.extend(map(term_hash, counts))
        times.extend(counts.values())
        distinct.append(len(counts))
    local = np.repeat(np.arange(len(distinct), dtype=np.uint32), distinct)
    length = np.array([min(max(counted(t), 1), LONGEST) for t in token_lists], np.uint16)
    limited = np.minimum(np.array(times, np.int64), MOST_TIMES).astype(np.uint8)
    return _packed(first, np.array(keys, np.uint64), local, limited, length)


def merge(segments: Sequence[Segment], live: Mask | None = None) -> Segment:
    """Return one segment for several in ascending order; chunks with `live[id]` false are left out."""
    first = segments[0].first
    length = np.zeros(segments[-1].end - first, np.uint16)
    keys, local, times = [], [], []
    for s in segments:
        shift = s.first - first
        keep = s.length > 0 if live is None else live[s.first : s.end]
        length[shift : shift + s.chunks] = np.where(keep, s.length, 0)
        kept = keep[s.local]
        keys.append(np.repeat(s.terms, s.offsets[1:] - s.offsets[:-1])[kept])
        local.append(s.local[kept].astype(np.uint32) + np.uint32(shift))
        times.append(s.times[kept])
    return _packed(first, np.concatenate(keys), np.concatenate(local), np.concatenate(times), length)


@lru_cache(maxsize=1 << 17)
def term_hash(term: str) -> int:
    """Return the 64-bit key of a term, the same in every process."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _packed(
    first: int,
    keys: npt.NDArray[np.uint64],
    local: npt.NDArray[np.uint32],
    times: npt.NDArray[np.uint8],
    length: npt.NDArray[np.uint16],
) -> Segment:
    order = np.argsort(keys, kind="stable")  # chunks come in order, so they stay ascending within a term
    keys = keys[order]
    terms, starts = np.unique(keys, return_index=True)
    return Segment(
        first=first,
        terms=terms,
        offsets=np.append(starts, len(keys)).astype(np.uint32),
        local=_narrowed(local[order], len(length)),
        times=times[order],
        length=length,
    )


def _narrowed(local: npt.NDArray[np.uint32], chunks: int) -> npt.NDArray[np.uint16] | npt.NDArray[np.uint32]:
    return local.astype(np.uint16) if _local_type(chunks) is np.uint16 else local


def _local_type(chunks: int) -> type[np.uint16] | type[np.uint32]:
    return np.uint16 if chunks <= 1 << 16 else np.uint32
