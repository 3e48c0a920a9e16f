"""How command lines are read: options anywhere, any text as a query, mistakes told in one line."""

import pytest

from glossator.cli.commands import COMMANDS, overview, read
from glossator.errors import UsageError
from tests.cli.runner import Shell


@pytest.mark.parametrize(
    ("line", "query"),
    [
        (["search", "whale"], "whale"),
        (["search", "white", "whale"], "white whale"),
        (["search", "--error"], "--error"),
        (["search", "--", "--json"], "--json"),
        (["search", "-k"], None),
        (["search", "--", "-k"], "-k"),
        (["search", "whale", "-boat"], "whale -boat"),
        (["search", "whale", "-kraken"], "whale -kraken"),
        (["search", "--no such thing"], "--no such thing"),
        (["search", "a", "--", "b", "--", "c"], "a b -- c"),
        (["search", "-"], "-"),
        (["search", "C++"], "C++"),
        (["search", 'NEAR("x'], 'NEAR("x'),
        (["search", ""], ""),
    ],
)
def test_any_text_is_a_query(line: list[str], query: str | None) -> None:
    if query is None:
        with pytest.raises(UsageError):
            read(line)
    else:
        command, arguments = read(line)
        assert (command.name, " ".join(arguments.query)) == ("search", query)


@pytest.mark.parametrize(
    "line",
    [
        ["--library", "L", "--json", "search", "whale", "-k", "3"],
        ["search", "whale", "-k", "3", "--library", "L", "--json"],
        ["search", "--library=L", "-k3", "--json", "whale"],
        ["--json", "search", "-k=3", "whale", "--library", "L"],
    ],
)
def test_options_stand_before_and_after_the_command(line: list[str]) -> None:
    _, arguments = read(line)
    assert (str(arguments.library), arguments.json, arguments.k, arguments.query) == ("L", True, 3, ["whale"])


def test_a_family_takes_options_between_its_words() -> None:
    command, arguments = read(["collection", "--json", "add", "Sea", "--library", "L", "one", "two"])
    assert (command.name, arguments.json, arguments.documents) == ("collection add", True, ["one", "two"])


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["serch", "x"],
        ["note", "burn"],
        ["collection"],
        ["collection", "burn"],
        ["search"],
        ["search", "x", "--rewrite", "poetry"],
        ["search", "x", "-k", "0"],
        ["search", "x", "-k", "many"],
        ["search", "x", "--mode", "psychic"],
        ["search", "x", "--up-to", "page three"],
        ["ask", "x", "--session", "s", "--continue"],
        ["ask", "x", "--max-rounds", "0"],
        ["ask", "x", "--allow", "everything"],
        ["ask", "x", "--selection", "5:2"],
        ["chat", "--json"],
        ["ask", "x", "--selection", "9:3"],
        ["add"],
        ["add", "x", "--ocr", "force"],
        ["list", "--author", "t"],
        ["read", "x", "--context", "2"],
        ["tag", "add", "x"],
        ["collection", "create", "x", "--glob", "*.md"],
        ["session", "show", "x", "--since", "monday"],
        ["session", "list", "--up-to", "3"],
        ["watch"],
        ["text", "a", "b"],
        ["read", "a", "--page", "1", "--at", "3"],
        ["read", "a", "--section", "0"],
        ["progress", "a", "--at", "-5"],
        ["progress", "a", "--finished", "--restart"],
        ["show", "a", "--library"],
        ["--frobnicate", "list"],
        ["config", "set", "search.k"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_ends_with_2_and_says_nothing_on_stdout(line: list[str], empty: Shell) -> None:
    run = empty(*line, "--json")
    assert (run.code, run.out) == (2, "")
    cause, hint = run.err.splitlines()
    assert cause.startswith("error: ")
    assert hint.startswith("hint: ")


def test_a_misspelt_command_or_option_is_told_what_was_meant() -> None:
    with pytest.raises(UsageError) as command:
        read(["serch", "x"])
    assert "glossator search" in command.value.hint
    with pytest.raises(UsageError) as option:
        read(["search", "x", "--colection", "y"])
    assert "--collection" in option.value.hint


def test_help_lists_every_command_within_80_columns(empty: Shell) -> None:
    run = empty("--help")
    assert run.code == 0
    assert run.out == overview()
    for name, command in COMMANDS.items():
        assert f"  {name} " in run.out
        assert command.summary in run.out
    assert max(map(len, run.out.splitlines())) <= 80


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_its_options_within_80_columns(name: str, empty: Shell) -> None:
    run = empty(*name.split(), "--help")
    assert run.code == 0
    assert run.out.startswith(f"usage: glossator {name}")
    assert max(map(len, run.out.splitlines())) <= 80
    for action in COMMANDS[name].parser()._actions:
        assert action.help, f"{name} {action.dest} has no help"


def test_the_version_is_told(empty: Shell) -> None:
    run = empty("--version")
    assert (run.code, run.out) == (0, "glossator 0.1.0\n")
