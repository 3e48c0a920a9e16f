"""A Kindle's clippings: how each generation of devices writes them, and what becomes of them in a library."""

from pathlib import Path

import pytest

from glossator.errors import SourceError
from glossator.library.exchange import clippings
from glossator.library.exchange.clipping_dates import read_date
from glossator.library.exchange.results import Imported
from glossator.library.library import Library
from tests.library import books

END = "==========\n"


def entry(title: str, facts: str, text: str) -> str:
    return f"{title}\n- {facts}\n\n{text}\n{END}"


def highlight(
    text: str, place: str = "100-101", *, title: str = "The Island (Ann Author)", at: str = "3:04:05 PM"
) -> str:
    return entry(title, f"Your Highlight on Location {place} | Added on Sunday, May 5, 2019 {at}", text)


def load(library: Library, folder: Path, text: str, encoding: str = "utf-8") -> Imported:
    path = folder / "My Clippings.txt"
    path.write_bytes(text.encode(encoding))
    return library.exchange.load(path)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Added on Sunday, May 5, 2019 3:04:05 PM", "2019-05-05T15:04:05Z"),
        ("Added on Sunday, May 05, 2019, 12:10 AM", "2019-05-05T00:10:00Z"),
        ("Added on Sunday, May 5, 2019 12:04:05 PM", "2019-05-05T12:04:05Z"),
        ("Added on Sunday, 5 May 2019 15:04:05", "2019-05-05T15:04:05Z"),
        ("Added on Sunday, 5 May 19 15:04:05", "2019-05-05T15:04:05Z"),
        ("添加于 2019年5月5日星期日 下午3:04:05", "2019-05-05T15:04:05Z"),
        ("添加于 2019年5月5日星期日 上午12:04:05", "2019-05-05T00:04:05Z"),
        ("添加于 2019年5月5日星期日 15:04:05", "2019-05-05T15:04:05Z"),
        ("已添加至 2019年12月31日 星期二 下午11:59:59", "2019-12-31T23:59:59Z"),
        ("新增於 2019年5月5日星期日 下午12:04:05", "2019-05-05T12:04:05Z"),
        ("Added on Sunday, May 45, 2019 3:04:05 PM", None),
        ("Added long ago", None),
    ],
)
def test_dates_of_two_languages_and_two_clocks(written: str, expected: str | None) -> None:
    assert read_date(written) == expected


@pytest.mark.parametrize(
    ("facts", "order"),
    [
        ("Your Highlight on page 12 | Location 1170-1172 | Added on Sunday, May 5, 2019 3:04:05 PM", 1170),
        ("Your Highlight on page 12 | location 1170-72 | Added on Sunday, 5 May 2019 15:04:05", 1170),
        ("Your Highlight at location 1170-1172 | Added on Sunday, 5 May 2019 15:04:05", 1170),
        ("Highlight Loc. 1170-72 | Added on Sunday, May 05, 2019, 03:04 PM", 1170),
        ("Your Highlight on page 12-13 | Added on Sunday, May 5, 2019 3:04:05 PM", 12),
        ("您在第 12 页（位置 #1170-1172）的标注 | 添加于 2019年5月5日星期日 下午3:04:05", 1170),
        ("您在位置 #1170-1172的标注 | 添加于 2019年5月5日星期日 15:04:05", 1170),
        ("您在第 12 页的标注 | 添加于 2019年5月5日星期日 下午3:04:05", 12),
        ("我的标注 位置 1170-1172 | 已添加至 2019年5月5日 星期日 下午3:04:05", 1170),
        ("您在位置 1170-1172的標註 | 新增於 2019年5月5日星期日 下午3:04:05", 1170),
    ],
)
def test_the_line_of_facts_of_each_generation(facts: str, order: int) -> None:
    (passage,) = clippings.read(entry("A Book (B C)", facts, "some words")).passages
    assert passage.order == order
    assert passage.created.startswith("2019-05-05T15:04")


