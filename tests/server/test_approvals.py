"""What the agent wants to do is asked in the stream, waits for the person, and is refused when nobody says a word."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glossator import config
from glossator.server import approvals
from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Call, Reply, in_turn
from tests.server.serving import Served
from tests.server.test_chat import begun

WRITES = Reply(calls=(Call("write_file", {"path": "list.md", "text": "wax"}),))
ASK = {"message": "Write the list into a file.", "id": "w"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    folder = tmp_path / "open"
    folder.mkdir()
    for key, value in (("tools.allow", "files"), ("tools.folders", str(folder))):
        config.write(config.user_config(), key, value)
    with FakeProvider(in_turn([WRITES, Reply(text="Done so far.")])) as provider:
        monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
        monkeypatch.setenv("GLOSSATOR_BASE_URL", provider.url("openai-chat"))
        yield folder


def question(response: Any) -> dict[str, Any]:
    """Read a stream until the agent asks; return what it asks."""
    for line in response:
        if line.startswith(b"data: ") and b"data-approval" in line:
            data: dict[str, Any] = json.loads(line[6:])["data"]
            return data
    raise AssertionError("nothing was asked")


@pytest.mark.parametrize("allow", [True, False])
def test_what_changes_something_waits_for_the_person(web: Served, folder: Path, allow: bool) -> None:
    connection, response = begun(web, ASK)
    asked = question(response)
    assert (asked["tool"], asked["args"]["path"], asked["allowed"]) == ("write_file", "list.md", None)
    assert asked["question"].startswith('write_file(path="list.md"')
    assert not (folder / "list.md").exists()
    connection.close()  # the window is closed; another one comes
    heard: list[list[dict[str, Any]]] = []
    watching = threading.Thread(target=lambda: heard.append(web.get("/api/chat/w/stream").events))
    watching.start()
    said = web.post("/api/chat/w/approve", {"id": asked["id"], "allow": allow})
    assert (said.json["id"], said.json["allow"]) == (asked["id"], allow)
    watching.join(60)
    told = [e["data"]["allowed"] for e in heard[0] if e["type"] == "data-approval"]
    assert told == [None, allow]
    assert (folder / "list.md").exists() is allow
    assert heard[0][-1]["data"]["steps"][0]["state"] == ("completed" if allow else "failed")
    assert web.post("/api/chat/w/approve", {"id": asked["id"], "allow": True}).problem["code"] == "not_found"


def test_stopping_ends_what_waits(web: Served, folder: Path) -> None:
    connection, response = begun(web, ASK)
    question(response)
    assert web.post("/api/chat/w/stop").json["stopped"]
    assert b'"abort"' in response.read()
    connection.close()
    assert not (folder / "list.md").exists()


def test_who_says_nothing_has_refused_and_the_time_is_none_of_the_run(
    web: Served, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approvals, "PATIENCE", 3.0)
    config.write(config.user_config(), "limits.seconds", "3")
    events = web.post("/api/chat", ASK).events
    assert [e["data"]["allowed"] for e in events if e["type"] == "data-approval"] == [None, False]
    assert events[-1]["data"]["stopped"] is None
    assert "Done so far" in events[-1]["data"]["answer"]
    assert not (folder / "list.md").exists()


def test_nobody_is_asked_where_nobody_watches(web: Served, folder: Path) -> None:
    answer = web.post("/api/ask", {"question": "Write the list into a file."}).json
    assert answer["steps"][0]["state"] == "failed"
    assert not (folder / "list.md").exists()


def test_what_waits_for_nobody_cannot_be_answered(web: Served) -> None:
    other = web.library.sessions.start().id
    for session in ("nothing", other):
        assert web.post(f"/api/chat/{session}/approve", {"id": "a1", "allow": True}).problem["code"] == "not_found"
    assert web.post(f"/api/chat/{other}/approve", {"id": "a1"}).status == 422


def test_a_wrong_setting_of_tools_is_a_problem_before_anything_begins(web: Served, folder: Path) -> None:
    config.write(config.user_config(), "tools.web_search", "https://example.org/")
    assert folder.is_dir()
    assert "tools.web_search" in web.post("/api/chat", ASK).problem["detail"]


@pytest.mark.usefixtures("folder")
def test_the_ledger_tells_what_was_sent_for_a_session(web: Served) -> None:
    answer = web.post("/api/ask", {"question": "Write the list into a file."}).json
    told = web.get("/api/ledger", session=answer["session"]).json
    assert told["session"] == answer["session"]
    assert told["hosts"] == {}  # a model on this machine
    assert [e["round"] for e in told["entries"]] == [1, 2]
    assert all(e["bytes"] > 0 and not e["remote"] and e["model"] == "openai-chat:fake" for e in told["entries"])
    assert web.get("/api/ledger", session="nothing").problem["code"] == "not_found"
    other = web.library.sessions.start().id
    assert web.get("/api/ledger", session=other).json == {"session": other, "hosts": {}, "entries": []}
