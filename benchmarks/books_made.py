"""Books whose every sentence is known, written as TXT, HTML, EPUB and PDF; real EPUBs with their paragraphs exchanged.

A book is a list of slots, each a list of paragraphs, each a list of sentences, each a list of pieces; a piece may carry
the number of a mark. Where a mark stands in the file is told by writing the file once more with the mark in brackets
that no book has. Nothing here knows how glossator reads or anchors.
"""

import html
import random
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from common import data

OPEN, CLOSE = "⟦{}⟧", "⟦/{}⟧"
BRACKETS = re.compile(r"⟦(/?)(\d+)⟧")
_SENTENCE = re.compile(r"(?<=[.!?])(?:[”’\"']*)\s+(?=[“‘\"A-Z])|(?<=[。！？])(?![”’」』])|(?<=[。！？][”’」』])")


@dataclass
class Piece:
    text: str
    mark: int | None = None


@dataclass
class Sentence:
    pieces: list[Piece]

    @property
    def text(self) -> str:
        return "".join(p.text for p in self.pieces)


Paragraph = list[Sentence]
Slot = list[Paragraph]


@dataclass
class Style:
    """How a file is written, the words apart."""

    encoding: str = "utf-8"
    newline: str = "\n"
    wrap: int = 0
    rewritten: bool = False  # other markup, other headings
    page: tuple[float, float] = (420, 595)
    size: float = 11
    head: str = ""
    columns: int = 1
    underscores: bool = False
    notes: bool = False


@dataclass
class Book:
    title: str
    language: str
    slots: list[Slot]
    chapters: dict[int, str] = field(default_factory=dict)  # title before slot n
    real: Path | None = None  # an EPUB whose paragraphs the slots are

    @property
    def joint(self) -> str:
        return "" if self.language == "zh" else " "

    def sentences(self) -> Iterable[Sentence]:
        for slot in self.slots:
            for paragraph in slot:
                yield from paragraph

    def pieces(self) -> Iterable[Piece]:
        for sentence in self.sentences():
            yield from sentence.pieces


def sentences_of(text: str) -> Paragraph:
    """Return the sentences of a paragraph, by a plain rule."""
    found, at = [], 0
    for m in _SENTENCE.finditer(text):
        end = m.start() + len(m.group().rstrip())
        if text[at:end].strip():
            found.append(Sentence([Piece(text[at:end].strip())]))
        at = m.end()
    if text[at:].strip():
        found.append(Sentence([Piece(text[at:].strip())]))
    return found


def english(name: str, characters: int, *, skip: int = 0) -> Book:
    """Return a novel of the evaluation material, from its `skip`th character on."""
    text = data("longdoc", "nocha", "books", name).read_text("utf-8")[skip : skip + characters]
    return _book(text, name.split(".", maxsplit=1)[0].replace("_", " "), "en", r"(CHAPTER|[IVX]+\.)")


def chinese(characters: int, *, skip: int = 0) -> Book:
    """Return chapters of a Chinese novel."""
    text = data("longdoc", "zh-novels", "journey-to-the-west.txt").read_text("utf-8")
    return _book(text[skip : skip + characters], "西游记", "zh", r"第.{1,5}回")


def _book(text: str, title: str, language: str, heading: str) -> Book:
    book = Book(title, language, [])
    for part in re.split(r"\n\s*\n", text)[1:-1]:
        line = " ".join(part.split())
        if re.match(heading, line) and len(line) < 60:
            book.chapters[len(book.slots)] = line
        elif len(line) > 20:
            book.slots.append([sentences_of(line)])
    return book


# --- real EPUBs -----------------------------------------------------------------------------------------------------

_PLAIN = re.compile(rb"<p(?:\s[^>]*)?>([^<]{60,})</p>")


def real_epub(path: Path, language: str) -> Book:
    """Return the plain paragraphs of an EPUB as slots; what else is in it stays as it is."""
    book = Book(path.stem, language, [], real=path)
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(("html", "htm")):
                for m in _PLAIN.finditer(archive.read(name)):
                    book.slots.append([sentences_of(" ".join(html.unescape(m.group(1).decode("utf-8")).split()))])
    return book


