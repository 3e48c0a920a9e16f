"""Which tool does a model call first: with all tools before it, and with those that state and request let through?

200 requests in English and Chinese (`data/tool_choice.jsonl`), each with the state it is made in and the tools that
are right; they were written without a look at the words by which tools are found. Asked of the real small model as one
JSON object whose action is held to the names of the tools offered, at temperature 0; tools are told by name and the
first two sentences of their description. The baseline, in the same run, is all built-in tools at once.

Without the model (`--score` alone does that much): how often the right tool is among those offered, and how many are.

Replies are kept in the cache folder; a run that was broken off goes on. Requests stand in a fixed mixed order, so any
beginning of them is balanced.

    python benchmarks/tool_choice.py [--requests N] [--score]
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from common import ROOT, record
from glossator.agent.registry import Tool, built_in
from glossator.agent.toolsets import Embed, chosen, registered
from glossator.embed import choose, load
from qwen import NAME, Qwen, folder
from small_model import interval
from spoilers import read_lines

LIBRARY = frozenset({"documents", "index", "model"})
DOCUMENT = LIBRARY | {"document", "progress"}
STATES: dict[str, tuple[frozenset[str], str]] = {
    "empty": (frozenset({"model"}), "The library has no documents."),
    "library": (LIBRARY, "The library has documents; none is open."),
    "document": (DOCUMENT, "A book is open, read as far as its middle."),
    "selection": (DOCUMENT | {"selection"}, "A book is open, and a sentence of it is selected."),
    "reach": (
        LIBRARY | {"files", "web", "engine", "shell", "system", "data"},
        "The library has documents; none is open. Files, web, programs and data may be used.",
    ),
}
RULES = (
    "You help a person with their books and papers by calling tools. Reply with one JSON object that names the tool to "
    'call first: {"action": "NAME"}.\n\nTools:\n'
)
BATCH = 20
Case = dict[str, Any]


def main() -> None:
    """Ask what was not asked yet, then score and record."""
    options = argparse.ArgumentParser()
    options.add_argument("--requests", type=int, default=200)
    options.add_argument("--score", action="store_true", help="compute the figures of what there is; ask nothing")
    given = options.parse_args()
    cases = read_lines(ROOT / "benchmarks" / "data" / "tool_choice.jsonl")[: given.requests]
    tools = built_in()
    offers = {way: {c["id"]: offered(tools, c, way) for c in cases} for way in ("all", "words", "chosen")}
    replies = folder() / "tool-choice.jsonl"
    if not given.score:
        ask_all(cases, offers, replies)
    record("tool_choice", scored(cases, offers, read_lines(replies) if replies.exists() else []))


def offered(tools: Sequence[Tool], case: Case, way: str) -> list[Tool]:
    """Return the tools put before the model: all, or those that state and request let through."""
    if way == "all":
        return list(tools)
    facts, _ = STATES[case["state"]]
    return chosen(registered(tools, facts), case["request"], embed=embedder(case) if way == "chosen" else None)


_LOADED: dict[str, Embed] = {}


def embedder(case: Case) -> Embed | None:
    """Return what compares a request with descriptions, as the agent chooses it."""
    spec = choose(case["language"])
    if spec is None:
        return None
    if spec not in _LOADED:
        model = load(spec)
        known: dict[str, list[float]] = {}

        def embed(texts: Sequence[str]) -> list[list[float]]:
            new = [t for t in texts[1:] if t not in known]
            if new:
                known.update(zip(new, model.embed_passages(new).tolist(), strict=True))
            return [model.embed_query(texts[0]).tolist(), *(known[t] for t in texts[1:])]

        _LOADED[spec] = embed
    return _LOADED[spec]


def ask_all(cases: Sequence[Case], offers: dict[str, dict[str, list[Tool]]], replies: Path) -> None:
    """Ask batch by batch, each way in turn; those whose tools begin alike stand together, so that less is read anew."""
    done = {(line["id"], line["way"]) for line in read_lines(replies)} if replies.exists() else set()
    model: Qwen | None = None
    with replies.open("a", encoding="utf-8") as out:
        for at in range(0, len(cases), BATCH):
            for way in ("all", "chosen"):
                batch = sorted(cases[at : at + BATCH], key=lambda c, w=way: told(offers[w][c["id"]]))
                for case in batch:
                    if (case["id"], way) in done:
                        continue
                    model = model or Qwen()
                    line = {"id": case["id"], "way": way} | asked(case, offers[way][case["id"]], model)
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
                    out.flush()
                    print(way, case["request"], case["tools"], line["action"], line["cpu"], flush=True)


def told(tools: Sequence[Tool]) -> str:
    """Return the tools by name, with the first two sentences of each description."""
    return "\n".join(f"- {t.name}: {'. '.join(t.description.split('. ')[:2]).rstrip('.')}." for t in tools)


def asked(case: Case, tools: Sequence[Tool], model: Qwen) -> Case:
    """Return which tool the model names."""
    schema = {
        "type": "object",
        "properties": {"action": {"type": "string", "enum": [t.name for t in tools]}},
        "required": ["action"],
        "additionalProperties": False,
    }
    messages = [
        {"role": "system", "content": RULES + told(tools)},
        {"role": "user", "content": f"({STATES[case['state']][1]})\n{case['request']}"},
    ]
    said = model.say(messages, schema=schema, most=40)
    try:
        action = json.loads(said.text)["action"]
    except (json.JSONDecodeError, KeyError):
        action = None
    return {"action": action, "cpu": round(said.cpu_seconds, 1), "tokens": said.prompt_tokens}


def scored(cases: Sequence[Case], offers: dict[str, dict[str, list[Tool]]], lines: Sequence[Case]) -> dict[str, Any]:
    """Return how often the right tool is offered, and named by the model, each way."""
    figures: dict[str, Any] = {"requests": len(cases)}
    for way, name in (("words", "state and words"), ("chosen", "state, words and meaning")):
        right = [bool({t.name for t in offers[way][c["id"]]} & set(c["tools"])) for c in cases]
        figures[f"{name}: right tool offered"] = interval(right)
        counts = sorted(len(offers[way][c["id"]]) for c in cases)
        figures[f"{name}: tools offered, median"] = counts[len(counts) // 2]
        missed = [f"{c['request']} ({c['tools'][0]})" for c, r in zip(cases, right, strict=True) if not r]
        figures[f"{name}: not offered"] = missed
    said = {(line["id"], line["way"]): line["action"] for line in lines}
    both = [c for c in cases if (c["id"], "all") in said and (c["id"], "chosen") in said]
    figures |= {"model": NAME, "asked both ways": len(both)}
    for way, name in (("all", "baseline, all tools: right"), ("chosen", "state, words and meaning: right")):
        for language in ("", "en", "zh"):
            of = [said[c["id"], way] in c["tools"] for c in both if language in ("", c["language"])]
            figures[f"{name}{f' ({language})' if language else ''}"] = interval(of)
    return figures


if __name__ == "__main__":
    main()
