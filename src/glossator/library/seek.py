"""Searching within a scope: hits with their places, and why a document is not among them."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from glossator.errors import GlossatorError, UsageError
from glossator.library.findings import Hit, SearchResult
from glossator.library.reader import Reader
from glossator.library.results import joined
from glossator.library.scoping import Scoped
from glossator.store import documents as stored

if TYPE_CHECKING:
    from glossator.search.hybrid import Found, Mode
    from glossator.search.rewrite import Method, Rewriting, Say

METHODS = ("none", "expansion", "hyde", "multi_query")  # of `search.rewrite`, which a plain search need not import
DEPTH = 20  # passages of each list that are fused when a query was rewritten
DEEP = 200  # ranks among which a document is looked for that was missed


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a search was limited to, as it was named."""

    docs: Sequence[str] = ()
    collections: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the shape that a trace shows."""
        return {"document": list(self.docs) or None, "collection": list(self.collections) or None}


@dataclass(frozen=True, slots=True)
class Rewrite:
    """How a query is to be rewritten, and the language model that does it; None: there is none."""

    method: "Method"
    say: "Say | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How a search goes: how many passages, by words or meaning, and whether the query is rewritten first."""

    k: int
    mode: "Mode"
    rewrite: Rewrite | None = None


def search(
    shown: Scoped, query: str, how: How, *, filters: Filters | None = None, why_not: int | None = None
) -> SearchResult:
    """Return the hits of a search; with `filters` (an explained search) each with its trace.

    `why_not` is the key of a document whose absence is to be explained. A query that cannot be rewritten is searched as
    it is, and that is said.

    Raises:
        UsageError: `k` is below 1.
        ModelError: mode is "vector" and no embedder can be used.
    """
    if how.k < 1:
        raise UsageError(f"-k {how.k} asks for nothing", hint="give 1 or more")
    start = perf_counter()
    reader = shown.reader
    rewriting, unwritten = (None, None) if how.rewrite is None else _rewritten(query, how.rewrite)
    with reader.database.read():
        found = _found(reader, query, rewriting, k=how.k, mode=how.mode)
        hits = _hits(reader, found, filters)
        reason = None if why_not is None else _why_not(shown, query, how.mode, why_not)
    notice = joined([unwritten, found.notice, _waiting(shown, how.mode), shown.notice])
    return SearchResult(query=query, hits=hits, took_ms=(perf_counter() - start) * 1_000, notice=notice, why_not=reason)


def _rewritten(query: str, wanted: Rewrite) -> "tuple[Rewriting | None, str | None]":
    """Return the rewriting of a query, or why there is none. No transaction is open while a model writes."""
    from glossator.search.query import parse_query
    from glossator.search.rewrite import rewrite

    if wanted.say is None:
        return None, "The query was searched as it is: no language model is chosen to rewrite it (--model)."
    parsed = parse_query(query)
    if parsed.empty:
        return None, None
    try:
        return rewrite(parsed, wanted.method, wanted.say), None
    except GlossatorError as error:
        return None, f"The query was searched as it is, it could not be rewritten: {error.message}."


def _found(reader: Reader, query: str, rewriting: "Rewriting | None", *, k: int, mode: "Mode") -> "Found":
    if rewriting is None:
        return reader.search(query, k=k, mode=mode)
    from glossator.search.query import parse_query
    from glossator.search.rewrite import search_rewritten

    depth = max(k, DEPTH)
    return search_rewritten(
        lambda q, by: reader.search(q, k=depth, mode=by), parse_query(query), rewriting, k=k, mode=mode
    )


def _hits(reader: Reader, found: "Found", filters: Filters | None) -> tuple[Hit, ...]:
    opened = reader.open_all({passage.document for passage in found.passages})
    hits: list[Hit] = []
    for rank, passage in enumerate(found.passages, 1):
        place = opened[passage.document]
        trace = None if filters is None else dict(passage.trace) | {"filtered": filters.to_json()}
        text, locator = reader.excerpt(place, passage.start, passage.end)
        hits.append(Hit(rank=rank, score=passage.score, document=place.ref, text=text, locator=locator, trace=trace))
    return tuple(hits)


def _waiting(shown: Scoped, mode: "Mode") -> str | None:
    """Say which part of the scope has no vectors yet."""
    if mode == "lexical":
        return None
    waiting, documents = shown.reader.waiting()
    if not waiting:
        return None
    if waiting == documents and mode == "vector":
        return "Vectors are still being computed."
    if waiting == documents:
        return "Vectors are still being computed: searched by words only."
    return f"Vectors of {waiting} of {documents} documents are still being computed: those by words only."


def _why_not(shown: Scoped, query: str, mode: "Mode", key: int) -> dict[str, Any]:
    """Return what kept a document out of the hits, or where among them it is."""
    reader = shown.reader
    with reader.database.read() as c:
        document = stored.get_document(c, key)
    ranked = reader.search(query, k=DEEP, mode=mode).passages
    rank = next((n for n, p in enumerate(ranked, 1) if p.document == key), None)
    in_scope = reader.scope.holds(key)
    alone = reader.narrowed(key).search(query, k=1, mode=mode).passages if in_scope else ()
    if not in_scope:
        reason = "it is not among the documents and collections that were searched"
    elif document.status == "quarantined":
        reason = "it was read too badly to be searched: " + "; ".join(document.reasons)
    elif reader.scope.cap(key) == 0:
        reason = "nothing of it may be shown: it is not read yet"
    elif rank is not None:
        reason = f"it is at rank {rank}; -k {rank} shows it"
    elif alone:
        reason = f"{DEEP} passages of other documents fit better; --doc {document.id} searches it alone"
    else:
        reason = "no passage of it that may be shown fits the query"
    best = dict(alone[0].trace) if alone else None
    return {"document": document.id, "rank": rank, "reason": reason, "trace": best}
