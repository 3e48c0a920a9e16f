"""Answering from a scope with its own sentences, each with its receipt; or saying that nothing there answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from glossator.document.sentence import sentences
from glossator.errors import ModelError, UsageError
from glossator.library import answer as extractive
from glossator.library.answer import Chosen, Sentence
from glossator.library.findings import Answer, Citation, Step
from glossator.library.locate import find_in
from glossator.library.reader import Reader
from glossator.library.results import joined
from glossator.library.scoping import Scoped
from glossator.search.query import Query
from glossator.store.scope import resolve_scope

if TYPE_CHECKING:
    from glossator.embed import Embedder

PASSAGES = 8  # read for an answer
ENOUGH = 50  # passages in scope, for their similarities to have a distribution
EMBEDDED = 20  # sentences of them that are compared with the question by meaning
PROSE = ("paragraph", "list_item", "quotation", "footnote", "caption", "formula")
LINE = re.compile(r"[^\n]+")


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


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The passages found for a question (document, start, end), and whether what they hold is worth an answer."""

    passages: tuple[tuple[int, int, int], ...]
    relevant: bool
    notice: str | None


def retrieve(reader: Reader, question: str, k: int = PASSAGES) -> Retrieved:
    """Return the best `k` passages for a question, and the verdict by which an extractive answer abstains."""
    found = reader.search(Query(text=" ".join(question.split())), k=max(k, PASSAGES))
    spans = tuple((p.document, p.start, p.end) for p in found.passages)
    if not spans:
        return Retrieved((), relevant=False, notice=found.notice)
    weight, terms = term_weight(reader), extractive.asked(question)
    words = max(extractive.coverage(terms, reader.text(*span), weight) for span in spans[:PASSAGES])
    standing = _standing(reader, question, reader.model(spans[0][0]))
    return Retrieved(spans[:k], relevant=extractive.relevant(question, words, standing), notice=found.notice)


def _of_library(shown: Scoped, question: str) -> tuple[list[Chosen], str, str | None]:
    """Return the sentences that answer, what was looked at, and what could not be."""
    reader = shown.reader
    found = retrieve(reader, question)
    where = f"{len(found.passages)} passages"
    if not found.passages:
        return [], "nothing found", found.notice
    if not found.relevant:
        return [], f"{where}, none of them to the point", found.notice
    candidates = [s for n, (d, a, b) in enumerate(found.passages) for s in _sentences(reader, d, (a, b), n)]
    chosen = _chosen(reader, question, candidates, term_weight(reader))
    return chosen, f"{where}, {len(candidates)} sentences", found.notice


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
            query = reader.embedder(spec).embed_query(question)
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
    chosen = _chosen(reader, question, candidates, term_weight(reader))
    return chosen, f"{len(candidates)} sentences of the selection", None


def term_weight(reader: Reader) -> extractive.Weight:
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


def nearest(reader: Reader, question: str, spans: Sequence[tuple[int, int, int]]) -> list[Chosen]:
    """Return the sentences of passages (document, start, end) by how likely they answer a question."""
    with reader.database.read():
        candidates = [s for n, (d, a, b) in enumerate(spans) for s in _sentences(reader, d, (a, b), n)]
        weight = term_weight(reader)
        return extractive.ranked(question, _likeliest(reader, question, candidates, weight), weight)


def _chosen(reader: Reader, question: str, candidates: Sequence[Sentence], weight: extractive.Weight) -> list[Chosen]:
    return extractive.choose(question, _likeliest(reader, question, candidates, weight), weight)


def _likeliest(
    reader: Reader, question: str, candidates: Sequence[Sentence], weight: extractive.Weight
) -> list[Sentence]:
    """Return the likeliest sentences, compared with the question by meaning where their vectors' model is here."""
    terms = extractive.asked(question)
    likely = sorted(candidates, key=lambda s: (-_likely(terms, s, weight), s.start))
    compared: list[Sentence] = []
    by_model: dict[str | None, list[Sentence]] = {}
    for sentence in likely[:EMBEDDED]:
        by_model.setdefault(reader.model(sentence.document), []).append(sentence)
    for spec, group in by_model.items():
        compared += group if spec is None else _compared(reader, question, group, spec)
    return compared


def _likely(terms: Sequence[str], sentence: Sentence, weight: extractive.Weight) -> float:
    """Return how likely a sentence answers by its words and its passage's rank."""
    return extractive.coverage(terms, sentence.text, weight) + 1 / (2 + sentence.passage)


def _compared(reader: Reader, question: str, group: Sequence[Sentence], spec: str) -> list[Sentence]:
    try:
        embedder = reader.embedder(spec)
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
