"""What a reader returns: a publication, reflowable or paged. Values only.

*Reflowable* publications (EPUB, HTML, DOCX, FB2, Markdown, text) are ordered parts of canonical, sanitised XHTML;
*paged* ones (PDF) are blocks already in reading order with the place of every line. `blocks.document_of` turns either
into a `Document`; readers make no documents, sections or positions themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from glossator.document.model import Block, Color, MarkKind, Metadata, PageStatus, ParseReport

if TYPE_CHECKING:
    from pathlib import Path

PARSER_VERSION = "1"  # raised whenever a parse of unchanged bytes may give another text, block or section

Element = Any  # an lxml element; typed loosely so that this module needs no lxml


def parser_name(format: str) -> str:
    """Return the fingerprint of what was parsed, for `ParseReport.parser`: "epub/1"."""
    return f"{format}/{PARSER_VERSION}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NavPoint:
    """An entry of a reflowable publication's contents, in the order of the contents.

    `spine` is the 0-based index of its part; `fragment` an id in that part, or None for the part's beginning.
    """

    title: str
    level: int  # from 1
    spine: int
    fragment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One ordered part of a reflowable publication.

    `root` is the `html` element of canonical XHTML (`html.canonical`, sanitised). `cfi` is the CFI path of its spine
    item without the indirection: "/6/4" in an EPUB, "/6/2" elsewhere. `chosen`, if not None, are the elements of
    `root` whose content is the text (the main text of a web page); what lies outside them is left out.
    """

    href: str
    root: Element
    cfi: str = "/6/2"
    chosen: tuple[Element, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflowable:
    """A publication as ordered parts of XHTML."""

    format: str
    metadata: Metadata
    parts: tuple[Part, ...]
    navigation: tuple[NavPoint, ...]
    report: ParseReport


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGeometry:
    """A physical page of a paged publication: `Page` without its place in the text, which `document_of` adds."""

    number: int  # from 1
    label: str | None = None  # as printed
    width: float = 0.0  # points
    height: float = 0.0
    rotation: int = 0
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()
    status: PageStatus = "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedNav:
    """An entry of a paged publication's outline: a page from 1 and, where known, a height on it.

    `y` is in PDF points from the bottom of the unrotated page; None means the top of the page.
    """

    title: str
    level: int  # from 1
    page: int
    y: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMark:
    """A highlight or note in the file: what it covers on its page, or for a note where its sign stands.

    `boxes` are x0, y0, x1, y1 in PDF points of the unrotated page.
    """

    name: str
    kind: MarkKind
    page: int  # from 1
    boxes: tuple[tuple[float, float, float, float], ...]
    body: str = ""
    color: Color = "yellow"
    author: str | None = None
    created: str | None = None
    updated: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paged:
    """A publication as pages. `blocks` are in reading order, `start` and `end` None, each with a `PageAnchor`."""

    format: str
    metadata: Metadata
    blocks: Sequence[Block]
    pages: tuple[PageGeometry, ...]
    navigation: tuple[PagedNav, ...]
    report: ParseReport
    marks: tuple[PageMark, ...] = ()


Publication = Reflowable | Paged


class Parser(Protocol):
    """What an entry point of the group `glossator.parsers` names; the entry point's name is the format's name.

    A file whose suffix (lower case, with the dot) stands in `suffixes` is read by it, before the built-in readers.
    """

    suffixes: frozenset[str]

    def read(self, path: "Path") -> Publication:
        """Return the publication in the file, or raise a `SourceError`."""
        ...
