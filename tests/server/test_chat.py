"""Chat as the AI SDK speaks it: streams, windows that come and go, and the end of both sides."""

import http.client
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Call, Reply, in_turn
from tests.server.serving import Process, Served

QUOTE = "Under the third stair Eleanor found a letter sealed with green wax."
LOOKS = Reply(calls=(Call("search", {"query": "letter sealed with green wax"}),))
ANSWER = Reply(text=f'In the book: "{QUOTE}" [1]')
ASK = {"message": "Who found the letter?"}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    with FakeProvider(in_turn([LOOKS, ANSWER])) as provider:
        monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
        monkeypatch.setenv("GLOSSATOR_BASE_URL", provider.url("openai-chat"))
        yield provider


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    said = Reply(text=" ".join(f"Sentence number {n} is here." for n in range(200)), pace=0.003, piece=8)
    with FakeProvider(in_turn([said])) as provider:
        monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
        monkeypatch.setenv("GLOSSATOR_BASE_URL", provider.url("openai-chat"))
        yield provider


def session_of(events: list[dict[str, Any]]) -> str:
    return str(events[0]["messageMetadata"]["session"])


def begun(web: Served, body: dict[str, Any]) -> tuple[http.client.HTTPConnection, Any]:
    """Begin a chat and return the connection, its answer not read yet."""
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
    connection.request("POST", "/api/chat", json.dumps(body), {**web.headers, "content-type": "application/json"})
    return connection, connection.getresponse()


@pytest.mark.usefixtures("fake")
def test_an_answer_streams_in_the_chunks_of_the_sdk_and_ends_with_the_answer(web: Served) -> None:
    reply = web.post(
        "/api/chat", {"id": "c1", "messages": [{"role": "user", "parts": [{"type": "text", "text": "Who?"}]}]}
    )
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert reply.body.endswith(b"data: [DONE]\n\n")
    kinds = [e["type"] for e in reply.events]
    assert kinds[0] == "start"
    assert kinds[-2:] == ["finish", "data-answer"]
    assert {"tool-input-start", "tool-input-available", "tool-output-available", "text-delta", "data-citation"} <= {
        *kinds
    }
    assert reply.events[-1]["data"]["citations"][0]["status"] == "verified"
    assert reply.headers["x-glossator-session"] == session_of(reply.events)


def test_without_a_model_the_documents_own_sentences_come_through_the_same_stream(web: Served) -> None:
    reply = web.post("/api/chat", {"message": "Who found the letter sealed with green wax?"})
    kinds = [e["type"] for e in reply.events]
    assert kinds[0] == "start"
    assert kinds[-2:] == ["finish", "data-answer"]
    assert reply.events[-1]["data"]["model"] == "none"
    session = session_of(reply.events)
    assert [m["role"] for m in web.get(f"/api/sessions/{session}").json["messages"]] == ["user", "assistant"]


@pytest.mark.usefixtures("fake")
def test_who_comes_back_hears_all_of_it_again_or_the_rest(web: Served) -> None:
    first = web.post("/api/chat", {"id": "window", **ASK})
    session = session_of(first.events)
    assert web.get(f"/api/chat/{session}/stream").events == first.events
    assert web.get("/api/chat/window/stream").events == first.events
    rest = web.also(last_event_id="4").get(f"/api/chat/{session}/stream")
    assert rest.events == first.events[5:]
    assert web.get("/api/chat/nothing/stream").problem["code"] == "not_found"
    other = web.library.sessions.start().id
    assert web.get(f"/api/chat/{other}/stream").status == 204


