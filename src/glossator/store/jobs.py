"""Long work that a server does for its clients: what was asked, how far it is, what came of it.

A job outlives the process that runs it: what is `queued` or `running` when a server starts is done from its beginning,
which skips what the broken run finished. What ended stays listed until `KEPT` newer ones ended.
"""

import json
import secrets
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from glossator.errors import NotFound
from glossator.store.catalogue import ID_DIGITS
from glossator.store.database import now
from glossator.store.sql import Row, row, rows

State = Literal["queued", "running", "done", "failed", "cancelled"]
KEPT = 200
_DIGITS = 10
_COLUMNS = "id, kind, arguments, state, progress, result, error, tries, created, updated from job"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job; `progress` is the last event, `result` what it answers, `error` why it failed; `tries` counts starts."""

    id: str
    kind: str
    arguments: dict[str, Any]
    state: State
    progress: dict[str, Any] | None
    result: dict[str, Any] | None
    error: dict[str, str] | None
    tries: int
    created: str
    updated: str

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen to it."""
        return self.state in ("done", "failed", "cancelled")

    def to_json(self) -> dict[str, Any]:
        """Return the entry of `/api/jobs`."""
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "progress": self.progress,
            "result": self.result,
            "error": self.error,
            "created": self.created,
            "updated": self.updated,
        }


def insert_job(c: apsw.Connection, kind: str, arguments: dict[str, Any]) -> Job:
    """Write a job that is to be done; return it. The oldest of those that ended go."""
    identifier = "j" + "".join(secrets.choice(ID_DIGITS) for _ in range(_DIGITS))
    time = now()
    c.execute(
        "insert into job(id, kind, arguments, state, created, updated) values (?,?,?,'queued',?,?)",
        (identifier, kind, _dump(arguments), time, time),
    )
    c.execute(
        "delete from job where state in ('done', 'failed', 'cancelled') and key not in"
        " (select key from job where state in ('done', 'failed', 'cancelled') order by key desc limit ?)",
        (KEPT,),
    )
    return get_job(c, identifier)


def get_job(c: apsw.Connection, identifier: str) -> Job:
    """Return a job.

    Raises:
        NotFound: there is none of that id.
    """
    found = row(c, f"select {_COLUMNS} where id = ?", (identifier,))
    if found is None:
        raise NotFound(f"there is no job {identifier!r}", hint="`GET /api/jobs` lists those there are")
    return _job(found)


def list_jobs(c: apsw.Connection, *, limit: int = KEPT, offset: int = 0) -> list[Job]:
    """Return jobs, the newest first."""
    return [_job(r) for r in rows(c, f"select {_COLUMNS} order by key desc limit ? offset ?", (limit, offset))]


def unfinished_jobs(c: apsw.Connection) -> list[Job]:
    """Return the jobs that wait or were broken off, the oldest first."""
    return [_job(r) for r in rows(c, f"select {_COLUMNS} where state in ('queued', 'running') order by key")]


def newest_job(c: apsw.Connection, kind: str) -> Job | None:
    """Return the newest job of a kind."""
    found = row(c, f"select {_COLUMNS} where kind = ? order by key desc limit 1", (kind,))
    return None if found is None else _job(found)


def start_job(c: apsw.Connection, identifier: str) -> Job:
    """Note that a job begins; return it."""
    c.execute("update job set state = 'running', tries = tries + 1, updated = ? where id = ?", (now(), identifier))
    return get_job(c, identifier)


def settle_job(
    c: apsw.Connection,
    identifier: str,
    state: State,
    *,
    progress: dict[str, Any] | None = None,
    result: dict[str, Any] | None = None,
    error: dict[str, str] | None = None,
) -> Job:
    """Note how a job stands; return it."""
    c.execute(
        "update job set state = ?, progress = coalesce(?, progress), result = ?, error = ?, updated = ? where id = ?",
        (state, _dump(progress), _dump(result), _dump(error), now(), identifier),
    )
    return get_job(c, identifier)


def _dump(value: Any) -> str | None:
    return None if value is None else json.dumps(value, separators=(",", ":"))  # in ASCII: a path may hold stray bytes


def _job(found: Row) -> Job:
    identifier, kind, arguments, state, progress, result, error, tries, created, updated = found
    return Job(
        id=identifier,
        kind=kind,
        arguments=json.loads(arguments),
        state=state,
        progress=_load(progress),
        result=_load(result),
        error=_load(error),
        tries=tries,
        created=created,
        updated=updated,
    )


def _load(text: str | None) -> Any:
    return None if text is None else json.loads(text)
