"""glossator: a local-first reading assistant that finds, quotes and cites to the exact sentence."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glossator.agent.registry import tool as tool

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Return `tool`, the decorator for a person's own tools, when it is first asked for."""
    if name == "tool":
        from glossator.agent.registry import tool

        return tool
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
