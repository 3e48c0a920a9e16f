"""The application: routes put together, errors turned into problems, the guard before all of it."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from glossator import __version__
from glossator.errors import GlossatorError
from glossator.server import (
    bundle,
    routes_analysis,
    routes_chat,
    routes_documents,
    routes_exchange,
    routes_home,
    routes_jobs,
    routes_notes,
    routes_openai,
    routes_pages,
    routes_parts,
    routes_reading,
    routes_retrieval,
    routes_settings,
    routes_shelves,
)
from glossator.server.house import House
from glossator.server.pages import is_view
from glossator.server.problems import TITLES, of_error, problem
from glossator.server.security import Guard

THREADS = 8  # for requests; more only wait for each other
LEAVING = 4.0  # seconds that a job has to come to a halt
ROUTES = (
    routes_home,
    routes_settings,
    routes_reading,
    routes_documents,
    routes_parts,
    routes_pages,
    routes_notes,
    routes_exchange,
    routes_shelves,
    routes_jobs,
    routes_analysis,
    routes_chat,
    routes_retrieval,
    routes_openai,
)
log = logging.getLogger(__name__)


def build(house: House) -> Guard:
    """Return the application that serves a library."""

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        import anyio.to_thread

        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        house.jobs.open()
        yield
        house.jobs.close(LEAVING)

    app = FastAPI(
        title="glossator",
        version=__version__,
        summary="A library of what a person reads: searched, read, noted and cited to the sentence.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
        separate_input_output_schemas=False,
    )
    for routes in ROUTES:
        app.include_router(routes.router(house))
    app.add_exception_handler(GlossatorError, _error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    app.openapi = _with_security(app, house)  # type: ignore[method-assign]
    return Guard(app, house.access, house.pulse)


async def _error(request: Request, error: Exception) -> Response:
    assert isinstance(error, GlossatorError)
    return of_error(error, request.url.path)


async def _invalid(request: Request, error: Exception) -> Response:
    """Answer what does not fit a route: which option, and why; a body that is no JSON is a bad request."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return problem(400, "malformed", "the body is not JSON", "send one JSON object", path=request.url.path)
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path", "header"))
    detail = f"{where or 'the body'}: {first['msg']}"
    return problem(422, "usage", detail, "the options are described at /api/openapi.json", path=request.url.path)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and _is_view(request):
        return bundle.page(request)
    title = TITLES.get(error.status_code, "Error")
    detail = f"{request.method} {request.url.path}: {title.lower()}"
    hint = "the routes are described at /api/openapi.json"
    code = title.lower().replace(" ", "_")
    return problem(error.status_code, code, detail, hint, path=request.url.path, headers=error.headers)


def _is_view(request: Request) -> bool:
    """Tell a browser that opens a page, which the reader routes itself, from a program that asks for what is not."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "") and is_view(request.url.path)


def _with_security(app: FastAPI, house: House) -> Any:
    made = app.openapi

    def described() -> dict[str, Any]:
        schema = made()
        parts = schema.setdefault("components", {})
        parts["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer"},
            "cookie": {"type": "apiKey", "in": "cookie", "name": house.access.cookie_name},
        }
        schema["security"] = [{"token": []}, {"cookie": []}]
        return schema

    return described
