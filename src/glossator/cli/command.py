"""What a command is: options, and a function from a call to an answer. Printing happens elsewhere, once."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from glossator.cli.page import Element
from glossator.cli.parser import COMMON, Parser
from glossator.config import Settings

if TYPE_CHECKING:
    from glossator.cli.output import Output
    from glossator.library.library import Library

Json = dict[str, Any]


class Result(Protocol):
    """What the library answers: a value with the shape that every surface prints."""

    def to_json(self) -> Json:
        """Return the JSON of the contract."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found, how a person is shown it, and the exit code."""

    result: Result
    view: Callable[[Any], Iterable[Element]]
    code: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a command: its arguments, the settings in force, and where it may show progress."""

    arguments: Namespace
    settings: Settings
    output: "Output"

    @contextmanager
    def library(self, *, create: bool = False) -> "Iterator[Library]":
        """Open the library that the settings name; only what brings documents in makes one.

        Raises: as `Library.open`.
        """
        from glossator.library.library import Library

        if self.settings.untrusted:
            self.output.note(f"warning: {self.settings.untrusted}")
        embedder = getattr(self.arguments, "embedder", None) or self.settings.embedder
        with Library.open(self.settings.library, create=create, embedder=embedder) as library:
            yield library


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as people and scripts see it.

    `run` returns an answer, or an exit code when it has printed all there is. `free_text`: its argument is any text,
    dashes and all.
    """

    name: str
    summary: str
    run: Callable[[Call], Answer | int]
    options: Callable[[Parser], object] = field(default=lambda _: None)
    free_text: bool = False

    def parser(self) -> Parser:
        """Return the parser of this command, its own options before those of every command."""
        parser = Parser(prog=f"glossator {self.name}", description=self.summary)
        self.options(parser)
        parser.add(*COMMON)
        words = " ".join(f"{p.metavar}{'...' if p.nargs else ''}" for p in parser.positionals)
        parser.usage = f"glossator {self.name} [options] {words}".rstrip()
        return parser
