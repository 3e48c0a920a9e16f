"""Pieces of XHTML to parts and contents, for formats that have one long flow instead of files: text, DOCX, Markdown.

Parts are cut where chapters begin, at the highest level of headings that has several, so that a reader shows a chapter
at a time and no part grows without bound.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from glossator.document.model import Metadata
from glossator.parse import html
from glossator.parse.publication import NavPoint, Part

PART_CHARACTERS = 200_000  # a part without headings is cut after so many characters of markup
_FEW = 4  # a level with no more headings than this (the title, a preface …) is not yet that of the chapters
_ID = re.compile(r'\bid="([^"]+)"')
_LINK = re.compile(r'\bhref="#([^"]+)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Well-formed markup of one or more blocks. With a `title` it is an entry of the contents.

    `name` is the id of the entry's element in the markup. `cut` begins a new part here whatever the level.
    """

    markup: str
    title: str | None = None
    level: int = 1  # from 1
    name: str | None = None
    cut: bool = False


@dataclass(slots=True)
class _Draft:
    markup: list[str] = field(default_factory=list)
    length: int = 0


def assemble(pieces: Sequence[Piece], metadata: Metadata) -> tuple[tuple[Part, ...], tuple[NavPoint, ...]]:
    """Return the parts of a publication and its contents; links between pieces are made to lead to the right part."""
    drafts = [_Draft()]
    navigation: list[NavPoint] = []
    deepest = _cut_level(pieces)
    for piece in pieces:
        begins = piece.cut or (piece.title is not None and piece.level <= deepest)
        if drafts[-1].markup and (begins or drafts[-1].length > PART_CHARACTERS):
            drafts.append(_Draft())
        drafts[-1].markup.append(piece.markup)
        drafts[-1].length += len(piece.markup)
        if piece.title is not None:
            navigation.append(
                NavPoint(title=piece.title, level=piece.level, spine=len(drafts) - 1, fragment=piece.name)
            )
    bodies = _linked(["\n".join(draft.markup) for draft in drafts])
    parts = [Part(href=_href(i), root=html.canonical(page(metadata, body))[0]) for i, body in enumerate(bodies)]
    return tuple(parts), tuple(navigation)


def page(metadata: Metadata, body: str) -> str:
    """Return an XHTML document around the markup of a body."""
    language = f' lang="{escape(metadata.language)}"' if metadata.language else ""
    title = escape(metadata.title, quote=False)
    return f'<html xmlns="{html.XHTML}"{language}><head><title>{title}</title></head><body>{body}</body></html>'


def lines(text: str) -> str:
    """Return text as markup in which its line breaks stand."""
    return escape(text, quote=False).replace("\n", "<br/>")


def _cut_level(pieces: Sequence[Piece]) -> int:
    levels = [p.level for p in pieces if p.title is not None]
    several = (level for level in sorted(set(levels)) if sum(1 for x in levels if x <= level) > _FEW)
    return next(several, max(levels, default=0))


def _href(part: int) -> str:
    return f"part{part + 1}.xhtml"


def _linked(bodies: list[str]) -> list[str]:
    if len(bodies) == 1:
        return bodies
    home = {name: i for i in reversed(range(len(bodies))) for name in _ID.findall(bodies[i])}

    def link(match: re.Match[str]) -> str:
        at = home.get(match[1])
        return match[0] if at is None else f'href="{_href(at)}#{match[1]}"'

    return [_LINK.sub(link, body) for body in bodies]
