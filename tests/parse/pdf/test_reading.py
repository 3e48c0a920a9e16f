"""What comes out of a PDF: text in reading order, kinds of blocks, metadata, pages, and how faults are told."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from glossator.document.model import Block, Document
from glossator.errors import DamagedFile, NotFound, SourceError
from glossator.parse.blocks import document_of
from glossator.parse.pdf import read
from glossator.parse.publication import Paged
from tests.parse.pdf.make import Page, Pdf, Text, column

WORDS = ["amber", "birch", "cedar", "delta", "ember", "frost", "grove", "haven", "ivory", "jolly"]


def prose(seed: int, lines: int, width: int = 38) -> list[str]:
    """Return lines of words, full to within one word of `width` characters, the last ending in a full stop."""
    rng = random.Random(seed)
    out = []
    for _ in range(lines):
        line = rng.choice(WORDS)
        while len(line) < width - 7:
            line += " " + rng.choice(WORDS)
        out.append(line)
    out[0] = out[0].capitalize()
    out[-1] += "."
    return out


def reading(tmp_path: Path, *pages: Page, **pdf: object) -> Paged:
    return read(Pdf(pages, **pdf).write(tmp_path / "file.pdf"))  # type: ignore[arg-type]


def in_text(publication: Paged) -> list[Block]:
    return [b for b in publication.blocks if b.kind != "running"]


def texts(publication: Paged, kind: str | None = None) -> list[str]:
    return [b.text for b in in_text(publication) if kind in (None, b.kind)]


def running(publication: Paged) -> list[str]:
    return [b.text for b in publication.blocks if b.kind == "running"]


def document(publication: Paged) -> Document:
    return document_of(publication)


# ---------------------------------------------------------------- order and paragraphs


@pytest.mark.parametrize("seed", range(4))
def test_columns_are_read_one_after_the_other_whatever_the_order_of_the_stream(tmp_path: Path, seed: int) -> None:
    left, right = prose(1, 20), prose(2, 20)
    drawn = column(50, 700, left) + column(320, 700, right)
    if seed:
        random.Random(seed).shuffle(drawn)
    assert texts(reading(tmp_path, Page(drawn))) == [" ".join(left), " ".join(right)]


def test_a_title_across_two_columns_comes_before_both(tmp_path: Path) -> None:
    left, right = prose(1, 20), prose(2, 20)
    drawn = [Text(90, 740, "A Title Over Both Columns Here", 20), *column(50, 700, left), *column(320, 700, right)]
    publication = reading(tmp_path, Page(drawn))
    assert texts(publication) == ["A Title Over Both Columns Here", " ".join(left), " ".join(right)]
    assert publication.blocks[0].kind == "heading"


def test_a_paragraph_goes_on_over_the_end_of_a_page(tmp_path: Path) -> None:
    first, second = prose(1, 10), prose(2, 10)
    first[-1] = first[-1].rstrip(".")
    second[0] = second[0].lower()
    publication = reading(tmp_path, Page(column(50, 700, first)), Page(column(50, 700, second)))
    (block,) = in_text(publication)
    assert block.text == " ".join(first + second)
    assert [line.page for line in block.anchor.lines] == [1] * 10 + [2] * 10  # type: ignore[union-attr]


def test_a_wide_gap_begins_a_paragraph(tmp_path: Path) -> None:
    drawn = column(50, 700, prose(1, 5)) + column(50, 620, prose(2, 5))
    assert texts(reading(tmp_path, Page(drawn))) == [" ".join(prose(1, 5)), " ".join(prose(2, 5))]


def test_a_hyphen_at_the_end_of_a_line_goes_unless_the_document_writes_the_word_with_it(tmp_path: Path) -> None:
    lines = [
        "The old light-",
        "house keeper read a well-known tale of a well-",
        "known harbour in the 600-",
        "page book.",
    ]
    drawn = column(50, 700, lines)
    expected = "The old lighthouse keeper read a well-known tale of a well-known harbour in the 600-page book."
    assert texts(reading(tmp_path, Page(drawn))) == [expected]


def test_chinese_lines_are_joined_without_spaces(tmp_path: Path) -> None:
    lines = ["满纸荒唐言，一把辛酸泪，", "都云作者痴，谁解其中味。"]
    drawn = [Text(50, 700 - 15 * i, line, 12, "F4") for i, line in enumerate(lines)]
    publication = reading(tmp_path, Page(drawn))
    assert texts(publication) == ["".join(lines)]
    assert publication.metadata.language == "zh"


def test_headings_are_larger_or_bold_and_the_largest_has_level_one(tmp_path: Path) -> None:
    drawn = [
        Text(50, 740, "First Part", 18),
        Text(50, 700, "A Section", 13),
        *column(50, 670, prose(1, 6)),
        Text(50, 560, "Bold Words", 10, "F2"),
        *column(50, 530, prose(2, 6)),
    ]
    headings = [b for b in in_text(reading(tmp_path, Page(drawn))) if b.kind == "heading"]
    assert [(b.text, b.level) for b in headings] == [("First Part", 1), ("A Section", 2), ("Bold Words", 3)]


def test_list_items_are_blocks_of_their_own(tmp_path: Path) -> None:
    drawn = column(50, 700, ["• one thing", "• another thing", "• the last thing"])
    assert texts(reading(tmp_path, Page(drawn)), "list_item") == ["• one thing", "• another thing", "• the last thing"]


def test_notes_stand_at_the_end_of_their_page(tmp_path: Path) -> None:
    left, right = prose(1, 20), prose(2, 20)
    note = [Text(50, 420, "1 A note of the left column that says more.", 7)]
    drawn = column(50, 700, left) + note + column(320, 700, right)
    publication = reading(tmp_path, Page(drawn))
    assert [b.kind for b in in_text(publication)] == ["paragraph", "paragraph", "footnote"]


# ---------------------------------------------------------------- tables


def table(top: float = 700) -> list[Text]:
    rows = [("Town", "People", "Bridges"), ("Ayr", "120", "3"), ("Bath", "245", "7"), ("Cork", "310", "12")]
    return [
        Text(x, top - 14 * i, cell) for i, row in enumerate(rows) for x, cell in zip((50, 200, 350), row, strict=True)
    ]


def test_a_table_has_rows_and_its_text_parts_cells_by_tabs_and_rows_by_newlines(tmp_path: Path) -> None:
    (block,) = in_text(reading(tmp_path, Page(table())))
    assert block.kind == "table"
    assert block.rows == (
        ("Town", "People", "Bridges"),
        ("Ayr", "120", "3"),
        ("Bath", "245", "7"),
        ("Cork", "310", "12"),
    )
    assert block.text == "\n".join("\t".join(row) for row in block.rows)


def test_a_table_goes_on_over_a_page_and_its_repeated_head_goes(tmp_path: Path) -> None:
    (block,) = in_text(reading(tmp_path, Page(table(600)), Page(table(600))))
    assert block.rows is not None
    assert [row[0] for row in block.rows] == ["Town", "Ayr", "Bath", "Cork", "Ayr", "Bath", "Cork"]


def test_a_caption_is_a_block_of_its_own_between_lines_of_prose(tmp_path: Path) -> None:
    lines = [*prose(1, 5), "Table 2: Towns and rivers", *prose(2, 5)]
    blocks = in_text(reading(tmp_path, Page(column(50, 700, lines))))
    assert [(b.kind, b.text) for b in blocks] == [
        ("paragraph", " ".join(prose(1, 5))),
        ("caption", "Table 2: Towns and rivers"),
        ("paragraph", " ".join(prose(2, 5))),
    ]


def test_a_sentence_that_mentions_a_table_at_the_start_of_a_line_goes_on(tmp_path: Path) -> None:
    first = prose(1, 5)
    first[-1] = first[-1].rstrip(".") + " see also"
    lines = [*first, "table 2: " + prose(2, 1)[0]]
    assert texts(reading(tmp_path, Page(column(50, 700, lines)))) == [" ".join(lines)]


def test_a_table_that_repeats_its_caption_on_the_next_page_is_one(tmp_path: Path) -> None:
    page = Page([Text(50, 630, "Table 1: Towns"), *table(600)])
    assert [b.kind for b in in_text(reading(tmp_path, page, page))] == ["caption", "table"]


# ---------------------------------------------------------------- running text and pages


def test_heads_and_page_numbers_are_outside_the_text_and_number_the_pages(tmp_path: Path) -> None:
    pages = [
        Page([Text(200, 770, "THE BOOK OF WORDS"), *column(50, 700, prose(n, 10)), Text(300, 30, str(n + 12))])
        for n in range(4)
    ]
    publication = reading(tmp_path, *pages)
    assert running(publication) == [t for n in range(4) for t in ("THE BOOK OF WORDS", str(n + 12))]
    assert "BOOK" not in document(publication).text
    assert [p.label for p in publication.pages] == ["12", "13", "14", "15"]


def test_heads_that_change_with_the_chapter_are_outside_the_text(tmp_path: Path) -> None:
    heads = ["CHAPTER 1. A", "CHAPTER 1. A", "CHAPTER 2. B", "CHAPTER 2. B", "CHAPTER 2. B", "CHAPTER 3. ONE PAGE"]
    pages = [Page([Text(200, 770, head), *column(50, 700, prose(n, 10))]) for n, head in enumerate(heads)]
    publication = reading(tmp_path, *pages)
    assert running(publication) == heads
    assert "CHAPTER" not in document(publication).text


def test_first_lines_and_the_titles_of_slides_stay_in_the_text(tmp_path: Path) -> None:
    plain = [Page(column(50, 770, prose(n, 10))) for n in range(6)]
    assert running(reading(tmp_path, *plain)) == []
    titles = [f"{word} we do it" for word in ("Why", "How", "When", "Where") for _ in range(2)]
    slides = [Page([Text(50, 770, title, 24), *column(50, 700, prose(n, 10))]) for n, title in enumerate(titles)]
    assert running(reading(tmp_path, *slides)) == []


def test_a_year_in_every_foot_is_no_page_number(tmp_path: Path) -> None:
    pages = [Page([*column(50, 700, prose(n, 10)), Text(300, 30, "2020")]) for n in range(4)]
    assert [p.label for p in reading(tmp_path, *pages).pages] == [None] * 4


def test_labels_of_the_file_come_first(tmp_path: Path) -> None:
    pages = [Page(column(50, 700, prose(n, 10))) for n in range(3)]
    publication = reading(tmp_path, *pages, labels="<< /Nums [0 << /S /r >> 2 << /S /D /St 7 >>] >>")
    assert [p.label for p in publication.pages] == ["i", "ii", "7"]


def test_a_stamp_on_the_margin_is_outside_the_text(tmp_path: Path) -> None:
    drawn = [*column(80, 700, prose(1, 10)), Text(20, 300, "Downloaded today", 8, turn=1)]
    publication = reading(tmp_path, Page(drawn))
    assert running(publication) == ["Downloaded today"]
    assert publication.report.confidence == 1.0


def test_sideways_text_inside_a_page_is_not_lost(tmp_path: Path) -> None:
    drawn = [*column(80, 700, prose(1, 10)), Text(300, 300, "Sideways label", 8, turn=1)]
    assert texts(reading(tmp_path, Page(drawn)))[-1] == "Sideways label"


def test_text_outside_the_visible_page_is_outside_the_text(tmp_path: Path) -> None:
    page = Page([*column(120, 700, prose(1, 30)), Text(130, 20, "printer's slug")], crop=(100, 50, 600, 800))
    publication = reading(tmp_path, page)
    assert texts(publication) == [" ".join(prose(1, 30))]
    assert running(publication) == ["printer's slug"]
    assert (publication.pages[0].width, publication.pages[0].height) == (500, 750)


# ---------------------------------------------------------------- confidence


def test_a_page_with_nothing_but_an_image_is_a_scan_and_a_document_of_scans_is_not_trusted(tmp_path: Path) -> None:
    publication = reading(tmp_path, Page(image=True), Page(image=True))
    assert [(p.status, p.confidence, p.reasons) for p in publication.pages] == [
        ("empty", 0.0, ("no text layer: a scan?",))
    ] * 2
    assert publication.report.confidence == 0.0
    assert "scan" in publication.report.reasons[0]
    assert document(publication).text == ""


def test_a_blank_page_takes_no_confidence_away(tmp_path: Path) -> None:
    publication = reading(tmp_path, Page(column(50, 700, prose(1, 10))), Page())
    assert [p.status for p in publication.pages] == ["ok", "empty"]
    assert publication.report.confidence == 1.0


def test_a_page_of_unmapped_glyphs_is_kept_out_of_the_text_and_said(tmp_path: Path) -> None:
    private = {ord(c): "\ue000" for c in "abcdefghijlmnorsty."}
    bad = Page([replace(t, font="F3") for t in column(50, 700, prose(1, 10))])
    good = [Page(column(50, 700, prose(n, 10))) for n in (2, 3, 4)]
    publication = reading(tmp_path, bad, *good, to_unicode=private)
    assert [p.status for p in publication.pages] == ["quarantined", "ok", "ok", "ok"]
    assert "the page is left out of the text" in publication.pages[0].reasons
    assert "\ue000" not in document(publication).text
    assert "\ue000" in "".join(running(publication))
    assert publication.report.reasons == ("1 of 4 pages is unreadable and left out: 1",)
    assert publication.report.confidence == 0.75


# ---------------------------------------------------------------- metadata and outline


@pytest.mark.parametrize("title", ["Microsoft Word - report.doc", "untitled", "", "paper.tex", "   ", "10811.exe"])
def test_a_title_that_a_program_wrote_is_not_the_title(tmp_path: Path, title: str) -> None:
    drawn = [Text(50, 740, "On Towns and Bridges", 18), *column(50, 700, prose(1, 10))]
    assert reading(tmp_path, Page(drawn), info={"Title": title}).metadata.title == "On Towns and Bridges"


def test_without_any_title_the_name_of_the_file_is_one(tmp_path: Path) -> None:
    assert reading(tmp_path, Page(column(50, 700, prose(1, 10)))).metadata.title == "file"


def test_the_information_dictionary_gives_title_authors_and_date(tmp_path: Path) -> None:
    info = {"Title": "On Towns", "Author": "Ann Lee; Bo Chen and Cy Dee", "CreationDate": "D:20190307120000Z"}
    metadata = reading(tmp_path, Page(column(50, 700, prose(1, 10))), info=info, language="en-GB").metadata
    assert (metadata.title, metadata.authors) == ("On Towns", ("Ann Lee", "Bo Chen", "Cy Dee"))
    assert (metadata.published, metadata.language) == ("2019-03-07", "en-GB")


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("Ann Lee, Bo Chen", ("Ann Lee", "Bo Chen")),
        ("Lee, Ann", ("Lee, Ann",)),
        ("Administrator", ()),
        ("李白、杜甫", ("李白", "杜甫")),
    ],
)
def test_authors_are_parted_with_care(tmp_path: Path, field: str, names: tuple[str, ...]) -> None:
    assert reading(tmp_path, Page(column(50, 700, prose(1, 4))), info={"Author": field}).metadata.authors == names


def test_identifiers_stand_on_the_first_pages(tmp_path: Path) -> None:
    lines = [
        "See 10.1000/other.",
        "https://doi.org/10.1234/abc.5678.",
        "ISBN 978-0-306-40615-7",
        "ISBN 978-0-306-40615-8",
    ]
    assert reading(tmp_path, Page(column(50, 700, lines))).metadata.identifiers == (
        ("doi", "10.1234/abc.5678"),
        ("isbn", "9780306406157"),
    )


def test_the_outline_gives_pages_and_heights_and_lost_entries_are_told(tmp_path: Path) -> None:
    pages = [Page(column(50, 700, prose(n, 10))) for n in range(2)]
    publication = reading(tmp_path, *pages, outline=[("One", 0, 710), ("Two", 1, 640), ("Nowhere", 9, 1)])
    assert [(n.title, n.page, n.y) for n in publication.navigation] == [("One", 1, 710), ("Two", 2, 640)]
    assert publication.report.warnings == ("1 entries of the outline lead to no page",)


# ---------------------------------------------------------------- faults


def test_an_empty_file_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdf"
    path.write_bytes(b"")
    with pytest.raises(DamagedFile, match=r"empty\.pdf: the file is empty"):
        read(path)


def test_a_truncated_file_is_damaged_and_the_cause_is_named(tmp_path: Path) -> None:
    whole = Pdf([Page(column(50, 700, prose(1, 10)))]).build()
    path = tmp_path / "cut.pdf"
    path.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(DamagedFile, match=r"cut\.pdf: the PDF is damaged or cut short \(Data format error\)") as caught:
        read(path)
    assert caught.value.hint


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises((SourceError, NotFound), match=r"none\.pdf"):
        read(tmp_path / "none.pdf")
