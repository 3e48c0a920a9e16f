import threading
from dataclasses import replace

import apsw
import numpy as np
import pytest

from glossator.errors import StoreError
from glossator.index import snapshot as module
from glossator.index.integrity import rebuild_postings, wrong_postings
from glossator.index.lexical import query_tokens, tokens
from glossator.index.snapshot import Indexes, Snapshot, compact
from glossator.store.chunks import chunks_of, embedder_key
from glossator.store.database import Database
from glossator.store.documents import remove_document, replace_content, text_slice
from glossator.store.scope import Scope, resolve_scope
from tests.store.made import FINGERPRINT, add, document, give_vectors


def words(snapshot: Snapshot, query: str) -> list[int]:
    return sorted(snapshot.lexical.search(query_tokens(query), 50)[0].tolist())


def token_lists(c: apsw.Connection, key: int) -> list[list[str]]:
    return [tokens(text_slice(c, key, x.start, x.end)) for x in chunks_of(c, key)]


def test_what_is_added_changed_and_removed_is_found_accordingly(database: Database) -> None:
    indexes = Indexes(database)
    assert words(indexes.snapshot(), "whale") == []
    with database.write() as c:
        key = add(c, ["the whale", "the sea"])
    assert words(indexes.snapshot(), "whale") == [1]
    with database.write() as c:
        replace_content(c, key, document(["an island"]), sha256="1" * 64)
        add(c, ["a white whale"])
    assert words(indexes.snapshot(), "whale") == [3]
    with database.write() as c:
        remove_document(c, key + 1)
    assert words(indexes.snapshot(), "whale") == []


def test_nothing_is_made_again_while_nothing_changed(database: Database) -> None:
    indexes = Indexes(database)
    with database.write() as c:
        add(c, ["a"])
    first = indexes.snapshot()
    assert indexes.snapshot().lexical is first.lexical
    assert indexes.snapshot(vectors=False).lexical is first.lexical


def test_an_older_reader_is_not_shown_what_it_cannot_see(database: Database) -> None:
    indexes = Indexes(database)
    with database.write() as c:
        add(c, ["whale"])
    with database.read() as c:
        before = resolve_scope(c, Scope())

        def newer() -> None:
            with database.write() as other:
                add(other, ["whale"])
            assert words(indexes.snapshot(), "whale") == [1, 2]

        thread = threading.Thread(target=newer)
        thread.start()
        thread.join()
        found, _ = indexes.snapshot(c).lexical.search(["whal"], 5, before.ranges)
        assert found.tolist() == [1]


def test_vectors_that_arrive_later_are_found_and_those_removed_are_not(database: Database) -> None:
    indexes = Indexes(database)
    with database.write() as c:
        key = add(c, ["a", "b", "c"], embedder="test")
        embedder = embedder_key(c, FINGERPRINT)
    assert len(indexes.snapshot().vectors["test"]) == 0
    with database.write() as c:
        made = give_vectors(c, embedder, limit=2)
    index = indexes.snapshot().vectors["test"]
    ids, scores = index.search(made[2], 5)
    assert ids.tolist()[0] == 2
    assert scores[0] == pytest.approx(1, abs=1e-3)
    assert len(index) == 2
    with database.write() as c:
        made |= give_vectors(c, embedder, seed=2)
        other = add(c, ["d"], embedder="test")
        made |= give_vectors(c, embedder, seed=3)
    assert indexes.snapshot().vectors["test"].search(made[4], 1)[0].tolist() == [4]
    with database.write() as c:
        remove_document(c, key)
    assert indexes.snapshot().vectors["test"].search(made[2], 9)[0].tolist() == [4]
    assert other


def test_replayed_indexes_are_those_that_are_loaded_afresh(database: Database) -> None:
    indexes = Indexes(database)
    rng = np.random.default_rng(2)
    keys: list[int] = []
    with database.write() as c:
        embedder = embedder_key(c, FINGERPRINT)
    for step in range(60):
        with database.write() as c:
            if keys and rng.random() < 0.3:
                remove_document(c, keys.pop(int(rng.integers(len(keys)))))
            else:
                text = [f"word{rng.integers(30)} common {step}" for _ in range(int(rng.integers(1, 5)))]
                keys.append(add(c, text, embedder="test", sha256=f"{step:064x}"))
            if rng.random() < 0.6:
                give_vectors(c, embedder, limit=int(rng.integers(1, 6)), seed=step)
        if step % 7 == 0:
            compact(database)
        kept, fresh = indexes.snapshot(), Indexes(database).snapshot()
        for query in ("common", f"word{step % 30}"):
            ours, theirs = (s.lexical.search(query_tokens(query), 99) for s in (kept, fresh))
            assert ours[0].tolist() == theirs[0].tolist()
            np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-5)
        vector = rng.standard_normal(FINGERPRINT.dimension).astype(np.float32)
        ours, theirs = (s.vectors["test"].search(vector, 99) for s in (kept, fresh))
        assert ours[0].tolist() == theirs[0].tolist()


