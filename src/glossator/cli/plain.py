"""Pages as plain text, for pipes and files: no colour, no boxes, nothing cut, columns by display width."""

import unicodedata
from collections.abc import Iterable, Iterator

from glossator.cli.page import Element, Line, Table, Text

GAP = "  "


def render(page: Iterable[Element]) -> Iterator[str]:
    """Yield the page's lines, each with its line break."""
    for element in page:
        if isinstance(element, Text):
            yield element.text + "\n"
        elif isinstance(element, Line):
            yield (" " * element.indent + "".join(text for text, _ in element.spans)).rstrip() + "\n"
        else:
            yield from _table(element)


def width(text: str) -> int:
    """Return how many columns a terminal gives the text: two for wide East Asian characters, none for marks."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _table(table: Table) -> Iterator[str]:
    rows = [[column.title for column in table.columns]]
    rows += [[text.replace("\n", " ") for text, _ in row] for row in table.rows]
    widths = [max(width(row[i]) for row in rows) for i in range(len(table.columns))]
    for row in rows:
        padded = [
            pad + text if column.right else text + pad
            for text, column, room in zip(row, table.columns, widths, strict=True)
            for pad in [" " * (room - width(text))]
        ]
        yield GAP.join(padded).rstrip() + "\n"
