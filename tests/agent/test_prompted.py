"""Models without tool calls of their own call tools all the same."""

import json

import pytest
from pydantic_ai.messages import PartDeltaEvent, PartStartEvent

from tests.agent.asking import MODELS, ask, choice, stream, text
from tests.agent.fake_provider import Call, FakeProvider, Reply, Turn


def by_words(turn: Turn) -> Reply:
    """Call in words, then answer in words, as the instructions ask."""
    if "Result of search" in json.dumps(turn.body["messages"][-1], ensure_ascii=False):
        return Reply(text=json.dumps({"action": "answer", "text": "Found it: “wax”."}, ensure_ascii=False))
    return Reply(text='{"action": "search", "args": {"query": "wax"}}')


@pytest.mark.parametrize("tools", ["auto", "prompted"])
def test_a_server_without_tools_is_asked_in_words_with_a_schema_for_each_step(tools: str) -> None:
    with FakeProvider(by_words) as server:
        chosen = choice(server, "plain", tools=tools)
        first = ask(chosen, "Is there wax?")
        assert text(first) == "Found it: “wax”."
        events, second = stream(chosen, "Again?", first)
        assert text(second) == "Found it: “wax”."
        taken = [b for b, s in zip(server.bodies, server.seen, strict=True) if s.status == 200]
        assert all("tools" not in b and "tool_choice" not in b for b in taken)
        names = [
            s["properties"]["action"]["const"] for s in taken[0]["response_format"]["json_schema"]["schema"]["anyOf"]
        ]
        assert names == ["search", "contents", "answer"]
        assert "found wax" in json.dumps(taken[1]["messages"])
        assert "Search the text for words." in taken[0]["messages"][0]["content"]
        assert len(server.seen) - len(taken) == (2 if tools == "auto" else 0)  # one try with tools for each model made
    name = next(i for i, e in enumerate(events) if isinstance(e, PartStartEvent) and e.part.part_kind == "tool-call")
    arguments = next(i for i, e in enumerate(events) if isinstance(e, PartDeltaEvent) and _arguments(e))
    assert name < arguments
    assert events[name].part.args in (None, "")


def _arguments(event: PartDeltaEvent) -> bool:
    return event.delta.part_delta_kind == "tool_call" and bool(event.delta.args_delta)


@pytest.mark.parametrize("name", ["openai-chat", "ollama"])
def test_a_call_that_a_model_writes_into_its_text_is_a_call_and_more_are_asked_for_in_words(name: str) -> None:
    def script(turn: Turn) -> Reply:
        if "Result of search" in turn.user:
            return Reply(text='{"action": "answer", "text": "Found."}')
        return Reply(text='```json\n{"name": "search", "arguments": {"query": "wax"}}\n```')

    with FakeProvider(script) as server:
        assert text(ask(choice(server, name), "hello")) == "Found."
        assert text(stream(choice(server, name), "hello")[1]) == "Found."
        assert {s.status for s in server.seen} == {200}
        assert ["tools" in body for body in server.bodies] == [True, False] * 2


def test_a_server_that_takes_no_schema_is_asked_without_one() -> None:
    def script(turn: Turn) -> Reply:
        if "response_format" in turn.body:
            return Reply(status=400, message="unsupported response_format type")
        return by_words(turn)

    with FakeProvider(script) as server:
        assert text(ask(choice(server, "plain", tools="prompted"), "hello")) == "Found it: “wax”."


def test_where_native_tools_are_asked_for_a_refusal_is_an_error() -> None:
    from glossator.errors import ModelError

    with FakeProvider(by_words) as server, pytest.raises(ModelError) as error:
        ask(choice(server, "plain", tools="native"), "hello")
    assert "does not support tools" in error.value.message


@pytest.mark.parametrize("then", MODELS)
def test_a_session_goes_on_between_a_model_in_words_and_any_other(then: str) -> None:
    def script(turn: Turn) -> Reply:
        if turn.provider == "plain":
            return by_words(turn)
        return Reply(text="Done.") if turn.results else Reply(calls=(Call("search", {"query": "wax"}),), reasoning="hm")

    with FakeProvider(script) as server:
        plain, other = choice(server, "plain", tools="prompted"), choice(server, then)
        first = ask(plain, "one")
        second = ask(other, "two", first)
        assert text(second) == "Done."
        assert text(ask(plain, "three", second)) == "Found it: “wax”."
        assert {s.status for s in server.seen} == {200}


def test_the_last_request_of_a_run_offers_no_tools_in_words_either() -> None:
    import asyncio

    from pydantic_ai.settings import ModelSettings

    from glossator.agent.models import build
    from tests.agent.asking import agent

    with FakeProvider() as server:

        async def run() -> str:
            model = build(choice(server, "plain", tools="prompted"), environment={})
            try:
                settings = ModelSettings(tool_choice="none")
                return (await agent().run("hello", model=model, model_settings=settings)).output
            finally:
                await model.close()

        assert "Answer" in asyncio.run(run())
        assert "response_format" not in server.bodies[0]
        assert "Search the text" not in json.dumps(server.bodies[0])
