"""One walk over the canonical XHTML of a publication: every character of it once, in blocks with the way back.

What is text: everything in `body` but scripts, styles, templates, `noscript`, hidden elements (notes excepted, which
reading systems show in pop-ups), the fallback of audio, video and canvas, and what stands in a page-break element (a
page number, not text). Ruby readings (`rt`) stand after their base as in the source, and as in a browser's selection.
Bare text between block elements is a paragraph. Two line breaks in a row end a paragraph. A picture's alternative text
follows the block that the picture stands in, so that no sentence is cut by it.

Notes: an element marked as a note (`epub:type` or `role` footnote, endnote …) or an item of a list of `footnotes` is
movable, and `blocks` puts it where it is called. What a publication collects in a section of `endnotes` or `rearnotes`
stays there: it has a place in its contents and reading order.

Known limits: style sheets are not read, so what they hide is text and what they show as blocks may be one block; list
numbers and bullets that a browser would make are not in the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from lxml import etree

from glossator.document.cfi import unique_ids
from glossator.document.model import BlockKind, TextRun
from glossator.parse import tables, vocabulary
from glossator.parse.flow import LINE, Piece, keep, plain, squeeze
from glossator.parse.html import SVG, local_name
from glossator.parse.publication import Part

_ESCAPED = re.compile(r"[\^\[\](),;=]")
_BREAKS_PARAGRAPHS = frozenset({"paragraph", "quotation", "footnote", "list_item"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A block before it has a place: `note` numbers the foot- or endnote that it belongs to."""

    kind: BlockKind
    text: str
    spine: int
    base: str
    runs: tuple[TextRun, ...]
    level: int | None = None
    rows: tuple[tuple[str, ...], ...] | None = None
    note: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What the walk found; the walk fills it. Indices count `entries`; one past the last means the end.

    `starts` holds the first entry of each part, `ids` the entry where the text after an element's start begins,
    `calls` the links as (part, href, entry they stand in), `notes` the note that an id leads into.
    """

    entries: list[Entry] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ids: dict[tuple[int, str], int] = field(default_factory=dict)
    calls: list[tuple[int, str, int]] = field(default_factory=list)
    notes: dict[tuple[int, str], int] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=count)


@dataclass(frozen=True, slots=True)
class _Context:
    """What a text at this place is."""

    kind: BlockKind = "paragraph"
    level: int | None = None
    depth: int = 0  # of lists
    note: int | None = None
    in_notes: bool = False  # in a list of footnotes
    collected: bool = False  # in the publication's own section of notes
    active: bool = True  # in what was chosen


@dataclass(slots=True)
class _Flow:
    """The block that is growing: its element's path and the pieces so far."""

    base: str
    context: _Context
    flat: bool = False  # block elements inside are only lines of it: a cell, a listing
    pieces: list[Piece] = field(default_factory=list)
    deferred: list[Entry] = field(default_factory=list)
    math: bool = False
    words: bool = False  # text other than formulas


def read_parts(parts: tuple[Part, ...]) -> Reading:
    """Return the blocks of all parts in the order of the source, with their ids, links and notes."""
    reading = Reading()
    for spine, part in enumerate(parts):
        reading.starts.append(len(reading.entries))
        _Walk(reading, spine, part).run()
    return reading


