"""The pages of a paged document and the lines on each: what a client needs to lead positions to a page and back."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from glossator.document.model import BREAK, Block, Line, Page, PageAnchor, body
from glossator.errors import NotFound

if TYPE_CHECKING:
    from glossator.library.reader import Opened
    from glossator.library.scoping import Scoped

BEFORE, AFTER = 1, 2  # pages around one that may hold the rest of its text: notes stand after what calls them
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PageList:
    """The pages of a document; `end` is the first position that is not shown."""

    pages: tuple[Page, ...]
    end: int
    capped: bool

    def to_json(self) -> Json:
        """Return the JSON of `pages`.

        `width` and `height` are points of the page as it is in the file, before its `rotation` (degrees, clockwise).
        What a bound hides has no start and no label, what it cuts no end.
        """
        return {"pages": [self._entry(page) for page in self.pages]}

    def _entry(self, page: Page) -> Json:
        hidden = self.capped and page.start >= self.end
        cut = self.capped and page.end > self.end
        return {
            "number": page.number,
            "label": None if hidden else page.label,
            "start": None if hidden else page.start,
            "end": None if hidden or cut else page.end,
            "width": page.width,
            "height": page.height,
            "rotation": page.rotation,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """A line with its characters `[start, end)` of the canonical text, and where it stands on its page.

    `text` is these characters and what joins them to the next line of the page (a space, a newline, a break).
    """

    start: int
    end: int
    text: str
    line: Line

    def to_json(self) -> Json:
        """Return the entry of `lines`: `box` and `edges` are those of `Line`, in points of the unrotated page."""
        return {
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "box": [round(v, 2) for v in self.line.box],
            "axis": self.line.axis,
            "edges": [round(v, 2) for v in self.line.edges[: self.end - self.start + 1]],
        }


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of a page, in the order of the canonical text."""

    page: int
    lines: tuple[PageLine, ...]

    def to_json(self) -> Json:
        """Return the JSON of `lines`."""
        return {"page": self.page, "lines": [line.to_json() for line in self.lines]}


def pages_of(shown: "Scoped") -> PageList:
    """Return the pages of a document; none of one without pages."""
    opened = shown.reader.open(shown.only.key)
    return PageList(opened.pages, opened.end, opened.capped)


def lines_of(shown: "Scoped", number: int) -> PageLines:
    """Return the lines of a page, from 1, as far as they may be shown.

    Raises:
        NotFound: there are no pages, no such page, or it begins past the bound.
    """
    key = shown.only.key
    with shown.reader.database.read():
        opened = shown.reader.open(key)
        if opened.pages and number > len(opened.pages):
            raise NotFound(
                f"“{shown.only.title}” has no page {number}", hint=f"it has {len(opened.pages)} pages, from 1"
            )
        page = shown.reader.page(key, number)
        start, end = _window(opened, page)
        blocks = shown.reader.body(key, start, end)
    return PageLines(page.number, tuple(_joined(list(_on_page(blocks, number, opened.end)))))


def _window(opened: "Opened", page: Page) -> tuple[int, int]:
    """Return the positions among which all text of a page stands."""
    near = [p for p in opened.pages if -BEFORE <= p.number - page.number <= AFTER]
    return min(p.start for p in near), max(p.end for p in near)


def _on_page(blocks: list[Block], number: int, limit: int) -> Iterator[PageLine]:
    for start, _, block in body(tuple(blocks)):
        if not isinstance(block.anchor, PageAnchor):
            continue
        here = [line for line in block.anchor.lines if line.page == number and start + line.start < limit]
        here.sort(key=lambda line: line.start)  # cells of a table stand column by column
        for line, following in zip_longest(here, here[1:]):
            end = min(start + line.end, limit)
            text = block.text[line.start : end - start if following is None else following.start]
            yield PageLine(start=start + line.start, end=end, text=text, line=line)


def _joined(found: list[PageLine]) -> Iterator[PageLine]:
    """Give the last line of a block the break that joins it to the block that follows on its page."""
    for line, following in zip_longest(found, found[1:]):
        apart = following is not None and following.start == line.start + len(line.text) + len(BREAK)
        yield replace(line, text=line.text + BREAK) if apart else line
