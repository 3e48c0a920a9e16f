"""How well a library finds what is in it: questions made from its own documents, and figures over the answers.

A *known item* question names a sentence by its four rarest words (in Chinese by its two rarest pairs of characters),
a *cloze* question is a sentence with its rarest word left out. Both are made of the text's own words, so they measure
whether the index finds what it holds, in which document, format and language it does not; they say little about
paraphrases. Questions of one's own, in a file, measure those.

Source: known-item retrieval, Azzopardi and de Rijke, SIGIR 2006, section 2; cloze procedure, Taylor 1953.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from glossator.document.scripts import HAN
from glossator.document.sentence import sentences
from glossator.errors import SourceError, UsageError
from glossator.library.results import Bound
from glossator.library.upkeep import Evaluation, Scores
from glossator.sources.files import readable
from glossator.store.documents import StoredDocument

if TYPE_CHECKING:
    from glossator.library.library import Library

Kind = Literal["known_item", "cloze", "file"]
Span = tuple[int, int]
DEPTH = 10  # ranks looked at; what is not among them counts 0 for the reciprocal rank
BLANK = "____"
QUESTIONS = 60  # of each kind, over all documents
NOTHING = "There is no sentence to ask about: add documents first."
SHORTEST, LONGEST = 40, 400  # characters of a sentence that makes a question; Chinese ones count threefold

_HAN = re.compile(f"[{HAN}]")
_CLAUSE = re.compile(f"[{HAN}]{{2,}}")
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query, and what answers it: a span of a document, or any place in it when `span` is None."""

    query: str
    document: str  # its id
    kind: Kind
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Where a hit stands."""

    document: str
    start: int
    end: int


def questions_of(document: str, text: str, spans: Sequence[Span], *, limit: int) -> list[Question]:
    """Return up to `limit` questions of each kind from the sentences at `spans`; the same ones each time."""
    usable = [s for s in spans if SHORTEST <= _length(text[s[0] : s[1]]) <= LONGEST]
    chosen = random.Random(document).sample(usable, min(limit, len(usable)))
    counts = _counts(text)
    questions: list[Question] = []
    for start, end in sorted(chosen):
        sentence = text[start:end]
        rarest = sorted(_units(sentence), key=lambda u: (counts[sentence[u[0] : u[1]].casefold()], u))
        made: tuple[tuple[Kind, str | None], ...] = (
            ("known_item", _known_item(sentence, rarest)),
            ("cloze", _cloze(sentence, rarest)),
        )
        for kind, query in made:
            if query:
                questions.append(Question(query=query, document=document, kind=kind, span=(start, end)))
    return questions


def questions_of_file(path: Path, resolve: Callable[[str], str]) -> list[Question]:
    """Return the questions of a JSON Lines file: `{"query", "doc", "start"?, "end"?}`; `resolve` turns DOC into an id.

    Raises:
        NotFound: there is no such file, or no such document.
        SourceError: it cannot be read.
        UsageError: a line is not a question; the message names it.
    """
    try:
        with readable(path):
            lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: cannot be read as UTF-8 text", hint="check the file") from error
    return [_question(path, n, line, resolve) for n, line in enumerate(lines, 1) if line.strip()]


def evaluate(
    library: "Library", docs: Sequence[str] = (), collections: Sequence[str] = (), queries: Path | None = None
) -> Evaluation:
    """Return figures over questions made from the documents named (or all), or over those of a file.

    Raises: as `questions_of_file`, and NotFound where a document or collection is not there.
    """
    shown_all = Bound(uncapped=True)  # figures and ids leave, no text
    shown = library.scope(docs, collections, bound=shown_all)
    documents = {d.id: d for d in shown.documents if d.status != "quarantined"}
    if queries is None:
        each = max(1, QUESTIONS // max(1, len(documents)))
        texts = ((d, shown.reader.text(d.key)) for d in list(documents.values())[:QUESTIONS])
        questions = [q for d, text in texts for q in questions_of(d.id, text, sentences(text, d.language), limit=each)]
    else:
        questions = questions_of_file(queries, library.identify)
    ranks: list[tuple[Question, int | None]] = []
    for question in questions:
        hits = library.search(
            question.query, docs=docs, collections=collections, k=DEPTH, bound=Bound(uncapped=True)
        ).hits
        found = [Found(h.document.id, h.locator.start, h.locator.end) for h in hits]
        ranks.append((question, rank_of(question, found)))
    return Evaluation(scores([r for _, r in ranks]), _by(ranks, documents), None if ranks else NOTHING)


def _by(
    ranks: Sequence[tuple[Question, int | None]], documents: Mapping[str, StoredDocument]
) -> dict[str, dict[str, Scores]]:
    """Return the figures by document, format, language and kind of question."""
    groups: dict[str, dict[str, list[int | None]]] = {"document": {}, "format": {}, "language": {}, "kind": {}}
    for question, rank in ranks:
        d = documents.get(question.document)
        facets = {
            "document": question.document,
            "format": d.format if d else "unknown",
            "language": (d.language if d else None) or "unknown",
            "kind": question.kind,
        }
        for facet, value in facets.items():
            groups[facet].setdefault(value, []).append(rank)
    return {facet: {value: scores(r) for value, r in values.items()} for facet, values in groups.items()}


def rank_of(question: Question, hits: Iterable[Found]) -> int | None:
    """Return the rank, from 1, of the first hit that answers the question."""
    for rank, hit in enumerate(hits, 1):
        if hit.document == question.document and _overlap(question.span, hit):
            return rank
    return None


def scores(ranks: Sequence[int | None]) -> Scores:
    """Return the figures over the ranks of some questions; all 0 when there are none."""
    n = max(1, len(ranks))
    return Scores(
        queries=len(ranks),
        recall_1=sum(r == 1 for r in ranks) / n,
        recall_5=sum(r is not None and r <= 5 for r in ranks) / n,
        mrr=sum(1 / r for r in ranks if r is not None) / n,
    )


def _overlap(span: Span | None, hit: Found) -> bool:
    return span is None or (hit.start < span[1] and span[0] < hit.end)


def _length(sentence: str) -> int:
    return len(sentence) + 2 * len(_HAN.findall(sentence))


def _units(sentence: str) -> list[Span]:
    """Return the spans of what a question may name: long words, pairs of Chinese characters."""
    words = [m.span() for m in _WORD.finditer(sentence) if not _HAN.search(m[0])]
    pairs = [(i, i + 2) for m in _CLAUSE.finditer(sentence) for i, _ in pairwise(range(m.start(), m.end()))]
    return words + pairs


def _counts(text: str) -> Counter[str]:
    return Counter(text[a:b].casefold() for a, b in _units(text))


def _known_item(sentence: str, rarest: Sequence[Span]) -> str | None:
    chosen: list[Span] = []
    for span in rarest:
        if all(span[1] <= a or b <= span[0] for a, b in chosen):
            chosen.append(span)
        if len(chosen) == (2 if _HAN.match(sentence[span[0]]) else 4):
            return " ".join(sentence[a:b] for a, b in sorted(chosen))
    return None


def _cloze(sentence: str, rarest: Sequence[Span]) -> str | None:
    if len(rarest) < 4:
        return None
    start, end = rarest[0]
    return sentence[:start] + BLANK + sentence[end:]


def _question(path: Path, number: int, line: str, resolve: Callable[[str], str]) -> Question:
    try:
        value: Any = json.loads(line)
        query, doc = value["query"], value["doc"]
        start, end = value.get("start"), value.get("end")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _no_question(path, number) from error
    if not isinstance(query, str) or not isinstance(doc, str):
        raise _no_question(path, number)
    span = (start, end) if isinstance(start, int) and isinstance(end, int) else None
    return Question(query=query, document=resolve(doc), kind="file", span=span)


def _no_question(path: Path, number: int) -> UsageError:
    return UsageError(
        f"{path}, line {number}: is not a question",
        hint='write {"query": "…", "doc": "…"}, with "start" and "end" of the passage where it is known',
    )
