"""What a terminal or a pipe is given to show: a few elements, free of colours, boxes and widths.

Views make them (pure functions of a command's JSON); `plain` and `terminal` draw them.
"""

import re
from dataclasses import dataclass
from typing import Literal

Style = Literal["plain", "title", "mark", "dim", "good", "warn", "bad", "key"]
Span = tuple[str, Style]

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of styled text, wrapped where the medium wraps; `indent` columns from the left."""

    spans: tuple[Span, ...] = ()
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. A `flexible` one gives way when the terminal is narrow."""

    title: str
    right: bool = False
    flexible: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column titles; every cell is one span."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True)
class Text:
    """Text to pass on exactly as it is: never wrapped, marked or cut."""

    text: str


Element = Line | Table | Text


def line(*parts: str | Span, indent: int = 0) -> Line:
    """Return a line of the parts; a bare string is plain."""
    return Line(tuple((p, "plain") if isinstance(p, str) else p for p in parts), indent)


def cell(value: object, style: Style = "plain") -> Span:
    """Return a table cell; None is shown as an empty one."""
    return ("" if value is None else str(value), style)


def printable(text: str) -> str:
    """Return text without what steers a terminal or turns its lines around: a book or a model may hold it."""
    return _STEERING.sub("", text)
