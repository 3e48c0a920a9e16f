"""Calibre's `metadata.opf`, alone or beside a book."""

from pathlib import Path
from typing import TYPE_CHECKING

from glossator.document.model import clean
from glossator.errors import DamagedFile
from glossator.library.exchange.references import Reference, identifiers_of
from glossator.sources.files import SUFFIXES, uri_of

if TYPE_CHECKING:
    from lxml import etree

NAME = "metadata.opf"
LARGEST = 4 << 20  # bytes; covers are not inside
_FACTS = {"publisher": "publisher", "description": "abstract", "rights": "rights"}
_CALIBRE = {"calibre:series": "collection-title", "calibre:series_index": "collection-number"}


def beside(source: str) -> Reference | None:
    """Return what a `metadata.opf` in the folder of a file says of it; None without one, or if it may be of others.

    It is of all formats of one book, which Calibre gives one name. A folder with several books has none that counts,
    and one that cannot be read is no reason not to add the book.
    """
    path = Path(source).parent / NAME
    if source.startswith(("http://", "https://")) or not path.is_file():
        return None
    try:
        books = {p.name.split(".")[0] for p in path.parent.iterdir() if p.name.lower().endswith(SUFFIXES)}
        if len(books) != 1 or path.stat().st_size > LARGEST:
            return None
        return reference_of_opf(path.read_bytes(), path)
    except (OSError, DamagedFile):
        return None


def reference_of_opf(data: bytes, path: Path) -> Reference:
    """Return what OPF says of its book.

    Raises:
        DamagedFile: it is not well-formed, or no OPF.
    """
    from glossator.parse.epub_package import read_package
    from glossator.parse.html import parse_xml

    root = parse_xml(data)
    if root is None or not str(root.tag).endswith("package"):
        raise DamagedFile(f"{path}: this is no OPF that can be read; nothing was imported", hint="export it again")
    metadata = read_package(root, str(path.name), title="").metadata
    details = {csl: text for name, csl in _FACTS.items() if (text := _first(root, name))}
    details |= {csl: text for name, csl in _CALIBRE.items() if (text := _meta(root, name))}
    return Reference(
        name=f"“{metadata.title or path.name}”",
        title=metadata.title or None,
        authors=_authors(root) or metadata.authors,
        language=metadata.language,
        published=metadata.published,
        identifiers=identifiers_of(metadata.identifiers),
        tags=tuple(dict.fromkeys(t for e in _all(root, "subject") if (t := _text(e)))),
        folder=uri_of(path.parent),
        details=details,
    )


def _authors(root: "etree._Element") -> tuple[str, ...]:
    """Return the creators whose role is author, where roles are told."""
    creators = [
        (e, next((str(v) for k, v in e.attrib.items() if str(k).endswith("role")), "aut"))
        for e in _all(root, "creator")
    ]
    return tuple(dict.fromkeys(t for e, role in creators if role == "aut" and (t := _text(e))))


def _all(root: "etree._Element", name: str) -> "list[etree._Element]":
    return [e for e in root.iter("*") if str(e.tag).rpartition("}")[2] == name and "purl.org/dc" in str(e.tag)]


def _first(root: "etree._Element", name: str) -> str:
    return next((t for e in _all(root, name) if (t := _text(e))), "")


def _meta(root: "etree._Element", name: str) -> str:
    found = (e.get("content") for e in root.iter("*") if str(e.tag).endswith("meta") and e.get("name") == name)
    return clean(next(filter(None, found), "")).strip()


def _text(element: "etree._Element") -> str:
    return " ".join(clean("".join(str(t) for t in element.itertext())).split())
