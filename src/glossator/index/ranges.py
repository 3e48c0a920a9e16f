"""Ranges of chunk ids as arrays, for the scans of both indexes."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Range = tuple[int, int]  # `[first, end)`
Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def mask_of(ranges: Sequence[Range], end: int) -> Mask:
    """Return a bool for every id in `[0, end)`: whether a range holds it. The ranges ascend and do not touch."""
    edges = np.asarray(ranges, np.int64).reshape(-1, 2).clip(0, end)
    steps = np.zeros(end + 1, np.int8)
    np.add.at(steps, edges[:, 0], 1)
    np.add.at(steps, edges[:, 1], -1)
    return np.cumsum(steps[:end], dtype=np.int8).astype(np.bool_)


def distinct(ids: Ids) -> Ids:
    """Return the ids ascending, each once; `np.unique` would import `numpy.ma`, which a cold search can do without."""
    ids = np.sort(ids)
    return ids[np.append(True, ids[1:] != ids[:-1])] if len(ids) else ids


def top(ids: Ids, scores: npt.NDArray[np.float32], k: int) -> tuple[Ids, npt.NDArray[np.float32]]:
    """Return the `k` best by score, best first; among equals the smallest id first."""
    if len(ids) > k:
        edge = np.partition(scores, len(scores) - k)[len(scores) - k]
        keep = scores >= edge  # ties at the edge stay in, so that the ids decide
        ids, scores = ids[keep], scores[keep]
    order = np.lexsort((ids, -scores))[:k]
    return ids[order], scores[order]
