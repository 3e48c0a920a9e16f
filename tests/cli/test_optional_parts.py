"""What a person is told who has not installed a part of the program."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import books

ABSENT = "import sys; sys.modules.update(dict.fromkeys({modules!r})); from glossator.cli import main; sys.exit(main())"


def without(modules: tuple[str, ...], *words: str, said: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a command line in a process in which these modules cannot be imported."""
    command = [sys.executable, "-c", ABSENT.format(modules=modules), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, input=said, timeout=60)


@pytest.mark.parametrize(
    ("words", "modules", "extra"),
    [
        (("ask", "Who kept the lantern?", "--model", "ollama:small"), ("pydantic_ai",), "agent"),
        (("summary", "Bees", "--model", "ollama:small"), ("pydantic_ai",), "agent"),
        (("tools",), ("pydantic_ai",), "agent"),
        (("serve", "--port", "0"), ("fastapi",), "server"),
        (("mcp",), ("mcp",), "mcp"),
    ],
)
def test_a_part_that_is_not_installed_is_named_with_the_way_to_get_it(
    tmp_path: Path, words: tuple[str, ...], modules: tuple[str, ...], extra: str
) -> None:
    (tmp_path / "bees.md").write_text(books.PAPER, "utf-8")
    library = ("--library", str(tmp_path / "library"), "--embedder", "none")
    assert without((), "add", str(tmp_path / "bees.md"), *library).returncode == 0
    told = without(modules, *words, "--json", *library[:2])
    assert told.returncode == 1, told.stderr
    error = json.loads(told.stdout)["error"] if told.stdout else {"hint": told.stderr}
    assert f"glossator[{extra}]" in error["hint"]
    assert "defect" not in told.stdout + told.stderr


def test_a_conversation_without_the_agent_ends_with_the_way_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "bees.md").write_text(books.PAPER, "utf-8")
    library = ("--library", str(tmp_path / "library"))
    assert without((), "add", str(tmp_path / "bees.md"), *library, "--embedder", "none").returncode == 0
    told = without(("pydantic_ai",), "chat", "--model", "ollama:small", *library, said="Who flies?\n")
    assert told.returncode == 1
    assert "glossator[agent]" in told.stderr
    assert "Traceback" not in told.stderr
