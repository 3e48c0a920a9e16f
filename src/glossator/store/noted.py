"""Which notes a filter means, and where each of them stands.

A note stands in one edition or several. Among all documents it is shown once: in its home, if that is there and the
note is not lost in it, else where it stands best. In a named document it is shown where it stands there; one that is
lost there is shown only if it was made there, or if the file it was made in is gone.

What the caps hide appears in no list and no count. A lost note is judged by the place it was made at.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import apsw

from glossator.document.model import Color
from glossator.store.annotations import tags_of
from glossator.store.content import dump
from glossator.store.sql import Row, rows, value

if TYPE_CHECKING:
    from glossator.document.locator import State

FEW = 500  # hits that are looked up one by one, rather than the notes of their document


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which notes are meant; an empty field asks for nothing. Every tag must be there, of colours and states one.

    `documents` are keys, `gone` those of editions whose document was removed; either is enough. `caps` are the first
    hidden positions of documents that are capped.
    """

    documents: tuple[int, ...] | None = None
    gone: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    colors: tuple[Color, ...] = ()
    states: "tuple[State, ...]" = ()
    caps: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A note with its place. `document` is the key of the document it is shown in; None when that is gone."""

    key: int
    id: str
    quote: str
    body: str
    color: Color
    tags: tuple[str, ...]
    origin: str
    details: Mapping[str, Any]
    created: str
    updated: str
    made: str  # the locator it was made at, as JSON
    document: int | None
    document_id: str
    title: str
    state: "State"
    score: float
    start: int | None
    end: int | None
    text_version: str | None


_BEST = (
    "(select x.edition from anchor x join edition p on p.key = x.edition"
    " where x.annotation = a.key and p.document is not null and x.state <> 'lost'{within}"
    " order by x.edition <> a.home, x.state, x.score desc limit 1)"
)
_WITHIN = " and p.document in (select value from json_each(:documents))"
_JOINS = " left join edition e on e.key = n.edition join edition h on h.key = a.home"
_IN_ONE = "e.document = :document and (n.state <> 'lost' or a.home = e.key or h.document is null)"
_SHOWN = "coalesce(e.document, h.document)"
_NEAR_SOME = (
    "a.key in (select x.annotation from anchor x join edition p on p.key = x.edition"
    " where p.document in (select value from json_each(:documents)) union select y.key from annotation y join edition p"
    " on p.key = y.home where p.document in (select value from json_each(:documents))"
    " or p.key in (select value from json_each(:gone)))"
)
_IN_SOME = (
    f"{_NEAR_SOME} and ({_SHOWN} in (select value from json_each(:documents))"
    " or (h.document is null and a.home in (select value from json_each(:gone))))"
)
_HIDDEN = (
    f"exists (select 1 from cap where cap.document = {_SHOWN}"
    " and cap.position < coalesce(n.\"end\", json_extract(a.locator, '$.end'), 0))"
)
_TAGGED = (
    "a.key in (select x.annotation from annotation_tag x join tag t on t.key = x.tag"
    " where t.name in (select value from json_each(:tags)) group by x.annotation having count(*) = :tag_count)"
)
_FIELDS = (
    "a.key, a.id, a.quote, a.body, a.color, a.origin, a.details, a.created, a.updated, a.locator,"
    " coalesce(d.key, hd.key), coalesce(d.id, hd.id, h.id), coalesce(d.title, hd.title, h.title),"
    " coalesce(n.state, 'lost'), coalesce(n.score, 0.0), n.start, n.\"end\", n.text_version"
)


def find_notes(
    c: apsw.Connection, wanted: Filter, *, limit: int | None = None, offset: int = 0
) -> tuple[list[int], int]:
    """Return the keys of the notes that a filter means, from `offset` on and at most `limit`, and how many there are.

    In one document they come in reading order, lost ones last; else the newest first.
    """
    if wanted.documents is None and not wanted.states:
        return _newest(c, wanted, limit, offset)
    found = _in_document(c, wanted) if _one(wanted) and not (wanted.tags or wanted.colors) else _selected(c, wanted)
    return found[offset:][:limit], len(found)


def match_notes(
    c: apsw.Connection, match: str, wanted: Filter, *, limit: int | None = None, offset: int = 0
) -> tuple[list[int], int]:
    """Return those notes that a filter means whose words fit an expression of FTS5, the best first, as `find_notes`."""
    words = "select rowid, bm25(annotation_words) from annotation_words where annotation_words match ? order by 2"
    hits = rows(c, words, (match,))
    if wanted != Filter():
        by_place = _one(wanted) and len(hits) > FEW
        allowed = set(find_notes(c, wanted)[0] if by_place else among(c, [key for key, _ in hits], wanted))
        hits = [hit for hit in hits if hit[0] in allowed]
    last = len(hits) if limit is None else min(len(hits), offset + limit)
    while 0 < last < len(hits) and hits[last][1] == hits[last - 1][1]:
        last += 1  # equally good ones, of which the newest come first
    found = _newest_of_equals(c, hits[:last])
    return found[offset:][:limit], len(hits)


def among(c: apsw.Connection, keys: Collection[int], wanted: Filter) -> list[int]:
    """Return those of some notes that a filter means."""
    head, source = _source(wanted)
    sql = f"with {head} select a.key from json_each(:keys) k cross join {_keyed(source)} where {_where(wanted)}"
    return [key for (key,) in rows(c, sql, {**_values(wanted), "keys": dump(list(keys))})]


def load_notes(c: apsw.Connection, keys: Sequence[int], documents: tuple[int, ...] | None = None) -> list[Noted]:
    """Return notes in the order of their keys, each as it stands in one of `documents`, or best where None."""
    wanted = Filter(documents=documents)
    head, source = _source(wanted)
    sql = (
        f"with {head} select {_FIELDS} from json_each(:keys) k cross join {_keyed(source)}"
        " left join document d on d.key = e.document left join document hd on hd.key = h.document"
    )
    found = rows(c, sql, {**_values(wanted), "keys": dump(list(keys))})
    tags = tags_of(c, keys)
    noted = {row[0]: _noted(row, tags.get(row[0], ())) for row in found}
    return [noted[key] for key in keys if key in noted]


def visible(c: apsw.Connection, keys: Collection[int], caps: Mapping[int, int]) -> set[int]:
    """Return those of some notes that the caps do not hide, wherever they stand best."""
    return set(among(c, keys, Filter(caps=caps))) if caps else set(keys)


def ids_of(c: apsw.Connection, keys: Collection[int]) -> dict[int, str]:
    """Return the ids of notes, by key."""
    sql = "select a.key, a.id from json_each(?) k cross join annotation a on a.key = k.value"
    return dict(rows(c, sql, (dump(list(keys)),)))


def _selected(c: apsw.Connection, wanted: Filter) -> list[int]:
    head, source = _source(wanted)
    sql = f"with {head} select a.key from {source} where {_where(wanted)} order by {_order(wanted)}"
    return [key for (key,) in rows(c, sql, _values(wanted))]


def _in_document(c: apsw.Connection, wanted: Filter) -> list[int]:
    """The notes of one document, by their places alone; only lost ones are looked at themselves."""
    (document,) = wanted.documents or (0,)
    sql = (
        "select n.annotation from anchor n where n.edition = (select key from edition where document = :document)"
        " and n.state <> 'lost' and (:states = '[]' or n.state in (select value from json_each(:states)))"
        ' and (:cap is null or n."end" <= :cap) order by n.start, n."end", n.annotation'
    )
    found = [key for (key,) in rows(c, sql, {**_values(wanted), "cap": wanted.caps.get(document)})]
    if not wanted.states or "lost" in wanted.states:
        found += _selected(c, replace(wanted, states=("lost",)))
    return found


def _newest_of_equals(c: apsw.Connection, hits: Sequence[tuple[Any, ...]]) -> list[int]:
    sql = "select a.key, a.created from json_each(?) k cross join annotation a on a.key = k.value"
    created: dict[int, str] = dict(rows(c, sql, (dump([key for key, _ in hits]),)))
    newest = sorted(hits, key=lambda hit: (created.get(hit[0], ""), hit[0]), reverse=True)
    return [key for key, _ in sorted(newest, key=lambda hit: hit[1])]


def _newest(c: apsw.Connection, wanted: Filter, limit: int | None, offset: int) -> tuple[list[int], int]:
    """The notes of the whole library, without asking where each stands."""
    where = _where(replace(wanted, caps={}))
    values = {**_values(wanted), "limit": -1 if limit is None else max(0, limit), "offset": offset}
    if wanted.caps:
        where += " and a.key not in (select value from json_each(:hidden))"
        values["hidden"] = dump(_hidden(c, wanted.caps))
    sql = (
        f"select a.key from annotation a where {where} order by a.created desc, a.key desc limit :limit offset :offset"
    )
    found = [key for (key,) in rows(c, sql, values)]
    if limit is None and not offset:
        return found, len(found)
    return found, int(value(c, f"select count(*) from annotation a where {where}", values))


def _hidden(c: apsw.Connection, caps: Mapping[int, int]) -> list[int]:
    """The notes that caps hide: only those that stand or were made in a capped document are looked at."""
    sql = (
        "with capped(edition) as materialized"
        " (select e.key from json_each(?) k cross join edition e on e.document = k.value)"
        " select annotation from anchor where edition in capped union select key from annotation where home in capped"
    )
    near = [key for (key,) in rows(c, sql, (dump(list(caps)),))]
    shown = visible(c, near, caps)
    return [key for key in near if key not in shown]


def _source(wanted: Filter) -> tuple[str, str]:
    """Return the caps as a table, and the tables of notes with their places."""
    head = "cap(document, position) as materialized (select cast(key as integer), value from json_each(:caps))"
    if _one(wanted):
        return head, (
            "annotation a join anchor n on n.annotation = a.key"
            " and n.edition = (select key from edition where document = :document)" + _JOINS
        )
    best = _BEST.format(within="" if wanted.documents is None else _WITHIN)
    return head, f"annotation a left join anchor n on n.annotation = a.key and n.edition = {best}{_JOINS}"


def _keyed(source: str) -> str:
    return source.replace("annotation a", "annotation a on a.key = k.value", 1)


def _where(wanted: Filter) -> str:
    clauses = ["true"]
    if wanted.documents is not None:
        clauses.append(_IN_ONE if _one(wanted) else f"({_IN_SOME})")
    if wanted.tags:
        clauses.append(_TAGGED)
    if wanted.colors:
        clauses.append("a.color in (select value from json_each(:colors))")
    if wanted.states:
        clauses.append("coalesce(n.state, 'lost') in (select value from json_each(:states))")
    if wanted.caps:
        clauses.append(f"not {_HIDDEN}")
    return " and ".join(clauses)


def _one(wanted: Filter) -> bool:
    """Whether a single document is asked for, so that each note has one place at most."""
    return wanted.documents is not None and len(wanted.documents) == 1 and not wanted.gone


def _order(wanted: Filter) -> str:
    if _one(wanted):
        return 'n.start is null, n.start, n."end", a.key'
    return "a.created desc, a.key desc"


def _values(wanted: Filter) -> dict[str, Any]:
    documents = wanted.documents or ()
    return {
        "documents": dump(list(documents)),
        "gone": dump(list(wanted.gone)),
        "document": documents[0] if documents else None,
        "tags": dump(list(wanted.tags)),
        "tag_count": len(set(wanted.tags)),
        "colors": dump(list(wanted.colors)),
        "states": dump(list(wanted.states)),
        "caps": dump({str(key): cap for key, cap in wanted.caps.items()}),
    }


def _noted(found: Row, tags: tuple[str, ...]) -> Noted:
    key, identifier, quote, body, color, origin, details, created, updated, made, *place = found
    document, document_id, title, state, score, start, end, version = place
    return Noted(
        key=key,
        id=identifier,
        quote=quote,
        body=body,
        color=color,
        tags=tags,
        origin=origin,
        details={} if details == "{}" else json.loads(details),
        created=created,
        updated=updated,
        made=made,
        document=document,
        document_id=document_id,
        title=title,
        state=state,
        score=score,
        start=start,
        end=end,
        text_version=version,
    )
