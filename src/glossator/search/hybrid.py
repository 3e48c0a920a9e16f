"""Search: by words and by meaning at once, inside a scope, with a trace of how each passage came to its place.

The arms (`arms`) bring candidates, `ranking` fuses them; here they become passages: what a query insists on is checked
in the text, neighbouring hits are joined, and every passage is clipped to its document's cap.

Limits: phrases are looked for in the best `DEEP` passages by words, since the index keeps no positions; a phrase that
runs from one chunk into the next is found only as far as the overlap reaches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack

import apsw

from glossator.errors import ModelError
from glossator.index.snapshot import Indexes
from glossator.search.arms import Load, Search, by_meaning, by_words
from glossator.search.query import Query, parse_query
from glossator.search.ranking import Fused, fuse
from glossator.store.chunks import ChunkRow, chunk_rows
from glossator.store.documents import text_slice
from glossator.store.scope import Scope, resolve_scope

Mode = Literal["hybrid", "lexical", "vector"]

CANDIDATES = 50  # of each arm, at least
PER_HIT = 5  # candidates of each arm for every passage wanted
DEEP = 2_000  # candidates that are read when a phrase or an exclusion has to be checked
MERGED = 3  # chunks that one passage may join
JOINS = 0.6  # of the best hit's score, from which a neighbour belongs to its passage


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
    run = Search(c=c, snapshot=snapshot, visible=visible, query=wanted, depth=depth)
    lexical = by_words(run) if mode != "vector" else None
    vectors, problems = by_meaning(run, embedder) if mode != "lexical" else ([], [])
    if mode == "vector" and problems and not vectors:
        raise problems[0]
    ranked = fuse(lexical, vectors)
    if wanted.phrases and lexical is not None:  # who has none of the words has not the phrase
        ranked = [f for f in ranked if "lexical" in f.places]
    rows = _readable(run, ranked, k, scope)
    return Found(passages=tuple(_passages(rows, k)), notice=_notice(problems) or _nothing_to_ask(mode, vectors))


@dataclass(frozen=True, slots=True)
class _Row:
    chunk: ChunkRow
    end: int  # clipped
    fused: Fused


def _readable(run: Search, ranked: Sequence[Fused], k: int, scope: Scope) -> list[_Row]:
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


def _accepted(run: Search, row: ChunkRow, end: int) -> bool:
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


def _nothing_to_ask(mode: Mode, vectors: Sequence[object]) -> str | None:
    if mode != "vector" or vectors:
        return None
    return "no document in scope has vectors for this query: --mode lexical searches by words"


def _notice(problems: Sequence[ModelError]) -> str | None:
    if not problems:
        return None
    return "searched by words only where a model is missing: " + "; ".join(f"{p.message} ({p.hint})" for p in problems)