def test_a_changed_model_takes_the_vectors_of_the_old_one_out(database: Database) -> None:
    indexes = Indexes(database)
    with database.write() as c:
        add(c, ["a"], embedder="test")
        give_vectors(c, embedder_key(c, FINGERPRINT))
    assert len(indexes.snapshot().vectors["test"]) == 1
    changed = replace(FINGERPRINT, sha256="9" * 64)
    with database.write() as c:
        key = embedder_key(c, changed)
    index = indexes.snapshot().vectors["test"]
    assert (len(index), index.embedder.fingerprint) == (0, changed)
    with database.write() as c:
        give_vectors(c, key)
    assert len(indexes.snapshot().vectors["test"]) == 1


def test_a_log_that_was_cut_is_no_obstacle(database: Database) -> None:
    indexes = Indexes(database)
    with database.write() as c:
        add(c, ["a"], embedder="test")
        embedder = embedder_key(c, FINGERPRINT)
        give_vectors(c, embedder)
    assert len(indexes.snapshot().vectors["test"]) == 1
    with database.write() as c:
        add(c, ["b"], embedder="test")
        give_vectors(c, embedder)
        c.execute("delete from change where generation < (select max(generation) from change)")
    assert len(indexes.snapshot().vectors["test"]) == 2


def test_without_vectors_asked_for_none_are_loaded_and_a_small_scope_loads_only_its_own(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SMALL", 3)
    with database.write() as c:
        keys = [add(c, ["0123456789"] * 3, embedder="test") for _ in range(5)]
        made = give_vectors(c, embedder_key(c, FINGERPRINT))
    indexes = Indexes(database)
    assert indexes.snapshot(vectors=False).vectors == {}
    with database.read() as c:
        one = resolve_scope(c, Scope(documents=(keys[1],), caps={keys[1]: 17}))
        small = indexes.snapshot(c, visible=one).vectors["test"]
        assert len(small) == 2  # a whole chunk, and one that the cap cuts
        assert small.search(made[5], 9, one.ranges, one.partial)[0].tolist() == [4]
        assert len(indexes.snapshot(c, visible=resolve_scope(c, Scope())).vectors["test"]) == 15
        assert len(indexes.snapshot(c, visible=one).vectors["test"]) == 15  # they are in memory by now


def test_segments_are_merged_without_changing_what_is_found(database: Database) -> None:
    indexes = Indexes(database)
    for i in range(40):
        with database.write() as c:
            add(c, [f"text {i}", "common words"], sha256=f"{i:064x}")
    with database.write() as c:
        remove_document(c, 5)
    before = indexes.snapshot()
    merges = 0
    while compact(database):
        merges += 1
    assert merges == 5
    with database.write() as c:
        add(c, ["one more common"])
        assert c.execute("select count(*) from lexical_segment").fetchall()[0][0] < 13
        assert wrong_postings(c, token_lists) == []
    after = Indexes(database).snapshot()
    assert (
        set(words(after, "common")) - {81}
        == set(words(before, "common"))
        == set(words(indexes.snapshot(), "common")) - {81}
    )


def test_a_segment_goes_when_the_last_of_its_documents_goes(database: Database) -> None:
    for i in range(8):
        with database.write() as c:
            add(c, [f"text {i}"], sha256=f"{i:064x}")
    assert compact(database)
    with database.write() as c:
        for key in range(1, 8):
            remove_document(c, key)
        assert c.execute("select count(*) from lexical_segment").fetchall() == [(1,)]
        remove_document(c, 8)
        assert c.execute("select count(*) from lexical_segment").fetchall() == [(0,)]
    assert Indexes(database).snapshot().lexical.chunks == 0


def test_wrong_postings_are_found_and_made_again(database: Database) -> None:
    indexes = Indexes(database)
    with database.write() as c:
        add(c, ["the whale", "the sea"], title="Moby")
        add(c, ["an island"], title="Treasure")
        assert wrong_postings(c, token_lists) == []
        c.execute(
            "update lexical_segment set data = (select data from lexical_segment where first = 3) where first = 1"
        )
        assert "Moby" in wrong_postings(c, token_lists)[0]
        c.execute("update lexical_segment set data = x'00' where first = 3")
        assert len(wrong_postings(c, token_lists)) == 2
        c.execute("delete from lexical_segment where first = 1")
        assert any("0 segments" in problem for problem in wrong_postings(c, token_lists))
    with pytest.raises(StoreError, match="search index"):
        indexes.snapshot()
    assert rebuild_postings(database, token_lists) == 3
    with database.read() as c:
        assert wrong_postings(c, token_lists) == []
    assert words(indexes.snapshot(), "whale") == [1]


def test_a_rebuild_beside_a_writer_takes_in_what_it_wrote(database: Database) -> None:
    with database.write() as c:
        add(c, ["the whale"])
    wrote: list[int] = []

    def while_another_writes(c: apsw.Connection, key: int) -> list[list[str]]:
        if len(wrote) < 5 and c.readonly("main"):  # what holds the lock cannot wait for another writer
            thread = threading.Thread(target=write)
            thread.start()
            thread.join()
        return token_lists(c, key)

    def write() -> None:
        with database.write() as c:
            wrote.append(add(c, [f"whale number {len(wrote)}"], sha256=f"{len(wrote) + 7:064x}"))

    rebuild_postings(database, while_another_writes)
    with database.read() as c:
        assert wrong_postings(c, token_lists) == []
    assert len(words(Indexes(database).snapshot(), "whale")) == len(wrote) + 1
