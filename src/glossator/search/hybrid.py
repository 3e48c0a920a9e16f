"""Search: by words and by meaning at once, inside a scope, with a trace of how each passage came to its place.

Both arms search inside the chunk ranges of the scope, so nothing outside can be a candidate. A chunk that a bound cuts
is scored by its visible part: by words with the index's statistics, by meaning through the windows that end before the
bound, or, where no window does, by embedding what is visible. Every passage is clipped to its document's cap.

Limits: phrases are looked for in the best `DEEP` passages by words, since the index keeps no positions; a phrase that
runs from one chunk into the next is found only as far as the overlap reaches.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import apsw
import numpy as np

from glossator.embed import languages_of
from glossator.errors import GlossatorError, ModelError
from glossator.index.lexical import query_tokens, tokens
from glossator.index.snapshot import Indexes, Snapshot
from glossator.search.query import Query, parse_query
from glossator.search.ranking import FOREIGN, Arm, Fused, fuse, in_order
from glossator.store.chunks import ChunkRow, chunk_rows
from glossator.store.documents import text_slice
from glossator.store.scope import PartialChunk, Scope, Visible, resolve_scope

if TYPE_CHECKING:
    from glossator.embed import Embedder
    from glossator.index.vector import VectorIndex

log = logging.getLogger(__name__)

Mode = Literal["hybrid", "lexical", "vector"]
Load = Callable[[str], "Embedder"]

CANDIDATES = 50  # of each arm, at least
PER_HIT = 5  # candidates of each arm for every passage wanted
DEEP = 2_000  # candidates that are read when a phrase or an exclusion has to be checked
MERGED = 3  # chunks that one passage may join
JOINS = 0.6  # of the best hit's score, from which a neighbour belongs to its passage
LIVE = 3  # chunks cut by a bound that are embedded during a search, at most
LIVE_FROM = 80  # visible characters that are worth it
HAN_QUERY = 0.3  # share of Chinese, Japanese and Korean letters from which an English model is not asked


class Options(TypedDict, total=False):
    """How a search goes: how many passages, and by words, by meaning, or both."""

    k: int
    mode: Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What answers a query: `[start, end)` of a document's canonical text, never past the cap.

    `chunks` are the ids it joins, the best first; `trace` is that of the best (see `contract`, search --explain).
    """

    document: int
    start: int
    end: int
    score: float
    chunks: tuple[int, ...]
    section: int | None
    kind: str
    trace: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Passages, best first. `notice` says what could not be searched."""

    passages: tuple[Passage, ...]
    notice: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """One search under way, all of it in one read transaction."""

    c: apsw.Connection
    snapshot: Snapshot
    visible: Visible
    query: Query
    depth: int


def search(
    c: apsw.Connection,
    indexes: Indexes,
    query: str | Query,
    *,
    scope: Scope,
    embedder: Load | None = None,
    **options: Unpack[Options],
) -> Found:
    """Return the best passages of `scope` for a query: `k` of them (10), by `mode` ("hybrid").

    `c` is a read transaction: the indexes, the scope and the texts are all as of it. `embedder` loads an embedder by
    its spec (and should keep it); without one, or where it cannot be loaded, hybrid search goes by words alone and says
    so.

    Raises:
        ModelError: mode is "vector" and no embedder in scope can be used.
        StoreError: the index is damaged.
    """
    k, mode = options.get("k", 10), options.get("mode", "hybrid")
    wanted = parse_query(query) if isinstance(query, str) else query
    visible = resolve_scope(c, scope)
    if wanted.empty or visible.empty:
        return Found(passages=())
    depth = DEEP if wanted.filters else max(CANDIDATES, PER_HIT * k)
    snapshot = indexes.snapshot(c, vectors=mode != "lexical", visible=visible)
    run = _Search(c=c, snapshot=snapshot, visible=visible, query=wanted, depth=depth)
    lexical = _by_words(run) if mode != "vector" else None
    vectors, problems = _by_meaning(run, embedder) if mode != "lexical" else ([], [])
    if mode == "vector" and problems and not vectors:
        raise problems[0]
    ranked = fuse(lexical, vectors)
    rows = _readable(run, ranked, k, scope)
    return Found(passages=tuple(_passages(rows, k)), notice=_notice(problems))


# the arms


def _by_words(run: _Search) -> Arm:
    terms = query_tokens(run.query.text)
    index = run.snapshot.lexical
    ids, scores = index.search(terms, run.depth, None if run.visible.everything else run.visible.ranges)
    arm = Arm(name="lexical", ids=ids, scores=scores, ceiling=index.score_text(terms, terms))
    if not run.visible.partial or not terms:
        return arm
    cut = [(p.id, index.score_text(tokens(_visible_text(run, p)), terms)) for p in run.visible.partial]
    return _with(arm, [(i, score) for i, score in cut if score > 0], run.depth)


def _visible_text(run: _Search, chunk: PartialChunk) -> str:
    return text_slice(run.c, chunk.document, chunk.start, chunk.visible_end)


def _with(arm: Arm, extra: Sequence[tuple[int, float]], depth: int) -> Arm:
    """Return the arm with a few more candidates in their places."""
    if not extra:
        return arm
    ids = np.concatenate([arm.ids, np.array([i for i, _ in extra], np.int64)])
    scores = np.concatenate([arm.scores, np.array([s for _, s in extra], np.float32)])
    return in_order(arm.name, ids, scores, depth, ceiling=arm.ceiling)


def _by_meaning(run: _Search, load: Load | None) -> tuple[list[Arm], list[GlossatorError]]:
    """Return one arm for each embedder with vectors in scope, and what went wrong with the others."""
    arms: list[Arm] = []
    problems: list[GlossatorError] = []
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


def _arm(run: _Search, spec: str, index: "VectorIndex", load: Load | None) -> Arm:
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


def _live(run: _Search, embedder: "Embedder", vector: Any, found: Any) -> Iterator[tuple[int, float]]:
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


# from candidates to passages


@dataclass(frozen=True, slots=True)
class _Row:
    chunk: ChunkRow
    end: int  # clipped
    fused: Fused


def _readable(run: _Search, ranked: Sequence[Fused], k: int, scope: Scope) -> list[_Row]:
    """Return the first candidates that hold what the query insists on, with their rows; enough for `k` passages."""
    out: list[_Row] = []
    need = k * MERGED
    for at in range(0, len(ranked), need):
        part = ranked[at : at + need]
        rows = {row.id: row for row in chunk_rows(run.c, [f.id for f in part])}
        for fused in part:
            row = rows.get(fused.id)
            if row is None:
                continue
            cap = scope.cap(row.document)
            end = row.end if cap is None else min(row.end, cap)
            if end > row.start and _accepted(run, row, end):
                out.append(_Row(row, end, fused))
        if len(out) >= need:
            break
    return out[:need]


def _accepted(run: _Search, row: ChunkRow, end: int) -> bool:
    return not run.query.filters or run.query.accepts(text_slice(run.c, row.document, row.start, end))


def _passages(rows: Sequence[_Row], k: int) -> list[Passage]:
    """Join hits that stand together, in the order of the best of each, until there are `k` passages."""
    groups: list[list[_Row]] = []
    for row in rows:
        joined = next((g for g in groups if _joins(g, row)), None)
        if joined is not None:
            joined.append(row)
            continue
        if len(groups) == k:
            break
        groups.append([row])
    return [_passage(g) for g in groups]


def _joins(group: Sequence[_Row], row: _Row) -> bool:
    """Return whether a hit continues a passage: next to it, in its section, prose like it, and not much weaker."""
    best = group[0]
    same = best.chunk.document == row.chunk.document and best.chunk.section == row.chunk.section
    if not same or len(group) >= MERGED or {best.chunk.kind, row.chunk.kind} != {"prose"}:
        return False
    if row.fused.score < JOINS * best.fused.score:
        return False
    return any(abs(r.chunk.id - row.chunk.id) == 1 for r in group)


def _passage(group: Sequence[_Row]) -> Passage:
    best = group[0]
    return Passage(
        document=best.chunk.document,
        start=min(r.chunk.start for r in group),
        end=max(r.end for r in group),
        score=best.fused.score,
        chunks=tuple(r.chunk.id for r in group),
        section=best.chunk.section,
        kind=best.chunk.kind,
        trace=best.fused.trace(),
    )


def _notice(problems: Sequence[GlossatorError]) -> str | None:
    if not problems:
        return None
    return "searched by words only where a model is missing: " + "; ".join(f"{p.message} ({p.hint})" for p in problems)
