"""Conversations: sessions, their messages in the order they were acknowledged, and the typed parts of each.

A message is written whole in one transaction and never rewritten; parts may be added to it. So two processes that talk
in one session lose nothing, and their messages alternate. All that is a session's goes with it.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw

from glossator.document.model import Document, clean
from glossator.errors import Ambiguous, NotFound
from glossator.messages import Limit, Message, Part, Reach, Role, cleaned, part_from_json
from glossator.store.catalogue import ID_DIGITS, SHORTEST_PREFIX
from glossator.store.database import now
from glossator.store.sql import Row, row, rows, value

SESSION_ID, MESSAGE_ID = 8, 12  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """A conversation; `updated` is the time of its last message."""

    key: int
    id: str
    title: str
    created: str
    updated: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which messages are meant, oldest first: of those between the times and before a message, the last `limit`."""

    limit: int | None = None
    before: str | None = None  # id of a message
    since: str | None = None
    until: str | None = None  # the time itself is not in it


ALL = Page()
_COLUMNS = "key, id, title, created, updated, metadata"


def insert_session(c: apsw.Connection, title: str = "", metadata: Mapping[str, Any] | None = None) -> StoredSession:
    """Begin a session; return it."""
    time, identifier = now(), _new_id(c, "session", SESSION_ID)
    c.execute(
        "insert into session(id, title, created, updated, metadata) values (?,?,?,?,?)",
        (identifier, clean(title), time, time, _dump(metadata or {})),
    )
    return get_session(c, identifier)


def list_sessions(c: apsw.Connection) -> list[StoredSession]:
    """Return all sessions, the one that was used last first."""
    last = "(select max(m.key) from message m where m.session = session.key)"  # decides within one second
    sql = f"select {_COLUMNS} from session order by updated desc, {last} desc, key desc"
    return [_session(found) for found in rows(c, sql)]


def get_session(c: apsw.Connection, name: str) -> StoredSession:
    """Return a session by its id or the beginning of it.

    Raises:
        NotFound: there is none.
        Ambiguous: several begin so.
    """
    wanted = clean(name).lower()
    found = rows(c, f"select {_COLUMNS} from session where id = ?", (wanted,))
    if not found and len(wanted) >= SHORTEST_PREFIX:
        sql = f"select {_COLUMNS} from session where substr(id, 1, ?) = ? order by key"
        found = rows(c, sql, (len(wanted), wanted))
    if len(found) > 1:
        listed = ", ".join(_session(f).id for f in found[:8])
        raise Ambiguous(f"{name!r} fits {len(found)} sessions", hint=f"say which: {listed}")
    if not found:
        raise NotFound(f"there is no session {name!r}", hint="`glossator session list` shows those there are")
    return _session(found[0])


def set_title(c: apsw.Connection, key: int, title: str) -> None:
    """Give a session a title."""
    c.execute("update session set title = ? where key = ?", (clean(title), key))


def remove_session(c: apsw.Connection, key: int) -> None:
    """Remove a session with its messages."""
    c.execute("delete from session where key = ?", (key,))


def append_message(
    c: apsw.Connection,
    session: int,
    *,
    role: Role,
    parts: Sequence[Part],
    reach: Reach,
    metadata: Mapping[str, Any] | None = None,
) -> Message:
    """Write a message at the end of a session (its key); return it as it was written."""
    time, identifier = now(), _new_id(c, "message", MESSAGE_ID)
    c.execute(
        "insert into message(session, id, role, created, bound, metadata) values (?,?,?,?,?,?)",
        (session, identifier, role, time, _dump(reach.to_json()), _dump(metadata or {})),
    )
    _insert_parts(c, c.last_insert_rowid(), 0, parts)
    c.execute("update session set updated = max(updated, ?) where key = ?", (time, session))
    return get_message(c, identifier)


def extend_message(c: apsw.Connection, identifier: str, parts: Sequence[Part]) -> Message:
    """Add parts to a message; return it.

    Raises:
        NotFound: it is not there, or no longer.
    """
    key, session = _key_of(c, identifier)
    first = value(c, "select coalesce(max(number) + 1, 0) from message_part where message = ?", (key,))
    _insert_parts(c, key, first, parts)
    c.execute("update session set updated = max(updated, ?) where key = ?", (now(), session))
    return get_message(c, identifier)


def get_message(c: apsw.Connection, identifier: str) -> Message:
    """Return a message by its id.

    Raises:
        NotFound: it is not there.
    """
    key, _ = _key_of(c, identifier)
    return _messages(c, "where m.key = ?", (key,))[0]


