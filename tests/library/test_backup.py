import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import (
    Cancelled,
    DamagedFile,
    GlossatorError,
    LibraryTooNew,
    NotFound,
    SourceError,
    StoreError,
    UnsupportedFormat,
)
from glossator.library.backup import Schedule, archive, restore, schedule
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.library.vectors import Hooks
from glossator.messages import Text
from glossator.store import backup as stored
from glossator.store import migrations

QUIET = Hooks()
ALL = Bound(uncapped=True)


@pytest.fixture
def written(shelf: Library) -> Library:
    """The two stories with what a person makes: notes that are linked, tags, a collection, progress, a session."""
    island, stone = shelf.identify("The Island"), shelf.identify("石猴记")
    one = shelf.notes.add(island, quote="a letter sealed with green wax", body="Wax! 🕯", tags=["clue"])
    two = shelf.notes.add(stone, quote="石猴跳过瀑布", color="blue")
    shelf.notes.link(one.id, two.id, relation="supports")
    shelf.shelves.create("Stories", "both")
    shelf.shelves.add("Stories", [island, stone])
    shelf.progress(island, section=3)
    shelf.edit(island, title="The Island, again", authors=["Ann Author"])
    session = shelf.sessions.start("About letters")
    shelf.sessions.append(session.id, [Text("Who wrote it?")], role="user")
    return shelf


def everything(folder: Path) -> dict[str, str]:
    """The rows of all tables of a library, as hashes; only the library's own id and ancestry are left out."""
    c = apsw.Connection(str(folder / "library.db"), flags=apsw.SQLITE_OPEN_READONLY)
    names = [n for (n,) in c.execute("select name from pragma_table_list where schema = 'main' and type <> 'virtual'")]
    found = {}
    for name in names:
        rows = sorted(repr(row) for row in c.execute(f'select * from "{name}"'))
        if name == "meta":
            rows = [r for r in rows if not r.startswith(("('library'", "('lineage'"))]
        if not name.startswith("sqlite_schema"):
            found[str(name)] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    c.close()
    return found


