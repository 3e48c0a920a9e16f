"""How fast the store and its indexes are: `python benchmarks/store_speed.py [documents of 50 chunks]`.

Figures are milliseconds of wall time, the median over many runs, and in brackets the best run, which is the one to
compare where other programs were busy. Baselines in the same run: the same words in SQLite's FTS5 (Chinese as bigrams,
all terms asked), and the cosine of every vector in plain Python.
"""

import hashlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import apsw
import numpy as np

from common import record
from glossator.embed.base import Fingerprint
from glossator.index.lexical import query_tokens, tokens
from glossator.index.snapshot import Indexes, compact
from glossator.store.chunks import chunk_rows, embedder_key, insert_chunks, insert_vectors, pending_chunks
from glossator.store.database import Database, open_database
from glossator.store.documents import insert_document, remove_document, text_slice
from glossator.store.scope import Scope, resolve_scope
from made_library import CHUNKS, documents, vectors

DIMENSION = 384
FINGERPRINT = Fingerprint(model="made", sha256="0", dimension=DIMENSION, rule="none")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 160
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Path(folder) / "library")
        figures: dict[str, object] = {"chunks": count * CHUNKS, "dimension": DIMENSION}
        queries, fts = fill(database, count, figures)
        searching(database, queries, fts, figures)
        scopes(Path(folder) / "many", figures)
        figures["open and load all, cold process state"] = ms(lambda: opened(database.folder), 5)
        figures["file, MB"] = round(database.path.stat().st_size / 1e6, 1)
        record("store_speed", figures)


