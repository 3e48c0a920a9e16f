"""What is added yields to who waits: the processes that add are nice, and so is the session each of them has."""

import os
import time
from pathlib import Path

import psutil
import pytest

from glossator.library.library import Library
from tests.server.serving import Process

WORKER, PARSER = "glossator.server.worker", "glossator.parse.confined"
OURS = Path("/proc/self/autogroup")


def how_nice(process: psutil.Process) -> tuple[str, int, str] | None:
    """Return the module that a process runs, how nice it is and its session, or None when it ended."""
    try:
        name = next(word for word in (*process.cmdline(), "") if word in (WORKER, PARSER, ""))
        return name, process.nice(), Path(f"/proc/{process.pid}/autogroup").read_text("ascii").split()[-1]
    except (psutil.Error, OSError):
        return None


@pytest.mark.skipif(not OURS.exists() or os.nice(0) > 0, reason="needs Linux, and to be nice to nobody itself")
def test_the_processes_that_add_are_nicer_than_the_server_in_their_sessions_too(shelf: Library, tmp_path: Path) -> None:
    text = "\n\n".join(f"The quagga grazed behind observatory {n}, and slept." * 9 for n in range(500))
    (tmp_path / "new.txt").write_text(text, "utf-8")
    server = Process(shelf.database.folder)
    try:
        server.ask("POST", "/api/jobs", {"kind": "add", "paths": [str(tmp_path / "new.txt")]})
        end = time.monotonic() + 100
        nice: set[str] = set()
        while nice != {WORKER, PARSER}:
            assert time.monotonic() < end, nice
            seen = filter(None, map(how_nice, psutil.Process(server.server.pid).children(recursive=True)))
            nice |= {name for name, *how in seen if name and how == [10, "10"]}
        assert psutil.Process(server.server.pid).nice() == 0
    finally:
        server.end()
