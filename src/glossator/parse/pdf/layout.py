"""All pages of a document to blocks in reading order.

The method: characters, pieces, running heads off, wide tables apart, columns, lines, paragraphs, joins over columns and
pages. It does not need the order of the file's stream, no model and no rendering.

Known limits: a table beside a column may take its lines as cells; footnotes in body size are taken for paragraphs;
headings in small capitals of body size, sidebars and boxes are glued to the text; formulas and code are paragraphs.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from glossator.document.model import Block, BlockKind, PageAnchor
from glossator.parse.pdf.anchors import Composer, compose_lines, compose_table, words_of
from glossator.parse.pdf.characters import Character, Frame
from glossator.parse.pdf.columns import regions_of
from glossator.parse.pdf.joins import join_drafts
from glossator.parse.pdf.naming import heading_levels, kind_of
from glossator.parse.pdf.paragraphs import LARGE, Draft, region_drafts
from glossator.parse.pdf.pieces import Piece, join_neighbours, rows_of, sideways_pieces, split_pieces
from glossator.parse.pdf.running import running_pieces
from glossator.parse.pdf.tables import cell_text, set_tables_apart

DEFAULT_SIZE = 10.0
STAMP_MARGIN = 0.08  # of the page's width, on either side: text that runs up or down there is no text of the page
SHORTEST_TITLE = 4  # characters
NO_TITLES = frozenset(("contents", "table of contents", "inhaltsverzeichnis", "sommaire", "目录", "目錄", "目次"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePieces:
    """The runs of one page that are laid out; those written in another direction; those that are set aside."""

    pieces: list[Piece]
    sideways: list[Piece]
    aside: list[Piece]
    frame: Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A document's blocks in reading order, running ones where they were met.

    `running` are the running pieces of each page; `title` is the largest text of the first page, if it is larger than
    the body; `filled` are the pages (from 0) that have text besides running text.
    """

    blocks: list[Block]
    running: list[list[Piece]]
    title: str | None
    filled: frozenset[int]


def no_pieces() -> PagePieces:
    """Return the pieces of a page that could not be read."""
    return PagePieces(pieces=[], sideways=[], aside=[], frame=Frame(0, 0, 0, 0))


def page_pieces(characters: Sequence[Character], frame: Frame, page: int) -> PagePieces:
    """Return the pieces of a page, numbered from 0.

    Set aside are stamps on the side margins and what stands off the page.
    """
    pieces = split_pieces(characters, page, frame.turn)
    sideways = sideways_pieces(characters, page, frame.turn)
    aside = [p for p in pieces if not is_on_page(p, frame)] + [p for p in sideways if _is_stamp(p, frame)]
    if not aside:
        return PagePieces(pieces=pieces, sideways=sideways, aside=[], frame=frame)
    out = set(aside)
    return PagePieces(
        pieces=[p for p in pieces if p not in out],
        sideways=[p for p in sideways if p not in out],
        aside=aside,
        frame=frame,
    )


def all_aside(page: PagePieces) -> PagePieces:
    """Return a page with nothing to be laid out: its text is kept, outside the document's text."""
    lines = [p for row in rows_of(join_neighbours(page.pieces)) for p in row]
    return PagePieces(pieces=[], sideways=[], aside=lines + page.sideways + page.aside, frame=page.frame)


def is_on_page(p: Piece, frame: Frame) -> bool:
    """Return whether the middle of a piece stands on the page."""
    return 0 <= (p.x0 + p.x1) / 2 <= frame.width and 0 <= p.middle <= frame.height


def lay_out_pages(pages: Sequence[PagePieces]) -> Layout:
    """Return the layout of a document's pages."""
    frames = [p.frame for p in pages]
    running = running_pieces([(p.pieces, p.frame.height) for p in pages])
    kept = [[p for p in page.pieces if p not in running] for page in pages]
    aside = [[p for p in page.pieces if p in running] + page.aside for page in pages]
    body = _body_size(kept)
    drafts: list[Draft] = []
    for number, (page, pieces) in enumerate(zip(pages, kept, strict=True)):
        drafts += _page_drafts(pieces, body, number)
        drafts += [Draft(kind="small", page=number, lines=(p,)) for p in page.sideways]
    vocabulary = words_of(line for draft in drafts for line in draft.lines)
    drafts = join_drafts(drafts, body)
    blocks = _blocks(drafts, frames, vocabulary)
    return Layout(
        blocks=_with_running(blocks, aside, frames),
        running=aside,
        title=_title(drafts, blocks, body),
        filled=frozenset(n for n, pieces in enumerate(kept) if pieces or pages[n].sideways),
    )


