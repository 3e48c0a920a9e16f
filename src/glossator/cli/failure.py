"""The JSON of commands that print their own shape even when they could not begin."""

from dataclasses import dataclass
from typing import Any

from glossator.errors import GlossatorError


@dataclass(frozen=True, slots=True)
class Unverified:
    """A `verify` that could not be done: nothing is known to hold."""

    error: GlossatorError

    def to_json(self) -> dict[str, Any]:
        """Return the shape of `verify`, and why it is empty."""
        return {"ok": False, "quotations": [], "error": self.error.to_json()}
