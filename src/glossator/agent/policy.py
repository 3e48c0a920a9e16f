"""How tools are run: within a time, within a length, tried again only where that can help, and never in a circle.

Whatever a tool does, its caller gets a text; one that begins with `Error:` says what went wrong and what to do. The
rules hold for every tool, so none has them in its own code.
"""

import asyncio
import logging
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Literal

from glossator.agent.context import Intent, ToolContext
from glossator.agent.registry import Outcome, Tool
from glossator.agent.repeats import Repeats
from glossator.agent.shorten import capped, rendered
from glossator.agent.signature import BadArguments
from glossator.errors import GlossatorError, LibraryBusy
from glossator.store.database import now

Json = dict[str, Any]
State = Literal["completed", "failed", "stopped"]
PAUSES = (1.0, 2.0, 4.0)  # seconds before a call is tried again
ERROR = "Error:"
_NAME = re.compile(r"\w*_")  # of a tool; it keeps its letters
_OPTION = re.compile(r"(?<![\w-])--\w|`glossator ")  # what a person types, and no model can
SUMMARY = 160  # characters of the line that a person is shown

log = logging.getLogger(__name__)


class TransientFault(Exception):
    """A fault that may be gone in a second: raise it in a tool to be tried again."""


TRANSIENT = (TransientFault, ConnectionError, LibraryBusy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a call: the text for the model, one line for a person, and how long it took."""

    text: str
    summary: str
    state: State = "completed"
    args: Json = field(default_factory=dict)
    seconds: float = 0.0
    started: str = ""
    ended: str = ""
    refused: bool = False  # it repeats a call of before


class Policy:
    """Runs the tools of one run of the agent."""

    def __init__(self, tools: Mapping[str, Tool], context: ToolContext, *, pauses: Sequence[float] = PAUSES) -> None:
        """Run `tools` with `context`; `pauses` are waited between tries after transient faults."""
        self.tools = tools
        self.context = context
        self._pauses = tuple(pauses)
        self._repeats = Repeats()
        self._done: set[str] = set()

    def next_round(self) -> None:
        """Note that the model has seen the results so far: what it calls now may repeat them."""
        self._repeats.next_round()

    async def call(
        self, name: str, given: Any, *, context: ToolContext | None = None, seconds: float | None = None
    ) -> Result:
        """Run a tool with what a model wrote as its arguments; `seconds` is what is left of the run's time."""
        started, start = now(), perf_counter()
        log.info("tool %s begins at %s", name, started)
        result = await self._call(name, given, context or self.context, seconds)
        ended = now()
        log.info("tool %s ended at %s: %s, %s", name, ended, result.state, result.summary)
        log.debug("tool %s answered: %s", name, result.text)
        return replace(result, seconds=perf_counter() - start, started=started, ended=ended)

    async def _call(self, name: str, given: Any, context: ToolContext, seconds: float | None) -> Result:
        tool = self.tools.get(name)
        if tool is None:
            return failed(f"there is no tool {name!r}", "the tools are: " + (", ".join(self.tools) or "none"))
        try:
            args = tool.arguments_from(given)
        except BadArguments as error:
            return failed(f"{name}: {error}", "correct the arguments and call it again")
        known = self._repeats.refusal(name, args)
        if known is not None:
            return replace(failed(known), args=args, refused=True, summary=f"refused: {name} was just called like this")
        missing = await self._before(tool, context, seconds)
        if missing is not None:
            return replace(missing, args=args)
        asks = tool.approval(context, args) if callable(tool.approval) else tool.approval
        intent = Intent(name, args)
        if asks and not await in_thread(lambda: context.approve(intent)):
            return replace(failed(f"the person did not allow {intent}", "go on without it, or ask them why"), args=args)
        result = replace(await self._tried(tool, args, context, seconds), args=args)
        self._repeats.note(name, args, result.text, changed=tool.changes)
        if result.state == "completed":
            self._done.add(name)
        return result

    async def _before(self, tool: Tool, context: ToolContext, seconds: float | None) -> Result | None:
        """Run what must come before a tool, or return why it cannot be."""
        for name in tool.after:
            if name in self._done:
                continue
            first = self.tools.get(name)
            if first is None or any(a.required for a in first.arguments):
                return failed(f"{tool.name} needs {name} to have been done in this run", f"call {name} first")
            done = await self._call(name, {}, context, seconds)
            if done.state != "completed":
                return failed(f"{tool.name} needs {name} first, and that failed", done.text)
        return None

    async def _tried(self, tool: Tool, args: Json, context: ToolContext, seconds: float | None) -> Result:
        for pause in (*self._pauses, None):
            try:
                return _result(tool, await _run(tool, args, context, seconds))
            except TRANSIENT as error:
                if pause is None or (tool.changes and not isinstance(error, LibraryBusy)):
                    return _failure(tool, error)
                log.info("tool %s: %s; again in %g s", tool.name, error, pause)
                await asyncio.sleep(pause)
            except TimeoutError:
                limit = tool.timeout if seconds is None else min(tool.timeout, seconds)
                return failed(f"{tool.name} timed out after {limit:g} seconds", "ask for less, or go on without it")
            except Exception as error:  # the edge of a tool, which may be anybody's
                return _failure(tool, error)
        raise AssertionError("the last try returns")


def failed(message: str, hint: str = "") -> Result:
    """Return a failure as a model is told it."""
    if not _NAME.match(hint):
        hint = hint[:1].upper() + hint[1:]
    text = f"{ERROR} {message.rstrip('.')}. {hint}".strip()
    return Result(text=text if text.endswith((".", "!", "?")) else f"{text}.", summary=_line(message), state="failed")


async def in_thread(function: Callable[[], Any]) -> Any:
    """Return what a function returns, run in a thread of its own that nobody waits for when it is given up.

    The threads of the event loop's pool would keep the process alive until a stuck tool ends.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def deliver(value: Any, error: BaseException | None) -> None:
        if not future.done():
            future.set_exception(error) if error else future.set_result(value)

    def work() -> None:
        value: Any = None
        error: BaseException | None = None
        try:
            value = function()
        except (StopIteration, SystemExit, KeyboardInterrupt) as stop:  # these would end a loop or the program
            error = RuntimeError(f"{type(stop).__name__}: {stop}")
        except BaseException as caught:
            error = caught
        if not loop.is_closed():
            loop.call_soon_threadsafe(deliver, value, error)

    threading.Thread(target=work, daemon=True, name="glossator-tool").start()
    return await future


async def _run(tool: Tool, args: Json, context: ToolContext, seconds: float | None) -> Any:
    limit = tool.timeout if seconds is None else max(0.0, min(tool.timeout, seconds))
    given_up = threading.Event()
    outer = context.stopped
    own = replace(context, stopped=lambda: given_up.is_set() or outer())
    positional = (own,) if tool.takes_context else ()
    try:
        async with asyncio.timeout(limit):
            if asyncio.iscoroutinefunction(tool.function):
                return await tool.function(*positional, **args)
            return await in_thread(lambda: tool.function(*positional, **args))
    finally:
        given_up.set()


def _result(tool: Tool, value: Any) -> Result:
    outcome = value if isinstance(value, Outcome) else Outcome(rendered(value, tool.result_limit))
    text = outcome.text.strip() or "It is done; there is nothing to show."
    shown = capped(text, tool.result_limit, outcome.rest)
    return Result(text=shown, summary=_line(outcome.summary or text.partition("\n")[0]))


def _failure(tool: Tool, error: BaseException) -> Result:
    if isinstance(error, GlossatorError):
        hint = error.hint if error.hint.startswith("the person") or not _OPTION.search(error.hint) else ""
        return failed(error.message, hint)
    log.warning("tool %s: %s: %s", tool.name, type(error).__name__, error)
    log.debug("tool %s failed", tool.name, exc_info=error)
    return failed(f"{tool.name}: {type(error).__name__}: {error}", "try something else, or tell the person")


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SUMMARY else line[: SUMMARY - 1].rstrip() + "…"