class _Walk:
    """The walk over one part."""

    def __init__(self, reading: Reading, spine: int, part: Part) -> None:
        self.reading = reading
        self.spine = spine
        self.part = part
        self.unique = unique_ids(part.root)
        self.chosen = None if part.chosen is None else set(part.chosen)
        self.ids: list[tuple[str, int]] = []  # waiting for text, with the number of pieces before them
        self.links: list[str] = []

    def run(self) -> None:
        self.block(self.part.root, "", _Context(active=self.chosen is None))
        for name, _ in self.ids:
            self.reading.ids.setdefault((self.spine, name), len(self.reading.entries))

    # --- elements ---------------------------------------------------------------------------------------------------

    def children(self, el: etree._Element, path: str, steps: str, flow: _Flow) -> None:
        """Put the content of an element into `flow`, or into blocks of its own."""
        self.text(flow, f"{steps}/1", el.text)
        for child, number, below in self.numbered(el, path):
            self.element(child, below, f"{steps}/{number}", flow)
            self.text(flow, f"{steps}/{number + 1}", child.tail)

    def numbered(self, el: etree._Element, path: str) -> Iterator[tuple[etree._Element, int, str]]:
        """Yield (child, its CFI step, its path)."""
        for k, child in enumerate(el, 1):
            name = child.get("id")
            known = "[" + _ESCAPED.sub(r"^\g<0>", name) + "]" if name in self.unique else ""
            yield child, 2 * k, f"{path}/{2 * k}{known}"

    def element(self, el: etree._Element, path: str, steps: str, flow: _Flow) -> None:
        name = local_name(el)
        types = vocabulary.types(el)
        is_note = not types.isdisjoint(vocabulary.NOTES)
        if vocabulary.is_no_text(el, name) or (vocabulary.is_hidden(el) and not is_note):
            return
        chosen = self.chosen is not None and el in self.chosen
        context = replace(flow.context, active=True) if chosen else flow.context
        if not types.isdisjoint(vocabulary.PAGE_BREAKS):
            self.identify(el, flow)
        elif name in vocabulary.BLOCKS or is_note or (chosen and not flow.context.active) or vocabulary.is_svg_text(el):
            if flow.flat:
                self.identify(el, flow)
                _line(flow)
                self.children(el, path, steps, flow)
                _line(flow)
            else:
                self.flush(flow)
                self.identify(el, flow)
                self.block(el, path, self.inner(el, name, types, context))
        else:
            self.inline(el, name, path, steps, flow)

    def inline(self, el: etree._Element, name: str, path: str, steps: str, flow: _Flow) -> None:
        self.identify(el, flow)
        if name == "br":
            flow.pieces.append(LINE)
        elif name == "img":
            self.picture(el, path, el.get("alt"), flow)
        elif name == "math":
            self.math(el, path, steps, flow)
        elif name == "svg":
            self.svg(el, path, steps, flow)
        else:
            if name == "a" and flow.context.active and "#" in (el.get("href") or ""):
                self.links.append(str(el.get("href")))
            self.children(el, path, steps, flow)

    def block(self, el: etree._Element, path: str, context: _Context) -> None:
        name = local_name(el)
        if name == "table" and context.active and not tables.is_layout(el):
            self.table(el, path, context)
        elif name == "pre":
            flow = _Flow(path, replace(context, kind="code", level=None), flat=True)
            self.children(el, path, "", flow)
            self.flush(flow)
        else:
            flow = _Flow(path, context)
            self.children(el, path, "", flow)
            self.flush(flow)

    def inner(self, el: etree._Element, name: str, types: frozenset[str], context: _Context) -> _Context:
        """Return the context inside a block element."""
        note = context.note
        collected = context.collected or not types.isdisjoint(vocabulary.COLLECTIONS)
        in_notes = context.in_notes or not types.isdisjoint(vocabulary.NOTE_LISTS)
        starts_note = not types.isdisjoint(vocabulary.NOTES) or (
            context.in_notes and (name == "li" or (el.get("id") is not None and name in ("p", "div", "aside", "dd")))
        )
        if note is None and starts_note and not collected:
            note = next(self.reading.numbers)
            if el.get("id"):
                self.reading.notes[self.spine, str(el.get("id"))] = note
        depth = context.depth + (name in vocabulary.LISTS)
        kind, level = vocabulary.kind(el, name, depth) or (context.kind, context.level)
        if (note is not None or in_notes or collected) and kind != "heading":
            kind, level = "footnote", None
        return _Context(kind, level, depth, note, in_notes, collected, context.active)

    # --- text -------------------------------------------------------------------------------------------------------

    def text(self, flow: _Flow, steps: str, raw: str | None) -> None:
        if raw and flow.context.active:
            flow.pieces.append((steps, raw))
            flow.words = flow.words or not raw.isspace()

    def flush(self, flow: _Flow) -> None:
        """Make the pieces gathered so far a block, or several where empty lines part them, then the pictures."""
        pieces, context = flow.pieces, flow.context
        if context.kind == "code":
            self.emit(flow, keep(pieces), len(pieces))
        else:
            first = 0
            for stop in _paragraph_ends(pieces) if context.kind in _BREAKS_PARAGRAPHS else [len(pieces)]:
                self.emit(flow, squeeze(pieces[first:stop]), stop)
                first = stop
        for entry in flow.deferred:
            self.append(entry)
        self.ids = [(name, 0) for name, _ in self.ids]
        flow.pieces, flow.deferred, flow.math, flow.words = [], [], False, False

    def emit(self, flow: _Flow, content: tuple[str, tuple[TextRun, ...]], stop: int) -> None:
        text, runs = content
        if not text:
            return
        kind: BlockKind = "formula" if flow.math and not flow.words else flow.context.kind
        level = flow.context.level if kind == flow.context.kind else None
        last = stop
        while last and flow.pieces[last - 1][1].isspace():
            last -= 1
        self.append(self.entry(kind, text, flow.base, runs, flow.context, level=level), before=last)

    def entry(
        self,
        kind: BlockKind,
        text: str,
        path: str,
        runs: tuple[TextRun, ...],
        context: _Context,
        *,
        level: int | None = None,
    ) -> Entry:
        return Entry(kind, text, self.spine, f"{self.part.cfi}!{path}", runs, level=level, note=context.note)

    def append(self, entry: Entry, *, before: int | None = None) -> None:
        """Add a block; ids that waited for text (those before piece number `before`) now have their place."""
        at = len(self.reading.entries)
        self.reading.entries.append(entry)
        for name, pieces in self.ids:
            if before is None or pieces < before:
                self.reading.ids.setdefault((self.spine, name), at)
        self.ids = [] if before is None else [i for i in self.ids if i[1] >= before]
        self.reading.calls.extend((self.spine, href, at) for href in self.links)
        self.links = []

    def identify(self, el: etree._Element, flow: _Flow) -> None:
        for name in {el.get("id"), el.get("name") if local_name(el) == "a" else None} - {None}:
            self.ids.append((str(name), len(flow.pieces)))
            if flow.context.note is not None:
                self.reading.notes.setdefault((self.spine, str(name)), flow.context.note)

    # --- pictures, formulas, tables ---------------------------------------------------------------------------------

    def picture(self, el: etree._Element, path: str, description: str | None, flow: _Flow) -> None:
        text = plain(description or el.get("aria-label") or "")
        if text and flow.context.active:
            flow.deferred.append(self.entry("image", text, path, (), flow.context))

    def svg(self, el: etree._Element, path: str, steps: str, flow: _Flow) -> None:
        titles = [child.text for child in el if local_name(child) in ("title", "desc")]
        self.picture(el, path, el.get("aria-label") or next(filter(None, titles), None), flow)
        if next(el.iter(f"{{{SVG}}}text", f"{{{SVG}}}foreignObject"), None) is not None:
            self.children(el, path, steps, flow)

    def math(self, el: etree._Element, path: str, steps: str, flow: _Flow) -> None:
        """A display formula is a block of its own; another one is part of the sentence it stands in."""
        if not flow.context.active:
            return
        written = plain(el.get("alttext") or "")
        if not flow.flat and (el.get("display") == "block" or el.get("mode") == "display"):
            self.flush(flow)
            text, runs = (written, ()) if written else squeeze(_math_pieces(el, "", []))
            if text:
                self.append(self.entry("formula", text, path, runs, flow.context))
            return
        pieces = _math_pieces(el, steps, [])
        if any(not raw.isspace() for _, raw in pieces):
            flow.pieces += pieces
            flow.math = True
        elif written:
            flow.deferred.append(self.entry("formula", written, path, (), flow.context))

    def table(self, el: etree._Element, path: str, context: _Context) -> None:
        cells = _Flow(path, context, flat=True)
        stray = _Flow(path, context)
        rows: list[list[tables.Cell]] = []
        self.rows(el, path, "", (cells, stray, rows))
        grid, text, runs = tables.lay_out_cells(rows)
        if text:
            self.append(replace(self.entry("table", text, path, runs, context), rows=grid))
        stray.deferred = cells.deferred + stray.deferred
        self.flush(stray)

    def rows(
        self, el: etree._Element, path: str, steps: str, into: tuple[_Flow, _Flow, list[list[tables.Cell]]]
    ) -> None:
        """Read the rows of a table or a part of it; text outside any cell, which browsers move out, is kept apart."""
        cells, stray, rows = into
        self.text(stray, f"{steps}/1", el.text)
        for child, number, below in self.numbered(el, path):
            name = local_name(child)
            lead = f"{steps}/{number}"
            if name in ("thead", "tbody", "tfoot", "tr") and not vocabulary.is_hidden(child):
                self.identify(child, cells)
                if name == "tr":
                    rows.append([])
                _line(stray)
                self.rows(child, below, lead, into)
            elif name in ("td", "th") and not vocabulary.is_hidden(child):
                self.identify(child, cells)
                self.children(child, below, lead, cells)
                cell = squeeze(cells.pieces, newline=" ")
                cells.pieces = []
                if not rows:
                    rows.append([])
                rows[-1].append(tables.Cell(*cell, tables.span(child, "colspan"), tables.span(child, "rowspan")))
            else:
                self.element(child, below, lead, stray)
            self.text(stray, f"{steps}/{number + 1}", child.tail)


def _line(flow: _Flow) -> None:
    if flow.pieces and not flow.pieces[-1][1].endswith("\n"):
        flow.pieces.append(LINE)


def _math_pieces(el: etree._Element, steps: str, into: list[Piece]) -> list[Piece]:
    """Return `into` with the text of a formula as it is shown, without annotations."""
    if el.text:
        into.append((f"{steps}/1", el.text))
    for k, child in enumerate(el, 1):
        if local_name(child) not in ("annotation", "annotation-xml"):
            _math_pieces(child, f"{steps}/{2 * k}", into)
        if child.tail:
            into.append((f"{steps}/{2 * k + 1}", child.tail))
    return into


def _paragraph_ends(pieces: list[Piece]) -> list[int]:
    """Return where paragraphs end: before a second line break with only white space since the first, and at the end."""
    ends = []
    lines = 0
    for i, piece in enumerate(pieces):
        if piece is LINE:
            lines += 1
            if lines == 2:
                ends.append(i)
        elif not piece[1].isspace():
            lines = 0
    return [*ends, len(pieces)]
