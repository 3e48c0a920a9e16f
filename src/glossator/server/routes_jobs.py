"""Long work: begun, listed, followed as events, cancelled."""

import asyncio
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Header, Path, Query
from pydantic import Field
from starlette.responses import Response

from glossator.errors import UsageError
from glossator.library.backup import schedule_of
from glossator.library.backup.schedule import place_of
from glossator.server import paths, sse
from glossator.server.answers import answer, described, problems
from glossator.server.house import House
from glossator.server.options import LARGEST, Name, Options
from glossator.server.work import ASKING
from glossator.sources.guard import checked_url
from glossator.sources.web import is_url
from glossator.store.jobs import Job

Json = dict[str, Any]
KEYS = ("id", "kind", "state", "progress", "result", "error", "created", "updated")
ONE: Json = {
    "id": "j7k2m4x9ab",
    "kind": "add",
    "state": "running",
    "progress": {"stage": "parsing", "file": "/books/bees.epub", "done": 0, "total": 1},
    "result": None,
    "error": None,
    "created": "2026-01-02T03:04:05Z",
    "updated": "2026-01-02T03:04:06Z",
}
Identifier = Annotated[str, Path(max_length=100)]


class Wanted(Options):
    """Work to be done.

    `add` needs paths or addresses, `scan` a collection that follows a folder; `backup` goes to the one path that is
    given, else into the folder that is set.
    """

    kind: Literal["add", "scan", "repair", "backup"] = Field(examples=["add"])
    paths: Annotated[list[Name], Field(max_length=1_000)] = Field(default=[], examples=[["/books/bees.epub"]])
    collection: Name | None = None
    profile: Literal["auto", "book", "paper"] = "auto"
    glob: Name | None = None


async def settled(house: House, kind: str, arguments: Json, wait: float) -> Job:
    """Begin a job, wait for its end at most that many seconds, and return it as it stands. It goes on without us."""
    job = await asyncio.to_thread(house.jobs.begin, kind, arguments)
    if wait > 0:
        with suppress(TimeoutError):
            return await asyncio.wait_for(house.jobs.ended(job.id), wait)
    return await asyncio.to_thread(house.jobs.get, job.id)


def source(house: House, path: str) -> str:
    """Return a path or an address as it may be added.

    Raises:
        UsageError: it is no path that a client may name.
        SourceError: it is no address that may be fetched; the job looks at what its host is, too.
    """
    if is_url(path):
        checked_url(path)
        return path
    return str(paths.checked(house.settings(), path))


def _target(house: House, given: list[str]) -> list[str]:
    """Return where a backup is to be written; what cannot be is refused before anything is begun."""
    settings = house.settings()
    if not given:
        place_of(schedule_of(settings))
        return []
    if len(given) > 1:
        raise UsageError("a backup is one file", hint="give one path, or none for the folder that is set")
    return [str(paths.to_write(settings, given[0]))]


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api/jobs", tags=["jobs"])
    jobs = house.jobs

    @made.get("", operation_id="jobs", response_class=Response, responses=described(("jobs",), {"jobs": [ONE]}))
    def listed(
        limit: Annotated[int, Query(ge=0, le=1_000)] = 100, offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0
    ) -> Response:
        """Return jobs, the newest first; what an analysis found is told by its own address only."""
        found = jobs.list(limit=limit, offset=offset)
        return answer({"jobs": [j.to_json() | ({"result": None} if j.kind in ASKING else {}) for j in found]})

    @made.post(
        "",
        operation_id="begin_job",
        status_code=202,
        response_class=Response,
        responses=described(KEYS, ONE, status=202, errors=(404, 503)),
    )
    def begin(given: Annotated[Wanted, Body()]) -> Response:
        """Begin work that takes long."""
        if given.kind == "add" and not given.paths:
            raise UsageError("nothing is to be added", hint="give paths: files, folders or web addresses")
        if given.kind == "scan" and given.collection is None:
            raise UsageError("no collection is named", hint="give the collection whose folder is to be scanned")
        if given.kind == "backup":
            arguments = {"paths": _target(house, given.paths)}
        else:
            arguments = given.model_dump(exclude={"kind"}) | {"paths": [source(house, p) for p in given.paths]}
        job = jobs.begin(given.kind, arguments)
        return answer(job.to_json(), 202, {"location": f"/api/jobs/{job.id}"})

    @made.get("/{job}", operation_id="job", response_class=Response, responses=described(KEYS, ONE, errors=(404,)))
    def one(job: Identifier) -> Response:
        """Return a job as it stands."""
        return answer(jobs.get(job).to_json())

    @made.delete(
        "/{job}", operation_id="cancel_job", response_class=Response, responses=described(KEYS, ONE, errors=(404, 503))
    )
    def cancel(job: Identifier) -> Response:
        """Cancel a job; what it finished stays. One that ended stays as it is."""
        return answer(jobs.cancel(job).to_json())

    @made.get(
        "/{job}/events",
        operation_id="job_events",
        response_class=Response,
        responses={
            200: {"description": "Events", "content": {sse.MEDIA_TYPE: {"schema": {"type": "string"}}}},
            **problems(404),
        },
    )
    async def events(job: Identifier, last_event_id: Annotated[str | None, Header(max_length=20)] = None) -> Response:
        """Follow a job: `running`, `progress`, and last `done`, `failed` or `cancelled`, from the first event on."""
        log = await jobs.events(job)
        return sse.response(sse.following(log, sse.after(last_event_id), named=True))

    return made
