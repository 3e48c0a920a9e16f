"""Which tools a run has: state decides what is registered, the request decides which of many are put before the model.

No document open: no reading tools. Nothing indexed: no search tools. More than ten left: the most relevant ones, by
the words of the request in any language and, where an embedder is at hand, by meaning. What a session was once given
it keeps, in the same order: the provider's prompt cache stays warm.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from glossator.agent.context import ToolContext
from glossator.agent.registry import OWN, Tool
from glossator.index.tokens import query_tokens

MOST = 10  # tools put before a model, unless a session has more already
ALWAYS = ("search", "contents", "read_section", "selection")  # whatever is asked, where they are registered
FEWEST = 5  # where likeness of meaning has chosen; words alone miss more, so they leave no place empty
HERE = 0.5  # what it weighs that a tool is about the open document or the selection
MEANING = 2.0  # what full likeness of meaning weighs, in matched words
REASONS: Mapping[str, str] = {
    "document": "no document is open",
    "documents": "the library has no documents in the scope",
    "selection": "nothing is selected",
    "index": "nothing is indexed",
    "model": "no language model is chosen",
    "skills": "no skills are there; `tools.skills` in your settings names their folder",
    "engine": "no search engine is configured; `tools.web_search` in your settings names one",
    "logins": "no log-ins are configured; `tools.logins` in your settings names them",
    "files": "reading and writing files is not allowed; --allow files",
    "web": "reaching the web is not allowed; --allow web",
    "shell": "running commands is not allowed; --allow shell",
    "system": "looking at the system is not allowed; --allow system",
    "data": "reading data files is not allowed; --allow data",
}
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


def facts_of(context: ToolContext, *, model: bool = True) -> frozenset[str]:
    """Return what there is: the words that a tool's `needs` are checked against."""
    documents = context.reader.documents()
    facts = set(context.allow)
    if "system" in facts:
        facts.add("shell")
    reach = context.reach
    facts |= {n for n, there in (("skills", reach.skills), ("engine", reach.engine), ("logins", reach.logins)) if there}
    if documents:
        facts.add("documents")
    if any(d.chunks for d in documents):
        facts.add("index")
    if context.state.document is not None:
        facts |= {"document", "progress"}
        if context.state.selection is not None:
            facts.add("selection")
    if model:
        facts.add("model")
    return frozenset(facts)


def why_not(tool: Tool, facts: frozenset[str]) -> str | None:
    """Return why a tool is not registered now, or None when it is."""
    missing = [need for need in tool.needs if need not in facts]
    return None if not missing else REASONS.get(missing[0], f"there is no {missing[0]}")


def registered(tools: Iterable[Tool], facts: frozenset[str]) -> list[Tool]:
    """Return the tools whose needs are met."""
    return [t for t in tools if why_not(t, facts) is None]


def chosen(
    tools: Sequence[Tool],
    request: str,
    *,
    kept: Sequence[str] = (),
    most: int = MOST,
    embed: Embed | None = None,
) -> list[Tool]:
    """Return the tools for a request: those `kept` from before in their order, then the most relevant others.

    All of them when there are no more than `most`. A person's own tools are never left out.
    """
    known = {t.name: t for t in tools}
    before = [known[name] for name in kept if name in known]
    if len(tools) <= most and not before:
        return list(tools)
    rest = [t for t in tools if t not in before]
    if len(tools) <= most:
        return [*before, *rest]
    scores = relevance(rest, request, embed=embed)
    must = [t for t in rest if t.name in ALWAYS or t.toolset == OWN]
    ranked = sorted((t for t in rest if t not in must), key=lambda t: -scores[t.name])
    room = max(0, most - len(before) - len(must))
    wanted = [t for t in ranked if scores[t.name] > 0]
    added = wanted[:room] if not before else [t for t in wanted if scores[t.name] >= 1.0][: max(room, 3)]
    picked = {t.name for t in (*must, *added)}
    if not before:  # a request that matches nothing has something to go by
        spare = [t.name for t in ranked if t.name not in picked]
        picked |= set(spare[: max(0, (most if embed is None else FEWEST) - len(picked))])
    return [*before, *(t for t in rest if t.name in picked)]


def relevance(tools: Sequence[Tool], request: str, *, embed: Embed | None = None) -> dict[str, float]:
    """Return how well each tool fits a request: its rarer words that occur in it, and likeness of meaning.

    A tool that is about the open document or the selection is only registered where there is one, which speaks for it.
    """
    texts = {t.name: _terms(t) for t in tools}
    spread: dict[str, int] = {}
    for terms in texts.values():
        for term in terms:
            spread[term] = spread.get(term, 0) + 1
    asked = set(query_tokens(request))
    folded = request.casefold()
    scores = {}
    for tool in tools:
        hit = [t for t in texts[tool.name] if (t in asked if t.isascii() else t in folded)]
        scores[tool.name] = sum(math.log(1 + len(tools) / spread[t]) for t in hit)
        scores[tool.name] += HERE if {"document", "selection"} & set(tool.needs) else 0.0
    if embed is not None and tools:
        for name, likeness in _likeness(tools, request, embed).items():
            scores[name] += MEANING * likeness
    return scores


def _terms(tool: Tool) -> set[str]:
    """Return the words by which a request may mean a tool: its own, and those of its name."""
    latin = [w for w in tool.words if w.isascii()]
    own = {w.casefold() for w in tool.words if not w.isascii()}
    return own | set(query_tokens(" ".join([*latin, tool.name.replace("_", " ")])))


def _likeness(tools: Sequence[Tool], request: str, embed: Embed) -> dict[str, float]:
    """Return how near each description is to a request, 0 for the farthest and 1 for the nearest."""
    query, *vectors = embed([request, *(f"{t.name.replace('_', ' ')}: {t.description}" for t in tools)])
    near = [sum(a * b for a, b in zip(query, v, strict=True)) for v in vectors]
    low, high = min(near), max(near)
    return {t.name: (n - low) / (high - low) if high > low else 0.0 for t, n in zip(tools, near, strict=True)}
