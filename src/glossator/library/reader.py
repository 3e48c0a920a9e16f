"""Documents as far as a scope shows them: the only thing a tool may hold.

Everything that leaves a `Reader` is clipped to the caps of its scope: texts, blocks, tables, contents, the words around
a citation, search hits, candidates near a quotation. How long a document is (characters, pages, number of sections) is
no secret. Each method sees one snapshot of the library; where a capped document was replaced since its cap was
resolved, the method refuses, because the cap would cut the new text at an arbitrary place.

Of the contents, an entry that begins past the cap keeps number and level. One that the cap cuts keeps its start and
page, its title once the text under its heading has begun, and has no end.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import apsw

from glossator.document.model import CELL, Block, Page, Section, innermost
from glossator.errors import ModelError, NotFound, StoreError
from glossator.library.results import BlockView, ContentsEntry, DocumentRef
from glossator.store import documents as stored
from glossator.store.database import Database
from glossator.store.documents import StoredDocument
from glossator.store.scope import Scope

if TYPE_CHECKING:
    from glossator.document.locator import Locator
    from glossator.embed import Embedder
    from glossator.index.snapshot import Indexes
    from glossator.search.hybrid import Found, Mode
    from glossator.search.query import Query

AROUND = 32  # characters of prefix and suffix in a locator
TOGETHER = 4_000  # characters between spans up to which they are read at once
HEADING_REACH = 2_000  # characters in which the headings at the start of a section end


@dataclass(frozen=True, slots=True)
class Means:
    """What searching needs besides the library file; both are brought when first asked for.

    Without an embedder everything goes by words alone.
    """

    indexes: Callable[[], "Indexes"]
    embedder: Callable[[str], "Embedder"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A document with what is needed to address it; `end` is the first position that is not shown."""

    document: StoredDocument
    end: int
    sections: tuple[Section, ...]  # as they may be shown
    pages: tuple[Page, ...]

    @property
    def capped(self) -> bool:
        """Return whether something of the document is hidden."""
        return self.end < self.document.characters

    @property
    def ref(self) -> DocumentRef:
        """Return the short form."""
        return ref_of(self.document)


def ref_of(document: StoredDocument) -> DocumentRef:
    """Return how a document is named beside a passage."""
    return DocumentRef(document.id, document.title, document.sources[0] if document.sources else None)


