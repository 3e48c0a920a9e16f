import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.document.model import Document
from glossator.errors import LimitExceeded, NotFound, SourceError
from glossator.parse import parse
from glossator.parse import text as reader
from glossator.parse.lines import paragraphs

PROSE = (
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want "
    "of a wife. However little known the feelings or views of such a man may be on his first entering a neighbourhood, "
    "this truth is so well fixed in the minds of the surrounding families, that he is considered the rightful property "
    "of some one or other of their daughters."
)
HAN = "却说那猴王领众，前行到了水帘洞前，只见那里山清水秀，果然是个好去处，众猴欢喜不尽，各自称赞不已。"


def wrapped(text: str = PROSE, width: int = 66, lead: str = "", rest: str = "") -> str:
    import textwrap

    return textwrap.fill(text, width, initial_indent=lead, subsequent_indent=rest, break_on_hyphens=False)


def read(folder: Path, content: str | bytes, name: str = "a book.txt") -> Document:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return parse(path, format="text")


def titles(document: Document) -> list[tuple[int, str]]:
    return [(s.level, s.title) for s in document.sections]


# --- paragraphs -----------------------------------------------------------------------------------------------------


def test_wrapped_lines_are_joined_and_blank_lines_separate(tmp_path: Path) -> None:
    document = read(tmp_path, f"{wrapped()}\n\n{wrapped()}\n\nShort.\n")
    assert [b.text for b in document.blocks] == [PROSE, PROSE, "Short."]


def test_an_indented_first_line_begins_a_paragraph_without_a_blank_line(tmp_path: Path) -> None:
    document = read(tmp_path, "\n".join([wrapped(lead="    ")] * 4))
    assert [b.text for b in document.blocks] == [PROSE] * 4


def test_one_line_is_one_paragraph_where_lines_are_not_wrapped(tmp_path: Path) -> None:
    lines = [HAN * n for n in (1, 4, 2, 9, 3, 1, 6)]
    document = read(tmp_path, "\r\n".join(f"　　{line}" for line in lines))
    assert [b.text for b in document.blocks] == lines


def test_wrapped_chinese_is_joined_without_spaces(tmp_path: Path) -> None:
    text = HAN * 6
    lines = "\n".join(text[i : i + 36] for i in range(0, len(text), 36))
    document = read(tmp_path, f"{lines}\n\n{lines}")
    assert [b.text for b in document.blocks] == [text, text]


def test_a_hyphen_or_dash_at_a_line_end_takes_no_space(tmp_path: Path) -> None:
    first = "He was a well-" + "\n" + "known man of that town, who had lived there for forty years--"
    document = read(tmp_path, f"{first}\nforty years, no less—\nand {wrapped()}\n\n{wrapped()}")
    assert document.blocks[0].text.startswith("He was a well-known man")
    assert "forty years--forty years, no less—and It is" in document.blocks[0].text


def test_verse_keeps_its_lines_and_columns_their_spaces(tmp_path: Path) -> None:
    verse = "Tyger Tyger, burning bright,\nIn the forests of the night;\nWhat immortal hand or eye,\nCould frame it?"
    table = "name        size      kind\nalpha         12      file\nbeta           7      folder"
    document = read(tmp_path, f"{wrapped()}\n\n{verse}\n\n{wrapped()}\n\n{table}\n\n{wrapped()}")
    assert [b.kind for b in document.blocks] == ["paragraph", "paragraph", "paragraph", "code", "paragraph"]
    assert document.blocks[1].text == verse
    assert document.blocks[3].text == table


def test_a_quotation_set_narrower_is_prose(tmp_path: Path) -> None:
    quoted = wrapped(PROSE, 52, "        ", "        ")
    document = read(tmp_path, f"{wrapped()}\n\n{quoted}\n\n{wrapped()}")
    assert [b.text for b in document.blocks] == [PROSE] * 3


