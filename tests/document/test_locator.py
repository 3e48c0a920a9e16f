"""Locators: built from blocks, written and read in three forms, found again."""

import pytest

from glossator.document.locator import (
    Locator,
    Quote,
    Rect,
    Resolution,
    build_locator,
    from_selectors,
    resolve,
    to_selectors,
)
from glossator.document.model import Block, DomAnchor, Line, Page, PageAnchor, Section, TextRun, lay_out, text_version
from glossator.errors import UsageError


def line(text: str, start: int, page: int, x: float, y: float, axis: str = "x") -> Line:
    """A line whose characters are 10 points wide and high."""
    edges = tuple(x + 10.0 * i for i in range(len(text) + 1))
    box = (x, y, x + 10.0 * len(text), y + 10)
    if axis == "y":
        return Line(start, start + len(text), page, (y, x, y + 10, x + 10.0 * len(text)), edges, "y")
    return Line(start, start + len(text), page, box, edges)


PAPER_TEXT, PAPER = lay_out(
    [
        Block(
            kind="paragraph",
            text="First line and second line, over the page.",
            start=None,
            end=None,
            anchor=PageAnchor(
                (
                    line("First line and ", 0, 1, 100, 700),
                    line("second line, ", 15, 1, 100, 685),
                    line("over the page.", 28, 2, 100, 750),
                )
            ),
        ),
        Block(
            kind="paragraph",
            text="天地玄黄",
            start=None,
            end=None,
            anchor=PageAnchor((line("天地玄黄", 0, 2, 300, 500, "y"),)),
        ),
    ]
)
PAGES = (
    Page(number=1, start=0, end=28, label="i"),
    Page(number=2, start=28, end=len(PAPER_TEXT), label="ii"),
)
BOOK_TEXT, BOOK = lay_out(
    [
        Block(
            kind="paragraph",
            text=text,
            start=None,
            end=None,
            anchor=DomAnchor(spine, f"/6/{2 * spine + 2}!/4/{n}", (TextRun(0, "/1", 0),)),
        )
        for n, spine, text in [
            (2, 0, "It was a dark and stormy night."),
            (4, 0, "The rain fell in torrents."),
            (2, 1, "It was a dark and stormy night, again."),
        ]
    ]
)
BOOK_VERSION = text_version(BOOK_TEXT)


def locator(text: str, start: int, end: int, blocks: tuple[Block, ...], **more: object) -> Locator:
    overlapping = [b for b in blocks if b.start is not None and b.end is not None and b.start < end and b.end > start]
    return build_locator(
        document="abcd",
        text_version=text_version(text),
        start=start,
        end=end,
        window=text,
        window_start=0,
        blocks=overlapping,
        section=None,
        pages=[p for p in PAGES if p.start < end and p.end > start] if blocks is PAPER else (),
        **more,  # type: ignore[arg-type]
    )


def test_a_passage_in_a_line_has_one_rectangle_as_wide_as_its_words() -> None:
    at = PAPER_TEXT.index("line")
    found = locator(PAPER_TEXT, at, at + 4, PAPER)
    assert found.rects == (Rect(1, (160.0, 700.0, 200.0, 710.0)),)
    assert (found.page, found.page_label) == (1, "i")


def test_a_passage_over_lines_and_pages_has_a_rectangle_for_each_line_without_its_outer_spaces() -> None:
    found = locator(PAPER_TEXT, 11, 36, PAPER)
    assert found.rects == (
        Rect(1, (210.0, 700.0, 240.0, 710.0)),
        Rect(1, (100.0, 685.0, 220.0, 695.0)),
        Rect(2, (100.0, 750.0, 180.0, 760.0)),
    )


def test_a_vertical_line_is_cut_along_its_own_axis() -> None:
    at = PAPER_TEXT.index("地")
    assert locator(PAPER_TEXT, at, at + 2, PAPER).rects == (Rect(2, (500.0, 310.0, 510.0, 330.0)),)


def test_the_page_is_the_one_where_the_passage_begins() -> None:
    assert locator(PAPER_TEXT, 30, 34, PAPER).page == 2
    assert locator(PAPER_TEXT, 20, 34, PAPER).page == 1


