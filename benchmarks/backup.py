"""Is a backup what the library was, and does nothing that goes wrong touch what there is?

    python benchmarks/backup.py [--rounds N] [--documents N]

- running: backups are made while one process adds files and another keeps making notes, links, reading positions,
  collections and sessions. Each backup is made inside a read transaction whose tables, all of them, are hashed row by
  row; the restored library must have the same hashes, and all that was acknowledged before the backup must be in it.
- killed while backing up: SIGKILL at a random moment, full and incremental in turn. The library must be as it was (by
  the same hashes), the backup that was there must be as it was, or the new one, whole; the next backup must succeed.
- killed while restoring: what was there must be as it was; the folder must hold no library, or the whole one; restoring
  again must succeed where there is none.
- flipped: one random bit of one random byte. Both commands must refuse it and write nothing.
- size: time and bytes for many documents, beside a plain copy of the file and one packed by zlib in the same run.
"""

import argparse
import hashlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np

from common import record
from glossator.embed.base import Fingerprint
from glossator.errors import DamagedFile, GlossatorError
from glossator.index.snapshot import compact
from glossator.library.backup import restore
from glossator.library.library import Library
from glossator.library.vectors import Hooks
from glossator.store.chunks import embedder_key, insert_chunks, insert_vectors, pending_chunks
from glossator.store.database import open_database
from glossator.store.documents import insert_document
from kill_add import write_files
from made_library import CHUNKS, documents, vectors

ADD = """
import sys
from pathlib import Path
from glossator.library.library import Library
with Library.open(Path(sys.argv[1]), embedder="none") as library:
    library.add([sys.argv[2]])
"""
WRITE = """
import itertools, sys
from pathlib import Path
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.messages import Text
ALL = Bound(uncapped=True)
with Library.open(Path(sys.argv[1]), embedder="none") as library:
    book, last = sys.argv[2], None
    for n in itertools.count():
        span = (n % 500, n % 500 + 20)
        note = library.notes.add(book, span=span, body=f"note {n} 笔记", tags=[f"tag{n % 9}"], bound=ALL)
        if last:
            library.notes.link(note.id, last, bound=ALL)
        last = note.id
        session = library.sessions.start(f"session {n}")
        library.sessions.append(session.id, [Text(f"question {n}")], role="user")
        library.progress(book, at=1000 + n % 2000)
        library.shelves.add(f"shelf {n % 5}", [book])
        print(note.id, session.id, flush=True)
"""
BACKUP = """
import sys
from pathlib import Path
from glossator.library.library import Library
with Library.open(Path(sys.argv[1]), embedder="none") as library:
    print("begin", flush=True)
    library.backups.make(Path(sys.argv[2]), incremental=sys.argv[3] == "incremental")
"""
RESTORE = """
import sys
from pathlib import Path
from glossator.library.backup import restore
from glossator.library.vectors import Hooks
print("begin", flush=True)
restore(Path(sys.argv[1]), Path(sys.argv[2]), Hooks())
"""
SMALL = 60  # documents of the library whose backups are killed
FINGERPRINT = Fingerprint(model="made", sha256="0", dimension=384, rule="none")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--documents", type=int, default=1000)
    given = options.parse_args()
    chance = random.Random(7)
    figures: dict[str, object] = {"rounds": given.rounds}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures |= running(folder / "running", given.rounds, chance)
        figures |= size(filled(folder / "large", given.documents), folder / "size", given.documents)
        library = filled(folder / "small", SMALL)
        figures |= killed_backing_up(library, folder / "killed", given.rounds, chance)
        figures |= killed_restoring(library, folder / "killed", given.rounds, chance)
        figures |= flipped(library, folder / "killed", given.rounds, chance)
    record("backup", figures)


def running(folder: Path, rounds: int, chance: random.Random) -> dict[str, object]:
    """Back up while two other processes write."""
    folder.mkdir()
    write_files(folder / "files", 400, chance)
    with Library.open(folder / "library", embedder="none") as library:
        book = library.add([str(folder / "files" / "file000.md")]).documents[0].id
        assert book is not None
        adding = child(ADD, folder / "library", folder / "files")
        writing = child(WRITE, folder / "library", book)
        acknowledged: list[str] = []
        equal = complete = moved = 0
        try:
            for n in range(rounds):
                acknowledged += lines_of(writing, 3)
                with library.database.read() as c:
                    before = hashes(c)
                    made = library.backups.make(folder / "one.backup", incremental=n % 2 == 1)
                with library.database.read() as c:
                    moved += hashes(c) != before
                target = folder / f"restored{n}"
                restore(made.path, target, Hooks())
                equal += hashes_of(target) == before
                complete += holds(target, acknowledged)
                shutil.rmtree(target)
            still = adding.poll() is None
        finally:
            end(adding)
            end(writing)
    return {
        "running: restored equal by hash, table by table": equal,
        "running: with all that was acknowledged": complete,
        "running: the library moved on meanwhile": moved,
        "running: the addition outlasted them": still,
        "running: documents, notes, sessions in the last": (made.documents, made.notes, made.sessions),
    }


