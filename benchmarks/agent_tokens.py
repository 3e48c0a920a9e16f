"""What capped results, compaction and the choice of tools save on sessions of twenty rounds, and what they keep.

Two sessions are published, each of twenty rounds of calls with the fact that the round was made to find:
`data/agent_session.json`, a novel of the examples in English, on which compaction was partly tuned, and
`data/agent_session_held_out.json`, Chinese chapters asked in both languages, written before what is kept of it was
looked at. When it was first measured 59 % were saved and 55 % of the facts kept; what was at fault was then found, and
the limits set, on other material (chapters 59 to 62 of the same novel, questions of CMRC 2018 and XQuAD), never on it.
Each is run twice by a scripted model: with everything whole (no cap, no compaction, all tools in each request), and as
the program does it. Tokens are estimated alike for both. A fact is kept when its words stand in the last request.
Beside it, by way of comparison: only the last eight messages, a window that is common elsewhere.
"""

import json
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from common import ROOT, record

sys.path.insert(0, str(ROOT))

from pydantic_ai.models.function import DeltaToolCall, FunctionModel

from glossator.agent import answering, compaction, run
from glossator.agent.answering import Asked, Question, ask
from glossator.agent.compaction import tokens_of
from glossator.agent.limits import Given
from glossator.agent.registry import Tool, built_in
from glossator.agent.tools import search as search_tools
from glossator.document.tokens import estimate_tokens
from glossator.library.library import Library

SESSIONS = {"": "agent_session.json", "held out: ": "agent_session_held_out.json"}
WHOLE = 10**7


def played(library: Library, session: dict[str, Any]) -> tuple[list[int], list[Any]]:
    """Return the estimated tokens of each request of the session, and the messages of the last one."""
    rounds, sizes, last = session["rounds"], [], []

    async def script(messages: Sequence[Any], info: Any) -> AsyncIterator[Any]:
        nonlocal last
        offered = json.dumps([[t.name, t.description, t.parameters_json_schema] for t in info.function_tools])
        sizes.append(tokens_of(messages) + sum(estimate_tokens([offered, info.instructions or ""])))
        last = list(messages)
        if len(sizes) > len(rounds):
            yield "Done."
            return
        call = rounds[len(sizes) - 1]
        identifier = f"c{len(sizes)}"
        yield {0: DeltaToolCall(name=call["tool"], json_args=json.dumps(call["args"]), tool_call_id=identifier)}

    model = Asked(model=FunctionModel(stream_function=script), name="scripted")
    question = Question(text=session["question"], docs=[session["document"]], given=Given(rounds=100, seconds=600))
    answer = ask(library, question, model)
    failed = [s.summary for s in answer.steps if s.state != "completed"]
    if failed:
        print("failed:", failed)
    return sizes, last


def kept(messages: Sequence[Any], facts: Sequence[str]) -> float:
    """Return the share of the facts whose words stand in the messages."""
    text = " ".join(" ".join(str(getattr(p, "content", "")) for m in messages for p in m.parts).split())
    found = [fact in text for fact in facts]
    print("  lost:", [f for f, there in zip(facts, found, strict=True) if not there])
    return sum(found) / len(found)


def main() -> None:
    """Print and record the figures of each session."""
    figures: dict[str, Any] = {}
    for name, file in SESSIONS.items():
        session = json.loads((ROOT / "benchmarks" / "data" / file).read_text("utf-8"))
        figures |= {f"{name}{key}": value for key, value in measured(session).items()}
    record("agent_tokens", figures | {"limit of a request": compaction.TOKENS})


def measured(session: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of one session, played whole and as the program does it."""
    facts = [r["fact"] for r in session["rounds"]]
    known = {t.name: t for t in built_in()}
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder), embedder="none") as library:
        library.add([str(ROOT / session["file"])])
        with patch.object(answering, "collected", lambda *_: (known, [])):
            ours, ours_last = played(library, session)
        whole: dict[str, Tool] = {n: replace(t, result_limit=WHOLE) for n, t in known.items()}
        with (
            patch.object(answering, "collected", lambda *_: (whole, [])),
            patch.object(answering, "chosen", lambda available, *_, **__: list(available)),
            patch.object(run, "compacted", lambda messages, **_: list(messages)),
            patch.dict(search_tools.LIMITS, {"search": WHOLE, "reading": WHOLE}),
            patch.object(search_tools, "READING", WHOLE),
            patch.object(search_tools, "WHOLE", WHOLE),
            patch.object(search_tools.fitting_end, "__kwdefaults__", {"limit": WHOLE}),
        ):
            raw, raw_last = played(library, session)
    return {
        "rounds": len(facts),
        "tokens, everything whole": sum(raw),
        "tokens, ours": sum(ours),
        "saved": round(1 - sum(ours) / sum(raw), 3),
        "last request, whole": raw[-1],
        "last request, ours": ours[-1],
        "facts in the last request, whole": round(kept(raw_last, facts), 3),
        "facts in the last request, ours": round(kept(ours_last, facts), 3),
        "facts in the last request, a window of 8 messages": round(kept(raw_last[-8:], facts), 3),
    }


if __name__ == "__main__":
    main()
