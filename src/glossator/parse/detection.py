"""Which format a file has: by its first bytes and, for archives, its members; the suffix decides only among texts."""

import re
from pathlib import Path

from glossator.errors import DamagedFile, SourceError, UnsupportedFormat
from glossator.parse.archive import Archive, open_archive
from glossator.sources.files import readable, shown

FORMATS = ("epub", "pdf", "html", "docx", "fb2", "markdown", "text")

HEAD = 4096
PDF_HEADER_WITHIN = 1024  # PDF 32000-1, annex H.3.4.1: readers accept the header within the first 1024 bytes

_SUFFIXES = {
    ".epub": "epub",
    ".pdf": "pdf",
    ".docx": "docx",
    ".fb2": "fb2",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mkd": "markdown",
    ".txt": "text",
    ".text": "text",
}
_NEEDS_SIGNATURE = {"epub", "pdf", "docx"}  # a file without the signature is no such file, whatever its name

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHER_KINDS = (
    (_OLE, "an old Office file (.doc, .xls, .ppt)", "save it as .docx or PDF"),
    (b"{\\rtf", "a rich text file", "save it as .docx or PDF"),
    (b"AT&TFORM", "a DjVu file", "convert it to PDF"),
    (b"\x1f\x8b", "a gzip archive", "unpack it first"),
    (b"Rar!", "a RAR archive", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
    (b"\x89PNG", "an image", "images hold no text to read"),
    (b"\xff\xd8\xff", "an image", "images hold no text to read"),
    (b"GIF8", "an image", "images hold no text to read"),
    (b"%!PS", "a PostScript file", "convert it to PDF"),
    (b"SQLite format 3", "a database", "export what you want to read as text"),
    (b"\x7fELF", "a program", "it holds no text to read"),
    (b"MZ\x90", "a program", "it holds no text to read"),
)
_ZIP_KINDS = (
    ("application/vnd.oasis.opendocument", "an OpenDocument file", "save it as .docx or PDF"),
    ("xl/workbook.xml", "a spreadsheet", "export it as text, HTML or PDF"),
    ("ppt/presentation.xml", "a presentation", "export it as PDF"),
)
_CONTROLS_OF_TEXT = {9, 10, 12, 13, 14, 15, 26, 27}  # white space, the shifts and escape of ISO 2022, end of file
_FICTION_BOOK = re.compile(r"<(?:\w+:)?FictionBook[\s>]")
_HTML = re.compile(
    r"^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE | re.DOTALL
)


def detect_builtin(path: Path) -> str:
    """Return the built-in format of a file; raises what `glossator.parse.detect` says."""
    head = _head(path)
    suffix = _SUFFIXES.get(path.suffix.lower())
    if b"%PDF-" in head[:PDF_HEADER_WITHIN]:
        return "pdf"
    if head.startswith(b"PK\x03\x04") or head.startswith(b"PK\x05\x06"):
        return _zip_format(path, suffix)
    if suffix == "docx" and head.startswith(_OLE):
        return "docx"  # locked, or an old file under a new name: its reader tells
    _refuse_other_kinds(path, head)
    if suffix in _NEEDS_SIGNATURE:
        raise DamagedFile(
            f"{shown(path)}: its name says {suffix}, its content does not",
            hint="the file is damaged or has the wrong name; get it again, or give it its true suffix",
        )
    text = _as_text(head)
    if text is None:
        raise UnsupportedFormat(
            f"{shown(path)}: its content is neither text nor a format that is read here",
            hint=f"the formats are {', '.join(FORMATS)}",
        )
    if _FICTION_BOOK.search(text):
        return "fb2"
    if _HTML.match(text):
        return "html"
    return suffix or "text"


def _head(path: Path) -> bytes:
    with readable(path), path.open("rb") as file:
        head = file.read(HEAD)
    if not head:
        raise DamagedFile(f"{shown(path)}: the file is empty", hint="get the file again")
    return head


def _zip_format(path: Path, suffix: str | None) -> str:
    with open_archive(path) as archive:
        names = list(archive.names)
        mimetype = _mimetype(archive)
    found = _zip_content(names, mimetype)
    if found:
        return found
    for mark, kind, hint in _ZIP_KINDS:
        if mimetype.startswith(mark) or mark in names:
            raise UnsupportedFormat(f"{shown(path)}: {kind} is not read here", hint=hint)
    if suffix in ("epub", "docx"):
        return suffix  # its reader says what is missing
    raise UnsupportedFormat(f"{shown(path)}: an archive without a document that is read here", hint="unpack it first")


def _mimetype(archive: Archive) -> str:
    try:
        return archive.read("mimetype")[:100].decode("latin-1") if "mimetype" in archive else ""
    except SourceError:
        return ""  # the other members tell


def _zip_content(names: list[str], mimetype: str) -> str | None:
    lower = {name.lower() for name in names}
    if mimetype.strip() == "application/epub+zip" or "meta-inf/container.xml" in lower:
        return "epub"
    if "word/document.xml" in lower:
        return "docx"
    if any(name.endswith(".opf") for name in lower):
        return "epub"
    if "[content_types].xml" in lower and any(name.startswith("word/") for name in lower):
        return "docx"
    if len(names) == 1 and names[0].lower().endswith(".fb2"):
        return "fb2"
    return None


def _refuse_other_kinds(path: Path, head: bytes) -> None:
    for signature, kind, hint in _OTHER_KINDS:
        if head.startswith(signature):
            raise UnsupportedFormat(f"{shown(path)}: {kind} is not read here", hint=hint)
    if head[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        raise UnsupportedFormat(f"{shown(path)}: MOBI and AZW files are not read here", hint="convert it to EPUB")


def _as_text(head: bytes) -> str | None:
    """Return the beginning as text for looking at, or None when no text has such bytes; the readers decode properly."""
    for mark, encoding in (
        (b"\xff\xfe\0\0", "utf-32"),
        (b"\0\0\xfe\xff", "utf-32"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if head.startswith(mark):
            return head.decode(encoding, "replace")
    zeros = head.count(0)
    if zeros:
        return _wide(head) if zeros >= len(head) / 4 else None
    controls = sum(head.count(c) for c in range(32) if c not in _CONTROLS_OF_TEXT)
    if controls > len(head) / 50:
        return None
    return head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def _wide(head: bytes) -> str | None:
    """Return UTF-16 or UTF-32 text without a byte order mark, told by which bytes of a unit are zero."""
    for width, offsets in ((4, {"utf-32-be": 0, "utf-32-le": 3}), (2, {"utf-16-be": 0, "utf-16-le": 1})):
        whole = head[: len(head) // width * width]
        for encoding, offset in offsets.items():
            high = whole[offset::width]
            if high.count(0) > 0.5 * len(high):
                return whole.decode(encoding, "replace")
    return None