def test_a_quote_shows_no_more_than_the_window() -> None:
    start = BOOK_TEXT.index("The rain")
    found = build_locator(
        document="abcd",
        text_version=BOOK_VERSION,
        start=start,
        end=start + 8,
        window=BOOK_TEXT[start - 8 : start + 13],
        window_start=start - 8,
        blocks=BOOK[1:2],
        section=Section(number=2, level=1, title="Two", path=("Two",), start=0, end=99),
        pages=(),
    )
    assert found.quote == Quote("The rain", "night.\n\n", " fell")
    assert (found.section_number, found.section_path, found.page, found.rects) == (2, ("Two",), None, None)


def test_prefix_and_suffix_are_32_characters() -> None:
    found = locator(BOOK_TEXT, 40, 44, BOOK)
    assert found.quote == Quote(BOOK_TEXT[40:44], BOOK_TEXT[8:40], BOOK_TEXT[44:76])


def test_a_cfi_is_written_when_asked_for_and_ends_with_its_section() -> None:
    assert locator(BOOK_TEXT, 0, 6, BOOK).cfi is None
    assert locator(BOOK_TEXT, 9, 40, BOOK, cfi=True).cfi == "epubcfi(/6/2!/4,/2/1:9,/4/1:7)"
    over = locator(BOOK_TEXT, 40, len(BOOK_TEXT), BOOK, cfi=True)
    assert over.cfi == "epubcfi(/6/2!/4/4,/1:7,/1:26)"


def test_a_cfi_does_not_go_back_to_a_note_that_was_moved() -> None:
    note = Block(
        kind="footnote",
        text="A note from above.",
        start=None,
        end=None,
        anchor=DomAnchor(0, "/6/2!/4/3", (TextRun(0, "/1", 0),)),
    )
    text, blocks = lay_out([BOOK[0], BOOK[1], note])
    assert locator(text, 40, len(text), blocks, cfi=True).cfi == "epubcfi(/6/2!/4/4,/1:7,/1:26)"


def test_json_has_the_contracts_keys_and_comes_back_equal() -> None:
    found = locator(PAPER_TEXT, 11, 36, PAPER)
    data = found.to_json()
    assert list(data) == [
        "document", "text_version", "start", "end", "quote", "section", "page", "page_label", "cfi", "rects"
    ]  # fmt: skip
    assert data["section"] is None
    assert data["rects"][0] == {"page": 1, "box": [210.0, 700.0, 240.0, 710.0]}
    assert Locator.from_json(data) == found


def test_a_locator_without_a_quote_leaves_the_key_out() -> None:
    data = locator(BOOK_TEXT, 0, 6, BOOK, with_quote=False).to_json()
    assert "quote" not in data
    assert Locator.from_json(data).quote is None


@pytest.mark.parametrize("data", [{}, {"document": "a", "text_version": "b", "start": "x", "end": 1}, None])
def test_what_is_no_locator_is_an_error_that_says_so(data: object) -> None:
    with pytest.raises(UsageError, match="not a locator"):
        Locator.from_json(data)  # type: ignore[arg-type]


def test_selectors_are_those_of_the_standard_and_come_back() -> None:
    found = locator(BOOK_TEXT, 9, 13, BOOK, cfi=True)
    selectors = to_selectors(found)
    assert [s["type"] for s in selectors] == ["TextPositionSelector", "TextQuoteSelector", "FragmentSelector"]
    assert from_selectors(selectors, "abcd", BOOK_VERSION) == found


def test_a_page_is_a_fragment_of_its_own() -> None:
    found = locator(PAPER_TEXT, 30, 34, PAPER)
    back = from_selectors(to_selectors(found), "abcd", found.text_version)
    assert (back.page, back.start, back.quote) == (2, 30, found.quote)


def test_a_quote_selector_alone_is_enough_and_claims_no_position() -> None:
    back = from_selectors([{"type": "TextQuoteSelector", "exact": "rain fell"}], "abcd", BOOK_VERSION)
    assert back.text_version == ""
    assert resolve(back, text=BOOK_TEXT, text_version=BOOK_VERSION, blocks=BOOK).start == BOOK_TEXT.index("rain fell")


@pytest.mark.parametrize(
    "selectors", [[], [{"type": "SvgSelector", "value": "<svg/>"}], [{"type": "TextQuoteSelector"}], [{}]]
)
def test_selectors_that_say_nothing_are_an_error(selectors: list[dict[str, str]]) -> None:
    with pytest.raises(UsageError):
        from_selectors(selectors, "abcd", BOOK_VERSION)