def killed_backing_up(library: Path, folder: Path, rounds: int, chance: random.Random) -> dict[str, object]:
    """Kill a backup at random moments while an older one stands in its place."""
    folder.mkdir()
    target = folder / "one.backup"
    before = hashes_of(library)
    with Library.open(library, embedder="none") as opened:
        opened.backups.make(target)
    old = digest(target)
    seconds = {kind: run(BACKUP, library, folder / "timed.backup", kind)[1] for kind in ("full", "incremental")}
    met = untouched = whole = again = 0
    for n in range(rounds):
        kind = ("full", "incremental")[n % 2]
        finished, _ = run(BACKUP, library, target, kind, kill_after=chance.uniform(0, seconds[kind]))
        met += not finished
        whole += digest(target) == old or readable(target)
        untouched += hashes_of(library) == before
        with Library.open(library, embedder="none") as opened:
            again += opened.backups.make(target).documents > 0
        old = digest(target)
        assert not [p for p in (*folder.iterdir(), *library.iterdir()) if p.name.startswith(".")], "left behind"
    return {
        "killed while backing up: in mid work": met,
        "killed while backing up: library equal by hash": untouched,
        "killed while backing up: the former backup, or the new one, whole": whole,
        "killed while backing up: the next backup succeeds and sweeps": again,
    }


def killed_restoring(library: Path, folder: Path, rounds: int, chance: random.Random) -> dict[str, object]:
    """Kill a restore at random moments."""
    source, before = folder / "one.backup", hashes_of(library)
    old = digest(source)
    _, seconds = run(RESTORE, source, folder / "timed")
    met = untouched = nothing_or_all = again = 0
    for n in range(rounds):
        target = folder / f"new{n}"
        if n % 3 == 1:
            target.mkdir()
        finished, _ = run(RESTORE, source, target, kill_after=chance.uniform(0, 0.8 * seconds))
        met += not finished
        untouched += digest(source) == old
        there = (target / "library.db").exists()
        nothing_or_all += hashes_of(target) == before if there else not any(target.glob("*"))
        if not there:
            restore(source, target, Hooks())
        again += hashes_of(target) == before
        shutil.rmtree(target)
        assert not [p for p in folder.iterdir() if p.name.startswith(f".new{n}")], "left behind"
    return {
        "killed while restoring: in mid work": met,
        "killed while restoring: the backup as it was": untouched,
        "killed while restoring: nothing, or the whole library": nothing_or_all,
        "killed while restoring: restored in the end, equal by hash": again,
    }


def flipped(library: Path, folder: Path, rounds: int, chance: random.Random) -> dict[str, object]:
    """Change one bit."""
    source, before = folder / "one.backup", hashes_of(library)
    data = source.read_bytes()
    refused = clean = 0
    with Library.open(library, embedder="none") as opened:
        for _ in range(rounds):
            at = chance.randrange(len(data))
            damaged = folder / "damaged.backup"
            changed = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
            damaged.write_bytes(changed)
            refused += refuses(lambda d=damaged: restore(d, folder / "never", Hooks()), damaged)  # type: ignore[misc]
            refused += refuses(lambda d=damaged: opened.backups.make(d, incremental=True), damaged)  # type: ignore[misc]
            clean += not (folder / "never").exists() and damaged.read_bytes() == changed
    return {
        "flipped: refused with a clear error (restore and incremental)": f"{refused} of {2 * rounds}",
        "flipped: nothing written": clean,
        "flipped: library equal by hash": hashes_of(library) == before,
    }


def size(library: Path, folder: Path, count: int) -> dict[str, object]:
    """Measure time and bytes."""
    folder.mkdir()
    target, file = folder / "one.backup", library / "library.db"
    figures: dict[str, object] = {f"{count} documents, library file, MB": round(file.stat().st_size / 1e6, 1)}
    figures["baseline: copy of the file, s"] = timed(lambda: shutil.copy(file, folder / "copy"))
    figures["baseline: packed by zlib 1, s"] = timed(lambda: packed(file, folder / "packed"))
    figures["baseline: packed, MB"] = round((folder / "packed").stat().st_size / 1e6, 1)
    with Library.open(library, embedder="none") as opened:
        figures["full backup, s"] = timed(lambda: opened.backups.make(target))
        figures["backup, MB"] = round(target.stat().st_size / 1e6, 1)
        book = opened.documents().documents[0].id
        opened.notes.add(book, span=(0, 40), body="one more")
        figures["incremental after a note, s"] = timed(lambda: opened.backups.make(target, incremental=True))
        write_files(folder / "files", 1, random.Random(3))
        opened.add([str(folder / "files")])
        figures["incremental after a document, s"] = timed(lambda: opened.backups.make(target, incremental=True))
    figures["restore, s"] = timed(lambda: restore(target, folder / "new", Hooks()))
    shutil.rmtree(folder)
    return figures


