"""Settings, the models that can be chosen, checks of both, and what the agent remembers.

What opens this machine (folders, addresses, permissions of tools) and keys are set on the command line only.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path
from pydantic import Field
from starlette.responses import Response

from glossator import config
from glossator.errors import UsageError
from glossator.server import checks
from glossator.server.answers import answer, described
from glossator.server.house import House
from glossator.server.options import Name, Options

Json = dict[str, Any]
WITHHELD = ("library", "tools.", "backup.path", "model.base_url", "model.local.base_url", "model.remote.base_url")
CHECKED: Json = {"what": "model", "name": "local", "ok": True, "milliseconds": 212.5, "detail": "it said OK"}
EMBEDDER: Json = {"name": "builtin:minilm", "installed": True, "network": False, "hint": None}
MODEL: Json = {"name": "ollama:MODEL", "role": None, "installed": True, "network": False, "key": None, "hint": None}
SET: Json = {"name": "local", "model": "ollama:x", "remote": False, "host": "127.0.0.1", "key": False, "uses": ["book"]}


class SettingChange(Options):
    """A setting and its new value."""

    key: Name = Field(examples=["search.k"])
    value: Name = Field(examples=["20"])


class Wanted(Options):
    """What is to be checked: a model (`main`, `local`, `remote`, or provider:model), an embedder, or a folder."""

    what: Literal["model", "embedder", "folder"] = Field(examples=["embedder"])
    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    embedder: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(default=None, examples=["none"])
    path: Name | None = None


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api", tags=["server"])
    _add_settings(made, house)
    _add_check(made, house)
    _add_models(made, house)
    _add_memory(made, house)
    return made


def _add_settings(made: APIRouter, house: House) -> None:
    @made.get(
        "/settings",
        operation_id="settings",
        response_class=Response,
        responses=described(("settings",), {"settings": [{"key": "search.k", "value": 10, "source": "default"}]}),
    )
    def settings() -> Response:
        """Return every setting, where it comes from, and whether it can be set here."""
        _, found = config.settings(house.library.database.folder)
        return answer({"settings": [s.to_json() | {"writable": not _withheld(s.key.name)} for s in found]})

    @made.put(
        "/settings",
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


def _add_check(made: APIRouter, house: House) -> None:
    @made.post(
        "/settings/check",
        operation_id="check",
        response_class=Response,
        responses=described((*CHECKED, "error"), {**CHECKED, "error": None}),
    )
    def check(given: Annotated[Wanted, Body()]) -> Response:
        """Use a model, an embedder or a folder once, and tell what came of it; a failure is an answer, too."""
        name = given.path if given.what == "folder" else getattr(given, given.what)
        if name is None:
            raise UsageError(f"no {given.what} is named", hint="give it as model, embedder or path")
        settings = house.settings()
        calls = {
            "model": lambda: checks.model(settings, name),
            "embedder": lambda: checks.embedder(name),
            "folder": lambda: checks.folder(settings, name),
        }
        return answer(checks.checked(given.what, name, calls[given.what]))


def _add_models(made: APIRouter, house: House) -> None:
    told = described(
        ("embedders", "models", "configured"), {"embedders": [EMBEDDER], "models": [MODEL], "configured": [SET]}
    )

    def models() -> Response:
        """Return what `models` prints, and `configured`: which model is set for what."""
        from glossator.agent.listing import configured_models, language_models

        settings = house.settings()
        shape = house.library.models().to_json() | {"models": list(language_models(settings))}
        return answer(shape | {"configured": configured_models(settings)})

    for method, name in (("GET", "models"), ("POST", "models_post")):
        made.add_api_route(
            "/models", models, methods=[method], operation_id=name, response_class=Response, responses=told
        )


def _add_memory(made: APIRouter, house: House) -> None:
    @made.delete(
        "/memory/{memory}",
        operation_id="remove_memory",
        response_class=Response,
        responses=described(("removed",), {"removed": ["m4k7q2"]}, errors=(404, 409, 503)),
    )
    def remove(memory: Annotated[str, Path(max_length=200)]) -> Response:
        """Remove what the agent remembers."""
        return answer(house.library.memory.remove([memory]).to_json())
