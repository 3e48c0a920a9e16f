"""Messages as values: what a newer version wrote survives, and a reach says when a message may be shown."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from glossator import messages
from glossator.messages import Limit, Message, Reach, Text, Tool, part_from_json, text_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(st.text(max_size=8), JSON, max_size=3)
PARTS = st.one_of(
    st.builds(messages.Text, st.text()),
    st.builds(messages.Reasoning, st.text()),
    st.builds(
        messages.Tool,
        id=st.text(),
        name=st.text(),
        args=OBJECT,
        state=st.sampled_from(messages.TOOL_STATES),
        result=JSON,
        seconds=st.none() | st.floats(0, 1e6),
        summary=st.none() | st.text(),
    ),
    st.builds(
        messages.Citation,
        n=st.integers(0, 99),
        status=st.sampled_from(["verified", "repaired"]),
        quote=st.text(),
        document=st.none() | OBJECT,
        locator=st.none() | OBJECT,
    ),
    st.builds(messages.Progress, label=st.text(), done=st.integers(0), total=st.none() | st.integers(0)),
)


@given(PARTS)
def test_a_part_comes_back_from_json_as_it_was(part: messages.Part) -> None:
    assert part_from_json(part.to_json()) == part


@given(PARTS, st.integers(2, 9), st.dictionaries(st.text(min_size=1).map("new_{}".format), JSON, max_size=3))
def test_fields_of_a_newer_version_survive(part: messages.Part, version: int, new: dict[str, Any]) -> None:
    written = part.to_json() | new | {"version": version}
    read = part_from_json(written)
    assert read.to_json() == written
    assert read.version == version


@given(OBJECT)
def test_anything_else_survives_as_it_came(data: dict[str, Any]) -> None:
    assert part_from_json(data).to_json() == data


def test_a_known_kind_whose_fields_changed_their_meaning_is_kept_and_not_misread() -> None:
    for data in (
        {"kind": "text", "version": 2, "text": ["a", "b"]},
        {"kind": "tool", "version": 2, "id": "1", "name": "x", "args": {}, "state": "paused"},
        {"kind": "citation", "version": 1, "n": True, "status": "verified", "quote": ""},
        {"kind": "chart", "version": 1, "points": [1, 2]},
    ):
        part = part_from_json(data)
        assert isinstance(part, messages.Foreign)
        assert (part.kind, part.to_json()) == (data["kind"], data)


def test_the_text_of_a_message_is_its_text_parts() -> None:
    call = Tool(id="1", name="search", args={"query": "x"}, state="running")
    message = Message(id="m", role="assistant", created="t", parts=(Text("one "), call, Text("two")))
    assert message.text == text_of(message.parts) == "one two"
    assert message.to_json()["parts"][1] == {
        "kind": "tool",
        "version": 1,
        "id": "1",
        "name": "search",
        "args": {"query": "x"},
        "state": "running",
    }


def test_a_message_may_be_shown_when_all_it_could_see_may_be_seen_now() -> None:
    def limit(end: int, version: str = "v1") -> Limit:
        return Limit(end=end, text_version=version)

    whole, other = messages.WHOLE, Reach(documents=("b",))
    early = Reach(documents=("a",), limits={"a": limit(10)})
    assert whole.within({})
    assert not whole.within({"a": limit(10)})
    assert other.within({"a": limit(0)})
    assert early.within({"a": limit(10)})
    assert early.within({"a": limit(11), "b": limit(0)})
    assert not early.within({"a": limit(9)})
    assert not early.within({"a": limit(20, "v2")}), "positions in another text cannot be compared"
    assert messages.NOTHING.within({"a": limit(0)})


@given(st.none() | st.lists(st.text(), max_size=3), st.dictionaries(st.text(), st.integers(0, 9), max_size=3))
def test_a_reach_comes_back_from_json_as_it_was(documents: list[str] | None, ends: dict[str, int]) -> None:
    limits = {name: Limit(end=end, text_version="v") for name, end in ends.items()}
    reach = Reach(documents=None if documents is None else tuple(documents), limits=limits)
    assert Reach.from_json(reach.to_json()) == reach


def test_a_reach_that_cannot_be_read_is_the_whole_library() -> None:
    for data in (None, 3, {}, {"documents": "a"}, {"documents": [1], "limits": {"a": {"end": "x"}}}):
        assert Reach.from_json(data) == messages.WHOLE
