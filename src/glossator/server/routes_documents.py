"""Documents: bringing in, listing, editing, removing; their files.

What a bound hides is hidden here, too: a file of a document with a hidden part needs `uncapped`.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query, Request
from pydantic import Field
from starlette.responses import FileResponse, Response

from glossator.errors import UsageError, from_json
from glossator.library.filed import file_of
from glossator.library.results import Bound
from glossator.server import uploads
from glossator.server.answers import answer, described, problems
from glossator.server.house import House
from glossator.server.options import LARGEST, Name, Options
from glossator.server.routes_jobs import settled

Json = dict[str, Any]
FILE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"
WHOLE: Json = {"*/*": {"schema": {"type": "string", "format": "binary"}}}
ONE: Json = {"id": "d4k7q2", "metadata": {"title": "Bees"}, "contents": [], "parse": {}, "coverage": {}}
Document = Annotated[str, Path(max_length=4_096, description="A document: its id, or another name of it.")]
UpTo = Annotated[str | None, Query(pattern=r"^([0-9]{1,15}|progress)$")]
Uncapped = Annotated[bool, Query(description="Also what an unfinished book keeps hidden.")]
UPLOAD: Json = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            },
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


class Edited(Options):
    """What is to be changed of a document; what is left out stays."""

    title: Annotated[str, Field(min_length=1, max_length=1_000)] | None = Field(default=None, examples=["Bees"])
    authors: Annotated[list[Name], Field(max_length=100)] | None = None
    language: Annotated[str, Field(min_length=2, max_length=35)] | None = None
    published: Annotated[str, Field(max_length=100)] | None = None


def bound_of(up_to: str | None, uncapped: bool) -> Bound:
    """Return the bound that two options of a request mean."""
    if up_to is None or up_to == "progress":
        return Bound("progress" if up_to else None, uncapped)
    return Bound(int(up_to), uncapped)


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api/documents", tags=["documents"])
    _add_lists(made, house)
    _add_upload(made, house)
    _add_files(made, house)
    return made


def _add_lists(made: APIRouter, house: House) -> None:
    library = house.library

    @made.get(
        "",
        operation_id="documents",
        response_class=Response,
        responses=described(("documents", "total"), {"documents": [{"id": "d4k7q2"}], "total": 1}, errors=(404,)),
    )
    def documents(
        collection: Annotated[Name | None, Query()] = None,
        tag: Annotated[Name | None, Query()] = None,
        limit: Annotated[int, Query(ge=0, le=10_000)] = 1_000,
        offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    ) -> Response:
        """Return documents by title, a page of them."""
        found = library.documents(collection, tag=tag).documents
        return answer({"documents": [d.to_json() for d in found[offset : offset + limit]], "total": len(found)})

    @made.get(
        "/{document}",
        operation_id="document",
        response_class=Response,
        responses=described(tuple(ONE), ONE, errors=(404, 409)),
    )
    def document(document: Document, up_to: UpTo = None, uncapped: Uncapped = False) -> Response:
        """Return what `show` says of a document."""
        return answer(library.show(document, bound=bound_of(up_to, uncapped)).to_json())

    @made.patch(
        "/{document}",
        operation_id="edit",
        response_class=Response,
        responses=described(tuple(ONE), ONE, errors=(404, 409)),
    )
    def edit(document: Document, given: Annotated[Edited, Body()]) -> Response:
        """Change metadata."""
        return answer(library.edit(document, **given.model_dump()).to_json())

    @made.delete(
        "/{document}",
        operation_id="remove",
        response_class=Response,
        responses=described(("removed", "notes"), {"removed": "d4k7q2", "notes": "kept"}, errors=(404, 409)),
    )
    def remove(document: Document, notes: Annotated[Literal["keep", "delete"], Query()] = "keep") -> Response:
        """Remove a document; its file is never touched, its notes are kept unless they are to go, too."""
        return answer(library.remove(document, notes).to_json())


def _add_upload(made: APIRouter, house: House) -> None:
    @made.post(
        "",
        operation_id="upload",
        response_class=Response,
        openapi_extra=UPLOAD,
        responses={
            **described(("documents", "job"), {"documents": [ONE], "job": {"id": "j7"}}, errors=(404, 409, 415, 503)),
            **described(("documents", "job"), {"documents": [], "job": {"id": "j7"}}, status=202),
            201: {"description": "Added", "content": {"application/json": {"schema": {"type": "object"}}}},
        },
    )
    async def upload(
        request: Request,
        name: Annotated[Name | None, Query(description="The file's name, where the body is the file.")] = None,
        collection: Annotated[Name | None, Query()] = None,
        profile: Annotated[Literal["auto", "book", "paper"], Query()] = "auto",
        wait: Annotated[float, Query(ge=0, le=300, description="Seconds to wait for the end.")] = 10.0,
    ) -> Response:
        """Bring a file in. The answer holds the job; and the document, when it is in before `wait` is over."""
        came = await _came(house, request, name)
        given = {"paths": [str(u.path) for u in came], "names": {str(u.path): u.title for u in came}}
        job = await settled(house, "add", {**given, "collection": collection, "profile": profile}, wait)
        documents = [] if job.result is None else job.result["documents"]
        if job.ended and documents and all(d["status"] == "failed" for d in documents):
            raise from_json(documents[0]["error"])
        status = 201 if any(d["status"] == "added" for d in documents) else 200 if job.ended else 202
        return answer({"documents": documents, "job": job.to_json()}, status, {"location": f"/api/jobs/{job.id}"})


async def _came(house: House, request: Request, name: str | None) -> list[uploads.Upload]:
    folder = house.library.database.folder
    async with uploads.sent(request, name) as files:
        return [await uploads.kept(folder, called, pieces) for called, pieces in files]


def _add_files(made: APIRouter, house: House) -> None:
    library = house.library

    @made.get(
        "/{document}/file",
        operation_id="file",
        response_class=Response,
        responses={
            200: {"description": "The file", "content": WHOLE},
            206: {"description": "A part of it", "content": WHOLE},
            304: {"description": "Known"},
            **problems(404, 409, 416),
        },
    )
    def file(request: Request, document: Document, up_to: UpTo = None, uncapped: Uncapped = False) -> Response:
        """Return the file that a document was read from, or the ranges that are asked for."""
        opened = _open(house, document, bound_of(up_to, uncapped))
        tag = f'"{opened.sha256[:32]}"'
        headers = {"etag": tag, "content-security-policy": FILE_POLICY, "accept-ranges": "bytes"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        path = file_of(library.database, opened)
        kind = {"pdf": "application/pdf", "epub": "application/epub+zip"}.get(opened.format, "application/octet-stream")
        return FileResponse(path, media_type=kind, headers=headers, filename=f"{opened.id}{path.suffix}")


def _open(house: House, document: str, bound: Bound) -> Any:
    """Return a document of which nothing is hidden: its own bytes know no bound."""
    shown = house.library.scope([document], bound=bound)
    if shown.reader.open(shown.only.key).capped:
        raise UsageError(
            f"a part of “{shown.only.title}” is hidden, and its file has all of it",
            hint="read its sections, or ask with uncapped=true",
        )
    return shown.only
