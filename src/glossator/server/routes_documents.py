"""Documents: bringing in, listing, editing, removing; their sections as XHTML, what these show, their files.

What a bound hides is hidden here, too: a file or a picture of a document with a hidden part needs `uncapped`.
"""

import json
import mimetypes
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query, Request
from pydantic import Field
from starlette.datastructures import UploadFile
from starlette.responses import FileResponse, Response

from glossator.errors import NotFound, UsageError, from_json
from glossator.library.filed import file_of
from glossator.library.parts import part as part_of
from glossator.library.parts import parts_of, shows
from glossator.library.places import places_of
from glossator.library.results import Bound
from glossator.library.xhtml import section_page
from glossator.server import uploads
from glossator.server.answers import answer, described, problems, tagged
from glossator.server.house import House
from glossator.server.options import LARGEST, Name, Options
from glossator.server.routes_jobs import settled

Json = dict[str, Any]
SECTION_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
)
FILE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"
SHOWN = ("image/",)  # when a part that may be read shows it
ALWAYS = ("font/", "application/font", "application/vnd.ms-opentype", "text/css")
XHTML = "application/xhtml+xml"
PAGE: Json = {XHTML: {"schema": {"type": "string"}, "example": '<html xmlns="http://www.w3.org/1999/xhtml"/>'}}
ONE: Json = {"id": "d4k7q2", "metadata": {"title": "Bees"}, "contents": [], "parse": {}, "coverage": {}}
PART: Json = {"number": 1, "href": "OEBPS/ch1.xhtml", "cfi": "/6/4", "start": 0, "end": 4_711}
BLOCK: Json = {"start": 0, "end": 11, "kind": "paragraph", "steps": "/4/2", "runs": [[0, "/1", 0], [6, "/2/1", 0]]}
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
    _add_sections(made, house)
    _add_parts(made, house)
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
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        async with request.form(max_files=100, max_fields=100) as form:
            files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
            if not files:
                raise UsageError("no file came", hint="send it as the part `file` of a form")
            return [await uploads.kept(folder, f.filename or "", uploads.pieces_of(f)) for f in files]
    return [await uploads.kept(folder, name or "", _body(request))]


async def _body(request: Request) -> AsyncIterator[bytes]:
    async for piece in request.stream():
        if piece:
            yield piece


def _add_sections(made: APIRouter, house: House) -> None:
    library = house.library

    @made.get(
        "/{document}/sections/{number}",
        operation_id="section",
        response_class=Response,
        responses={
            200: {"description": "XHTML", "content": PAGE},
            304: {"description": "Known"},
            **problems(404, 409),
        },
    )
    def section(
        request: Request,
        document: Document,
        number: Annotated[int, Path(ge=1, le=LARGEST)],
        up_to: UpTo = None,
        uncapped: Uncapped = False,
    ) -> Response:
        """Return an entry of the contents with its subsections as XHTML; each block says where it stands."""
        shown = library.scope([document], bound=bound_of(up_to, uncapped))
        page = section_page(shown.reader, shown.only.key, number)
        return _xhtml(request, page)


