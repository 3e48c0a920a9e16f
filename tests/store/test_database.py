import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from glossator.errors import LibraryBusy, NotFound, StoreError
from glossator.store import database as module
from glossator.store.database import LIBRARY_FILE, Database, open_database
from glossator.store.documents import list_documents
from tests.store.made import add


def test_a_library_is_made_on_first_use_and_keeps_its_id(tmp_path: Path) -> None:
    with_spaces = tmp_path / "my books #1 %41?" / "library"
    first = open_database(with_spaces)
    identity = first.library_id
    first.close()
    assert (with_spaces / LIBRARY_FILE).exists()
    assert open_database(with_spaces).library_id == identity


def test_a_library_that_is_not_there_is_not_made_when_only_reading(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no library"):
        open_database(tmp_path / "none", create=False)
    with pytest.raises(NotFound):
        open_database(tmp_path / "none", readonly=True)
    assert not (tmp_path / "none").exists()


def test_a_failed_write_leaves_nothing_behind(database: Database) -> None:
    def fail(c: apsw.Connection) -> None:
        add(c, ["one", "two"])
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"), database.write() as c:
        fail(c)
    with database.read() as c:
        assert list_documents(c) == []
        assert c.execute("select value from meta where key = 'next_chunk'").fetchall() == [(1,)]
        assert database.generation(c) == 0


def test_a_reader_sees_one_snapshot_while_another_thread_writes(database: Database) -> None:
    def write() -> None:
        with database.write() as c:
            add(c, ["new"])

    with database.read() as c:
        assert database.generation(c) == 0
        writer = threading.Thread(target=write)
        writer.start()
        writer.join()
        with database.read() as nested:
            assert nested is c
            assert list_documents(nested) == []
    with database.read() as c:
        assert len(list_documents(c)) == 1


def test_a_writer_that_waits_too_long_hears_who_is_in_the_way(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    other = open_database(database.folder)
    with database.write(), pytest.raises(LibraryBusy, match="another process") as caught, other.write():
        pass
    assert "try again" in caught.value.hint
    with other.write() as c:
        add(c, ["now it works"])
    other.close()


def test_a_full_disk_is_told_as_such_and_the_transaction_is_undone(database: Database) -> None:
    with database.write() as c:
        add(c, ["kept"])
        (pages,) = c.execute("pragma page_count").fetchone() or (0,)
        c.execute(f"pragma max_page_count = {pages + 5}")  # of this connection, the thread's only one that writes
    with pytest.raises(StoreError, match="no space left") as caught, database.write() as c:
        add(c, ["too much " * 200] * 200)
    assert str(database.path) in caught.value.message
    with database.read() as c:
        assert [d.title for d in list_documents(c)] == ["A title"]


def test_a_file_that_is_no_database_is_damaged_and_another_program_s_database_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / LIBRARY_FILE).write_bytes(b"this is not a database at all" * 100)
    with pytest.raises(StoreError, match="damaged") as caught:
        open_database(tmp_path)
    assert "add the documents again" in caught.value.hint
    (tmp_path / LIBRARY_FILE).unlink()
    foreign = apsw.Connection(str(tmp_path / LIBRARY_FILE))
    foreign.execute("create table theirs(x)")
    foreign.close()
    with pytest.raises(StoreError, match="not a glossator library"):
        open_database(tmp_path)


def test_damage_met_while_reading_is_told_with_a_hint(tmp_path: Path) -> None:
    made = open_database(tmp_path)
    with made.write() as c:
        for _ in range(20):
            add(c, ["some text " * 50] * 20)
    made.close()
    data = bytearray((tmp_path / LIBRARY_FILE).read_bytes())
    data[40_000:] = os.urandom(len(data) - 40_000)
    (tmp_path / LIBRARY_FILE).write_bytes(data)
    with pytest.raises(StoreError, match="damaged") as caught:  # noqa: PT012 - it may be met at either step
        broken = open_database(tmp_path)
        with broken.read() as c:
            c.execute("select sum(length(text)) from part").fetchall()
    assert "add the documents again" in caught.value.hint


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be made"):
        open_database(tmp_path / "file" / "library")


def test_a_library_opened_for_reading_refuses_to_be_written(database: Database) -> None:
    with database.write() as c:
        add(c, ["there"])
    reader = open_database(database.folder, readonly=True)
    with reader.read() as c:
        assert len(list_documents(c)) == 1
    with pytest.raises(StoreError, match="read-only"), reader.write():
        pass
    reader.close()


@contextmanager
def closed_folder() -> Iterator[Path]:
    """A folder to fill; `lock` it, and within `as_nobody` it can be read only. pytest's own are closed to others."""
    folder = Path("/tmp") / f"glossator-read-only-{os.getpid()}"
    folder.mkdir()
    try:
        yield folder
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


def lock(folder: Path) -> None:
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up root's right to write everywhere, for a while."""
    root = os.geteuid() == 0
    if root:
        os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        if root:
            os.setresuid(0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="changes the user as Linux does")
def test_a_library_on_a_medium_that_cannot_be_written_can_be_read() -> None:
    with closed_folder() as folder:
        made = open_database(folder)
        with made.write() as c:
            add(c, ["there"])
        made.close()
        lock(folder)
        with as_nobody():
            library = open_database(folder)
            with library.read() as c:
                assert [d.title for d in list_documents(c)] == ["A title"]
            assert library.readonly
            with pytest.raises(StoreError, match="read-only") as caught, library.write():
                pass
            assert "copy it" in caught.value.hint
            library.close()


@pytest.mark.skipif(sys.platform != "linux", reason="changes the user as Linux does")
def test_a_copy_with_unmerged_changes_on_such_a_medium_is_refused_rather_than_read_in_part(tmp_path: Path) -> None:
    made = open_database(tmp_path)
    with made.write() as c:
        add(c, ["only in the log"])
    with closed_folder() as folder:
        for name in (LIBRARY_FILE, LIBRARY_FILE + "-wal"):
            shutil.copy(tmp_path / name, folder / name)
        lock(folder)
        with as_nobody(), pytest.raises(StoreError, match="not merged"):
            open_database(folder)
    made.close()


def test_threads_read_and_write_at_once(database: Database) -> None:
    problems: list[BaseException] = []

    def work(n: int) -> None:
        try:
            for i in range(5):
                with database.write() as c:
                    add(c, [f"thread {n} paragraph {i}"], sha256=f"{n:02d}{i:02d}" * 16)
                with database.read() as c:
                    assert list_documents(c)
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert problems == []
    with database.read() as c:
        found = list_documents(c)
        assert len(found) == 20
        assert sorted(d.first_chunk for d in found) == list(range(1, 21))
