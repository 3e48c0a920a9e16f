"""Fusion: what it must do whatever the figures are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glossator.search.ranking import Arm, by_rank, fuse, in_order


def arm(name: str, *pairs: tuple[int, float], ceiling: float | None = None) -> Arm:
    ids, scores = np.array([i for i, _ in pairs], np.int64), np.array([s for _, s in pairs], np.float32)
    return in_order(name, ids, scores, 100, ceiling=ceiling)


MEANING = arm("m", (1, 0.6), (2, 0.5), (3, 0.1), (4, 0.0))


def test_one_arm_alone_keeps_its_order() -> None:
    words = arm("lexical", (5, 9.0), (2, 4.0), (7, 1.0), ceiling=20.0)
    assert [f.id for f in fuse(words, [])] == [5, 2, 7]
    assert [f.id for f in fuse(None, [MEANING])] == [1, 2, 3, 4]
    assert fuse(None, []) == []


def test_words_that_cover_the_query_outweigh_meaning() -> None:
    assert fuse(arm("lexical", (3, 19.0), ceiling=20.0), [MEANING])[0].id == 3


def test_words_that_cover_little_of_the_query_change_nothing_by_themselves() -> None:
    assert [f.id for f in fuse(arm("lexical", (4, 1.0), ceiling=20.0), [MEANING])] == [1, 2, 3, 4]


def test_cosines_of_two_models_are_not_compared() -> None:
    squeezed = arm("e5", (11, 0.84), (12, 0.83), (13, 0.80))
    places = [f.id for f in fuse(None, [MEANING, squeezed])]
    assert places.index(1) < places.index(12)
    assert places.index(11) < places.index(2)


def test_a_single_candidate_is_the_best_there_is() -> None:
    assert fuse(None, [arm("m", (1, 0.2))])[0].score == 1


def test_the_trace_names_rank_and_score_of_every_arm() -> None:
    found = fuse(arm("lexical", (2, 8.0), ceiling=10.0), [MEANING])
    best = found[0].trace()
    assert found[0].id == 2
    assert best["arms"] == {
        "lexical": {"rank": 1, "score": 8.0},
        "vector": [{"model": "m", "rank": 2, "score": 0.5}],
    }
    assert best["fusion"]["method"]
    assert best["rerank"] is None
    assert found[-1].trace()["arms"]["lexical"] is None


def test_reciprocal_rank_fusion_is_there_for_comparison() -> None:
    assert [f.id for f in by_rank([MEANING, arm("n", (2, 1.0), (9, 0.5))])][:2] == [2, 1]


SCORED = st.dictionaries(st.integers(1, 30), st.floats(0, 50, width=32), max_size=12)


@given(SCORED, SCORED)
def test_every_candidate_comes_once_in_falling_order(words: dict[int, float], meaning: dict[int, float]) -> None:
    found = fuse(arm("lexical", *words.items(), ceiling=60.0), [arm("m", *meaning.items())])
    assert sorted(f.id for f in found) == sorted(words.keys() | meaning.keys())
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)
