"""Markdown files: CommonMark with tables, strikethrough, front matter and footnotes, as XHTML.

HTML inside is kept and sanitised like any other. Front matter is YAML's simplest form (`key: value`, lists in brackets
or with dashes), read without a YAML library; what does not fit is kept out of the metadata, never out of the text.
Known limits: other dialects' extensions (definition lists, attributes, formulas) stand as they are typed.

Source: CommonMark 0.31, through markdown-it-py; footnotes as in Pandoc and GitHub (`[^1]`, `[^1]: …`).
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.document.model import Metadata
from glossator.parse.assembly import Piece, assemble
from glossator.parse.encoding import decode
from glossator.parse.language import guess_language
from glossator.parse.publication import Reflowable
from glossator.parse.text import MAX_BYTES, read_limited, report_of, title_of_stem
from glossator.sources.files import shown

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"(?P<key>[A-Za-z][\w-]*)\s*:(?:\s+(?P<value>.*))?$")
_NOTE = re.compile(r"^ {0,3}\[\^(?P<label>[^\]\s]+)\]:[ \t]?(?P<first>.*)$")
_CALL = re.compile(r"\[\^(?P<label>[^\]\s]+)\]")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_VOID = re.compile(r"<(br|hr|img|wbr|input|col)((?:\s+[^<>]*?)?)\s*/?>", re.IGNORECASE)


def read(path: Path) -> Reflowable:
    """Return the publication in a Markdown file.

    Raises:
        LimitExceeded: the file is larger than `text.MAX_BYTES`.
        SourceError: it cannot be read.
    """
    decoded = decode(read_limited(path, MAX_BYTES))
    text = re.sub("\r\n?", "\n", decoded.text)
    fields, text = _front_matter(text)
    text, notes = _without_notes(text)
    engine = _engine()
    found = [*_pieces(engine, text, notes), *_note_pieces(engine, notes)]
    metadata = _metadata(path, fields, found, text)
    parts, navigation = assemble(found, metadata)
    return Reflowable(
        format="markdown",
        metadata=metadata,
        parts=parts,
        navigation=navigation,
        report=report_of("markdown", decoded),
    )


def _engine() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # 30 ms, wanted by this format only

    return MarkdownIt("commonmark", {"xhtmlOut": True, "html": True}).enable(["table", "strikethrough"])


# --- front matter ---------------------------------------------------------------------------------------------------


def _front_matter(text: str) -> tuple[dict[str, list[str]], str]:
    """Return (its fields in lower case, the rest); text that only looks like front matter stays text."""
    found = _FRONT.match(text)
    if found is None:
        return {}, text
    fields: dict[str, list[str]] = {}
    key = ""
    for line in found["yaml"].split("\n"):
        field = _FIELD.match(line)
        if field:
            key = field["key"].lower()
            fields[key] = _values(field["value"] or "")
        elif key and line.lstrip().startswith("- "):
            fields[key].append(_unquoted(line.lstrip()[2:]))
        elif line.strip() and not line.startswith((" ", "\t", "#")):
            return {}, text
    return (fields, text[found.end() :]) if fields else ({}, text)


def _values(text: str) -> list[str]:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [v for v in map(_unquoted, text[1:-1].split(",")) if v]
    return [_unquoted(text)] if text and text not in ("|", ">", "null", "~") else []


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _metadata(path: Path, fields: dict[str, list[str]], found: Sequence[Piece], text: str) -> Metadata:
    def first(*names: str) -> str | None:
        return next((fields[n][0] for n in names if fields.get(n)), None)

    tops = [p.title for p in found if p.title and p.level == 1]
    authors = next((fields[n] for n in ("author", "authors", "creator") if fields.get(n)), [])
    return Metadata(
        # A single top heading is the title; several are chapters.
        title=first("title") or (tops[0] if len(tops) == 1 and tops[0] else title_of_stem(shown(path.stem))),
        authors=tuple(authors),
        language=first("lang", "language") or guess_language(text),
        published=first("date", "published"),
        identifiers=tuple((n, fields[n][0]) for n in ("isbn", "doi") if fields.get(n)),
    )


# --- footnotes ------------------------------------------------------------------------------------------------------


def _without_notes(text: str) -> tuple[str, dict[str, str]]:
    """Return (the text without its definitions of notes, these by label); listings are left alone."""
    notes: dict[str, list[str]] = {}
    kept: list[str] = []
    fence = ""
    current: list[str] | None = None
    for line in text.split("\n"):
        fenced = _FENCE.match(line)
        if fenced and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else fenced[1]
        note = None if fence or fenced else _NOTE.match(line)
        if note:
            current = notes.setdefault(note["label"], [])
            current.append(note["first"])
        elif current is not None and (line.startswith(("    ", "\t")) or not line.strip()):
            current.append(line[4:] if line.startswith("    ") else line.lstrip("\t"))
        elif current is not None and current[-1].strip() and not fenced:
            current.append(line)  # a lazy continuation
        else:
            current = None
            kept.append(line)
    called = set(_CALL.findall("\n".join(kept)))
    if not called.issuperset(notes):
        return text, {}  # definitions that nothing refers to are something else
    return "\n".join(kept), {label: "\n".join(lines) for label, lines in notes.items()}


def _note_pieces(engine: "MarkdownIt", notes: dict[str, str]) -> Iterator[Piece]:
    for label, text in notes.items():
        content = _closed(engine.render(text))
        identifier = escape(_note_id(label))
        yield Piece(markup=f'<aside class="footnote" role="doc-footnote" id="{identifier}">{content}</aside>')


def _note_id(label: str) -> str:
    return f"fn-{label}"


# --- text -----------------------------------------------------------------------------------------------------------


def _pieces(engine: "MarkdownIt", text: str, notes: dict[str, str]) -> Iterator[Piece]:
    """Yield the top-level blocks, headings as entries of the contents."""
    tokens = engine.parse(text)
    for number, block in enumerate(_blocks(tokens)):
        markup = _with_calls(_closed(engine.renderer.render(block, engine.options, {})), notes)
        opening = block[0]
        if opening.type != "heading_open":
            yield Piece(markup=markup)
            continue
        title = " ".join(_plain(block[1]).split())
        name = f"heading-{number + 1}"
        markup = markup.replace(f"<{opening.tag}>", f'<{opening.tag} id="{name}">', 1)
        yield Piece(markup=markup, title=title or None, level=int(opening.tag[1]), name=name)


def _blocks(tokens: Sequence["Token"]) -> Iterator[list["Token"]]:
    depth, block = 0, list["Token"]()
    for token in tokens:
        block.append(token)
        depth += token.nesting
        if depth == 0:
            yield block
            block = []


def _plain(inline: "Token") -> str:
    """Return the text of a heading without its markup."""
    out = []
    for token in inline.children or ():
        if token.type in ("text", "code_inline", "text_special"):
            out.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            out.append(" ")
        elif token.type == "image":
            out.append(_plain(token))
    return _CALL.sub("", "".join(out))


def _with_calls(markup: str, notes: dict[str, str]) -> str:
    if not notes:
        return markup

    def call(match: re.Match[str]) -> str:
        if match["label"] not in notes:
            return match[0]
        return f'<a role="doc-noteref" href="#{escape(_note_id(match["label"]))}">{match[0]}</a>'

    # Not in listings, nor in attributes: only where text stands.
    pieces = re.split(r"(<(?:code|pre)\b.*?</(?:code|pre)>|<[^>]*>)", markup, flags=re.DOTALL)
    pieces[::2] = [_CALL.sub(call, piece) for piece in pieces[::2]]
    return "".join(pieces)


def _closed(markup: str) -> str:
    """Close empty elements, so that one `<br>` does not send a whole part through the HTML5 parser."""
    return _VOID.sub(r"<\1\2/>", markup)
