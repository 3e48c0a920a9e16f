"""The plugin's files: what they name exists, and Claude Code's own validator takes them."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import glossator
from glossator.cli.commands import COMMANDS
from glossator.mcp.tools import TOOLS
from tests.cli.runner import run

PLUGIN = Path(glossator.__file__).parent / "claude_code"
TOOL = re.compile(r"mcp__plugin_glossator_library__(\w+)")
PAGES = [PLUGIN / "commands" / "rag-retrieve.md", PLUGIN / "skills" / "consult-library" / "SKILL.md"]


def test_the_command_line_tells_where_the_plugin_is() -> None:
    assert run("plugin", "--json").json == {"path": str(PLUGIN)}
    assert run("plugin").out == f"{PLUGIN}\n"


def test_the_plugin_has_the_version_of_the_program() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert manifest["version"] == glossator.__version__
    assert manifest["name"] == "glossator"


def test_what_the_plugin_starts_are_commands_of_this_program() -> None:
    servers = json.loads((PLUGIN / ".mcp.json").read_text("utf-8"))["mcpServers"]
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]["UserPromptSubmit"]
    started = [*servers.values(), *(h for group in hooks for h in group["hooks"])]
    assert [(s["command"], s["args"]) for s in started] == [("glossator", ["mcp"]), ("glossator", ["hook"])]
    assert all(s["args"][0] in COMMANDS for s in started)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_tools_that_a_page_may_use_exist(page: Path) -> None:
    named = set(TOOL.findall(page.read_text("utf-8")))
    assert named
    assert named <= {function.__name__ for function, _, _ in TOOLS}


@pytest.mark.parametrize("target", [".", ".claude-plugin/plugin.json"])
def test_claude_code_takes_the_plugin(target: str, tmp_path: Path) -> None:
    program = os.environ.get("CLAUDE_CLI") or shutil.which("claude")
    if program is None:
        pytest.skip("Claude Code is not installed: npm i -g @anthropic-ai/claude-code, or CLAUDE_CLI names it")
    home = {**os.environ, "HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / ".claude")}
    done = subprocess.run(
        [program, "plugin", "validate", "--strict", str(PLUGIN / target)],
        capture_output=True,
        text=True,
        check=False,
        env=home,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
