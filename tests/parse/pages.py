"""Small publications built in code, and the way from an anchor back to the source."""

import re
from collections.abc import Sequence

from lxml import etree

from glossator.document.cfi import text_chunks
from glossator.document.model import Block, Document, DomAnchor, Metadata, ParseReport
from glossator.parse.blocks import document_of
from glossator.parse.html import canonical
from glossator.parse.publication import NavPoint, Part, Reflowable

HEAD = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>x</title></head>'
)


def page(body: str) -> str:
    return f"{HEAD}<body>{body}</body></html>"


def publication(*bodies: str, nav: Sequence[NavPoint] = ()) -> Reflowable:
    parts = tuple(
        Part(href=f"text/p{n}.xhtml", root=canonical(page(body))[0], cfi=f"/6/{2 * n}")
        for n, body in enumerate(bodies, 1)
    )
    return Reflowable(
        format="html",
        metadata=Metadata(title="A title", language="en"),
        parts=parts,
        navigation=tuple(nav),
        report=ParseReport(parser="test"),
    )


def document(*bodies: str, nav: Sequence[NavPoint] = ()) -> Document:
    return document_of(publication(*bodies, nav=nav))


def shapes(doc: Document) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in doc.blocks]


def element_at(root: etree._Element, path: str) -> etree._Element:
    """Follow CFI element steps from the document element; assertions are ignored."""
    at = root
    for step in re.findall(r"/(\d+)", re.sub(r"\[(?:\^.|[^\]^])*\]", "", path)):
        at = [child for child in at if isinstance(child.tag, str)][int(step) // 2 - 1]
    return at


def source_of(block: Block, root: etree._Element, start: int, end: int) -> str:
    """Return the raw text that the runs lead to for characters `[start, end)` of a block, white space reduced to one.

    A separator that the source does not have is put in as a space.
    """
    assert isinstance(block.anchor, DomAnchor)
    base = element_at(root, block.anchor.base.partition("!")[2])
    chunks = {chunk.steps: chunk.text.encode("utf-16-le") for chunk in text_chunks(base)}
    found = ""
    for i in range(start, end):
        run = next((r for r in reversed(block.anchor.runs) if r.start <= i), None)
        if run is None:  # a separator before the first word: the first cell of a table is empty
            found += " "
            continue
        unit = run.offset + len(block.text[run.start : i].encode("utf-16-le")) // 2
        width = len(block.text[i].encode("utf-16-le"))
        raw = chunks[run.steps][2 * unit : 2 * unit + width].decode("utf-16-le")
        found += raw if raw and not raw.isspace() else " "
    return found
