"""How tools are run: time, length, tries, circles, approval."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from glossator import tool
from glossator.agent.context import ToolContext
from glossator.agent.policy import Policy, Result, TransientFault
from glossator.agent.registry import Outcome, Tool, tool_of
from glossator.errors import LibraryBusy, UsageError
from tests.agent.conftest import Bench

Call = Callable[..., Result]
tries: list[str] = []


@tool(timeout=0.1)
def slow() -> str:
    """Take longer than there is time."""
    time.sleep(5)
    return "late"


@tool(timeout=0.1)
async def slow_too() -> str:
    """Take longer than there is time, as a coroutine."""
    await asyncio.sleep(5)
    return "late"


@tool
def big(lines: int) -> str:
    """Answer at length."""
    return "\n".join(f"line {n} of a long answer" for n in range(lines))


@tool
def rows(count: int) -> list[dict[str, Any]]:
    """Answer with rows."""
    return [{"n": n, "note": None, "text": "word " * 20} for n in range(count)]


@tool
def shaky(times: int) -> str:
    """Fail for a while."""
    tries.append("shaky")
    if len(tries) <= times:
        raise TransientFault("the line is busy")
    return "through"


@tool(changes=True)
def changing() -> str:
    """Change something, and lose the line."""
    tries.append("changing")
    raise ConnectionError("the line went dead")


@tool(changes=True)
def busy() -> str:
    """Wait for the library."""
    tries.append("busy")
    if len(tries) < 3:
        raise LibraryBusy("held", hint="wait")
    return "written"


@tool
def wrong(kind: str) -> str:
    """Fail in a way that no second try helps."""
    tries.append("wrong")
    hints = {"said": "do this", "tool": "list_files shows what is there", "option": "--uncapped shows it all the same"}
    raise UsageError("that cannot be", hint=hints[kind]) if kind in hints else ZeroDivisionError("by zero")


@tool
def stops(kind: str) -> str:
    """Raise what ends loops and programs."""
    raise StopIteration if kind == "loop" else SystemExit(3)


@tool
def nothing() -> None:
    """Answer with nothing."""


@tool
def log_in() -> str:
    """Open the door."""
    tries.append("log_in")
    return "open"


@tool(after=("log_in",))
def inside() -> str:
    """See what is behind the door."""
    return "a room"


@tool(approval=True, changes=True)
def drop(name: str) -> str:
    """Throw something away."""
    tries.append(name)
    return f"1 thing removed: {name}"


@tool
def query_tool(query: str, limit: int = 5) -> Outcome:
    """Look something up."""
    return Outcome(f"results for {query}", f"at most {limit}")


TOOLS: Mapping[str, Tool] = {
    t.name: t
    for t in map(
        tool_of,
        (slow, slow_too, big, rows, shaky, changing, busy, wrong, stops, nothing, log_in, inside, drop, query_tool),
    )
}


@pytest.fixture
def policy(bench: Bench) -> Policy:
    tries.clear()
    return Policy(TOOLS, bench.context, pauses=(0.0, 0.0, 0.0))


@pytest.fixture
def call(policy: Policy) -> Call:
    return lambda name, **given: asyncio.run(policy.call(name, given))


@pytest.mark.parametrize("name", ["slow", "slow_too"])
def test_a_tool_that_takes_too_long_is_given_up(call: Call, name: str) -> None:
    start = time.perf_counter()
    result = call(name)
    assert result.text == f"Error: {name} timed out after 0.1 seconds. Ask for less, or go on without it."
    assert result.state == "failed"
    assert time.perf_counter() - start < 2


def test_what_is_left_of_the_runs_time_is_the_limit_when_it_is_less(policy: Policy) -> None:
    tool_ = replace(TOOLS["slow"], timeout=60.0)
    result = asyncio.run(Policy({"slow": tool_}, policy.context).call("slow", {}, seconds=0.05))
    assert "timed out after 0.05 seconds" in result.text


def test_a_long_result_says_what_was_cut(call: Call) -> None:
    text = call("big", lines=1_000).text
    assert len(text) <= 2_000
    assert text.startswith("line 0 of a long answer\n")
    assert "characters are shown. ask for less, or for a narrower part]" in text


def test_rows_that_are_too_many_stay_rows(call: Call) -> None:
    import json

    found = json.loads(call("rows", count=500).text)
    assert found[0] == {"n": 0, "text": "word " * 20}
    assert found[-1].startswith("… ")


def test_a_transient_fault_is_tried_again(call: Call) -> None:
    assert call("shaky", times=3).text == "through"
    assert len(tries) == 4


def test_after_the_third_time_it_is_an_error(call: Call) -> None:
    assert call("shaky", times=9).text.startswith("Error: shaky: TransientFault: the line is busy")
    assert len(tries) == 4


def test_what_changes_something_is_not_tried_twice_unless_it_only_waited(call: Call) -> None:
    assert call("changing").text.startswith("Error: changing: ConnectionError")
    assert tries == ["changing"]
    tries.clear()
    assert call("busy").text == "written"


def test_a_fault_of_another_kind_is_not_tried_again(call: Call) -> None:
    assert call("wrong", kind="said").text == "Error: that cannot be. Do this."
    assert call("wrong", kind="unsaid").text.startswith("Error: wrong: ZeroDivisionError: by zero")
    assert len(tries) == 2


@pytest.mark.parametrize(("kind", "hint"), [("tool", " list_files shows what is there."), ("option", "")])
def test_a_hint_names_tools_as_they_are_and_nothing_that_only_a_person_can_type(
    call: Call, kind: str, hint: str
) -> None:
    assert call("wrong", kind=kind).text == f"Error: that cannot be.{hint}"


@pytest.mark.parametrize("kind", ["loop", "program"])
def test_nothing_that_a_tool_raises_ends_the_run(call: Call, kind: str) -> None:
    assert call("stops", kind=kind).text.startswith("Error: stops: ")


def test_a_missing_tool_is_told_with_those_there_are(call: Call) -> None:
    assert call("fly").text.startswith("Error: there is no tool 'fly'. The tools are: slow, ")


def test_wrong_arguments_are_told(call: Call) -> None:
    assert call("big", lines="many").text.startswith("Error: big: lines must be of type integer")


def test_nothing_is_not_taken_for_a_failure(call: Call) -> None:
    assert call("nothing").text == "It is done; there is nothing to show."


def test_what_must_come_before_a_tool_is_done_before_it_once(call: Call) -> None:
    assert call("inside").text == "a room"
    call("big", lines=1)
    call("inside")
    assert tries == ["log_in"]


def test_a_tool_that_needs_approval_does_nothing_without_it(bench: Bench) -> None:
    tries.clear()
    asked: list[str] = []

    def asking(answer: bool) -> ToolContext:
        return replace(bench.context, approve=lambda what: asked.append(str(what)) is None and answer)

    refused = asyncio.run(Policy(TOOLS, asking(False)).call("drop", {"name": "书"}))
    assert refused.text.startswith('Error: the person did not allow drop(name="书")')
    assert tries == []
    allowed = asyncio.run(Policy(TOOLS, asking(True)).call("drop", {"name": "书"}))
    assert allowed.text == "1 thing removed: 书"
    assert asked == ['drop(name="书")'] * 2


def test_the_same_call_twice_in_a_row_is_refused_with_what_is_known(call: Call) -> None:
    call("query_tool", query="green wax")
    again = call("query_tool", query="green wax")
    assert again.refused
    assert again.text.startswith("Error: you called query_tool with these arguments just now.")
    assert "results for green wax" in again.text


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        ("green wax letter", "letter green wax", True),
        ("the green wax", "green wax?", True),
        ("如意金箍棒的重量", "如意金箍棒重量", True),
        ("green wax", "green wax glove", False),
        ("green wax", "green -wax", False),
        ("green wax", '"green wax"', False),
        ("金箍棒", "水帘洞", False),
    ],
)
def test_a_query_of_nearly_the_same_words_is_a_repeat(call: Call, first: str, second: str, refused: bool) -> None:
    call("query_tool", query=first)
    assert call("query_tool", query=second).refused is refused


def test_another_argument_makes_it_another_call(call: Call) -> None:
    call("query_tool", query="green wax")
    assert not call("query_tool", query="green wax", limit=20).refused


def test_a_call_may_be_made_again_later_but_not_for_ever(policy: Policy) -> None:
    def one_round(query: str) -> bool:
        policy.next_round()
        return asyncio.run(policy.call("query_tool", {"query": query})).refused

    refused = [one_round(query) for _ in range(5) for query in ("green wax", "glove", "anchor")]
    assert not any(refused[:9])
    assert all(refused[9:])


def test_a_refusal_is_not_forgotten_by_asking_again_and_again(policy: Policy) -> None:
    refused = []
    for _ in range(4):
        policy.next_round()
        refused.append(asyncio.run(policy.call("query_tool", {"query": "green wax"})).refused)
    assert refused == [False, True, True, True]


def test_every_result_says_when_it_began_and_ended(call: Call) -> None:
    result = call("nothing")
    assert result.started.endswith("Z")
    assert result.ended >= result.started
    assert result.seconds > 0
