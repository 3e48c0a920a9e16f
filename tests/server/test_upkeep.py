"""Backups that a served library's settings ask for: made beside the requests, told where they fail."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from glossator import config
from glossator.errors import StoreError
from glossator.library.library import Library
from glossator.server.upkeep import Upkeep
from glossator.store.jobs import insert_job, settle_job
from tests.server.serving import Process, Served


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set a folder for backups and the schedule, for this process and those it starts."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(config, "user_config", lambda: tmp_path / "config" / "glossator" / "config.toml")
    made = tmp_path / "backups"
    made.mkdir()
    config.write(config.user_config(), "backup.path", str(made))
    config.write(config.user_config(), "backup.schedule", "on")
    return made


def until(true: Callable[[], object], seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_server_makes_the_backup_that_is_due_when_it_begins(shelf: Library, folder: Path) -> None:
    server = Process(shelf.database.folder)
    try:

        def jobs() -> list[tuple[str, str]]:
            return [(j["kind"], j["state"]) for j in server.ask("GET", "/api/jobs")["jobs"]]

        until(lambda: jobs() == [("backup", "done")])
        (check,) = [c for c in server.ask("GET", "/api/doctor")["checks"] if c["name"] == "backup"]
    finally:
        server.end()
    assert len(list(folder.glob("*.backup"))) == 1
    assert check["status"] == "ok"
    assert check["detail"].startswith(f"1 in {folder}")


def test_a_backup_is_brought_up_to_date_once_something_was_added(web: Served, folder: Path, tmp_path: Path) -> None:
    upkeep = Upkeep(web.library, web.house.jobs, web.house.settings)

    def looked() -> list[int]:
        upkeep.look()
        until(lambda: not web.house.jobs.busy)
        return [path.stat().st_mtime_ns for path in folder.glob("*.backup")]

    first = looked()
    assert len(first) == 1
    assert looked() == first
    (tmp_path / "new.txt").write_text("The quagga grazed behind the observatory.", "utf-8")
    web.library.add(tmp_path / "new.txt")
    later = looked()
    assert len(later) == 1
    assert later != first
    assert looked() == later


def test_what_stands_in_the_way_of_a_backup_is_told_by_the_log_and_the_doctor(
    web: Served, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.rmdir()
    Upkeep(web.library, web.house.jobs, web.house.settings).look()
    assert "the backup that was due was not begun" in caplog.text
    assert web.get("/api/jobs").json["jobs"] == []
    (check,) = [c for c in web.get("/api/doctor").json["checks"] if c["name"] == "backup"]
    assert check["status"] == "warning"
    assert check["hint"]


def test_a_backup_that_failed_is_told_by_the_doctor_with_its_reason_until_one_is_made(
    web: Served, folder: Path
) -> None:
    error = StoreError("the disk for backups is full", hint="free some space on it").to_json()
    with web.library.database.write() as c:
        settle_job(c, insert_job(c, "backup", {"changed": True}).id, "failed", error=error)
    (check,) = [c for c in web.get("/api/doctor").json["checks"] if c["name"] == "backup"]
    assert check["status"] == "warning"
    assert "was not made: the disk for backups is full" in check["detail"]
    assert check["hint"] == "free some space on it"
    Upkeep(web.library, web.house.jobs, web.house.settings).look()
    until(lambda: not web.house.jobs.busy)
    (check,) = [c for c in web.get("/api/doctor").json["checks"] if c["name"] == "backup"]
    assert check["status"] == "ok"
    assert len(list(folder.iterdir())) == 1


def test_nothing_is_made_that_nobody_asked_for(web: Served, folder: Path) -> None:
    config.write(config.user_config(), "backup.schedule", "off")
    Upkeep(web.library, web.house.jobs, web.house.settings).look()
    assert web.get("/api/jobs").json["jobs"] == []
    assert list(folder.iterdir()) == []
