"""What the agent was asked to keep in mind, or found worth it: facts and preferences, each with what it was made from.

They belong to the library, not to a session, and are listed and removed by the person. What is remembered twice is one
memory, with the newer time.
"""

import json
import secrets
from dataclasses import dataclass
from typing import Literal, get_args

import apsw

from glossator.document.model import clean
from glossator.errors import Ambiguous, NotFound, UsageError
from glossator.messages import Reach
from glossator.store.catalogue import ID_DIGITS, SHORTEST_PREFIX
from glossator.store.database import now
from glossator.store.sql import Row, row, rows, value

Kind = Literal["fact", "preference"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LONGEST = 400  # characters of a memory: one thing, not a text
MOST = 1_000  # memories of a library
_DIGITS = 8
_COLUMNS = (
    "m.key, m.id, m.kind, m.text, m.bound, m.created, m.updated, d.id, d.title"
    " from memory m left join document d on d.key = m.document"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory; `reach` is what it can have been made from, `document` (id and title) what it is about, if one."""

    key: int
    id: str
    kind: Kind
    text: str
    reach: Reach
    created: str
    updated: str
    document: tuple[str, str] | None


def keep_memory(c: apsw.Connection, text: str, *, kind: Kind, reach: Reach, document: int | None = None) -> Memory:
    """Write a memory, or the newer time of one that says the same; return it.

    Raises:
        UsageError: there is nothing to remember, too much of it, or too many are kept already.
    """
    kept = " ".join(clean(text).split())
    if not kept or len(kept) > LONGEST:
        raise UsageError(f"a memory has 1 to {LONGEST} characters, not {len(kept)}", hint="say one thing, in short")
    if kind not in KINDS:
        raise UsageError(f"there is no kind {kind!r}", hint="one of " + ", ".join(KINDS))
    time, bound = now(), json.dumps(reach.to_json(), ensure_ascii=False)
    known = value(c, "select id from memory where text = ? and kind = ? and document is ?", (kept, kind, document))
    if known is not None:
        c.execute("update memory set updated = ?, bound = ? where id = ?", (time, bound, known))
        return get_memory(c, known)
    if value(c, "select count(*) from memory") >= MOST:
        raise UsageError(f"{MOST} memories are kept already", hint="`glossator memory remove ID` makes room")
    made = _new_id(c)
    c.execute(
        "insert into memory(id, kind, text, document, bound, created, updated) values (?,?,?,?,?,?,?)",
        (made, kind, kept, document, bound, time, time),
    )
    return get_memory(c, made)


def list_memories(c: apsw.Connection) -> list[Memory]:
    """Return all memories, the newest first."""
    return [_memory(found) for found in rows(c, f"select {_COLUMNS} order by m.updated desc, m.key desc")]


def get_memory(c: apsw.Connection, name: str) -> Memory:
    """Return a memory by its id or the beginning of it.

    Raises:
        NotFound: there is none.
        Ambiguous: several begin so.
    """
    wanted = clean(name).lower()
    found = rows(c, f"select {_COLUMNS} where m.id = ?", (wanted,))
    if not found and len(wanted) >= SHORTEST_PREFIX:
        found = rows(c, f"select {_COLUMNS} where substr(m.id, 1, ?) = ? order by m.key", (len(wanted), wanted))
    if len(found) > 1:
        raise Ambiguous(f"{name!r} fits {len(found)} memories", hint="give more of the id")
    if not found:
        raise NotFound(f"there is no memory {name!r}", hint="`glossator memory list` shows those there are")
    return _memory(found[0])


def remove_memory(c: apsw.Connection, key: int) -> None:
    """Remove a memory."""
    c.execute("delete from memory where key = ?", (key,))


def _memory(found: Row) -> Memory:
    key, identifier, kind, text, bound, created, updated, document, title = found
    return Memory(
        key=key,
        id=identifier,
        kind=kind,
        text=text,
        reach=Reach.from_json(json.loads(bound)),
        created=created,
        updated=updated,
        document=None if document is None else (document, title),
    )


def _new_id(c: apsw.Connection) -> str:
    while True:
        made = "m" + "".join(secrets.choice(ID_DIGITS) for _ in range(_DIGITS))
        if row(c, "select 1 from memory where id = ?", (made,)) is None:
            return made
