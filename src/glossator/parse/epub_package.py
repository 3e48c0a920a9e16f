"""The package document of an EPUB, version 2 or 3: metadata, manifest, spine.

Source: EPUB 3.3, section 5; Open Packaging Format 2.0.1. Written for what books contain, not for what is allowed: names
are looked up without namespace prefixes and case, what is missing is left out.
"""

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from lxml import etree

from glossator.document.cfi import element_path, unique_ids
from glossator.document.model import Metadata
from glossator.parse.flow import plain
from glossator.parse.html import local_name

_ISBN = re.compile(r"(?:97[89])?\d{9}[\dX]$")
_URN = re.compile(r"^(?:urn:)?(isbn|issn|uuid|doi)[:\s]\s*", re.IGNORECASE)
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$")
_ONIX = {"02": "isbn", "15": "isbn", "06": "doi"}  # ONIX code list 5, in EPUB 3's `identifier-type`
_LONG_CODES = {
    "eng": "en", "chi": "zh", "zho": "zh", "ger": "de", "deu": "de", "fre": "fr", "fra": "fr", "spa": "es",
    "ita": "it", "jpn": "ja", "kor": "ko", "rus": "ru", "por": "pt", "dut": "nl", "nld": "nl", "lat": "la",
}  # fmt: skip
_NO_LANGUAGE = {"und", "zxx", "mul", "mis"}
_NO_DATE = "0101-01-01"  # what calibre writes when nobody knows


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A file of the manifest. `href` is its path in the archive, percent-decoded, or None when it leads outside."""

    id: str
    href: str | None
    media_type: str
    properties: frozenset[str]
    fallback: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """What the package document says. `spine` holds (idref, CFI of the itemref) in reading order."""

    metadata: Metadata
    items: dict[str, Item]
    spine: tuple[tuple[str, str], ...]
    toc: str | None  # id of the NCX
    covers: tuple[str, ...] = ()  # paths of pictures, or of pages with one, that are said to be the cover; best first


def read_package(root: etree._Element, path: str, *, title: str) -> Package:
    """Return the package whose document is `root`, at `path` in the archive; `title` is for books without one."""
    folder = posixpath.dirname(path)
    items: dict[str, Item] = {}
    spine: list[tuple[str, str]] = []
    toc = None
    ids = unique_ids(root)
    for el in root.iter("*"):
        name = local_name(el)
        if name == "item" and el.get("id"):
            item = _item(el, folder)
            items.setdefault(item.id, item)
        elif name == "spine":
            toc = el.get("toc")
        elif name == "itemref":
            spine.append((el.get("idref") or "", element_path(el, ids=ids)))
    return Package(
        metadata=_metadata(root, title), items=items, spine=tuple(spine), toc=toc, covers=_covers(root, items, folder)
    )


def resolve(folder: str, href: str) -> str | None:
    """Return the path in the archive that a relative reference means, or None when it leads outside it."""
    try:
        parts = urlsplit(href.strip())
    except ValueError:
        return None
    if parts.scheme or parts.netloc or not parts.path:
        return None
    path = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
    return None if path == ".." or path.startswith(("../", "/")) else path


def _item(el: etree._Element, folder: str) -> Item:
    return Item(
        id=el.get("id") or "",
        href=resolve(folder, el.get("href") or ""),
        media_type=(el.get("media-type") or "").strip().lower(),
        properties=frozenset((el.get("properties") or "").split()),
        fallback=el.get("fallback"),
    )


def _covers(root: etree._Element, items: dict[str, Item], folder: str) -> tuple[str, ...]:
    """Return what is said to be the cover: by EPUB 3's property, EPUB 2's meta (an id, or a path), the guide."""
    named = [el.get("content") or "" for el in root.iter("{*}meta") if el.get("name") == "cover"]
    guided = [el.get("href") or "" for el in root.iter("{*}reference") if (el.get("type") or "").lower() == "cover"]
    found = [
        *(item.href for item in items.values() if "cover-image" in item.properties),
        *(items[name].href if name in items else resolve(folder, name) for name in named),
        *(resolve(folder, href) for href in guided),
    ]
    return tuple(dict.fromkeys(path for path in found if path))


# --- metadata -------------------------------------------------------------------------------------------------------


def _metadata(root: etree._Element, title: str) -> Metadata:
    refined = _refinements(root)
    return Metadata(
        title=_title(root, refined) or title,
        authors=tuple(dict.fromkeys(t for t in (_content(e) for e in _dublin_core(root, "creator")) if t)),
        language=next(filter(None, (language_tag(_content(e)) for e in _dublin_core(root, "language"))), None),
        published=_published(root),
        identifiers=_identifiers(root, refined),
    )


def _dublin_core(root: etree._Element, name: str) -> list[etree._Element]:
    return [e for e in root.iter("*") if local_name(e) == name and "purl.org/dc/elements" in str(e.tag)]


def _content(el: etree._Element) -> str:
    return plain("".join(str(t) for t in el.itertext()))


def _refinements(root: etree._Element) -> dict[tuple[str, str], str]:
    """Return EPUB 3's `meta refines` as (id, property) -> value."""
    return {
        ((el.get("refines") or "").lstrip("#"), el.get("property") or ""): _content(el)
        for el in root.iter("*")
        if local_name(el) == "meta" and el.get("refines")
    }


