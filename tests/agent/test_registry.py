"""Defining tools: the decorator, the schema, what a model may write as arguments, a person's own files."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator import tool
from glossator.agent.context import ToolContext
from glossator.agent.registry import Tool, built_in, collected, from_file, tool_of
from glossator.agent.signature import BadArguments, Range
from glossator.errors import NotFound, UsageError


@tool(toolset="own", kind="file", words="weigh 重量")
def weigh(
    ctx: ToolContext,
    name: str,
    count: Annotated[int, Range(1, 9)] = 3,
    unit: Literal["kg", "lb"] = "kg",
    tags: list[str] | None = None,
    exact: bool = False,
) -> str:
    """Weigh a thing. Use it when the weight matters.

    Args:
        name: the thing,
            in its own words
        count: how many
        unit: of the answer

    Returns:
        a weight
    """
    return f"{name} {count} {unit} {tags} {exact} {ctx is not None}"


def test_signature_and_docstring_become_schema_and_description() -> None:
    made = tool_of(weigh)
    assert made.description == "Weigh a thing. Use it when the weight matters."
    assert made.parameters == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "the thing, in its own words"},
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "description": "how many", "default": 3},
            "unit": {"type": "string", "enum": ["kg", "lb"], "description": "of the answer", "default": "kg"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "exact": {"type": "boolean", "default": False},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    assert (made.timeout, made.result_limit, made.takes_context) == (5.0, 2_000, True)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"name": "ring", "count": "2"}, {"name": "ring", "count": 2}),
        ({"name": "ring", "count": 2.0, "exact": "yes"}, {"name": "ring", "count": 2, "exact": True}),
        ({"name": 7, "count": 400}, {"name": "7", "count": 9}),
        ({"Name": "ring", "unit": "KG"}, {"name": "ring", "unit": "kg"}),
        ({"name": "ring", "tags": "a"}, {"name": "ring", "tags": ["a"]}),
        ({"name": "ring", "tags": '["a", "b"]'}, {"name": "ring", "tags": ["a", "b"]}),
        ({"name": "ring", "tags": "null", "count": None}, {"name": "ring", "tags": None}),
        ('{"name": "ring"}', {"name": "ring"}),
    ],
)
def test_what_can_only_mean_one_thing_is_taken_as_that(written: Any, meant: dict[str, Any]) -> None:
    assert tool_of(weigh).arguments_from(written) == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({}, "name is missing"),
        ("", "name is missing"),
        ({"name": None}, "name is missing"),
        ({"name": "a", "count": "many"}, "count must be of type integer, not 'many'"),
        ({"name": "a", "count": True}, "count must be of type integer"),
        ({"name": "a", "unit": "stone"}, "unit must be 'kg' or 'lb'"),
        (
            {"name": "a", "colour": 1},
            "there is no argument 'colour'; the arguments are: name, count, unit, tags, exact",
        ),
        ({"name": {"of": "x"}}, "name must be of type string"),
        ('{"name": "a', "the arguments are no JSON"),
        ([1], "must be a JSON object"),
    ],
)
def test_anything_else_is_an_error_that_says_what_was_expected(written: Any, said: str) -> None:
    with pytest.raises(BadArguments, match=said.replace("(", r"\(")):
        tool_of(weigh).arguments_from(written)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["name", "count", "unit", "tags", "exact"]), json_values) | st.text())
def test_arguments_are_of_their_types_or_refused(written: Any) -> None:
    try:
        meant = tool_of(weigh).arguments_from(written)
    except BadArguments:
        return
    assert isinstance(meant["name"], str)
    assert meant.get("count") in (None, *range(1, 10))
    assert meant.get("unit", "kg") in ("kg", "lb")
    assert isinstance(meant.get("exact", False), bool)
    assert all(isinstance(t, str) for t in meant.get("tags") or [])


def test_a_function_without_a_docstring_is_refused() -> None:
    with pytest.raises(UsageError, match="has no docstring"):

        @tool
        def silent(name: str) -> str:
            return name


def test_an_argument_without_a_type_is_refused() -> None:
    with pytest.raises(UsageError, match="name has no type"):

        @tool
        def untyped(name) -> str:  # type: ignore[no-untyped-def]
            """Do something."""
            return str(name)


OWN = '''
from glossator import tool

@tool(timeout=2)
def double(number: int) -> str:
    """Double a number."""
    return str(2 * number)
'''


def test_a_file_of_a_persons_own_tools_needs_the_decorator_and_nothing_else(own_tools: Callable[[str], Path]) -> None:
    (double,) = from_file(own_tools(OWN))
    assert (double.name, double.toolset, double.timeout, double.takes_context) == ("double", "own", 2.0, False)
    assert double.source.endswith("mine.py")


def test_own_tools_with_postponed_annotations_are_understood(own_tools: Callable[[str], Path]) -> None:
    (double,) = from_file(own_tools("from __future__ import annotations\n" + OWN))
    assert double.parameters["properties"]["number"] == {"type": "integer"}


@pytest.mark.parametrize("code", ["1/0", "def f(: pass", "x = 1", "import nothing_of_that_name", "raise SystemExit(3)"])
def test_a_file_that_cannot_be_used_is_named_with_its_problem(own_tools: Callable[[str], Path], code: str) -> None:
    path = own_tools(code)
    with pytest.raises(UsageError, match=r"mine\.py"):
        from_file(path)
    found, problems = collected([path])
    assert set(found) == {t.name for t in built_in()}
    assert len(problems) == 1


def test_a_file_that_is_not_there_is_a_problem_and_stops_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        from_file(tmp_path / "none.py")
    assert "no such file" in collected([tmp_path / "none.py"])[1][0]


def test_own_tools_shadow_none_of_ours(own_tools: Callable[[str], Path]) -> None:
    found, problems = collected([own_tools(OWN.replace("double", "search"))])
    assert found["search"].source == "built in"
    assert "there is a tool 'search' already" in problems[0]


def test_every_built_in_tool_says_what_it_does_and_when_in_a_few_sentences() -> None:
    for made in built_in():
        assert 20 <= len(made.description) <= 600, made.name
        assert made.words, f"{made.name} is found by no request"
        assert any(not word.isascii() for word in made.words), f"{made.name} is found by no Chinese request"
        for argument in made.arguments:
            assert argument.description, f"{made.name}: {argument.name} is not described"


def test_names_of_built_in_tools_are_different() -> None:
    names = [t.name for t in built_in()]
    assert len(set(names)) == len(names)


def test_listing_the_tools_loads_no_model_library() -> None:
    code = (
        "import sys\nfrom glossator.agent.registry import built_in\nassert built_in()\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('pydantic_ai', 'pydantic', 'openai', 'anthropic')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_tool_is_still_a_function() -> None:
    assert weigh(None, "ring").startswith("ring 3 kg")  # type: ignore[arg-type]
    assert isinstance(tool_of(weigh), Tool)
