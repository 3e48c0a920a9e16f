"""What a tool is: a typed function with a docstring and one decorator; defined once, served to every surface.

The signature gives the schema, the docstring the description. Built-in tools live in `agent/tools/`, by toolset; a
person's own in files that their settings name, or in packages under the entry-point group `glossator.tools`. Nothing
here imports a model library: listing the tools costs nothing.
"""

import importlib
import importlib.util
import inspect
import logging
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeVar, overload

from glossator.agent.signature import Argument, arguments_of, coerced, described, schema_of
from glossator.agent.skills import Skill
from glossator.errors import NotFound, UsageError

Json = dict[str, Any]
Kind = Literal["database", "file", "network", "job"]
Need = Literal[
    "document", "documents", "selection", "index", "progress", "model", "skills",
    "files", "web", "engine", "logins", "shell", "system", "data",
]  # fmt: skip
TOOLSETS = ("library", "reading", "search", "analysis", "notes", "memory", "reach")
MODULES = (
    *("library", "rag", "reading", "search", "analysis", "notes", "memory"),
    *("reach_files", "reach_web", "reach_system", "reach_data", "charts"),
)
GROUP = "glossator.tools"  # of entry points
SKILLS = "use_skill"  # the tool that uses a person's skills
OWN = "own"  # the toolset of a person's own tools
SECONDS: Mapping[Kind, float] = {"file": 5.0, "database": 15.0, "network": 30.0, "job": 600.0}
CHARACTERS = 2_000  # of a result, unless the tool has a limit of its own
LIMITS: Mapping[str, int] = {"search": 6_000, "reading": 12_000}  # of the toolsets whose results are read
DESCRIPTION = 1_000  # characters of a description; what is longer is not read by small models anyway

F = TypeVar("F", bound=Callable[..., Any])
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: what a model is told of it, what it needs, and how it is run."""

    name: str
    toolset: str
    description: str
    arguments: tuple[Argument, ...]
    function: Callable[..., Any]
    takes_context: bool
    kind: Kind = "database"
    timeout: float = 15.0
    result_limit: int = CHARACTERS
    needs: tuple[Need, ...] = ()
    changes: bool = False  # it changes something; it is never tried twice
    approval: bool | Callable[[Any, Json], bool] = False  # the person is asked before each call, or when this says so
    after: tuple[str, ...] = ()  # tools that must have been done before it in the same run
    words: tuple[str, ...] = ()  # by which a request is matched with it, in any language
    source: str = "built in"

    @property
    def parameters(self) -> Json:
        """Return the JSON schema of its arguments."""
        return schema_of(self.arguments)

    def arguments_from(self, given: Any) -> Json:
        """Return the arguments that a model means.

        Raises:
            BadArguments: it cannot be told.
        """
        return coerced(self.arguments, given)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool answers: the text that a model reads, one line for a person, how to get what was cut off."""

    text: str
    summary: str = ""
    rest: str = ""


@overload
def tool(function: F, /) -> F: ...
@overload
def tool(
    *,
    toolset: str = ...,
    kind: Kind = ...,
    timeout: float | None = ...,
    result_limit: int | None = ...,
    needs: Sequence[Need] = ...,
    changes: bool = ...,
    approval: bool | Callable[[Any, Json], bool] = ...,
    after: Sequence[str] = ...,
    words: str = ...,
) -> Callable[[F], F]: ...
def tool(function: F | None = None, /, **options: Any) -> F | Callable[[F], F]:
    """Make a tool of a typed function with a docstring; return the function, which can still be called.

    Its first argument may be `ctx: ToolContext`. It returns a text, an `Outcome`, or a value that can be JSON, and may
    be a coroutine function. What it raises becomes a text beginning with `Error:`.

    Args:
        function: the function, where the decorator stands without options.
        **options: `toolset`; `kind` sets the time limit (file 5 s, database 15 s, network 30 s, job 600 s) unless
            `timeout` does; `result_limit` in characters; `needs` says what must be there; `changes`, that it changes
            something; `approval`, that the person is asked each time (or when a function of context and arguments says
            so); `after`, which tools come before it; `words`,
            by which requests find it, separated by spaces.

    Raises:
        UsageError: no docstring, or arguments that cannot be described.
    """
    if function is not None:
        return _marked(function, {})
    return lambda f: _marked(f, options)


def tool_of(function: Callable[..., Any]) -> Tool:
    """Return the tool that was made of a function.

    Raises:
        UsageError: none was.
    """
    found = getattr(function, _MARK, None)
    if not isinstance(found, Tool):
        raise UsageError(f"{function!r} is no tool", hint="put @tool before it")
    return found


def tools_in(module: ModuleType) -> list[Tool]:
    """Return the tools that a module defines, in the order they stand in it."""
    marked = [getattr(value, _MARK, None) for value in vars(module).values() if inspect.isfunction(value)]
    own = [t for t in marked if isinstance(t, Tool) and t.function.__module__ == module.__name__]
    return sorted(own, key=lambda t: t.function.__code__.co_firstlineno)


