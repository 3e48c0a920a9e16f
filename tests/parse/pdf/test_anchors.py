"""From each character back to the page: edges and boxes, checked against PDFium itself, and that nothing is lost."""

import unicodedata
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdfium2 import raw

from glossator.document.model import Block, Line, PageAnchor
from glossator.parse.pdf import read
from tests.data_folder import DATA, needs_data
from tests.parse.pdf.make import CHAR, Page, Pdf, Text, column
from tests.parse.pdf.test_reading import prose, table


def lines_of(block: Block) -> tuple[Line, ...]:
    assert isinstance(block.anchor, PageAnchor)
    return block.anchor.lines


def check_shape(block: Block) -> None:
    """Lines lie in the text, in order, without overlap; every visible character belongs to one."""
    at = 0
    for line in lines_of(block):
        assert at <= line.start < line.end <= len(block.text)
        assert not block.text[at : line.start].strip()
        assert len(line.edges) == line.end - line.start + 1
        low, high = (line.box[0], line.box[2]) if line.axis == "x" else (line.box[1], line.box[3])
        assert low <= min(line.edges)
        assert max(line.edges) <= high
        at = line.end
    assert not block.text[at:].strip()


def misread(path: Path, blocks: list[Block]) -> list[tuple[str, str]]:
    """Return (canonical, found) for each character whose middle, by its edges, lies in no box of such a character."""
    wrong = []
    with pypdfium2.PdfDocument(path) as document:
        there = [boxes_of(page) for page in document]
    for line, written in ((line, b.text[line.start : line.end]) for b in blocks for line in lines_of(b)):
        for char, (lead, trail) in zip(written, pairwise(line.edges), strict=True):
            along = (lead + trail) / 2
            x0, y0, x1, y1 = line.box
            x, y = (along, (y0 + y1) / 2) if line.axis == "x" else ((x0 + x1) / 2, along)
            near = there[line.page - 1][x // CELL, y // CELL]
            found = "".join(c for c, (left, bottom, right, top) in near if left <= x <= right and bottom <= y <= top)
            if char not in found and not char.isspace():
                wrong.append((char, found))
    return wrong


CELL = 10  # points


def boxes_of(page: Any) -> dict[tuple[float, float], list[tuple[str, tuple[float, ...]]]]:
    """Return the characters of a page and their boxes, as pypdfium2 gives them one by one, by place."""
    by_place: defaultdict[tuple[float, float], list[tuple[str, tuple[float, ...]]]] = defaultdict(list)
    text_page = page.get_textpage()
    for i in range(text_page.count_chars()):
        code = raw.FPDFText_GetUnicode(text_page, i)
        char = "-" if code in (0x02, 0xAD, 0xFFFE) else unicodedata.normalize("NFKC", chr(code)) + chr(code)
        box = text_page.get_charbox(i, loose=True)
        for x in range(int(box[0] // CELL), int(box[2] // CELL) + 1):
            for y in range(int(box[1] // CELL), int(box[3] // CELL) + 1):
                by_place[x, y].append((char, box))
    return by_place


FILES = {
    "columns": Pdf([Page(column(50, 700, prose(1, 20)) + column(320, 700, prose(2, 20)))]),
    "hyphens": Pdf([Page(column(50, 700, ["An old light-", "house stands on the far-", "thest cape of the land."]))]),
    "table": Pdf([Page(table())]),
    "turned left": Pdf([Page([Text(300, 100, "Sideways through and through.", turn=1)], rotate=90)]),
    "turned right": Pdf([Page([Text(300, 700, "Sideways through and through.", turn=3)])]),
    "upside down": Pdf([Page([Text(500, 300, "On its head all the time.", turn=2)])]),
    "stamped": Pdf([Page([*column(80, 700, prose(1, 10)), Text(20, 300, "a stamp", turn=1)])]),
    "cropped": Pdf([Page(column(150, 700, prose(1, 5)), crop=(100, 40, 600, 780))]),
    "chinese": Pdf([Page([Text(50, 700, "满纸荒唐言，一把辛酸泪。", 12, "F4")])]),
}


@pytest.mark.parametrize("name", FILES)
def test_the_characters_under_the_edges_are_those_of_the_text(tmp_path: Path, name: str) -> None:
    path = FILES[name].write(tmp_path / "file.pdf")
    blocks = list(read(path).blocks)
    assert blocks
    for block in blocks:
        check_shape(block)
    assert misread(path, blocks) == []


def test_edges_of_upright_text_are_its_advances(tmp_path: Path) -> None:
    path = Pdf([Page([Text(100, 700, "abc def", 10)])]).write(tmp_path / "file.pdf")
    (block,) = read(path).blocks
    (line,) = lines_of(block)
    assert line.edges == pytest.approx([100 + 10 * CHAR * n for n in range(8)], abs=0.01)
    assert line.box[1] < 700 < line.box[3]


@pytest.mark.parametrize(
    ("turn", "x", "y", "axis", "sign"), [(1, 300, 100, "y", 1), (2, 500, 300, "x", -1), (3, 300, 700, "y", -1)]
)
def test_edges_of_turned_text_run_along_its_own_direction(
    tmp_path: Path, turn: int, x: float, y: float, axis: str, sign: int
) -> None:
    path = Pdf([Page([Text(x, y, "abc def", 10, turn=turn)])]).write(tmp_path / "file.pdf")
    (block,) = read(path).blocks
    (line,) = lines_of(block)
    start = y if axis == "y" else x
    assert (block.text, line.axis) == ("abc def", axis)
    assert line.edges == pytest.approx([start + sign * 10 * CHAR * n for n in range(8)], abs=0.01)


def test_the_letters_of_a_ligature_share_its_width(tmp_path: Path) -> None:
    mapping = {ord("A"): "ﬁ", ord("B"): "ffi", ord("C"): "\U00020000"}
    path = Pdf([Page([Text(100, 700, "xAxBxC", 10, "F3")])], to_unicode=mapping).write(tmp_path / "file.pdf")
    (block,) = read(path).blocks
    (line,) = lines_of(block)
    assert block.text == "xfixffix\U00020000"
    assert line.edges == pytest.approx([100, 106, 109, 112, 118, 120, 122, 124, 130, 136], abs=0.01)


def test_the_box_of_a_line_is_as_high_as_its_glyphs(tmp_path: Path) -> None:
    texts = [Text(100, 700, "high and gypsy", 20), Text(100, 600, "seven sums", 20), Text(100, 500, "-- --", 20)]
    path = Pdf([Page(texts)]).write(tmp_path / "file.pdf")
    lines = [line for block in read(path).blocks for line in lines_of(block)]
    with pypdfium2.PdfDocument(path) as document:
        glyphs = document[0].get_textpage()
        boxes = [glyphs.get_charbox(i) for i in range(glyphs.count_chars())]
    for line, y in zip(lines, (700, 600), strict=False):
        own = [b for b in boxes if b[1] < b[3] and abs(b[1] - y) < 10]
        assert (line.box[1], line.box[3]) == pytest.approx((min(b[1] for b in own), max(b[3] for b in own)), abs=0.01)
    assert lines[1].box[3] - lines[1].box[1] < 0.7 * 20 < lines[0].box[3] - lines[0].box[1] < 20
    assert lines[2].box[3] - lines[2].box[1] == pytest.approx(0.4 * 20, abs=0.01)  # a dash is still to be seen
    assert lines[2].box[1] < 500 + 0.3 * 20 < lines[2].box[3]


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_the_box_of_turned_text_is_as_high_as_its_glyphs(tmp_path: Path, turn: int) -> None:
    path = Pdf([Page([Text(300, 400, "seven sums are seven", 20, turn=turn)])]).write(tmp_path / "file.pdf")
    (line,) = [line for block in read(path).blocks for line in lines_of(block)]
    across = (line.box[0], line.box[2]) if turn % 2 else (line.box[1], line.box[3])
    assert 0.4 * 20 < across[1] - across[0] < 0.7 * 20


def test_what_hangs_over_the_edge_of_a_page_is_cut_there(tmp_path: Path) -> None:
    path = Pdf([Page([Text(540, 700, "It goes over the edge.", 10)], width=600)]).write(tmp_path / "file.pdf")
    (line,) = [line for block in read(path).blocks for line in lines_of(block)]
    assert line.box[0] == pytest.approx(540, abs=0.1)
    assert line.box[2] == 600
    assert max(line.edges) == 600


def test_a_removed_hyphen_and_an_added_space_belong_to_no_line(tmp_path: Path) -> None:
    path = Pdf([Page(column(50, 700, ["An old light-", "house by", "the sea."]))]).write(tmp_path / "file.pdf")
    (block,) = read(path).blocks
    assert block.text == "An old lighthouse by the sea."
    assert [block.text[line.start : line.end] for line in lines_of(block)] == ["An old light", "house by", "the sea."]


words = st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFG0123456789.,", min_size=1, max_size=12)
places = st.builds(
    Text,
    x=st.floats(20, 500).map(lambda v: round(v, 1)),
    y=st.floats(20, 780).map(lambda v: round(v, 1)),
    text=st.lists(words, min_size=1, max_size=6).map(" ".join),
    size=st.sampled_from((7.0, 10.0, 10.0, 10.0, 14.0)),
    font=st.sampled_from(("F1", "F1", "F2")),
    turn=st.sampled_from((0, 0, 0, 0, 1)),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pages=st.lists(st.lists(places, max_size=25), min_size=1, max_size=3))
def test_wherever_text_stands_no_character_is_lost_or_made_up(tmp_path: Path, pages: list[list[Text]]) -> None:
    path = Pdf([Page(texts) for texts in pages]).write(tmp_path / "file.pdf")
    blocks = read(path).blocks
    for block in blocks:
        check_shape(block)
    assert visible("".join(b.text for b in blocks)) == visible(drawn(path))


def visible(text: str) -> Counter[str]:
    return Counter(c for c in text if not c.isspace())


def drawn(path: Path) -> str:
    """Return all that PDFium finds: it drops what is drawn twice at one place."""
    with pypdfium2.PdfDocument(path) as document:
        return "".join(page.get_textpage().get_text_range() for page in document)


@needs_data
@pytest.mark.parametrize("name", ["E1_article2col_1", "Z4_rlcid_1"])
def test_the_map_holds_in_real_producers_files(name: str) -> None:
    assert DATA is not None
    path = DATA / "pdf-layout" / "ordered" / f"{name}.pdf"
    blocks = list(read(path).blocks)
    for block in blocks:
        check_shape(block)
    wrong = misread(path, blocks)
    assert len(wrong) <= 0.001 * sum(len(b.text) for b in blocks), wrong[:10]
