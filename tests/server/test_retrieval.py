"""The retrieval service's shapes, and the library as a model of the OpenAI chat interface."""

import http.client
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openai import AuthenticationError, OpenAI, UnprocessableEntityError

from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Call, Reply, in_turn
from tests.server.serving import Served

QUOTE = "Under the third stair Eleanor found a letter sealed with green wax."
QUESTION = "Who found the letter sealed with green wax?"
LOOKS = Reply(calls=(Call("search", {"query": "letter sealed with green wax"}),))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    with FakeProvider(in_turn([LOOKS, Reply(text=f'In the book: "{QUOTE}" [1]')])) as provider:
        monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
        monkeypatch.setenv("GLOSSATOR_BASE_URL", provider.url("openai-chat"))
        yield provider


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    said = Reply(text=" ".join(f"Sentence number {n} is here." for n in range(2_000)), pace=0.003, piece=8)
    with FakeProvider(in_turn([said])) as provider:
        monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
        monkeypatch.setenv("GLOSSATOR_BASE_URL", provider.url("openai-chat"))
        yield provider


def client(web: Served, key: str | None = None) -> OpenAI:
    return OpenAI(base_url=f"http://127.0.0.1:{web.port}/v1", api_key=key or web.house.access.token, max_retries=0)


def test_retrieving_answers_texts_and_results_side_by_side(web: Served, island: str) -> None:
    found = web.post("/retrieve", {"text": "letter sealed with green wax", "top_k": 2}).json
    assert set(found) == {"chunks", "results"}
    assert 1 <= len(found["chunks"]) <= 2
    assert [r["text"] for r in found["results"]] == found["chunks"]
    assert found["results"][0]["locator"]["document"] == island
    assert set(found["results"][0]) == {"text", "score", "source", "locator"}
    assert web.post("/retrieve", {"query": "letter"}).json["chunks"]
    assert web.post("/retrieve", {}).problem["code"] == "usage"


def test_ingesting_says_what_changed(web: Served, tmp_path: Path) -> None:
    one = web.post("/ingest", {"text": "Zeppelins float on helium.", "source": "notes/air.md"}).json
    assert one["message"] == "1 chunk added"
    assert (one["source"], one["status"], one["chunks"]) == ("notes/air.md", "added", 1)
    assert web.post("/ingest", {"text": "Zeppelins float on helium.", "source": "notes/air.md"}).json["message"] == (
        "unchanged, skipped"
    )
    changed = {"text": "Zeppelins float on helium. They are slow.", "source": "notes/air.md"}
    again = web.post("/ingest", changed).json
    assert (again["message"], again["document"]) == ("1 chunk updated", one["document"])
    found = web.post("/retrieve", {"text": "zeppelins"}).json["results"]
    assert [r["source"] for r in found] == ["notes/air.md"]
    assert web.get("/api/show", doc=one["document"]).json["metadata"]["title"] == "air"
    path = tmp_path / "kites.md"
    path.write_text("# Kites\n\nKites need wind.\n", "utf-8")
    assert web.post("/ingest", {"path": str(path)}).json["status"] == "added"
    assert web.get("/api/doctor").json["ok"]


@pytest.mark.parametrize(
    "body",
    [
        {}, {"text": " "}, {"text": "x", "path": "/x"}, {"path": "/nowhere/at.all"}, {"path": "relative.md"},
        {"path": "/etc/passwd"}, {"url": "http://127.0.0.1:1/"}, {"url": "file:///etc/passwd"},
        {"path": "http://127.0.0.1/"}, {"url": "http://localhost/x"}, {"url": "http://169.254.169.254/"},
    ],
)  # fmt: skip
def test_what_cannot_be_ingested_is_a_problem_and_nothing_is_half_done(web: Served, body: dict[str, Any]) -> None:
    before = web.get("/api/list").json
    assert 400 <= web.post("/ingest", body).problem["status"] < 500
    assert web.get("/api/list").json == before


