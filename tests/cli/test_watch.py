"""`watch`, as a process of its own: what comes is added, what goes is missing, and Ctrl-C ends it cleanly."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from glossator import config
from glossator.library.watch import temporary
from tests.cli.books import BOOKS
from tests.cli.runner import Shell

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT to another process")
PATIENCE = 40  # seconds, on a busy machine


class Watching:
    """A running `watch`, its events as they come, and at the end its answer."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process, self.log = process, log

    def told(self) -> str:
        return self.log.read_text("utf-8")

    def until(self, words: str) -> None:
        wait(lambda: words in self.told(), lambda: f"never told {words!r}: {self.told()}")

    def stop(self) -> Any:
        self.process.send_signal(signal.SIGINT)
        out, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 130
        return json.loads(out)


def wait(true: Callable[[], bool], otherwise: Callable[[], str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, otherwise()
        time.sleep(0.05)


@contextmanager
def watching(library: Path, folder: Path, *words: str) -> Iterator[Watching]:
    log = library.parent / "events"
    command = [sys.executable, "-m", "glossator", "--library", str(library), "watch", str(folder), "--json", *words]
    with log.open("w") as err:
        process = subprocess.Popen(
            [*command, "--embedder", "none"], stdout=subprocess.PIPE, stderr=err, text=True, env=dict(os.environ)
        )
        try:
            running = Watching(process, log)
            running.until("watching")
            yield running
        finally:
            process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()


def statuses(shell: Shell) -> dict[str, str]:
    return {d["title"]: d["status"] for d in shell.json("list")["documents"]}


def test_files_are_added_as_they_come_and_missing_when_they_go(tmp_path: Path) -> None:
    folder, shell = tmp_path / "inbox", Shell(tmp_path / "library")
    folder.mkdir()
    bees, keeper = folder / "bees.md", folder / "deep" / "keeper.md"
    bees.write_text(BOOKS["bees.md"], "utf-8")
    with watching(shell.library, folder, "--collection", "Inbox") as running:
        running.until("added       Bees")
        keeper.parent.mkdir()
        keeper.write_text(BOOKS["keeper.md"], "utf-8")
        (folder / "half.md.part").write_text("# Half\n\nNot yet.", "utf-8")
        (folder / "~$keeper.md").write_text("# Lock\n\nNobody's.", "utf-8")
        (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nbroken")
        running.until("added       The Keeper")
        running.until("failed")
        bees.unlink()
        running.until("missing     Bees")
        assert statuses(shell) == {"Bees and the Weather": "missing", "The Keeper of the Lantern": "ready"}
        assert shell.json("search", "honeybees", "--embedder", "none")["hits"]
        bees.write_text(BOOKS["bees.md"], "utf-8")
        running.until("back        Bees")
        keeper.write_text(BOOKS["keeper.md"] + "\n\nA last line that was not there.\n", "utf-8")
        running.until("updated     The Keeper")
        keeper.rename(folder / "moved.md")
        time.sleep(3)
        done = running.stop()
        assert running.told().count("failed") == 1
        assert running.told().count("missing") == 1
    assert [d["status"] for d in done["documents"]].count("failed") == 1
    assert {d["status"] for d in done["documents"]} == {"added", "updated", "failed"}
    assert [d["title"] for d in done["missing"]] == [d["title"] for d in done["back"]] == ["Bees and the Weather"]
    assert set(statuses(shell).values()) == {"ready"}
    assert shell.json("list", "--collection", "Inbox")["documents"] == shell.json("list")["documents"]


def test_what_went_while_nobody_watched_is_noted_and_a_glob_is_kept_to(tmp_path: Path) -> None:
    folder, shell = tmp_path / "inbox", Shell(tmp_path / "library")
    folder.mkdir()
    for name in ("keeper.md", "monkey.txt"):
        (folder / name).write_text(BOOKS[name], "utf-8")
    shell.json("add", folder, "--embedder", "none")
    (folder / "keeper.md").unlink()
    (folder / "bees.md").write_text(BOOKS["bees.md"], "utf-8")
    with watching(shell.library, folder, "--glob", "*.txt") as running:
        running.until("missing     The Keeper")
        assert [d["title"] for d in running.stop()["missing"]] == ["The Keeper of the Lantern"]
    assert statuses(shell) == {"The Keeper of the Lantern": "missing", "Monkey": "ready"}


def test_a_folder_that_is_not_there_is_an_error(empty: Shell, tmp_path: Path) -> None:
    error = empty.json("watch", tmp_path / "nowhere", code=1)["error"]
    assert error["code"] == "not_found"


@pytest.mark.parametrize("name", [".hidden.md", "~$book.docx", "book.epub.part", "Unconfirmed 12.CRDOWNLOAD", "a.md~"])
def test_a_temporary_name_is_no_file_yet(name: str) -> None:
    assert temporary(name)
    assert not temporary("book.epub")


def test_the_backup_that_is_due_is_made_while_nothing_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    backups, folder = tmp_path / "backups", tmp_path / "folder"
    backups.mkdir()
    folder.mkdir()
    settings = tmp_path / "config" / "glossator" / "config.toml"
    config.write(settings, "backup.path", str(backups))
    config.write(settings, "backup.schedule", "on")
    with watching(tmp_path / "library", folder) as running:
        wait(lambda: len(list(backups.glob("*.backup"))) == 1, running.told)
        assert running.stop()["documents"] == []