def _write_real(book: Book, path: Path, show: Callable[[Piece], str], style: Style) -> None:
    assert book.real
    at = 0

    def slot(_: "re.Match[bytes]") -> bytes:
        nonlocal at
        at += 1
        return "\n".join(_paragraphs(book, book.slots[at - 1], show, style)).encode()

    with zipfile.ZipFile(book.real) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            raw = old.read(name)
            if name.endswith(("html", "htm")):
                raw = _PLAIN.sub(slot, raw)
                if style.rewritten:
                    raw = re.sub(rb"<(/?)h2\b", rb"<\1h3", raw)
                if style.encoding != "utf-8":
                    text = re.sub(r"<\?xml[^>]*\?>", "", raw.decode("utf-8"), count=1)
                    raw = f'<?xml version="1.0" encoding="{style.encoding}"?>{text}'.encode(style.encoding)
            new.writestr(name, raw)


def _paragraphs(book: Book, slot: Slot, show: Callable[[Piece], str], style: Style) -> list[str]:
    out = []
    for paragraph in slot:
        body = book.joint.join("".join(html.escape(show(p), quote=False) for p in s.pieces) for s in paragraph)
        if style.rewritten:
            half = len(body) // 2
            gap = body.find(" ", half)
            if gap > 0 and "&" not in body and "⟦" not in body:
                body = f"<span>{body[:gap]}</span> <span class='x'>{body[gap + 1 :]}</span>"
            out.append(f"<div class='para'><p>{body}</p></div>")
        else:
            out.append(f"<p>{body}</p>")
    return out


# --- writing --------------------------------------------------------------------------------------------------------


def plain(piece: Piece) -> str:
    return piece.text


def bracketed(piece: Piece) -> str:
    if piece.mark is None:
        return piece.text
    return OPEN.format(piece.mark) + piece.text + CLOSE.format(piece.mark)


def write(book: Book, path: Path, *, show: Callable[[Piece], str] = plain, style: Style | None = None) -> Path:
    """Write a book in the format that the path's suffix names; return the path."""
    style = style or Style()
    if book.real:
        _write_real(book, path, show, style)
        return path
    {".txt": _write_txt, ".html": _write_html, ".epub": _write_epub, ".pdf": _write_pdf}[path.suffix](
        book, path, show, style
    )
    return path


def _write_txt(book: Book, path: Path, show: Callable[[Piece], str], style: Style) -> None:
    import textwrap

    out = []
    for n, slot in enumerate(book.slots):
        if n in book.chapters:
            title = book.chapters[n]
            out.append(f"*** {title.upper()} ***" if style.rewritten else title)
        for paragraph in slot:
            line = book.joint.join("".join(show(p) for p in s.pieces) for s in paragraph)
            if style.underscores and len(BRACKETS.sub("", line)) > 90 and " " in line:
                words = line.split(" ")
                words[4] = f"_{words[4]}_"
                line = " ".join(words)
            out.append(textwrap.fill(line, style.wrap, break_on_hyphens=False) if style.wrap and book.joint else line)
    path.write_bytes(("\n\n".join(out) + "\n").replace("\n", style.newline).encode(style.encoding))


def _html_body(book: Book, show: Callable[[Piece], str], style: Style, start: int, end: int) -> str:
    out = []
    for n in range(start, end):
        if n in book.chapters:
            level = 3 if style.rewritten else 2
            out.append(f"<h{level}>{html.escape(book.chapters[n])}</h{level}>")
        out += _paragraphs(book, book.slots[n], show, style)
    return "\n".join(out)


def _write_html(book: Book, path: Path, show: Callable[[Piece], str], style: Style) -> None:
    body = _html_body(book, show, style, 0, len(book.slots))
    page = (
        f"<!DOCTYPE html><html lang='{book.language}'><head><meta charset='{style.encoding}'>"
        f"<title>{html.escape(book.title)}</title></head><body><h1>{html.escape(book.title)}</h1>\n{body}</body></html>"
    )
    path.write_bytes(page.encode(style.encoding, "xmlcharrefreplace"))


def _write_epub(book: Book, path: Path, show: Callable[[Piece], str], style: Style) -> None:
    starts = sorted({0, *book.chapters})
    if style.rewritten:  # other files: two chapters in one
        starts = starts[::2]
    ends = [*starts[1:], len(book.slots)]
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(starts))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(starts)))
    opf = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">made</dc:identifier>'
        f"<dc:title>{html.escape(book.title)}</dc:title><dc:language>{book.language}</dc:language></metadata>"
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile'
            ' full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        archive.writestr("c.opf", opf)
        for n, (start, end) in enumerate(zip(starts, ends, strict=True)):
            page = (
                f'<?xml version="1.0" encoding="{style.encoding}"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
                f"<title>{n}</title></head><body>{_html_body(book, show, style, start, end)}</body></html>"
            )
            archive.writestr(f"c{n}.xhtml", page.encode(style.encoding))


