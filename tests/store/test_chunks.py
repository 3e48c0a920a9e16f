from dataclasses import replace

import pytest

from glossator.store import chunks as stored
from glossator.store.database import Database, generation
from glossator.store.documents import get_document, insert_document, remove_document
from tests.store.made import FINGERPRINT, add, chunks_of, document, give_vectors, postings_of


def test_chunk_ids_are_contiguous_within_a_document_and_in_reading_order(database: Database) -> None:
    with database.write() as c:
        first, second = add(c, ["a", "b", "c"]), add(c, ["d", "e"])
        assert [x.id for x in stored.chunks_of(c, first)] == [1, 2, 3]
        assert [x.id for x in stored.chunks_of(c, second)] == [4, 5]
        assert [x.start for x in stored.chunks_of(c, first)] == [0, 3, 6]


def test_rows_come_in_the_order_asked_for_without_those_that_are_gone(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["a", "b", "c"])
        assert [x.id for x in stored.chunk_rows(c, [3, 99, 1])] == [3, 1]
        row = stored.chunk_rows(c, [2])[0]
    assert row == stored.ChunkRow(id=2, document=key, start=3, end=4, kind="prose", section=1, tokens=1)


def test_chunks_out_of_order_are_a_mistake_of_the_caller(database: Database) -> None:
    doc = document(["a", "b"])
    chunks = chunks_of(doc)[::-1]
    with database.write() as c:
        key = insert_document(c, doc, sha256="a" * 64)
        with pytest.raises(ValueError, match="order"):
            stored.insert_chunks(c, key, chunks, postings_of(doc, chunks))


def test_every_change_of_what_is_indexed_raises_the_generation(database: Database) -> None:
    seen = [0]

    def rose() -> bool:
        seen.append(generation(c))
        return seen[-1] > seen[-2]

    with database.write() as c:
        key = add(c, ["a", "b"], embedder="test")
        assert rose()
        embedder = stored.embedder_key(c, FINGERPRINT)
        assert not rose()
        give_vectors(c, embedder, limit=1)
        assert rose()
        remove_document(c, key)
        assert rose()


def test_vectors_arrive_in_batches_until_none_is_pending(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["a", "b", "c"], embedder="test")
        other = add(c, ["d"], embedder="another")
        embedder = stored.embedder_key(c, FINGERPRINT)
        assert [x.id for x in stored.pending_chunks(c, embedder)] == [1, 2, 3]
        assert [x.id for x in stored.pending_chunks(c, embedder, limit=2)] == [1, 2]
        assert stored.pending_chunks(c, embedder, document=other) == []
        give_vectors(c, embedder, limit=2)
        assert get_document(c, key).vectors == "pending"
        assert [x.id for x in stored.pending_chunks(c, embedder)] == [3]
        give_vectors(c, embedder)
        assert get_document(c, key).vectors == "ready"
        assert stored.pending_documents(c) == [(other, "another")]


def test_vectors_of_chunks_that_went_meanwhile_are_left_out(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["a"], embedder="test")
        kept = add(c, ["b"], embedder="test")
        embedder = stored.embedder_key(c, FINGERPRINT)
        remove_document(c, key)
        value = bytes(2 * FINGERPRINT.dimension)
        assert stored.insert_vectors(c, embedder, [(1, 0, 0, 1, value), (2, 0, 0, 1, value)]) == 1
        assert stored.insert_vectors(c, embedder, [(1, 0, 0, 1, value)]) == 0
        assert get_document(c, kept).vectors == "ready"


def test_a_chunk_read_in_windows_is_done_when_all_its_windows_came(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["a long one"], embedder="test")
        embedder = stored.embedder_key(c, FINGERPRINT)
        value = bytes(2 * FINGERPRINT.dimension)
        assert stored.insert_vectors(c, embedder, [(1, 0, 0, 6, value), (1, 1, 4, 10, value)]) == 2
        assert get_document(c, key).vectors == "ready"
        assert [(chunk, end) for chunk, end, _ in stored.vector_rows(c, embedder)] == [(1, 6), (1, 10)]


def test_a_document_without_chunks_waits_for_nothing(database: Database) -> None:
    with database.write() as c:
        key = add(c, [], embedder="test")
        assert get_document(c, key).vectors == "ready"
        remove_document(c, key)


def test_a_changed_model_behind_a_name_makes_its_documents_pending(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["a"], embedder="test")
        without = add(c, ["b"])
        embedder = stored.embedder_key(c, FINGERPRINT)
        give_vectors(c, embedder)
        assert stored.embedder_key(c, FINGERPRINT) == embedder
        changed = stored.embedder_key(c, replace(FINGERPRINT, sha256="1" * 64))
        assert changed != embedder
        assert [e.key for e in stored.embedders(c)] == [changed]
        assert get_document(c, key).vectors == "pending"
        assert get_document(c, without).vectors == "none"
        assert [x.id for x in stored.pending_chunks(c, changed)] == [1]
        assert stored.vector_rows(c, embedder) == []
