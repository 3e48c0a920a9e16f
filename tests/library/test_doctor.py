"""What the doctor finds, and what a repair mends."""

from pathlib import Path, PurePosixPath

import apsw
import pytest

from glossator.library import doctor
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.library.upkeep import Diagnosis
from tests.library import books


def failed(diagnosis: Diagnosis) -> list[str]:
    """Return the names of the checks that failed; each must say what to do."""
    assert all(c.hint for c in diagnosis.checks if c.status != "ok")
    return [c.name for c in diagnosis.checks if c.status == "failed"]


def warned(diagnosis: Diagnosis) -> list[str]:
    """Return the names of the checks with a warning."""
    return [c.name for c in diagnosis.checks if c.status == "warning"]


def damage(library: Library, sql: str) -> None:
    """Change the library file behind the program's back."""
    c = apsw.Connection(str(library.database.path))
    c.execute(sql)
    c.close()


def test_a_library_that_is_well_passes_every_check(shelf: Library) -> None:
    diagnosis = shelf.doctor()
    assert diagnosis.ok
    assert warned(diagnosis) in ([], ["space"])


@pytest.mark.parametrize(
    ("sql", "check"),
    [
        ("delete from chunk where id = 1", "counts"),
        ("update lexical_segment set data = zeroblob(40) where id = 1", "postings"),
        ("delete from lexical_segment where id = 1", "counts"),
        ("update part set text = 'x' || substr(text, 2) where id = 1", "texts"),
        ("delete from content where document = 1", "counts"),
    ],
)
def test_damage_is_found(shelf: Library, sql: str, check: str) -> None:
    damage(shelf, sql)
    assert check in failed(shelf.doctor())


@pytest.mark.parametrize(
    "sql",
    [
        "delete from chunk where id = 1",
        "update lexical_segment set data = zeroblob(40) where id = 1",
        "delete from lexical_segment where id = 1",
        "delete from part",
        "update part set text = 'x' || substr(text, 2)",
    ],
)
def test_a_repair_makes_derived_data_again_and_keeps_what_a_person_made(shelf: Library, island: str, sql: str) -> None:
    shelf.shelves.create("Sea")
    shelf.shelves.add("Sea", [island])
    shelf.progress(island, section=3)
    before = (shelf.documents().to_json(), shelf.progress(island).to_json())
    damage(shelf, sql)
    assert failed(shelf.doctor())
    assert failed(shelf.doctor(repair=True)) == []
    assert (shelf.documents().to_json(), shelf.progress(island).to_json()) == before
    assert shelf.search("schooner anchor rope", bound=Bound(uncapped=True)).hits


def test_documents_cut_by_other_settings_are_told_and_cut_again(shelf: Library) -> None:
    damage(shelf, "update content set chunker = '0 old'")
    assert "derived" in warned(shelf.doctor())
    assert "derived" not in warned(shelf.doctor(repair=True))


def test_documents_read_by_an_older_parser_are_read_again(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    library.add([str(path)])
    damage(library, "update content set parser = 'markdown/0'")
    assert "derived" in warned(library.doctor())
    assert library.doctor(repair=True).ok
    assert library.show("The Island").parser != "markdown/0"


def test_a_moved_original_is_a_warning_and_the_text_stays(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    library.add([str(path)])
    path.rename(tmp_path / "elsewhere.md")
    assert warned(library.doctor()) in (["originals"], ["originals", "space"])
    assert library.search("green wax").hits


def test_what_lies_about_is_named(shelf: Library) -> None:
    kept = shelf.database.folder / "originals"
    kept.mkdir()
    (kept / "abc.html").write_text("x", "utf-8")
    assert "leftovers" in warned(shelf.doctor())


@pytest.mark.models
def test_another_embedder_is_told_and_a_repair_embeds_again(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", embedder="none") as library:
        library.add([str(books.island(tmp_path))])
    with Library.open(tmp_path / "library", embedder="builtin:use") as library:
        assert "derived" in warned(library.doctor())
        assert library.doctor(repair=True).ok
        (hit,) = library.search("a hidden message", k=1, mode="vector", explain=True).hits
        assert hit.trace is not None
        assert hit.trace["arms"]["vector"][0]["model"] == "builtin:use"


@pytest.mark.parametrize(
    ("folder", "service"),
    [
        ("/home/a/Dropbox/library", "Dropbox"),
        ("/Users/a/Library/Mobile Documents/x", "iCloud Drive"),
        ("/home/a/OneDrive - Firm/library", "OneDrive"),
        ("/home/a/dropboxes/library", None),
    ],
)
def test_a_synchronised_folder_is_known_by_its_path(folder: str, service: str | None) -> None:
    assert doctor.synced_by(PurePosixPath(folder)) == service
