"""What a parse made of a document: canonical text, blocks, sections and pages.

The canonical text is stored once, in parts of `PART` code points, so that a passage is read without the book around it.
Blocks hold no text of their own, except running ones, which stand outside the canonical text.
"""

import json
from typing import Any

import apsw

from glossator.document.codec import anchor_from_json, anchor_to_json, page_from_json
from glossator.document.model import Block, Document, Page, Section
from glossator.store.sql import Row, rows

PART = 4_096  # code points of canonical text in one row


def insert_content(c: apsw.Connection, key: int, document: Document, embedder: str | None) -> None:
    """Write all that `document` holds under the document `key`, which has no content yet."""
    c.execute(
        "insert into content(document, text_version, characters, parser, confidence, reasons, warnings, page_count,"
        " section_count, embedder, vectors) values (?,?,?,?,?,?,?,?,?,?,?)",
        (
            key,
            document.text_version,
            len(document.text),
            document.report.parser,
            document.report.confidence,
            dump(document.report.reasons),
            dump(document.report.warnings),
            len(document.pages) or None,
            len(document.sections) or None,
            embedder,
            "none" if embedder is None else "pending",
        ),
    )
    text = document.text
    c.executemany(
        "insert into part(document, number, text) values (?,?,?)",
        ((key, at // PART, text[at : at + PART]) for at in range(0, len(text), PART)),
    )
    c.executemany("insert into section values (?,?,?,?,?,?,?)", (_section_row(key, s) for s in document.sections))
    c.executemany("insert into page values (?,?,?,?,?,?,?,?,?,?,?)", (_page_row(key, p) for p in document.pages))
    c.executemany(
        'insert into block(document, number, kind, start, "end", level, page, rows, text, anchor)'
        " values (?,?,?,?,?,?,?,?,?,?)",
        (_block_row(key, number, b) for number, b in enumerate(document.blocks)),
    )


def text_slice(c: apsw.Connection, key: int, start: int, end: int) -> str:
    """Return `text[start:end]` of a canonical text, clipped to its length; only the parts needed are read."""
    start = max(start, 0)
    if end <= start:
        return ""
    first = start // PART
    found = rows(
        c,
        "select text from part where document = ? and number between ? and ? order by number",
        (key, first, (end - 1) // PART),
    )
    return "".join(text for (text,) in found)[start - first * PART : end - first * PART]


def full_text(c: apsw.Connection, key: int) -> str:
    """Return the whole canonical text of a document."""
    return "".join(t for (t,) in rows(c, "select text from part where document = ? order by number", (key,)))


def blocks_between(c: apsw.Connection, key: int, start: int, end: int) -> list[Block]:
    """Return the blocks that overlap `[start, end)`, or hold `start` when it is empty, in reading order.

    They come whole, also where they reach past `end`: clip what is shown.
    """
    return blocks_and_text(c, key, (start, end), (start, start))[0]


def blocks_and_text(
    c: apsw.Connection, key: int, span: tuple[int, int], window: tuple[int, int]
) -> tuple[list[Block], str]:
    """Return the blocks that overlap `span`, as `blocks_between`, and the text of `window`, clipped to the document."""
    start, end = span[0], max(span[1], span[0] + 1)
    found = rows(
        c,
        'select kind, start, "end", level, page, rows, text, anchor from block'
        ' where document = ?1 and start < ?3 and ("end" > ?2 or start >= ?2) and start >= coalesce('
        "(select max(start) from block where document = ?1 and start <= ?2), 0) order by number",
        (key, start, end),
    )
    at = max(0, window[0])
    origin = min((row[1] for row in found), default=at)
    first = min(origin, at) if window[1] > at else origin
    text = text_slice(c, key, first, max([row[2] for row in found] + [window[1]]))
    return [_block(row, text, first) for row in found], text[at - first : max(0, window[1] - first)]


def running_blocks(c: apsw.Connection, key: int) -> list[Block]:
    """Return the blocks outside the canonical text (heads, feet, page numbers), in reading order."""
    found = rows(
        c,
        'select kind, start, "end", level, page, rows, text, anchor from block'
        " where document = ? and start is null order by number",
        (key,),
    )
    return [_block(row, "", 0) for row in found]


def sections(c: apsw.Connection, key: int) -> tuple[Section, ...]:
    """Return the contents of a document, in reading order."""
    found = rows(
        c, 'select number, level, title, path, start, "end" from section where document = ? order by number', (key,)
    )
    return tuple(
        Section(number=number, level=level, title=title, path=tuple(json.loads(path)), start=start, end=end)
        for number, level, title, path, start, end in found
    )


def pages(c: apsw.Connection, key: int) -> tuple[Page, ...]:
    """Return the physical pages of a document, in order; none when it has none."""
    found = rows(
        c,
        'select number, start, "end", label, width, height, rotation, confidence, reasons, status from page'
        " where document = ? order by number",
        (key,),
    )
    return tuple(page_from_json((*fields, json.loads(reasons), status)) for *fields, reasons, status in found)


def dump(value: Any) -> str:
    """Return a JSON value as the store keeps it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _section_row(key: int, s: Section) -> Row:
    return key, s.number, s.level, s.title, dump(s.path), s.start, s.end


def _page_row(key: int, p: Page) -> Row:
    size = float(p.width), float(p.height), int(p.rotation)
    return key, p.number, p.start, p.end, p.label, *size, float(p.confidence), dump(p.reasons), p.status


def _block_row(key: int, number: int, b: Block) -> Row:
    cells = None if b.rows is None else dump(b.rows)
    text = b.text if b.start is None else None
    anchor = None if b.anchor is None else dump(anchor_to_json(b.anchor))
    return key, number, b.kind, b.start, b.end, b.level, b.page, cells, text, anchor


def _block(row: Row, text: str, origin: int) -> Block:
    kind, start, end, level, page, cells, own, anchor = row
    return Block(
        kind=kind,
        text=own if start is None else text[start - origin : end - origin],
        start=start,
        end=end,
        level=level,
        rows=None if cells is None else tuple(map(tuple, json.loads(cells))),
        page=page,
        anchor=None if anchor is None else anchor_from_json(json.loads(anchor)),
    )