def messages_of(c: apsw.Connection, session: int, page: Page = ALL) -> list[Message]:
    """Return messages of a session (its key), oldest first; see `Page` for which.

    Raises:
        NotFound: the message that the page ends before is not in the session.
    """
    end = None
    if page.before is not None:
        end, owner = _key_of(c, page.before)
        if owner != session:
            raise NotFound(f"message {page.before!r} is of another session", hint="take the id from `session show`")
    where = (
        "where m.key in (select key from message where session = ?1 and (?2 is null or key < ?2)"
        " and (?3 is null or created >= ?3) and (?4 is null or created < ?4) order by key desc limit ?5)"
    )
    limit = -1 if page.limit is None else page.limit
    return _messages(c, where, (session, end, page.since, page.until, limit))


def reaches_of(c: apsw.Connection, session: int | None = None) -> list[tuple[int, Reach, int, int]]:
    """Return of one session (its key) or of all: session, a reach, how many messages have it, the first one's key."""
    found = rows(
        c,
        "select session, bound, count(*), min(key) from message where ?1 is null or session = ?1"
        " group by session, bound order by session, min(key)",
        (session,),
    )
    return [(key, _reach(bound), count, first) for key, bound, count, first in found]


def reanchor_reaches(c: apsw.Connection, identifier: str, old: str, version: str, document: Document) -> None:
    """Move the limits of messages and memories in a document (its id) from its old text, of a version, to the new one.

    A limit whose place is lost becomes a later one: it may be hidden for longer, never shown too early.
    """
    if version == document.text_version:
        return
    for table in ("message", "memory"):
        found = rows(c, f"select distinct bound from {table} where instr(bound, ?) > 0", (_dump(identifier),))
        for (bound,) in found:
            reach = _reach(bound)
            limit = reach.limits.get(identifier)
            if limit is None or limit.text_version != version:
                continue
            moved = Limit(end=_not_before(limit.end, old, document.text), text_version=document.text_version)
            fresh = replace(reach, limits={**reach.limits, identifier: moved})
            c.execute(f"update {table} set bound = ? where bound = ?", (_dump(fresh.to_json()), bound))


def _not_before(position: int, old: str, new: str) -> int:
    """Return where a position of the old text is in the new one; the nearest later common place when it is lost."""
    from glossator.document.anchor import map_position

    early = map_position(position, old, new)
    late = len(new) - map_position(len(old) - position, old[::-1], new[::-1])
    return early if not new[early:late].strip() else max(early, late)


def _messages(c: apsw.Connection, where: str, values: Sequence[Any]) -> list[Message]:
    found = rows(
        c,
        "select m.id, m.role, m.created, m.bound, m.metadata, p.data from message m"
        f" left join message_part p on p.message = m.key {where} order by m.key, p.number",
        values,
    )
    parts: dict[str, list[Part]] = {}
    heads: dict[str, Row] = {}
    for identifier, role, created, bound, metadata, data in found:
        heads.setdefault(identifier, (role, created, bound, metadata))
        if data is not None:
            parts.setdefault(identifier, []).append(part_from_json(json.loads(data)))
    return [
        Message(
            id=identifier,
            role=role,
            created=created,
            parts=tuple(parts.get(identifier, ())),
            reach=_reach(bound),
            metadata=json.loads(metadata),
        )
        for identifier, (role, created, bound, metadata) in heads.items()
    ]


def _insert_parts(c: apsw.Connection, message: int, first: int, parts: Sequence[Part]) -> None:
    c.executemany(
        "insert into message_part(message, number, kind, version, data) values (?,?,?,?,?)",
        (
            (message, number, clean(part.kind), part.version, _dump(part.to_json()))
            for number, part in enumerate(parts, first)
        ),
    )


def _key_of(c: apsw.Connection, identifier: str) -> tuple[int, int]:
    found = row(c, "select key, session from message where id = ?", (clean(identifier),))
    if found is None:
        raise NotFound(f"there is no message {identifier!r}", hint="`glossator session show ID` names them")
    return found[0], found[1]


def _session(found: Row) -> StoredSession:
    key, identifier, title, created, updated, metadata = found
    return StoredSession(
        key=key, id=identifier, title=title, created=created, updated=updated, metadata=json.loads(metadata)
    )


def _reach(bound: str | None) -> Reach:
    return Reach.from_json(None if bound is None else json.loads(bound))


def _dump(data: Any) -> str:
    return json.dumps(cleaned(data), ensure_ascii=False)


def _new_id(c: apsw.Connection, table: str, length: int) -> str:
    while True:
        made = "".join(secrets.choice(ID_DIGITS) for _ in range(length))
        if row(c, f"select 1 from {table} where id = ?", (made,)) is None:
            return made
