"""What is told of a command that could not begin: its own JSON shape, or the part of the program that is not here."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from glossator.errors import GlossatorError

EXTRAS = {  # a module of each optional part, as it is asked for first, and the extra that brings it
    "pydantic_ai": "agent",
    "openai": "agent",
    "anthropic": "agent",
    "fastapi": "server",
    "uvicorn": "server",
    "mcp": "mcp",
}


def not_installed(error: ModuleNotFoundError) -> GlossatorError | None:
    """Return what to tell of a module that an extra brings, or None: its absence is a defect."""
    module = (error.name or "").partition(".")[0]
    if module not in EXTRAS:
        return None
    return GlossatorError(
        f"this needs a part that is not installed ({module} is missing)",
        hint=f"pip install 'glossator[{EXTRAS[module]}]'",
    )


def need(*modules: str) -> None:
    """Stop before anything is begun where a module of an optional part is not here.

    Raises:
        GlossatorError: as `not_installed` tells it.
    """
    for name in modules:
        if find_spec(name) is None and (told := not_installed(ModuleNotFoundError(name=name))):
            raise told


@dataclass(frozen=True, slots=True)
class Unverified:
    """A `verify` that could not be done: nothing is known to hold."""

    error: GlossatorError

    def to_json(self) -> dict[str, Any]:
        """Return the shape of `verify`, and why it is empty."""
        return {"ok": False, "quotations": [], "error": self.error.to_json()}
