"""Bad input: each case gives a clear error that names file, cause and next step, or just works; the rest is added."""

import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from glossator.errors import StoreError
from glossator.library.library import Library
from glossator.library.results import AddedDocument
from glossator.store import integrity
from tests.data_folder import DATA, needs_data
from tests.library import books

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8


def add(library: Library, good: Path, *bad: Path) -> list[AddedDocument]:
    """Add a good file after bad ones; the good one must be in, and each bad one must be told well."""
    result = library.add([*(str(b) for b in bad), str(good)])
    assert result.documents[-1].status == "added"
    assert library.search("green wax").hits
    for document in result.documents[:-1]:
        assert document.error is not None
        assert document.error["hint"]
        name = Path(document.source).name
        assert name in document.error["message"] or document.error["message"].startswith(document.source)
        assert "Traceback" not in document.error["message"]
    return list(result.documents[:-1])


def test_a_path_that_is_not_there(library: Library, tmp_path: Path) -> None:
    (failed,) = add(library, books.island(tmp_path), tmp_path / "nowhere.epub")
    assert failed.status == "failed"
    assert failed.error is not None
    assert failed.error["code"] == "not_found"
    assert not library.add([str(tmp_path / "nowhere.epub")]).ok


def test_a_folder_of_mixed_files_gives_those_that_can_be_read(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "shelf"
    (folder / "deep" / ".hidden").mkdir(parents=True)
    books.island(folder)
    books.stone(folder / "deep")
    (folder / "cover.png").write_bytes(PNG)
    (folder / "deep" / ".hidden" / "x.md").write_text("# Hidden\n\nNot to be read.\n", "utf-8")
    (folder / "empty.epub").write_bytes(b"")
    result = library.add([str(folder)])
    assert sorted(d.status for d in result.documents) == ["added", "added", "failed"]
    assert result.ok


def test_empty_files(library: Library, tmp_path: Path) -> None:
    for name in ("empty.txt", "empty.epub", "empty.pdf", "empty.docx"):
        (tmp_path / name).write_bytes(b"")
    told = add(library, books.island(tmp_path), *(tmp_path / f"empty.{x}" for x in ("txt", "epub", "pdf", "docx")))
    assert {d.error["code"] for d in told if d.error} == {"damaged"}


def test_a_truncated_file(library: Library, tmp_path: Path) -> None:
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("a.xhtml", "<html/>" * 500)
    cut = tmp_path / "cut.epub"
    cut.write_bytes(whole.read_bytes()[:2_000])
    (failed,) = add(library, books.island(tmp_path), cut)
    assert failed.error is not None
    assert failed.error["code"] == "damaged"


@needs_data
def test_an_encrypted_file(library: Library, tmp_path: Path) -> None:
    assert DATA is not None
    (failed,) = add(library, books.island(tmp_path), DATA / "hostile" / "pdf" / "user_pw.pdf")
    assert failed.error is not None
    assert failed.error["code"] == "encrypted"


def test_a_file_that_is_not_what_its_name_says(library: Library, tmp_path: Path) -> None:
    picture = tmp_path / "picture.epub"
    picture.write_bytes(PNG)
    (failed,) = add(library, books.island(tmp_path), picture)
    assert failed.error is not None
    assert failed.error["code"] in ("damaged", "unsupported_format")


def test_a_name_that_is_not_utf_8(library: Library, tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(name)).write_text(books.ISLAND, "utf-8")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (added,) = library.add([os.fsdecode(name)]).documents
    assert added.status == "added"
    assert added.source.endswith("caf%E9.md")
    assert library.show(os.fsdecode(name)).entry.id == added.id
    assert library.add([str(tmp_path)], glob="*.md").documents[0].status == "unchanged"


def test_a_loop_of_links(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    books.island(folder)
    (folder / "again").symlink_to(folder)
    (folder / "self.md").symlink_to(folder / "self.md")
    result = library.add([str(folder)])
    assert sorted(d.status for d in result.documents) == ["added", "failed"]


def test_a_zip_bomb(library: Library, tmp_path: Path) -> None:
    start = time.monotonic()
    (failed,) = add(library, books.island(tmp_path), books.zip_bomb(tmp_path / "bomb.epub"))
    assert failed.error is not None
    assert failed.error["code"] == "limit"
    assert time.monotonic() - start < 60


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Mount a file system of a given size, where the test may."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "glossator-test", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("mount is not here")
    if done.returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_keeps_what_was_added_and_says_what_to_do(tmp_path: Path) -> None:
    for n in range(8):
        text = "\n\n".join(f"Sentence {i} of book {n} says something of its own, number {i * n}." for i in range(1_500))
        (tmp_path / f"{n}.md").write_text(f"# Book {n}\n\n{text}\n", "utf-8")
    with small_disk(tmp_path / "disk", "3m") as disk, Library.open(disk, embedder="none") as library:
        result = library.add([str(tmp_path)], glob="?.md")
        states = [d.status for d in result.documents]
        assert "failed" in states
        told = next(d.error for d in result.documents if d.error)
        assert told["code"] == "store"
        assert "space" in told["message"] + told["hint"]
        assert len(library.documents().documents) == states.count("added")
        with library.database.read() as c:
            assert [p for check in integrity.CHECKS.values() for p in check(c)] == []


def test_a_read_only_library_can_be_read_and_refuses_to_be_written(tmp_path: Path) -> None:
    path = books.island(tmp_path)
    with small_disk(tmp_path / "disk", "20m") as disk:
        with Library.open(disk, embedder="none") as library:
            library.add([str(path)])
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with Library.open(disk, embedder="none") as library:
            assert library.search("green wax").hits
            assert library.add([str(path)]).documents[0].status == "unchanged"
            (failed,) = library.add([str(books.stone(tmp_path))]).documents
            assert failed.error is not None
            assert "read-only" in failed.error["message"]
            with pytest.raises(StoreError, match="read-only"):
                library.progress(library.documents().documents[0].id, at=3)


def test_a_library_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(PNG)
    with pytest.raises(StoreError, match="damaged"):
        Library.open(tmp_path)


CHILD = """
import sys
from pathlib import Path
from glossator.library.library import Library
with Library.open(Path(sys.argv[1]), embedder="none") as library:
    library.add([sys.argv[2]], progress=lambda e: print(e.stage, e.done, flush=True))
"""


def test_a_killed_add_leaves_a_whole_library_that_goes_on(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for n in range(12):
        text = "\n\n".join(f"Sentence {i} of book {n} says something of its own." for i in range(400))
        (files / f"{n:02}.md").write_text(f"# Book {n}\n\n{text}\n", "utf-8")
    command = [sys.executable, "-c", CHILD, str(tmp_path / "library"), str(files)]
    for wanted in ("reading 1", "parsing 4", "indexing 7"):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for line in child.stdout:
                if line.startswith(wanted):
                    child.send_signal(signal.SIGKILL)
                    break
        acknowledged = int(wanted.split()[1])
        with Library.open(tmp_path / "library", embedder="none") as library:
            assert len(library.documents().documents) >= acknowledged
            with library.database.read() as c:
                assert [p for check in integrity.CHECKS.values() for p in check(c)] == []
    with Library.open(tmp_path / "library", embedder="none") as library:
        assert all(d.status in ("added", "unchanged") for d in library.add([str(files)]).documents)
        assert len(library.documents().documents) == 12


PLAIN = ("don't use agents", "C++", "--error", "NEAR(x)", 'an "unterminated quote', "玉")
ODD = (*PLAIN, "*", '"', "-", "", "\u0000", "a" * 50_000)


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
def test_any_text_is_a_query(shelf: Library, query: str) -> None:
    assert shelf.search(query).to_json()["hits"] is not None


def test_odd_queries_find_what_they_say(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "odd.md"
    path.write_text(
        "# Odd\n\nWe don't use agents in C++ code.\n\n## Two\n\n黛玉笑道。\n\n## Three\n\nNothing.\n", "utf-8"
    )
    library.add([str(path)])
    for query in ("don't use agents", "C++", "玉"):
        assert library.search(query).hits[0].text.count(query), query
