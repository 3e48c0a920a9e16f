"""Web pages, saved or fetched: the main text without the site around it.

trafilatura says which words are the article; the structure is the page's own (see `selection`). Where it finds next to
nothing, the whole page is taken but for what is marked as navigation, and the report says so. Metadata come from the
page's own declarations.

Known limits: a page that needs JavaScript holds no text to read; comments of readers are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from glossator.document.model import Metadata, ParseReport
from glossator.parse import html, vocabulary
from glossator.parse.encoding import declared_encoding, decode
from glossator.parse.html import local_name
from glossator.parse.language import guess_language
from glossator.parse.publication import Part, Reflowable, parser_name
from glossator.parse.selection import Selection, select, visible_length
from glossator.parse.text import read_limited, title_of_stem
from glossator.sources.files import shown

MAX_BYTES = 32 << 20
_LITTLE = 250  # characters: less than this, and less than `_PART` of the page, is no main text
_PART = 0.5
_MUCH_LOST = 0.1
_WHOLE_PAGE_CONFIDENCE = 0.8

_CHROME = frozenset({"nav", "footer", "aside", "form", "menu", "dialog"})
_CHROME_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar"})
_BLOCKS = frozenset({"p", "head", "item", "cell", "quote", "list", "table", "row", "body", "main", "div"})
_TEXT_BLOCKS = frozenset({"p", "head", "item", "cell"})
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_DATE_NAMES = frozenset(
    """
    article:published_time datepublished date dc.date dc.date.issued dcterms.date dcterms.issued citation_date
    citation_publication_date parsely-pub-date sailthru.date pubdate publish-date
    """.split()  # noqa: SIM905
)
_AUTHOR_NAMES = ("author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author", "article:author")

Element = etree._Element


@dataclass(frozen=True, slots=True)
class _Extracted:
    """What trafilatura made of a page: blocks of text in pieces, and what it found out about the page."""

    blocks: tuple[tuple[str, ...], ...]
    title: str | None
    author: str | None
    url: str | None


def read(path: Path, *, base_url: str | None = None) -> Reflowable:
    """Return the publication in a web page; `base_url` is where it came from.

    Raises:
        LimitExceeded: the file is larger than `MAX_BYTES`.
        SourceError: it cannot be read.
    """
    data = read_limited(path, MAX_BYTES)
    decoded = decode(data, declared_encoding(data))
    root, _ = html.canonical(decoded.text)
    extracted = _extract(decoded.text, base_url)
    chosen, confidence, reasons = _chosen(root, extracted)
    report = ParseReport(
        parser=parser_name("html"),
        confidence=confidence,
        reasons=reasons,
        warnings=(f"{decoded.undecodable} bytes could not be decoded",) if decoded.undecodable else (),
    )
    metadata = _metadata(root, extracted, path, base_url)
    part = Part(href="page.xhtml", root=root, chosen=chosen)
    return Reflowable(format="html", metadata=metadata, parts=(part,), navigation=(), report=report)


# --- the main text --------------------------------------------------------------------------------------------------


def _extract(text: str, url: str | None) -> _Extracted:
    import trafilatura  # half a second, wanted by web pages only

    found: Any = trafilatura.bare_extraction(
        text,
        url=url,
        include_comments=False,
        include_tables=True,
        with_metadata=True,
        date_extraction_params={"extensive_search": False, "original_date": True},
    )
    if found is None:
        return _Extracted((), None, None, None)
    blocks = tuple(_blocks(found.body)) if found.body is not None else ()
    return _Extracted(blocks, found.title, found.author, found.url)


def _blocks(body: Element) -> Iterator[tuple[str, ...]]:
    """Yield each block of trafilatura's tree as its text nodes: what stands between the edges of its block elements."""
    words: list[str] = []
    for event, el in etree.iterwalk(body, events=("start", "end")):
        if el.tag in _BLOCKS or (el.tag == "code" and not any(a.tag in _TEXT_BLOCKS for a in el.iterancestors())):
            yield tuple(words)
            words = []
        text = el.text if event == "start" else el.tail
        if text and not (event == "end" and el is body):
            words.append(text)
    yield tuple(words)


