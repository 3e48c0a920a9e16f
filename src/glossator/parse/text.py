"""Plain text files: decoded, cut into paragraphs and chapters, written as XHTML.

Project Gutenberg's header and licence are kept, each in a section of class `boilerplate` with an entry in the contents,
so that they are no part of the first or the last chapter. Rules made of characters (`=====`) become `hr`; all other
characters of the file are in the text. `_underscores_` and other conventions of typing are left as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from glossator.document.model import Metadata, ParseReport
from glossator.errors import LimitExceeded, NotFound, SourceError
from glossator.parse import html
from glossator.parse.confidence import assess
from glossator.parse.encoding import Decoded, decode
from glossator.parse.headings import Heading, find_headings
from glossator.parse.language import guess_language
from glossator.parse.lines import Paragraph, paragraphs
from glossator.parse.publication import NavPoint, Part, Reflowable, parser_name
from glossator.sources.files import shown

MAX_BYTES = 64 << 20  # of a text file: eighty times War and Peace; a larger one is a log or a dump
PART_CHARACTERS = 200_000  # a part without headings is cut after so many, for readers that show a part at a time

_NEWLINE = re.compile("\r\n?|[\u2028\u2029\x0b\x85]")
_HEADER_LINES = 60
_LONGEST_TITLE = 100
_FIELD = re.compile(
    r"\s*(title|author|language|release date|translator|editor|标题|書名|书名|作者)\s*[:：]\s*(\S.*)", re.IGNORECASE
)
_BOOK_BY = re.compile(
    r"\s*《(?P<title>[^》]{1,60})》[\s\u3000]*(?:作者)?[\s:：]*(?P<author>[^\s，。！？《》]{0,20})\s*"
)
_FILE_BY = re.compile(r"《?(?P<title>[^》]+?)》?[\s_]*(?:作者[：:_ ]?| [-–—] )(?P<author>[^（(\[]+)")
_START = re.compile(r"\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK\s*(.*?)\s*\*\*\*.*", re.IGNORECASE)
_END = re.compile(r"\*\*\*\s*END OF (?:THE|THIS) PROJECT GUTENBERG EBOOK.*", re.IGNORECASE)
_NOTICE = "Project Gutenberg’s notice"
_LICENCE = "Project Gutenberg’s licence"
_LANGUAGES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt",
    "dutch": "nl", "chinese": "zh", "japanese": "ja", "russian": "ru", "latin": "la", "finnish": "fi",
    "swedish": "sv", "danish": "da", "polish": "pl", "greek": "el", "hungarian": "hu", "norwegian": "no", "catalan": "ca", "esperanto": "eo",
}  # fmt: skip


def read(path: Path) -> Reflowable:
    """Return the publication in a plain text file.

    Raises:
        LimitExceeded: the file is larger than `MAX_BYTES`.
        SourceError: it cannot be read.
    """
    data = read_limited(path, MAX_BYTES)
    decoded = decode(data)
    text = _NEWLINE.sub("\n", decoded.text).replace("\f", "\n\n")
    found = paragraphs(text)
    metadata = _metadata(path, text, found)
    parts, navigation = _parts(found, find_headings(found), metadata)
    return Reflowable(
        format="text",
        metadata=metadata,
        parts=tuple(parts),
        navigation=tuple(navigation),
        report=report_of("text", decoded),
    )


def read_limited(path: Path, limit: int) -> bytes:
    """Return a file's bytes, having looked at its size first.

    Raises:
        LimitExceeded: it is larger than `limit` bytes.
        NotFound: there is no such file.
        SourceError: it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1) if path.stat().st_size <= limit else None
    except FileNotFoundError as error:
        raise NotFound(f"{shown(path)}: no such file", hint="check the path") from error
    except OSError as error:
        raise SourceError(
            f"{shown(path)}: cannot be read ({error.strerror or error})", hint="check the path and its permissions"
        ) from error
    if data is None or len(data) > limit:
        raise LimitExceeded(
            f"{shown(path)}: larger than {limit >> 20} MB, the most that a file of text may have",
            hint="split it into smaller files and add those",
        )
    return data


def report_of(format: str, decoded: Decoded) -> ParseReport:
    """Return the report on a text that was decoded: how sure its characters are."""
    confidence, reasons = assess(decoded.text)
    warnings = () if decoded.encoding in ("utf-8", "ascii") else (f"the text was read as {decoded.encoding}",)
    return ParseReport(parser=parser_name(format), confidence=confidence, reasons=reasons, warnings=warnings)


# --- metadata -------------------------------------------------------------------------------------------------------


def _metadata(path: Path, text: str, found: Sequence[Paragraph]) -> Metadata:
    fields = _fields(text)
    title, author = fields.get("title"), fields.get("author")
    stem = shown(path.stem)
    said = next((m for p in found[:3] if (m := _BOOK_BY.fullmatch(p.text))), None) or _FILE_BY.fullmatch(stem)
    if title is None and said:
        title, author = said["title"].strip(" _"), author or said["author"].strip(" _") or None
    if title is None and not any(c.isalpha() for c in stem):
        title = next((p.text for p in found[:1] if len(p.text) < _LONGEST_TITLE and not p.text[0].islower()), None)
    language = _LANGUAGES.get(fields.get("language", "").lower().split(",")[0].split(";")[0].strip())
    return Metadata(
        title=title or title_of_stem(stem),
        authors=tuple(a for a in re.split(r"\s+and\s+|\s*[;；、&]\s*", author) if a) if author else (),
        language=language or guess_language(text),
        published=None,
    )


