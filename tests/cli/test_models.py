"""Models and keys on the command line: what is listed, and that no key is ever shown."""

from pathlib import Path

import pytest

from glossator import config
from tests.cli.runner import Shell

SECRET = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(config, "user_config", lambda: tmp_path / "user" / "config.toml")
    return tmp_path / "user"


def rows(shell: Shell) -> dict[tuple[str, str | None], dict[str, object]]:
    return {(m["name"], m["role"]): m for m in shell.json("models")["models"]}


def test_every_provider_is_listed_with_what_it_lacks(empty: Shell) -> None:
    found = rows(empty)
    assert {"openai:MODEL", "openai-chat:MODEL", "anthropic:MODEL", "deepseek:MODEL", "ollama:MODEL", "none"} <= {
        name for name, _ in found
    }
    assert "ANTHROPIC_API_KEY" in str(found["anthropic:MODEL", None]["hint"])
    assert found["ollama:MODEL", None]["hint"] is None


def test_the_model_in_use_and_the_one_to_propose_are_listed(empty: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    empty("config", "set", "model.remote.model", "anthropic:claude")
    empty("config", "set", "model.fallback", "deepseek:chat")
    monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:local")
    monkeypatch.setenv("GLOSSATOR_BASE_URL", "http://127.0.0.1:8080/v1")
    found = rows(empty)
    assert found["openai-chat:local", "in use"]["network"] is False
    assert found["anthropic:claude", "proposed"]["network"] is True
    assert ("deepseek:chat", "stands in") not in found  # it would send text that the model named keeps here
    monkeypatch.setenv("GLOSSATOR_MODEL", "nobody:x")
    assert any(role == "in use" and "nobody" in name for name, role in rows(empty))
    assert empty("models").code == 0


def test_a_key_comes_from_stdin_and_is_shown_nowhere(empty: Shell, folder: Path) -> None:
    assert empty.json("config", "set-key", "anthropic", stdin=SECRET + "\n") == {
        "provider": "anthropic",
        "variable": "ANTHROPIC_API_KEY",
        "place": "file",
    }
    shown = [
        empty(*words).out
        for words in (["config", "list"], ["config", "list", "--json"], ["models"], ["models", "--json"])
    ]
    assert not any(SECRET in text for text in shown)
    assert rows(empty)["anthropic:MODEL", None]["key"] == "file"
    assert SECRET in (folder / "keys.json").read_text()
    assert not empty.library.exists()
    assert empty.json("config", "remove-key", "anthropic")["place"] == "file"
    assert rows(empty)["anthropic:MODEL", None]["key"] is None


@pytest.mark.parametrize(
    ("provider", "stdin"), [("openai", ""), ("openai", "two words\n"), ("nobody", SECRET), ("ollama", SECRET)]
)
def test_a_key_that_cannot_be_is_wrong_usage(empty: Shell, provider: str, stdin: str) -> None:
    run = empty("config", "set-key", provider, "--json", stdin=stdin)
    assert (run.code, run.out) == (2, "")
    assert SECRET not in run.err