def names_in(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_what_is_restored_is_what_was_backed_up_table_by_table(written: Library, tmp_path: Path) -> None:
    made = written.backups.make(tmp_path / "one.backup")
    before = everything(written.database.folder)
    assert (made.documents, made.notes, made.sessions) == (2, 2, 1)
    assert made.sha256 == hashlib.sha256(made.path.read_bytes()).hexdigest()
    assert made.bytes == made.path.stat().st_size
    target = tmp_path / "new" / "library"
    restored = restore(made.path, target, QUIET)
    assert restored.to_json() == made.to_json()
    assert names_in(target) == ["library.db"]
    assert everything(target) == before
    with Library.open(target, create=False, embedder="none") as library:
        assert library.database.library_id != written.database.library_id
        assert library.search("green wax", bound=ALL).hits
        assert len(library.notes.list(bound=ALL).notes) == 2


def test_originals_and_settings_of_the_library_come_along(library: Library, tmp_path: Path) -> None:
    page = b"<html><body><p>A page that was fetched from far away and kept.</p></body></html>"
    sha = hashlib.sha256(page).hexdigest()
    kept = library.database.folder / "originals" / f"{sha}.html"
    kept.parent.mkdir()
    kept.write_bytes(page)
    library.add([str(kept)])
    (kept.parent / "stray.html").write_bytes(b"of no document")
    (library.database.folder / "config.toml").write_text("[search]\nk = 3\n")
    made = library.backups.make(tmp_path / "one.backup")
    restore(made.path, tmp_path / "new", QUIET)
    assert (tmp_path / "new" / "originals" / f"{sha}.html").read_bytes() == page
    assert names_in(tmp_path / "new" / "originals") == [f"{sha}.html"]
    assert (tmp_path / "new" / "config.toml").read_text() == "[search]\nk = 3\n"


def test_files_elsewhere_are_left_out_and_counted_unless_they_are_asked_for(library: Library, tmp_path: Path) -> None:
    book = tmp_path / "Book.MD"
    book.write_text("# Book\n\nWords of a book that lies elsewhere.\n")
    library.add([str(book)])
    target = tmp_path / "one.backup"
    assert library.backups.make(target).left_out == 1
    assert library.backups.make(target, with_files=True).left_out == 0
    book.unlink()
    assert library.backups.make(target, incremental=True).left_out == 0, "it keeps what it had"
    restore(target, tmp_path / "new", QUIET)
    (original,) = (tmp_path / "new" / "originals").iterdir()
    assert original.suffix == ".md"
    assert original.read_text().startswith("# Book")


def test_an_incremental_backup_is_as_whole_as_a_full_one_and_packs_little_again(
    written: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "long.md").write_text("\n\n".join(f"Paragraph {n} says {n * n} things." for n in range(4000)))
    written.add([str(tmp_path / "long.md")])
    target = tmp_path / "one.backup"
    written.backups.make(target)
    written.notes.add(written.identify("石猴记"), quote="众猴拜他为王")
    packed: list[int] = []
    compress = archive.zlib.compress
    monkeypatch.setattr(archive.zlib, "compress", lambda data, level: packed.append(len(data)) or compress(data, level))
    made = written.backups.make(target, incremental=True)
    assert made.notes == 3
    assert sum(packed) < 0.5 * (written.database.folder / "library.db").stat().st_size
    before = everything(written.database.folder)
    restore(target, tmp_path / "new", QUIET)
    assert everything(tmp_path / "new") == before
    full = written.backups.make(tmp_path / "two.backup")
    assert abs(full.bytes - made.bytes) < 1_000, "what went out of use is not kept"


def test_incremental_without_a_former_backup_makes_a_full_one(written: Library, tmp_path: Path) -> None:
    assert written.backups.make(tmp_path / "one.backup", incremental=True).notes == 2


def test_a_restored_library_goes_on_with_the_same_backup_and_another_library_may_not(
    written: Library, tmp_path: Path
) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    restore(target, tmp_path / "new", QUIET)
    with Library.open(tmp_path / "new", embedder="none") as again:
        assert again.backups.make(target, incremental=True).notes == 2
    before = target.read_bytes()
    other = Library.open(tmp_path / "other", embedder="none")
    with other, pytest.raises(StoreError, match="another library"):
        other.backups.make(target, incremental=True)
    assert target.read_bytes() == before


def test_a_backup_while_another_thread_writes_is_of_one_moment(written: Library, tmp_path: Path) -> None:
    stone = written.identify("石猴记")
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            note = written.notes.add(stone, quote="石猴", body="again")
            written.sessions.append(written.sessions.start(note.id).id, [Text(note.id)], role="user")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [written.backups.make(tmp_path / f"{n}.backup") for n in range(3)]
    finally:
        done.set()
        writer.join()
    assert made[0].notes < made[2].notes
    for n, receipt in enumerate(made):
        restore(receipt.path, tmp_path / f"new{n}", QUIET)
        with Library.open(tmp_path / f"new{n}", embedder="none") as library:
            assert len(library.notes.list(limit=None, bound=ALL).notes) == receipt.notes
            with library.database.read() as c:
                assert stored.problems(c) == []


@pytest.mark.parametrize("share", [0.0, 0.001, 0.2, 0.5, 0.9, 0.999, 1.0])
def test_one_changed_byte_anywhere_is_refused_and_nothing_is_written(
    written: Library, tmp_path: Path, share: float
) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    data = bytearray(target.read_bytes())
    data[int(share * (len(data) - 1))] ^= 0x10
    target.write_bytes(data)
    with pytest.raises(DamagedFile, match="is damaged") as caught:
        restore(target, tmp_path / "new" / "library", QUIET)
    assert str(target) in caught.value.message
    assert not (tmp_path / "new").exists()
    with pytest.raises(DamagedFile):
        written.backups.make(target, incremental=True)
    assert target.read_bytes() == data
    assert names_in(written.database.folder) == [n for n in names_in(written.database.folder) if n[0] != "."]


@pytest.mark.parametrize("cut", [1, 10, 60, 1000])
def test_a_backup_that_was_cut_short_is_refused(written: Library, tmp_path: Path, cut: int) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    target.write_bytes(target.read_bytes()[:-cut])
    with pytest.raises(DamagedFile):
        restore(target, tmp_path / "new", QUIET)
    assert not (tmp_path / "new").exists()


def test_what_is_no_backup_is_refused_by_both(written: Library, tmp_path: Path) -> None:
    note = tmp_path / "thesis.txt"
    note.write_text("ten years of work")
    with pytest.raises(SourceError, match="is no backup"):
        written.backups.make(note)
    assert note.read_text() == "ten years of work"
    with pytest.raises(UnsupportedFormat, match="is no backup"):
        restore(note, tmp_path / "new", QUIET)
    with pytest.raises(NotFound, match="no backup"):
        restore(tmp_path / "nothing", tmp_path / "new", QUIET)
    with pytest.raises(SourceError, match="is a folder"):
        restore(tmp_path, tmp_path / "new", QUIET)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a pipe with a name")
def test_places_that_cannot_be_are_named(written: Library, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a folder"):
        written.backups.make(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="no ordinary file"):
        written.backups.make(tmp_path / "pipe")
    with pytest.raises(SourceError, match="no ordinary file"):
        restore(tmp_path / "pipe", tmp_path / "new", QUIET)
    with pytest.raises(SourceError, match="the library itself"):
        written.backups.make(written.database.path)
    with pytest.raises(SourceError, match="the library itself"):
        written.backups.make(written.database.folder / "library.db-wal")
    with pytest.raises(StoreError, match="no folder"):
        written.backups.make(tmp_path / "unplugged" / "one.backup")


def test_a_backup_may_lie_in_the_library_folder_or_take_an_empty_file(written: Library) -> None:
    target = written.database.folder / "library.db.backup"
    target.touch()
    assert written.backups.make(target, incremental=True).notes == 2
    assert written.backups.make(target).notes == 2
    assert written.backups.make(target, incremental=True).notes == 2


def test_only_an_empty_library_is_filled(written: Library, tmp_path: Path) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    before = everything(written.database.folder)
    with pytest.raises(StoreError, match="not empty"):
        restore(target, written.database.folder, QUIET)
    assert everything(written.database.folder) == before
    with Library.open(tmp_path / "empty", embedder="none") as empty:
        empty.documents()
        restore(target, tmp_path / "empty", QUIET)
        assert len(empty.notes.list(bound=ALL).notes) == 2, "also those who have it open see it"
    assert everything(tmp_path / "empty") == before


def test_a_folder_with_other_files_keeps_them(written: Library, tmp_path: Path) -> None:
    target = tmp_path / "one.backup"
    (written.database.folder / "config.toml").write_text("[search]\nk = 3\n")
    written.backups.make(target)
    folder = tmp_path / "used"
    folder.mkdir()
    (folder / "config.toml").write_text("[search]\nk = 4\n")
    (folder / "letter.txt").write_text("mine")
    restore(target, folder, QUIET)
    assert names_in(folder) == ["config.toml", "letter.txt", "library.db"]
    assert "k = 4" in (folder / "config.toml").read_text()


def test_what_is_left_of_a_lost_library_is_not_mixed_with_the_restored_one(written: Library, tmp_path: Path) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "library.db-wal").write_bytes(b"frames of another file")
    with pytest.raises(StoreError, match="what is left"):
        restore(target, tmp_path / "old", QUIET)
    assert names_in(tmp_path / "old") == ["library.db-wal"]


def test_a_library_of_a_newer_program_is_not_restored(
    written: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    monkeypatch.setattr(stored, "MIGRATIONS", migrations.MIGRATIONS[:1])
    with pytest.raises(LibraryTooNew):
        restore(target, tmp_path / "new", QUIET)
    assert names_in(tmp_path) == ["one.backup", "shelf"]


@contextmanager
def stopped_after(steps: int) -> Iterator[Hooks]:
    left = iter(range(steps))
    yield Hooks(cancelled=lambda: next(left, None) is None)


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4, 5])
def test_stopped_at_any_step_nothing_is_changed(written: Library, tmp_path: Path, steps: int) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    before = target.read_bytes()
    folder = names_in(written.database.folder)
    written.shelves.create("More")
    with stopped_after(steps) as hooks, pytest.raises(Cancelled):
        written.backups.make(target, cancel=hooks.cancelled)
    with stopped_after(steps) as hooks, pytest.raises(Cancelled):
        restore(target, tmp_path / "new", hooks)
    assert target.read_bytes() == before
    assert names_in(tmp_path) == ["one.backup", "shelf"]
    assert names_in(written.database.folder) == folder


