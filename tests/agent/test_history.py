"""From stored messages to what a model is sent, and less of it."""

import re
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.agent.compaction import compacted, digest, tokens_of
from glossator.agent.history import INTERRUPTED, UNANSWERED, model_messages
from glossator.messages import Citation, Message, Part, Progress, Reasoning, Text, Tool


def message(role: str, *parts: Part, id: str = "m") -> Message:
    return Message(id=id, role=role, created="2026-01-01T00:00:00Z", parts=parts)  # type: ignore[arg-type]


def call(number: int, state: str = "completed", result: str | None = "found", **args: Any) -> Tool:
    return Tool(
        id=f"call_{number}",
        name="search",
        args=args,
        state=state,
        result=result,
        extra={"round": number},  # type: ignore[arg-type]
    )


def shape(messages: Sequence[Any]) -> list[tuple[str, list[str]]]:
    return [(m.kind, [p.part_kind for p in m.parts]) for m in messages]


def test_a_run_reads_back_as_rounds_of_calls_and_results() -> None:
    stored = [
        message("user", Text("Who hid the letter?")),
        message(
            "assistant",
            Reasoning(
                "I should look.", extra={"round": 1, "provider": {"signature": "SIG", "provider_name": "anthropic"}}
            ),
            call(1, query="letter"),
            Text("Eleanor.", extra={"round": 2}),
            Citation(n=1, status="verified", quote="She hid it"),
        ),
    ]
    made = model_messages(stored)
    assert shape(made) == [
        ("request", ["user-prompt"]),
        ("response", ["thinking", "tool-call"]),
        ("request", ["tool-return"]),
        ("response", ["text"]),
    ]
    assert made[1].parts[0].signature == "SIG"  # type: ignore[union-attr]


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    made = model_messages([message("user", Text("?")), message("assistant", call(1, "running", None, query="x"))])
    assert made[2].parts[0].content == INTERRUPTED  # type: ignore[union-attr]
    assert made[3].parts[0].content == UNANSWERED  # type: ignore[union-attr]


def test_a_question_that_was_never_answered_does_not_stand_beside_the_next() -> None:
    made = model_messages([message("user", Text("one")), message("user", Text("two"))])
    assert shape(made) == [("request", ["user-prompt"]), ("response", ["text"]), ("request", ["user-prompt"])]


parts = st.lists(
    st.one_of(
        st.builds(lambda r: Text("words", extra={"round": r} if r else {}), st.integers(0, 3)),
        st.builds(lambda r: Reasoning("thought", extra={"round": r} if r else {}), st.integers(0, 3)),
        st.builds(
            lambda i, r, s: Tool(
                id=f"c{i}",
                name="search",
                args={"query": "q" * i},
                state=s,
                result=None if s in ("pending", "running") else "r" * 40 * i,
                extra={"round": r} if r else {},
            ),
            st.integers(1, 400),
            st.integers(0, 3),
            st.sampled_from(["pending", "running", "completed", "failed", "stopped"]),
        ),
        st.just(Progress(label="x", done=1)),
    ),
    max_size=8,
)
sessions = st.lists(
    st.one_of(
        st.builds(lambda t: message("user", Text(t)), st.text(max_size=5)),
        st.builds(lambda p: message("assistant", *p), parts),
        st.builds(lambda p: message("tool", *p), parts),
    ),
    max_size=8,
)


def assert_acceptable(messages: Sequence[Any]) -> None:
    """What every provider asks for: a question first, turns that alternate, each call followed by its result."""
    assert not messages or shape(messages)[0] == ("request", ["user-prompt"])
    pending: list[str] = []
    last = "response"
    for one in messages:
        assert one.kind != last
        last = one.kind
        returned = [p.tool_call_id for p in one.parts if p.part_kind == "tool-return"]
        assert returned == pending
        pending = [p.tool_call_id for p in one.parts if p.part_kind == "tool-call"]
        assert any(p.part_kind in ("text", "tool-call", "user-prompt", "tool-return") for p in one.parts)
        if returned:
            assert len(one.parts) == len(returned)
    assert not pending


@given(sessions)
@settings(max_examples=200, deadline=None)
def test_whatever_a_session_holds_a_provider_can_be_sent_it(stored: list[Message]) -> None:
    assert_acceptable(model_messages(stored))


@given(sessions, st.integers(1, 3_000))
@settings(max_examples=200, deadline=None)
def test_compaction_keeps_calls_and_results_together(stored: list[Message], limit: int) -> None:
    whole = model_messages(stored)
    made = compacted(whole, question="what is it", limit=limit)
    assert_acceptable(made)
    assert tokens_of(made) <= tokens_of(whole) + 100 * len(stored)


