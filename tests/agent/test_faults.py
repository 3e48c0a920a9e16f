"""A server that fails, stalls, cuts or refuses: what is tried again, how often, and what a person is told."""

import asyncio
import time
from typing import Any

import pytest
from pydantic_ai.messages import PartStartEvent

from glossator.agent.models import build
from glossator.agent.steady import Again, Patience
from glossator.agent.wire import HttpLimits
from glossator.choice import choice_of
from glossator.errors import ModelError
from tests.agent.asking import AT_ONCE, MODELS, agent, ask, choice, stream, text, using
from tests.agent.fake_provider import Call, FakeProvider, Reply, Turn, in_turn

NAMES = tuple(MODELS)
FINE = Reply(text="All is well.")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_what_may_pass_is_tried_again(name: str, status: int) -> None:
    with FakeProvider(in_turn([Reply(status=status), Reply(status=status), FINE])) as server:
        assert text(ask(choice(server, name), "hello")) == "All is well."
        assert len(server.seen) == 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", ["reset", "end"])
def test_a_stream_that_is_cut_begins_anew_and_its_new_parts_replace_the_old(name: str, how: Any) -> None:
    cut = Reply(text="This is only half of what", cut_after=5, cut=how)
    told: list[Again] = []
    with FakeProvider(in_turn([cut, FINE])) as server:
        events, messages = stream(choice(server, name), "hello", retried=told.append)
        assert text(messages) == "All is well."
        assert len(server.seen) == 2
    starts = [e for e in events if isinstance(e, PartStartEvent) and e.part.part_kind == "text"]
    assert len({e.index for e in starts}) < len(starts) or len(starts) == 1
    assert [a.anew for a in told] == [True]


@pytest.mark.parametrize("name", NAMES)
def test_a_call_that_is_cut_in_its_arguments_is_made_once(name: str) -> None:
    calls = Reply(calls=(Call("search", {"query": "a long enough query"}),))
    cut = Reply(calls=calls.calls, cut_after=4 if name != "openai" else 5)

    def script(turn: Turn) -> Reply:
        return FINE if turn.results else cut if turn.number == 1 else calls

    with FakeProvider(script) as server:
        _, messages = stream(choice(server, name), "hello")
        assert text(messages) == "All is well."
        assert [p.content for m in messages for p in m.parts if p.part_kind == "tool-return"] == [
            "found a long enough query"
        ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("reply", [Reply(status=500), Reply(text="half of it", cut_after=3), Reply(status=429)])
def test_a_server_that_never_recovers_is_asked_at_most_ten_times(name: str, reply: Reply) -> None:
    with FakeProvider(in_turn([reply])) as server:
        with pytest.raises(ModelError) as error:
            stream(choice(server, name), "hello")
        assert 2 <= len(server.seen) <= 10
        assert MODELS[name] in error.value.message
        assert error.value.hint


def test_faults_in_every_second_request_of_a_run_are_forgiven_a_few_times_only() -> None:
    def script(turn: Turn) -> Reply:
        return Reply(status=503) if turn.number % 2 else Reply(calls=(Call("search", {"query": f"q{turn.number}"}),))

    with FakeProvider(script) as server:
        with pytest.raises(ModelError):
            ask(choice(server, "openai-chat"), "hello")
        assert len(server.seen) <= 10


def test_a_long_run_has_new_patience_after_ten_answers() -> None:
    def script(turn: Turn) -> Reply:
        if turn.number % 5 == 0:
            return Reply(status=503)
        return FINE if turn.number > 45 else Reply(calls=(Call("search", {"query": f"q{turn.number}"}),))

    with FakeProvider(script) as server:
        assert text(ask(choice(server, "openai-chat"), "hello")) == "All is well."


def test_retry_after_is_waited_for_and_an_unreasonable_one_is_told() -> None:
    with FakeProvider(in_turn([Reply(status=429, retry_after=1), FINE])) as server:
        began = time.monotonic()
        ask(choice(server, "anthropic"), "hello")
        assert time.monotonic() - began >= 1
    with FakeProvider(in_turn([Reply(status=429, retry_after=3600)])) as server:
        with pytest.raises(ModelError) as error:
            ask(choice(server, "anthropic"), "hello")
        assert "3600 s" in error.value.message
        assert len(server.seen) == 1


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_an_error_inside_the_stream_is_tried_again(name: str) -> None:
    with FakeProvider(in_turn([Reply(text="half of it", error_after=3), FINE])) as server:
        assert text(stream(choice(server, name), "hello")[1]) == "All is well."


@pytest.mark.parametrize("name", [n for n in NAMES if n != "ollama"])
def test_a_wrong_key_is_tried_once_and_named_but_not_shown(name: str) -> None:
    variable = choice_of(f"{name}:m").key_env  # type: ignore[union-attr]
    key = "sk-wrong-0123456789"
    with FakeProvider(key="sk-right") as server:
        for environment, said in (({variable: key}, "refused"), ({}, "is not set")):
            with pytest.raises(ModelError) as error:
                ask(choice(server, name), "hello", environment=environment)
            shown = error.value.message + error.value.hint + repr(error.value.__cause__)
            assert str(variable) in error.value.message
            assert said in error.value.message
            assert key not in error.value.message + error.value.hint
            assert "0123456789" not in error.value.message, shown
        assert len(server.seen) == 2
        environment = {variable: "sk-right"}
        assert "Answer" in text(ask(choice(server, name), "hello", environment=environment))


def test_without_a_key_a_provider_far_away_is_not_asked_at_all() -> None:
    chosen = choice_of("anthropic:claude", environment={})
    assert chosen
    with pytest.raises(ModelError) as error:
        ask(chosen, "hello")  # the guard of these tests would raise at any connection
    assert "ANTHROPIC_API_KEY is not set" in error.value.message
    assert "config set-key anthropic" in error.value.hint


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (404, "model_not_found", "check the model's name"),
        (429, "insufficient_quota", "no credit"),
        (400, "context_length_exceeded", "longer than this model reads"),
    ],
)
def test_what_will_not_pass_is_asked_once_and_explained(status: int, code: str, said: str) -> None:
    with FakeProvider(in_turn([Reply(status=status, code=code)])) as server:
        with pytest.raises(ModelError) as error:
            ask(choice(server, "openai"), "hello")
        assert said in error.value.hint
        assert len(server.seen) == 1


