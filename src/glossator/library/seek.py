"""Searching and asking within a scope: hits with their places, and answers with their receipts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from glossator.document.sentence import sentences
from glossator.errors import ModelError, UsageError
from glossator.library import answer as extractive
from glossator.library.answer import Chosen, Sentence
from glossator.library.findings import Answer, Citation, Hit, SearchResult, Step
from glossator.library.locate import find_in
from glossator.library.reader import Opened, Reader
from glossator.library.results import joined
from glossator.library.scoping import Scoped
from glossator.search.query import Query
from glossator.store import documents as stored
from glossator.store.scope import resolve_scope

if TYPE_CHECKING:
    from glossator.embed import Embedder
    from glossator.search.hybrid import Found, Mode

PASSAGES = 8  # read for an answer
ENOUGH = 50  # passages in scope, for their similarities to have a distribution
EMBEDDED = 20  # sentences of them that are compared with the question by meaning
PROSE = ("paragraph", "list_item", "quotation", "footnote", "caption", "formula")
LINE = re.compile(r"[^\n]+")
DEEP = 200  # ranks among which a document is looked for that was missed


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a search was limited to, as it was named."""

    docs: Sequence[str] = ()
    collections: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the shape that a trace shows."""
        return {"document": list(self.docs) or None, "collection": list(self.collections) or None}


def search(
    shown: Scoped, query: str, *, k: int, mode: "Mode", filters: Filters | None = None, why_not: int | None = None
) -> SearchResult:
    """Return the hits of a search; with `filters` (an explained search) each with its trace.

    `why_not` is the key of a document whose absence is to be explained.

    Raises:
        UsageError: `k` is below 1.
        ModelError: mode is "vector" and no embedder can be used.
    """
    if k < 1:
        raise UsageError(f"-k {k} asks for nothing", hint="give 1 or more")
    start = perf_counter()
    reader = shown.reader
    with reader.database.read():
        found = reader.search(query, k=k, mode=mode)
        hits = _hits(reader, found, filters)
        reason = None if why_not is None else _why_not(shown, query, mode, why_not)
    notice = joined([found.notice, _waiting(shown, mode), shown.notice])
    return SearchResult(query=query, hits=hits, took_ms=(perf_counter() - start) * 1_000, notice=notice, why_not=reason)


def ask(shown: Scoped, question: str, selection: tuple[int, int] | None = None) -> Answer:
    """Return verbatim sentences that answer a question, each with its receipt, or an abstention.

    Raises:
        UsageError: an empty question, or a selection that is not a span of the one document asked.
    """
    if not question.strip():
        raise UsageError("nothing is asked", hint="give a question")
    start = perf_counter()
    with shown.reader.database.read():
        if selection is not None:
            chosen, summary, notice = _of_selection(shown, question, selection)
        else:
            chosen, summary, notice = _of_library(shown, question)
        citations = _receipts(shown.reader, chosen)
    notice = joined([notice, shown.notice])
    step = Step(
        tool="search" if selection is None else "selection",
        args={"query": question} if selection is None else {"start": selection[0], "end": selection[1]},
        state="completed",
        seconds=perf_counter() - start,
        summary=summary,
    )
    if not citations:
        return Answer(text=extractive.declined(question, shown.notice), abstained=True, steps=(step,), notice=notice)
    text = extractive.told(question, [(c.document.title, c.quote) for c in citations])
    return Answer(text=text, abstained=False, citations=citations, steps=(step,), notice=notice)


def _hits(reader: Reader, found: "Found", filters: Filters | None) -> tuple[Hit, ...]:
    opened: dict[int, Opened] = {}
    hits: list[Hit] = []
    for rank, passage in enumerate(found.passages, 1):
        if passage.document not in opened:
            opened[passage.document] = reader.open(passage.document)
        place = opened[passage.document]
        trace = None if filters is None else dict(passage.trace) | {"filtered": filters.to_json()}
        hits.append(
            Hit(
                rank=rank,
                score=passage.score,
                document=place.ref,
                text=reader.text(passage.document, passage.start, passage.end),
                locator=reader.locator(place, passage.start, min(passage.end, place.end)),
                trace=trace,
            )
        )
    return tuple(hits)


def _waiting(shown: Scoped, mode: "Mode") -> str | None:
    """Say which part of the scope has no vectors yet."""
    waiting = sum(d.vectors == "pending" for d in shown.documents)
    if mode == "lexical" or not waiting:
        return None
    if waiting == len(shown.documents):
        return "Vectors are still being computed: searched by words only."
    return f"Vectors of {waiting} of {len(shown.documents)} documents are still being computed: those by words only."


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


def _of_library(shown: Scoped, question: str) -> tuple[list[Chosen], str, str | None]:
    """Return the sentences that answer, what was looked at, and what could not be."""
    reader = shown.reader
    found = reader.search(Query(text=" ".join(question.split())), k=PASSAGES)
    where = f"{len(found.passages)} passages"
    if not found.passages:
        return [], "nothing found", found.notice
    weight = _weight(reader)
    terms = extractive.asked(question)
    texts = [reader.text(p.document, p.start, p.end) for p in found.passages]
    words = max(extractive.coverage(terms, t, weight) for t in texts)
    if not extractive.relevant(question, words, _standing(reader, question, reader.model(found.passages[0].document))):
        return [], f"{where}, none of them to the point", found.notice
    candidates = [s for n, p in enumerate(found.passages) for s in _sentences(reader, p.document, (p.start, p.end), n)]
    return _chosen(reader, question, candidates, weight), f"{where}, {len(candidates)} sentences", found.notice


def _standing(reader: Reader, question: str, spec: str | None) -> float | None:
    """Return how far the nearest passage stands out from all in scope, in standard deviations of their similarity."""
    if spec is None:
        return None
    with reader.database.read() as c:
        visible = resolve_scope(c, reader.scope)
        index = reader.means.indexes().snapshot(c, visible=visible).vectors.get(spec)
        if index is None or len(index) < ENOUGH:
            return None
        try:
            query = reader.means.embedder(spec).embed_query(question)
        except ModelError:  # search has said so already
            return None
        ranges = None if visible.everything else visible.ranges
        _, scores = index.search(query, len(index), ranges, visible.partial)
    spread = float(scores.std()) if len(scores) >= ENOUGH else 0.0
    return (float(scores[0]) - float(scores.mean())) / spread if spread else None


def _of_selection(shown: Scoped, question: str, selection: tuple[int, int]) -> tuple[list[Chosen], str, str | None]:
    if len(shown.documents) != 1:
        raise UsageError("a selection needs exactly one document", hint="name it with --doc")
    document, reader = shown.only, shown.reader
    start, end = selection
    if not 0 <= start < end <= document.characters:
        raise UsageError(
            f"{start}:{end} is no span of “{document.title}”", hint=f"positions run from 0 to {document.characters}"
        )
    candidates = _sentences(reader, document.key, selection, 0)
    chosen = _chosen(reader, question, candidates, _weight(reader))
    return chosen, f"{len(candidates)} sentences of the selection", None


def _weight(reader: Reader) -> extractive.Weight:
    """Return how much a term says: its weight in the library's own statistics."""
    with reader.database.read() as c:
        index = reader.means.indexes().snapshot(c, vectors=False).lexical
    return lambda term: index.score_text([term], [term])