def passage(number: int, text: str) -> str:
    return f'<passage n="{number}" document="ab12" title="T" at="{number}-{number + 9}">\n{text}\n</passage>'


def test_an_old_result_keeps_the_place_and_the_sentence_that_answers() -> None:
    text = passage(7, "It rained. The letter was sealed with green wax. The gulls cried. Nobody came to the pier.")
    short = digest(text, "What colour was the wax on the letter?")
    assert short.startswith("[7] (ab12 at 7-16) “")
    assert "The letter was sealed with green wax." in short


def long_run(rounds: int) -> list[Message]:
    filler = "The wind blew over the moor and nobody spoke a word about it that evening. " * 20
    calls = [
        call(n, query=f"fact {n}", result=passage(n, f"{filler}The code of fact {n} is K{n}Z. {filler}"))
        for n in range(1, rounds + 1)
    ]
    return [message("user", Text("What are the codes of the facts?")), message("assistant", *calls)]


def test_old_rounds_become_short_five_at_a_time_and_keep_their_facts() -> None:
    previous: list[str] = []
    changes = []
    for rounds in range(1, 21):
        made = compacted(model_messages(long_run(rounds)), question="What are the codes of the facts?", limit=10**9)
        texts = [str(m.parts[0].content) for m in made if m.parts[0].part_kind == "tool-return"]  # type: ignore[union-attr]
        assert all(f"K{n}Z" in text for n, text in enumerate(texts, 1))
        assert not texts[-1].startswith("[shortened]")
        if texts[: len(previous)] != previous:
            changes.append(rounds)
        previous = texts
    assert changes == [7, 12, 17]


def test_over_the_limit_more_is_given_up_but_the_newest_result_stays_last() -> None:
    whole = model_messages(long_run(20))
    made = compacted(whole, question="What are the codes of the facts?", limit=4_000)
    assert tokens_of(made) < 4_000 < tokens_of(whole)
    assert "K20Z" in str(made[-2].parts[0].content)  # type: ignore[union-attr]


def test_earlier_questions_keep_their_answers_when_room_is_short() -> None:
    first = long_run(8)
    answer = message("assistant", *first[1].parts, Text("They are K1Z to K8Z.", extra={"round": 9}))
    stored = [first[0], answer, *long_run(1)]
    made = compacted(model_messages(stored), question="And the ninth?", limit=1_200)
    assert re.search("K1Z to K8Z", str(made[1].parts[0].content))  # type: ignore[union-attr]
    assert_acceptable(made)


def test_what_is_short_already_keeps_its_passages_when_the_limit_asks_for_more() -> None:
    whole = model_messages(long_run(12))
    usual = compacted(whole, question="What are the codes of the facts?")
    tight = compacted(whole, question="What are the codes of the facts?", limit=tokens_of(usual) - 1)
    assert tokens_of(tight) < tokens_of(usual)
    texts = [p.content for m in tight for p in m.parts if p.part_kind == "tool-return"]
    assert [f"The code of fact {n} is K{n}Z." in text for n, text in enumerate(texts, 1)] == [True] * 12


def test_of_a_passage_told_already_only_the_number_is_repeated() -> None:
    told: set[str] = set()
    text = passage(7, "The letter was sealed with green wax.")
    assert "green wax" in digest(text, "the letter", told)
    assert digest(text, "the letter", told) == "[7]"


def test_of_a_sentence_longer_than_there_is_room_the_part_that_answers_is_kept() -> None:
    text = passage(3, "风吹过山岗云飘过水面" * 60 + "信上盖着绿色火漆" + "鸟在海上飞人在岸边走" * 60 + "。")
    assert "绿色火漆" in digest(text, "信上的火漆是什么颜色")


def test_results_that_hold_much_become_short_sooner_than_five_rounds_later() -> None:
    filler = "石猴在山中行走跳跃食草木饮涧泉采山花觅树果" * 240
    calls = [call(n, query="石猴", result=passage(n, f"{filler}{n}。")) for n in range(1, 5)]
    whole = model_messages([message("user", Text("石猴是谁？")), message("assistant", *calls)])
    texts = [
        p.content for m in compacted(whole, question="石猴是谁？") for p in m.parts if p.part_kind == "tool-return"
    ]
    assert [text.startswith("[shortened]") for text in texts] == [True, True, False, False]
