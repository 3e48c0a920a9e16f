from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.chunker import Chunk
from glossator.store import chunks as stored_chunks
from glossator.store import documents as stored
from glossator.store.chunks import chunks_of
from glossator.store.database import Database
from glossator.store.documents import remove_document, set_status
from glossator.store.scope import PartialChunk, Scope, Visible, merge_ranges, resolve_scope
from tests.store.made import add, document, library, postings_of


def test_without_a_bound_everything_is_one_range(database: Database) -> None:
    with database.write() as c:
        for _ in range(3):
            add(c, ["a", "b"])
        assert resolve_scope(c, Scope()) == Visible(ranges=((1, 7),), everything=True)


def test_an_empty_library_shows_nothing(database: Database) -> None:
    with database.read() as c:
        assert resolve_scope(c, Scope()).empty
        assert resolve_scope(c, Scope(documents=(7,), caps={9: 3})).empty


def test_neighbouring_documents_are_joined_and_others_are_not(database: Database) -> None:
    with database.write() as c:
        keys = [add(c, ["a", "b"]) for _ in range(5)]
        assert resolve_scope(c, Scope(documents=(keys[1], keys[0], keys[3]))).ranges == ((1, 5), (7, 9))
        assert resolve_scope(c, Scope(documents=tuple(keys))).everything
        assert resolve_scope(c, Scope(documents=())).empty


def test_a_cap_shows_what_ends_before_it_and_cuts_what_crosses_it(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["0123456789", "0123456789", "0123456789"])  # at 0, 12, 24
        other = add(c, ["x"])
        crossed = resolve_scope(c, Scope(documents=(key,), caps={key: 15}))
        assert crossed.ranges == ((1, 2),)
        assert crossed.partial == (PartialChunk(id=2, document=key, start=12, visible_end=15),)
        assert resolve_scope(c, Scope(caps={key: 22})) == Visible(ranges=((1, 3), (4, 5)))
        assert resolve_scope(c, Scope(caps={key: 0})).ranges == ((4, 5),)
        assert resolve_scope(c, Scope(caps={key: 999})).everything
        assert resolve_scope(c, Scope(documents=(other,), caps={key: 15})).ranges == ((4, 5),)


def test_quarantined_documents_are_in_no_scope(database: Database) -> None:
    with database.write() as c:
        first, second, third = (add(c, ["0123456789"]) for _ in range(3))
        set_status(c, second, "quarantined")
        assert resolve_scope(c, Scope()).ranges == ((1, 2), (3, 4))
        assert resolve_scope(c, Scope(documents=(second,))).empty
        assert resolve_scope(c, Scope(caps={second: 5})).ranges == ((1, 2), (3, 4))
        set_status(c, third, "missing")  # its file is gone, its text is not
        assert resolve_scope(c, Scope(documents=(first, third))).ranges == ((1, 2), (3, 4))


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, list[int]]]:
    """Six documents with chunks that overlap, nest and leave gaps; one removed, one quarantined."""
    made = library(tmp_path_factory.mktemp("shelves"))
    keys = []
    with made.write() as c:
        for n in range(6):
            doc = document([f"{n}" * 100])
            spans = [(i * 7 % 90, min(100, i * 7 % 90 + 5 + (i * n) % 17)) for i in range(12)]
            chunks = [
                Chunk(start=a, end=b, kind="prose", section=None, tokens=1, heading_path=()) for a, b in sorted(spans)
            ]
            key = stored.insert_document(c, doc, sha256=f"{n:064x}")
            stored_chunks.insert_chunks(c, key, chunks, postings_of(doc, chunks))
            keys.append(key)
        remove_document(c, keys[2])
        set_status(c, keys[4], "quarantined")
    yield made, keys
    made.close()


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_what_is_visible_is_what_the_definition_says(shelves: tuple[Database, list[int]], data: st.DataObject) -> None:
    database, keys = shelves
    documents = data.draw(st.none() | st.lists(st.sampled_from(keys), unique=True).map(tuple))
    caps = data.draw(st.dictionaries(st.sampled_from(keys), st.integers(0, 110)))
    with database.read() as c:
        found = resolve_scope(c, Scope(documents=documents, caps=caps))
        rows = [
            row
            for key in keys
            if (documents is None or key in documents) and key not in (keys[2], keys[4])
            for row in chunks_of(c, key)
        ]
        gone = set(range(25, 37))  # ids of the removed document: in a range or not, nothing is there
    cap = {row.id: caps.get(row.document, 999) for row in rows}
    whole = {row.id for row in rows if row.end <= cap[row.id]}
    assert {i for a, b in found.ranges for i in range(a, b)} - gone == whole
    assert {(p.id, p.start, p.visible_end) for p in found.partial} == {
        (row.id, row.start, cap[row.id]) for row in rows if row.start < cap[row.id] < row.end
    }
    assert list(found.ranges) == merge_ranges(found.ranges)
    if found.everything:
        assert found.ranges == ((1, 73),)
    assert found.span == sum(b - a for a, b in found.ranges)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50))))
def test_merged_ranges_hold_the_same_ids_and_stand_apart(ranges: list[tuple[int, int]]) -> None:
    merged = merge_ranges(ranges)
    assert {i for a, b in merged for i in range(a, b)} == {i for a, b in ranges for i in range(a, b)}
    assert all(a < b for a, b in merged)
    assert all(left[1] < right[0] for left, right in pairwise(merged))