def _sentences(reader: Reader, key: int, span: tuple[int, int], rank: int) -> list[Sentence]:
    """Return the sentences of a passage that may be quoted: prose, and the rows of tables; no headings, no code."""
    found: list[Sentence] = []
    for block in reader.body(key, *span):
        start = block.start or 0
        if block.kind == "table":
            pieces = [(m.start(), m.end()) for m in LINE.finditer(block.text)]
        elif block.kind in PROSE:
            pieces = sentences(block.text, reader.language(key))
        else:
            continue
        for a, b in pieces:
            if start + a < span[1] and start + b > span[0]:
                found.append(Sentence(document=key, start=start + a, end=start + b, text=block.text[a:b], passage=rank))
    return found


def _chosen(reader: Reader, question: str, candidates: Sequence[Sentence], weight: extractive.Weight) -> list[Chosen]:
    """Compare the likeliest sentences with the question by meaning, where their vectors' model is here; choose."""
    terms = extractive.asked(question)
    likely = sorted(candidates, key=lambda s: (-_likely(terms, s, weight), s.start))
    compared: list[Sentence] = []
    by_model: dict[str | None, list[Sentence]] = {}
    for sentence in likely[:EMBEDDED]:
        by_model.setdefault(reader.model(sentence.document), []).append(sentence)
    for spec, group in by_model.items():
        compared += group if spec is None else _compared(reader, question, group, spec)
    return extractive.choose(question, compared, weight)


def _likely(terms: Sequence[str], sentence: Sentence, weight: extractive.Weight) -> float:
    """Return how likely a sentence answers by its words and its passage's rank."""
    return extractive.coverage(terms, sentence.text, weight) + 1 / (2 + sentence.passage)


def _compared(reader: Reader, question: str, group: Sequence[Sentence], spec: str) -> list[Sentence]:
    try:
        embedder = reader.means.embedder(spec)
        first = [_first_window(s.text, embedder) for s in group]
        similar = embedder.embed_passages(first) @ embedder.embed_query(question)
    except ModelError:  # search has said so already
        return list(group)
    return [replace(s, similarity=float(v)) for s, v in zip(group, extractive.scaled(similar.tolist()), strict=True)]


def _first_window(text: str, embedder: "Embedder") -> str:
    from glossator.embed import windows

    start, end = windows(text, embedder)[0]
    return text[start:end]


def _receipts(reader: Reader, chosen: Sequence[Chosen]) -> tuple[Citation, ...]:
    """Return a citation for each sentence that is found again, word for word, in what may be shown."""
    citations: list[Citation] = []
    for sentence in (c.sentence for c in chosen):
        place = find_in(reader, sentence.document, sentence.text, near=sentence.start)
        if place is None or place.match.verdict != "verified":
            continue
        start, end = place.match.start, place.match.end
        citations.append(
            Citation(
                n=len(citations) + 1,
                status="verified",
                quote=sentence.text,
                document=place.opened.ref,
                locator=reader.locator(place.opened, start, end),
            )
        )
    return tuple(citations)
