"""The pages of a paged document and where its lines stand on them, for a client that draws the file itself."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from glossator.library.page_lines import lines_of, pages_of
from glossator.server.answers import described, tagged
from glossator.server.house import House
from glossator.server.options import LARGEST
from glossator.server.routes_documents import Document, Uncapped, UpTo, bound_of

Json = dict[str, Any]
KNOWN: dict[int | str, Json] = {304: {"description": "Known"}}
PAGE: Json = {"number": 1, "label": "i", "start": 0, "end": 2_048, "width": 595.0, "height": 842.0, "rotation": 0}
LINE: Json = {
    "start": 0,
    "end": 3,
    "text": "Wax ",
    "box": [72.0, 700.1, 88.4, 711.0],
    "axis": "x",
    "edges": [72.0, 79.5, 83.9, 88.4],
}


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api/documents", tags=["documents"])
    library = house.library

    @made.get(
        "/{document}/pages",
        operation_id="pages",
        response_class=Response,
        responses={**described(("pages",), {"pages": [PAGE]}, errors=(404, 409)), **KNOWN},
    )
    def pages(request: Request, document: Document, up_to: UpTo = None, uncapped: Uncapped = False) -> Response:
        """Return the pages in order, each with its size in points and what of the text begins on it; none of a book."""
        return _told(request, pages_of(library.scope([document], bound=bound_of(up_to, uncapped))).to_json())

    @made.get(
        "/{document}/pages/{number}/lines",
        operation_id="lines",
        response_class=Response,
        responses={**described(("page", "lines"), {"page": 1, "lines": [LINE]}, errors=(404, 409)), **KNOWN},
    )
    def lines(
        request: Request,
        document: Document,
        number: Annotated[int, Path(ge=1, le=LARGEST)],
        up_to: UpTo = None,
        uncapped: Uncapped = False,
    ) -> Response:
        """Return the lines of a page with the edges of their characters, in points of the file's unrotated page."""
        return _told(request, lines_of(library.scope([document], bound=bound_of(up_to, uncapped)), number).to_json())

    return made


def _told(request: Request, value: Json) -> Response:
    found = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return tagged(request, found.encode(), "application/json", key=found, headers={})
