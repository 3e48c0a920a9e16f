"""A model's words read as calls and answers, whole or in any pieces."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.agent.steps import Called, Named, Reader, Said, Step, unescaped

TOOLS = ("search", "read")


def read(text: str, *, strict: bool = False, cuts: list[int] | None = None) -> list[Step]:
    reader = Reader(TOOLS, strict=strict)
    steps: list[Step] = []
    ends = sorted({min(c, len(text)) for c in cuts or ()} | {len(text)})
    at = 0
    for end in ends:
        steps += reader.feed(text[at:end])
        at = end
    return [*steps, *reader.end()]


def said(steps: list[Step]) -> str:
    return "".join(s.text for s in steps if isinstance(s, Said))


def called(steps: list[Step]) -> list[Called]:
    return [s for s in steps if isinstance(s, Called)]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        '{"action": "search", "args": {"query": "a"}}',
        '\n  {"tool":"search","arguments":{"query":"a"}}',
        '```json\n{"name": "search", "parameters": {"query": "a"}}\n```',
        '<tool_call>\n{"name": "search", "arguments": "{\\"query\\": \\"a\\"}"}\n</tool_call>',
        '{"thought": "I \\"must\\" look", "action": "search", "input": {"query": "a"}}',
        '{"type": "function", "function": {"name": "search", "arguments": {"query": "a"}}}',
        'I will look it up.\n```json\n{"action": "search", "args": {"query": "a"}}\n```',
        '```\n{"action": "search", "args": {"query": "a"}}\n```',
    ],
)
def test_a_call_is_read_in_the_forms_that_models_write(text: str, strict: bool) -> None:
    assert called(read(text, strict=strict)) == [Called("search", {"query": "a"})]


def test_a_name_is_told_before_its_arguments_and_only_when_it_is_the_first_key() -> None:
    reader = Reader(TOOLS, strict=False)
    assert list(reader.feed('{"action": "sea')) == []
    assert list(reader.feed('rch", "args": {"qu')) == [Named("search")]
    assert list(reader.feed('ery": "a"}}')) == []
    assert list(reader.end()) == [Called("search", {"query": "a"})]
    steps = read('{"args": {"name": "Ahab"}, "action": "read"}', cuts=list(range(60)))
    assert [type(s) for s in steps] == [Called]


def test_an_answer_inside_json_grows_as_it_arrives() -> None:
    text = json.dumps({"action": "answer", "text": "He said “no”.\n他说：“不”。😀"})
    steps = read(text, cuts=list(range(len(text))))
    assert len(steps) > 10
    assert said(steps) == "He said “no”.\n他说：“不”。😀"
    assert said(read('{"answer": "yes"}')) == "yes"


def test_several_calls_in_one_reply_are_several() -> None:
    one, two = '{"name":"search","arguments":{"query":"a"}}', '{"name":"read","arguments":{}}'
    text = f"<tool_call>{one}</tool_call>\n<tool_call>{two}</tool_call>"
    assert [c.name for c in called(read(text))] == ["search", "read"]


@pytest.mark.parametrize(
    "text", ["Plain words.", "{curly} words", "She said `{x}` and < 3.", "```python\nprint()\n```", '{"a": 1}', "  "]
)
def test_what_is_no_call_stays_text(text: str) -> None:
    steps = read(text, strict=True, cuts=list(range(len(text))))
    assert called(steps) == []
    assert said(steps).strip() == text.strip()


def test_with_tools_of_its_own_a_model_may_answer_in_json() -> None:
    text = '{"name": "Ahab", "ship": "Pequod"}'
    assert said(read(text, strict=True)) == text
    assert said(read('{"action": "answer", "text": "x"}', strict=True)) == '{"action": "answer", "text": "x"}'


def test_broken_arguments_are_passed_on_as_they_are() -> None:
    (call,) = called(read('{"action": "search", "args": {"query": "unfin'))
    assert call == Called("search", '{"query": "unfin')


def test_a_tool_that_does_not_exist_is_a_call_where_only_steps_are_expected() -> None:
    assert called(read('{"action": "fly", "args": {}}')) == [Called("fly", {})]
    assert called(read('{"action": "fly", "args": {}}', strict=True)) == []


@given(st.text(), st.lists(st.integers(0, 300)))
def test_any_answer_in_any_pieces_comes_back(text: str, cuts: list[int]) -> None:
    for ascii_only in (True, False):
        whole = json.dumps({"action": "answer", "text": text}, ensure_ascii=ascii_only)
        if any(0xD800 <= ord(c) < 0xE000 for c in text):
            return
        assert said(read(whole, cuts=cuts)) == text


@given(st.text(st.characters(codec="utf-8")), st.integers(0, 200))
def test_the_beginning_of_a_json_text_is_the_beginning_of_its_value(text: str, at: int) -> None:
    raw = json.dumps(text)[1:]
    assert text.startswith(unescaped(raw[:at]))
    assert unescaped(raw) == text


@given(st.text(max_size=200), st.lists(st.integers(0, 200)), st.booleans())
def test_no_reply_breaks_the_reader_and_pieces_do_not_matter(text: str, cuts: list[int], strict: bool) -> None:
    pieces, whole = read(text, strict=strict, cuts=cuts), read(text, strict=strict)
    assert called(pieces) == called(whole)
    assert said(pieces) == said(whole)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)
)


@given(st.sampled_from(TOOLS), st.dictionaries(st.text(), JSON), st.lists(st.integers(0, 300)), st.booleans())
def test_any_call_in_any_pieces_comes_back(
    name: str, arguments: dict[str, object], cuts: list[int], strict: bool
) -> None:
    text = json.dumps({"action": name, "args": arguments})
    steps = read(text, strict=strict, cuts=cuts)
    assert called(steps) == [Called(name, arguments)]  # type: ignore[arg-type]
    assert said(steps) == ""
