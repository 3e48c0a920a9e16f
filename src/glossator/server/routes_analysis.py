"""Summaries, names, claims and maps by a language model, as long work that goes on without its window."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body
from pydantic import Field
from starlette.responses import Response

from glossator.errors import UsageError
from glossator.server.analysing import choice_for, scope_of
from glossator.server.answers import answer, described
from glossator.server.asking import listed
from glossator.server.house import House
from glossator.server.options import Count, Name, Names, Options, Place, Text
from glossator.server.routes_jobs import KEYS, ONE

Json = dict[str, Any]


class Analysis(Options):
    """What is to be made, of which documents, by which model (else the one that is set for whole books)."""

    kind: Literal["summary", "people", "compare", "map"] = Field(examples=["summary"])
    doc: Names | Name | None = Field(default=None, examples=["Bees"])
    collection: Names | Name | None = None
    section: Count | None = None
    claim: Text | None = None
    model: Annotated[str, Field(max_length=200)] | None = None
    up_to: Place | Literal["progress"] | None = None
    uncapped: bool = False


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api/analysis", tags=["jobs"])

    @made.post(
        "",
        operation_id="begin_analysis",
        status_code=202,
        response_class=Response,
        responses=described(KEYS, {**ONE, "kind": "summary"}, status=202, errors=(404, 409, 424, 503)),
    )
    def begin(given: Annotated[Analysis, Body()]) -> Response:
        """Let a language model read documents; the job's result is the JSON of the command, and what it took."""
        arguments = _arguments(given)
        shown = scope_of(house.library, arguments)
        if given.section is not None:
            shown.reader.section(shown.only.key, given.section)
        choice_for(house.settings(), given.model)
        job = house.jobs.begin(given.kind, arguments)
        return answer(job.to_json(), 202, {"location": f"/api/jobs/{job.id}"})

    return made


def _arguments(given: Analysis) -> Json:
    """Return the options of a job, or say which one is missing or of no use."""
    if (given.kind == "compare") != bool((given.claim or "").strip()):
        raise UsageError("a claim is what `compare` needs, and nothing else", hint="give claim with kind compare only")
    if given.section is not None and given.kind != "summary":
        raise UsageError("a section is summed up only", hint="leave section out, or make a summary")
    if given.kind != "compare" and len(listed(given.doc)) != 1:
        raise UsageError(f"{given.kind} needs exactly one document", hint="name it as doc")
    return {
        "docs": list(listed(given.doc)),
        "collections": list(listed(given.collection)),
        "section": given.section,
        "claim": given.claim,
        "model": given.model,
        "up_to": given.up_to,
        "uncapped": given.uncapped,
    }