class Reader:
    """What may be seen of a library under one scope."""

    def __init__(
        self, database: Database, scope: Scope, *, means: Means, versions: Mapping[int, str] | None = None
    ) -> None:
        """Clip to `scope`; `versions` are the text versions that its caps were resolved for."""
        self.database = database
        self.scope = scope
        self.means = means
        self._versions = versions or {}

    def documents(self) -> list[StoredDocument]:
        """Return the documents in scope, closed ones included."""
        with self.database.read() as c:
            if self.scope.documents is None:
                return stored.list_documents(c)
            return [stored.get_document(c, key) for key in self.scope.documents]

    def open(self, key: int) -> Opened:
        """Return a document of the scope with its sections and pages.

        Raises:
            NotFound: it is gone, or not in the scope.
            StoreError: it was replaced since the cap was resolved.
        """
        return self.open_all([key])[key]

    def open_all(self, keys: Collection[int]) -> dict[int, Opened]:
        """Return documents of the scope by key, each as `open` does.

        Raises: as `open`, for the first of them.
        """
        with self.database.read() as c:
            found = stored.get_documents(c, keys)
            return {key: self._opened(c, key, found.get(key)) for key in keys}

    def _opened(self, c: apsw.Connection, key: int, found: StoredDocument | None) -> Opened:
        document, end = self._document(c, key, found)
        sections = stored.sections(c, key) if document.section_count else ()
        if end < document.characters:
            sections = tuple(self._masked(c, key, s, end) for s in sections if s.start < end)
        pages = stored.pages(c, key) if document.page_count else ()
        return Opened(document=document, end=end, sections=sections, pages=pages)

    def contents(self, key: int) -> tuple[ContentsEntry, ...]:
        """Return the contents: all entries, with what may be known of each."""
        with self.database.read() as c:
            opened = self.open(key)
            shown = {s.number: s for s in opened.sections}
            return tuple(_entry(s, shown.get(s.number), opened) for s in stored.sections(c, key))

    def text(self, key: int, start: int = 0, end: int | None = None) -> str:
        """Return the canonical text `[start, end)` as far as it may be shown."""
        with self.database.read() as c:
            _, limit = self._document(c, key)
            end = limit if end is None else min(end, limit)
            return stored.text_slice(c, key, start, end) if start < end else ""

    def blocks(self, key: int, start: int, end: int) -> list[BlockView]:
        """Return the blocks that overlap `[start, end)`, cut at the cap, each with its locator."""
        with self.database.read() as c:
            opened = self.open(key)
            found = stored.blocks_between(c, key, start, min(end, opened.end)) if start < opened.end else []
            return [self._view(opened, b) for b in _clipped(found, opened.end)]

    def page_blocks(self, key: int, page: Page) -> list[BlockView]:
        """Return the blocks of a page; running heads and feet only of a page that ends by the cap."""
        with self.database.read() as c:
            opened = self.open(key)
            body = self.blocks(key, page.start, page.end) if page.start < page.end else []
            running = stored.running_blocks(c, key) if page.end <= opened.end else []
            return body + [self._view(opened, b) for b in running if b.page == page.number]

    def all_blocks(self, key: int) -> list[BlockView]:
        """Return all blocks in reading order; running ones stand before what begins their page."""
        with self.database.read() as c:
            opened = self.open(key)
            shown = {p.number: p.start for p in opened.pages if p.end <= opened.end}
            placed = [(shown[b.page], b) for b in stored.running_blocks(c, key) if b.page in shown]
            running = [(start, 0, self._view(opened, b)) for start, b in placed]
            body = [(b.start or 0, 1, b) for b in self.blocks(key, 0, opened.end)]
            return [b for _, _, b in sorted(running + body, key=lambda x: x[:2])]

    def around(self, key: int, position: int, context: int) -> list[BlockView]:
        """Return the block at a position with `context` neighbours on each side.

        Raises:
            NotFound: the position is not in the document, or past the cap.
        """
        with self.database.read() as c:
            opened = self.open(key)
            if not 0 <= position < max(1, opened.document.characters):
                raise NotFound(
                    f"position {position} is outside “{opened.document.title}”",
                    hint=f"positions run from 0 to {opened.document.characters - 1}",
                )
            _refuse_hidden(opened, position, f"position {position}")
            found = _neighbours(c, opened.document, position, context)
            return [self._view(opened, b) for b in _clipped(found, opened.end)]

    def section(self, key: int, number: int) -> tuple[int, int]:
        """Return the span of a section with its subsections, cut at the cap.

        Raises:
            NotFound: there is no such section, or it begins past the cap.
        """
        with self.database.read() as c:
            opened = self.open(key)
            all_sections = stored.sections(c, key)
            found = next((s for s in all_sections if s.number == number), None)
            if found is None:
                raise NotFound(
                    f"“{opened.document.title}” has no section {number}",
                    hint=f"it has {len(all_sections)}; `glossator show` lists them",
                )
            _refuse_hidden(opened, found.start, f"section {number}")
            return found.start, min(found.end, opened.end)

    def page(self, key: int, number: int | None = None, label: str | None = None) -> Page:
        """Return a page by physical number or printed label; its span may reach past the cap, its start does not.

        Raises:
            NotFound: there are no pages, no such page, or it begins past the cap.
        """
        opened = self.open(key)
        name = f"page {number}" if label is None else f"page “{label}”"
        found = next((p for p in opened.pages if (p.number == number if label is None else p.label == label)), None)
        if found is None:
            pages = f"it has {len(opened.pages)} pages" if opened.pages else "it has no pages; use --section or --at"
            raise NotFound(f"“{opened.document.title}” has no {name}", hint=pages)
        _refuse_hidden(opened, found.start, name)
        return found

    def page_text(self, key: int, number: int) -> str:
        """Return what was read on a page, running heads and feet included, as far as it may be shown.

        Raises:
            NotFound: as `page`.
        """
        with self.database.read() as c:
            opened = self.open(key)
            page = self.page(key, number)
            texts = [self.text(key, page.start, page.end)]
            if page.end <= opened.end:
                texts += [b.text for b in stored.running_blocks(c, key) if b.page == number]
            return "\n".join(t for t in texts if t)

    def body(self, key: int, start: int, end: int) -> list[Block]:
        """Return the blocks that overlap `[start, end)`, cut at the cap, without locators."""
        with self.database.read() as c:
            _, limit = self._document(c, key)
            return _clipped(stored.blocks_between(c, key, start, min(end, limit)), limit) if start < limit else []

    def language(self, key: int) -> str | None:
        """Return the language of a document."""
        with self.database.read() as c:
            return self._document(c, key)[0].language

    def model(self, key: int) -> str | None:
        """Return the spec of the embedder of a document that has vectors and may be asked, else None."""
        if self.means.embedder is None:
            return None
        with self.database.read() as c:
            document, _ = self._document(c, key)
            return document.embedder if document.vectors == "ready" else None

    def embedder(self, spec: str) -> "Embedder":
        """Return a loaded embedder.

        Raises:
            ModelError: it cannot be used here, or none was to be used.
        """
        if self.means.embedder is None:
            raise ModelError("embedders are switched off here", hint="search without `--embedder none`")
        return self.means.embedder(spec)

    def narrowed(self, key: int) -> "Reader":
        """Return a reader of one document of the scope, under the same cap."""
        caps = {key: self.scope.caps[key]} if key in self.scope.caps else {}
        scope = Scope(documents=(key,), caps=caps)
        return Reader(self.database, scope, means=self.means, versions=self._versions)

    def locator(self, opened: Opened, start: int, end: int) -> "Locator":
        """Return the locator of a span; the words around it stop at the cap."""
        with self.database.read() as c:
            end = min(end, opened.end)
            around = max(0, start - AROUND), min(end + AROUND, opened.end)
            blocks, window = stored.blocks_and_text(c, opened.document.key, (start, end), around)
            return _locator(opened, (start, end), _clipped(blocks, opened.end), (window, around[0]))

    def locators(self, opened: Opened, spans: Sequence[tuple[int, int]]) -> "list[Locator]":
        """Return the locators of many spans of a document, in their order; what lies close together is read at once."""
        found: dict[int, Locator] = {}
        with self.database.read() as c:
            for group in _groups(spans):
                first = max(0, spans[group[0]][0] - AROUND)
                last = max(min(spans[i][1], opened.end) for i in group)
                around = first, min(last + AROUND, opened.end)
                blocks, window = stored.blocks_and_text(c, opened.document.key, (first, last), around)
                blocks = _clipped(blocks, opened.end)
                starts = [b.start or 0 for b in blocks]
                for i in group:
                    start, end = spans[i][0], min(spans[i][1], opened.end)
                    here = _overlapping(blocks, starts, start, end)
                    found[i] = _locator(opened, (start, end), here, (window, first))
        return [found[i] for i in range(len(spans))]

    def excerpt(self, opened: Opened, start: int, end: int) -> tuple[str, "Locator"]:
        """Return the text of a span as far as it may be shown, with its locator."""
        locator = self.locator(opened, start, min(end, opened.end))
        return locator.quote.exact if locator.quote else "", locator

    def waiting(self) -> tuple[int, int]:
        """Return how many documents of the scope wait for vectors, and how many there are."""
        with self.database.read() as c:
            return stored.count_pending(c, self.scope.documents)

    def search(self, query: "str | Query", *, k: int = 10, mode: "Mode" = "hybrid") -> "Found":
        """Return the best passages for a query, clipped like everything else.

        Raises:
            ModelError: mode is "vector" and no embedder in scope can be used.
        """
        from glossator.search.hybrid import search

        if self.means.embedder is None and mode == "hybrid":
            mode = "lexical"
        with self.database.read() as c:
            return search(
                c, self.means.indexes(), query, scope=self.scope, k=k, mode=mode, embedder=self.means.embedder
            )

    def _document(
        self, c: apsw.Connection, key: int, found: StoredDocument | None = None
    ) -> tuple[StoredDocument, int]:
        """Return a document of the scope, and the first position that is not shown."""
        if self.scope.documents is not None and key not in self.scope.documents:
            raise NotFound("that document is not in the scope", hint="name it, or widen the scope")
        document = found or stored.get_document(c, key)
        if key in self.scope.caps and self._versions.get(key, document.text_version) != document.text_version:
            raise StoreError(f"“{document.title}” was just replaced by a new version", hint="try again")
        return document, min(self.scope.caps.get(key, document.characters), document.characters)

    def _masked(self, c: apsw.Connection, key: int, section: Section, end: int) -> Section:
        """Hide the title of a section that the cap cuts before the text under its heading began."""
        if section.end <= end:
            return section
        near = stored.blocks_between(c, key, section.start, min(end, section.start + HEADING_REACH))
        begun = any(
            b.kind not in ("heading", "image") and b.text.strip() and (b.start or 0) >= section.start for b in near
        )
        return section if begun or end - section.start > HEADING_REACH else replace(section, title="", path=())

    @staticmethod
    def _view(opened: Opened, block: Block) -> BlockView:
        locator = None
        if block.start is not None and block.end is not None:
            locator = _locator(opened, (block.start, block.end), [block], None)
        return BlockView(
            kind=block.kind,
            level=block.level,
            start=block.start,
            end=block.end,
            text=block.text,
            locator=locator,
            rows=block.rows,
        )


