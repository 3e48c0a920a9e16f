"""A section as a page of XHTML, made of its blocks: the canonical text with nothing that could run.

Every element of a block says where it stands (`data-start`, `data-end`), so that a selection is an address and a
citation can be shown. It is clipped as everything a `Reader` gives.
Known limit: pictures are their alternative text, and emphasis is not kept; the file itself has both.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from glossator.library.results import BlockView

if TYPE_CHECKING:
    from glossator.library.reader import Reader

STYLE = "p,li,td,blockquote,figcaption,aside{white-space:pre-wrap}"
_TAGS = {
    "paragraph": "p",
    "list_item": "li",
    "code": "pre",
    "formula": "p",
    "quotation": "blockquote",
    "caption": "figcaption",
    "footnote": "aside",
}
_ILLEGAL = {c: "\ufffd" for c in (*range(0x20), 0x7F, 0xFFFE, 0xFFFF) if c not in (9, 10)}


def section_page(reader: "Reader", document: int, number: int) -> str:
    """Return a section, entry `number` of the contents from 1, with its subsections.

    Raises:
        NotFound: there is no such section, or it is hidden.
    """
    start, end = reader.section(document, number)
    opened = reader.open(document)
    language = escape(opened.document.language or "und")
    title = escape(_legal(opened.document.title))
    body = "\n".join(_elements(reader.blocks(document, start, end)))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="{language}" '
        f'lang="{language}">\n<head><meta charset="utf-8"/><title>{title}</title><style>{STYLE}</style></head>\n'
        f'<body data-document="{opened.document.id}" data-section="{number}" '
        f'data-text-version="{opened.document.text_version}">\n{body}\n</body>\n</html>\n'
    )


def _elements(blocks: Iterable[BlockView]) -> Iterator[str]:
    listing = False
    for block in blocks:
        if (block.kind == "list_item") != listing:
            listing = not listing
            yield "<ul>" if listing else "</ul>"
        yield _element(block)
    if listing:
        yield "</ul>"


def _element(block: BlockView) -> str:
    place = "" if block.start is None else f' data-start="{block.start}" data-end="{block.end}"'
    text = escape(_legal(block.text), quote=False)
    if block.kind == "heading":
        level = min(max(block.level or 1, 1), 6)
        return f"<h{level}{place}>{text}</h{level}>"
    if block.kind == "table" and block.rows is not None:
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(_legal(c), quote=False)}</td>' for c in r)}</tr>" for r in block.rows
        )
        return f"<table{place}><tbody>{rows}</tbody></table>"
    if block.kind == "image":
        return f'<figure{place}><span role="img">{text}</span></figure>'
    if block.kind == "caption":
        return f"<figure><figcaption{place}>{text}</figcaption></figure>"
    tag = _TAGS.get(block.kind, "p")
    return f"<{tag}{place}>{text}</{tag}>"


def _legal(text: str) -> str:
    """Return text with what XML cannot hold replaced, character by character, so that positions stay."""
    return text.translate(_ILLEGAL).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
