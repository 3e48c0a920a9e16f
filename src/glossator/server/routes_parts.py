"""What is read of a document: its sections and parts as XHTML, where their blocks stand, what they show.

What a bound hides is hidden here, too: a picture is sent when a part that may be read shows it.
"""

import json
import mimetypes
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from glossator.errors import NotFound
from glossator.library.covers import Covers
from glossator.library.filed import file_of
from glossator.library.parts import part as part_of
from glossator.library.parts import parts_of, shows
from glossator.library.places import places_of
from glossator.library.results import Bound
from glossator.library.xhtml import section_page
from glossator.server.answers import answer, described, problems, tagged
from glossator.server.house import House
from glossator.server.options import LARGEST
from glossator.server.routes_documents import FILE_POLICY, WHOLE, Document, Uncapped, UpTo, bound_of

Json = dict[str, Any]
SECTION_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
)
SHOWN = ("image/",)  # when a part that may be read shows it
ALWAYS = ("font/", "application/font", "application/vnd.ms-opentype", "text/css")
COVER_AGE = 3_600  # seconds that a browser shows a cover without asking again
XHTML = "application/xhtml+xml"
PAGE: Json = {XHTML: {"schema": {"type": "string"}, "example": '<html xmlns="http://www.w3.org/1999/xhtml"/>'}}
PART: Json = {"number": 1, "href": "OEBPS/ch1.xhtml", "cfi": "/6/4", "start": 0, "end": 4_711}
BLOCK: Json = {"start": 0, "end": 11, "kind": "paragraph", "steps": "/4/2", "runs": [[0, "/1", 0], [6, "/2/1", 0]]}


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api/documents", tags=["documents"])
    _add_sections(made, house)
    _add_parts(made, house)
    _add_resources(made, house)
    _add_cover(made, house)
    return made


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


def _add_resources(made: APIRouter, house: House) -> None:
    library = house.library

    @made.get(
        "/{document}/resources/{path:path}",
        operation_id="resource",
        response_class=Response,
        responses={
            200: {"description": "A picture or a font", "content": WHOLE},
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
            200: {"description": "A part, a picture or a font", "content": WHOLE},
            304: {"description": "Known"},
            **problems(404, 409),
        },
    )
    def uncapped_resource(request: Request, document: Document, path: str) -> Response:
        """Return a file of a book without a bound, as `resources` does: what a part shows is asked without options."""
        return resource(request, document, path, uncapped=True)


def _add_cover(made: APIRouter, house: House) -> None:
    covers = Covers(house.library.database)

    @made.get(
        "/{document}/cover",
        operation_id="cover",
        response_class=Response,
        responses={
            200: {"description": "A picture", "content": WHOLE},
            304: {"description": "Known"},
            **problems(404, 409),
        },
    )
    def cover(request: Request, document: Document) -> Response:
        """Return the cover of a book, or the first page of a PDF as a small picture; 404 for all others."""
        found = house.library.scope([document], bound=Bound(None, True)).only
        data, kind = covers.cover(found)
        headers = {"content-security-policy": FILE_POLICY, "cache-control": f"private, max-age={COVER_AGE}"}
        return tagged(request, data, kind, key=f"cover {found.sha256}", headers=headers)


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