def _title(root: etree._Element, refined: dict[tuple[str, str], str]) -> str:
    titles = [e for e in _dublin_core(root, "title") if _content(e)]
    main = [e for e in titles if refined.get((e.get("id") or "", "title-type")) == "main"]
    return _content((main or titles)[0]) if titles else ""


def _published(root: etree._Element) -> str | None:
    dates: list[tuple[bool, str]] = []
    for el in _dublin_core(root, "date"):
        event = next((str(v).lower() for k, v in el.attrib.items() if str(k).endswith("event")), None)
        text = _content(el)
        if text and event in (None, "publication", "original-publication") and not text.startswith(_NO_DATE):
            dates.append((event is None, text))
    return min(dates, key=lambda d: d[0])[1] if dates else None


def language_tag(text: str) -> str | None:
    """Return a BCP 47 tag for what a book gives as its language, in the usual letter case; None if it is none."""
    tag = text.strip().replace("_", "-")
    if not _TAG.match(tag):
        return None
    first, *rest = tag.split("-")
    first = _LONG_CODES.get(first.lower(), first.lower())
    if first in _NO_LANGUAGE:
        return None
    sizes = {2: str.upper, 4: str.title}
    return "-".join([first, *(sizes.get(len(r), str.lower)(r) for r in rest)])


def _identifiers(root: etree._Element, refined: dict[tuple[str, str], str]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for el in _dublin_core(root, "identifier"):
        value = _content(el)
        if not value:
            continue
        said = next((str(v) for k, v in el.attrib.items() if str(k).endswith("scheme")), "")
        said = said or _ONIX.get(refined.get((el.get("id") or "", "identifier-type"), ""), "")
        scheme, value = identifier(said, value)
        name, n = scheme, 1
        while name in found and found[name] != value:
            n += 1
            name = f"{scheme}-{n}"
        found[name] = value
    return tuple(found.items())


def identifier(scheme: str, value: str) -> tuple[str, str]:
    """Return (scheme in lower case, value) of an identifier; ISBNs are told by their prefix or check digit."""
    urn = _URN.match(value)
    if urn:
        scheme, value = urn[1], value[urn.end() :]
    digits = re.sub(r"[\s-]", "", value).upper()
    if scheme.lower() == "isbn" or (not scheme and _is_isbn(digits)):
        return "isbn", digits
    if scheme:
        return scheme.lower(), value
    return ("url" if re.match(r"https?://", value) else "id"), value


def _is_isbn(digits: str) -> bool:
    if not _ISBN.match(digits):
        return False
    values = [10 if c == "X" else int(c) for c in digits]
    if len(values) == 10:
        return sum(v * (10 - i) for i, v in enumerate(values)) % 11 == 0
    return 10 not in values and sum(v * (3 if i % 2 else 1) for i, v in enumerate(values)) % 10 == 0
