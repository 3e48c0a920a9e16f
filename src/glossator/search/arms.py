"""The two arms of a search: candidates by words from the postings, by meaning from the vectors of each embedder.

Both search inside the chunk ranges of a scope. A chunk that a bound cuts is scored by its visible part: by words with
the index's statistics, by meaning through the windows that end before the bound, or, where no window does, by embedding
what is visible.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np

from glossator.embed import languages_of
from glossator.errors import ModelError
from glossator.index.lexical import query_tokens, tokens
from glossator.index.snapshot import Snapshot
from glossator.search.query import Query
from glossator.search.ranking import FOREIGN, Arm, in_order
from glossator.store.documents import text_slice
from glossator.store.scope import PartialChunk, Visible

if TYPE_CHECKING:
    from glossator.embed import Embedder
    from glossator.index.vector import VectorIndex

log = logging.getLogger(__name__)

Load = Callable[[str], "Embedder"]

LIVE = 3  # chunks cut by a bound that are embedded during a search, at most
LIVE_FROM = 80  # visible characters that are worth it
HAN_QUERY = 0.3  # share of Chinese, Japanese and Korean letters from which an English model is not asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One search under way, all of it in one read transaction; `depth` is how many candidates each arm gives."""

    c: apsw.Connection
    snapshot: Snapshot
    visible: Visible
    query: Query
    depth: int


def by_words(run: Search) -> Arm:
    """Return the candidates by words; `ceiling` is what the query would score as a passage."""
    terms = query_tokens(run.query.text)
    index = run.snapshot.lexical
    ids, scores = index.search(terms, run.depth, None if run.visible.everything else run.visible.ranges)
    arm = Arm(name="lexical", ids=ids, scores=scores, ceiling=index.score_text(terms, terms))
    if not run.visible.partial or not terms:
        return arm
    cut = [(p.id, index.score_text(tokens(_visible_text(run, p)), terms)) for p in run.visible.partial]
    return _with(arm, [(i, score) for i, score in cut if score > 0], run.depth)


def _visible_text(run: Search, chunk: PartialChunk) -> str:
    return text_slice(run.c, chunk.document, chunk.start, chunk.visible_end)


def _with(arm: Arm, extra: Sequence[tuple[int, float]], depth: int) -> Arm:
    """Return the arm with a few more candidates in their places."""
    if not extra:
        return arm
    ids = np.concatenate([arm.ids, np.array([i for i, _ in extra], np.int64)])
    scores = np.concatenate([arm.scores, np.array([s for _, s in extra], np.float32)])
    return in_order(arm.name, ids, scores, depth, ceiling=arm.ceiling)


def by_meaning(run: Search, load: Load | None) -> tuple[list[Arm], list[ModelError]]:
    """Return one arm for each embedder with vectors in scope, and what went wrong with the others."""
    arms: list[Arm] = []
    problems: list[ModelError] = []
    for spec, index in run.snapshot.vectors.items():
        if not _speaks(spec, run.query.text) or not _in_scope(index, run.visible, len(run.snapshot.vectors)):
            continue
        try:
            arms.append(_arm(run, spec, index, load))
        except ModelError as error:
            log.info("search without %s: %s", spec, error)
            problems.append(error)
    return _weighted([a for a in arms if len(a.ids)]), problems


def _weighted(arms: list[Arm]) -> list[Arm]:
    """Return the arms, those of many-language models weighted down beside an English one that reads the query.

    A question in English finds English passages well and Chinese ones badly; scaled alone, the best of both are equal.
    """
    if not any(languages_of(a.name) == ("en",) for a in arms):
        return arms
    return [a if languages_of(a.name) == ("en",) else replace(a, weight=FOREIGN) for a in arms]


def _arm(run: Search, spec: str, index: "VectorIndex", load: Load | None) -> Arm:
    if load is None:
        raise ModelError(f"no embedder is loaded for {spec}", hint="pass one, or search with --mode lexical")
    embedder = load(spec)
    if embedder.fingerprint != index.embedder.fingerprint:
        raise ModelError(
            f"the vectors of this library were made by another version of {spec}",
            hint="`glossator doctor --repair` makes them again",
        )
    vector = embedder.embed_query(run.query.text)
    ranges = None if run.visible.everything else run.visible.ranges
    ids, scores = index.search(vector, run.depth, ranges, run.visible.partial)
    arm = Arm(name=spec, ids=ids, scores=scores)
    return _with(arm, list(_live(run, embedder, vector, ids)), run.depth)


def _live(run: Search, embedder: "Embedder", vector: Any, found: Any) -> Iterator[tuple[int, float]]:
    """Yield scores of chunks of which no window ends before the bound, from what is visible of them."""
    known = set(found.tolist())
    cut = [p for p in run.visible.partial if p.id not in known and p.visible_end - p.start >= LIVE_FROM]
    if not cut or len(cut) > LIVE:
        return
    from glossator.embed import windows

    for chunk in cut:
        text = _visible_text(run, chunk)
        rows = embedder.embed_passages([text[a:b] for a, b in windows(text, embedder)])
        yield chunk.id, float((rows @ vector).max())


def _speaks(spec: str, query: str) -> bool:
    """Return whether an embedder can read the query: an English one knows few Chinese characters."""
    if languages_of(spec) != ("en",):
        return True
    letters = [ch for ch in query if ch.isalpha()]
    unspaced = sum("\u2e80" <= ch <= "\ud7af" or ch >= "\uf900" for ch in letters)
    return unspaced <= HAN_QUERY * len(letters)


def _in_scope(index: "VectorIndex", visible: Visible, indexes: int) -> bool:
    """Return whether an embedder has vectors in scope, so that none is loaded in vain."""
    if not len(index):
        return False
    if visible.everything or indexes == 1:
        return True
    nothing = np.zeros(index.embedder.fingerprint.dimension, np.float32)
    ids, _ = index.search(nothing, 1, visible.ranges, visible.partial)
    return bool(len(ids))