def _chosen(root: Element, extracted: _Extracted) -> tuple[tuple[Element, ...] | None, float, tuple[str, ...]]:
    """Return (chosen elements, confidence, reasons)."""
    body = next((el for el in root if local_name(el) == "body"), root)
    length = visible_length(body)
    selection = select(body, extracted.blocks)
    if selection.characters < min(_LITTLE, _PART * length):
        rest = tuple(_without_chrome(body))
        return rest or None, _WHOLE_PAGE_CONFIDENCE, ("no main text was found in the page, so all of it was taken",)
    return _with_title(body, selection, extracted.title), 1.0, _lost(selection)


def _lost(selection: Selection) -> tuple[str, ...]:
    share = selection.lost / (selection.lost + selection.characters)
    return (f"{share:.0%} of the main text was not found again in the page",) if share > _MUCH_LOST else ()


def _with_title(body: Element, selection: Selection, title: str | None) -> tuple[Element, ...]:
    """Add the page's heading, which extractors keep as metadata only, if it stands above the text and is not in it."""
    chosen = set(selection.elements)
    for el in body.iter(f"{{{html.XHTML}}}h1"):
        inside = any(above in chosen for above in (el, *el.iterancestors()))
        words = " ".join("".join(str(t) for t in el.itertext()).split())
        if inside:
            break
        if words and title and (words in title or title in words):
            return (el, *selection.elements)
    return selection.elements


def _without_chrome(el: Element) -> Iterator[Element]:
    """Yield the largest elements that hold no navigation, footer, form and the like."""
    if _is_chrome(el):
        return
    if any(_is_chrome(below) for below in el.iterdescendants("*")):
        for child in el:
            yield from _without_chrome(child)
    else:
        yield el


def _is_chrome(el: Element) -> bool:
    return local_name(el) in _CHROME or not _CHROME_ROLES.isdisjoint(vocabulary.types(el))


# --- metadata -------------------------------------------------------------------------------------------------------


def _metadata(root: Element, extracted: _Extracted, path: Path, base_url: str | None) -> Metadata:
    said = _declarations(root)
    title = extracted.title or said.get("og:title") or _title(root)
    authors = [said[name] for name in _AUTHOR_NAMES if name in said and "://" not in said[name]][:1]
    if not authors and extracted.author:
        authors = re.split(r"\s*;\s*", extracted.author)
    url = _canonical_url(root) or base_url or extracted.url
    text = " ".join("".join(block) for block in extracted.blocks) or "".join(str(t) for t in root.itertext())
    return Metadata(
        title=" ".join(title.split()) if title and title.strip() else title_of_stem(shown(path.stem)),
        authors=tuple(a for a in authors if a),
        language=_language(root) or guess_language(text),
        published=_published(root, said),
        identifiers=(("url", url),) if url else (),
    )


def _declarations(root: Element) -> dict[str, str]:
    """Return what `meta` elements say, by lower-case name or property; the first of each."""
    said: dict[str, str] = {}
    for meta in root.iter(f"{{{html.XHTML}}}meta"):
        key = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").strip().lower()
        content = " ".join((meta.get("content") or "").split())
        if key and content:
            said.setdefault(key, content)
    return said


def _title(root: Element) -> str | None:
    title = next(root.iter(f"{{{html.XHTML}}}title"), None)
    return None if title is None else title.text


def _canonical_url(root: Element) -> str | None:
    links = (link for link in root.iter(f"{{{html.XHTML}}}link") if "canonical" in (link.get("rel") or "").split())
    href = next((link.get("href") for link in links), None)
    return str(href) if href and str(href).startswith(("http://", "https://")) else None


def _language(root: Element) -> str | None:
    tag = (root.get("lang") or root.get(f"{{{html.XML}}}lang") or "").strip().replace("_", "-")
    return tag if re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*", tag) else None


def _published(root: Element, said: dict[str, str]) -> str | None:
    times = (t.get("datetime") for t in root.iter(f"{{{html.XHTML}}}time") if t.get("itemprop") == "datePublished")
    for date in (*(said[name] for name in said if name in _DATE_NAMES), *times):
        if date and (found := _DATE.match(str(date))):
            return found[0]
    return None
