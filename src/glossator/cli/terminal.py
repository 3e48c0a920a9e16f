"""Pages and progress on a terminal, drawn by rich. Imported only when a terminal is there."""

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text as RichText

from glossator.cli.page import Element, Line, Span, Style, Table, Text, printable

STYLES: dict[Style, str] = {
    "plain": "",
    "title": "bold",
    "mark": "bold yellow",
    "dim": "dim",
    "good": "green",
    "warn": "yellow",
    "bad": "bold red",
    "key": "cyan",
}


def render(page: Iterable[Element], console: Console) -> None:
    """Draw the page."""
    for element in page:
        if isinstance(element, Text):
            console.file.write(printable(element.text) + "\n")  # rich would expand its tabs
        elif isinstance(element, Line):
            console.print(Padding(_text(element), (0, 0, 0, element.indent)), highlight=False)
        else:
            console.print(_table(element))


def _text(line: Line) -> RichText:
    text = RichText(overflow="fold")
    for part in line.spans:
        text.append_text(_span(part))
    return text


def _span(part: Span) -> RichText:
    return RichText(printable(part[0]), STYLES[part[1]])


def _table(table: Table) -> RichTable:
    drawn = RichTable(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, show_edge=False)
    for column in table.columns:
        drawn.add_column(
            column.title,
            justify="right" if column.right else "left",
            no_wrap=not column.flexible,
            overflow="fold" if column.flexible else "ellipsis",
            ratio=1 if column.flexible else None,
        )
    for row in table.rows:
        drawn.add_row(*(_span(part) for part in row))
    return drawn
