"""The text of a FictionBook: sections, poems, quotations, tables and notes as pieces of XHTML."""

from collections.abc import Callable, Iterator
from html import escape

from lxml import etree

from glossator.parse.assembly import Piece
from glossator.parse.html import local_name

DEEPEST = 150  # levels of elements within one another; what is deeper is read as one paragraph

_NOTE_BODIES = {"notes", "comments", "footnotes", "endnotes"}
_INLINE = {
    "emphasis": "em",
    "strong": "strong",
    "strikethrough": "s",
    "sub": "sub",
    "sup": "sup",
    "code": "code",
    "style": "span",
}
_CELLS = {"td": "td", "th": "th"}

Element = etree._Element


def pieces(root: Element) -> Iterator[Piece]:
    """Yield the pieces of all bodies of a FictionBook, in order; the bodies of notes give notes."""
    walk = _Walk()
    for i, body in enumerate(children(root, "body")):
        if i and (body.get("name") or "").lower() in _NOTE_BODIES:
            yield from (_note(section) for section in children(body, "section"))
        else:
            yield from walk.section(body, 0 if i == 0 else 1)


def children(el: Element | None, name: str) -> list[Element]:
    """Return the children of that local name."""
    return [c for c in el if local_name(c) == name] if el is not None else []


def find(el: Element | None, *path: str) -> Element | None:
    """Return the first child by local name, then its first child, and so on."""
    for step in path:
        el = next(iter(children(el, step)), None)
    return el


def text_of(el: Element | None) -> str:
    """Return the text of an element on one line, "" when there is none."""
    return " ".join("".join(str(t) for t in el.itertext()).split()) if el is not None else ""


class _Walk:
    """The walk over sections; it numbers the headings that the contents point to."""

    def __init__(self) -> None:
        self._headings = 0

    def section(self, section: Element, depth: int) -> Iterator[Piece]:
        identifier = section.get("id")
        if identifier and not text_of(find(section, "title")):
            yield Piece(markup=f"<a{_id(section)}></a>")
        for el in section:
            name = local_name(el)
            if name == "title":
                if text_of(el):
                    yield self._heading(el, depth, identifier)
            elif name == "section" and depth < DEEPEST:
                yield from self.section(el, depth + 1)
            else:
                yield Piece(markup=_block(el, depth + 1))

    def _heading(self, title: Element, depth: int, identifier: str | None) -> Piece:
        self._headings += 1
        name = identifier or f"heading-{self._headings}"
        tag = f"h{min(max(depth, 1), 6)}"
        markup = f'<{tag} id="{escape(name)}">{_joined(title)}</{tag}>'
        if depth == 0:
            return Piece(markup=markup)  # the title of the book is no chapter of it
        words = " ".join(filter(None, map(text_of, title))) or text_of(title)
        return Piece(markup=markup, title=words, level=depth, name=name)


def _note(section: Element) -> Piece:
    """Return a note; its number, which stands in the title, begins its first paragraph."""
    number = text_of(find(section, "title"))
    blocks = [_block(el, 1) for el in section if local_name(el) != "title"]
    label = escape(number, quote=False)
    if label and blocks and blocks[0].startswith("<p>"):
        blocks[0] = f"<p>{label} {blocks[0][3:]}"
    elif label:
        blocks.insert(0, f"<p>{label}</p>")
    return Piece(markup=f'<aside class="footnote" role="doc-footnote"{_id(section)}>{"".join(blocks)}</aside>')


def _block(el: Element, depth: int) -> str:
    """Return a block as markup; what has no rule of its own is a container if it has children, else a paragraph."""
    name = local_name(el)
    if name in ("empty-line", ""):
        return ""
    write = _BLOCKS.get(name)
    if write is None:
        write = _container if len(el) and depth < DEEPEST else _paragraph
    return write(el, depth)


def _paragraph(el: Element, _: int) -> str:
    return f"<p{_id(el)}>{_inline(el)}</p>"


def _author(el: Element, _: int) -> str:
    return f'<p class="text-author"{_id(el)}>{_inline(el)}</p>'


def _subtitle(el: Element, depth: int) -> str:
    """Return a heading, or a paragraph when it is only a row of stars."""
    tag = f"h{min(depth + 1, 6)}" if any(c.isalnum() for c in text_of(el)) else "p"
    return f'<{tag} class="subtitle"{_id(el)}>{_inline(el)}</{tag}>'


def _title(el: Element, _: int) -> str:
    return f"<p{_id(el)}><b>{_joined(el)}</b></p>"


def _quotation(el: Element, depth: int) -> str:
    return f'<blockquote class="{local_name(el)}"{_id(el)}>{_blocks(el, depth)}</blockquote>'


def _stanza(el: Element, depth: int) -> str:
    verses = "<br/>".join(_inline(v) for v in children(el, "v"))
    titles = "".join(_block(t, depth) for t in el if local_name(t) in ("title", "subtitle"))
    return f"{titles}<p{_id(el)}>{verses}</p>"


def _code(el: Element, _: int) -> str:
    return f"<pre{_id(el)}>{_inline(el)}</pre>"


def _table(el: Element, _: int) -> str:
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in children(el, "tr"))
    return f"<table{_id(el)}>{rows}</table>"


def _picture(el: Element, _: int) -> str:
    return f"<p{_id(el)}>{_image(el)}</p>"


def _container(el: Element, depth: int) -> str:
    return f"<div{_id(el)}>{_blocks(el, depth + 1)}</div>"


_BLOCKS: dict[str, Callable[[Element, int], str]] = {
    "p": _paragraph,
    "v": _paragraph,
    "date": _paragraph,
    "text-author": _author,
    "subtitle": _subtitle,
    "title": _title,
    "epigraph": _quotation,
    "cite": _quotation,
    "annotation": _quotation,
    "stanza": _stanza,
    "code": _code,
    "table": _table,
    "image": _picture,
}


def _blocks(el: Element, depth: int) -> str:
    loose = escape((el.text or "").strip(), quote=False)
    return (f"<p>{loose}</p>" if loose else "") + "".join(_block(child, depth) for child in el)


def _id(el: Element) -> str:
    identifier = el.get("id")
    return f' id="{escape(str(identifier))}"' if identifier else ""


def _cell(el: Element) -> str:
    tag = _CELLS.get(local_name(el), "td")
    spans = "".join(f' {k}="{escape(str(v))}"' for k, v in el.attrib.items() if k in ("colspan", "rowspan"))
    return f"<{tag}{spans}>{_inline(el)}</{tag}>"


def _joined(title: Element) -> str:
    """Return the paragraphs of a title as lines of one heading."""
    lines = [_inline(p) for p in title if local_name(p) in ("p", "v") and text_of(p)]
    return "<br/>".join(lines) or _inline(title)


def _inline(el: Element) -> str:
    out = [escape(el.text or "", quote=False)]
    for child in el:
        name = local_name(child)
        if name == "a":
            href = next((v for k, v in child.attrib.items() if str(k).rpartition("}")[2] == "href"), "")
            role = ' role="doc-noteref"' if child.get("type") == "note" else ""
            out.append(f'<a href="{escape(str(href))}"{role}>{_inline(child)}</a>')
        elif name == "image":
            out.append(_image(child))
        elif name in _INLINE:
            out.append(f"<{_INLINE[name]}>{_inline(child)}</{_INLINE[name]}>")
        else:
            out.append(_inline(child))
        out.append(escape(child.tail or "", quote=False))
    return "".join(out)


def _image(el: Element) -> str:
    return f'<img alt="{escape(el.get("alt") or el.get("title") or "")}"/>'
