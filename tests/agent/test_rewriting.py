"""Models at work outside a conversation, on the command line: rewriting a query, reading a whole document."""

import shutil
from pathlib import Path

import pytest

from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Reply, Turn, in_turn
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


def test_a_summary_by_a_model_on_the_command_line_leads_to_the_text_and_says_what_was_read(shell: Shell) -> None:
    quote = "Under the third stair Eleanor found a letter sealed with green wax."

    def reads(_: Turn) -> Reply:
        return Reply(text=f"Eleanor found a letter under the third stair. | {quote}")

    with FakeProvider(reads) as fake:
        options = ("--model", "openai-chat:fake", "--base-url", fake.url("openai-chat"))
        doc = shell.json("search", "letter sealed with green wax")["hits"][0]["document"]["id"]
        found = shell.json("summary", doc, *options)
        asked = len(fake.seen)
        again = shell.json("summary", doc, *options)
        assert len(fake.seen) == asked  # every reply was kept
        page = shell("summary", doc, *options)
    assert found["model"] == "openai-chat:fake"
    assert any(p["text"] == p["locator"]["quote"]["exact"] == quote for p in found["points"])
    assert "Eleanor found a letter under the third stair. [" in found["summary"]
    assert found["coverage"]["read"]
    assert again["points"] == found["points"]
    assert quote in page.out


def test_names_a_claim_and_a_map_are_asked_of_the_model_that_is_named(shell: Shell) -> None:
    with FakeProvider(in_turn([Reply(text="nothing that can be used")])) as fake:
        options = ("--model", "openai-chat:fake", "--base-url", fake.url("openai-chat"))
        doc = shell.json("search", "letter sealed with green wax")["hits"][0]["document"]["id"]
        for command in (("people", doc), ("compare", "Eleanor found a letter"), ("map", doc)):
            found = shell.json(*command, *options)
            plain = shell.json(*command, "--model", "none")
            assert found["model"] == "openai-chat:fake"
            assert {k: v for k, v in found.items() if k in plain} == plain
        assert len(fake.seen) >= 3
