"""Several processes on one library, and one that is killed."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from glossator.index.integrity import wrong_postings
from glossator.index.lexical import tokens
from glossator.store.chunks import chunks_of
from glossator.store.database import Database, open_database
from glossator.store.documents import list_documents, text_slice

WRITER = """
import sys
from pathlib import Path
from glossator.index.snapshot import compact
from glossator.store.database import open_database
from tests.store.made import add

library, name, rounds = open_database(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
for i in range(rounds):
    with library.write() as c:
        texts = [f"{name} wrote paragraph {n} of book {i}" for n in range(20)]
        add(c, texts, title=f"{name} {i}", sha256=f"{name}{i:03d}" * 16)
    print(name, i, flush=True)
    while compact(library):
        pass
library.close()
"""
ROOT = Path(__file__).resolve().parent.parent.parent


def start(folder: Path, name: str, rounds: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), name, str(rounds)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def assert_whole(database: Database, titles: set[str]) -> None:
    with database.read() as c:
        found = list_documents(c)
        assert titles <= {d.title for d in found}
        ids = [i for d in found for i in range(d.first_chunk, d.first_chunk + d.chunks)]
        assert len(ids) == len(set(ids)) == 20 * len(found)
        assert c.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert (
            wrong_postings(c, lambda c, key: [tokens(text_slice(c, key, x.start, x.end)) for x in chunks_of(c, key)])
            == []
        )


def test_two_processes_that_make_and_fill_a_library_at_once_both_succeed(tmp_path: Path) -> None:
    writers = [start(tmp_path / "library", name, 20) for name in ("a", "b")]
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert writer.returncode == 0, errors
    library = open_database(tmp_path / "library")
    assert_whole(library, {f"{name} {i}" for name in "ab" for i in range(20)})
    library.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_writer_that_is_killed_loses_nothing_it_had_acknowledged(tmp_path: Path) -> None:
    acknowledged: set[str] = set()
    for round_, name in enumerate("cdef"):
        writer = start(tmp_path / "library", name, 10_000)
        assert writer.stdout is not None
        acknowledged.add(writer.stdout.readline().strip())
        time.sleep(0.05 + 0.07 * round_)
        writer.send_signal(signal.SIGKILL)
        acknowledged |= {line.strip() for line in writer.stdout.read().splitlines() if line.count(" ") == 1}
        writer.communicate()
        library = open_database(tmp_path / "library")
        assert_whole(library, acknowledged - {""})
        library.close()
