"""Notes through the façade: the file changes, goes, comes back, or comes in another format."""

from pathlib import Path

import pytest

from glossator.library.library import Library
from tests.library.books import ISLAND, STONE

QUOTES = ("Captain Marlowe counted eleven sailors", "Do not trust the pilot", "cut the anchor rope")


def page(path: Path, text: str) -> Path:
    body = "".join(f"<p>{part.lstrip('# ')}</p>" for part in text.split("\n\n"))
    path.write_text(f"<html><head><title>A page</title></head><body>{body}</body></html>", "utf-8")
    return path


def written(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


def add(library: Library, path: Path | str) -> str:
    (added,) = library.add([str(path)]).documents
    assert added.id, added
    return added.id


def notes(library: Library, doc: str, *quotes: str) -> None:
    for quote in quotes:
        library.notes.add(doc, quote=quote, body=f"on {quote}")


def standing(library: Library, doc: str) -> dict[str, str | None]:
    """What each note says it is about, and the words where it stands in a document."""
    text = library.text(doc).text
    found = {}
    for note in library.notes.list(docs=[doc]).to_json()["notes"]:
        place = note["locator"]
        assert (place is None) == (note["state"] == "lost")
        if place:
            assert text[place["start"] : place["end"]] == place["quote"]["exact"]
        found[note["quote"]] = place and place["quote"]["exact"]
    return found


def test_notes_follow_their_words_when_the_file_changes(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "island.md"
    doc = add(library, written(path, ISLAND))
    notes(library, doc, *QUOTES)
    changed = ISLAND.replace("# The Island", "# The Island\n\nTo my brother.").replace("eleven", "twelve")
    changed = changed.replace("\n\nShe hid it", " She hid it").replace("cut the anchor rope. ", "")
    assert add(library, written(path, changed)) == doc
    assert standing(library, doc) == {
        "Captain Marlowe counted eleven sailors": "Captain Marlowe counted twelve sailors",
        "Do not trust the pilot": "Do not trust the pilot",
        "cut the anchor rope": None,
    }
    states = {n["quote"]: (n["state"], n["score"]) for n in library.notes.list(docs=[doc]).to_json()["notes"]}
    assert states["Do not trust the pilot"] == ("exact", 1.0)
    assert states["Captain Marlowe counted eleven sailors"][0] == "moved"
    assert 0.5 < states["Captain Marlowe counted eleven sailors"][1] < 1


def test_add_says_how_many_notes_a_changed_file_lost(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "island.md"
    doc = add(library, written(path, ISLAND))
    notes(library, doc, *QUOTES)
    (added,) = library.add([written(path, ISLAND.replace("cut the anchor rope. ", ""))]).documents
    assert any("1 note" in w and "lost" in w for w in added.warnings)


def test_a_lost_note_is_listed_and_can_be_attached_again(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "island.md"
    doc = add(library, written(path, ISLAND))
    notes(library, doc, "cut the anchor rope")
    add(library, written(path, ISLAND.replace("cut the anchor rope", "severed the mooring line for good")))
    (lost,) = library.notes.list(docs=[doc], states=["lost"]).to_json()["notes"]
    assert lost["quote"] == "cut the anchor rope"
    library.notes.attach(lost["id"], quote="severed the mooring line")
    assert list(standing(library, doc).values()) == ["severed the mooring line"]


def test_notes_come_back_with_the_file(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "island.md"
    doc = add(library, written(path, ISLAND))
    notes(library, doc, *QUOTES)
    library.remove(doc)
    assert [n["state"] for n in library.notes.list().to_json()["notes"]] == ["lost"] * 3
    assert standing(library, add(library, path)) == dict(zip(QUOTES, QUOTES, strict=True))


@pytest.mark.parametrize("removed", [False, True])
@pytest.mark.parametrize(("text", "quotes"), [(ISLAND, QUOTES), (STONE, ("产一石卵，化作一个石猴", "众猴拜他为王"))])
def test_the_work_in_another_format_holds_the_notes(
    library: Library, tmp_path: Path, text: str, quotes: tuple[str, ...], removed: bool
) -> None:
    doc = add(library, written(tmp_path / "book.md", text))
    notes(library, doc, *quotes)
    if removed:
        library.remove(doc)
    other = add(library, page(tmp_path / "book.html", text))
    assert standing(library, other) == dict(zip(quotes, quotes, strict=True))
    listed = library.notes.list().to_json()["notes"]
    assert len(listed) == len(quotes)  # each once
    assert {n["document"]["id"] for n in listed} == {other if removed else doc}


def test_another_book_holds_no_notes(library: Library, tmp_path: Path) -> None:
    notes(library, add(library, written(tmp_path / "island.md", ISLAND)), *QUOTES)
    assert standing(library, add(library, written(tmp_path / "stone.md", STONE))) == {}


def test_of_a_repeated_sentence_the_note_keeps_its_own(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "bells.md"
    lines = [f"In the {w} hour the watchman called out. The bell was silent. Then {w} steps were heard." for w in
             ("first", "second", "third", "fourth")]  # fmt: skip
    doc = add(library, written(path, "# Bells\n\n" + "\n\n".join(lines)))
    for n in range(1, 5):
        library.notes.add(doc, quote="The bell was silent.", occurrence=n, body=str(n))
    lines[1] = lines[1].replace(" The bell was silent.", "")
    add(library, written(path, "# Bells\n\nA preface.\n\n" + "\n\n".join(lines)))
    text = library.text(doc).text
    hours = {}
    for note in library.notes.list(docs=[doc]).to_json()["notes"]:
        place = note["locator"]
        hours[note["body"]] = place and text[: place["start"]].rsplit("In the ", 1)[1].split()[0]
    assert hours == {"1": "first", "2": None, "3": "third", "4": "fourth"}
