"""Tools in a whole run, from the command line to the provider and back."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.agent.fake_provider import Call, FakeProvider, Reply, in_turn
from tests.cli.runner import Shell


@pytest.fixture
def shell(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name in ("OPENAI_API_KEY", "GLOSSATOR_MODEL", "GLOSSATOR_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    work = tmp_path / "work"
    work.mkdir()
    (work / "plan.txt").write_text("Sail at noon.\n", "utf-8")
    monkeypatch.chdir(work)
    return Shell(Path(shutil.copytree(filled, tmp_path / "library")))


def run(shell: Shell, calls: list[tuple[str, dict[str, Any]]], *words: str) -> tuple[dict[str, Any], FakeProvider]:
    """Ask, with a model that makes these calls one by one; return the answer, and what the provider saw."""
    replies = [Reply(calls=(Call(name, arguments),)) for name, arguments in calls]
    with FakeProvider(in_turn([*replies, Reply(text="I found no answer.")])) as fake:
        model = ("--model", "openai-chat:fake", "--base-url", fake.url("openai-chat"))
        return shell.json("ask", *words, *model), fake


def results(shell: Shell, answer: dict[str, Any]) -> list[str]:
    parts = [p for m in shell.json("session", "show", answer["session"])["messages"] for p in m["parts"]]
    return [p["result"] for p in parts if p["kind"] == "tool"]


def states(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(s["tool"], s["state"]) for s in answer["steps"]]


def test_a_file_of_the_working_folder_is_read_when_files_are_allowed(shell: Shell) -> None:
    calls = [("read_file", {"path": "plan.txt"})]
    answer, _ = run(shell, calls, "What now?", "--allow", "files", "--yes")
    assert states(answer) == [("read_file", "completed")]
    assert "Sail at noon." in results(shell, answer)[0]
    refused, _ = run(shell, calls, "What now?")
    assert states(refused) == [("read_file", "failed")]
    assert "Sail" not in results(shell, refused)[0]


def test_a_tool_that_was_not_put_before_the_model_is_run_when_it_is_called(shell: Shell) -> None:
    answer, fake = run(shell, [("list_shelves", {})], "Who found the letter?")
    offered = [t["function"]["name"] for t in fake.seen[0].body["tools"]]
    assert len(offered) <= 10
    assert "list_shelves" not in offered
    assert states(answer) == [("list_shelves", "completed")]


def test_nothing_that_changes_is_done_without_a_yes(shell: Shell) -> None:
    calls = [
        ("tag_documents", {"tag": "x", "documents": ["The Island"]}),
        ("write_file", {"path": "new.md", "text": "x"}),
        ("run_command", {"command": "touch new.md"}),
        ("rag_delete_source", {"source": "The Island"}),
    ]
    answer, _ = run(shell, calls, "Do it.", "--allow", "files,system")
    assert [state for _, state in states(answer)] == ["failed"] * 4
    assert all("did not allow" in text for text in results(shell, answer))
    assert not Path("new.md").exists()
    assert shell.json("tag", "list") == {"tags": []}
    answer, _ = run(shell, calls, "Do it.", "--allow", "files,system", "--yes")
    assert [state for _, state in states(answer)] == ["completed"] * 4
    assert Path("new.md").read_text("utf-8") == "x"


def test_what_is_remembered_stands_in_the_prompt_of_the_next_session(shell: Shell) -> None:
    run(shell, [("remember", {"text": "wants answers in verse", "kind": "preference"})], "Remember that.")
    assert [m["text"] for m in shell.json("memory", "list")["memories"]] == ["wants answers in verse"]
    _, fake = run(shell, [], "Who found the letter?")
    assert "wants answers in verse" in str(fake.seen[0].body["messages"])
    shell.json("memory", "remove", shell.json("memory", "list")["memories"][0]["id"])
    _, fake = run(shell, [], "Who found the letter?")
    assert "wants answers in verse" not in str(fake.seen[0].body["messages"])


@pytest.mark.parametrize("extra", [{}, {"up_to": None}, {"uncapped": True}, {"document": "石猴记"}])
def test_no_argument_of_a_model_lifts_the_bound(shell: Shell, extra: dict[str, Any]) -> None:
    text = shell.json("text", "The Island", "--uncapped")["text"]
    calls = [
        (name, arguments | extra)
        for name, arguments in (
            ("read_section", {"number": 4}),
            ("search", {"query": "Thorne cut the anchor rope", "limit": 20}),
            ("mind_map", {}),
            ("people_and_concepts", {"limit": 60}),
        )
    ]
    cap = str(text.index("The Betrayal"))
    answer, fake = run(shell, calls, "Who is on the ship?", "--doc", "The Island", "--up-to", cap)
    assert len(answer["steps"]) == len(calls)
    sent = str([s.body for s in fake.seen])
    assert "lantern burned" in sent or extra
    assert "Gregory" not in sent
    assert "northern shoals" not in sent
    assert "Gregory" not in str(results(shell, answer)) + answer["answer"]
