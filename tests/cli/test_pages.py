"""What a page looks like on a pipe and on a terminal, and which words of a passage are marked."""

import io

import pytest
from rich.console import Console

from glossator.cli import plain, terminal
from glossator.cli.marking import marked
from glossator.cli.page import Column, Table, Text, cell, line
from glossator.cli.plain import width

TABLE = Table(
    (Column("Title", flexible=True), Column("Pages", right=True)),
    ((cell("The Time Machine", "title"), cell(118)), (cell("西游记", "title"), cell(26))),
)


def drawn(*page: object, columns: int = 80, colour: bool = True) -> str:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=colour, width=columns, color_system="standard" if colour else None)
    terminal.render(page, console)  # type: ignore[arg-type]
    return stream.getvalue()


def test_columns_of_a_pipe_line_up_by_display_width() -> None:
    lines = "".join(plain.render([TABLE])).splitlines()
    assert lines == ["Title             Pages", "The Time Machine    118", "西游记               26"]
    assert {width(text) for text in lines} == {23}


def test_a_pipe_gets_neither_colours_nor_boxes_nor_cut_lines() -> None:
    long = "word " * 60
    text = "".join(plain.render([line(("a", "bad"), " ", (long, "mark")), TABLE]))
    assert "\x1b" not in text
    assert long.strip() in text
    assert not any("\u2500" <= c <= "\u257f" for c in text)


def test_text_is_passed_on_as_it_is() -> None:
    text = "a [bold]b[/] \t c\n" + "d" * 200
    assert "".join(plain.render([Text(text)])) == text + "\n"
    assert drawn(Text(text), columns=40) == text + "\n"


@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_never_gets_lines_that_are_too_long(columns: int) -> None:
    page = [line("石猴拜了四方" * 20, indent=4), line("a [red]b " * 40, indent=2), TABLE]
    assert max(width(text) for text in drawn(*page, columns=columns, colour=False).splitlines()) <= columns


def test_markup_in_a_text_is_text() -> None:
    assert "[bold]x[/bold]" in drawn(line("[bold]x[/bold]"), colour=False)


def marks(text: str, query: str) -> list[str]:
    return [part for part, style in marked(text, query) if style == "mark"]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("The Morlocks kept the Eloi.", "why did the morlocks keep the eloi", ["Morlocks", "Eloi"]),
        ("She waits; he waited, waiting.", "wait", ["waits", "waited", "waiting"]),
        ("石猴拜了四方，石猴笑了", "石猴拜什么", ["石猴拜", "石猴"]),
        ("玉皇大帝", "玉", ["玉"]),
        ("nothing here", "whale", []),
        ("Don't stop", "don't", ["Don't"]),
        ("the cat", "the", ["the"]),
        ("", "", []),
    ],
)
def test_the_asked_words_are_marked(text: str, query: str, expected: list[str]) -> None:
    assert marks(text, query) == expected


def test_a_long_passage_is_cut_around_its_marks() -> None:
    text = "Filler sentence here. " * 60 + "The lantern burns in the tower. " + "More filler follows. " * 60
    spans = marked(text, "lantern tower")
    shown = "".join(part for part, _ in spans)
    assert "The lantern burns in the tower." in shown
    assert len(shown) < 440
    assert shown.startswith("… ")
    assert shown.endswith(" …")


def test_marking_loses_no_character() -> None:
    text = "Ein Löwe 石猴 a\u0301 👩‍🚀 lion's lions"
    assert "".join(part for part, _ in marked(text, "lion 石猴 👩")) == text
