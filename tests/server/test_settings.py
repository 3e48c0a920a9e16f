"""Settings: what can be set, models and embedders, and checks that use them once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from glossator import config
from glossator.messages import NOTHING
from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Reply, in_turn
from tests.server.serving import Served


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return config.user_config()


@pytest.fixture
def provider(settings: Path) -> Iterator[FakeProvider]:
    with FakeProvider(in_turn([Reply(text="OK")])) as made:
        config.write(settings, "model.local.model", "openai-chat:fake")
        config.write(settings, "model.local.base_url", made.url("openai-chat"))
        yield made


def test_a_model_is_checked_by_one_small_request(web: Served, provider: FakeProvider) -> None:
    for name in ("local", "openai-chat:fake"):
        found = web.post("/api/settings/check", {"what": "model", "model": name}).json
        assert found["ok"], found
        assert "said “OK”" in found["detail"]
        assert found["milliseconds"] > 0
        assert found["error"] is None
    assert len(provider.seen) == 2


def test_what_a_check_finds_wrong_is_told_with_a_hint(web: Served, settings: Path) -> None:
    with FakeProvider(in_turn([Reply(status=500)] * 5)) as broken:
        config.write(settings, "model.remote.model", "openai-chat:fake")
        config.write(settings, "model.remote.base_url", broken.url("openai-chat"))
        failed = web.post("/api/settings/check", {"what": "model", "model": "remote"}).json
        assert len(broken.seen) == 1
    assert failed["ok"] is False
    assert failed["error"]["hint"]
    for body in (
        {"what": "model", "model": "main"},
        {"what": "model", "model": "nobody:x"},
        {"what": "embedder", "embedder": "nobody:x"},
        {"what": "folder", "path": "/etc"},
        {"what": "folder", "path": "relative"},
        {"what": "folder", "path": "/nowhere/at/all"},
    ):
        found = web.post("/api/settings/check", body).json
        assert (found["what"], found["ok"], found["detail"]) == (body["what"], False, None)
        assert found["error"]["code"] in ("model", "usage", "not_found")
        assert found["error"]["hint"]
    assert web.post("/api/settings/check", {"what": "model"}).status == 422
    assert web.post("/api/settings/check", {"what": "else"}).status == 422


def test_a_folder_is_looked_into(web: Served, settings: Path, tmp_path: Path) -> None:
    folder = tmp_path / "books"
    folder.mkdir()
    for name in ("a.md", "b.txt", "c.exe", ".hidden.md"):
        (folder / name).write_text("words")
    found = web.post("/api/settings/check", {"what": "folder", "path": str(folder)}).json
    assert (found["ok"], found["name"]) == (True, str(folder))
    assert found["detail"].startswith("2 files that can be added")
    own = tmp_path / ".kept"
    own.mkdir()
    hidden = {"what": "folder", "path": str(own)}
    assert not web.post("/api/settings/check", hidden).json["ok"]
    config.write(settings, "backup.path", str(own))
    assert web.post("/api/settings/check", hidden).json["ok"]
    library = {"what": "folder", "path": str(web.library.database.folder)}
    assert web.post("/api/settings/check", library).json["ok"]
    none = web.post("/api/settings/check", {"what": "embedder", "embedder": "none"}).json
    assert none["ok"]


@pytest.mark.models
def test_an_embedder_is_checked_by_one_sentence(web: Served) -> None:
    found = web.post("/api/settings/check", {"what": "embedder", "embedder": "builtin:minilm"}).json
    assert found["ok"], found
    assert "384" in found["detail"]


@pytest.mark.usefixtures("provider")
def test_the_models_say_which_is_set_for_what(web: Served, settings: Path) -> None:
    config.write(settings, "model.remote.model", "anthropic:far")
    config.write(settings, "model.use.book", "remote")
    told = web.get("/api/models").json
    assert {"builtin:minilm", "none"} <= {e["name"] for e in told["embedders"]}
    assert any(m["role"] == "in use" and m["name"] == "openai-chat:fake" for m in told["models"])
    found = {m["name"]: m for m in told["configured"]}
    assert set(found) == {"local", "remote"}
    assert found["local"]["uses"] == ["question", "research", "rewrite"]
    assert (found["remote"]["model"], found["remote"]["remote"], found["remote"]["uses"]) == (
        "anthropic:far",
        True,
        ["book"],
    )
    assert found["remote"]["key"] is False


@pytest.mark.usefixtures("settings")
def test_settings_that_open_the_machine_stay_on_the_command_line(web: Served) -> None:
    assert web.ask("PUT", "/api/settings", {"key": "search.k", "value": "7"}).json["value"] == 7
    refused = web.ask("PUT", "/api/settings", {"key": "tools.allow", "value": "shell"})
    assert "glossator config set tools.allow" in refused.problem["hint"]


def test_what_the_agent_remembers_is_removed(web: Served) -> None:
    kept = web.library.memory.keep("Likes short answers.", reach=NOTHING)
    assert web.get("/api/memory/list").json["memories"][0]["id"] == kept.id
    assert web.ask("DELETE", f"/api/memory/{kept.id}").json == {"removed": [kept.id]}
    assert web.get("/api/memory/list").json["memories"] == []
    assert web.ask("DELETE", "/api/memory/nothing").problem["code"] == "not_found"
