"""What a model is told."""

import pytest

from glossator.agent.limits import Given, Limits, Spent, limits_of, reached, task_of
from glossator.agent.prompt import STABLE, is_chinese, prompt, written
from glossator.agent.registry import built_in
from tests.agent.conftest import Bench


def test_a_prompt_has_six_parts_the_lasting_ones_first(bench: Bench) -> None:
    parts = prompt(bench.context, built_in(), "Who?")
    assert [p.name for p in parts] == ["role", "conduct", "response", "tools", "document", "reading"]
    assert [p.stable for p in parts] == [True] * len(STABLE) + [False, False]


def test_what_is_stable_is_the_same_for_another_place_in_another_book(bench: Bench) -> None:
    def stable(one: Bench) -> str:
        return written([p for p in prompt(one.context, built_in(), "Who?") if p.stable])

    assert stable(bench.opened("The Island", position=3)) == stable(bench.opened("石猴记", selection=(1, 4)))


def test_no_text_of_a_document_stands_in_a_prompt(bench: Bench) -> None:
    one = bench.opened("The Island", selection=(30, 90))
    told = written(prompt(one.context, built_in(), "Who?"))
    for line in bench.library.text("The Island").text.splitlines():
        if len(line) > 20:
            assert line not in told


def test_the_open_document_and_the_place_in_it_are_told(bench: Bench) -> None:
    at = bench.library.text("The Island").text.index("third stair")
    told = written(prompt(bench.opened("The Island", position=at).context, built_in(), "Who?"))
    assert '"The Island"' in told
    assert "in section 3 “The Letter”" in told


def test_under_a_bound_it_is_told_and_how_to_lift_it_is_not(bench: Bench) -> None:
    told = written(prompt(bench.context, built_in(), "Who?", hidden="The Island: read up to 30%"))
    assert "say that you do not tell what they have not read yet" in told
    assert "uncapped" not in told


@pytest.mark.parametrize(
    ("question", "chinese"), [("石猴是谁？", True), ("Who is 石猴?", False), ("猴とは誰ですか", False), ("", False)]
)
def test_the_language_of_a_question_is_told(question: str, chinese: bool) -> None:
    assert is_chinese(question) is chinese


@pytest.mark.parametrize(
    ("question", "task"),
    [
        ("Who hid it?", "question"),
        ("Summarise the book chapter by chapter", "book"),
        ("请逐章总结", "book"),
        ("What happens in every chapter?", "book"),
        ("What does this chapter say?", "question"),
    ],
)
def test_work_on_a_whole_book_is_known_by_its_words(question: str, task: str) -> None:
    assert task_of(question) == task
    assert task_of("Who?", research=True) == "research"


def test_limits_are_the_tasks_own_unless_given() -> None:
    assert [limits_of(t).rounds for t in ("question", "research", "book")] == [5, 12, 200]
    assert limits_of("book", Given(rounds=3, cost=0.5)) == Limits(rounds=3, cost=0.5, seconds=7_200.0)


def test_an_unknown_cost_is_no_known_one() -> None:
    spent = Spent.begin().with_request(input_tokens=5, output_tokens=5, cost=None)
    assert spent.usage.cost is None
    spent = spent.with_request(input_tokens=5, output_tokens=5, cost=0.25)
    assert spent.usage.cost == 0.25
    assert reached(Limits(cost=0.2), spent) == "cost"
    assert reached(Limits(tokens=20), spent) == "tokens"
    assert reached(Limits(), spent) is None
