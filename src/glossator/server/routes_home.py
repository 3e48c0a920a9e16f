"""The page at `/`, whether the server is there, links for a person, and settings."""

import os
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import Field
from starlette.responses import HTMLResponse, Response

from glossator import __version__, config
from glossator.errors import NotFound, UsageError
from glossator.server.answers import answer, described
from glossator.server.house import House
from glossator.server.options import Name, Options

WITHHELD = ("library", "tools.", "backup.path", "model.base_url", "model.local.base_url", "model.remote.base_url")
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>glossator</title>
<h1>glossator</h1><p>The server of your library is running. The web reader is not part of this installation; programs
use the <a href="/api/openapi.json">HTTP interface</a>.</p></html>"""


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
    def home() -> Response:
        index = _static() / "index.html"
        return HTMLResponse(index.read_text("utf-8") if index.is_file() else PAGE)

    @made.get("/assets/{path:path}", include_in_schema=False)
    def asset(path: str) -> Response:
        from starlette.responses import FileResponse

        root = _static().resolve() / "assets"
        found = (root / path).resolve() if "\0" not in path else root
        if not found.is_file() or not found.is_relative_to(root):
            raise NotFound(f"{path}: there is no such file", hint="open / for the reader")
        return FileResponse(found, headers={"cache-control": "private, max-age=31536000, immutable"})


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
        responses=described(("path",), {"path": "/?token=Jx3…"}),
    )
    async def link() -> Response:
        """Return a path that opens the reader in a browser, once."""
        return answer({"path": f"/?token={house.access.link()}"})


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


def _static() -> Path:
    return Path(str(files("glossator.server"))) / "static"
