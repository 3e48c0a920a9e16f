import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.index.ranges import mask_of
from glossator.index.vector import Batch, ExactVectors, VectorIndex, batch_of
from glossator.store.chunks import StoredEmbedder
from glossator.store.scope import PartialChunk
from tests.store.made import FINGERPRINT

EMBEDDER = StoredEmbedder(key=1, spec="test", fingerprint=FINGERPRINT)
DIMENSION = FINGERPRINT.dimension


def rows_for(chunks: list[int], seed: int = 1) -> list[tuple[int, int, bytes]]:
    """A random unit row for every chunk (twice: two windows), the n-th window of a chunk ending at 10 * n."""
    rng = np.random.default_rng(seed)
    out, count = [], dict.fromkeys(chunks, 0)
    for chunk in chunks:
        count[chunk] += 1
        vector = rng.standard_normal(DIMENSION).astype(np.float32)
        out.append((chunk, 10 * count[chunk], (vector / np.linalg.norm(vector)).astype("<f2").tobytes()))
    return out


def defined(rows: list[tuple[int, int, bytes]], query: np.ndarray) -> dict[int, float]:
    best: dict[int, float] = {}
    for chunk, _, value in rows:
        score = float(np.frombuffer(value, "<f2").astype(np.float32) @ query)
        best[chunk] = max(best.get(chunk, -2.0), score)
    return best


def query_of(seed: int) -> np.ndarray:
    vector = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return vector / np.linalg.norm(vector)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_a_chunk_scores_by_its_best_window_inside_the_scope(data: st.DataObject) -> None:
    parts = data.draw(st.lists(st.lists(st.integers(1, 40), max_size=30), max_size=5))
    seen: set[int] = set()
    batches: list[list[tuple[int, int, bytes]]] = []
    for n, part in enumerate(parts):
        chunks = [i for i in part if i not in seen]
        seen |= set(chunks)
        batches.append(rows_for(chunks, n))
    dead = data.draw(st.sets(st.integers(1, 40), max_size=20))
    live = mask_of([(1, 41)], 41)
    live[list(dead)] = False
    index: VectorIndex = ExactVectors(EMBEDDER, [batch_of(b, DIMENSION) for b in batches], live)
    edges = sorted(data.draw(st.sets(st.integers(0, 50), max_size=8)))
    ranges = data.draw(st.sampled_from([None, list(zip(edges[::2], edges[1::2], strict=False))]))
    cuts = data.draw(st.dictionaries(st.integers(1, 45), st.integers(0, 25), max_size=3)) if ranges is not None else {}
    cuts = {i: end for i, end in cuts.items() if not any(a <= i < b for a, b in ranges or ())}
    partial = [PartialChunk(id=i, document=1, start=0, visible_end=end) for i, end in cuts.items()]
    allowed = [
        row
        for b in batches
        for row in b
        if row[0] not in dead
        and (ranges is None or any(a <= row[0] < b for a, b in ranges) or row[1] <= cuts.get(row[0], -1))
    ]
    k = data.draw(st.integers(1, 12))
    expected = defined(allowed, query_of(9))
    ids, scores = index.search(query_of(9), k, ranges, partial)
    assert len(ids) == min(k, len(expected))
    np.testing.assert_allclose(scores, sorted(expected.values(), reverse=True)[:k], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(scores, [expected[i] for i in ids.tolist()], rtol=1e-4, atol=1e-5)


def test_batches_are_joined_as_they_come_and_dead_rows_are_let_go() -> None:
    index = ExactVectors(EMBEDDER, ())
    live = np.ones(101, np.bool_)
    for i in range(1, 101):
        index = index.extended([batch_of(rows_for([i], i), DIMENSION)], live)
    assert len(index) == 100
    assert len(index.batches) <= 8
    assert index.holds_any(np.array([200, 50]))
    assert not index.holds_any(np.array([200]))
    live = live.copy()
    live[1:60] = False
    assert len(index.extended([], live)) < 100
    assert 30 not in index.extended([], live).search(query_of(1), 100)[0]


def test_a_mask_that_is_shorter_than_the_ids_hides_those_beyond_it() -> None:
    index = ExactVectors(EMBEDDER, [batch_of(rows_for([1, 2, 3]), DIMENSION)], np.array([False, True, True]))
    assert sorted(index.search(query_of(1), 9)[0].tolist()) == [1, 2]


def test_rows_of_another_length_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="reshape"):
        batch_of([(1, 1, bytes(6))], DIMENSION)
    assert len(ExactVectors(EMBEDDER, [Batch(*(np.empty(0, np.int64),) * 2, np.empty((0, 8), np.float32))])) == 0
