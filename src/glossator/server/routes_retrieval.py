"""The retrieval service's own shapes: `/retrieve`, `/ingest`, `/agent/chat`."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request
from pydantic import Field
from starlette.responses import Response

from glossator.errors import UsageError, from_json
from glossator.server import sse
from glossator.server.answers import answer, described
from glossator.server.asking import Loose
from glossator.server.house import House
from glossator.server.options import Name, Options, Text
from glossator.server.routes_jobs import settled, source
from glossator.server.runs import Run
from glossator.server.watching import until_ended, while_heard
from glossator.server.work import TEXT

Json = dict[str, Any]
FOREVER = 24 * 3_600.0
RETRIEVED: Json = {
    "chunks": ["Wax is made by young bees."],
    "results": [{"text": "Wax is made by young bees.", "score": 0.92, "source": "/books/bees.epub", "locator": {}}],
}
INGESTED: Json = {
    "message": "8 chunks added",
    "source": "notes.md",
    "document": "d4k7q2",
    "chunks": 8,
    "status": "added",
}
REPLIED: Json = {"reply": "“Wax is made by young bees.”", "session": "s5m2", "citations": []}


class Retrieve(Loose):
    """What to look for: `text` or `query`."""

    text: Text | None = None
    query: Text | None = Field(default=None, examples=["who makes wax"])
    top_k: Annotated[int, Field(ge=1, le=1_000)] = 5


class Ingest(Options):
    """One source: a `path`, a `url`, or a `text` under the name `source`."""

    text: Text | None = Field(default=None, examples=["Wax is made by young bees."])
    source: Name | None = Field(default=None, examples=["notes.md"])
    path: Name | None = None
    url: Name | None = None
    collection: Name | None = None


class AgentChat(Loose):
    """A message, in a session that is there or a new one."""

    message: Text = Field(examples=["Who makes wax?"])
    session: Name | None = None


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(tags=["retrieval"])
    _add_retrieve(made, house)
    _add_ingest(made, house)
    _add_chat(made, house)
    return made


def _add_retrieve(made: APIRouter, house: House) -> None:
    @made.post(
        "/retrieve",
        operation_id="retrieve",
        response_class=Response,
        responses=described(tuple(RETRIEVED), RETRIEVED, errors=(404, 409, 503)),
    )
    def retrieve(given: Annotated[Retrieve, Body()]) -> Response:
        """Return the best passages for a text."""
        wanted = given.query if given.query is not None else given.text
        if wanted is None or not wanted.strip():
            raise UsageError("nothing to look for", hint="give text or query")
        names = {name: getattr(given, name) for name in ("doc", "collection", "tag", "up_to", "uncapped")}
        options = {"query": wanted, "k": given.top_k, **{n: v for n, v in names.items() if v is not None}}
        hits = json.loads(house.readers.answer("search", options))["hits"]
        results = [
            {
                "text": hit["text"],
                "score": hit["score"],
                "source": None if hit["document"]["source"] is None else hit["document"]["source"].removeprefix(TEXT),
                "locator": hit["locator"],
            }
            for hit in hits
        ]
        return answer({"chunks": [hit["text"] for hit in hits], "results": results})


def _add_ingest(made: APIRouter, house: House) -> None:
    @made.post(
        "/ingest",
        operation_id="ingest",
        response_class=Response,
        responses=described(tuple(INGESTED), INGESTED, errors=(404, 409, 413, 415, 503)),
    )
    async def ingest(given: Annotated[Ingest, Body()]) -> Response:
        """Bring one source in, and tell what changed. It goes on as a job when its client goes."""
        arguments = await asyncio.to_thread(_arguments, house, given)
        job = await settled(house, "add", {**arguments, "collection": given.collection}, FOREVER)
        if job.error is not None:
            raise from_json(job.error)
        documents = [] if job.result is None else job.result["documents"]
        if not documents:
            raise UsageError("nothing was added", hint="the folder holds no document, or the job was cancelled")
        if all(d["status"] == "failed" for d in documents):
            raise from_json(documents[0]["error"])
        return answer(_told(documents))


def _arguments(house: House, given: Ingest) -> Json:
    """Return what the job is given; a text is kept in the library's folder first."""
    if sum(x is not None for x in (given.text, given.path, given.url)) != 1:
        raise UsageError("exactly one of text, path and url is needed", hint="name one source")
    if given.text is None:
        wanted = given.path if given.path is not None else given.url or ""
        if given.url is not None and not given.url.lower().startswith(("http://", "https://")):
            raise UsageError(f"{given.url!r} is no http or https address", hint="give a full address")
        if given.path is not None and "://" in given.path:
            raise UsageError(f"{given.path!r} is no path", hint="give an address as url")
        return {"paths": [source(house, wanted)]}
    if not given.text.strip():
        raise UsageError("the text is empty", hint="give the text to keep")
    from glossator.library.originals import keep

    name = given.source or " ".join(given.text.split())[:60]
    kept = keep(house.library.database.folder, given.text.encode(), ".txt")
    uri = TEXT + name.removeprefix(TEXT)
    return {"items": [{"path": str(kept), "source": uri}], "names": {uri: Path(name).stem or name}}


def _told(documents: list[Json]) -> Json:
    """Return what changed, in words and figures."""
    first = next(d for d in documents if d["status"] != "failed")
    added = [d for d in documents if d["status"] in ("added", "updated")]
    chunks = sum(d["chunks"] for d in added)
    if added:
        status = first["status"] if len(documents) == 1 else "added"
        message = f"{chunks} chunk{'' if chunks == 1 else 's'} {'updated' if status == 'updated' else 'added'}"
    elif first["status"] == "quarantined":
        status, message = "quarantined", "read too badly to be searched, quarantined"
    else:
        status, message = "unchanged", "unchanged, skipped"
    if len(documents) > 1:
        failed = sum(d["status"] == "failed" for d in documents)
        message += f" from {len(added)} of {len(documents)} files" + (f", {failed} failed" if failed else "")
    return {
        "message": message,
        "source": (first["source"] or "").removeprefix(TEXT),
        "document": first["id"],
        "chunks": first["chunks"] if len(documents) == 1 else chunks,
        "status": status,
    }


def _add_chat(made: APIRouter, house: House) -> None:
    responses = described(tuple(REPLIED), REPLIED, errors=(404, 409, 424, 503))
    responses[200]["content"][sse.MEDIA_TYPE] = {"schema": {"type": "string"}}

    @made.post("/agent/chat", operation_id="agent_chat", response_class=Response, responses=responses)
    async def chat(request: Request, given: Annotated[AgentChat, Body()]) -> Response:
        """Ask the agent; as events where they are accepted. The run ends when its client goes."""
        run = await house.runs.begin(given.message, given, session=given.session)
        if sse.MEDIA_TYPE in request.headers.get("accept", ""):
            return sse.response(_events(run))
        found = await until_ended(run, request)
        return answer(_reply(found, run))


def _reply(found: Json, run: Run) -> Json:
    return {"reply": found["answer"], "session": run.session, "citations": found["citations"]}


async def _events(run: Run) -> AsyncIterator[bytes]:
    """Yield the session, then chunks under their types, and last the whole reply."""
    yield sse.event({"session": run.session}, name="session")
    async for chunk in while_heard(run):
        if chunk["type"] == "data-answer":
            continue
        yield sse.event(chunk, name=chunk["type"])
    if run.answer is not None:
        yield sse.event(_reply(run.answer, run), name="done")
