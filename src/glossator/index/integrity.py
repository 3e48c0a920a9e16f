"""Whether the postings are those of the texts, and making them again when they are not."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import apsw
import numpy as np

from glossator.errors import StoreError
from glossator.index.segment import Segment, build, load, merge
from glossator.store.database import Database, generation
from glossator.store.sql import rows

TokenLists = Callable[[apsw.Connection, int], Sequence[list[str]]]
"""The terms of each chunk of a document (its key), in order: what was given to `build` when it was added."""

ATTEMPTS = 3  # to rebuild beside other writers, before they are made to wait


@dataclass(frozen=True, slots=True)
class _Chunked:
    key: int
    title: str
    first: int
    chunks: int


def wrong_postings(c: apsw.Connection, token_lists: TokenLists) -> list[str]:
    """Return what is wrong with the segments, as short texts: damaged ones, and documents whose postings differ.

    Every text is read and every term counted again: about a second for 2,000 chunks.
    """
    found: list[str] = []
    documents = _documents(c)
    seen: Counter[int] = Counter()
    for i, first, chunks, data in rows(c, "select id, first, chunks, data from lexical_segment order by first"):
        mine = [d for d in documents if d.first < first + chunks and d.first + d.chunks > first]
        seen.update(d.key for d in mine)
        try:
            segment = load(data, first)
        except StoreError as error:
            found.append(f"segment {i}: {error.message}")
            continue
        made = [build(token_lists(c, d.key), d.first) for d in mine]
        if made and not _same(made, segment):
            wrong = [d.title for d, one in zip(mine, made, strict=True) if not _same([one], segment)]
            found.append(f"segment {i} has other postings than the texts of: {'; '.join(wrong)}")
    return found + [f"“{d.title}” is in {seen[d.key]} segments, not in one" for d in documents if seen[d.key] != 1]


def rebuild_postings(database: Database, token_lists: TokenLists) -> int:
    """Make all segments again from the texts, in one transaction; return the number of chunks.

    The terms are counted before the transaction begins. When others write meanwhile that is done again, and at last
    while they wait.

    Raises:
        LibraryBusy: another writer held the library for too long.
        StoreError: the texts cannot be read, or the library cannot be written.
    """
    for _ in range(ATTEMPTS):
        with database.read() as c:
            at = generation(c)
            made = _build_all(c, token_lists)
        with database.write() as c:
            if generation(c) == at:
                return _write_all(c, made)
    with database.write() as c:
        return _write_all(c, _build_all(c, token_lists))


def _documents(c: apsw.Connection) -> list[_Chunked]:
    sql = (
        "select d.key, d.title, t.first_chunk, t.chunks from document d join content t on t.document = d.key"
        " where t.chunks > 0 order by t.first_chunk"
    )
    return [_Chunked(*found) for found in rows(c, sql)]


def _build_all(c: apsw.Connection, token_lists: TokenLists) -> list[tuple[int, int, bytes]]:
    return [(d.first, d.chunks, build(token_lists(c, d.key)).dump()) for d in _documents(c)]


def _write_all(c: apsw.Connection, made: Sequence[tuple[int, int, bytes]]) -> int:
    c.execute("delete from lexical_segment")
    c.executemany("insert into lexical_segment(first, chunks, data) values (?,?,?)", made)
    c.execute("insert into change(operation, first, chunks) values ('reset', 0, 0)")
    return sum(chunks for _, chunks, _ in made)


def _same(made: Sequence[Segment], segment: Segment) -> bool:
    """Say whether a segment holds, for the chunks of the `made` ones, their postings and nothing else."""
    live = np.zeros(segment.end, np.bool_)
    for one in made:
        live[one.first : one.end] = True
    if made[-1].end > segment.end or made[0].first < segment.first:
        return False
    actual, expected = merge([segment], live), merge(made)
    shift = expected.first - segment.first
    return (
        np.array_equal(actual.terms, expected.terms)
        and np.array_equal(actual.offsets, expected.offsets)
        and np.array_equal(actual.local.astype(np.int64) - shift, expected.local)
        and np.array_equal(actual.times, expected.times)
        and np.array_equal(actual.length[shift : shift + expected.chunks], expected.length)
    )