@pytest.mark.usefixtures("slow")
def test_a_run_goes_on_when_its_window_is_closed_and_two_windows_watch_it(web: Served) -> None:
    connection, response = begun(web, {"id": "w", **ASK})
    response.readline()
    connection.close()
    heard: list[Any] = []
    threads = [threading.Thread(target=lambda: heard.append(web.get("/api/chat/w/stream").events)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert heard[0] == heard[1]
    assert heard[0][-1]["type"] == "data-answer"
    assert "Sentence number 199 is here." in heard[0][-1]["data"]["answer"]


@pytest.mark.usefixtures("slow")
def test_a_run_is_stopped_and_its_session_goes_on(web: Served) -> None:
    connection, response = begun(web, {"id": "w", **ASK})
    while b"text-delta" not in response.readline():
        pass
    busy = web.post("/api/chat", {"id": "w", **ASK})
    assert busy.problem["code"] == "usage"
    begin = time.monotonic()
    stopped = web.post("/api/chat/w/stop").json
    assert stopped["stopped"]
    assert b'"abort"' in response.read()
    assert time.monotonic() - begin < 5
    connection.close()
    assert not web.post("/api/chat/w/stop").json["stopped"]
    messages = web.get(f"/api/sessions/{stopped['session']}").json["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant"]
    monkeyed = web.post("/api/chat", {"session": stopped["session"], **ASK, "model": "none"})
    assert monkeyed.events[-1]["type"] == "data-answer"


def test_what_cannot_be_asked_is_a_problem_before_anything_begins(web: Served) -> None:
    sessions = len(web.get("/api/sessions").json["sessions"])
    assert web.post("/api/chat", {}).status == 422
    assert web.post("/api/chat", {"message": " "}).problem["code"] == "usage"
    assert web.post("/api/chat", {"message": "x", "doc": "nothing"}).problem["code"] == "not_found"
    assert web.post("/api/chat", {"message": "x", "session": "nothing"}).problem["code"] == "not_found"
    assert web.post("/api/chat", {"message": "x", "model": "nobody:x"}).problem["code"] == "model"
    assert web.post("/api/chat", {"message": "x", "selection": "0:5"}).problem["code"] == "usage"
    assert len(web.get("/api/sessions").json["sessions"]) == sessions


def test_a_model_that_fails_ends_the_stream_with_an_error(web: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
    with FakeProvider(in_turn([Reply(status=401)]), key="right") as provider:
        monkeypatch.setenv("GLOSSATOR_BASE_URL", provider.url("openai-chat"))
        events = web.post("/api/chat", ASK).events
    assert "error" in [e["type"] for e in events]
    assert events[-1]["data"]["error"]["hint"]


@pytest.mark.usefixtures("fake")
def test_one_question_is_answered_as_on_the_command_line(web: Served) -> None:
    answer = web.post("/api/ask", {"question": "Who found the letter?"}).json
    assert answer["citations"][0]["status"] == "verified"
    assert answer["session"]
    plain = web.get("/api/ask", question="Who found the letter sealed with green wax?", model="none").json
    assert plain["model"] == "none"


def test_the_bound_holds_in_a_chat(web: Served, island: str) -> None:
    asked = {"message": "Who found the letter sealed with green wax?", "doc": island, "up_to": 30}
    assert QUOTE not in json.dumps(web.post("/api/chat", asked).events)


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("slow")
def test_a_session_goes_on_after_its_server_was_killed_in_the_midst_of_an_answer(filled: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(filled, tmp_path / "library"))
    serving = Process(folder)
    port, token = int(serving.told["url"].rpartition(":")[2]), serving.told["token"]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    connection.request("POST", "/api/chat", json.dumps(ASK), headers)
    response = connection.getresponse()
    session = response.headers["x-glossator-session"]
    while b"text-delta" not in response.readline():
        pass
    serving.end(signal.SIGKILL)
    connection.close()
    again = Process(folder)
    try:
        assert again.ask("GET", f"/api/sessions/{session}")["messages"][0]["role"] == "user"
        asked = {"question": QUOTE, "session": session, "model": "none"}
        assert again.ask("POST", "/api/ask", asked)["session"] == session
        assert again.ask("GET", "/api/doctor")["ok"]
    finally:
        again.end()