def test_list_items_are_items_and_a_dash_in_mid_sentence_is_none(tmp_path: Path) -> None:
    items = "* first thing to do, which is so long that it has to go on in the\n  second line\n* second thing"
    document = read(tmp_path, f"{wrapped()}\n\n{items}\n\n{wrapped('word ' * 12 + '- and so it went on ' + PROSE)}")
    assert [b.kind for b in document.blocks] == ["paragraph", "list_item", "list_item", "paragraph"]
    assert document.blocks[1].text.endswith("go on in the second line")


@given(st.lists(st.text("ab C.一。-— \t　*=1", max_size=30), max_size=12))
def test_no_visible_character_is_lost_but_those_of_rules(lines: list[str]) -> None:
    text = "\n".join(lines)
    kept = "".join(p.text for p in paragraphs(text) if p.kind != "rule")
    without_rules = "\n".join(line for line in lines if not re.fullmatch(r"\s*([=*-])\1{3,}\s*", line))
    assert "".join(kept.split()) == "".join(without_rules.split())


# --- chapters -------------------------------------------------------------------------------------------------------


def book(*headings: str, prose: str = PROSE) -> str:
    return "\n\n\n".join(f"{heading}\n\n\n{wrapped(prose)}\n\n{wrapped(prose)}" for heading in headings)


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["CHAPTER I.", "CHAPTER II."], [(1, "CHAPTER I."), (1, "CHAPTER II.")]),
        (["Chapter 1: The Start", "Chapter 2: The End"], [(1, "Chapter 1: The Start"), (1, "Chapter 2: The End")]),
        (["CHAPTER THE FIRST", "Chapter Twenty-One"], [(1, "CHAPTER THE FIRST"), (1, "Chapter Twenty-One")]),
        (["CHAPTER I.\n\nDown the Rabbit-Hole", "CHAPTER II.\n\nThe Pool of Tears"],
         [(1, "CHAPTER I. Down the Rabbit-Hole"), (1, "CHAPTER II. The Pool of Tears")]),
        (["I. A SCANDAL IN BOHEMIA", "II. THE RED-HEADED LEAGUE"],
         [(1, "I. A SCANDAL IN BOHEMIA"), (1, "II. THE RED-HEADED LEAGUE")]),
        (["I", "II", "III"], [(1, "I"), (1, "II"), (1, "III")]),
        (["PART ONE\n\nCHAPTER I", "CHAPTER II", "PART TWO\n\nCHAPTER III"],
         [(1, "PART ONE"), (2, "CHAPTER I"), (2, "CHAPTER II"), (1, "PART TWO"), (2, "CHAPTER III")]),
        (["PREFACE", "CHAPTER I", "EPILOGUE"], [(1, "PREFACE"), (1, "CHAPTER I"), (1, "EPILOGUE")]),
        (["Chapter 1. Scope", "1.1. Purpose", "1.2. Terms", "Chapter 2. Rules"],
         [(1, "Chapter 1. Scope"), (2, "1.1. Purpose"), (2, "1.2. Terms"), (1, "Chapter 2. Rules")]),
        (["A Heading\n=========", "Another\n-------"], [(1, "A Heading"), (1, "Another")]),
    ],
)  # fmt: skip
def test_english_headings_are_found(tmp_path: Path, headings: list[str], expected: list[tuple[int, str]]) -> None:
    assert titles(read(tmp_path, book(*headings))) == expected


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["第一回 灵根育孕源流出　心性修持大道生", "第二回 悟彻菩提真妙理　断魔归本合元神"],
         [(1, "第一回 灵根育孕源流出 心性修持大道生"), (1, "第二回 悟彻菩提真妙理 断魔归本合元神")]),
        (["楔子", "第1章 山边小村", "第２章：青牛镇", "第三章陨落的天才", "后记"],
         [(1, "楔子"), (1, "第1章 山边小村"), (1, "第２章：青牛镇"), (1, "第三章陨落的天才"), (1, "后记")]),
        (["第一卷 七玄门", "第一章 小村", "第二章 青牛镇", "第二卷 修仙路", "第一章 离家"],
         [(1, "第一卷 七玄门"), (2, "第一章 小村"), (2, "第二章 青牛镇"), (1, "第二卷 修仙路"), (2, "第一章 离家")]),
    ],
)  # fmt: skip
def test_chinese_headings_are_found(tmp_path: Path, headings: list[str], expected: list[tuple[int, str]]) -> None:
    text = "\n".join(f"{heading}\n" + f"　　{HAN}\n" * 5 for heading in headings)
    assert titles(read(tmp_path, text)) == expected


