"""Plain text files: decoded, cut into paragraphs and chapters, written as XHTML.

Project Gutenberg's header and licence are kept, each in a section of class `boilerplate` with an entry in the contents,
so that they are no part of the first or the last chapter. Rules made of characters (`=====`) become `hr`; all other
characters of the file are in the text. `_underscores_` and other conventions of typing are left as they are.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from glossator.document.model import Metadata, ParseReport
from glossator.errors import LimitExceeded
from glossator.parse.assembly import Piece, assemble, lines
from glossator.parse.confidence import assess
from glossator.parse.encoding import Decoded, decode
from glossator.parse.headings import Heading, find_headings
from glossator.parse.language import guess_language
from glossator.parse.lines import Paragraph, paragraphs
from glossator.parse.publication import Reflowable, parser_name
from glossator.sources.files import readable, shown

MAX_BYTES = 64 << 20  # of a text file: eighty times War and Peace; a larger one is a log or a dump

_NEWLINE = re.compile("\r\n?|[\u2028\u2029\x0b\x85]")
_HEADER_LINES = 60
_LONGEST_TITLE = 100
_FIELD = re.compile(
    r"\s*(title|author|language|release date|translator|editor|标题|書名|书名|作者)\s*[:：]\s*(\S.*)", re.IGNORECASE
)
_BOOK_BY = re.compile(
    r"\s*《(?P<title>[^》]{1,60})》[\s\u3000]*(?:作者)?[\s:：]*(?P<author>[^\s，。！？《》（(\[]{0,20})\s*(?:[（(\[].*)?"
)
_FILE_BY = re.compile(r"《?(?P<title>[^》]+?)》?[\s_]*(?:作者[：:_ ]?| [-–—] )(?P<author>[^（(\[]+)")
_START = re.compile(r"\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK\s*(.*?)\s*\*\*\*.*", re.IGNORECASE)
_END = re.compile(r"\*\*\*\s*END OF (?:THE|THIS) PROJECT GUTENBERG EBOOK.*", re.IGNORECASE)
_NOTICE = "Project Gutenberg’s notice"
_LICENCE = "Project Gutenberg’s licence"
_LANGUAGES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt",
    "dutch": "nl", "chinese": "zh", "japanese": "ja", "russian": "ru", "latin": "la", "finnish": "fi",
    "swedish": "sv", "danish": "da", "polish": "pl", "greek": "el",
    "hungarian": "hu", "norwegian": "no", "catalan": "ca", "esperanto": "eo",
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
    parts, navigation = assemble(list(_pieces(found, find_headings(found), metadata.title)), metadata)
    return Reflowable(
        format="text",
        metadata=metadata,
        parts=parts,
        navigation=navigation,
        report=report_of("text", decoded),
    )


def read_limited(path: Path, limit: int) -> bytes:
    """Return a file's bytes, having looked at its size first.

    Raises:
        LimitExceeded: it is larger than `limit` bytes.
        NotFound: there is no such file.
        SourceError: it cannot be read.
    """
    with readable(path), path.open("rb") as stream:
        data = stream.read(limit + 1) if path.stat().st_size <= limit else None
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


def _pieces(found: Sequence[Paragraph], headings: Sequence[Heading], title: str) -> Iterator[Piece]:
    begins = {h.first: h for h in headings}
    start, end = _boilerplate(found)
    at = 0
    while at < len(found):
        heading = begins.get(at)
        if at < start or at >= end:
            last = start if at < start else len(found)
            yield _boilerplate_piece(found[at:last], _NOTICE if at < start else _LICENCE)
            at = last
        elif heading:
            name = f"h{at}"
            yield Piece(
                markup=_heading_markup(found[at : heading.end], heading.level, name),
                title=heading.title,
                level=heading.level,
                name=name,
            )
            at = heading.end
        elif at == start and start:
            yield Piece(markup=f'<div id="text">{_markup(found[at])}</div>', title=title, name="text", cut=True)
            at += 1
        else:
            yield Piece(markup=_markup(found[at]))
            at += 1


def _boilerplate(found: Sequence[Paragraph]) -> tuple[int, int]:
    """Return the interval of paragraphs between Project Gutenberg's notice and its licence; else all of them."""
    start = next((i + 1 for i, p in enumerate(found[:200]) if _START.match(p.text)), 0)
    end = next((i for i in range(len(found) - 1, start, -1) if _END.match(found[i].text)), len(found))
    return start, end


def _boilerplate_piece(found: Sequence[Paragraph], title: str) -> Piece:
    name = "licence" if title == _LICENCE else "notice"
    markup = "\n".join(map(_markup, found))
    return Piece(
        markup=f'<section class="boilerplate" id="{name}">{markup}</section>', title=title, name=name, cut=True
    )


def _heading_markup(found: Sequence[Paragraph], level: int, name: str) -> str:
    tag = f"h{min(level, 6)}"
    return f'<{tag} id="{name}">{"<br/>".join(lines(p.text) for p in found)}</{tag}>'


def _markup(paragraph: Paragraph) -> str:
    match paragraph.kind:
        case "rule":
            return "<hr/>"
        case "code":
            return f"<pre>{escape(paragraph.text, quote=False)}</pre>"
        case "item":
            return f'<ul style="list-style: none"><li>{escape(paragraph.text, quote=False)}</li></ul>'
        case _:
            return f"<p>{lines(paragraph.text)}</p>"
