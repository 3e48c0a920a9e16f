"""Whether a model, an embedder or a folder can be used, found out by using it once."""

import itertools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from glossator.choice import choice_of, configured
from glossator.config import Settings, several
from glossator.errors import GlossatorError, ModelError, UsageError
from glossator.server import paths

COUNTED = 10_000  # files of a folder that are counted
LOOKING = 5.0  # seconds for which they are
SENTENCE = "The keeper lit the lamp."
Json = dict[str, Any]


def checked(what: str, name: str, call: Callable[[], str]) -> Json:
    """Return what came of a check: its words, or why it failed, and how long it took."""
    begun = time.perf_counter()
    detail: str | None = None
    error: Json | None = None
    try:
        detail = call()
    except GlossatorError as failure:
        error = GlossatorError(failure.message, hint=failure.hint).to_json() | {"code": failure.code}
    milliseconds = round(1_000 * (time.perf_counter() - begun), 1)
    return {
        "what": what,
        "name": name,
        "ok": error is None,
        "milliseconds": milliseconds,
        "detail": detail,
        "error": error,
    }


def model(settings: Settings, name: str) -> str:
    """Return what a model said to one small request; `name` is `main`, `local`, `remote`, or `provider:model`.

    Raises:
        ModelError: there is no such model, or it did not answer.
    """
    from glossator.agent.trial import tried

    if name in ("main", "local", "remote"):
        choice = configured(settings).get(name)
        if choice is None:
            setting = "model.model" if name == "main" else f"model.{name}.model"
            raise ModelError(f"no {name} model is set", hint=f"`glossator config set {setting} provider:model`")
    else:
        known = configured(settings).values()
        choice = next((c for c in known if c.spec == name), None) or choice_of(name)
    return "no model: answers are the documents' own sentences" if choice is None else tried(choice)


def embedder(name: str) -> str:
    """Return what came of embedding one sentence; nothing is downloaded for it.

    Raises:
        ModelError: there is no such embedder, it is not here, or it did not answer.
    """
    from glossator import embed

    def refuse(what: str) -> None:
        raise ModelError(f"{name} is not here yet: {what}", hint=f"`glossator add --embedder {name} …` downloads it")

    if name == embed.NONE:
        return "no embedder: search is by words"
    vector = embed.load(name, notice=refuse).embed_query(SENTENCE)
    return f"{name} made a vector of {len(vector)} numbers"


def folder(settings: Settings, name: str) -> str:
    """Return how many files in a folder can be read, and whether it can be written.

    Raises:
        UsageError: it is no folder, or none that may be used.
        NotFound: it is not there.
    """
    from glossator.sources.files import SourceFile, walk

    found = _own(settings, name) or paths.checked(settings, name)
    if not found.is_dir():
        raise UsageError(f"{name} is no folder that is there", hint="make it, or name another one")
    if not os.access(found, os.R_OK | os.X_OK):
        raise UsageError(f"{name} cannot be read", hint="change its permissions, or choose another one")
    until = time.monotonic() + LOOKING
    files = (f for f in walk([str(found)]) if isinstance(f, SourceFile))
    count = sum(1 for _ in itertools.takewhile(lambda _: time.monotonic() < until, itertools.islice(files, COUNTED)))
    many = f"{count:,} or more" if count == COUNTED or time.monotonic() >= until else f"{count:,}"
    written = "it can be written, too" if os.access(found, os.W_OK) else "it cannot be written"
    return f"{many} file{'' if many == '1' else 's'} that can be added; {written}"


def _own(settings: Settings, name: str) -> Path | None:
    """Return a folder that the person set on the command line, wherever it lies; None: it is none of these."""
    asked = Path(name).expanduser()
    named = [settings.backup_path, settings.tools_skills, *several(settings.tools_folders)]
    return asked if asked in (settings.library, *(Path(n).expanduser() for n in named if n)) else None
