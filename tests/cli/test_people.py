"""What a person sees: each command as plain text on a pipe and drawn on a terminal."""

from pathlib import Path

import pytest

from tests.cli.runner import Shell

KEEPER = "The Keeper of the Lantern"
LINES = [
    ["list"],
    ["show", KEEPER],
    ["text", KEEPER],
    ["read", KEEPER, "--section", "2"],
    ["read", "Bees and the Weather"],
    ["search", "the", "brass", "lantern", "--explain"],
    ["search", "石猴"],
    ["search", "xylophone"],
    ["ask", "Who forged the letter?"],
    ["ask", "What does quantum chromodynamics predict?"],
    ["locate", "the lantern is cold"],
    ["locate", "the lantern is not very cold"],
    ["progress", KEEPER],
    ["collection", "list"],
    ["eval"],
    ["models"],
    ["doctor"],
    ["config", "list"],
]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_a_pipe_gets_plain_text(shell: Shell, line: list[str]) -> None:
    run = shell(*line)
    assert (run.code, run.err) == (0, "")
    assert run.out.strip()
    assert "\x1b" not in run.out
    assert not any("\u2500" <= c <= "\u257f" for c in run.out)
    assert "None" not in run.out


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_a_terminal_gets_the_same_words_in_lines_that_fit(
    shell: Shell, line: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    run = shell(*line, terminal=True)
    assert run.code == 0
    assert "\x1b[3" not in run.out  # no colour: NO_COLOR is set
    if line[0] != "text":
        from glossator.cli.plain import width

        assert (
            max(
                width(text.replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\x1b[2m", ""))
                for text in run.out.splitlines()
            )
            <= 80
        )


def test_search_shows_section_place_and_marked_words(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    run = shell("search", "brass lantern", terminal=True)
    assert KEEPER in run.out
    assert "Chapter 1: Arrival" in run.out
    assert "\x1b[1;33mbrass\x1b[0m" in run.out


def test_ask_shows_number_verdict_sentence_and_section(shell: Shell) -> None:
    out = shell("ask", "Who forged the letter?").out
    assert "[1]" in out
    assert "verified" in out
    assert "forged the letter himself" in out
    assert "Chapter 3: The Secret" in out


def test_add_shows_a_line_per_file_and_counts(own: Shell, tmp_path: Path) -> None:
    (tmp_path / "new.md").write_text("# Gulls\n\nA gull on a chimney.\n")
    (tmp_path / "empty.pdf").write_bytes(b"")
    out = own("add", tmp_path / "new.md", tmp_path / "empty.pdf", "--embedder", "none").out
    assert "added       Gulls" in out
    assert "failed      " in out
    assert "hint: " in out
    assert "1 added, 1 failed" in out


def test_an_error_is_one_line_of_cause_and_one_of_hint(shell: Shell) -> None:
    run = shell("show", "no such document")
    assert (run.code, run.out) == (1, "")
    cause, hint = run.err.splitlines()
    assert cause.startswith("error: ")
    assert "no such document" in cause
    assert hint.startswith("hint: ")


def test_what_verify_could_not_begin_is_told_on_stderr(shell: Shell) -> None:
    run = shell("verify", "/no/such/file.md")
    assert (run.code, run.out) == (1, "")
    assert "/no/such/file.md" in run.err
