"""The agent on small libraries: contexts as a run gives them to tools, and a way to call a tool as a model does."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from glossator.agent.context import ReadingState, ToolContext
from glossator.agent.desk import Desk
from glossator.agent.policy import Policy, Result
from glossator.agent.registry import Tool, built_in
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library.conftest import filled, island, shelf, stone

EVERYTHING = Bound()
NOWHERE = ReadingState()
__all__ = ["filled", "island", "shelf", "stone"]


@dataclass(frozen=True, slots=True)
class Bench:
    """A library, and its tools as a model calls them: `bench("search", query="wax")` is the result's text."""

    library: Library
    docs: tuple[str, ...] = ()
    bound: Bound = EVERYTHING
    state: ReadingState = NOWHERE
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def context(self) -> ToolContext:
        """Return what a tool of this run is given."""
        scoped = self.library.scope(self.docs, bound=self.bound)
        desk = Desk(self.library, docs=[d.id for d in scoped.named or ()], bound=self.bound)
        return ToolContext(reader=scoped.reader, library=desk, state=self.state, **self.options)

    def under(self, **changes: Any) -> "Bench":
        """Return the same bench with other documents, bound, state or options."""
        return replace(self, **changes)

    def opened(self, name: str, **state: Any) -> "Bench":
        """Return the same bench with a document open, restricted to it."""
        key = self.library.scope([name], bound=self.bound).only.key
        return replace(self, docs=(name,), state=ReadingState(document=key, **state))

    def result(self, name: str, tools: Mapping[str, Tool] | None = None, /, **arguments: Any) -> Result:
        """Return what comes of a call."""
        known = tools or {t.name: t for t in built_in()}
        return asyncio.run(Policy(known, self.context, pauses=(0.0, 0.0, 0.0)).call(name, arguments))

    def __call__(self, name: str, /, **arguments: Any) -> str:
        return self.result(name, **arguments).text


@pytest.fixture
def bench(shelf: Library) -> Bench:
    """Give the English and the Chinese story, and the tools."""
    return Bench(shelf)


@pytest.fixture
def own_tools(tmp_path: Path) -> Callable[[str], Path]:
    """Give a way to write a file of a person's own tools."""

    def write(code: str) -> Path:
        path = tmp_path / "mine.py"
        path.write_text(code, "utf-8")
        return path

    return write
