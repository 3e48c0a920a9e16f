"""`search --rewrite` on the command line: the model writes, the library is searched, and both are told apart."""

import shutil
from pathlib import Path

import pytest

from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Reply, in_turn
from tests.cli.runner import Shell


@pytest.fixture
def shell(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name in ("GLOSSATOR_MODEL", "GLOSSATOR_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Shell(Path(shutil.copytree(filled, tmp_path / "library")))


def test_a_query_is_rewritten_by_the_model_that_is_named(shell: Shell) -> None:
    with FakeProvider(in_turn([Reply(text="1. letter sealed with green wax\n2. Who found a letter?")])) as fake:
        options = ("--model", "openai-chat:fake", "--base-url", fake.url("openai-chat"))
        found = shell.json("search", "epistle", "--rewrite", "multi_query", "--explain", *options)
        assert len(fake.seen) == 1
    assert "green wax" in found["hits"][0]["text"]
    assert found["hits"][0]["trace"]["rewrite"]["queries"] == ["letter sealed with green wax", "Who found a letter?"]


def test_a_model_that_cannot_be_asked_leaves_the_search_as_it_is(shell: Shell) -> None:
    options = ("--model", "ollama:none-here", "--base-url", "http://127.0.0.1:9/v1")
    found = shell.json("search", "green wax", "--rewrite", "hyde", *options)
    assert found["hits"]
    assert "could not be rewritten" in found["notice"]


def test_without_the_option_no_model_is_asked(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider(in_turn([Reply(text="x")])) as fake:
        monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
        monkeypatch.setenv("GLOSSATOR_BASE_URL", fake.url("openai-chat"))
        assert shell.json("search", "green wax")["notice"] is None
        assert not fake.seen