def fill(database: Database, count: int, figures: dict[str, object]) -> tuple[list[str], apsw.Connection]:
    """Add documents and vectors as a library does; return queries (some words of a chunk) and the FTS5 baseline."""
    rng = np.random.default_rng(1)
    fts = apsw.Connection(str(database.folder / "fts.db"))
    fts.pragma("journal_mode", "wal")
    fts.execute("create virtual table fts using fts5(text, content='', contentless_delete=1, tokenize='ascii')")
    added, tokenised, embedded, merged, baseline = Clock(), Clock(), Clock(), Clock(), Clock()
    queries: list[str] = []
    for n, made in enumerate(documents(count)):
        with tokenised:
            segment = made.segment()
        with added, database.write() as c:
            key = insert_document(c, made.document, sha256=sha(n), sources=[f"/books/{n}"], embedder="made")
            first, _ = insert_chunks(c, key, made.chunks, segment)
        with merged:
            while compact(database):
                pass
        values = vectors(rng, CHUNKS, DIMENSION).astype("<f2")
        with embedded, database.write() as c:
            embedder = embedder_key(c, FINGERPRINT)
            waiting = pending_chunks(c, embedder, document=key)
            rows = [(x.id, 0, x.start, x.end, v.tobytes()) for x, v in zip(waiting, values, strict=True)]
            insert_vectors(c, embedder, rows)
        texts = made.texts()
        with baseline, fts:
            bodies = ((first + i, words(t)) for i, t in enumerate(texts))
            fts.executemany("insert into fts(rowid, text) values (?,?)", bodies)
        middle = texts[CHUNKS // 2]
        queries.append(" ".join(middle.split()[40:50]) if " " in middle else middle[60:72])
    figures["add 50 chunks, the transaction"] = str(added)
    figures["add 50 chunks, counting terms before it"] = str(tokenised)
    figures["add 50 vectors, the transaction"] = str(embedded)
    figures["merging after an addition"] = str(merged)
    figures["baseline: add 50 chunks to FTS5"] = str(baseline)
    return queries[:: max(1, count // 60)], fts


def words(text: str) -> str:
    """A text's counted terms, as FTS5 gets them."""
    return " ".join(t.encode().hex() for t in tokens(text) if not t.startswith("\x1f"))


def searching(database: Database, queries: list[str], fts: apsw.Connection, figures: dict[str, object]) -> None:
    indexes = Indexes(database)
    rng = np.random.default_rng(2)
    asked = [(query_tokens(q), vectors(rng, 1, DIMENSION)[0]) for q in queries]
    with database.read() as c:
        snapshot = indexes.snapshot(c)
        everything = resolve_scope(c, Scope())
        capped = resolve_scope(c, Scope(caps={3: 20_000, 7: 9_000}))
        one = resolve_scope(c, Scope(documents=(5,)))
        half = resolve_scope(c, Scope(documents=tuple(range(1, len(snapshot.lexical.segments) * 16, 2))))
        index = snapshot.vectors["made"]
        for name, scope in (("everything", everything), ("two caps", capped), ("one document", one), ("half", half)):
            ranges = None if scope.everything else scope.ranges
            figures[f"words, {name}"] = each(lambda q, r=ranges: snapshot.lexical.search(q[0], 100, r), asked)
            figures[f"vectors, {name}"] = each(
                lambda q, r=ranges, s=scope: index.search(q[1], 100, r, s.partial), asked
            )
        figures["all of the store's part of a search"] = each(lambda q: whole_search(database, indexes, q), asked)
        best = snapshot.lexical.search(asked[0][0], 20)[0].tolist()
        figures["20 rows and texts"] = ms(lambda: texts_of(c, best), 50)
    figures["baseline: FTS5, everything"] = each(lambda q: in_fts(fts, q[0]), asked)
    matrix = np.concatenate([b.rows for b in index.batches]).tolist()  # type: ignore[attr-defined]
    vector = asked[0][1].tolist()
    figures["baseline: cosine in plain Python"] = ms(
        lambda: sorted((sum(map(float.__mul__, row, vector)) for row in matrix), reverse=True)[:100], 1
    )
    adding_and_removing(database, indexes, figures)


def whole_search(database: Database, indexes: Indexes, query: tuple[list[str], np.ndarray]) -> None:
    """What a hybrid search asks of store and indexes: snapshot, scope, both arms, rows and texts of the best 20."""
    with database.read() as c:
        visible = resolve_scope(c, Scope(caps={3: 20_000}))
        snapshot = indexes.snapshot(c, visible=visible)
        ids, _ = snapshot.lexical.search(query[0], 100, visible.ranges)
        near, _ = snapshot.vectors["made"].search(query[1], 100, visible.ranges, visible.partial)
        texts_of(c, [*ids.tolist()[:10], *near.tolist()[:10]])


def texts_of(c: apsw.Connection, ids: list[int]) -> list[str]:
    return [text_slice(c, x.document, x.start, x.end) for x in chunk_rows(c, ids)]


def in_fts(fts: apsw.Connection, terms: list[str]) -> object:
    match = " OR ".join(t.encode().hex() for t in dict.fromkeys(terms))
    return fts.execute("select rowid from fts where fts match ? order by bm25(fts) limit 100", (match,)).fetchall()


def adding_and_removing(database: Database, indexes: Indexes, figures: dict[str, object]) -> None:
    """What the first search after a change pays."""
    after_add, after_remove, removing = Clock(), Clock(), Clock()
    for n, made in enumerate(documents(5, seed=9)):
        segment = made.segment()
        with database.write() as c:
            key = insert_document(c, made.document, sha256=sha(n + 10**9))
            insert_chunks(c, key, made.chunks, segment)
        with after_add:
            indexes.snapshot()
        with removing, database.write() as c:
            remove_document(c, key)
        with after_remove:
            indexes.snapshot()
    figures["bringing the indexes up to date after an addition"] = str(after_add)
    figures["bringing the indexes up to date after a removal"] = str(after_remove)
    figures["removing 50 chunks"] = str(removing)


def scopes(folder: Path, figures: dict[str, object]) -> None:
    """Scopes over 10,000 documents of two chunks each."""
    database = open_database(folder)
    with database.write() as c:
        for n, made in enumerate(documents(10, chunks=2)):
            segment = made.segment()
            for i in range(1_000):
                key = insert_document(c, made.document, sha256=sha(n * 1_000 + i))
                insert_chunks(c, key, made.chunks, segment)
    half = tuple(range(1, 10_001, 2))
    caps = dict.fromkeys(range(1, 101), 900)
    with database.read() as c:
        for name, scope in (
            ("all", Scope()),
            ("all, 100 caps", Scope(caps=caps)),
            ("5,000 named", Scope(documents=half)),
            ("5,000 named, 50 caps", Scope(documents=half, caps=caps)),
            ("one", Scope(documents=(77,), caps={77: 100})),
        ):
            figures[f"scope over 10,000 documents, {name}"] = ms(lambda s=scope: resolve_scope(c, s), 20)
    database.close()


def opened(folder: Path) -> None:
    database = open_database(folder)
    Indexes(database).snapshot()
    database.close()


def sha(n: int) -> str:
    return hashlib.sha256(str(n).encode()).hexdigest()


def each(run: Callable[[tuple[list[str], np.ndarray]], object], queries: list[tuple[list[str], np.ndarray]]) -> str:
    """Median over the queries, and over the queries the median of each one's best of five."""
    clocks = [Clock() for _ in queries]
    for _ in range(6):
        for query, clock in zip(queries, clocks, strict=True):
            with clock:
                run(query)
    every = median(t for clock in clocks for t in clock.taken[1:])
    return f"{every * 1_000:.3g} ({median(min(clock.taken) for clock in clocks) * 1_000:.3g})"


def ms(run: Callable[[], object], times: int) -> str:
    clock = Clock()
    for _ in range(times):
        with clock:
            run()
    return str(clock)


class Clock:
    """Wall time of each `with` block; as a string, the median and the best in milliseconds."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        self._start = 0.0

    def __enter__(self) -> None:
        self._start = perf_counter()

    def __exit__(self, *_: object) -> None:
        self.taken.append(perf_counter() - self._start)

    def __str__(self) -> str:
        return f"{median(self.taken) * 1_000:.3g} ({min(self.taken) * 1_000:.3g})"


if __name__ == "__main__":
    main()
