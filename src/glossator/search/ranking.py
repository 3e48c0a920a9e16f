"""Fusing the arms of a search. Pure: ids and scores in, ids and scores with their reasons out.

How, and why not by rank: reciprocal rank fusion gives a weak arm as much say as a strong one. It loses where the arms
differ in strength, and which one is strong depends on the question, not on the library: a paraphrase shares no words
with its passage, a name means little to a model. So each arm's scores are scaled, and the arm of words is trusted by
what it can show:

* by meaning: a candidate's cosine, scaled linearly from the last of the first `SPREAD` candidates (0) to the best (1).
  Cosines of different models are never compared.
* by words: *coverage*, the candidate's BM25 score over that of the query itself taken as a passage. It says how much of
  what was asked for, weighted by rarity, the candidate holds. A question in other words covers little, so the words'
  arm falls silent by itself.

The sum of both, with `WORDS` for the second, is the score. The figures of all methods on all sets are in
`benchmarks/results/retrieval.json`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from glossator.index.ranges import distinct

Ids = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]

METHOD = "coverage"
WORDS = 3.0  # weight of coverage
SPREAD = 50  # candidates over which cosines are spread
FOREIGN = 0.75  # weight of a many-language model where an English one answers the same query for other documents
RRF_K = 60  # of reciprocal rank fusion (Cormack et al. 2009), kept for comparison


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Arm:
    """Candidates of one index, best first. `ceiling` is what the query itself would score, for the arm of words."""

    name: str  # "lexical", or the embedder's spec
    ids: Ids
    scores: Scores
    ceiling: float | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fused:
    """A candidate with its fused score, and (rank from 1, score) in each arm that found it."""

    id: int
    score: float
    places: Mapping[str, tuple[int, float]]

    def trace(self) -> dict[str, Any]:
        """Return how it came to its place, in the shape of the contract."""
        words = self.places.get("lexical")
        meaning = [(name, place) for name, place in self.places.items() if name != "lexical"]
        return {
            "arms": {
                "lexical": None if words is None else {"rank": words[0], "score": round(words[1], 4)},
                "vector": [{"model": name, "rank": r, "score": round(s, 4)} for name, (r, s) in meaning],
            },
            "fusion": {"method": METHOD, "score": round(self.score, 6)},
            "rerank": None,
        }


def in_order(name: str, ids: Ids, scores: Scores, k: int, *, ceiling: float | None = None) -> Arm:
    """Return an arm of the best `k` candidates given in any order; among equals the smaller id first."""
    order = np.lexsort((ids, -scores))[:k]
    return Arm(name=name, ids=ids[order], scores=scores[order], ceiling=ceiling)


def fuse(lexical: Arm | None, vectors: Sequence[Arm]) -> list[Fused]:
    """Return all candidates of all arms, best first; among equals the smaller id first."""
    arms = ([] if lexical is None else [lexical]) + list(vectors)
    if not any(len(a.ids) for a in arms):
        return []
    ids = distinct(np.concatenate([a.ids for a in arms]))
    total = np.zeros(len(ids), np.float32)
    for arm in arms:
        scaled = coverage(arm) if arm.ceiling is not None else spread(arm)
        total[np.searchsorted(ids, arm.ids)] += np.float32(arm.weight) * scaled
    return _traced(ids, total, arms)


def coverage(arm: Arm) -> Scores:
    """Return how much of the query each candidate holds, by the weight of its words, times `WORDS`."""
    ceiling = arm.ceiling or 1.0
    scaled: Scores = (arm.scores * np.float32(WORDS / ceiling)).astype(np.float32)
    return scaled


def spread(arm: Arm) -> Scores:
    """Return the scores between 0 and 1: the best is 1, what ranks at `SPREAD` or below is 0."""
    if not len(arm.scores):
        return arm.scores
    high, low = float(arm.scores[0]), float(arm.scores[min(SPREAD, len(arm.scores)) - 1])
    if high <= low:
        return np.ones_like(arm.scores)
    scaled: Scores = np.maximum((arm.scores - np.float32(low)) / np.float32(high - low), 0).astype(np.float32)
    return scaled


def by_rank(arms: Sequence[Arm]) -> list[Fused]:
    """Return the candidates by reciprocal rank fusion, every arm alike: the baseline of the benchmark."""
    ids = distinct(np.concatenate([a.ids for a in arms]))
    total = np.zeros(len(ids), np.float32)
    for arm in arms:
        total[np.searchsorted(ids, arm.ids)] += (1 / (RRF_K + 1 + np.arange(len(arm.ids)))).astype(np.float32)
    return _traced(ids, total, arms)


def _traced(ids: Ids, total: Scores, arms: Sequence[Arm]) -> list[Fused]:
    places: dict[int, dict[str, tuple[int, float]]] = {}
    for arm in arms:
        for rank, (i, score) in enumerate(zip(arm.ids.tolist(), arm.scores.tolist(), strict=True), 1):
            places.setdefault(i, {})[arm.name] = (rank, score)
    order = np.lexsort((ids, -total))
    pairs = zip(ids[order].tolist(), total[order].tolist(), strict=True)
    return [Fused(id=i, score=score, places=places[i]) for i, score in pairs]
