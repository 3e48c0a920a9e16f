"""EPUB 2 and 3 to a publication, from whole and from damaged files.

What can be read is read, and what could not is said in the report: a missing container file, parts that are not there
or not well-formed, entries of the contents that lead nowhere. What may not be read is refused with its reason: digital
rights management (font obfuscation is none), and archives built to fill the memory.

Known limits: printed page numbers (`page-list`) are not kept; of several renditions the first is read.
"""

import posixpath
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from glossator.document.model import ParseReport
from glossator.errors import DamagedFile, EncryptedFile
from glossator.parse.archive import Archive, open_archive
from glossator.parse.epub_contents import entries_of_navigation, entries_of_ncx, navigation_of
from glossator.parse.epub_package import Item, Package, read_package, resolve
from glossator.parse.html import canonical, local_name, parse_xml
from glossator.parse.publication import NavPoint, Part, Reflowable, parser_name
from glossator.sources.files import shown

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_OBFUSCATION = {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}
_LICENCES = {
    "META-INF/license.lcpl": "Readium LCP",
    "META-INF/rights.xml": "Adobe ADEPT",
    "META-INF/sinf.xml": "Apple FairPlay",
}
_PAGES = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "image/svg+xml"}
_PAGE_SUFFIXES = (".xhtml", ".html", ".htm", ".xht", ".svg")
_NCX = "application/x-dtbncx+xml"
_MOST_FALLBACKS = 10
_MOST_REPEATS = 10  # of one item in the spine; no book needs more, and each is parsed again


@dataclass(slots=True)
class _Book:
    """An open book: its archive, and what was odd about it so far."""

    path: Path
    archive: Archive
    files: dict[str, str]  # folded path -> name in the archive
    warnings: list[str] = field(default_factory=list)
    instead: dict[str, str] = field(default_factory=dict)  # what the spine names -> the fallback that was read
    lost: int = 0  # parts that could not be read
    ragged: int = 0  # parts that are not well-formed

    def find(self, path: str | None) -> str | None:
        """Return the archive's name of a path, whatever its letter case, Unicode form and percent-encoding."""
        if not path:
            return None
        path = posixpath.normpath(path).lstrip("/")
        return path if path in self.archive else self.files.get(_folded(path))


def read(path: Path) -> Reflowable:
    """Return the publication in an EPUB file.

    Raises:
        DamagedFile: it is no ZIP archive, or nothing in it says which parts make the book.
        EncryptedFile: it is locked by DRM or a password; the message says by which.
        LimitExceeded: it unpacks to more than a book may.
    """
    with open_archive(path) as archive:
        book = _book_in(archive, path)
        package = _package(book)
        _refuse_locked(book, package)
        parts = _parts(book, package)
        navigation = _navigation(book, package, parts)
    total = len(parts) + book.lost
    reasons = (f"{book.lost} of {total} parts are missing or cannot be read",) if book.lost else ()
    if book.ragged:
        book.warnings.append(f"{book.ragged} of {total} parts are not well-formed XHTML; they were read as HTML")
    return Reflowable(
        format="epub",
        metadata=package.metadata,
        parts=parts,
        navigation=navigation,
        report=ParseReport(
            parser=parser_name("epub"),
            confidence=round(1.0 - book.lost / total, 3) if total else 0.0,
            reasons=reasons,
            warnings=tuple(dict.fromkeys(book.warnings)),
        ),
    )


def _book_in(archive: Archive, path: Path) -> _Book:
    names = list(reversed(archive.names))
    return _Book(path, archive, {_folded(unquote(name)): name for name in names} | {_folded(n): n for n in names})


# --- package --------------------------------------------------------------------------------------------------------


def _package(book: _Book) -> Package:
    for name in _package_names(book):
        root = _xml(book, name)
        if root is not None and any(local_name(el) in ("manifest", "spine") for el in root.iter("*")):
            return read_package(root, name, title=shown(book.path.stem))
    raise DamagedFile(
        f"{shown(book.path)}: no package document (.opf) says which parts make the book",
        hint="the file is incomplete or no EPUB; get a complete copy",
    )


