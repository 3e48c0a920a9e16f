"""The index against BM25 straight from its definition."""

import math
import threading
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import StoreError
from glossator.index import lexical
from glossator.index.lexical import ASIDE, K1, B, Index, build, load, merge
from glossator.index.ranges import mask_of
from glossator.index.segment import Segment

Lists = dict[int, list[str]]
Ranges = list[tuple[int, int]] | None


def defined(lists: Lists, query: list[str], ranges: Ranges = None) -> dict[int, float]:
    """The BM25 score of every chunk in the ranges that holds a term of the query."""
    length = {i: max(1, sum(t[0] != ASIDE for t in terms)) for i, terms in lists.items()}
    average = sum(length.values()) / max(1, len(lists))
    scores: dict[int, float] = {}
    for term, asked in Counter(query).items():
        times = {i: n for i, terms in lists.items() if (n := terms.count(term))}
        idf = math.log(1 + (len(lists) - len(times) + 0.5) / (len(times) + 0.5))
        for i, n in times.items():
            gain = asked * idf * (K1 + 1) * n / (n + K1 * (1 - B + B * length[i] / average))
            scores[i] = scores.get(i, 0.0) + gain
    return {i: score for i, score in scores.items() if ranges is None or any(a <= i < b for a, b in ranges)}


def assert_best(index: Index, lists: Lists, query: list[str], k: int, ranges: Ranges) -> None:
    expected = defined(lists, query, ranges)
    ids, scores = index.search(query, k, ranges)
    assert len(ids) == min(k, len(expected))
    assert len(set(ids.tolist())) == len(ids)
    np.testing.assert_allclose(scores, sorted(expected.values(), reverse=True)[: len(ids)], rtol=1e-4)
    np.testing.assert_allclose(scores, [expected[i] for i in ids.tolist()], rtol=1e-4)


def made(seed: int, chunks: int, vocabulary: int, *, words: int = 30) -> tuple[Lists, list[Segment]]:
    """Documents of ten chunks of words that are distributed as words are, each document a segment; ids from 1."""
    rng = np.random.default_rng(seed)
    share = 1 / (np.arange(vocabulary) + 2.7)
    terms = np.array([f"w{i}" if i % 9 else f"{ASIDE}w{i}" for i in range(vocabulary)], object)
    lists = {
        i: rng.choice(terms, int(rng.integers(1, words)), p=share / share.sum()).tolist() for i in range(1, chunks + 1)
    }
    return lists, [build([lists[i] for i in range(a, a + 10)], a) for a in range(1, chunks + 1, 10)]


def test_a_large_index_finds_exactly_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexical, "LONG", 100)
    lists, segments = made(3, 1_000, 1_500)
    live = np.ones(1_001, np.bool_)
    live[0] = False
    for i in [*range(401, 451), 703]:
        live[i] = False
        del lists[i]
    merged = [merge(segments[a : a + 20], live if a == 40 else None) for a in range(0, 60, 20)]
    index = Index([*(load(s.dump(), s.first) for s in merged), *segments[60:]], live)
    rng = np.random.default_rng(4)
    scattered = [(i, i + 3) for i in range(2, 1_000, 11)]
    for n in range(40):
        query = [f"w{i}" for i in (rng.zipf(1.3, 8) % 1_500).tolist()]
        ranges = (None, [(390, 420)], [(5, 100), (440, 460), (500, 900)], scattered)[n % 4]
        assert_best(index, lists, query, 20, ranges)
        ids, scores = index.search(query, 1)
        if len(ids):
            assert index.score_text(lists[int(ids[0])], query) == pytest.approx(float(scores[0]), rel=1e-4)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_index_finds_exactly_the_best(data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 20))
    lists, segments = made(seed, 60, 25)
    dead = data.draw(st.sets(st.integers(1, 60), max_size=55))
    live = mask_of([(1, 61)], 61)
    live[list(dead)] = False
    lists = {i: terms for i, terms in lists.items() if i not in dead}
    cut = data.draw(st.integers(0, 6))
    parts = [merge(segments[:cut], data.draw(st.sampled_from([live, None]))), *segments[cut:]] if cut else segments
    query = data.draw(st.lists(st.sampled_from([f"w{i}" for i in range(27)]), max_size=6))
    edges = sorted(data.draw(st.sets(st.integers(0, 70), max_size=8)))
    ranges = data.draw(st.sampled_from([None, list(zip(edges[::2], edges[1::2], strict=False))]))
    if not lists:
        assert len(Index(parts, live).search(query, 5)[0]) == 0
        return
    assert_best(Index(parts, live), lists, query, data.draw(st.integers(1, 70)), ranges)


def test_searches_do_not_disturb_each_other() -> None:
    lists, segments = made(5, 500, 300)
    index = Index(segments)
    queries = [[f"w{i}", f"w{i * 7 % 300}", "w1"] for i in range(1, 40)]
    alone = [index.search(q, 10)[0].tolist() for q in queries]
    assert [index.search(q, 10)[0].tolist() for q in queries] == alone
    found: dict[int, list[list[int]]] = {}

    def work(n: int) -> None:
        found[n] = [index.search(q, 10)[0].tolist() for q in queries]

    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert list(found.values()) == [alone] * 3
    assert lists


def test_equals_come_in_the_order_of_their_ids() -> None:
    index = Index([build([["same", "words"]] * 30, 1)])
    assert index.search(["same"], 4)[0].tolist() == [1, 2, 3, 4]


def test_nothing_is_found_where_there_is_nothing() -> None:
    index = Index([build([["a"], ["b"]], 1)])
    for found in (
        Index([]).search(["a"], 5),
        index.search([], 5),
        index.search(["c"], 5),
        index.search(["a"], 0),
        index.search(["a"], 5, []),
        index.search(["a"], 5, [(2, 9)]),
        index.search(["a"], 5, [(70, 90)]),
    ):
        assert [part.tolist() for part in found] == [[], []]


def test_counts_above_the_limits_are_kept_as_the_limit() -> None:
    segment = load(build([["many"] * 70_000, ["few"]], 0).dump(), 4)
    assert segment.times.tolist().count(255) == 1
    assert segment.length.tolist() == [65_535, 1]
    assert Index([segment]).search(["many"], 1)[0].tolist() == [4]


def test_a_segment_comes_back_as_it_was_dumped_wherever_its_ids_begin() -> None:
    lists, _ = made(7, 50, 40)
    segment = build(list(lists.values()), 1_000)
    again = load(segment.dump(), 1_000)
    for name in ("terms", "offsets", "local", "times", "length"):
        np.testing.assert_array_equal(getattr(again, name), getattr(segment, name))
    assert (again.first, again.end, again.chunks) == (1_000, 1_050, 50)


def test_merging_over_more_ids_than_two_bytes_hold_keeps_them_apart() -> None:
    merged = merge([build([["a"]], 1), build([["a"], ["b"]], 70_001)])
    again = load(merged.dump(), 1)
    assert Index([again]).search(["a"], 5)[0].tolist() == [1, 70_001]
    assert Index([again]).search(["b"], 5)[0].tolist() == [70_002]
    assert Index([again]).chunks == 3


@pytest.mark.parametrize("broken", [b"", b"GLS1", b"x" * 400])
def test_broken_postings_are_told_with_the_way_to_mend_them(broken: bytes) -> None:
    with pytest.raises(StoreError, match="search index") as caught:
        load(broken, 1)
    assert "--repair" in caught.value.hint
    whole = build([["a", "b"]], 1).dump()
    with pytest.raises(StoreError, match="damaged"):
        load(whole[:-3], 1)
