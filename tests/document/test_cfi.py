"""CFIs: made from a DOM, read back to positions."""

import pytest
from lxml import etree

from glossator.document.cfi import (
    Cfi,
    Point,
    block_cfi,
    element_path,
    parse_cfi,
    position_of,
    range_cfi,
    text_chunks,
    unique_ids,
)
from glossator.document.model import Block, DomAnchor, TextRun
from glossator.errors import UsageError


def paragraph(text: str, start: int, base: str, *runs: tuple[int, str, int], spine: int = 0) -> Block:
    anchor = DomAnchor(spine, base, tuple(TextRun(*r) for r in runs))
    return Block(kind="paragraph", text=text, start=start, end=start + len(text), anchor=anchor)


PLAIN = paragraph("Call me Ishmael.", 0, "/6/4!/4/2", (0, "/1", 0))
# <p>\n  An <em>😀 odd</em> fish,<!-- -->  said he</p>, canonical with single spaces
MIXED = paragraph(
    "An 😀 odd fish, said he", 18, "/6/4!/4/4[p2]", (0, "/1", 3), (3, "/2/1", 0), (8, "/3", 0), (15, "/3", 8)
)
PICTURE = paragraph("A whale", 42, "/6/4!/4/6")
NEXT = paragraph("Another file", 51, "/6/6!/4/2", (0, "/1", 0), spine=1)
BLOCKS = (PLAIN, MIXED, PICTURE, NEXT)


def test_steps_count_elements_only_and_text_between_them_is_one_chunk() -> None:
    root = etree.fromstring("<html><head/><body><!--c--><p>a<!--c-->b<br/><i/>c<?pi?>d<b>e</b></p></body></html>")
    p = root[1][1]
    assert element_path(p) == "/4/2"
    assert [(c.steps, c.text) for c in text_chunks(p)] == [("/1", "ab"), ("/5", "cd"), ("/6/1", "e")]


def test_the_tail_of_an_element_is_not_its_text() -> None:
    root = etree.fromstring("<html><body><p><b>in</b>out</p>tail</body></html>")
    assert [c.text for c in text_chunks(root[0][0])] == ["in", "out"]
    assert [c.text for c in text_chunks(root[0][0][0])] == ["in"]


def test_deep_nesting_needs_no_recursion() -> None:
    depth = 5_000
    root = etree.Element("html")
    at = root
    for _ in range(depth):
        at = etree.SubElement(at, "b")
    at.text = "deep"
    assert next(text_chunks(root)).steps.count("/") == depth + 1


def test_only_unique_ids_are_written_and_special_characters_escaped() -> None:
    root = etree.fromstring('<html><body><p id="a[1],x"/><p id="twice"/><p id="twice"/></body></html>')
    expected = ["/2/2[a^[1^]^,x]", "/2/4", "/2/6"]
    assert [element_path(p) for p in root[0]] == expected
    assert [element_path(p, ids=unique_ids(root)) for p in root[0]] == expected


def test_a_path_may_begin_below_a_given_element() -> None:
    root = etree.fromstring("<html><body><div><p/><p/></div></body></html>")
    assert element_path(root[0][0][1], root[0]) == "/2/4"


def test_a_range_counts_utf_16_units_of_the_raw_text() -> None:
    assert range_cfi(MIXED, 3, MIXED, 8) == "epubcfi(/6/4!/4/4[p2]/2,/1:0,/1:6)"
    assert range_cfi(MIXED, 5, MIXED, 19) == "epubcfi(/6/4!/4/4[p2],/2/1:3,/3:12)"


def test_a_range_over_blocks_shares_the_steps_above_them() -> None:
    assert range_cfi(PLAIN, 8, MIXED, 2) == "epubcfi(/6/4!/4,/2/1:8,/4[p2]/1:5)"


def test_white_space_at_the_ends_is_left_out_of_a_range() -> None:
    assert range_cfi(PLAIN, 4, PLAIN, 8) == "epubcfi(/6/4!/4/2,/1:5,/1:7)"


def test_a_block_without_text_in_the_dom_has_its_elements_cfi() -> None:
    assert range_cfi(PICTURE, 0, PICTURE, 7) == "epubcfi(/6/4!/4/6)"
    assert position_of("epubcfi(/6/4!/4/6)", BLOCKS) == (42, 49)


def test_a_range_cannot_leave_its_section() -> None:
    with pytest.raises(ValueError, match="one section"):
        range_cfi(PLAIN, 0, NEXT, 3)


@pytest.mark.parametrize(
    ("cfi", "span"),
    [
        ("epubcfi(/6/4!/4/2,/1:5,/1:7)", (5, 7)),
        ("epubcfi(/6/4!/4/4[p2]/2,/1:0,/1:6)", (21, 26)),
        ("epubcfi(/6/4[chap]!/4[body]/4[p2],/2[x^]y]/1:3,/3:12)", (23, 37)),
        ("epubcfi(/6/4!/4/4)", (18, 40)),  # an element: all its text
        ("epubcfi(/6/4!/4/4/2)", (21, 26)),
        ("epubcfi(/6/4!/4/2/1:8)", (8, 8)),  # a point
        ("epubcfi(/6/4!/4/2/1:8[Ish,mael;s=a])", (8, 8)),
        ("epubcfi(/6/4!/4/4/1:1)", (18, 18)),  # in white space that the text left out: the next character
        ("epubcfi(/6/4!/4/4,/3:7,/3:8)", None),  # nothing but left-out white space
        ("epubcfi(/6/4!/4/4,/2/1:1,/2/1:2)", (21, 22)),  # half a surrogate pair: the whole character
        ("epubcfi(/6/4!/4/2,/1:8,/1:900)", (8, 16)),  # past the end of the text
        ("epubcfi(/6/6!/4/2/1:8)", (59, 59)),
        ("epubcfi(/6/8!/4/2/1:8)", None),  # no such section
        ("epubcfi(/6/4!/4/20)", None),  # no such element
    ],
)
def test_a_cfi_leads_to_positions(cfi: str, span: tuple[int, int] | None) -> None:
    assert position_of(cfi, BLOCKS) == span


def test_the_parts_of_a_cfi_are_read() -> None:
    assert parse_cfi("epubcfi(/6/4!/4/10,/2/1:3~2.5@1:2,/3:9)") == Cfi(
        Point((6, 4), (4, 10, 2, 1), 3), Point((6, 4), (4, 10, 3), 9)
    )
    assert parse_cfi(block_cfi(DomAnchor(0, "/6/4!/4/2[a^,b]", ()))) == Cfi(Point((6, 4), (4, 2)))


@pytest.mark.parametrize("bad", ["", "/6/4", "epubcfi(/6/4", "epubcfi(/6/x)", "epubcfi(/6,/4)", "epubcfi(a,b,c,d)"])
def test_what_is_no_cfi_is_said_to_be_none(bad: str) -> None:
    with pytest.raises(UsageError, match="not an EPUB CFI"):
        parse_cfi(bad)
