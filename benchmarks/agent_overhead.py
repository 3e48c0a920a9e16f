"""What the agent's loop costs per step with 28 tools, and how soon a tool's name is on the screen.

A step is: read the session, compact, ask the model, run a tool, store the round. The model is a function that answers
at once and the tool does nothing, so all that is measured is ours and the model library's. The name of a tool is timed
from the moment the server sends it to the event that a surface draws.
"""

import json
import sys
import tempfile
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from common import ROOT, record

sys.path.insert(0, str(ROOT))

from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Call as Called
from tests.agent.fake_provider.script import Reply

from glossator.agent import answering
from glossator.agent.answering import Asked, Question, ask, asked
from glossator.agent.events import Event, Opened, Round
from glossator.agent.limits import Given
from glossator.agent.registry import Tool, built_in, tool, tool_of
from glossator.choice import choice_of
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.messages import Tool as Call

TOOLS = 28
STEPS = 60
CARDS = 20


def nothing(topic: str, limit: int = 5) -> str:
    """Look something up. Use it when the question is about that; not for small talk.

    Args:
        topic: what to look up
        limit: how many
    """
    return f"{limit} results on {topic}: " + "the wind blew over the moor. " * 60


def tools() -> dict[str, Tool]:
    """Return 28 tools: ours, and one that does nothing and answers at some length."""
    idle = tool_of(tool(toolset="own", words="look")(_named(0)))
    found = {t.name: t for t in built_in()}
    return dict(list(found.items())[: TOOLS - 1]) | {idle.name: idle}


def _named(n: int) -> Any:
    def copy(topic: str, limit: int = 5) -> str:
        return nothing(topic, limit)

    copy.__name__, copy.__doc__ = f"look_{n}", nothing.__doc__
    return copy


def steps(library: Library, bound: Bound) -> tuple[list[float], float]:
    """Return how long each step of a run took without its tool, and how much of the processor a step took."""
    count, before = 0, process_time()

    async def script(_: Any, info: Any) -> AsyncIterator[Any]:
        nonlocal count
        count += 1
        assert len(info.function_tools) in (0, TOOLS), len(info.function_tools)
        if count > STEPS:
            yield "Done."
            return
        yield {0: DeltaToolCall(name="look_0", json_args=json.dumps({"topic": f"t{count}"}), tool_call_id=f"c{count}")}

    began: list[float] = []

    def told(event: Event) -> None:
        if isinstance(event, Round):
            began.append(perf_counter())

    model = Asked(model=FunctionModel(stream_function=script), name="function")
    question = Question(text="Who?", docs=["The Time Machine"], bound=bound, given=Given(rounds=200))
    answer = ask(library, question, model, told=told)
    taken = [b - a for a, b in pairwise(began)]
    spent = [s.seconds for s in answer.steps]
    return sorted(t - s for t, s in zip(taken, spent, strict=True)), (process_time() - before) / STEPS


def cards(library: Library) -> list[float]:
    """Return how long after the server sent a tool's name a surface could draw it."""
    taken = []
    for _ in range(CARDS):
        reply = Reply(calls=(Called("search", {"query": "the Morlocks and the Eloi"}),), pace=0.02)
        with FakeProvider(lambda turn, r=reply: r if not turn.results else Reply(text="Yes.")) as fake:
            choice = choice_of("openai-chat:fake", base_url=fake.url("openai-chat"))
            assert choice is not None
            seen: list[float] = []

            def told(event: Event, seen: list[float] = seen) -> None:
                if isinstance(event, Opened) and isinstance(event.part, Call):
                    seen.append(perf_counter())

            ask(library, Question(text="Who?"), asked(choice), told=told)
            sent = next(at for at, text in fake.seen[0].sent if '"search"' in text)
            taken.append(seen[0] - sent)
    return sorted(taken)


def main() -> None:
    """Print and record the figures."""
    known = tools()
    answering.collected = lambda *_: (known, [])
    answering.chosen = lambda available, *_, **__: list(available)
    answering.registered = lambda available, _: list(available)
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder), embedder="none") as library:
        library.add([str(ROOT / "examples" / "the-time-machine.epub")])
        steps(library, Bound())
        free, busy = steps(library, Bound())
        capped, busy_capped = steps(library, Bound(80_000))
        drawn = cards(library)
    record(
        "agent_overhead",
        {
            "tools": TOOLS,
            "steps": STEPS,
            "ms per step, median": round(1000 * median(free), 1),
            "ms per step, 90th percentile": round(1000 * free[int(0.9 * len(free))], 1),
            "ms of processor time per step": round(1000 * busy, 1),
            "ms of processor time per step under a bound": round(1000 * busy_capped, 1),
            "ms per step under a bound, median": round(1000 * median(capped), 1),
            "ms from a tool's name to its card, median": round(1000 * median(drawn), 1),
            "ms from a tool's name to its card, most": round(1000 * drawn[-1], 1),
        },
    )


if __name__ == "__main__":
    main()
