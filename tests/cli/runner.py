"""Running the command line in this process, as a script sees it: exit code, stdout, stderr."""

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from glossator.cli import main


class Stream(io.TextIOWrapper):
    """A standard stream that keeps its bytes, on a terminal or not."""

    def __init__(self, terminal: bool = False) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding="ascii", write_through=True)  # as in a C locale
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*words: object, terminal: bool = False, stdin: str = "") -> Run:
    """Run a command line as it stands, naming no library."""
    out, err = Stream(terminal), Stream(terminal)
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    with patch.multiple(sys, stdout=out, stderr=err, stdin=given):
        code = main(list(map(str, words)))
    return Run(code, out.bytes.getvalue().decode(), err.bytes.getvalue().decode())


@dataclass(frozen=True, slots=True)
class Shell:
    """A shell in which GLOSSATOR_LIBRARY names `library`."""

    library: Path

    def __call__(self, *words: object, terminal: bool = False, stdin: str = "") -> Run:
        return run("--library", str(self.library), *words, terminal=terminal, stdin=stdin)

    def json(self, *words: object, code: int = 0, stdin: str = "") -> Any:
        """Return the JSON of a command that ends with `code`."""
        run = self(*words, "--json", stdin=stdin)
        assert run.code == code, (run.out, run.err)
        return run.json
