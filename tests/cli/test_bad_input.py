"""What goes wrong ends in one error that names file, cause and next step; the other files are added all the same."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli import contract
from tests.cli.books import LIGHTHOUSE, write_books
from tests.cli.runner import Shell

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX file names, signals and limits")
COMMAND = (sys.executable, "-m", "glossator")


def bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", b"\0" * (64 << 20))


def loop(path: Path) -> None:
    path.symlink_to(path)


CASES = {
    "missing.epub": lambda _: None,
    "empty.epub": lambda p: p.write_bytes(b""),
    "empty.txt": lambda p: p.write_bytes(b""),
    "truncated.epub": lambda p: p.write_bytes(b"PK\x03\x04\x14\x00\x00\x00" + b"x" * 60),
    "truncated.pdf": lambda p: p.write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog"),
    "noise.docx": lambda p: p.write_bytes(bytes(range(256)) * 8),
    "picture.png": lambda p: p.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 64),
    "bomb.epub": bomb,
    "loop.md": loop,
}


def add_with_good_one(shell: Shell, bad: Path) -> dict[str, Any]:
    good = bad.parent / "good.md"
    good.write_text("# Gulls\n\nA gull on a chimney.\n")
    found = shell.json("add", bad, good, "--embedder", "none")
    contract.check(found, contract.ADDED)
    return dict(zip(("bad", "good"), found["documents"], strict=True))


@needs_posix
@pytest.mark.parametrize("name", list(CASES))
def test_a_bad_file_is_named_with_cause_and_next_step(empty: Shell, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    CASES[name](path)
    found = add_with_good_one(empty, path)
    assert found["good"]["status"] == "added"
    assert found["bad"]["status"] in ("failed", "quarantined")
    if found["bad"]["status"] == "failed":
        error = found["bad"]["error"]
        assert name in found["bad"]["source"] or name in error["message"]
        assert error["message"]
        assert error["hint"]
    assert len(empty.json("list")["documents"]) == 1 + (found["bad"]["status"] == "quarantined")


def test_a_folder_of_mixed_files_adds_those_that_can_be_read(empty: Shell, tmp_path: Path) -> None:
    books = write_books(tmp_path / "books")
    (books / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0" + b"\0" * 100)
    (books / "deeper").mkdir()
    (books / "deeper" / "gull.md").write_text("# Gull\n\nOn a chimney.\n")
    found = empty.json("add", books, "--embedder", "none")["documents"]
    assert sum(d["status"] == "added" for d in found) == 5
    found = empty.json("add", books, "--glob", "*.md", "--embedder", "none")["documents"]
    assert {Path(d["source"]).suffix for d in found} == {".md"}


def test_when_nothing_was_added_and_something_failed_the_exit_code_is_1(empty: Shell, tmp_path: Path) -> None:
    found = empty.json("add", tmp_path / "no.epub", code=1)
    contract.check(found, contract.ADDED)


def test_the_right_content_under_a_wrong_name_is_read_or_told(empty: Shell, tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text("<!doctype html><html><body><h1>Knots</h1><p>A bowline does not slip.</p></body></html>")
    found = add_with_good_one(empty, path)
    assert found["bad"]["status"] == "added" or found["bad"]["error"]["hint"]


@needs_posix
def test_names_that_are_no_utf8_are_added_listed_and_found_again(empty: Shell, tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(raw)).write_text("# Coffee\n\nStrong and black.\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    found = empty.json("add", os.fsdecode(raw), "--embedder", "none")["documents"][0]
    assert (found["status"], found["source"].endswith("caf%E9.md")) == ("added", True)
    assert empty.json("show", os.fsdecode(raw))["id"] == found["id"]
    assert empty("list").code == 0
    assert empty.json("show", os.fsdecode(b"caf\xe9"), code=1)["error"]["code"] == "not_found"


def test_a_library_where_none_can_be_made_is_an_error_of_each_path(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    (tmp_path / "gull.md").write_text("# Gull\n\nOn a chimney.\n")
    found = Shell(blocked / "library").json("add", tmp_path / "gull.md", code=1)
    contract.check(found, contract.ADDED)
    assert found["documents"][0]["error"]["code"] == "store"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anything")
def test_a_library_that_may_not_be_written_can_still_be_searched(own: Shell, tmp_path: Path) -> None:
    (tmp_path / "gull.md").write_text("# Gull\n\nOn a chimney.\n")
    for path in (*own.library.iterdir(), own.library):
        path.chmod(0o500 if path.is_dir() else 0o400)
    found = own.json("add", tmp_path / "gull.md", code=1)
    assert "permission" in json.dumps(found).lower() or "read-only" in json.dumps(found)
    assert own.json("search", "lantern")["hits"]


def test_a_damaged_library_is_told_with_the_way_out(own: Shell) -> None:
    (own.library / "library.db").write_bytes(b"SQLite format 3\0" + b"\x07" * 5000)
    found = own.json("list", code=1)
    contract.check(found, contract.ERROR)
    assert str(own.library) in found["error"]["message"]


def environment(shell: Shell) -> dict[str, str]:
    return {**os.environ, "GLOSSATOR_LIBRARY": str(shell.library), "LC_ALL": "C"}


def start(shell: Shell, *words: object, **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        env=environment(shell),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def many_books(folder: Path, count: int) -> Path:
    folder.mkdir()
    for i in range(count):
        (folder / f"{i:03}.md").write_text(LIGHTHOUSE.replace("Mara", f"Mara{i}") * 3, "utf-8")
    return folder


@needs_posix
def test_ctrl_c_prints_what_is_done_and_ends_with_130(empty: Shell, tmp_path: Path) -> None:
    books = many_books(tmp_path / "many", 300)
    process = start(empty, "add", books, "--embedder", "none", "--json")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (empty.library / "library.db").exists():
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err.decode()
    assert b"Traceback" not in err
    found = json.loads(out)
    contract.check(found, contract.ADDED)
    done = {d["id"] for d in found["documents"] if d["status"] == "added"}
    assert len(done) < 300
    assert {d["id"] for d in empty.json("list")["documents"]} == done
    assert empty.json("doctor")["ok"]


@needs_posix
def test_long_work_on_a_terminal_shows_how_far_it_is(empty: Shell, tmp_path: Path) -> None:
    books = many_books(tmp_path / "many", 20)
    seen, terminal = os.openpty()
    process = subprocess.Popen(
        [*COMMAND, "add", str(books), "--embedder", "none"],
        env={**environment(empty), "TERM": "xterm-256color", "COLUMNS": "80"},
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # how Linux says that the other end is closed
        while chunk := os.read(seen, 65536):
            shown += chunk
    os.close(seen)
    assert process.wait(60) == 0
    text = shown.decode()
    assert "/20" in text
    assert "files/s" in text
    assert "20 added" in text


@needs_posix
def test_ctrl_c_in_a_repair_asks_it_to_stop(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from glossator.library.library import Library
    from glossator.library.upkeep import Check, Diagnosis

    def interrupted(*_: object, cancel: Callable[[], bool], **__: object) -> Diagnosis:
        assert not cancel()
        os.kill(os.getpid(), signal.SIGINT)
        assert cancel()
        return Diagnosis((Check("repair", "warning", "stopped", "run it again"),))

    monkeypatch.setattr(Library, "doctor", interrupted)
    contract.check(shell.json("doctor", "--repair", code=130), contract.DOCTOR)


@needs_posix
def test_ctrl_c_in_a_batch_leaves_whole_lines(shell: Shell) -> None:
    process = start(shell, "batch", "-", stdin=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    process.stdin.write(b'{"id": 1, "op": "list"}\n')
    process.stdin.flush()
    first = process.stdout.readline()  # it is answered while the stream is still open
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=30)
    assert (process.returncode, rest, err) == (130, b"", b"")
    contract.check(json.loads(first), {"id": int, "result": contract.LIST})


@needs_posix
def test_two_processes_that_add_at_once_both_succeed(empty: Shell, tmp_path: Path) -> None:
    first, second = many_books(tmp_path / "a", 8), write_books(tmp_path / "b")
    processes = [start(empty, "add", books, "--embedder", "none", "--json") for books in (first, second)]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err.decode()
        assert {d["status"] for d in json.loads(out)["documents"]} == {"added"}
    assert len(empty.json("list")["documents"]) == 12
    assert empty.json("doctor")["ok"]


@needs_posix
def test_a_reader_that_goes_away_is_no_error(shell: Shell) -> None:
    process = start(shell, "text", "The Keeper of the Lantern", bufsize=0)
    assert process.stdout
    process.stdout.close()
    assert process.stderr
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_answer_that_cannot_be_written_is_told(shell: Shell) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "list", "--json"], env=environment(shell), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


@needs_posix
def test_a_full_disk_leaves_the_library_whole(own: Shell, tmp_path: Path) -> None:
    import resource

    def limit() -> None:
        size = (own.library / "library.db").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 4096, size + 4096))

    books = many_books(tmp_path / "many", 60)
    process = start(own, "add", books, "--embedder", "none", "--json", preexec_fn=limit)
    out, err = process.communicate(timeout=60)
    assert b"Traceback" not in err
    found = json.loads(out)
    contract.check(found, contract.ADDED)
    assert any(d["status"] == "failed" and d["error"]["hint"] for d in found["documents"])
    assert own.json("doctor")["ok"]
    assert len(own.json("list")["documents"]) == 4 + sum(d["status"] == "added" for d in found["documents"])


@needs_posix
def test_output_is_utf8_in_a_c_locale(shell: Shell) -> None:
    done = subprocess.run([*COMMAND, "search", "石猴"], env=environment(shell), capture_output=True, check=True)
    assert "石猴" in done.stdout.decode("utf-8")


def test_a_defect_is_told_without_a_traceback(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from glossator.library.library import Library

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("gears")

    monkeypatch.setattr(Library, "documents", broken)
    run = shell("list", "--json")
    contract.check(run.json, contract.ERROR)
    assert (run.code, run.err) == (1, "")
    assert "RuntimeError: gears" in run.json["error"]["message"]
    assert "Traceback" in shell("list", "--json", "--verbose", "--verbose").err
