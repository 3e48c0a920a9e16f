"""Notes that stand in a PDF's own file, read in when it is added."""

from pathlib import Path

from glossator.library.library import Library
from glossator.library.note_views import Note
from tests.parse.pdf.make import CHAR, Page, Pdf, Text, column, mark

LINES = ("The schooner reached the island at dawn.", "Captain Marlowe counted eleven sailors.", "Nobody spoke a word.")


def box(line: int, start: int, end: int) -> tuple[float, float, float, float]:
    y = 700 - 12 * line
    return 50 + start * CHAR * 10, y - 2, 50 + end * CHAR * 10, y + 8


def write(path: Path, *marks: str, before: str = "") -> Path:
    texts = [Text(50, 740, before)] if before else []
    return Pdf([Page([*texts, *column(50, 700, LINES)], marks=marks)], {"Title": "The Log"}).write(path)


def quotes(notes: tuple[Note, ...]) -> list[tuple[str, str, str]]:
    return [(n.quote, n.body, n.color) for n in notes]


FIRST = mark("Highlight", box(0, 4, 20), Contents="Look!", T="Ada", NM="one", CreationDate="D:20240131093000Z")
SECOND = mark("Underline", box(1, 0, 15), rgb="0 0 1", NM="two")


def test_what_was_marked_in_a_pdf_is_listed_as_notes_with_author_and_date(library: Library, tmp_path: Path) -> None:
    library.add([str(write(tmp_path / "log.pdf", FIRST, SECOND))])
    listed = library.notes.list()
    first = next(n for n in listed.notes if n.body)
    assert sorted(quotes(listed.notes)) == [
        ("Captain Marlowe", "", "blue"),
        ("schooner reached", "Look!", "yellow"),
    ]
    assert (first.origin, first.author, first.created) == ("pdf", "Ada", "2024-01-31T09:30:00Z")
    assert first.locator is not None
    assert first.locator.rects
    assert library.notes.list(query="look").total == 1


def test_adding_the_file_again_doubles_nothing(library: Library, tmp_path: Path) -> None:
    path = write(tmp_path / "log.pdf", FIRST, SECOND)
    library.add([str(path)])
    before = library.notes.list()
    library.add([str(path)])
    library.remove("The Log")
    library.add([str(path)])
    after = library.notes.list()
    assert {n.id for n in after.notes} == {n.id for n in before.notes}
    assert {n.state for n in after.notes} == {"exact"}


def test_a_changed_file_changes_its_notes(library: Library, tmp_path: Path) -> None:
    path = write(tmp_path / "log.pdf", FIRST, SECOND)
    library.add([str(path)])
    ids = {n.quote: n.id for n in library.notes.list().notes}
    changed = mark("Highlight", box(0, 4, 20), Contents="Look again!", T="Ada", NM="one")
    write(path, changed, mark("Highlight", box(2, 0, 6), NM="three"), before="A line that is new stands here.")
    library.add([str(path)])
    listed = library.notes.list()
    assert sorted(quotes(listed.notes)) == [
        ("Nobody", "", "yellow"),
        ("schooner reached", "Look again!", "yellow"),
    ]
    assert ids["schooner reached"] in {n.id for n in listed.notes}
    assert library.notes.list(query="again").total == 1


def test_what_a_person_changed_or_removed_here_stays_so(library: Library, tmp_path: Path) -> None:
    path = write(tmp_path / "log.pdf", FIRST, SECOND)
    library.add([str(path)])
    ids = {n.quote: n.id for n in library.notes.list().notes}
    library.notes.edit(ids["schooner reached"], body="Mine", tags=["ship"])
    library.notes.remove(ids["Captain Marlowe"])
    write(path, FIRST, SECOND, before="A line that is new stands here.")
    library.add([str(path)])
    assert quotes(library.notes.list().notes) == [("schooner reached", "Mine", "yellow")]


def test_deleted_with_their_document_they_come_back_with_the_file(library: Library, tmp_path: Path) -> None:
    path = write(tmp_path / "log.pdf", FIRST)
    library.add([str(path)])
    library.notes.add("The Log", quote="eleven sailors")
    library.remove("The Log", notes="delete")
    assert library.notes.list().total == 0
    library.add([str(path)])
    assert quotes(library.notes.list().notes) == [("schooner reached", "Look!", "yellow")]
