"""`glossator tools`: what there is, what it may reach, and a person's own tools and skills."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import Shell

REACH = {
    **{"list_files": "files", "read_file": "files", "write_file": "files"},
    **{"fetch_page": "web", "call_api": "web", "api_login": "web", "web_search": "web"},
    **{"run_command": "shell", "list_processes": "system", "system_information": "system"},
    **{"describe_data": "data", "query_csv": "data", "query_database": "data", "draw_chart": "data"},
}

OWN = '''
from glossator import tool

@tool
def double(n: int) -> str:
    """Double a number."""
    return str(2 * n)
'''


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the person's own settings file, empty yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = tmp_path / "config" / "glossator" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def listed(shell: Shell, *words: str) -> dict[str, dict[str, Any]]:
    return {t["name"]: t for t in shell.json("tools", *words)["tools"]}


@pytest.mark.usefixtures("config")
def test_every_toolset_of_the_contract_has_its_tools(shell: Shell) -> None:
    tools = listed(shell)
    sets = {t["toolset"] for t in tools.values()}
    assert sets == {"library", "reading", "search", "analysis", "notes", "memory", "reach"}
    assert all(
        set(t) >= {"name", "toolset", "description", "parameters", "available", "why_not"} for t in tools.values()
    )
    assert all(t["available"] == (t["why_not"] is None) for t in tools.values())
    for name in ("list_documents", "search", "summarise", "add_note", "add_citation", "remember", "rag_ingest"):
        assert tools[name]["available"], tools[name]["why_not"]
    assert tools["current_chapter"]["why_not"] == "no document is open"


@pytest.mark.usefixtures("config")
def test_what_reaches_beyond_the_library_is_off_until_it_is_allowed(shell: Shell) -> None:
    tools = listed(shell)
    for name, permission in REACH.items():
        assert not tools[name]["available"]
        assert f"--allow {permission}" in tools[name]["why_not"]
    allowed = listed(shell, "--allow", "files,web", "--allow", "system", "--allow", "data")
    missing = {name: allowed[name]["why_not"] for name in REACH if not allowed[name]["available"]}
    assert set(missing) == {"web_search", "api_login"}
    assert "no search engine is configured" in missing["web_search"]
    assert listed(shell, "--allow", "shell")["run_command"]["available"]


def test_settings_allow_and_configure_too(shell: Shell, config: Path) -> None:
    config.write_text(
        '[tools]\nallow = ["web"]\nweb_search = "https://find.example.org/?q={query}"\n'
        'logins = ["https://api.example.org/login EXAMPLE"]\n',
        "utf-8",
    )
    tools = listed(shell)
    assert tools["web_search"]["available"]
    assert tools["api_login"]["available"]
    assert not tools["read_file"]["available"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('web_search = "https://find.example.org/"', "is no address with {query} in it"),
        ('logins = ["https://api.example.org/login"]', "is not an address and a variable"),
        ('allow = ["everything"]', "there is no 'everything'"),
    ],
)
def test_a_setting_that_cannot_be_is_named(shell: Shell, config: Path, line: str, said: str) -> None:
    config.write_text(f"[tools]\n{line}\n", "utf-8")
    run = shell("tools")
    assert run.code == 2
    assert said in run.err


def test_a_library_from_others_opens_nothing(own: Shell, config: Path) -> None:
    assert not config.exists()
    (own.library / "config.toml").write_text(
        '[tools]\nallow = ["files", "shell"]\nfolders = ["/"]\nskills = "/"\nweb_search = "https://e.org/{query}"\n',
        "utf-8",
    )
    tools = listed(own)
    assert not any(tools[name]["available"] for name in REACH)


def test_own_tools_and_skills_are_listed(shell: Shell, config: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN, "utf-8")
    skills = tmp_path / "skills"
    (skills / "deep").mkdir(parents=True)
    (skills / "review.md").write_text("---\nname: review\ndescription: Review a paper.\n---\nRead it first.\n", "utf-8")
    (skills / "deep" / "SKILL.md").write_text('---\ndescription: "Dig deep."\n---\nDig.\n', "utf-8")
    (skills / "broken.md").write_text("No front matter here.\n", "utf-8")
    config.write_text(
        f"[tools]\nfiles = [{json.dumps(str(tmp_path / 'mine.py'))}]\nskills = {json.dumps(str(skills))}\n", "utf-8"
    )
    tools = listed(shell)
    assert (tools["double"]["toolset"], tools["double"]["available"]) == ("own", True)
    assert tools["use_skill"]["available"]
    assert "deep: Dig deep.; review: Review a paper." in tools["use_skill"]["description"]
    assert "broken.md: no skill" in shell("tools").err
    assert "double" in shell("tools").out
