"""Analyses by a language model as jobs: begun, followed, cancelled, beside the work on the library."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Reply, in_turn
from tests.server.serving import Served


def use(monkeypatch: pytest.MonkeyPatch, provider: FakeProvider) -> None:
    monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
    monkeypatch.setenv("GLOSSATOR_BASE_URL", provider.url("openai-chat"))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    with FakeProvider(in_turn([Reply(text="[1] Eleanor finds a letter.\n[2] It is sealed.")] * 200)) as provider:
        use(monkeypatch, provider)
        yield provider


def ended(web: Served, body: dict[str, Any]) -> dict[str, Any]:
    begun = web.post("/api/analysis", body)
    assert begun.status == 202, begun.body
    last: dict[str, Any] = web.get(f"{begun.headers['location']}/events").events[-1]
    return last


@pytest.mark.parametrize(
    ("kind", "key"), [("summary", "points"), ("people", "names"), ("map", "children"), ("compare", "passages")]
)
def test_an_analysis_by_a_model_is_a_job_with_the_answer_of_the_command(
    web: Served, island: str, fake: FakeProvider, kind: str, key: str
) -> None:
    claim = {"claim": "Eleanor found a letter."} if kind == "compare" else {}
    job = ended(web, {"kind": kind, "doc": island, **claim})
    assert job["state"] == "done", job["error"]
    assert job["result"]["model"] == "openai-chat:fake"
    assert key in job["result"]
    assert fake.seen
    assert web.get(f"/api/jobs/{job['id']}").json["result"] == job["result"]
    (listed,) = web.get("/api/jobs").json["jobs"]
    assert (listed["id"], listed["result"]) == (job["id"], None)  # a list tells nothing of what a book holds


@pytest.mark.usefixtures("fake")
def test_what_is_not_read_yet_is_not_read_by_the_model(web: Served, island: str, fake: FakeProvider) -> None:
    bound = web.library.text(island).text.index("Under the third stair")
    job = ended(web, {"kind": "summary", "doc": island, "up_to": bound})
    assert job["state"] == "done", job["error"]
    assert fake.seen
    assert "green wax" not in str([s.body for s in fake.seen])


def test_what_cannot_be_made_is_a_problem_before_anything_begins(
    web: Served, island: str, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    for body, code in (
        ({"kind": "summary"}, "usage"),
        ({"kind": "summary", "doc": "nothing"}, "not_found"),
        ({"kind": "summary", "doc": island, "section": 999}, "not_found"),
        ({"kind": "people", "doc": island, "section": 1}, "usage"),
        ({"kind": "people", "doc": island, "claim": "x"}, "usage"),
        ({"kind": "compare"}, "usage"),
        ({"kind": "summary", "doc": island, "model": "none"}, "model"),
        ({"kind": "else", "doc": island}, "usage"),
    ):
        assert web.post("/api/analysis", body).problem["code"] == code, body
    monkeypatch.delenv("GLOSSATOR_MODEL")
    assert "GET /api/summary" in web.post("/api/analysis", {"kind": "summary", "doc": island}).problem["hint"]
    assert fake.seen == []
    assert web.get("/api/jobs").json["jobs"] == []


def test_a_book_is_added_while_a_model_thinks_and_thinking_is_cancelled(
    web: Served, island: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Reply(text="[1] Eleanor finds a letter.", silent=120)
    with FakeProvider(in_turn([slow] * 50)) as provider:
        use(monkeypatch, provider)
        job = web.post("/api/analysis", {"kind": "summary", "doc": island}).json
        (tmp_path / "new.md").write_text("# New\n\nA new book about the harbour and its keeper.")
        added = web.post("/api/jobs", {"kind": "add", "paths": [str(tmp_path / "new.md")]}).json
        assert web.get(f"/api/jobs/{added['id']}/events").events[-1]["state"] == "done"
        deadline = time.monotonic() + 30
        while not provider.seen and time.monotonic() < deadline:
            time.sleep(0.1)
        web.ask("DELETE", f"/api/jobs/{job['id']}")
        assert web.get(f"/api/jobs/{job['id']}/events").events[-1]["state"] == "cancelled"
