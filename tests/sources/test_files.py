import hashlib
import os
import sys
from pathlib import Path

import pytest

from glossator.errors import NotFound, SourceError
from glossator.sources.files import SourceFile, SourceProblem, sha256, shown, uri_of, walk


def names(found, top: Path) -> list[str]:
    return [str(Path(f.uri).relative_to(top)) for f in found if isinstance(f, SourceFile)]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    for name in ("a.txt", "b.log", "novels/z.EPUB", "novels/c.md", "novels/old/d.fb2.zip", ".hidden/e.txt", ".f.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def test_a_folder_gives_its_readable_files_in_order_and_leaves_hidden_ones_out(shelf: Path) -> None:
    assert names(walk([shelf]), shelf) == ["a.txt", "novels/c.md", "novels/old/d.fb2.zip", "novels/z.EPUB"]


def test_a_named_file_is_tried_whatever_its_name(shelf: Path) -> None:
    assert names(walk([shelf / "b.log", shelf / ".f.txt"], glob="*.md"), shelf) == ["b.log", ".f.txt"]


@pytest.mark.parametrize(
    ("glob", "expected"),
    [
        ("*.log", ["b.log"]),
        ("novels/*", ["novels/c.md", "novels/z.EPUB"]),
        ("**/*.zip", ["novels/old/d.fb2.zip"]),
        ("**", ["a.txt", "b.log", "novels/c.md", "novels/old/d.fb2.zip", "novels/z.EPUB"]),
        ("novels/[!c]*.[Em]*", ["novels/z.EPUB"]),
    ],
)
def test_a_glob_takes_the_place_of_the_suffixes(shelf: Path, glob: str, expected: list[str]) -> None:
    assert names(walk([shelf], glob=glob), shelf) == expected


def test_a_file_named_twice_is_found_once(shelf: Path) -> None:
    assert names(walk([shelf / "a.txt", shelf, shelf / "novels" / ".." / "a.txt"]), shelf).count("a.txt") == 1


def test_loops_of_links_end_and_linked_folders_are_walked_once(shelf: Path) -> None:
    (shelf / "novels" / "up").symlink_to(shelf)
    (shelf / "again").symlink_to(shelf / "novels")
    found = names(walk([shelf]), shelf)
    assert sorted(Path(f).name for f in found) == ["a.txt", "c.md", "d.fb2.zip", "z.EPUB"]


def test_what_is_missing_is_a_problem_among_the_files_and_no_exception(shelf: Path) -> None:
    problem, file = walk([shelf / "nowhere.txt", shelf / "a.txt"])
    assert isinstance(problem, SourceProblem)
    assert isinstance(problem.error, NotFound)
    assert "nowhere.txt" in problem.error.message
    assert problem.error.hint
    assert isinstance(file, SourceFile)


def test_an_empty_path_is_a_problem_and_not_the_working_folder() -> None:
    (problem,) = walk([""])
    assert isinstance(problem, SourceProblem)
    assert "empty path" in problem.error.message


def test_a_link_to_a_lost_file_is_named_as_such(shelf: Path) -> None:
    (shelf / "lost.epub").symlink_to(shelf / "gone.epub")
    (problem,) = (f for f in walk([shelf]) if isinstance(f, SourceProblem))
    assert "a link to a file that is gone" in problem.error.message


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="permissions bind ordinary users only")
def test_an_unreadable_folder_is_a_problem_and_its_neighbours_are_found(shelf: Path) -> None:
    (shelf / "novels").chmod(0)
    try:
        found = list(walk([shelf]))
    finally:
        (shelf / "novels").chmod(0o755)
    assert names(found, shelf) == ["a.txt"]
    assert [p.uri for p in found if isinstance(p, SourceProblem)] == [str(shelf / "novels")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_by_name_and_passed_over_in_a_folder(shelf: Path) -> None:
    os.mkfifo(shelf / "pipe.txt")
    (problem,) = walk([shelf / "pipe.txt"])
    assert isinstance(problem, SourceProblem)
    assert "pipe" in problem.error.message
    assert "pipe.txt" not in names(walk([shelf]), shelf)


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")
def test_a_name_that_is_no_text_is_kept_with_its_bytes_percent_encoded(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xfcch \xe4.txt"))
    path.write_text("x")
    (found,) = walk([tmp_path])
    assert isinstance(found, SourceFile)
    assert found.uri == f"{tmp_path}/b%FCch %E4.txt"
    assert found.path.read_text() == "x"
    found.uri.encode("utf-8")


def test_ordinary_names_are_not_changed() -> None:
    assert uri_of("/книги/書 100%.txt") == "/книги/書 100%.txt"
    assert shown(Path("rel/書.txt")) == "rel/書.txt"


def test_a_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc" * 100_000)
    assert sha256(tmp_path / "a") == hashlib.sha256(b"abc" * 100_000).hexdigest()
    with pytest.raises(NotFound):
        sha256(tmp_path / "b")
    with pytest.raises(SourceError):
        sha256(tmp_path)
