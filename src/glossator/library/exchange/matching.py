"""Which document another program means: by hash, path, identifier, or a title as it writes it.

A title counts with and without subtitle, series in brackets and a moved article; a file's name counts as a title, too.
Where several documents fit, authors tell them apart. What is still undecided is returned as it is: callers say so.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath, PureWindowsPath
from urllib.parse import unquote, urlsplit

import apsw

from glossator.document.fold import fold
from glossator.store import documents as stored
from glossator.store.documents import StoredDocument

SHORTEST = 2  # folded characters of a title without subtitle that may stand for the whole
_BRACKETS = re.compile(r"\s*[(（\[【〔][^()（）\[\]【】〔〕]*[)）\]】〕]")
_SUBTITLE = re.compile(r"\s*(?:[:：;；]|\s[-–—|]\s|——|･|・\s).*", re.DOTALL)
_MOVED = re.compile(r"^(.*), (the|a|an|der|die|das|le|la|les|el|los|las|il)$", re.IGNORECASE | re.DOTALL)
_ARTICLE = re.compile(r"^(the|a|an)\s+", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+")


@dataclass(frozen=True, slots=True)
class Shelf:
    """The documents of a library with the names they may go by."""

    documents: tuple[StoredDocument, ...]
    full: dict[str, list[StoredDocument]]
    short: dict[str, list[StoredDocument]]


def shelf_of(c: apsw.Connection) -> Shelf:
    """Return the documents of the library."""
    documents = tuple(stored.list_documents(c))
    full: dict[str, list[StoredDocument]] = {}
    short: dict[str, list[StoredDocument]] = {}
    for d in documents:
        names = {d.title, *(stem_of(uri) for uri in d.sources)}
        for name in names:
            _note(full, title_key(name), d)
            _note(short, title_key(without_subtitle(name)), d)
    return Shelf(documents, full, short)


def by_title(shelf: Shelf, titles: Sequence[str], authors: str = "") -> list[StoredDocument]:
    """Return the documents that one of some titles means, the first that means any; of several those of the author."""
    for title in titles:
        exact = shelf.full.get(title_key(title), [])
        brief = shelf.short.get(title_key(without_subtitle(title)), [])
        for found in (exact, brief):
            if found:
                return _by_author(found, authors)
    return []


def by_identifiers(shelf: Shelf, identifiers: Iterable[tuple[str, str]]) -> list[StoredDocument]:
    """Return the documents that have one of some DOIs or ISBNs."""
    wanted = {k for pair in identifiers if (k := identifier_key(*pair))}
    return [d for d in shelf.documents if wanted & {identifier_key(*pair) for pair in d.identifiers}]


def by_path(shelf: Shelf, paths: Sequence[str]) -> list[StoredDocument]:
    """Return the documents read from one of some files: by the whole path, else by a file name that only one has."""
    plain = [p.replace("\\", "/").rstrip("/") for p in paths]
    exact = [d for d in shelf.documents if set(plain) & set(d.sources)]
    if exact:
        return exact
    names = {n for p in plain if (n := PurePath(p).name)}
    named = [d for d in shelf.documents if names & {PurePath(s).name for s in d.sources}]
    return named if len(named) == 1 else []


def by_address(shelf: Shelf, address: str) -> list[StoredDocument]:
    """Return the documents read from a URL, a file URL or a path, without regard to its fragment."""
    parts = urlsplit(address)
    if parts.scheme == "file":
        return by_path(shelf, [unquote(parts.path)])
    if parts.scheme in ("http", "https"):
        wanted = _plain_url(address)
        return [d for d in shelf.documents if any(_plain_url(s) == wanted for s in d.sources)]
    return by_path(shelf, [address])


def title_key(title: str) -> str:
    """Return what of a title tells it from others: letters and digits, folded, the article where it belongs."""
    moved = _MOVED.match(title.strip())
    plain = f"{moved[2]} {moved[1]}" if moved else title
    return fold(_ARTICLE.sub("", plain.strip())).text


def without_subtitle(title: str) -> str:
    """Return a title without subtitle and without what stands in brackets; the whole where too little would be left."""
    bare = _BRACKETS.sub("", title).strip()
    brief = _SUBTITLE.sub("", bare).strip()
    for name in (brief, bare):
        if len(title_key(name)) >= SHORTEST:
            return name
    return title


def identifier_key(scheme: str, value: str) -> str | None:
    """Return a DOI or ISBN in the one form in which it can be compared; None for other identifiers."""
    scheme = scheme.partition("-")[0].lower()
    if scheme == "doi" or (scheme in ("url", "uri", "id", "identifier") and "doi.org/" in value):
        found = _DOI.search(value)
        return "doi:" + found[0].rstrip(".,;").lower() if found else None
    if scheme == "isbn":
        digits = re.sub(r"[^0-9Xx]", "", value).upper()
        return "isbn:" + _isbn13(digits) if len(digits) in (10, 13) else None
    return None


def stem_of(uri: str) -> str:
    """Return the name of a file without its last suffix; "" for a page of the web."""
    if uri.startswith(("http://", "https://")):
        return ""
    return PureWindowsPath(uri).stem


def _isbn13(digits: str) -> str:
    if len(digits) == 13:
        return digits
    body = "978" + digits[:9]
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(body)) if body.isdigit() else 0
    return body + str(-total % 10)


def _by_author(found: list[StoredDocument], authors: str) -> list[StoredDocument]:
    if len(found) < 2 or not authors:
        return found
    wanted = name_parts([authors])
    alike = [d for d in found if wanted & name_parts(d.authors)]
    return alike or found


def name_parts(names: Sequence[str]) -> set[str]:
    """Return the parts of some names, folded, without initials."""
    parts = {fold(p).text for name in names for p in re.split(r"[\s,;；，、·・.&]+", name)}
    return {p for p in parts if len(p) > 1}


def _plain_url(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.netloc.lower().removeprefix('www.')}{unquote(parts.path).rstrip('/')}?{parts.query}"


def _note(index: dict[str, list[StoredDocument]], key: str, document: StoredDocument) -> None:
    if key and document not in index.setdefault(key, []):
        index[key].append(document)
