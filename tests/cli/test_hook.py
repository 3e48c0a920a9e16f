"""The hook: what it prints beside a prompt, when it is silent, and that it never stops one."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from glossator.cli import main
from tests.cli.runner import Run, run

QUESTION = "Who carried a brass lantern and a letter with a broken seal?"


@pytest.fixture(autouse=True)
def _library(small_library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOSSATOR_LIBRARY", str(small_library))
    monkeypatch.setenv("GLOSSATOR_HOOK_SERVER", "off")


def hook(prompt: object = QUESTION, **event: Any) -> Run:
    return run("hook", stdin=json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": prompt, **event}))


def test_a_prompt_that_the_library_answers_gets_the_passage_and_one_line_of_reason() -> None:
    done = hook()
    assert done.code == 0
    told = json.loads(done.out)
    assert told["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    context = told["hookSpecificOutput"]["additionalContext"]
    assert "a letter with a broken seal" in context
    assert len([line for line in context.splitlines() if line.startswith("Why: ")]) == 1
    assert len(context) < 10_000


@pytest.mark.parametrize(
    "event",
    [
        {"prompt": "fix the failing test in tests/test_parser.py"},
        {"prompt": ""},
        {"prompt": 7},
        {"prompt": QUESTION, "source": "loop_wakeup"},
        {"prompt": QUESTION, "hook_event_name": "Stop"},
    ],
)
def test_a_hook_with_nothing_to_say_prints_nothing(event: dict[str, Any]) -> None:
    done = hook(**event)
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize("stdin", ["", "not json", "[]", "null", '{"prompt": ', "\x00"])
def test_what_is_no_event_is_met_with_silence(stdin: str) -> None:
    done = run("hook", stdin=stdin)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_hook_never_makes_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOSSATOR_LIBRARY", str(tmp_path / "none"))
    assert hook().out == ""
    assert not (tmp_path / "none").exists()


def test_broken_settings_and_a_damaged_library_stop_no_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "library.db").write_bytes(b"no database")
    monkeypatch.setenv("GLOSSATOR_LIBRARY", str(tmp_path))
    assert (hook().code, hook().out) == (0, "")
    (tmp_path / "config.toml").write_text("this is no toml [", "utf-8")
    assert (hook().code, hook().out) == (0, "")


@pytest.mark.parametrize(("name", "value"), [("GLOSSATOR_HOOK", "off"), ("CLAUDE_PLUGIN_OPTION_AUTO_CONTEXT", "false")])
def test_the_automatic_mode_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert hook().out == ""


def test_explain_tells_the_decision_its_reason_and_the_passages() -> None:
    done = run("hook", "--explain", "--json", stdin=QUESTION)
    assert done.code == 0
    assert done.json["inject"]
    assert done.json["share"] >= done.json["limit"]
    assert done.json["passages"][0]["document"]["title"] == "The Keeper of the Lantern"
    silent = run("hook", "--explain", stdin="fix the failing build")
    assert "nothing is put beside it" in silent.out
    assert run("hook", "--explain", stdin="").code == 2


HEAVY = ("glossator.parse", "glossator.agent", "glossator.mcp", "onnxruntime", "tokenizers", "pydantic", "rich", "ssl")


@pytest.mark.parametrize(("prompt", "more"), [(QUESTION, ()), ("fix `make.py`", ("apsw", "glossator.store"))])
def test_a_hook_loads_no_model_no_parser_no_agent_and_no_library_for_code(prompt: str, more: tuple[str, ...]) -> None:
    script = (
        "import json, sys\n"
        "from glossator.cli import main\n"
        "code = main(['hook'])\n"
        "sys.stderr.write(json.dumps([code, sorted(sys.modules)]))\n"
    )
    event = json.dumps({"prompt": prompt}).encode()
    done = subprocess.run([sys.executable, "-c", script], input=event, capture_output=True, check=True)
    code, modules = json.loads(done.stderr)
    assert code == 0
    assert [m for m in modules if m.startswith((*HEAVY, *more))] == []


@contextmanager
def serving(folder: Path, answer: bytes) -> Iterator[list[bytes]]:
    """A server named in `server.json` that gives every caller the same answer; yields what it was asked."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        (folder / "server.json").write_text(json.dumps({"url": url, "token": "secret", "pid": 1}), "utf-8")

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(5)
                while b"\r\n\r\n" not in b"".join(asked) or not b"".join(asked).endswith(b"}"):
                    asked.append(connection.recv(65_536))
                connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield asked
        thread.join(5)


def test_a_running_server_is_asked_with_its_token(
    small_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(small_library, tmp_path / "library"))
    monkeypatch.setenv("GLOSSATOR_LIBRARY", str(folder))
    body = json.dumps({"relevant": True, "reason": "it fits", "context": "<library_passages>\nx\n</library_passages>"})
    with serving(folder, b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body.encode()) as asked:
        context = json.loads(hook().out)["hookSpecificOutput"]["additionalContext"]
    assert "Why: it fits." in context
    assert b"Authorization: Bearer secret" in b"".join(asked)
    assert b"POST /api/consult" in b"".join(asked)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 401 Unauthorized\r\n\r\n{}", b"HTTP/1.1 200 OK\r\n\r\nno json"])
def test_a_server_that_answers_badly_is_passed_over(
    small_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    folder = Path(shutil.copytree(small_library, tmp_path / "library"))
    monkeypatch.setenv("GLOSSATOR_LIBRARY", str(folder))
    with serving(folder, answer):
        assert "a letter with a broken seal" in hook().out
    assert "a letter with a broken seal" in hook().out  # the server is gone, its file is not


def test_wrong_usage_is_still_told() -> None:
    assert main(["hook", "--explian"]) == 2


def test_where_no_server_runs_one_is_started_for_the_next_prompt(
    small_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(small_library, tmp_path / "library"))
    monkeypatch.setenv("GLOSSATOR_LIBRARY", str(folder))
    monkeypatch.setenv("GLOSSATOR_HOOK_SERVER", "on")
    assert hook("fix `make.py`").out == ""
    assert not (folder / "server.log").exists()
    assert "a letter with a broken seal" in hook().out
    deadline = time.monotonic() + 30
    try:
        while run("hook", "--explain", "--json", stdin=QUESTION).json["asked"] != "server":
            assert time.monotonic() < deadline
    finally:
        if (folder / "server.json").exists():
            os.kill(json.loads((folder / "server.json").read_text("utf-8"))["pid"], signal.SIGTERM)
