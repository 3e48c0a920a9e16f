"""FictionBook 2 files, plain or zipped: bodies, sections, poems and notes as XHTML.

Notes (`<body name="notes">`) become notes of the document, named by the id that their calls lead to. Pictures give
their alternative text. A file that is not well-formed is repaired where that is certain (bare `&`, entities of HTML);
if that does not do, it is read with libxml2's recovery, and the report says so.

Source: the FictionBook 2.1 schema (gribuser.ru/xml/fictionbook/2.0).
"""

import re
from html import entities
from pathlib import Path

from lxml import etree

from glossator.document.model import Metadata, ParseReport
from glossator.errors import DamagedFile
from glossator.parse.archive import open_archive
from glossator.parse.assembly import assemble
from glossator.parse.encoding import Decoded, declared_encoding, decode
from glossator.parse.fb2_body import Element, children, find, pieces, text_of
from glossator.parse.html import local_name
from glossator.parse.language import guess_language
from glossator.parse.publication import Reflowable, parser_name
from glossator.parse.text import read_limited, title_of_stem
from glossator.sources.files import shown

MAX_BYTES = 64 << 20
_REPAIRED_CONFIDENCE = 0.9

_ZIP = b"PK\x03\x04"
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.DOTALL)
_BINARY = re.compile(r"<binary\b[^>]*(?:/>|>.*?</binary\s*>)", re.DOTALL)  # pictures, in base64
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_BARE = re.compile(r"&(?!#?\w+;)")
_XML_NAMES = {"amp", "lt", "gt", "quot", "apos"}


def read(path: Path) -> Reflowable:
    """Return the publication in a FictionBook file.

    Raises:
        DamagedFile: there is no FictionBook in it.
        LimitExceeded: it is larger, or packed tighter, than the limits allow.
        SourceError: it cannot be read.
    """
    data = _data(path)
    decoded = decode(data, declared_encoding(data))
    root, repaired = _parsed(decoded, path)
    metadata = _metadata(root, path)
    parts, navigation = assemble(list(pieces(root)), metadata)
    reasons = ("the file is not well-formed; a little of its text may be lost",) if repaired else ()
    report = ParseReport(
        parser=parser_name("fb2"),
        confidence=_REPAIRED_CONFIDENCE if repaired else 1.0,
        reasons=reasons,
        warnings=(f"{decoded.undecodable} bytes could not be decoded",) if decoded.undecodable else (),
    )
    return Reflowable(format="fb2", metadata=metadata, parts=parts, navigation=navigation, report=report)


def _data(path: Path) -> bytes:
    data = read_limited(path, MAX_BYTES)
    if not data.startswith(_ZIP):
        return data
    with open_archive(path) as archive:
        books = [n for n in archive.names if n.lower().endswith(".fb2")]
        if len(books) != 1:
            raise DamagedFile(
                f"{shown(path)}: holds {len(books) or 'no'} FictionBook files",
                hint="unpack it and add the books in it one by one",
            )
        return archive.read(books[0])


def _parsed(decoded: Decoded, path: Path) -> tuple[Element, bool]:
    """Return (the root, whether characters may have been lost in repairing it)."""
    text = _DOCTYPE.sub("", _DECLARATION.sub("", decoded.text, count=1), count=1)
    text = _ILLEGAL.sub("", _BINARY.sub("", text))
    for attempt, repaired in ((text, False), (_BARE.sub("&amp;", _NAMED.sub(_character, text)), False), (text, True)):
        try:
            root = etree.fromstring(attempt.encode(), _parser(recover=repaired))
        except etree.XMLSyntaxError:
            continue
        if root is not None and local_name(root) == "fictionbook":
            return root, repaired
    raise DamagedFile(f"{shown(path)}: this is no readable FictionBook file", hint="get a new copy of the file")


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


def _character(match: re.Match[str]) -> str:
    name = match[1]
    return match[0] if name in _XML_NAMES else entities.html5.get(f"{name};", match[0])


# --- metadata -------------------------------------------------------------------------------------------------------


def _metadata(root: Element, path: Path) -> Metadata:
    info = find(root, "description", "title-info")
    publication = find(root, "description", "publish-info")
    language = text_of(find(info, "lang"))
    isbn, identifier = text_of(find(publication, "isbn")), text_of(find(root, "description", "document-info", "id"))
    date = find(info, "date")
    return Metadata(
        title=text_of(find(info, "book-title")) or title_of_stem(shown(path.stem).removesuffix(".fb2")),
        authors=tuple(filter(None, map(_name, children(info, "author")))),
        language=language or guess_language(" ".join(text_of(body) for body in children(root, "body"))),
        published=text_of(find(publication, "year"))
        or (date is not None and date.get("value"))
        or text_of(date)
        or None,
        identifiers=tuple((scheme, value) for scheme, value in (("isbn", isbn), ("fb2", identifier)) if value),
    )


def _name(author: Element) -> str:
    parts = [text_of(find(author, part)) for part in ("first-name", "middle-name", "last-name")]
    return " ".join(filter(None, parts)) or text_of(find(author, "nickname"))
