"""Sketches: by a few hundred numbers, how much of one text is in another.

The content of a text (see `fold`) is cut into all its overlapping pieces; a sketch is the pieces whose hash is small,
about one in a thousand, more of a short text. Of two texts the smaller share decides what is compared, so a chapter is
known to be in its book. Works for scripts with and without spaces.

Source: fractional MinHash (L. Irber et al., "Lightweight compositional analysis of metagenomes with FracMinHash").
"""

from dataclasses import dataclass

import numpy as np

from glossator.document.fold import fold

_PIECE = 16  # characters of content
_ONE_IN = 1_000  # pieces of a long text
_AT_LEAST = 256  # pieces, about, of a shorter one
_RANGE = 1 << 62  # hashes are below it: they fit a signed 64-bit integer
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, slots=True)
class Sketch:
    """The hashes below `limit` of a text's pieces, ascending."""

    limit: int
    hashes: tuple[int, ...]


def sketch(text: str) -> Sketch:
    """Return the sketch of a text; a text of fewer than 16 characters of content has an empty one."""
    content = fold(text).text
    points = np.frombuffer(content.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    pieces = len(points) - _PIECE + 1
    if pieces <= 0:
        return Sketch(_RANGE, ())
    hashes = np.zeros(pieces, dtype=np.uint64)
    for k in range(_PIECE):
        hashes = hashes * _FIRST + points[k : k + pieces]
    hashes ^= hashes >> np.uint64(29)
    hashes *= _SECOND
    hashes ^= hashes >> np.uint64(32)
    hashes >>= np.uint64(2)
    limit = int(_RANGE * min(1.0, max(1 / _ONE_IN, _AT_LEAST / pieces)))
    return Sketch(limit, tuple(np.unique(hashes[hashes < np.uint64(limit)]).tolist()))