def test_wrapped_chinese_chapters_without_blank_lines_are_set_apart(tmp_path: Path) -> None:
    text = "　　" + HAN * 3
    lines = "\n".join(text[i : i + 40] for i in range(0, len(text), 40))
    names = ["第一章 山边小村", "第二章 青牛镇", "第三章 七玄门"]
    document = read(tmp_path, "\n".join(f"{name}\n{lines}\n{lines}" for name in names))
    assert titles(document) == [(1, name) for name in names]
    assert [b.text for b in document.blocks[:3]] == [names[0], HAN * 3, HAN * 3]


def test_a_chinese_list_of_contents_does_not_double_the_chapters(tmp_path: Path) -> None:
    names = ["第一章 山边小村", "第二章 青牛镇", "第三章 七玄门"]
    body = "\n".join(f"{name}\n" + "\n".join(f"　　{HAN * n}" for n in (1, 3, 2, 5)) for name in names)
    contents = "\n".join(names)
    assert titles(read(tmp_path, f"目录\n{contents}\n\n{body}")) == [(1, "目录"), *((1, name) for name in names)]


@pytest.mark.parametrize(
    "line",
    [
        "第一章的内容就是这样，说的是一个人的故事。",
        "第一章讲的是猴王出世",
        "第三回他终于明白了，原来如此！",
        "第二部电影比第一部好看得多，大家都这么说。",
        "Chapter 3 was the longest of them all, and nobody read it.",
        "Part of the plan was to leave early.",
        "I. said nothing, and went away.",
        "1905. That was the year when it all began, and nobody knew.",
        "Introduction of the potato changed everything.",
    ],
)
def test_a_sentence_that_begins_like_a_heading_is_none(tmp_path: Path, line: str) -> None:
    body = f"{wrapped()}\n\n{line}\n\n{wrapped()}\n\n{line}\n\n{wrapped()}"
    assert titles(read(tmp_path, body)) == []


def test_a_list_of_contents_does_not_double_the_chapters(tmp_path: Path) -> None:
    headings = [f"CHAPTER {n}. {t}" for n, t in (("I", "Loomings"), ("II", "The Carpet-Bag"), ("III", "The Inn"))]
    contents = "\n\n".join(headings)
    document = read(tmp_path, f"CONTENTS\n\n{contents}\n\n\n{book(*headings)}")
    assert [t for _, t in titles(document)] == ["CONTENTS", *headings]
    assert document.sections[1].start > document.text.index("CHAPTER III. The Inn")


def test_page_numbers_in_mid_sentence_are_no_chapters(tmp_path: Path) -> None:
    half = len(PROSE) // 2
    pages = "\n\n".join(f"{wrapped(PROSE[:half])}\n\n{n}\n\n{wrapped(PROSE[half:])}" for n in range(1, 12))
    assert titles(read(tmp_path, pages)) == []


def test_numbers_that_do_not_count_up_are_no_chapters(tmp_path: Path) -> None:
    assert titles(read(tmp_path, book("7", "3", "12"))) == []


def test_lines_in_capitals_are_headings_when_there_is_nothing_else(tmp_path: Path) -> None:
    text = "\n\n\n".join(f"{t}\n\n{wrapped(PROSE * 3)}" for t in ("THE GIFT", "THE COP AND THE ANTHEM", "A LAST LEAF"))
    assert titles(read(tmp_path, f"\n\n\n{text}")) == [
        (1, "THE GIFT"),
        (1, "THE COP AND THE ANTHEM"),
        (1, "A LAST LEAF"),
    ]


