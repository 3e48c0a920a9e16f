"""kill -9 against a writer of the store: `python benchmarks/kill_store.py [rounds]`.

A child process adds, changes, embeds and removes documents for ever, merges postings, and reports each finished step;
it is killed at a random moment. Then the library is opened again, at first by a reader alone, and everything is
compared: SQLite's own check, texts with their versions, chunks and id ranges, postings with the terms of the texts,
vectors with what the documents say of them, and every step that was reported as done. kill -9 leaves the page cache
alone: this says nothing about power loss, against which the library syncs every commit.
"""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import apsw
import numpy as np

from common import record
from glossator.document.model import text_version
from glossator.embed.base import Fingerprint
from glossator.index.integrity import wrong_postings
from glossator.index.lexical import tokens
from glossator.index.snapshot import Indexes, compact
from glossator.store.chunks import (
    chunks_of,
    embedder_key,
    insert_chunks,
    insert_vectors,
    pending_chunks,
    vector_rows,
)
from glossator.store.database import Database, open_database
from glossator.store.documents import (
    StoredDocument,
    full_text,
    insert_document,
    list_documents,
    remove_document,
    replace_content,
    text_slice,
)
from made_library import Made, documents, vectors

DIMENSION = 64
FINGERPRINT = Fingerprint(model="made", sha256="0", dimension=DIMENSION, rule="none")
KEPT = 20  # documents at a time
SIZE = 12  # chunks of each
BATCH = 5  # vectors in one transaction


def child(folder: Path) -> None:
    """Change the library until killed; print `+ id version` or `- id` after each step, `~ id` before a removal."""
    seed = time.time_ns()
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    made = [(one, one.segment()) for one in documents(4, seed=seed % 10**6, chunks=SIZE)]
    database = open_database(folder)
    with database.read() as c:
        alive = list_documents(c)
    print("ready", flush=True)
    while True:
        one, segment = chance.choice(made)
        replaced = chance.choice(alive) if alive and chance.random() < 0.3 else None
        if replaced:
            print("~", replaced.id, flush=True)
        key = write(database, one, segment, replaced, f"{chance.getrandbits(256):064x}")
        embed(database, rng, key)
        while compact(database):
            pass
        if len(alive) > KEPT or (len(alive) > 5 and chance.random() < 0.3):
            gone = alive.pop(chance.randrange(len(alive)))
            print("~", gone.id, flush=True)
            with database.write() as c:
                remove_document(c, gone.key)
            print("-", gone.id, flush=True)
        with database.read() as c:
            alive = list_documents(c)


def write(database: Database, made: Made, segment: bytes, replaced: StoredDocument | None, sha256: str) -> int:
    with database.write() as c:
        if replaced:
            key = replaced.key
            replace_content(c, key, made.document, sha256=sha256)
        else:
            key = insert_document(c, made.document, sha256=sha256, sources=[f"/books/{sha256}"], embedder="made")
        insert_chunks(c, key, made.chunks, segment)
        (name,) = c.execute("select id from document where key = ?", (key,)).fetchone() or ("",)
    print("+", name, made.document.text_version, flush=True)
    return key


def embed(database: Database, rng: np.random.Generator, key: int) -> None:
    while True:
        with database.write() as c:
            embedder = embedder_key(c, FINGERPRINT)
            waiting = pending_chunks(c, embedder, document=key, limit=BATCH)
            if not waiting:
                return
            values = vectors(rng, len(waiting), DIMENSION).astype("<f2")
            rows = [(x.id, 0, x.start, x.end, v.tobytes()) for x, v in zip(waiting, values, strict=True)]
            insert_vectors(c, embedder, rows)


def examined(folder: Path, expected: dict[str, str], gone: set[str], unsure: set[str]) -> Counter[str]:
    """What is wrong with the library after a kill; brings `expected` (version by id) up to what is there."""
    wrong: Counter[str] = Counter()
    reader = open_database(folder, readonly=True)
    with reader.read() as c:
        found = {d.id: d for d in list_documents(c)}
        wrong["acknowledged and lost"] = len(expected.keys() - found.keys() - unsure)
        wrong["removed and back"] = len(gone & found.keys())
        wrong["acknowledged with other text"] = sum(
            found[i].text_version != version for i, version in expected.items() if i in found and i not in unsure
        )
        compare_rows(c, list(found.values()), wrong)
        compare_indexes(Indexes(reader), c, list(found.values()), wrong)
    reader.close()
    open_database(folder).close()  # a writer merges what the log still holds
    expected.clear()
    expected.update({i: d.text_version for i, d in found.items()})
    return wrong