def built_in() -> list[Tool]:
    """Return the tools of this program, toolset by toolset."""
    found: list[Tool] = []
    for name in MODULES:
        found += tools_in(importlib.import_module(f"glossator.agent.tools.{name}"))
    return sorted(found, key=lambda t: TOOLSETS.index(t.toolset))


def from_file(path: str | Path) -> list[Tool]:
    """Return the tools that a person's own file defines. The file is run: only the person's settings may name it.

    Raises:
        NotFound: no such file.
        UsageError: it cannot be run, or defines no tool.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise NotFound(f"{file}: no such file", hint="`tools.files` in your settings names it")
    name = f"glossator_own_tools_{abs(hash(str(file.resolve()))):x}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{file} is no Python file", hint="tools are written in a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # type hints are looked up there
    try:
        spec.loader.exec_module(module)
    except UsageError as error:
        raise UsageError(f"{file}: {error.message}", hint=error.hint) from error
    except (Exception, SystemExit) as error:  # a plug-in may fail in any way
        log.debug("%s cannot be run", file, exc_info=True)
        raise UsageError(f"{file} cannot be run: {type(error).__name__}: {error}", hint="repair the file") from error
    found = [replace(t, source=str(file)) for t in tools_in(module)]
    if not found:
        raise UsageError(f"{file} defines no tool", hint="put @tool before a function; `from glossator import tool`")
    return found


def from_packages() -> tuple[list[Tool], list[str]]:
    """Return the tools of installed packages, and what went wrong with others."""
    from importlib.metadata import entry_points

    found: list[Tool] = []
    problems: list[str] = []
    for point in entry_points(group=GROUP):
        try:
            loaded = point.load()
            own = tools_in(loaded) if inspect.ismodule(loaded) else [tool_of(loaded)]
            found += [replace(t, source=point.value) for t in own]
        except (Exception, SystemExit) as error:  # a plug-in may fail in any way
            log.warning("tools of %s cannot be loaded: %s", point.value, error, exc_info=True)
            problems.append(f"{point.value}: {type(error).__name__}: {error}")
    return found, problems


def collected(files: Iterable[str | Path] = (), skills: Sequence[Skill] = ()) -> tuple[dict[str, Tool], list[str]]:
    """Return all tools by name, and the problems of those that are left out; a person's own shadow none of ours.

    The tool that uses skills says which there are.
    """
    found = {t.name: t for t in built_in()}
    if skills:
        told = "; ".join(f"{s.name}: {s.description}" for s in skills)
        listed = f"{found[SKILLS].description}\n\nSkills: {told}"[:DESCRIPTION]
        found[SKILLS] = replace(found[SKILLS], description=listed)
    added, problems = from_packages()
    for file in files:
        try:
            added += from_file(file)
        except (NotFound, UsageError) as error:
            problems.append(f"{error.message} ({error.hint})")
    for own in added:
        if own.name in found:
            problems.append(f"{own.source}: there is a tool {own.name!r} already, of {found[own.name].source}")
        else:
            found[own.name] = own
    return found, problems


_MARK = "__glossator_tool__"


def _marked(function: F, options: Mapping[str, Any]) -> F:
    setattr(function, _MARK, _made(function, **options))
    return function


def _made(function: Callable[..., Any], **options: Any) -> Tool:
    description = described(function)[0]
    name = function.__name__
    if not description:
        raise UsageError(f"tool {name} has no docstring", hint="say in a sentence what it does and when to use it")
    known = set(Tool.__dataclass_fields__) - {"name", "description", "arguments", "function", "takes_context"}
    for option in options.keys() - known:
        raise UsageError(f"@tool has no option {option!r}", hint="one of " + ", ".join(sorted(known)))
    takes_context = _takes_context(function)
    toolset = options.get("toolset") or OWN
    kind: Kind = options.get("kind") or "database"
    return Tool(
        name=name,
        toolset=toolset,
        description=description[:DESCRIPTION],
        arguments=arguments_of(function, skip=int(takes_context)),
        function=function,
        takes_context=takes_context,
        kind=kind,
        timeout=float(options.get("timeout") or SECONDS[kind]),
        result_limit=int(options.get("result_limit") or LIMITS.get(toolset, CHARACTERS)),
        needs=tuple(options.get("needs") or ()),
        changes=bool(options.get("changes")),
        approval=options.get("approval") or False,
        after=tuple(options.get("after") or ()),
        words=tuple((options.get("words") or "").split()),
    )


def _takes_context(function: Callable[..., Any]) -> bool:
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is None:
        return False
    hint = first.annotation if isinstance(first.annotation, str) else getattr(first.annotation, "__name__", "")
    return hint.rpartition(".")[2] == "ToolContext" or (first.name == "ctx" and first.annotation is first.empty)
