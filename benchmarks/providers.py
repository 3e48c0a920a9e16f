"""Which provider takes what: tool turn, stream, second turn, and a session that changes its provider, five by five.

Runs against the fake providers of the tests, which refuse what the real ones refuse. Also the time that our layer
adds to a request with 28 tools, and the time from a tool's name on the wire to its event. No network.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.common import record
from tests.agent.asking import MODELS, agent, choice
from tests.agent.fake_provider import Call, FakeProvider, Reply, Turn, in_turn

from glossator.agent.models import build
from glossator.choice import ModelChoice

TOOLS = 28
REQUESTS = 40
PAUSE = 0.3  # seconds between the pieces of a call
Check = Callable[[FakeProvider, ModelChoice], Awaitable[None]]


async def with_model(chosen: ModelChoice, body: Callable[[Any], Awaitable[Any]]) -> Any:
    model = build(chosen, environment={})
    try:
        return await body(model)
    finally:
        await model.close()


async def run(chosen: ModelChoice, prompt: str | None, history: Any = ()) -> Any:
    """Return the messages of a run; an answer that is none is an error."""

    async def body(model: Any) -> Any:
        done = await agent().run(prompt, model=model, message_history=list(history))
        if "Answer" not in done.output:
            raise AssertionError(f"an answer was expected, not {done.output!r}")
        return done.all_messages()

    return await with_model(chosen, body)


async def streamed(chosen: ModelChoice, prompt: str, history: Any = ()) -> Any:
    """Return the messages of a run whose answers are streamed."""

    async def body(model: Any) -> Any:
        async with agent().run_stream_events(prompt, model=model, message_history=list(history)) as running:
            kinds = [type(event).__name__ async for event in running]
        if "PartDeltaEvent" not in kinds:
            raise AssertionError("nothing was streamed")
        return running.result.all_messages()

    return await with_model(chosen, body)


async def matrix() -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]], int]:
    """Return what passes for each provider, what passes from each to each, and how often a server refused."""
    single: dict[str, dict[str, str]] = {}
    switch: dict[str, dict[str, str]] = {}
    with FakeProvider() as server:
        histories = {}
        for name in MODELS:
            chosen = choice(server, name)
            single[name] = {}
            done = await passes(single[name], "tool turn", run(chosen, "tool:search"))
            histories[name] = done or []
            await passes(single[name], "second turn", run(chosen, "and more", histories[name]))
            await passes(single[name], "streaming", streamed(chosen, "par please", histories[name]))
        for name, history in histories.items():
            switch[name] = {}
            for other in MODELS:
                chosen = choice(server, other)
                turns: dict[str, str] = {}
                await passes(turns, "next turn", run(chosen, "tool:contents", history))
                await passes(turns, "streamed", streamed(chosen, "tool:contents", history))
                await passes(turns, "mid-turn", run(chosen, None, history[:3]))
                failed = [f"{k}: {v}" for k, v in turns.items() if v != "pass"]
                switch[name][other] = "; ".join(failed) or "pass"
        refused = sum(seen.status != 200 for seen in server.seen)
    return single, switch, refused


async def passes(into: dict[str, str], what: str, attempt: Awaitable[Any]) -> Any:
    """Note whether an attempt passes, and return what came of it."""
    try:
        found = await attempt
    except Exception as error:  # whatever goes wrong is the figure
        into[what] = f"FAIL {type(error).__name__}: {str(error)[:120]}"
        return None
    into[what] = "pass"
    return found


async def overhead() -> dict[str, float]:
    """Return milliseconds of the processor for a request with 28 tools: through our layer, and by the SDK alone.

    The server runs in another thread and does not count, nor does what else the machine is doing.
    """
    from openai import AsyncOpenAI
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.messages import ModelRequest
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.tools import ToolDefinition

    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    tools = [
        ToolDefinition(name=f"tool_{n}", description="Does this. " * 20, parameters_json_schema=schema)
        for n in range(TOOLS)
    ]
    parameters = ModelRequestParameters(function_tools=tools)

    async def milliseconds(model: Any) -> float:
        taken = []
        for _ in range(REQUESTS):
            began = thread_time()
            asked = [ModelRequest.user_text_prompt("hello")]
            async with model_request_stream(model, asked, model_request_parameters=parameters) as stream:
                async for _event in stream:
                    pass
            taken.append(thread_time() - began)
        return median(taken[5:]) * 1000

    with FakeProvider(in_turn([Reply(text="Well. " * 10)])) as server:
        ours = await with_model(choice(server, "openai-chat"), milliseconds)
        sdk = AsyncOpenAI(base_url=server.url("openai-chat"), api_key="none", max_retries=0)
        async with sdk:
            bare = await milliseconds(OpenAIChatModel("gpt-5", provider=OpenAIProvider(openai_client=sdk)))
    return {"with our layer": round(ours, 2), "without": round(bare, 2), "added": round(ours - bare, 2)}


async def early_name(name: str) -> float:
    """Return milliseconds from sending a tool's name to its event, while its arguments are still on their way."""
    words = '{"action": "search", "args": {"query": "a query of some length"}}'

    def script(turn: Turn) -> Reply:
        if turn.results or turn.number > 1:
            return Reply(text="Answer")
        if name == "plain":
            return Reply(text=words, piece=len('{"action": "search", '), pace=PAUSE)
        return Reply(calls=(Call("search", {"query": "a query of some length"}),), piece=12, pace=PAUSE)

    with FakeProvider(script) as server:

        async def body(model: Any) -> float:
            async with agent().run_stream_events("go", model=model) as running:
                async for event in running:
                    if getattr(getattr(event, "part", None), "part_kind", "") == "tool-call":
                        return perf_counter()
            raise AssertionError("no call came")

        changes = {"tools": "prompted"} if name == "plain" else {}
        at = await with_model(choice(server, name, **changes), body)
        named = next(t for t in server.seen[0].sent if _names(t[1]))
        return (at - named[0]) * 1000


def _names(data: str) -> bool:
    return "search" in data or '\\"search\\"' in data


async def figures() -> dict[str, Any]:
    single, switch, refused = await matrix()
    for name, row in single.items():
        print(f"{name:12}", {k: v[:60] for k, v in row.items()})
    print(f"{'from / to':12}", *(f"{n:>12}" for n in MODELS))
    for name, to in switch.items():
        print(f"{name:12}", *(f"{v[:12]:>12}" for v in to.values()))
    early = {name: round(await early_name(name), 1) for name in (*MODELS, "plain")}
    ok = all(v == "pass" for row in (*single.values(), *switch.values()) for v in row.values())
    return {
        "all pass": ok,
        "single": single,
        "switch of provider": switch,
        "requests refused": refused,
        "overhead ms (28 tools)": await overhead(),
        "ms from a tool's name to its event": early,
    }


if __name__ == "__main__":
    found = asyncio.run(figures())
    record("providers", found)
    sys.exit(0 if found["all pass"] else 1)