def compare_rows(c: apsw.Connection, found: list[StoredDocument], wrong: Counter[str]) -> None:
    wrong["damaged"] = int(c.execute("pragma integrity_check").fetchall() != [("ok",)])
    wrong["orphans"] = len(c.execute("pragma foreign_key_check").fetchall())
    seen: set[int] = set()
    for document in found:
        text = full_text(c, document.key)
        wrong["torn texts"] += text_version(text) != document.text_version or len(text) != document.characters
        ids = [x.id for x in chunks_of(c, document.key)]
        wanted = list(range(document.first_chunk, document.first_chunk + document.chunks))
        wrong["torn documents"] += ids != wanted or document.chunks != SIZE or bool(seen & set(ids))
        seen |= set(ids)
    (next_chunk,) = c.execute("select value from meta where key = 'next_chunk'").fetchone() or (0,)
    wrong["ids given out twice"] = int(max(seen, default=0) >= int(next_chunk))
    wrong["rows of none"] = len(c.execute("select id from chunk").fetchall()) - len(seen)
    wrong["postings that differ"] = len(wrong_postings(c, terms_of))


def compare_indexes(indexes: Indexes, c: apsw.Connection, found: list[StoredDocument], wrong: Counter[str]) -> None:
    """The indexes as they load, against the rows."""
    snapshot = indexes.snapshot(c)
    chunks = {i for d in found for i in range(d.first_chunk, d.first_chunk + d.chunks)}
    wrong["chunks indexed"] = int(snapshot.lexical.chunks != len(chunks))
    index = snapshot.vectors.get("made")
    ids = set() if index is None else set(index.search(np.ones(DIMENSION, np.float32), 1 << 30)[0].tolist())
    rows = set() if index is None else {chunk for chunk, *_ in vector_rows(c, index.embedder.key)}
    wrong["vectors indexed"] = int(ids != rows or not rows <= chunks)
    for document in found:
        mine = rows & set(range(document.first_chunk, document.first_chunk + document.chunks))
        wrong["vectors said ready and not there"] += document.vectors == "ready" and len(mine) < document.chunks


def terms_of(c: apsw.Connection, key: int) -> list[list[str]]:
    return [tokens(text_slice(c, key, x.start, x.end)) for x in chunks_of(c, key)]


def killed(folder: Path, wait: float) -> tuple[dict[str, str], set[str], set[str], int]:
    """Run a child until it is killed; return what it reported: ids with versions, removed, unsure, number of steps."""
    command = [sys.executable, __file__, "child", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    lines = [line.split() for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    process.wait()
    added: dict[str, str] = {}
    gone: set[str] = set()
    unsure: set[str] = set()
    for sign, name, *version in lines:
        if sign == "~":
            unsure.add(name)
            continue
        unsure.discard(name)
        if sign == "+":
            added[name] = version[0]
            gone.discard(name)
        else:
            added.pop(name, None)
            gone.add(name)
    return added, gone, unsure, sum(sign != "~" for sign, *_ in lines)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    chance = random.Random()
    total: Counter[str] = Counter()
    steps = 0
    expected: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "library"
        open_database(folder).close()
        for n in range(rounds):
            added, gone, unsure, done = killed(folder, chance.uniform(0.01, 1.2))
            steps += done
            expected |= added
            for removed in gone:
                expected.pop(removed, None)
            wrong = +examined(folder, expected, gone, unsure)
            total.update(wrong)
            print(f"round {n + 1}: {done} steps", file=sys.stderr, flush=True)
            if wrong:
                print(f"round {n}: {json.dumps(dict(wrong))}", flush=True)
        figures = {"rounds": rounds, "steps reported as done": steps, "documents at the end": len(expected)}
        record("kill_store", figures | {"problems": sum(total.values())} | dict(total))
    if total:
        sys.exit(1)


if __name__ == "__main__":
    child(Path(sys.argv[2])) if sys.argv[1:2] == ["child"] else main()
