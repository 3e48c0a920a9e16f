"""Conversations on the command line."""

import json
from pathlib import Path

import pytest

from glossator.library.library import Library
from glossator.messages import NOTHING, Citation, Text, Tool
from tests.cli import contract
from tests.cli.runner import Shell


@pytest.fixture
def session(own: Shell) -> str:
    with Library.open(own.library, embedder="none") as library:
        made = library.sessions.start().id
        locator = library.locate("the lantern is cold").locator
        assert locator
        library.sessions.append(made, [Text("What did the keeper say?")], role="user", reach=NOTHING)
        call = Tool(
            id="1", name="search", args={"query": "keeper"}, state="completed", result="long " * 900, seconds=0.5
        )
        cited = Citation(
            n=1,
            status="verified",
            quote="the lantern is cold",
            document={"id": locator.document, "title": "The Keeper"},
            locator=locator.to_json(),
        )
        library.sessions.append(made, [call, Text("He said:\n\nit is cold."), cited], role="assistant")
    return made


def test_sessions_are_listed_shown_and_removed(own: Shell, session: str) -> None:
    listed = own.json("session", "list")
    contract.check(listed, contract.SESSIONS)
    assert [(s["id"], s["title"], s["messages"]) for s in listed["sessions"]] == [
        (session, "What did the keeper say?", 2)
    ]
    shown = own.json("session", "show", session)
    contract.check(shown, contract.CONVERSATION)
    assert shown["messages"][1]["parts"][0]["result"] == "long " * 900
    assert [m["role"] for m in own.json("session", "show", session, "--limit", "1")["messages"]] == ["assistant"]
    last = shown["messages"][1]["id"]
    assert [m["role"] for m in own.json("session", "show", session, "--before", last)["messages"]] == ["user"]
    assert own.json("session", "show", session, "--since", "2999-01-01")["messages"] == []
    assert own.json("session", "remove", session) == {"removed": session}
    assert own.json("session", "list") == {"sessions": []}
    assert own.json("session", "show", session, code=1)["error"]["code"] == "not_found"
    assert "No conversations" in own("session", "list").out


def test_a_person_reads_a_conversation(own: Shell, session: str) -> None:
    assert session in own("session", "list").out
    shown = own("session", "show", session[:5]).out
    for words in ("What did the keeper say?", "it is cold.", "**search**", "2500 characters more"):
        assert words in shown


def test_an_export_holds_all_of_it_and_its_citations_verify(own: Shell, session: str, tmp_path: Path) -> None:
    target = tmp_path / "talk.json"
    assert own.json("session", "export", session, "--output", target) == {"path": str(target), "messages": 2}
    assert json.loads(target.read_text("utf-8")) == own.json("session", "show", session)
    assert own.json("session", "export", session, "--output", target, code=1)["error"]["code"] == "store"
    page = tmp_path / "talk.md"
    own.json("session", "export", session, "--output", page)
    checked = own.json("verify", page)
    assert [(q["quote"], q["status"]) for q in checked["quotations"]] == [("the lantern is cold", "verified")]
    assert own("session", "export", session).out == page.read_text("utf-8")
    printed = own.json("session", "export", session)
    assert json.loads(printed["content"]) == own.json("session", "show", session)


def test_what_is_hidden_now_is_left_out(own: Shell, session: str) -> None:
    own.json("progress", "The Keeper of the Lantern", "--at", "30")
    shown = own.json("session", "show", session)
    assert [m["role"] for m in shown["messages"]] == ["user"]
    assert "--uncapped" in shown["notice"]
    assert own.json("session", "list")["sessions"][0]["messages"] == 1
    assert len(own.json("session", "show", session, "--uncapped")["messages"]) == 2
    bound = ("--doc", "The Keeper of the Lantern", "--up-to", "30")
    assert own.json("session", "export", session, *bound)["messages"] == 1
