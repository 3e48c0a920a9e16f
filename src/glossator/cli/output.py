"""Where answers, errors and progress go: stdout is the answer and nothing else, all other things go to stderr."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from glossator.cli import plain
from glossator.cli.page import Element, printable

if TYPE_CHECKING:
    from glossator.cli.progress import Progress


@dataclass(frozen=True, slots=True)
class Output:
    """The two streams, and whether the answer is asked for as JSON."""

    as_json: bool
    out: TextIO
    err: TextIO

    @property
    def interactive(self) -> bool:
        """Return True when a person watches stderr, so that progress may be drawn there."""
        return self.err.isatty() and os.environ.get("TERM") != "dumb"

    def json(self, value: Any) -> None:
        """Print one JSON document on a line of its own.

        A lone surrogate (an undecodable byte of a path) leaves as its escape, which is the same string in JSON.
        """
        self.out.write(json.dumps(value, ensure_ascii=False) + "\n")
        self.out.flush()

    def page(self, page: Iterable[Element]) -> None:
        """Show a page: drawn on a terminal, plain text elsewhere."""
        if self.out.isatty():
            from rich.console import Console

            from glossator.cli import terminal

            terminal.render(page, Console(file=self.out))
        else:
            self.out.writelines(plain.render(page))
        self.out.flush()

    def note(self, text: str) -> None:
        """Tell on stderr what is going on."""
        self.err.write(text + "\n")
        self.err.flush()

    def complaint(self, message: str, hint: str) -> None:
        """Print an error for a person: what happened, and what to do next."""
        lines = [f"error: {message}", f"hint: {hint}"] if hint else [f"error: {message}"]
        if self.err.isatty():
            from rich.console import Console
            from rich.text import Text

            console = Console(file=self.err)
            for line, style in zip(lines, ("bold red", "dim"), strict=False):
                name, _, rest = printable(line).partition(":")
                console.print(Text.assemble((name + ":", style), rest), highlight=False, soft_wrap=True)
        else:
            self.err.write("\n".join(lines) + "\n")
        self.err.flush()

    @contextmanager
    def progress(self) -> "Iterator[Progress | None]":
        """Draw progress on stderr while inside, or give None where no person watches."""
        if not self.interactive:
            yield None
            return
        from glossator.cli.progress import Progress

        with Progress(self.err) as progress:
            yield progress


def standard_streams() -> tuple[TextIO, TextIO]:
    """Return stdout and stderr, speaking UTF-8 whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    return sys.stdout, sys.stderr


def abandon_stdout() -> None:
    """Send what is still buffered nowhere: the reader of our output has gone, and Python flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
