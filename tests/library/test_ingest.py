"""Adding files: what becomes of each, and what the library holds afterwards."""

import threading
from pathlib import Path

import pytest

from glossator.library.library import Library
from glossator.library.results import Bound, IngestEvent
from glossator.store import integrity
from tests.library import books


def test_an_added_document_is_told_with_its_parts_and_can_be_searched(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    (added,) = library.add([str(path)]).documents
    assert added.status == "added"
    assert added.title == "The Island"
    assert (added.format, added.language, added.source) == ("markdown", "en", str(path))
    assert added.sections >= 4
    assert added.chunks >= 3
    assert added.pages is None
    assert added.confidence == 1.0
    assert added.vectors == "none"
    assert added.error is None
    assert library.search("green wax").hits[0].document.id == added.id


def test_the_same_bytes_are_unchanged_and_a_second_path_is_one_more_source(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    (first,) = library.add([str(path)]).documents
    copy = tmp_path / "copy.md"
    copy.write_bytes(path.read_bytes())
    again = library.add([str(path), str(copy)]).documents
    assert [(d.status, d.id) for d in again] == [("unchanged", first.id)] * 2
    (entry,) = library.documents().documents
    assert entry.sources == (str(path), str(copy))


def test_a_changed_file_keeps_its_id_and_its_place_is_found_again(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    (first,) = library.add([str(path)]).documents
    text = library.text(first.id or "").text
    library.progress(first.id or "", at=text.index("She hid it"))
    path.write_text(
        books.ISLAND.replace("## Arrival", "## Preface\n\nA preface was put in front.\n\n## Arrival"), "utf-8"
    )
    (second,) = library.add([str(path)]).documents
    assert (second.status, second.id) == ("updated", first.id)
    new = library.text(first.id or "", bound=Bound(uncapped=True)).text
    progress = library.progress(first.id or "")
    assert new[progress.position :].startswith("She hid it")
    assert progress.read_to == progress.position
    assert library.search("preface", bound=Bound(uncapped=True)).hits
    assert len(library.documents().documents) == 1


def test_a_file_with_another_text_is_another_document_and_says_so(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    (first,) = library.add([str(path)]).documents
    path.write_text(books.STONE, "utf-8")
    (second,) = library.add([str(path)]).documents
    assert second.status == "added"
    assert second.id != first.id
    assert any(first.id in w and "The Island" in w for w in second.warnings if first.id)
    assert {d.id for d in library.documents().documents} == {first.id, second.id}


def test_a_text_read_badly_is_listed_and_not_searched(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("kept words " + "\ufffd\ufffd\ufffd " * 300, "utf-8")
    result = library.add([str(path)])
    assert result.ok
    (added,) = result.documents
    assert added.status == "quarantined"
    assert any("decoded" in w for w in added.warnings)
    assert library.documents().documents[0].status == "quarantined"
    assert not library.search("kept words").hits
    shown = library.show(added.id or "")
    assert shown.reasons
    assert shown.indexed_characters == 0
    assert "kept words" in library.text(added.id or "").text


def test_documents_go_into_the_collection_named_also_when_they_were_there(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    library.add([str(path)])
    library.add([str(path), str(books.stone(tmp_path))], collection="Sea")
    assert library.shelves.collections().to_json()["collections"] == [
        {"name": "Sea", "description": None, "documents": 2}
    ]
    assert {d.title for d in library.documents("Sea").documents} == {"The Island", "石猴记"}


def test_steps_are_told_in_order_and_cancelling_keeps_what_was_done(library: Library, tmp_path: Path) -> None:
    for n in range(4):
        (tmp_path / f"{n}.md").write_text(f"# Book {n}\n\nThis is the text of book number {n}.\n", "utf-8")
    events: list[IngestEvent] = []
    result = library.add(
        [str(tmp_path)], glob="*.md", progress=events.append, cancel=lambda: len(result_of(events)) >= 2
    )
    assert result.interrupted
    assert [d.status for d in result.documents] == ["added", "added"]
    assert [e.done for e in result_of(events)] == [1, 2]
    assert [e.done for e in events if e.stage == "reading"] == [0, 1]
    assert len(library.documents().documents) == 2
    assert [d.status for d in library.add([str(tmp_path)], glob="*.md").documents] == ["unchanged"] * 2 + ["added"] * 2


def result_of(events: list[IngestEvent]) -> list[IngestEvent]:
    """Return the events that say that a file is finished."""
    return [e for e in events if e.stage == "indexing"]


def test_two_processes_may_add_at_once(tmp_path: Path) -> None:
    for n in range(6):
        (tmp_path / f"{n}.md").write_text(f"# Book {n}\n\nThis is the text of book number {n}.\n", "utf-8")
    failures: list[object] = []

    def run() -> None:
        with Library.open(tmp_path / "library", embedder="none") as mine:
            failures.extend(d for d in mine.add([str(tmp_path)], glob="*.md").documents if d.status == "failed")

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with Library.open(tmp_path / "library", embedder="none") as library, library.database.read() as c:
        assert len(library.documents().documents) == 6
        assert [p for check in integrity.CHECKS.values() for p in check(c)] == []


@pytest.mark.models
def test_vectors_left_waiting_are_computed_by_the_next_add(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", embedder="builtin:use") as library:
        path = books.island(tmp_path)
        (added,) = library.add([str(path)], wait=False).documents
        assert added.vectors == "pending"
        assert library.search("green wax").hits
        (again,) = library.add([str(path)]).documents
        assert (again.status, again.vectors) == ("unchanged", "ready")


def test_removing_leaves_nothing_and_the_file_where_it_is(shelf: Library) -> None:
    entry = shelf.documents().documents[0]
    assert shelf.remove(entry.id).to_json() == {"removed": entry.id, "notes": "kept"}
    assert Path(entry.sources[0]).exists()
    assert entry.id not in {d.id for d in shelf.documents().documents}
    with shelf.database.read() as c:
        assert [p for check in integrity.CHECKS.values() for p in check(c)] == []


def test_what_a_person_edits_stays_when_the_file_changes(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    (added,) = library.add([str(path)]).documents
    edited = library.edit(added.id or "", title="The Isle", authors=["E. Marsh", "R. Pole"]).to_json()
    assert (edited["title"], edited["metadata"]["authors"]) == ("The Isle", ["E. Marsh", "R. Pole"])
    path.write_text(books.ISLAND + "\nOne more sentence stands at the end.\n", "utf-8")
    library.add([str(path)])
    assert library.documents().documents[0].title == "The Isle"