def filled(folder: Path, count: int) -> Path:
    """Make a library of documents of 50 passages with vectors."""
    rng = np.random.default_rng(1)
    database = open_database(folder)
    for n, made in enumerate(documents(count)):
        segment, values = made.segment(), vectors(rng, CHUNKS, 384).astype("<f2")
        with database.write() as c:
            sha = hashlib.sha256(str(n).encode()).hexdigest()
            key = insert_document(c, made.document, sha256=sha, sources=[f"/books/{n}"], embedder="made")
            insert_chunks(c, key, made.chunks, segment)
            waiting = pending_chunks(c, embedder_key(c, FINGERPRINT), document=key)
            found = [(x.id, 0, x.start, x.end, v.tobytes()) for x, v in zip(waiting, values, strict=True)]
            insert_vectors(c, embedder_key(c, FINGERPRINT), found)
    while compact(database):
        pass
    database.close()
    return folder


def hashes(c: apsw.Connection) -> dict[str, str]:
    """The SHA-256 of the rows of every table, apart from the library's own id, which a restored one has anew."""
    found: dict[str, str] = {}
    names = c.execute("select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow')")
    for name in sorted(str(n) for (n,) in names.fetchall()):
        if name.startswith("sqlite_"):
            continue
        total = hashlib.sha256()
        where = " where key not in ('library', 'lineage')" if name == "meta" else ""
        for row in sorted(repr(r) for r in c.execute(f'select * from "{name}"{where}')):
            total.update(row.encode() + b"\n")
        found[name] = total.hexdigest()
    return found


def hashes_of(folder: Path) -> dict[str, str]:
    """The hashes of a library that nobody writes."""
    with Library.open(folder, create=False, embedder="none") as library, library.database.read() as c:
        return hashes(c)


def holds(folder: Path, acknowledged: list[str]) -> bool:
    """Return whether notes and sessions of these ids are in a library."""
    with Library.open(folder, create=False, embedder="none") as library, library.database.read() as c:
        ids = {i for table in ("annotation", "session") for (i,) in c.execute(f"select id from {table}")}
    return {i for line in acknowledged for i in line.split()} <= ids


def readable(path: Path) -> bool:
    """Return whether a backup is whole."""
    from glossator.library.backup import archive

    try:
        archive.read(path, lambda _: None)
    except GlossatorError as error:
        print("PROBLEM", error)
        return False
    return True


def refuses(attempt: Callable[[], object], path: Path) -> bool:
    """Return whether an attempt is refused for damage, by an error that names the file."""
    try:
        attempt()
    except DamagedFile as error:
        return str(path) in error.message and "damaged" in error.message
    return False


def child(script: str, *words: object) -> "subprocess.Popen[str]":
    """Start a process."""
    command = [sys.executable, "-c", script, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def end(process: "subprocess.Popen[str]") -> None:
    """Stop a process at once."""
    process.kill()
    process.communicate()


def lines_of(process: "subprocess.Popen[str]", count: int) -> list[str]:
    """Read what a process acknowledges: some lines more."""
    assert process.stdout is not None
    found = [process.stdout.readline() for _ in range(count)]
    assert all(found), "the process that writes has ended"
    return found


def run(script: str, *words: object, kill_after: float | None = None) -> tuple[bool, float]:
    """Run a process, killed some seconds after it began; return whether it ended by itself, and its seconds."""
    process = child(script, *words)
    lines_of(process, 1)
    begun = time.perf_counter()
    try:
        process.wait(kill_after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == 0, time.perf_counter() - begun


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def timed(work: Callable[[], object]) -> str:
    """Seconds of one run, and in brackets those of the processor, which other programs do not change much."""
    begun, used = time.perf_counter(), time.process_time()
    work()
    return f"{time.perf_counter() - begun:.1f} ({time.process_time() - used:.1f})"


def packed(source: Path, target: Path) -> None:
    """Pack a file as a baseline."""
    pack = zlib.compressobj(1)
    with source.open("rb") as file, target.open("wb") as out:
        while piece := file.read(1 << 20):
            out.write(pack.compress(piece))
        out.write(pack.flush())


if __name__ == "__main__":
    main()
