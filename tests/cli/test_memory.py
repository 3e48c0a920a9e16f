"""What the agent remembers, as a person lists and removes it."""

import pytest

from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.library.sessions import reach_under
from tests.cli.runner import Shell


def remember(shell: Shell, text: str, **options: object) -> str:
    with Library.open(shell.library, embedder="none") as library:
        return library.memory.keep(text, **options).id  # type: ignore[arg-type]


def test_memories_are_listed_and_removed(own: Shell) -> None:
    one, two = remember(own, "prefers short answers", kind="preference"), remember(own, "is a  physicist")
    listed = own.json("memory", "list")["memories"]
    assert [(m["id"], m["kind"], m["text"]) for m in listed] == [
        (two, "fact", "is a physicist"),
        (one, "preference", "prefers short answers"),
    ]
    assert own.json("memory", "remove", one[:6]) == {"removed": [one]}
    assert [m["id"] for m in own.json("memory", "list")["memories"]] == [two]
    assert "is a physicist" in own("memory", "list").out


def test_what_is_remembered_twice_is_one_memory(own: Shell) -> None:
    assert remember(own, "likes the sea") == remember(own, " likes   the sea ")
    assert len(own.json("memory", "list")["memories"]) == 1


def test_a_memory_that_is_not_there_is_an_error_and_nothing_is_removed(own: Shell) -> None:
    one = remember(own, "likes the sea")
    assert own("memory", "remove", one, "mzzzzzzz").code == 1
    assert len(own.json("memory", "list")["memories"]) == 1


def test_a_memory_from_an_open_book_is_hidden_once_the_book_is_hidden(own: Shell) -> None:
    with Library.open(own.library, embedder="none") as library:
        document = library.documents().documents[0].id
        open_reach = reach_under(library.database, [document], Bound(uncapped=True))
        early_reach = reach_under(library.database, [document], Bound(10))
        library.memory.keep("the keeper dies", doc=document, reach=open_reach)
        library.memory.keep("the keeper has a lantern", doc=document, reach=early_reach)
    assert len(own.json("memory", "list", "--uncapped")["memories"]) == 2
    shown = own.json("memory", "list", "--doc", document, "--up-to", "40")
    assert [m["text"] for m in shown["memories"]] == ["the keeper has a lantern"]
    assert "left out" in shown["notice"]


@pytest.mark.parametrize("text", ["", "  ", "x" * 401])
def test_a_memory_is_one_thing_said_in_short(own: Shell, text: str) -> None:
    from glossator.errors import UsageError

    with pytest.raises(UsageError, match="1 to 400 characters"):
        remember(own, text)