def test_a_server_that_does_not_run_is_told_at_once_with_how_to_start_it() -> None:
    chosen = choice_of("ollama:qwen3", base_url="http://127.0.0.1:9/v1", environment={})
    assert chosen
    began = time.monotonic()
    with pytest.raises(ModelError) as error:
        ask(chosen, "hello", patience=Patience())
    assert time.monotonic() - began < 2
    assert "ollama serve" in error.value.hint


def test_a_silent_server_is_given_up_within_the_limit_and_not_asked_again() -> None:
    with FakeProvider(in_turn([Reply(silent=30)])) as server:
        began = time.monotonic()
        with pytest.raises(ModelError) as error:
            stream(choice(server, "deepseek"), "hello", limits=HttpLimits(silence=0.5, silence_here=0.5))
        assert time.monotonic() - began < 10
        assert "in time" in error.value.message
        assert len(server.seen) == 1
        assert server.wait_closed_early()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prompt", ["slow", "silent"])
def test_a_run_that_is_stopped_closes_the_connection(name: str, prompt: str) -> None:
    with FakeProvider() as server:

        async def body(model: Any) -> None:
            async def run() -> None:
                async with agent().run_stream_events(prompt, model=model) as running:
                    async for _ in running:
                        pass

            task = asyncio.ensure_future(run())
            while not server.seen:
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.3)
            task.cancel()
            with pytest.raises((asyncio.CancelledError, Exception)):
                await task
            assert await asyncio.to_thread(server.wait_closed_early, 2.0)

        using(choice(server, name), body)


def test_a_model_is_used_in_one_event_loop_after_another() -> None:
    with FakeProvider() as server:
        model = build(choice(server, "openai-chat"), environment={})
        for _ in range(3):

            async def once() -> str:
                try:
                    return (await agent().run("tool:search", model=model)).output
                finally:
                    await model.close()

            assert "Answer" in asyncio.run(once())


@pytest.mark.parametrize("name", NAMES)
def test_broken_arguments_and_missing_tools_are_told_to_the_model(name: str) -> None:
    with FakeProvider() as server:
        for prompt in ("broken", "missing"):
            assert "Answer" in text(stream(choice(server, name), prompt)[1])


def test_each_request_is_told_before_it_leaves_with_host_and_size() -> None:
    sent: list[Any] = []
    with FakeProvider() as server:
        ask(choice(server, "deepseek"), "tool:search", sent=sent.append)
    assert [(s.host, s.remote) for s in sent] == [("127.0.0.1", False)] * 2
    assert sent[1].bytes > sent[0].bytes > 100


def test_another_model_stands_in_and_when_none_answers_each_is_named() -> None:
    dead = choice_of("ollama:qwen3", base_url="http://127.0.0.1:9/v1", environment={})
    assert dead
    with FakeProvider() as server:
        for name in NAMES:
            chosen = choice(server, "openai-chat", base_url="http://127.0.0.1:9/v1", fallback=(choice(server, name),))
            assert "Answer" in text(ask(chosen, "tool:search"))
            assert "Answer" in text(stream(chosen, "tool:search")[1])
    lost = choice(server, "openai-chat", base_url="http://127.0.0.1:9/v1", fallback=(dead,))
    for run in (ask, stream):
        with pytest.raises(ModelError) as error:
            run(lost, "hello")  # type: ignore[operator]
        assert "openai-chat:gpt-5" in error.value.message
        assert "ollama:qwen3" in error.value.message


@pytest.mark.parametrize("name", NAMES)
def test_another_model_stands_in_after_a_tool_was_called(name: str) -> None:
    def script(turn: Turn) -> Reply:
        if turn.provider == "openai-chat" and turn.results:
            return Reply(status=500)
        return FINE if turn.results else Reply(calls=(Call("search", {"query": "wax"}),))

    with FakeProvider(script) as server:
        chosen = choice(server, "openai-chat", fallback=(choice(server, name if name != "openai-chat" else "ollama"),))
        assert text(stream(chosen, "hello")[1]) == "All is well."
        assert 400 not in {s.status for s in server.seen}


def test_the_wait_between_tries_doubles() -> None:
    assert Patience().waits == (1.0, 2.0, 4.0)
    assert AT_ONCE.tries == 4