# --- metadata and the whole -----------------------------------------------------------------------------------------

GUTENBERG = f"""The Project Gutenberg eBook of Emma

Title: Emma
Author: Jane Austen
Language: English

*** START OF THE PROJECT GUTENBERG EBOOK EMMA ***

{book("CHAPTER I", "CHAPTER II")}

*** END OF THE PROJECT GUTENBERG EBOOK EMMA ***

Updated editions will replace the previous one.
"""


def test_a_gutenberg_book_has_its_title_author_and_its_licence_apart(tmp_path: Path) -> None:
    document = read(tmp_path, GUTENBERG, "pg158.txt")
    assert (document.metadata.title, document.metadata.authors) == ("Emma", ("Jane Austen",))
    assert document.metadata.language == "en"
    notice, first, second, licence = document.sections
    assert (notice.title, licence.title) == ("Project Gutenberg’s notice", "Project Gutenberg’s licence")
    assert (first.title, second.title) == ("CHAPTER I", "CHAPTER II")
    assert document.text[licence.start :].startswith("*** END OF")
    assert "Updated editions" in document.text[licence.start :]
    assert "END OF" not in document.text[second.start : second.end]


@pytest.mark.parametrize(
    ("name", "content", "title", "authors"),
    [
        ("the_time-machine.txt", "Some text.", "The time-machine", ()),
        ("《活着》作者：余华.txt", HAN, "活着", ("余华",)),
        ("Emma - Jane Austen.txt", "Some text.", "Emma", ("Jane Austen",)),
        ("x.txt", f"《西游记》吴承恩（明）\n\n{HAN}", "西游记", ("吴承恩",)),
        ("x.txt", "title: Good Omens\nauthor: Terry Pratchett and Neil Gaiman\n\nText.", "Good Omens",
         ("Terry Pratchett", "Neil Gaiman")),
        ("1234.txt", "The Happy Castaway\n\nBy someone.\n", "The Happy Castaway", ()),
    ],
)  # fmt: skip
def test_title_and_authors_come_from_the_text_or_the_name(
    tmp_path: Path, name: str, content: str, title: str, authors: tuple[str, ...]
) -> None:
    metadata = read(tmp_path, content, name).metadata
    assert (metadata.title, metadata.authors) == (title, authors)


def test_a_legacy_encoding_is_read_and_named(tmp_path: Path) -> None:
    document = read(tmp_path, (HAN * 5).encode("gb18030"))
    assert document.text == HAN * 5
    assert document.report.warnings == ("the text was read as gb18030",)


def test_markup_characters_and_controls_do_no_harm(tmp_path: Path) -> None:
    assert read(tmp_path, "a <b> & c &amp; d\x00\x07 ]]> e").text == "a <b> & c &amp; d ]]> e"


def test_undecodable_bytes_lower_the_confidence(tmp_path: Path) -> None:
    document = read(tmp_path, (HAN.encode() + b"\xff") * 3)
    assert document.report.confidence < 1
    assert "could not be decoded" in document.report.reasons[0]


def test_a_file_too_large_is_refused_by_its_size_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with path.open("wb") as file:
        file.truncate(300 << 20)
    with pytest.raises(LimitExceeded, match=r"log\.txt: larger than 64 MB") as error:
        reader.read(path)
    assert "split it" in error.value.hint


def test_what_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"nowhere\.txt"):
        reader.read(tmp_path / "nowhere.txt")
    with pytest.raises(SourceError):
        reader.read(tmp_path)


def test_long_texts_are_cut_into_parts_at_chapters(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(book(*(f"CHAPTER {n}" for n in range(1, 9))))
    publication = reader.read(path)
    assert len(publication.parts) == 8
    assert [p.spine for p in publication.navigation] == list(range(8))
