"""glossator: a local-first reading assistant that finds, quotes and cites to the exact sentence.

The door for programs: `glossator.open` gives a library, whose methods are those of the command line and return values.
What is imported here is imported when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glossator.agent.registry import tool as tool
    from glossator.errors import GlossatorError as GlossatorError
    from glossator.library.door import open as open
    from glossator.library.library import Library as Library
    from glossator.library.results import Bound as Bound

__version__ = "0.1.0"
__all__ = ["Bound", "GlossatorError", "Library", "__version__", "open", "tool"]

_WHERE = {
    "Bound": "glossator.library.results",
    "GlossatorError": "glossator.errors",
    "Library": "glossator.library.library",
    "open": "glossator.library.door",
    "tool": "glossator.agent.registry",
}


def __getattr__(name: str) -> Any:
    """Return a public name, imported when it is first asked for."""
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