def _write_pdf(book: Book, path: Path, show: Callable[[Piece], str], style: Style) -> None:
    """Set by reportlab: justified, with running heads, page numbers and, if asked, notes between the lines' end."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate
    from reportlab.platypus import Paragraph as Set

    zh = book.language == "zh"
    font = "STSong-Light" if zh else "Times-Roman"
    if zh:
        pdfmetrics.registerFont(UnicodeCIDFont(font))
    width, height = style.page
    body = ParagraphStyle(
        "b",
        fontName=font,
        fontSize=style.size,
        leading=style.size * 1.3,
        alignment=0 if zh else 4,
        firstLineIndent=14,
        wordWrap="CJK" if zh else None,
    )
    head = ParagraphStyle("h", fontName=font, fontSize=style.size * 1.5, leading=style.size * 2, spaceBefore=12)
    flow = []
    for n, slot in enumerate(book.slots):
        if n in book.chapters:
            flow.append(Set(html.escape(book.chapters[n]), head))
        for paragraph in slot:
            line = book.joint.join("".join(show(p) for p in s.pieces) for s in paragraph)
            flow.append(Set(html.escape(line, quote=False), body))

    def decorate(canvas: object, document: object) -> None:
        canvas.setFont(font, 8)  # type: ignore[attr-defined]
        canvas.drawCentredString(width / 2, height - 30, style.head or book.title)  # type: ignore[attr-defined]
        canvas.drawCentredString(width / 2, 25, str(document.page))  # type: ignore[attr-defined]
        if style.notes and document.page % 3 == 0:  # type: ignore[attr-defined]
            note = f"{document.page} 見原書。" if zh else f"{document.page} See the remark of the editor on this page."  # type: ignore[attr-defined]
            canvas.drawString(50, 42, note)  # type: ignore[attr-defined]

    gap = 16
    each = (width - 100 - gap * (style.columns - 1)) / style.columns
    frames = [
        Frame(50 + n * (each + gap), 55, each, height - 105, id=f"f{n}", leftPadding=0, rightPadding=0)
        for n in range(style.columns)
    ]
    document = BaseDocTemplate(str(path), pagesize=style.page, title=book.title, invariant=1)
    document.addPageTemplates([PageTemplate("p", frames, onPage=decorate)])
    document.build(flow)


# --- marks ----------------------------------------------------------------------------------------------------------


def letters(text: str) -> str:
    """Return the letters and digits of a text, in NFKC: what no layout changes."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isalnum())


def mark_some(book: Book, many: int, rng: random.Random) -> None:
    """Mark sentences, parts of sentences, here and there two in a row; marks are numbered from 0."""
    long = 6 if book.language == "zh" else 14
    fit = [s for s in book.sentences() if len(letters(s.text)) >= long and s.pieces[0].mark is None]
    for number, sentence in enumerate(rng.sample(fit, min(many, len(fit)))):
        words = list(sentence.text) if book.language == "zh" else sentence.text.split(" ")
        if number % 3 or len(words) < 12:
            sentence.pieces = [Piece(sentence.text, number)]
            continue
        a = rng.randrange(1, len(words) - 7)
        b = a + rng.randrange(4, 7)
        gap = book.joint
        head, mid, tail = gap.join(words[:a]) + gap, gap.join(words[a:b]), gap + gap.join(words[b:])
        sentence.pieces = [Piece(head), Piece(mid, number), Piece(tail)]


def marks_in(book: Book) -> dict[int, Piece]:
    """Return the marked pieces that a book still holds."""
    return {p.mark: p for p in book.pieces() if p.mark is not None}


def without_brackets(text: str) -> tuple[str, dict[int, tuple[int, int]]]:
    """Return a bracketed text without brackets, and where in it each mark is."""
    out, at, length = [], 0, 0
    starts: dict[int, int] = {}
    spans = {}
    for m in BRACKETS.finditer(text):
        out.append(text[at : m.start()])
        length += m.start() - at
        at = m.end()
        if m.group(1):
            spans[int(m.group(2))] = (starts[int(m.group(2))], length)
        else:
            starts[int(m.group(2))] = length
    return "".join([*out, text[at:]]), spans