def _locator(
    opened: Opened, span: tuple[int, int], blocks: Sequence[Block], window: tuple[str, int] | None
) -> "Locator":
    """Return a locator; `window` is the text around the span and where it starts, None for one without a quote."""
    from glossator.document.locator import build_locator

    document = opened.document
    return build_locator(
        document=document.id,
        text_version=document.text_version,
        start=span[0],
        end=span[1],
        window=window[0] if window else "",
        window_start=window[1] if window else span[0],
        blocks=blocks,
        section=innermost(opened.sections, span[0]),
        pages=pages_over(opened.pages, *span),
        with_quote=window is not None,
        cfi=document.format == "epub",
    )


def pages_over(pages: Sequence[Page], start: int, end: int) -> Sequence[Page]:
    """Return the pages that hold a part of `[start, end)`."""
    first = max(0, bisect_right([p.start for p in pages], start) - 1)
    last = first
    while last < len(pages) and (pages[last].start < end or last == first):
        last += 1
    return [p for p in pages[first:last] if p.end > start or p.start == start]


def _neighbours(c: apsw.Connection, document: StoredDocument, position: int, context: int) -> list[Block]:
    """Return the block at a position (between two blocks: the earlier one) with its neighbours."""
    reach = 1_000 * (context + 1)
    while True:
        start, end = max(0, position - reach), min(document.characters, position + reach)
        blocks = stored.blocks_between(c, document.key, start, end)
        at = bisect_right([b.start or 0 for b in blocks], position) - 1
        enough = at >= context and len(blocks) > at + context
        if enough or (start == 0 and end == document.characters):
            return blocks[max(0, at - context) : max(0, at) + context + 1]
        reach *= 2


