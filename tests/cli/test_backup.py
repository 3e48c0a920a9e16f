import hashlib
import json
from pathlib import Path

import pytest

from glossator import config
from tests.cli.runner import Shell


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for backups that is set, with the schedule on."""
    monkeypatch.setattr(config, "user_config", lambda: tmp_path / "config.toml")
    made = tmp_path / "backups"
    made.mkdir()
    config.write(tmp_path / "config.toml", "backup.path", str(made))
    config.write(tmp_path / "config.toml", "backup.schedule", "on")
    return made


def test_backup_and_restore_print_what_was_proven(own: Shell, tmp_path: Path) -> None:
    target = tmp_path / "one.backup"
    made = own.json("backup", target)
    assert made == {
        "path": str(target),
        "bytes": target.stat().st_size,
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "documents": 4,
        "notes": 0,
        "sessions": 0,
        "verified": True,
    }
    other = Shell(tmp_path / "new" / "library")
    assert other.json("restore", target) == made
    listed = {d["id"]: d for d in own.json("list")["documents"]}
    assert {d["id"]: d for d in other.json("list")["documents"]} == listed
    assert own.json("search", "lantern")["hits"] == other.json("search", "lantern")["hits"]


def test_incremental_brings_the_same_file_up_to_date(own: Shell, tmp_path: Path) -> None:
    target = tmp_path / "one.backup"
    first = own.json("backup", target, "--incremental")
    own.json("collection", "create", "More")
    assert own.json("backup", target, "--incremental")["sha256"] != first["sha256"]
    other = Shell(tmp_path / "new")
    other.json("restore", target)
    assert [c["name"] for c in other.json("collection", "list")["collections"]] == ["More"]


def test_a_damaged_backup_is_refused_with_its_name(own: Shell, tmp_path: Path) -> None:
    target = tmp_path / "one.backup"
    own.json("backup", target)
    data = bytearray(target.read_bytes())
    data[len(data) // 2] ^= 1
    target.write_bytes(data)
    other = Shell(tmp_path / "new")
    for run in (other("restore", target, "--json"), own("backup", target, "--incremental", "--json")):
        assert run.code == 1
        assert run.json["error"]["code"] == "damaged"
        assert str(target) in run.json["error"]["message"]
    assert not (tmp_path / "new").exists()
    assert target.read_bytes() == data


def test_a_library_that_holds_something_is_not_overwritten(own: Shell, tmp_path: Path) -> None:
    own.json("backup", tmp_path / "one.backup")
    run = own("restore", tmp_path / "one.backup")
    assert run.code == 1
    assert "not empty" in run.err
    assert "hint: name a new folder" in run.err


def test_without_a_library_there_is_nothing_to_back_up(empty: Shell, tmp_path: Path) -> None:
    assert empty.json("backup", tmp_path / "one.backup", code=1)["error"]["code"] == "not_found"
    assert not (tmp_path / "one.backup").exists()


def test_backup_alone_needs_a_folder_that_is_set(own: Shell, folder: Path) -> None:
    made = own.json("backup")
    assert Path(made["path"]).parent == folder
    assert own.json("backup", "--incremental")["path"] == made["path"]
    assert len(list(folder.iterdir())) == 1


def test_backup_alone_without_a_folder_says_how_to_set_one(own: Shell) -> None:
    run = own("backup", "--json")
    assert (run.code, run.out) == (2, "")
    assert "config set backup.path" in run.err


def test_adding_makes_the_backup_that_is_due(own: Shell, folder: Path, tmp_path: Path) -> None:
    book = tmp_path / "new.md"
    book.write_text("# New\n\nA book that was added later.\n")
    own.json("add", book, "--embedder", "none")
    (made,) = folder.iterdir()
    before = made.read_bytes()
    own.json("add", book, "--embedder", "none")
    assert made.read_bytes() == before, "nothing was new"
    book.write_text("# New\n\nA book that was added later, and has grown since.\n")
    own.json("add", book, "--embedder", "none")
    assert list(folder.iterdir()) == [made]
    other = Shell(tmp_path / "restored")
    assert other.json("restore", made)["documents"] == 5
    assert "has grown" in other.json("text", "New")["text"]


def test_a_backup_that_cannot_be_made_is_a_warning_and_the_addition_stands(
    own: Shell, folder: Path, tmp_path: Path
) -> None:
    folder.rmdir()
    book = tmp_path / "new.md"
    book.write_text("# New\n\nA book that was added later.\n")
    run = own("add", book, "--embedder", "none", "--json")
    assert run.code == 0
    assert json.loads(run.out)["documents"][0]["status"] == "added"
    assert "the backup that was due was not made" in run.err
    assert "is not there" in run.err


def test_a_library_cannot_say_where_its_backups_go(own: Shell, tmp_path: Path) -> None:
    (own.library / "config.toml").write_text(f'[backup]\npath = "{tmp_path}"\nschedule = "on"\n')
    run = own("backup", "--json")
    assert run.code == 2
    assert "is ignored" in run.err


def test_doctor_has_a_look_at_the_backups(own: Shell, folder: Path) -> None:
    def status() -> str:
        checks = json.loads(own("doctor", "--json", "--embedder", "none").out)["checks"]
        return str(next(c["status"] for c in checks if c["name"] == "backup"))

    assert status() == "warning"
    own.json("backup")
    assert status() == "ok"
    assert folder.exists()


def test_a_terminal_shows_progress_and_the_same_words(own: Shell, tmp_path: Path) -> None:
    run = own("backup", tmp_path / "one.backup", terminal=True)
    assert run.code == 0, run.err
    assert "4 documents" in run.out
    assert "proving" in run.err
    run = Shell(tmp_path / "new")("restore", tmp_path / "one.backup", terminal=True)
    assert run.code == 0, run.err
    assert "restoring" in run.err


def test_a_person_is_told_what_is_in_it_and_what_is_not(own: Shell, tmp_path: Path) -> None:
    run = own("backup", tmp_path / "one.backup")
    assert "backed up 4 documents, 0 notes, 0 sessions" in run.out
    assert "4 files of documents lie outside the library" in run.out
    assert "--with-files" in run.out
    run = Shell(tmp_path / "new")("restore", tmp_path / "one.backup")
    assert "restored 4 documents" in run.out
    assert str(tmp_path / "new") in run.out