def _is_stamp(p: Piece, frame: Frame) -> bool:
    return not is_on_page(p, frame) or p.x1 < STAMP_MARGIN * frame.width or p.x0 > (1 - STAMP_MARGIN) * frame.width


def _page_drafts(pieces: Sequence[Piece], body: float, number: int) -> list[Draft]:
    """Return the blocks of a page in reading order, its notes last."""
    apart = set_tables_apart(join_neighbours(pieces), body)
    drafts = [d for region in regions_of(apart, body) for d in region_drafts(region, body, number)]
    return [d for d in drafts if d.kind != "note"] + [d for d in drafts if d.kind == "note"]


def _body_size(pages: Sequence[Sequence[Piece]]) -> float:
    """Return the size that most characters have."""
    sizes: Counter[float] = Counter()
    for p in (p for pieces in pages for p in pieces):
        sizes[round(p.size, 1)] += len(p.text)
    return sizes.most_common(1)[0][0] if sizes else DEFAULT_SIZE


def _blocks(drafts: Sequence[Draft], frames: Sequence[Frame], vocabulary: set[str]) -> list[Block]:
    levels = heading_levels(drafts)
    blocks = []
    for i, draft in enumerate(drafts):
        if draft.grid is not None:
            rows = tuple(tuple(cell_text(cell) for cell in row) for row in draft.grid)
            blocks.append(_block("table", compose_table(draft.grid, frames), rows=rows))
        else:
            composed = compose_lines(draft.lines, frames, vocabulary)
            blocks.append(_block(kind_of(drafts, i, composed.text), composed, level=levels.get(draft)))
    return blocks


def _with_running(blocks: Sequence[Block], aside: Sequence[Sequence[Piece]], frames: Sequence[Frame]) -> list[Block]:
    """Return the blocks with the running text of each page: what stands in its upper half before, the rest after."""
    by_page: defaultdict[int, list[Block]] = defaultdict(list)
    for block in blocks:
        by_page[_first_page(block)].append(block)
    out: list[Block] = []
    for number, (pieces, frame) in enumerate(zip(aside, frames, strict=True)):
        upper = [p for p in pieces if p.middle >= frame.height / 2]
        lower = [p for p in pieces if p.middle < frame.height / 2]
        out += [_running(p, frames) for p in upper]
        out += by_page[number]
        out += [_running(p, frames) for p in lower]
    return out


def _first_page(block: Block) -> int:
    assert isinstance(block.anchor, PageAnchor)
    return block.anchor.lines[0].page - 1


def _running(piece: Piece, frames: Sequence[Frame]) -> Block:
    return _block("running", compose_lines([piece], frames, ()), page=piece.page + 1)


def _title(drafts: Sequence[Draft], blocks: Sequence[Block], body: float) -> str | None:
    sizes = [
        (max(p.size for p in draft.lines), -i)
        for i, (draft, block) in enumerate(zip(drafts, blocks, strict=True))
        if draft.kind == "heading" and draft.lines[0].page == 0 and _may_be_title(block.text)
    ]
    size, i = max(sizes, default=(0.0, 0))
    return blocks[-i].text if size > body * LARGE else None


def _may_be_title(text: str) -> bool:
    return len(text) >= SHORTEST_TITLE and not text[0].islower() and text.lower() not in NO_TITLES


def _block(
    kind: BlockKind,
    composed: Composer,
    *,
    level: int | None = None,
    rows: tuple[tuple[str, ...], ...] | None = None,
    page: int | None = None,
) -> Block:
    return Block(
        kind=kind,
        text=composed.text,
        start=None,
        end=None,
        level=level,
        rows=rows,
        page=page,
        anchor=composed.anchor,
    )