def test_a_full_disk_leaves_no_part_of_a_backup(
    written: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    before = target.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive.Writer, "finish", full)
    with pytest.raises(StoreError, match="No space left") as caught:
        written.backups.make(target)
    assert "free space" in caught.value.hint
    assert target.read_bytes() == before
    assert names_in(tmp_path) == ["one.backup", "shelf"]


def test_a_backup_that_does_not_restore_does_not_count(
    written: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "one.backup"
    written.backups.make(target)
    before = target.read_bytes()
    copy = stored.copy_library

    def lossy(c: apsw.Connection, to: Path, step: Callable[[int, int], None]) -> None:
        copy(c, to, step)
        changed = apsw.Connection(str(to))
        changed.execute("delete from link")
        changed.close()

    monkeypatch.setattr(stored, "copy_library", lossy)
    with pytest.raises(GlossatorError, match="link"):
        written.backups.make(target)
    assert target.read_bytes() == before


def test_what_a_killed_process_left_is_swept_away_by_the_next(written: Library, tmp_path: Path) -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    number = int(gone.stdout)
    target = tmp_path / "one.backup"
    left = [tmp_path / f".one.backup.making-{number}", written.database.folder / f".library.db.proving-{number}"]
    left[0].write_bytes(b"half")
    left[1].mkdir()
    (left[1] / "library.db").write_bytes(b"half")
    alive = tmp_path / f".one.backup.making-{os.getppid()}"
    alive.write_bytes(b"of a process that lives")
    written.backups.make(target)
    assert not any(p.exists() for p in left)
    assert alive.exists()


# -- the schedule


def days(*ago: float) -> list[Path]:
    now = datetime(2026, 5, 20, 12, tzinfo=UTC)
    return [Path(schedule.name_of("abc", now - timedelta(days=d))) for d in sorted(ago, reverse=True)]


def test_a_full_backup_is_due_once_a_day_and_an_incremental_one_after_changes() -> None:
    now = datetime(2026, 5, 20, 12, tzinfo=UTC)
    assert schedule.due([], now, changed=False) == "full"
    assert schedule.due(days(2, 1), now, changed=False) == "full"
    assert schedule.due(days(1, 0.1), now, changed=True) == "incremental"
    assert schedule.due(days(1, 0.1), now, changed=False) is None


def test_the_newest_stay() -> None:
    assert schedule.beyond(days(3, 2, 1, 0), 2) == days(3, 2, 1, 0)[:2]
    assert schedule.beyond(days(1, 0), 2) == []


def test_the_folder_keeps_the_last_backups_of_this_library_and_all_of_others(written: Library, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    mine = [folder / schedule.name_of(written.database.library_id, datetime(2026, 1, d, tzinfo=UTC)) for d in (1, 2, 3)]
    other = folder / schedule.name_of("f" * 16, datetime(2026, 1, 1, tzinfo=UTC))
    for path in (*mine, other, folder / "holiday.jpg"):
        path.write_bytes(b"")
    plan = Schedule(folder=folder, scheduled=True, keep=2)
    made = written.backups.keep_up(plan, changed=True)
    assert made is not None
    assert {p.name for p in folder.iterdir()} == {mine[2].name, made.path.name, other.name, "holiday.jpg"}
    assert written.backups.keep_up(plan, changed=False) is None
    written.shelves.create("More")
    again = written.backups.keep_up(plan, changed=True)
    assert again is not None
    assert again.path == made.path
    assert again.sha256 != made.sha256


def test_a_damaged_backup_of_today_does_not_stop_the_schedule(written: Library, tmp_path: Path) -> None:
    plan = Schedule(folder=tmp_path, scheduled=True)
    earlier = datetime.now(UTC).replace(hour=0, minute=0, second=0)
    damaged = tmp_path / schedule.name_of(written.database.library_id, earlier)
    shutil.copy(written.backups.make(tmp_path / "one.backup").path, damaged)
    data = bytearray(damaged.read_bytes())
    data[200] ^= 1
    damaged.write_bytes(data)
    made = written.backups.keep_up(plan, changed=True)
    assert made is not None
    assert made.path != damaged
    assert damaged.read_bytes() == data


def test_doctor_tells_of_backups_that_are_missing_or_late(written: Library, tmp_path: Path) -> None:
    assert written.backups.check(Schedule()).status == "ok"
    assert written.backups.check(Schedule(folder=tmp_path / "unplugged", scheduled=True)).status == "warning"
    assert "not an absolute path" in written.backups.check(Schedule(folder=Path("here"))).detail
    plan = Schedule(folder=tmp_path, scheduled=True)
    assert written.backups.check(plan).status == "warning"
    made = written.backups.into_folder(plan)
    assert written.backups.check(plan).status == "ok"
    os.utime(made.path, (0, 0))
    assert written.backups.check(plan).status == "warning"


# -- the format

CONTENTS = stored.Contents(library="a", lineage="a", version=2, documents=0, notes=0, sessions=0, tables={})


def archived(path: Path, files: dict[str, bytes], older: archive.Archive | None = None) -> archive.Archive:
    with path.open("wb") as file:
        known = older.segments() if older else {}
        source = older.path.open("rb") if older else io.BytesIO()
        with source:
            writer = archive.Writer(file, known=known, older=source)
            for name, data in files.items():
                writer.add(name, io.BytesIO(data), lambda _: None)
            writer.finish(CONTENTS, created="2026-01-01T00:00:00Z", with_files=False)
    return archive.read(path, lambda _: None)


def unarchived(made: archive.Archive) -> dict[str, bytes]:
    with made.path.open("rb") as file:
        return {e.name: b"".join(made.pieces(e, file)) for e in made.entries}


blobs = st.one_of(st.binary(max_size=300), st.binary(min_size=1, max_size=40).map(lambda b: b * 7_000))
files = st.dictionaries(st.sampled_from(["library.db", "config.toml", "originals/ab.html", "originals/c"]), blobs)


@settings(max_examples=40, deadline=None)
@given(first=files, second=files)
def test_what_goes_into_an_archive_comes_out_also_when_it_goes_on_from_another(
    tmp_path_factory: pytest.TempPathFactory, first: dict[str, bytes], second: dict[str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp("archives")
    one = archived(folder / "one", first)
    two = archived(folder / "two", second, one)
    assert unarchived(one) == first
    assert unarchived(two) == second
    assert two.contents == CONTENTS


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_change_of_a_byte_goes_unseen(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("archives")
    made = archived(folder / "one", {"library.db": b"some bytes" * 40, "originals/c": bytes(range(50))})
    whole = bytearray(made.path.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    made.path.write_bytes(whole)
    with pytest.raises(DamagedFile):
        archive.read(made.path, lambda _: None)


def test_names_that_lead_out_of_the_library_folder_are_not_read(tmp_path: Path) -> None:
    for name in ("../x", "originals/../x", "/etc/x", "originals/.x", "library.db-wal"):
        with pytest.raises(DamagedFile, match="index"):
            archived(tmp_path / "one", {name: b"x"})


def test_a_receipt_has_the_keys_of_the_contract(written: Library, tmp_path: Path) -> None:
    told = json.loads(json.dumps(written.backups.make(tmp_path / "one.backup").to_json()))
    assert list(told) == ["path", "bytes", "sha256", "documents", "notes", "sessions", "verified"]
    assert told["verified"] is True