def test_the_same_text_resolves_exactly() -> None:
    found = locator(BOOK_TEXT, 9, 13, BOOK, cfi=True)
    expected = Resolution("exact", 9, 13, 1.0)
    assert resolve(found, text=BOOK_TEXT, text_version=BOOK_VERSION, blocks=BOOK) == expected
    assert resolve(found, text=BOOK_TEXT, text_version=BOOK_VERSION, blocks=()) == expected


def test_an_address_holds_where_positions_have_changed() -> None:
    found = locator(BOOK_TEXT, 9, 13, BOOK, cfi=True)
    title = Block(kind="heading", text="Chapter", start=None, end=None)
    text, blocks = lay_out([title, *BOOK])
    shift = len("Chapter\n\n")
    assert resolve(found, text=text, text_version="new", blocks=blocks) == Resolution("exact", 9 + shift, 13 + shift, 1)


def test_an_address_with_other_words_there_is_not_believed() -> None:
    found = locator(BOOK_TEXT, 37, 41, BOOK, cfi=True)
    assert found.quote is not None
    assert found.quote.exact == "rain"
    other = Block(kind="paragraph", text="A train came in.", start=None, end=None, anchor=BOOK[1].anchor)
    text, blocks = lay_out([BOOK[0], other, BOOK[2]])
    assert resolve(found, text=text, text_version="new", blocks=blocks).state == "lost"


def test_words_are_found_elsewhere_by_their_surroundings() -> None:
    found = locator(BOOK_TEXT, 33, 41, BOOK)
    text = "A new preface. " + BOOK_TEXT
    assert resolve(found, text=text, text_version="new", blocks=()) == Resolution("moved", 48, 56, 1.0)


def test_the_same_words_in_other_surroundings_are_not_the_passage() -> None:
    start = BOOK_TEXT.rindex("dark and stormy")
    found = locator(BOOK_TEXT, start, start + 15, BOOK)
    without = BOOK_TEXT[: BOOK_TEXT.rindex("It was")] + "The end. A dark and stormy sea."
    assert resolve(found, text=without, text_version="new", blocks=()).state == "lost"


def test_of_two_occurrences_the_one_with_the_same_surroundings_is_taken() -> None:
    start = BOOK_TEXT.rindex("dark and stormy")
    found = locator(BOOK_TEXT, start, start + 15, BOOK)
    text = "Again it was a dark and stormy day. " + BOOK_TEXT
    assert resolve(found, text=text, text_version="new", blocks=()).start == text.rindex("dark and stormy")


def test_surroundings_may_have_changed_on_one_side() -> None:
    found = locator(BOOK_TEXT, 33, 41, BOOK)
    text = BOOK_TEXT.replace("fell in torrents", "poured down in sheets")
    resolution = resolve(found, text=text, text_version="new", blocks=())
    assert (resolution.state, resolution.start) == ("exact", 33)


def test_words_whose_line_breaks_changed_are_still_found() -> None:
    found = locator(BOOK_TEXT, 0, 31, BOOK)
    text = "Before. " + BOOK_TEXT.replace("dark and", "dark\nand")
    resolution = resolve(found, text=text, text_version="new", blocks=())
    assert (resolution.state, resolution.start, resolution.end) == ("moved", 8, 39)


def test_without_surroundings_only_a_single_occurrence_is_the_passage() -> None:
    def found(exact: str) -> Locator:
        return Locator(document="a", text_version="old", start=500, end=510, quote=Quote(exact))

    assert resolve(found("torrents"), text=BOOK_TEXT, text_version="new", blocks=()).state == "moved"
    assert resolve(found("stormy night"), text=BOOK_TEXT, text_version="new", blocks=()).state == "lost"


def test_a_position_of_another_version_without_words_is_lost() -> None:
    found = locator(BOOK_TEXT, 9, 13, BOOK, with_quote=False)
    assert resolve(found, text="something else entirely", text_version="new", blocks=()).state == "lost"


def test_another_programs_malformed_address_is_passed_over() -> None:
    found = Locator(
        document="a", text_version="v", start=0, end=6, quote=Quote("It was", "", " a dark"), cfi="epubcfi(?)"
    )
    assert resolve(found, text=BOOK_TEXT, text_version="v", blocks=BOOK).state == "exact"
