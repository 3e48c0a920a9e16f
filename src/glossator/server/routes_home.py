"""The web reader, whether the server is there, and links for a person."""

import os
from typing import Annotated
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import APIRouter, Body, Request
from pydantic import Field
from starlette.responses import Response

from glossator import __version__
from glossator.server import bundle
from glossator.server.answers import answer, described
from glossator.server.house import House
from glossator.server.options import Options


class Opened(Options):
    """Which view of the reader a link opens."""

    path: Annotated[str, Field(max_length=4_096, pattern=r"^/([^/\\\x00-\x20].*)?$")] = Field(
        default="/", examples=["/read/d4k7q2?at=120"]
    )


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter()
    _add_pages(made)
    _add_server(made, house)
    return made


def _add_pages(made: APIRouter) -> None:
    @made.get("/", include_in_schema=False)
    def home(request: Request) -> Response:
        return bundle.page(request)

    @made.get("/assets/{path:path}", include_in_schema=False)
    def asset(request: Request, path: str) -> Response:
        return bundle.asset(request, path)


def _add_server(made: APIRouter, house: House) -> None:
    @made.get(
        "/api/health",
        tags=["server"],
        operation_id="health",
        response_class=Response,
        openapi_extra={"security": []},
        responses=described(("ok", "pid", "version"), {"ok": True, "pid": 4711, "version": __version__}),
    )
    async def health() -> Response:
        """Tell that the server is there; the only route that wants no token."""
        return answer({"ok": True, "pid": os.getpid(), "version": __version__})

    @made.post(
        "/api/link",
        tags=["server"],
        operation_id="link",
        response_class=Response,
        responses=described(("path", "reader"), {"path": "/read/d4k7q2?at=120&token=Jx3…", "reader": True}),
    )
    async def link(given: Annotated[Opened | None, Body()] = None) -> Response:
        """Return a path that opens the reader in a browser, once; `reader`: whether there is one."""
        parts = urlsplit(given.path if given else "/")
        query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), ("token", house.access.link())])
        return answer({"path": f"{parts.path}?{query}", "reader": bundle.is_there()})