def _package_names(book: _Book) -> list[str]:
    """Return the package documents: the one the container names, then all others by their suffix."""
    named: list[str] = []
    container = book.find(_CONTAINER)
    root = None if container is None else _xml(book, container)
    for el in () if root is None else root.iter("*"):
        if local_name(el) == "rootfile" and (name := book.find(el.get("full-path"))):
            named.append(name)
    if not named:
        book.warnings.append(f"{_CONTAINER} does not name the package document; it was found by its suffix")
    others = [n for n in book.archive.names if n.lower().endswith(".opf") and not n.startswith("__MACOSX/")]
    return list(dict.fromkeys([*named, *sorted(others, key=lambda n: (n.count("/"), n))]))


def _xml(book: _Book, name: str) -> etree._Element | None:
    """Return a document of the book's machinery, mended if need be; None, with a warning, if it is beyond that."""
    try:
        data = book.archive.read(name)
    except DamagedFile as error:
        book.warnings.append(error.message)
        return None
    root = parse_xml(data)
    if root is not None:
        return root
    root = parse_xml(data, recover=True)
    book.warnings.append(f"{name!r} is damaged; {'parts of it were' if root is not None else 'nothing of it was'} read")
    return root


# --- locks ----------------------------------------------------------------------------------------------------------


def _refuse_locked(book: _Book, package: Package) -> None:
    """Raise for books whose text is encrypted. A licence file alone locks nothing, and is only mentioned."""
    texts = {
        name for idref, _ in package.spine if (item := package.items.get(idref)) and (name := book.find(item.href))
    }
    licence = next((owner for name, owner in _LICENCES.items() if book.find(name)), None)
    for name, algorithm in _encrypted(book).items():
        if name in texts and algorithm not in _FONT_OBFUSCATION and (algorithm or not _is_markup(book, name)):
            raise _locked(book, licence or f"the algorithm {algorithm or 'unknown'}")
    if licence is None:
        return
    first = next((name for name in sorted(texts) if name.lower().endswith(_PAGE_SUFFIXES)), None)
    if first is not None and not _is_markup(book, first):
        raise _locked(book, licence)
    book.warnings.append(f"it carries a licence of {licence}, but its text is not encrypted")


def _is_markup(book: _Book, name: str) -> bool:
    return b"<" in book.archive.read(name)[:1024].replace(b"\0", b"")


def _locked(book: _Book, lock: str) -> EncryptedFile:
    return EncryptedFile(
        f"{shown(book.path)}: its text is encrypted by DRM ({lock})",
        hint="get a copy without DRM from the shop or library; locked books cannot be read here",
    )


def _encrypted(book: _Book) -> dict[str, str]:
    """Return the encrypted files by name, with the algorithm. Source: OCF 3.3, section 4.2.6.3.2."""
    found: dict[str, str] = {}
    name = book.find(_ENCRYPTION)
    root = None if name is None else _xml(book, name)
    for data in () if root is None else root.iter("*"):
        if local_name(data) != "encrypteddata":
            continue
        inside = {local_name(el): el for el in reversed(list(data.iter("*")))}
        method, reference = inside.get("encryptionmethod"), inside.get("cipherreference")
        target = None if reference is None else book.find(reference.get("URI"))
        if target is not None:
            found[target] = ("" if method is None else method.get("Algorithm")) or ""
    return found


# --- parts ----------------------------------------------------------------------------------------------------------


def _parts(book: _Book, package: Package) -> tuple[Part, ...]:
    spine = package.spine
    if not spine:
        book.warnings.append("the package has no spine; its pages were read in the order of the manifest")
        pages = [item.id for item in package.items.values() if _is_page(item) and "nav" not in item.properties]
        spine = tuple((id, f"/6/{2 * n}") for n, id in enumerate(pages, 1))
    parts: list[Part] = []
    times: Counter[str] = Counter()
    for idref, cfi in spine:
        item = package.items.get(idref)
        if item is None:
            book.warnings.append(f"the spine names {idref!r}, which the manifest does not have")
            book.lost += 1
            continue
        times[idref] += 1
        if times[idref] > _MOST_REPEATS:
            book.warnings.append(f"the spine repeats {idref!r} more than {_MOST_REPEATS} times; the rest was left out")
            continue
        part = _part(book, package, item, cfi)
        if part is None:
            continue
        parts.append(part)
    return tuple(parts)