def _add_parts(made: APIRouter, house: House) -> None:
    library = house.library

    @made.get(
        "/{document}/parts",
        operation_id="parts",
        response_class=Response,
        responses=described(("parts",), {"parts": [PART]}, errors=(404, 409, 413, 415)),
    )
    def parts(document: Document, up_to: UpTo = None, uncapped: Uncapped = False) -> Response:
        """Return the parts of the file in reading order, where each stands; none of a PDF."""
        found = parts_of(library.database, library.scope([document], bound=bound_of(up_to, uncapped)))
        return answer({"parts": [p.to_json(hidden=hidden) for p, hidden in found]})

    @made.get(
        "/{document}/parts/{number}",
        operation_id="part",
        response_class=Response,
        responses={
            200: {"description": "XHTML", "content": PAGE},
            304: {"description": "Known"},
            **problems(404, 409, 413, 415),
        },
    )
    def one_part(
        request: Request,
        document: Document,
        number: Annotated[int, Path(ge=1, le=LARGEST)],
        up_to: UpTo = None,
        uncapped: Uncapped = False,
    ) -> Response:
        """Return a part as canonical XHTML with emphasis and pictures; its links lead on from its `href`."""
        shown = library.scope([document], bound=bound_of(up_to, uncapped))
        return _xhtml(request, part_of(library.database, shown, number).xhtml)

    @made.get(
        "/{document}/parts/{number}/places",
        operation_id="places",
        response_class=Response,
        responses={
            **described(("part", "blocks"), {"part": 1, "blocks": [BLOCK]}, errors=(404, 409, 413, 415)),
            304: {"description": "Known"},
        },
    )
    def places(
        request: Request,
        document: Document,
        number: Annotated[int, Path(ge=1, le=LARGEST)],
        up_to: UpTo = None,
        uncapped: Uncapped = False,
    ) -> Response:
        """Return where each block of a part stands in its XHTML, to lead positions to the DOM and back."""
        shown = library.scope([document], bound=bound_of(up_to, uncapped))
        found = json.dumps(places_of(library.database, shown, number).to_json(), separators=(",", ":"))
        return tagged(request, found.encode(), "application/json", key=found, headers={})


def _add_files(made: APIRouter, house: House) -> None:
    library = house.library
    whole: Json = {"*/*": {"schema": {"type": "string", "format": "binary"}}}

    @made.get(
        "/{document}/resources/{path:path}",
        operation_id="resource",
        response_class=Response,
        responses={
            200: {"description": "A picture or a font", "content": whole},
            304: {"description": "Known"},
            **problems(404, 409),
        },
    )
    def resource(
        request: Request, document: Document, path: str, up_to: UpTo = None, uncapped: Uncapped = False
    ) -> Response:
        """Return a file of a book by its path in the book: a part as XHTML, what it shows as it is."""
        shown = library.scope([document], bound=bound_of(up_to, uncapped))
        parts = parts_of(library.database, shown)
        for part, hidden in parts:
            if part.href == path and not hidden:
                return _xhtml(request, part.xhtml)
        data, kind = _entry(house, shown, parts, path)
        key = f"{shown.only.sha256} {path}"
        return tagged(request, data, kind, key=key, headers={"content-security-policy": FILE_POLICY})

    @made.get(
        "/{document}/uncapped/{path:path}",
        operation_id="uncapped_resource",
        response_class=Response,
        responses={
            200: {"description": "A part, a picture or a font", "content": whole},
            304: {"description": "Known"},
            **problems(404, 409),
        },
    )
    def uncapped_resource(request: Request, document: Document, path: str) -> Response:
        """Return a file of a book without a bound, as `resources` does: what a part shows is asked without options."""
        return resource(request, document, path, uncapped=True)

    @made.get(
        "/{document}/file",
        operation_id="file",
        response_class=Response,
        responses={
            200: {"description": "The file", "content": whole},
            206: {"description": "A part of it", "content": whole},
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


def _entry(house: House, shown: Any, parts: Any, path: str) -> tuple[bytes, str]:
    """Return a file of a book by its exact name in the archive, and its type: no path of this machine is made of it."""
    from glossator.parse.archive import open_archive

    document = shown.only
    kind = mimetypes.guess_type(path)[0] or ""
    nothing = NotFound(f"“{document.title}” shows no {path!r}", hint="paths are those of its own pictures and fonts")
    if document.format != "epub" or not kind.startswith((*SHOWN, *ALWAYS)):
        raise nothing
    if shown.reader.open(document.key).capped and not kind.startswith(ALWAYS) and not shows(parts, path):
        raise nothing
    with open_archive(file_of(house.library.database, document)) as archive:
        if path not in archive:
            raise nothing
        return archive.read(path), kind


def _xhtml(request: Request, page: str) -> Response:
    return tagged(request, page.encode(), XHTML, key=page, headers={"content-security-policy": SECTION_POLICY})