def test_english_and_chinese_highlights_become_notes(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    text = (
        "\ufeff" + highlight("A lantern burned in the tower")
        + entry("The Island (Ann Author)", "Your Note on Location 101 | Added on Sunday, 5 May 2019 15:05:05", "why?")
        + "\ufeff" + entry("石猴记 (佚名)", "您在位置 #7-8的标注 | 添加于 2019年5月5日星期日 下午3:04:05", "名曰傲来国")
        + entry("石猴记 (佚名)", "您在位置 #8 的书签 | 添加于 2019年5月5日星期日 下午3:04:05", "")
    )  # fmt: skip
    result = load(shelf, tmp_path, text.replace("\n", "\r\n"))
    assert (result.notes.added, result.notes.failed, result.skipped) == (2, 0, {"replaced": 0, "bookmarks": 1})
    (note,) = shelf.notes.list(docs=[island]).notes
    assert (note.quote, note.body, note.state, note.origin) == (
        "A lantern burned in the tower",
        "why?",
        "exact",
        "kindle",
    )
    assert (note.created, note.updated) == ("2019-05-05T15:04:05Z", "2019-05-05T15:05:05Z")
    assert [n.quote for n in shelf.notes.list(docs=[stone]).notes] == ["名曰傲来国"]
    assert [n.id for n in shelf.notes.list(query="why").notes] == [note.id]


def test_an_import_of_the_same_file_adds_nothing(shelf: Library, tmp_path: Path) -> None:
    text = highlight("A lantern burned in the tower") + highlight("nowhere at all", "200")
    assert load(shelf, tmp_path, text).notes.added == 1
    again = load(shelf, tmp_path, text)
    assert (again.notes.added, again.notes.updated, again.notes.unchanged, again.notes.failed) == (0, 0, 1, 1)


def test_an_extended_highlight_takes_the_place_of_the_shorter_one(shelf: Library, island: str, tmp_path: Path) -> None:
    short = highlight("sealed with green wax", "50-51")
    long = highlight("Eleanor found a letter sealed with green wax.", "50-52", at="4:00:00 PM")
    load(shelf, tmp_path, short)
    (before,) = shelf.notes.list(docs=[island]).notes
    result = load(shelf, tmp_path, short + long)
    (after,) = shelf.notes.list(docs=[island]).notes
    assert (result.notes.updated, result.skipped["replaced"]) == (1, 1)
    assert (after.id, after.quote) == (before.id, "Eleanor found a letter sealed with green wax.")
    assert after.locator is not None
    assert shelf.text(island).text[after.locator.start : after.locator.end] == after.quote


def test_highlights_of_one_place_are_one_note_whatever_their_locations_say(
    shelf: Library, island: str, tmp_path: Path
) -> None:
    text = highlight("sealed with green wax", "50") + highlight("sealed with green wax", "900", at="4:00:00 PM")
    text += highlight("found a letter sealed with green wax", "2000", at="5:00:00 PM")
    assert load(shelf, tmp_path, text).notes.added == 1
    (note,) = shelf.notes.list(docs=[island]).notes
    assert (note.quote, note.updated) == ("found a letter sealed with green wax", "2019-05-05T17:00:00Z")
    assert load(shelf, tmp_path, text).notes.unchanged == 1


def test_what_a_person_changed_or_removed_stays_so(shelf: Library, island: str, tmp_path: Path) -> None:
    text = highlight("sealed with green wax", "50") + highlight("the great storm", "20")
    load(shelf, tmp_path, text)
    kept, gone = sorted(shelf.notes.list(docs=[island]).notes, key=lambda n: n.quote)
    shelf.notes.edit(kept.id, body="mine", color="green")
    shelf.notes.remove(gone.id)
    load(shelf, tmp_path, text)
    (note,) = shelf.notes.list(docs=[island]).notes
    assert (note.id, note.body, note.color) == (kept.id, "mine", "green")


def test_highlights_with_the_same_words_at_other_places_stay_apart(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "b.md"
    path.write_text(
        "# Bees\n\nThe first day.\n\nThe bees slept.\n\nThe second day.\n\nThe bees slept.\n\nThe third day.\n"
    )
    library.add([str(path)])
    title = "Bees (X)"
    order = [("The first day", "1"), ("The second day", "5"), ("The third day", "9")]
    text = "".join(highlight(words, place, title=title) for words, place in order)
    text += highlight("The bees slept", "7", title=title) + highlight("The bees slept", "3", title=title)
    assert load(library, tmp_path, text).notes.added == 5
    whole = library.text("Bees").text
    found = {n.locator.start for n in library.notes.list().notes if n.locator and n.quote == "The bees slept"}
    assert found == {whole.index("The bees slept"), whole.rindex("The bees slept")}


def test_words_that_stand_twice_are_taken_to_neither_place(shelf: Library, tmp_path: Path) -> None:
    result = load(shelf, tmp_path, highlight("The schooner"))
    assert (result.notes.added, result.notes.failed) == (0, 1)
    assert result.problems[0].line == 1
    assert "stands 2 times" in result.problems[0].message


def test_a_cut_highlight_is_found_by_the_part_that_is_there(shelf: Library, island: str, tmp_path: Path) -> None:
    cut = "Under the third stair Eleanor found a letter sealed with gre"
    result = load(shelf, tmp_path, highlight(cut) + highlight('It began with the words: "Do not trust …', "120"))
    assert result.notes.added == 2
    quotes = [n.quote for n in shelf.notes.list(docs=[island]).notes]
    assert quotes[0].startswith("Under the third stair Eleanor found a letter sealed with")
    assert quotes[1].startswith("It began with the words")


def test_what_does_not_fit_is_listed_with_its_line(shelf: Library, tmp_path: Path) -> None:
    limit = "<You have reached the clipping limit for this item>"
    text = (
        highlight("A lantern burned in the tower")
        + highlight(limit, "200")
        + highlight("<您已达到本书的剪贴上限>", "300")
        + highlight("words of a book", title="A Book That Is Not Here (X)")
        + highlight("these words are nowhere in that story", "400")
        + entry("The Island (X)", "Your Note on Location 900 | Added on Sunday, May 5, 2019 3:04:05 PM", "alone")
        + "garbage\n" + END
        + "The Island (Ann Author)\n- Your Highlight on Location 5 | Added on Sunday, 5 May 2019 15:04:05\n\nbreaks o"
    )  # fmt: skip
    result = load(shelf, tmp_path, text)
    assert (result.notes.added, result.notes.failed) == (1, 7)
    assert [p.line for p in result.problems] == [6, 11, 16, 21, 26, 31, 33]
    said = [p.message for p in result.problems]
    assert "clipping limit" in said[0]
    assert "clipping limit" in said[1]
    assert "no document here is called “A Book That Is Not Here”" in said[2]
    assert "is not in" in said[3]
    assert "stands beside no highlight" in said[4]
    assert "no entry" in said[5]
    assert "breaks off" in said[6]


@pytest.mark.parametrize(
    "title",
    [
        "The Island",
        "Island, The (Ann Author)",
        "THE ISLAND (Author, Ann)",
        "The Island: A Tale of the Sea (Ann Author)",
        "The Island (Northern Tales Book 1) (Ann Author)",
        "island (Ann Author)",
    ],
)
def test_a_title_is_known_as_a_kindle_writes_it(shelf: Library, tmp_path: Path, title: str) -> None:
    assert load(shelf, tmp_path, highlight("the great storm", title=title)).notes.added == 1


def test_of_two_documents_with_one_title_the_words_decide(shelf: Library, tmp_path: Path) -> None:
    other = tmp_path / "y"
    other.mkdir()
    shelf.add([str(books.island(other, "# The Island\n\nA wholly other story of bees, honey and the winter.\n"))])
    result = load(shelf, tmp_path, highlight("honey and the winter") + highlight("nothing of either", "900"))
    assert result.notes.added == 1
    assert len(result.problems) == 1
    assert load(shelf, tmp_path, highlight("nothing of either", "900")).problems[0].message.count("fits 2 documents")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_that_are_certain_are_read(shelf: Library, tmp_path: Path, encoding: str) -> None:
    text = entry("石猴记 (佚名)", "您在位置 #7-8的标注 | 添加于 2019年5月5日星期日 下午3:04:05", "名曰傲来国")
    assert load(shelf, tmp_path, text, encoding).notes.added == 1


@pytest.mark.parametrize("encoding", ["gb18030", "shift_jis", "utf-16-le"])
def test_another_encoding_is_refused_by_name_and_nothing_is_changed(
    shelf: Library, tmp_path: Path, encoding: str
) -> None:
    text = entry("石猴 (佚名)", "位置 #7-8の標註 | 2019年5月5日 下午3:04:05", "名曰傲")
    with pytest.raises(SourceError, match=r"My Clippings\.txt"):
        load(shelf, tmp_path, text * 20, encoding)
    assert shelf.notes.list().total == 0


def test_a_short_highlight_that_was_cut_in_mid_word_is_found(shelf: Library, island: str, tmp_path: Path) -> None:
    result = load(shelf, tmp_path, highlight("Eleanor found a lett"))
    assert result.notes.added == 1
    assert [n.quote for n in shelf.notes.list(docs=[island]).notes] == ["Eleanor found a"]
