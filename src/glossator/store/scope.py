"""What may be seen: a set of documents, and in each a bound; resolved to ranges of chunk ids.

The indexes search inside the ranges, so a hit outside cannot arise. A chunk that the bound cuts is in no range: it
comes as `partial`, to be scored and shown by its visible part only.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import apsw

from glossator.store.sql import rows, value

Range = tuple[int, int]  # `[first, end)` of chunk ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Documents that may be seen (keys; None: all) and the first hidden position of those that are capped."""

    documents: tuple[int, ...] | None = None
    caps: Mapping[int, int] = field(default_factory=dict)

    def cap(self, document: int) -> int | None:
        """Return the first hidden position of a document; None when all of it may be seen."""
        return self.caps.get(document)

    def holds(self, document: int) -> bool:
        """Say whether the scope names the document, capped or not."""
        return self.documents is None or document in self.documents


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialChunk:
    """A chunk that a bound cuts: what may be seen of it is `[start, visible_end)` of the canonical text."""

    id: int
    document: int
    start: int
    visible_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Visible:
    """A scope in chunk ids: `ranges` ascending and apart, wholly visible; `partial` in none of them.

    `everything` says that the ranges hold every chunk there is, so that no filter is needed. A range may run over ids
    of removed documents; those are in no index.
    """

    ranges: tuple[Range, ...]
    partial: tuple[PartialChunk, ...] = ()
    everything: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing at all may be seen."""
        return not self.ranges and not self.partial

    @property
    def span(self) -> int:
        """How many chunk ids the ranges hold, those of removed documents included."""
        return sum(end - first for first, end in self.ranges)


def resolve_scope(c: apsw.Connection, scope: Scope) -> Visible:
    """Return what of the library a search may see under `scope`; quarantined documents are never in it."""
    next_chunk = value(c, "select value from meta where key = 'next_chunk'")
    caps = scope.caps if scope.documents is None else {d: scope.caps[d] for d in scope.documents if d in scope.caps}
    capped, partial = _capped(c, caps)
    if scope.documents is None:
        hidden = _ranges(
            c,
            "select t.first_chunk, t.first_chunk + t.chunks from document d join content t on t.document = d.key"
            " where d.status = 'quarantined' and t.chunks > 0",
        )
        ranges = _without((1, next_chunk), merge_ranges([*hidden, *(whole for whole, _ in capped)]))
    else:
        ranges = _ranges(
            c,
            "select t.first_chunk, t.first_chunk + t.chunks from document d join content t on t.document = d.key"
            " where d.key in (select value from json_each(?)) and d.status <> 'quarantined' and t.chunks > 0",
            json.dumps([d for d in scope.documents if d not in caps]),
        )
    found = merge_ranges([*ranges, *(r for _, seen in capped for r in seen)])
    everything = not partial and found == [(1, next_chunk)]
    return Visible(ranges=tuple(found), partial=tuple(partial), everything=everything)


def merge_ranges(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges in ascending order, with those joined that touch or overlap, and empty ones left out."""
    out: list[Range] = []
    for first, end in sorted(r for r in ranges if r[0] < r[1]):
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((first, end))
    return out


def _ranges(c: apsw.Connection, sql: str, *values: str) -> list[Range]:
    return [(first, end) for first, end in rows(c, sql, values)]


def _without(whole: Range, holes: Iterable[Range]) -> list[Range]:
    out: list[Range] = []
    at = whole[0]
    for first, end in holes:
        out.append((at, first))
        at = end
    return [*out, (at, whole[1])]


def _capped(c: apsw.Connection, caps: Mapping[int, int]) -> tuple[list[tuple[Range, list[Range]]], list[PartialChunk]]:
    """For every capped document all its chunk ids, and the ranges of those that end by the cap; and the cut chunks."""
    documents: list[tuple[Range, list[Range]]] = []
    partial: list[PartialChunk] = []
    found = rows(
        c,
        "select d.key, d.status, t.first_chunk, t.chunks, t.longest_chunk from document d"
        " join content t on t.document = d.key where d.key in (select value from json_each(?)) and t.chunks > 0",
        (json.dumps(list(caps)),),
    )
    for key, status, first, chunks, longest in found:
        cut = _cut(c, key, caps[key], longest) if status != "quarantined" else []
        last = _last_before(c, key, caps[key]) if status != "quarantined" else None
        seen = [] if last is None else _without((first, last + 1), [(x.id, x.id + 1) for x in cut])
        documents.append(((first, first + chunks), seen))
        partial += cut
    return documents, partial


def _last_before(c: apsw.Connection, key: int, cap: int) -> int | None:
    """The last chunk that starts before the cap; ids ascend with starts."""
    sql = "select id from chunk where document = ? and start < ? order by start desc, id desc limit 1"
    last: int | None = value(c, sql, (key, cap))
    return last


def _cut(c: apsw.Connection, key: int, cap: int, longest: int) -> list[PartialChunk]:
    """The chunks that start before the cap and end after it; none of them starts earlier than the longest reaches."""
    found = rows(
        c,
        'select id, start from chunk where document = ? and start > ? and start < ? and "end" > ? order by id',
        (key, cap - longest, cap, cap),
    )
    return [PartialChunk(id=i, document=key, start=start, visible_end=cap) for i, start in found]
