"""An agent with two tools, and the five providers' models on a fake server."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage

from glossator.agent.models import build
from glossator.agent.steady import Patience
from glossator.choice import ModelChoice, choice_of
from tests.agent.fake_provider import FakeProvider

MODELS = {
    "openai-chat": "gpt-5",
    "openai": "gpt-5",
    "anthropic": "claude-sonnet-5-5",
    "deepseek": "deepseek-v4-pro",
    "ollama": "qwen3",
}
AT_ONCE = Patience(waits=(0.0, 0.0, 0.0))
T = TypeVar("T")


def choice(server: FakeProvider, name: str, **changes: Any) -> ModelChoice:
    """Return the choice of a provider's model on the fake server; Anthropic's thinks. `plain`: one without tools."""
    provider = "openai-chat" if name == "plain" else name
    found = choice_of(f"{provider}:{MODELS.get(name, 'fake')}", base_url=server.url(name), environment={})
    assert found
    thinking = "medium" if name == "anthropic" else None
    return replace(found, **{"thinking": thinking, **changes})


def agent() -> Agent[None, str]:
    """Return an agent with the tools `search` and `contents`."""
    made: Agent[None, str] = Agent(instructions="Be exact.", retries={"tools": 3})

    @made.tool_plain
    def search(query: str) -> str:
        """Search the text for words."""
        return f"found {query}"

    @made.tool_plain
    def contents(query: str) -> str:
        """List the chapters."""
        return f"chapters for {query}"

    return made


def using(chosen: ModelChoice, body: Callable[[Any], Awaitable[T]], **options: Any) -> T:
    """Return what `body` makes of the model, in an event loop of its own, closed at the end."""

    async def run() -> T:
        model = build(chosen, **{"patience": AT_ONCE, "environment": {}, **options})
        model.begin()
        try:
            return await body(model)
        finally:
            await model.close()

    return asyncio.run(run())


def ask(
    chosen: ModelChoice, prompt: str | None, history: Sequence[ModelMessage] = (), **options: Any
) -> list[ModelMessage]:
    """Return the messages of a run."""

    async def body(model: Any) -> list[ModelMessage]:
        return (await agent().run(prompt, model=model, message_history=list(history))).all_messages()

    return using(chosen, body, **options)


def stream(
    chosen: ModelChoice, prompt: str, history: Sequence[ModelMessage] = (), **options: Any
) -> tuple[list[Any], list[ModelMessage]]:
    """Return the events of a run, and its messages."""

    async def body(model: Any) -> tuple[list[Any], list[ModelMessage]]:
        events = []
        async with agent().run_stream_events(prompt, model=model, message_history=list(history)) as running:
            async for event in running:
                events.append(event)
        return events, running.result.all_messages()

    return using(chosen, body, **options)


def text(messages: Sequence[ModelMessage]) -> str:
    """Return the text of the last answer."""
    return "".join(p.content for p in messages[-1].parts if p.part_kind == "text")
