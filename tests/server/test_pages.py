"""The pages of a paged document and the lines on them, as a client that draws the file itself asks for them."""

from pathlib import Path

import pytest

from glossator.library.library import Library
from tests.parse.pdf.make import Page, Pdf, Text, column
from tests.server.serving import Served, served

FIRST = ("The first page tells of a quarry in the hills, where grey", "stone was cut for the bridges of the county.")
SECOND = (
    "The second page tells of the ferry that crossed the river",
    "before any of those bridges had been built there.",
)
LABELS = "<< /Nums [0 << /S /r >> 1 << /S /D /St 1 >>] >>"


@pytest.fixture
def bridges(library: Library, tmp_path: Path) -> Library:
    pages = [
        Page([*column(60, 700, FIRST), Text(60, 640, "A second block.")]),
        Page(column(60, 700, SECOND), rotate=90),
    ]
    library.add([str(Pdf(pages, info={"Title": "Bridges"}, labels=LABELS, language="en").write(tmp_path / "b.pdf"))])
    return library


def test_each_page_says_how_large_it_is_and_what_begins_on_it(bridges: Library) -> None:
    text = bridges.text("Bridges").text
    with served(bridges) as web:
        answer = web.get("/api/documents/Bridges/pages")
        first, second = answer.json["pages"]
        assert (first["number"], first["label"], first["start"], first["rotation"]) == (1, "i", 0, 0)
        assert (second["number"], second["label"], second["end"], second["rotation"]) == (2, "1", len(text), 90)
        assert (first["width"], first["height"]) == (600, 800)
        assert text[second["start"] : second["end"]].startswith("The second page")
        assert web.also(if_none_match=answer.headers["etag"]).get("/api/documents/Bridges/pages").status == 304


def test_the_lines_of_a_page_hold_its_characters_and_where_each_begins(bridges: Library) -> None:
    text = bridges.text("Bridges").text
    with served(bridges) as web:
        for number in (1, 2):
            answer = web.get(f"/api/documents/Bridges/pages/{number}/lines")
            assert answer.json["page"] == number
            lines = answer.json["lines"]
            for line in lines:
                assert text[line["start"] : line["end"]] == line["text"].rstrip()
                assert len(line["edges"]) == line["end"] - line["start"] + 1
                low, high = (0, 2) if line["axis"] == "x" else (1, 3)
                assert line["box"][low] - 1 <= min(line["edges"]) <= max(line["edges"]) <= line["box"][high] + 1
            assert "".join(line["text"] for line in lines) == text[lines[0]["start"] : lines[-1]["end"]]
            path = f"/api/documents/Bridges/pages/{number}/lines"
            assert web.also(if_none_match=answer.headers["etag"]).get(path).status == 304


def test_cells_of_a_table_are_joined_as_in_the_text(library: Library, tmp_path: Path) -> None:
    rows = [("Year", "Bridges", "Ferries"), ("1801", "", "12"), ("1851", "9", "7"), ("1901", "31", "1")]
    cells = [Text(60 + 120 * x, 700 - 14 * y, cell) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell]
    library.add([str(Pdf([Page(cells)], info={"Title": "Crossings"}).write(tmp_path / "t.pdf"))])
    text = library.text("Crossings").text
    with served(library) as web:
        lines = web.get("/api/documents/Crossings/pages/1/lines").json["lines"]
    assert "".join(line["text"] for line in lines) == text


def test_what_is_not_read_yet_shows_neither_where_its_pages_begin_nor_their_lines(bridges: Library) -> None:
    text = bridges.text("Bridges").text
    cap = text.index("stone was") + 5
    with served(bridges) as web:
        first, second = web.get("/api/documents/Bridges/pages", up_to=cap).json["pages"]
        assert (first["start"], first["end"]) == (0, None)
        assert (second["number"], second["label"], second["start"], second["end"]) == (2, None, None, None)
        lines = web.get("/api/documents/Bridges/pages/1/lines", up_to=cap).json["lines"]
        assert "".join(line["text"] for line in lines) == text[:cap]
        assert len(lines[-1]["edges"]) == lines[-1]["end"] - lines[-1]["start"] + 1
        assert web.get("/api/documents/Bridges/pages/2/lines", up_to=cap).problem["code"] == "not_found"


def test_a_page_that_is_not_there_and_a_book_without_pages_are_said_to_be_so(bridges: Library) -> None:
    with served(bridges) as web:
        assert web.get("/api/documents/Bridges/pages/3/lines").problem["detail"] == "“Bridges” has no page 3"


def test_a_book_has_no_pages(web: Served, island: str) -> None:
    assert web.get(f"/api/documents/{island}/pages").json == {"pages": []}
    assert "no pages" in web.get(f"/api/documents/{island}/pages/1/lines").problem["hint"]