@pytest.mark.usefixtures("fake")
def test_the_agent_replies_as_json_or_as_events_that_name_the_session(web: Served) -> None:
    whole = web.post("/agent/chat", {"message": QUESTION}).json
    assert set(whole) == {"reply", "session", "citations"}
    assert whole["citations"][0]["status"] == "verified"
    streamed = web.also(accept="text/event-stream").post(
        "/agent/chat", {"message": QUESTION, "session": whole["session"]}
    )
    names = [line[7:] for line in streamed.body.decode().splitlines() if line.startswith("event: ")]
    assert names[0] == "session"
    assert names[-1] == "done"
    assert streamed.events[0] == {"session": whole["session"]}
    assert streamed.events[-1]["citations"][0]["quote"] == QUOTE


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [
        ("/agent/chat", {"message": QUESTION}, {"accept": "text/event-stream"}),
        ("/agent/chat", {"message": QUESTION}, {}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": QUESTION}], "stream": True}, {}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": QUESTION}]}, {}),
    ],
)
def test_a_run_of_these_doors_ends_with_its_client(
    web: Served, path: str, body: dict[str, Any], headers: dict[str, str]
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
    connection.request("POST", path, json.dumps(body), {**web.headers, "content-type": "application/json", **headers})
    wait(lambda: web.house.runs.busy)
    time.sleep(0.3)
    connection.close()
    if connection.sock:
        connection.sock.close()
    wait(lambda: not web.house.runs.busy, seconds=6)


def wait(what: Any, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.usefixtures("fake")
def test_the_openai_client_is_answered_whole(web: Served) -> None:
    with client(web) as openai:
        assert [m.id for m in openai.models.list()] == ["glossator"]
        told = openai.chat.completions.create(model="glossator", messages=[{"role": "user", "content": QUESTION}])
    assert QUOTE in (told.choices[0].message.content or "")
    assert told.choices[0].finish_reason == "stop"
    assert told.usage is not None
    assert told.usage.total_tokens > 0
    assert told.model_extra is not None
    assert told.model_extra["citations"][0]["status"] == "verified"
    assert web.get("/api/sessions").json == {"sessions": []}


@pytest.mark.usefixtures("fake")
def test_the_openai_client_is_answered_piece_by_piece(web: Served) -> None:
    with client(web) as openai:
        pieces = list(
            openai.chat.completions.create(
                model="glossator",
                messages=[{"role": "user", "content": QUESTION}],
                stream=True,
                stream_options={"include_usage": True},
            )
        )
    text = "".join(p.choices[0].delta.content or "" for p in pieces if p.choices)
    assert QUOTE in text
    assert "Sources:" in text
    assert [p.choices[0].finish_reason for p in pieces if p.choices][-1] == "stop"
    assert pieces[-1].usage is not None
    assert web.get("/api/sessions").json == {"sessions": []}


def test_without_a_model_the_library_itself_is_the_model(web: Served) -> None:
    web.post("/api/collections", {"name": "Stories", "docs": ["The Island"]})
    with client(web) as openai:
        assert [m.id for m in openai.models.list()] == ["glossator", "glossator/Stories"]
        said: Any = [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Yes?"},
            {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
        ]
        told = openai.chat.completions.create(model="glossator/Stories", messages=said)
    assert told.choices[0].message.content


def test_a_wrong_key_and_empty_messages_are_refused_in_the_clients_terms(web: Served) -> None:
    with client(web, "sk-wrong") as openai, pytest.raises(AuthenticationError):
        openai.models.list()
    with client(web) as openai, pytest.raises(UnprocessableEntityError):
        openai.chat.completions.create(model="glossator", messages=[])
    refused = web.post("/v1/chat/completions", {"messages": [{"role": "user", "content": ""}]})
    assert refused.problem["error"]["code"] == "usage"


def test_curl_is_answered_too(web: Served) -> None:
    body = json.dumps({"model": "glossator", "messages": [{"role": "user", "content": QUESTION}], "stream": True})
    command = [
        "curl",
        "-sN",
        f"http://127.0.0.1:{web.port}/v1/chat/completions",
        "-H",
        "content-type: application/json",
    ]
    token = f"authorization: Bearer {web.house.access.token}"
    try:
        done = subprocess.run(
            [*command, "-H", token, "-d", body], capture_output=True, text=True, timeout=60, check=True
        )
    except FileNotFoundError:
        pytest.skip("no curl here")
    assert done.stdout.endswith("data: [DONE]\n\n")
