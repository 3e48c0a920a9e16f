"""The document as values: canonical text, blocks, sections, pages.

A position is a 0-based offset, in code points, into the canonical text; every interval is half-open. The canonical
text is the text of all blocks but the running ones, joined by `BREAK`. It holds the source's own code points under one
white-space rule (runs of white space become one space, line breaks inside a block one newline, code keeps its own),
without Unicode normalisation; NUL and lone surrogates are removed.

Identity (ids, paths, hashes) belongs to the store, not to these values.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal[
    "heading",
    "paragraph",
    "list_item",
    "table",
    "code",
    "formula",
    "quotation",
    "caption",
    "footnote",
    "image",
    "running",
]
PageStatus = Literal["ok", "empty", "quarantined"]
Profile = Literal["book", "paper"]
Color = Literal["yellow", "green", "blue", "red", "purple"]
MarkKind = Literal["highlight", "underline", "strikeout", "squiggly", "note"]

BREAK = "\n\n"  # stands between two blocks
CELL = "\t"  # stands between two cells of a row; rows are separated by a newline

_FORBIDDEN = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class TextRun:
    """Canonical characters that stand one after another in one text node chunk of the source's DOM.

    `start` is relative to the block. `steps` are the CFI steps from the block's element to the text chunk ("/1",
    "/2/1"); `offset` counts UTF-16 code units into the raw text of that chunk. The run ends where the next one starts.
    """

    start: int
    steps: str
    offset: int


@dataclass(frozen=True, slots=True)
class DomAnchor:
    """The way from a block to the canonical XHTML it came from.

    `spine` is the 0-based index of the publication's section; `base` is the CFI path of the block's element, spine
    part included: "/6/4!/4/2[ch1]/10" (publications that are no EPUB have the spine part "/6/2").
    """

    spine: int
    base: str
    runs: tuple[TextRun, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a paged block: canonical characters `[start, end)` relative to the block, and where they stand.

    `box` is x0, y0, x1, y1 in PDF points, origin bottom left, of the unrotated page. `edges` has `end - start + 1`
    values along `axis`: the leading edge of each character, then the trailing edge of the last one.
    """

    start: int
    end: int
    page: int  # physical, from 1
    box: tuple[float, float, float, float]
    edges: tuple[float, ...]
    axis: Literal["x", "y"] = "x"


@dataclass(frozen=True, slots=True)
class PageAnchor:
    """The way from a block to the page: its lines, in reading order, over one page or several."""

    lines: tuple[Line, ...]


Anchor = DomAnchor | PageAnchor


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, a heading, a table …: `[start, end)` of the canonical text; both None when `running`."""

    kind: BlockKind
    text: str
    start: int | None
    end: int | None
    level: int | None = None  # of a heading, from 1; of a list item, its depth
    rows: tuple[tuple[str, ...], ...] | None = None  # of a table
    page: int | None = None  # of a running block: where it stood
    anchor: Anchor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """An entry of the contents with its subsections; `end` is where the next entry of its level or above begins."""

    number: int  # from 1, in reading order
    level: int  # from 1
    title: str
    path: tuple[str, ...]  # titles from the top down to this one
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A physical page: what of the canonical text begins on it, and how well it was read."""

    number: int  # from 1
    start: int
    end: int
    label: str | None = None  # as printed
    width: float = 0.0  # points
    height: float = 0.0
    rotation: int = 0
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()
    status: PageStatus = "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What the publication says of itself."""

    title: str
    authors: tuple[str, ...] = ()
    language: str | None = None  # BCP 47
    published: str | None = None
    identifiers: tuple[tuple[str, str], ...] = ()  # (scheme, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseReport:
    """How a parse went. `confidence` runs from 0 to 1; `reasons` say what lowered it, `warnings` what else was odd."""

    parser: str  # name and version; part of the fingerprint of derived data
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A highlight or note that stands in the file itself, on `[start, end)` of the canonical text.

    `name` tells it from the others of the file, and stays when the file is saved again; times are RFC 3339 in UTC.
    """

    name: str
    kind: MarkKind
    start: int
    end: int
    page: int
    body: str = ""
    color: Color = "yellow"
    author: str | None = None
    created: str | None = None
    updated: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole parsed document. `blocks` are in reading order; running blocks stand where they were met."""

    metadata: Metadata
    format: str  # epub, pdf, html, markdown, text, docx, fb2
    text: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    report: ParseReport
    pages: tuple[Page, ...] = ()
    marks: tuple[Mark, ...] = ()
    text_version: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text_version", text_version(self.text))

    @property
    def profile(self) -> Profile:
        """Chunking profile when nobody chose one: paged documents are papers, all others books."""
        return "paper" if self.pages else "book"


def text_version(text: str) -> str:
    """Return the name of a canonical text: equal texts have equal versions, whatever made them."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def lay_out(blocks: list[Block]) -> tuple[str, tuple[Block, ...]]:
    """Join block texts into a canonical text and give every block its `[start, end)`; running blocks get None."""
    parts: list[str] = []
    placed: list[Block] = []
    at = 0
    for block in blocks:
        if block.kind == "running":
            placed.append(_moved(block, None, None))
            continue
        if parts:
            at += len(BREAK)
        parts.append(block.text)
        placed.append(_moved(block, at, at + len(block.text)))
        at += len(block.text)
    return BREAK.join(parts), tuple(placed)


def innermost(sections: tuple[Section, ...], position: int) -> Section | None:
    """Return the deepest section that holds `position`, or None before the first one."""
    i = bisect_right([s.start for s in sections], position) - 1
    while i >= 0:
        if sections[i].start <= position < sections[i].end:
            return sections[i]
        i -= 1
    return None


def body(blocks: tuple[Block, ...]) -> Iterator[tuple[int, int, Block]]:
    """Yield (start, end, block) of the blocks that are in the canonical text."""
    for block in blocks:
        if block.start is not None and block.end is not None:
            yield block.start, block.end, block


def clean(text: str) -> str:
    """Remove what a canonical text may not hold: NUL and lone surrogates."""
    return _FORBIDDEN.sub("", text)


def _moved(block: Block, start: int | None, end: int | None) -> Block:
    return Block(
        kind=block.kind,
        text=block.text,
        start=start,
        end=end,
        level=block.level,
        rows=block.rows,
        page=block.page,
        anchor=block.anchor,
    )
