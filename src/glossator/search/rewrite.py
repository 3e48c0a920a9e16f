"""Rewriting a query before it is searched: with more words, as the passage that would answer it, or asked several ways.

A language model writes; it is a function that is passed in, so nothing here knows a model. What it writes is only
searched for, beside the query itself and inside the same scope, and never shown as found. The lists are fused by rank:
the query counts as much as all rewritings together, so a bad one pushes nothing out of its place by itself. What a
query insists on ("…", -word) holds for every rewriting.

expansion    the query with other words for the same things
hyde         a passage as it might stand in a text that answers (Gao et al. 2022), compared by meaning
multi_query  the question asked in up to `QUERIES` other ways
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from glossator.errors import ModelError
from glossator.search.hybrid import Found, Mode, Passage
from glossator.search.query import Query

Method = Literal["none", "expansion", "hyde", "multi_query"]
METHODS: tuple[Method, ...] = get_args(Method)
Say = Callable[[str, str], str]  # instructions and a query: what a language model says to them

WORDS = 12  # that an expansion may add
QUERIES = 3  # that a question may be asked by instead
LONGEST = 1_200  # characters of a passage that is made up
RRF_K = 60  # Cormack et al. 2009

PROMPTS: dict[Method, str] = {
    "expansion": (
        "You help a search engine. Give other words for what the query is about: synonyms, related terms, names. "
        f"At most {WORDS}, separated by commas, in the language of the query, nothing else."
    ),
    "hyde": (
        "You help a search engine. Write a passage of three sentences as it might stand in a text that answers the "
        "query, in the language of the query. Write the passage and nothing else."
    ),
    "multi_query": (
        f"You help a search engine. Ask the query in {QUERIES} other ways, in its language, each on a line of its own. "
        "Write the questions and nothing else."
    ),
}
_FENCE = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d+[.)、）])\s*")
_BETWEEN = re.compile(r"[,，、;；\n]")
_TALK = re.compile(r"^(?:sure|certainly|of course|here (?:are|is)|okay|好的|当然|以下)\b.*[:：]\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What a query was rewritten to: the texts that are searched beside it."""

    method: Method
    texts: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the shape that a trace shows."""
        return {"method": self.method, "queries": list(self.texts)}


def rewrite(query: Query, method: Method, say: Say) -> Rewriting:
    """Return the rewriting of a query by a language model.

    Raises:
        ModelError: the model wrote nothing that can be used, or could not be asked.
    """
    texts = parse(say(PROMPTS[method], query.text), query.text, method)
    if not texts:
        raise ModelError("the model wrote nothing to search for", hint="search without --rewrite, or try another model")
    return Rewriting(method, texts)


def parse(reply: str, query: str, method: Method) -> tuple[str, ...]:
    """Return the texts to search for in what a model wrote, without fences, bullets and talk; none where none are."""
    lines = [_BULLET.sub("", line).strip().strip('"“”') for line in _FENCE.sub("", reply).splitlines()]
    lines = [line for line in lines if any(c.isalnum() for c in line) and not _TALK.match(line)]
    if method == "hyde":
        passage = " ".join(lines)[:LONGEST].strip()
        return (passage,) if passage else ()
    if method == "multi_query":
        own = " ".join(query.split()).casefold()
        return tuple(dict.fromkeys(line for line in lines if line.casefold() != own))[:QUERIES]
    known = query.casefold()
    words = [" ".join(w.split()).strip(" .。") for w in _BETWEEN.split("\n".join(lines))]
    words = list(dict.fromkeys(w for w in words if w and len(w) <= 60 and w.casefold() not in known))
    return (" ".join([query, *words[:WORDS]]),) if words else ()


def search_rewritten(
    search: Callable[[Query, Mode], Found], query: Query, rewriting: Rewriting, *, k: int, mode: Mode
) -> Found:
    """Return the best `k` passages for a query and its rewriting, each with a trace that shows it.

    `search` finds passages for a query in a mode, as many as are wanted.
    """
    first = search(query, mode)
    by: Mode = "vector" if rewriting.method == "hyde" and mode == "hybrid" else mode
    lists = [first.passages]
    for text in rewriting.texts:
        lists.append(_found(search, replace(query, text=text), by))
    fused = _fused(lists)[:k]
    shown = rewriting.to_json()
    passages = tuple(
        replace(p, score=score, trace={**p.trace, "rewrite": {**shown, "score": round(score, 6)}}) for p, score in fused
    )
    return Found(passages=passages, notice=first.notice)


def _found(search: Callable[[Query, Mode], Found], query: Query, by: Mode) -> tuple[Passage, ...]:
    """Return what is found by meaning, and by words where there are no vectors to compare with."""
    try:
        found = search(query, by).passages
    except ModelError:
        found = ()
    return found or search(query, "lexical").passages


def _fused(lists: Sequence[Sequence[Passage]]) -> list[tuple[Passage, float]]:
    """Return all passages by reciprocal rank, the first list counting as much as all others together."""
    scores: dict[int, float] = {}
    passages: dict[int, Passage] = {}
    for n, found in enumerate(lists):
        weight = 1.0 if n == 0 else 1.0 / (len(lists) - 1)
        for rank, passage in enumerate(found, 1):
            best = next((i for i, p in passages.items() if passage.chunks[0] in p.chunks), passage.chunks[0])
            passages.setdefault(best, passage)
            scores[best] = scores.get(best, 0.0) + weight / (RRF_K + rank)
    order = sorted(scores, key=lambda i: (-scores[i], i))
    return [(passages[i], scores[i]) for i in order]
