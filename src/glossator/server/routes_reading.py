"""The reading commands: `GET` or `POST /api/NAME`, with the options and the JSON of the command line.

The table is that of `library.batch`. What names a file of this machine (`verify`, `eval`) obeys `paths.checked`.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from glossator.library.batch import OPERATIONS
from glossator.server import paths
from glossator.server.answers import described, sent
from glossator.server.house import House
from glossator.server.options import Options, model_of

Json = dict[str, Any]
ELSEWHERE = ("ask", "progress", "models")  # routes of their own: a model may be asked or listed, a place may be set
KEYS: Mapping[str, tuple[str, ...]] = {
    "list": ("documents",),
    "show": ("id", "metadata", "contents", "parse", "coverage", "spoilers", "collections", "tags"),
    "text": ("id", "text_version", "text"),
    "read": ("id", "blocks"),
    "search": ("hits", "took_ms", "notice"),
    "summary": ("summary", "points", "coverage"),
    "people": ("names",),
    "compare": ("passages",),
    "map": ("title", "children"),
    "locate": ("status", "repairs", "occurrences", "document", "locator", "near"),
    "verify": ("ok", "quotations"),
    "collection list": ("collections",),
    "tag list": ("tags",),
    "session list": ("sessions",),
    "session show": ("id", "title", "created", "updated", "messages"),
    "doctor": ("ok", "checks"),
    "note list": ("notes",),
}
EXAMPLES: Mapping[str, Json] = {
    "list": {"documents": [{"id": "d4k7q2", "title": "Bees", "format": "epub", "status": "ready"}]},
    "search": {
        "hits": [
            {
                "rank": 1,
                "score": 0.92,
                "document": {"id": "d4k7q2", "title": "Bees", "source": "/books/bees.epub"},
                "text": "Wax is made by young bees.",
                "locator": {"document": "d4k7q2", "text_version": "3f9a", "start": 120, "end": 146},
            }
        ],
        "took_ms": 8.1,
        "notice": None,
    },
    "text": {"id": "d4k7q2", "text_version": "3f9a", "text": "Wax is made by young bees."},
    "locate": {"status": "verified", "repairs": [], "occurrences": 1, "document": "d4k7q2", "locator": {}, "near": []},
}


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api", tags=["reading"])
    for operation, (options, _) in OPERATIONS.items():
        if operation not in ELSEWHERE:
            _add(made, house, operation, model_of(operation, options))
    return made


def _add(made: APIRouter, house: House, operation: str, model: type[Options]) -> None:
    path = "/" + operation.replace(" ", "/")
    name = operation.replace(" ", "_")
    keys = KEYS.get(operation, ())
    responses = described(keys, EXAMPLES.get(operation, dict.fromkeys(keys)), errors=(404, 409, 413, 415, 424, 503))
    shared: Json = {"responses": responses, "response_class": Response, "summary": f"`{operation}`"}
    made.add_api_route(path, _get(house, operation, model), methods=["GET"], operation_id=name, **shared)
    made.add_api_route(path, _post(house, operation, model), methods=["POST"], operation_id=f"{name}_post", **shared)


def _get(house: House, operation: str, model: type[Options]) -> Callable[..., Response]:
    def get(options: Any) -> Response:
        return _answered(house, operation, options)

    get.__annotations__["options"] = Annotated[model, Query()]
    return get


def _post(house: House, operation: str, model: type[Options]) -> Callable[..., Response]:
    def post(options: Any) -> Response:
        return _answered(house, operation, options)

    post.__annotations__["options"] = Annotated[model, Body()]
    return post


def _answered(house: House, operation: str, options: Options) -> Response:
    request = {name: value for name, value in options.model_dump().items() if value is not None}
    for name in ("file", "queries"):
        if name in request:
            request[name] = str(paths.checked(house.settings(), request[name]))
    return sent(house.readers.answer(operation, request))