def _part(book: _Book, package: Package, item: Item, cfi: str) -> Part | None:
    page = _shown_instead(package, item)
    name = book.find(page.href)
    if name is None:
        what = "leads outside the archive" if page.href is None else f"{page.href!r} is not in the archive"
        book.warnings.append(f"spine item {item.id!r}: {what}")
        book.lost += 1
        return None
    if page is not item and (original := book.find(item.href)):
        book.instead[original] = name
    if page.media_type.startswith("image/") and not _is_page(page):
        root, _ = canonical(_picture_page(name))
        return Part(href=name, root=root, cfi=cfi)
    try:
        data = book.archive.read(name)
    except DamagedFile as error:
        book.warnings.append(error.message)
        book.lost += 1
        return None
    if not _is_page(page) and b"<" not in data[:1024]:
        book.warnings.append(f"spine item {item.id!r} is of the kind {page.media_type!r}, which holds no readable text")
        return None
    root, how = canonical(data)
    book.ragged += how == "html5"
    return Part(href=name, root=root, cfi=cfi)


def _shown_instead(package: Package, item: Item) -> Item:
    """Follow the chain of fallbacks to a page that can be read; without one the item itself is returned."""
    at = item
    for _ in range(_MOST_FALLBACKS):
        if _is_page(at):
            return at
        after = package.items.get(at.fallback or "")
        if after is None:
            break
        at = after
    return item


def _is_page(item: Item) -> bool:
    return item.media_type in _PAGES or (item.href or "").lower().endswith(_PAGE_SUFFIXES)


def _picture_page(name: str) -> str:
    source = posixpath.basename(name).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head/><body><img src="{source}" alt=""/></body></html>'


# --- cover ----------------------------------------------------------------------------------------------------------


def covers(archive: Archive, path: Path) -> Iterator[bytes]:
    """Yield the files that may be the cover, the likeliest first: what the package names, then the first part's own.

    Raises:
        DamagedFile: nothing in the archive says which parts make the book.
    """
    book = _book_in(archive, path)
    package = _package(book)
    opening = [item.href for idref, _ in package.spine[:1] if (item := package.items.get(idref))]
    for href in (*package.covers, *opening):
        name = book.find(href)
        data = b"" if name is None else _bytes(book, name)
        if name is not None and b"<" in data[:1024] and name.lower().endswith(_PAGE_SUFFIXES):
            yield from (_bytes(book, picture) for picture in _pictures(book, name, data))
        elif data:
            yield data


def _pictures(book: _Book, name: str, page: bytes) -> Iterator[str]:
    root, _ = canonical(page)
    for el in root.iter("{*}img", "{*}image"):
        source = el.get("src") or next((v for k, v in el.attrib.items() if str(k).rpartition("}")[2] == "href"), "")
        if found := book.find(resolve(posixpath.dirname(name), str(source))):
            yield found


def _bytes(book: _Book, name: str) -> bytes:
    try:
        return book.archive.read(name)
    except DamagedFile:  # the next one may be whole
        return b""


# --- contents -------------------------------------------------------------------------------------------------------


def _navigation(book: _Book, package: Package, parts: tuple[Part, ...]) -> tuple[NavPoint, ...]:
    spines = {part.href: n for n, part in reversed(list(enumerate(parts)))}

    def spine_of(path: str) -> int | None:
        name = book.find(path) or ""
        return spines.get(book.instead.get(name, name))

    document = next((i for i in package.items.values() if "nav" in i.properties), None)
    name = book.find(document.href) if document else None
    if name is not None:
        root, _ = canonical(book.archive.read(name))
        entries = entries_of_navigation(root)
        if found := navigation_of(entries, name, spine_of):
            return _counted(book, found, len(entries))
    ncx = package.items.get(package.toc or "") or next(
        (i for i in package.items.values() if i.media_type == _NCX), None
    )
    name = book.find(ncx.href) if ncx else None
    root_ncx = None if name is None else _xml(book, name)
    if name is None or root_ncx is None:
        return ()
    entries = entries_of_ncx(root_ncx)
    return _counted(book, navigation_of(entries, name, spine_of), len(entries))


def _counted(book: _Book, found: tuple[NavPoint, ...], entries: int) -> tuple[NavPoint, ...]:
    if len(found) < entries:
        book.warnings.append(f"{entries - len(found)} of {entries} entries of the contents lead nowhere")
    return found


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