def _groups(spans: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Yield the indices of spans that lie close together, by position."""
    group: list[int] = []
    reach = 0
    for i in sorted(range(len(spans)), key=lambda i: spans[i]):
        if group and spans[i][0] > reach + TOGETHER:
            yield group
            group, reach = [], 0
        group.append(i)
        reach = max(reach, spans[i][1])
    if group:
        yield group


def _overlapping(blocks: Sequence[Block], starts: Sequence[int], start: int, end: int) -> Sequence[Block]:
    """Return the blocks that overlap a span, of blocks in reading order with these starts."""
    first = max(0, bisect_right(starts, start) - 1)
    last = bisect_left(starts, max(end, start + 1))
    return [b for b in blocks[first:last] if (b.end or 0) > start or (b.start or 0) >= start]


def _clipped(blocks: Sequence[Block], end: int) -> list[Block]:
    """Return the blocks up to `end`; the one that it cuts is cut, its rows, too."""
    return [b if b.end is None or b.end <= end else _cut(b, end) for b in blocks if b.start is None or b.start < end]


def _cut(block: Block, end: int) -> Block:
    text = block.text[: end - (block.start or 0)]
    rows = None if block.rows is None else tuple(tuple(line.split(CELL)) for line in text.split("\n"))
    return replace(block, text=text, end=end, rows=rows)


def _entry(section: Section, shown: Section | None, opened: Opened) -> ContentsEntry:
    if shown is None:
        return ContentsEntry(number=section.number, level=section.level, title=None, start=None, end=None, page=None)
    page = next(iter(pages_over(opened.pages, section.start, section.start + 1)), None)
    return ContentsEntry(
        number=section.number,
        level=section.level,
        title=shown.title or None,
        start=section.start,
        end=section.end if section.end <= opened.end else None,
        page=None if page is None else page.number,
    )


def _refuse_hidden(opened: Opened, position: int, what: str) -> None:
    if opened.capped and position >= opened.end:
        raise NotFound(
            f"{what} of “{opened.document.title}” comes after what was read", hint="--uncapped shows it all the same"
        )
