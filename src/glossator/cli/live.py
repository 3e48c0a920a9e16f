"""A run of the agent as it happens, on a terminal: tools with their state, reasoning folded, text as it is released.

Text is written as soon as it may be shown, at most every 100 ms; what is on the screen is never drawn again, so a
conversation can be scrolled and copied.
"""

import json
from collections.abc import Mapping
from time import monotonic
from typing import Any

from glossator.agent.events import Changed, Closed, Event, Finished, Grew, Opened
from glossator.cli.output import Output
from glossator.cli.page import printable
from glossator.messages import Progress, Reasoning, Text, Tool

EVERY = 0.1  # seconds between two writes of text
WIDTH = 72  # characters of arguments
MARKS = {"pending": "…", "running": "▸", "completed": "✓", "failed": "✗", "stopped": "■"}
STYLES = {"completed": "green", "failed": "red", "stopped": "yellow"}


class Status:
    """Tells a person who waits for an answer which tools are at work; nothing where nobody watches."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def tell(self, event: Event) -> None:
        """Take an event."""
        if not self._output.interactive or not isinstance(event, Changed) or not isinstance(event.part, Tool):
            return
        if event.part.state != "running":
            self._output.err.write(card(event.part) + "\n")
            self._output.err.flush()


class Live:
    """Draws a run. `reasoning` shows what the model thinks instead of one line that says that it did."""

    def __init__(self, output: Output, *, reasoning: bool = False) -> None:
        self._out = output.out
        self._colour = output.out.isatty()
        self._show = reasoning
        self._kinds: dict[str, str] = {}
        self._waiting = ""
        self._written = 0.0
        self._began: dict[str, float] = {}
        self._column = 0
        self.thoughts: list[str] = []

    def tell(self, event: Event) -> None:
        """Take an event."""
        match event:
            case Opened(id=identifier, part=part):
                self._opened(identifier, part)
            case Grew(id=identifier, text=text):
                self._grew(identifier, text)
            case Changed(part=Tool() as part):
                if part.state != "running":
                    self._line(card(part), STYLES.get(part.state, ""))
            case Closed(id=identifier, part=part):
                self._closed(identifier, part)
            case Finished():
                self._flush()
                self._fresh()

    def _opened(self, identifier: str, part: Any) -> None:
        self._kinds[identifier] = part.kind
        self._began[identifier] = monotonic()
        if isinstance(part, Tool):
            self._line(f"{MARKS['running']} {part.name}", "dim")
        elif isinstance(part, Progress):
            share = f"{part.done}/{part.total}" if part.total else str(part.done)
            self._line(f"  {part.label} {share}", "dim")
        elif isinstance(part, Reasoning) and self._show:
            self._fresh()

    def _grew(self, identifier: str, text: str) -> None:
        kind = self._kinds.get(identifier)
        if kind == "text":
            self._waiting += text
            if monotonic() - self._written >= EVERY:
                self._flush()
        elif kind == "reasoning" and self._show:
            self._write(text, "dim")

    def _closed(self, identifier: str, part: Any) -> None:
        if isinstance(part, Text):
            self._flush()
            self._fresh()
        elif isinstance(part, Reasoning) and part.text:
            self.thoughts.append(part.text)
            if self._show:
                self._fresh()
            else:
                seconds = monotonic() - self._began.get(identifier, monotonic())
                words = len(part.text.split())
                self._line(
                    f"▹ thought for {seconds:.0f} s ({words} word{'' if words == 1 else 's'}; /reasoning shows it)",
                    "dim",
                )

    def _flush(self) -> None:
        if self._waiting:
            self._write(self._waiting, "")
            self._waiting, self._written = "", monotonic()

    def _line(self, text: str, style: str) -> None:
        self._flush()
        self._fresh()
        self._write(text + "\n", style)

    def _fresh(self) -> None:
        """Begin a new line unless the cursor is at the beginning of one."""
        if self._column:
            self._write("\n", "")

    def _write(self, text: str, style: str) -> None:
        shown = printable(text)
        self._out.write(f"{_CODES.get(style, '')}{shown}\x1b[0m" if self._colour and style in _CODES else shown)
        self._out.flush()
        self._column = len(shown.rpartition("\n")[2]) if "\n" in shown else self._column + len(shown)


_CODES = {"dim": "\x1b[2m", "green": "\x1b[32m", "red": "\x1b[31m", "yellow": "\x1b[33m"}


def card(part: Tool) -> str:
    """Return a call in one line: how it stands, what it is, how long it took, what came of it."""
    seconds = f" {part.seconds:.1f} s" if part.seconds is not None else ""
    summary = f": {part.summary}" if part.summary else ""
    return printable(f"{MARKS[part.state]} {part.name}({arguments(part.args)}){seconds}{summary}")


def arguments(args: Mapping[str, Any]) -> str:
    """Return arguments in few characters."""
    told = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False, default=str)}" for name, value in args.items())
    return told if len(told) <= WIDTH else told[: WIDTH - 1] + "…"
