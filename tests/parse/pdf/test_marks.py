"""Highlights and notes that stand in a PDF."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.document.codec import document_from_json, document_to_json
from glossator.document.model import Document
from glossator.parse.blocks import document_of
from glossator.parse.pdf import read
from glossator.parse.pdf.marks import nearest_color, rfc3339
from tests.parse.pdf.make import CHAR, Page, Pdf, Text, column, mark

LINES = ("The schooner reached the island at dawn.", "Captain Marlowe counted eleven sailors.", "Nobody spoke a word.")
WIDTH = CHAR * 10


def box(line: int, start: int, end: int) -> tuple[float, float, float, float]:
    """The box of characters `[start, end)` of a line."""
    y = 700 - 12 * line
    return 50 + start * WIDTH, y - 2, 50 + end * WIDTH, y + 8


def parsed(tmp_path: Path, *marks: str, texts: tuple[Text, ...] = ()) -> Document:
    page = Page([*column(50, 700, LINES), *texts], marks=marks)
    return document_of(read(Pdf([page]).write(tmp_path / "a.pdf")))


def words(document: Document) -> list[str]:
    return [document.text[m.start : m.end] for m in document.marks]


def test_a_highlight_covers_the_words_under_it(tmp_path: Path) -> None:
    document = parsed(tmp_path, mark("Highlight", box(0, 4, 20), Contents="Look!", T="Ada", NM="one"))
    assert words(document) == ["schooner reached"]
    found = document.marks[0]
    assert (found.kind, found.body, found.author, found.name, found.color) == (
        "highlight",
        "Look!",
        "Ada",
        "one",
        "yellow",
    )


def test_a_highlight_over_two_lines_is_one_passage(tmp_path: Path) -> None:
    document = parsed(tmp_path, mark("Underline", box(0, 31, 40), box(1, 0, 15)))
    assert [" ".join(w.split()) for w in words(document)] == ["at dawn. Captain Marlowe"]
    assert document.marks[0].kind == "underline"


def test_a_highlight_that_cuts_words_takes_them_whole(tmp_path: Path) -> None:
    document = parsed(tmp_path, mark("Highlight", box(1, 10, 22)))
    assert words(document) == ["Marlowe counted"]


@pytest.mark.parametrize("kind", ["StrikeOut", "Squiggly"])
def test_other_marks_over_text_are_read_too(tmp_path: Path, kind: str) -> None:
    assert words(parsed(tmp_path, mark(kind, box(2, 0, 6)))) == ["Nobody"]


def test_a_sticky_note_goes_to_the_nearest_word(tmp_path: Path) -> None:
    x0, y0, _, _ = box(1, 16, 23)
    document = parsed(tmp_path, mark("Text", (x0 + 10, y0 + 2, x0 + 14, y0 + 6), Contents="Eleven?"))
    assert words(document) == ["counted"]
    assert (document.marks[0].kind, document.marks[0].body) == ("note", "Eleven?")


def test_a_sticky_note_that_says_nothing_is_no_note(tmp_path: Path) -> None:
    assert parsed(tmp_path, mark("Text", box(1, 0, 2))).marks == ()


def test_the_colour_is_the_nearest_of_five_also_where_another_program_drew_the_mark(tmp_path: Path) -> None:
    given = ("1 0.9 0.2", "0.2 0.8 0.3", "0.3 0.6 1", "1 0.4 0.5", "0.6 0.3 0.8")
    marks = [mark("Highlight", box(n % 3, 0, 6), rgb=rgb, NM=str(n)) + " @drawn" for n, rgb in enumerate(given)]
    document = parsed(tmp_path, *marks)
    by_name = {m.name: m.color for m in document.marks}
    assert [by_name[str(n)] for n in range(5)] == ["yellow", "green", "blue", "red", "purple"]


def test_a_mark_on_no_text_is_counted_and_said(tmp_path: Path) -> None:
    document = parsed(tmp_path, mark("Highlight", (300, 100, 400, 120)))
    assert document.marks == ()
    assert "1 note in the file stands on no text: not read in" in document.report.warnings


def test_a_mark_over_two_far_stretches_becomes_two_and_what_is_written_goes_with_the_first(tmp_path: Path) -> None:
    document = parsed(tmp_path, mark("Highlight", box(0, 0, 12), box(2, 0, 6), Contents="both", NM="n"))
    assert words(document) == ["The schooner", "Nobody"]
    assert [(m.name, m.body) for m in document.marks] == [("n", "both"), ("n#2", "")]


def test_marks_without_a_name_are_told_apart_by_their_place(tmp_path: Path) -> None:
    document = parsed(tmp_path, mark("Highlight", box(0, 0, 3)), mark("Highlight", box(1, 0, 7)))
    assert len({m.name for m in document.marks}) == 2


def test_of_two_marks_that_are_alike_one_is_kept(tmp_path: Path) -> None:
    same = mark("Highlight", box(0, 0, 3))
    assert len(parsed(tmp_path, same, same).marks) == 1


def test_marks_cross_to_the_parent_process(tmp_path: Path) -> None:
    document = parsed(
        tmp_path, mark("Highlight", box(0, 4, 20), Contents="猴 🐒", CreationDate="D:20240131093000+01'00'")
    )
    assert document_from_json(document_to_json(document)).marks == document.marks
    assert document.marks[0].created == "2024-01-31T08:30:00Z"


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("D:20240131093000Z", "2024-01-31T09:30:00Z"),
        ("D:20240131093000-05'30'", "2024-01-31T15:00:00Z"),
        ("2024", "2024-01-01T00:00:00Z"),
        ("D:20241399", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_of_a_pdf_become_times(date: str, expected: str | None) -> None:
    assert rfc3339(date) == expected


@given(*[st.integers(0, 255)] * 3)
def test_every_colour_comes_near_to_one_of_five(red: int, green: int, blue: int) -> None:
    assert nearest_color(red, green, blue) in ("yellow", "green", "blue", "red", "purple")