def title_of_stem(stem: str) -> str:
    """Return a file's name as a title: words apart, capitals if it has none."""
    title = " ".join(stem.replace("_", " ").split()) or stem
    if " " not in title and title.count("-") > 1:
        title = title.replace("-", " ")
    return title[:1].upper() + title[1:] if title.islower() else title


def _fields(text: str) -> dict[str, str]:
    """Return what header lines such as "Title: …" say, the first of each name."""
    names = {"标题": "title", "書名": "title", "书名": "title", "作者": "author"}
    fields: dict[str, str] = {}
    lines = text[:8192].split("\n")[:_HEADER_LINES]
    for i, line in enumerate(lines):
        if found := _FIELD.fullmatch(line):
            name = found[1].lower()
            value = found[2].strip()
            if i + 1 < len(lines) and re.match(r"\s{4,}\S", lines[i + 1]) and not _FIELD.match(lines[i + 1]):
                value = f"{value} {lines[i + 1].strip()}"
            fields.setdefault(names.get(name, name), value)
    if (started := _START.search(text, 0, 20_000)) and started[1]:
        fields.setdefault("title", started[1])
    return fields


# --- XHTML ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Draft:
    """A part that is being written."""

    body: list[str] = field(default_factory=list)
    characters: int = 0


def _parts(
    found: Sequence[Paragraph], headings: Sequence[Heading], metadata: Metadata
) -> tuple[list[Part], list[NavPoint]]:
    """Return the parts, cut at chapters, and the contents."""
    drafts = [_Draft()]
    navigation: list[NavPoint] = []
    begins = {h.first: h for h in headings}
    start, end = _boilerplate(found)
    cut_level = _cut_level(headings)
    at = 0
    while at < len(found):
        heading = begins.get(at)
        in_boilerplate = at < start or at >= end
        if at in (start, end) or (heading and heading.level <= cut_level) or drafts[-1].characters > PART_CHARACTERS:
            _open(drafts)
        if at == end or (at == 0 and start):
            title = _LICENCE if at == end else _NOTICE
            navigation.append(NavPoint(title=title, level=1, spine=len(drafts) - 1))
        elif at == start and start and not heading:
            navigation.append(NavPoint(title=metadata.title, level=1, spine=len(drafts) - 1))
        if heading and not in_boilerplate:
            name = f"h{len(navigation) + 1}"
            navigation.append(NavPoint(title=heading.title, level=heading.level, spine=len(drafts) - 1, fragment=name))
            _write(drafts[-1], _heading_markup(found[at : heading.end], heading.level, name))
            at = heading.end
        else:
            _write(drafts[-1], _markup(found[at]), boilerplate=in_boilerplate)
            at += 1
    return [_part(i, draft, metadata) for i, draft in enumerate(drafts)], navigation


def _boilerplate(found: Sequence[Paragraph]) -> tuple[int, int]:
    """Return the interval of paragraphs between Project Gutenberg's notice and its licence; else all of them."""
    start = next((i + 1 for i, p in enumerate(found[:200]) if _START.match(p.text)), 0)
    end = next((i for i in range(len(found) - 1, start, -1) if _END.match(found[i].text)), len(found))
    return start, end


def _cut_level(headings: Sequence[Heading]) -> int:
    """Return the deepest level at which parts begin: as many parts as there are chapters, not one per section."""
    levels = sorted({h.level for h in headings})
    return next(
        (level for level in levels if sum(1 for h in headings if h.level <= level) > 4), levels[-1] if levels else 0
    )


def _open(drafts: list[_Draft]) -> None:
    if drafts[-1].body:
        drafts.append(_Draft())


def _write(draft: _Draft, markup: str, *, boilerplate: bool = False) -> None:
    draft.body.append(f'<section class="boilerplate">{markup}</section>' if boilerplate else markup)
    draft.characters += len(markup)


def _heading_markup(lines: Sequence[Paragraph], level: int, name: str) -> str:
    tag = f"h{min(level, 6)}"
    text = "<br/>".join(_lines(p.text) for p in lines)
    return f'<{tag} id="{name}">{text}</{tag}>'


def _markup(paragraph: Paragraph) -> str:
    match paragraph.kind:
        case "rule":
            return "<hr/>"
        case "code":
            return f"<pre>{escape(paragraph.text, quote=False)}</pre>"
        case "item":
            return f'<ul style="list-style: none"><li>{escape(paragraph.text, quote=False)}</li></ul>'
        case "lines":
            return f"<p>{_lines(paragraph.text)}</p>"
        case _:
            return f"<p>{escape(paragraph.text, quote=False)}</p>"


def _lines(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br/>")


def _part(at: int, draft: _Draft, metadata: Metadata) -> Part:
    root, _ = html.canonical(page(metadata, "\n".join(draft.body)))
    return Part(href=f"part{at + 1}.xhtml", root=root)


def page(metadata: Metadata, body: str) -> str:
    """Return an XHTML document around the markup of a body."""
    language = f' lang="{escape(metadata.language)}"' if metadata.language else ""
    title = escape(metadata.title, quote=False)
    return f'<html xmlns="{html.XHTML}"{language}><head><title>{title}</title></head><body>{body}</body></html>'
