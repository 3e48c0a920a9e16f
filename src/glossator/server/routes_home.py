"""The web reader, whether the server is there, links for a person, and settings."""

import os
from typing import Annotated
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import APIRouter, Body, Request
from pydantic import Field
from starlette.responses import Response

from glossator import __version__, config
from glossator.errors import UsageError
from glossator.server import bundle
from glossator.server.answers import answer, described
from glossator.server.house import House
from glossator.server.options import Name, Options

WITHHELD = ("library", "tools.", "backup.path", "model.base_url", "model.local.base_url", "model.remote.base_url")


class Opened(Options):
    """Which view of the reader a link opens."""

    path: Annotated[str, Field(max_length=4_096, pattern=r"^/([^/\\\x00-\x20].*)?$")] = Field(
        default="/", examples=["/read/d4k7q2?at=120"]
    )


class SettingChange(Options):
    """A setting and its new value."""

    key: Name = Field(examples=["search.k"])
    value: Name = Field(examples=["20"])


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter()
    _add_pages(made)
    _add_server(made, house)
    _add_settings(made, house)
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


def _add_settings(made: APIRouter, house: House) -> None:
    @made.get(
        "/api/settings",
        tags=["server"],
        operation_id="settings",
        response_class=Response,
        responses=described(("settings",), {"settings": [{"key": "search.k", "value": 10, "source": "default"}]}),
    )
    def settings() -> Response:
        """Return every setting, where it comes from, and whether it can be set here."""
        _, found = config.settings(house.library.database.folder)
        return answer({"settings": [s.to_json() | {"writable": not _withheld(s.key.name)} for s in found]})

    @made.put(
        "/api/settings",
        tags=["server"],
        operation_id="set_setting",
        response_class=Response,
        responses=described(("key", "value", "source"), {"key": "search.k", "value": 20, "source": "user"}),
    )
    def change(given: Annotated[SettingChange, Body()]) -> Response:
        """Set a setting of the person's own file; those that open this machine are set on the command line only."""
        config.lookup(given.key)
        if _withheld(given.key):
            raise UsageError(f"{given.key} is not set here", hint=f"`glossator config set {given.key} …` sets it")
        config.write(config.user_config(), given.key, given.value)
        _, found = config.settings(house.library.database.folder)
        return answer(next(s for s in found if s.key.name == given.key).to_json())


def _withheld(key: str) -> bool:
    return key.startswith(WITHHELD) or key.endswith("api_key_env")
