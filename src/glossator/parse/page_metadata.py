"""What a web page says of itself: `meta` elements, JSON-LD, the canonical link, and what an extractor made of them.

Only declarations count for authors and dates: guesses from the text ("By …") are wrong too often to be put in a
bibliography.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from glossator.document.model import Metadata
from glossator.parse import html
from glossator.parse.language import guess_language
from glossator.parse.text import title_of_stem
from glossator.sources.files import shown

_TITLE_NAMES = ("citation_title", "dc.title", "dcterms.title", "og:title", "parsely-title", "twitter:title")
_AUTHOR_NAMES = ("citation_author", "dc.creator", "dcterms.creator", "author", "parsely-author", "article:author")
_DATE_NAMES = (
    *("article:published_time", "datepublished", "citation_publication_date", "citation_date", "dc.date.issued"),
    *("dcterms.issued", "dc.date", "dcterms.date", "parsely-pub-date", "sailthru.date", "pubdate", "date"),
)
_DATE = re.compile(r"\d{4}(?:[-/]\d{2}(?:[-/]\d{2})?)?")
_LINKED_DATA = re.compile(r"<script[^>]+application/ld\+json[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_WORKS = re.compile(r"article|posting|newsarticle|report|book|chapter|webpage|creativework", re.IGNORECASE)
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_DEEPEST = 8
_MOST_AUTHORS = 5  # more links to authors are those of other articles

Element = etree._Element
Json = dict[str, Any]


def metadata_of(root: Element, source: str, path: Path, *, title: str | None, url: str | None, text: str) -> Metadata:
    """Return the metadata of a page.

    Args:
        root: its canonical XHTML.
        source: the page as it came, whose scripts still hold JSON-LD.
        path: the file, for the title when nothing else says one.
        title: what an extractor took for the title; used where the page's own `title` element confirms it.
        url: where the page came from, if known.
        text: its main text, to tell the language by.
    """
    said = _declarations(root)
    work = _work(source)
    found = _canonical_url(root) or url
    return Metadata(
        title=_title(root, said, work, title) or title_of_stem(shown(path.stem)),
        authors=tuple(_authors(root, said, work)),
        language=_language(root) or guess_language(text),
        published=_published(root, said, work),
        identifiers=(("url", found),) if found else (),
    )


def _declarations(root: Element) -> dict[str, list[str]]:
    """Return what `meta` elements say, by lower-case name or property."""
    said: dict[str, list[str]] = {}
    for meta in root.iter(f"{{{html.XHTML}}}meta"):
        keys = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower().split()
        content = " ".join((meta.get("content") or "").split())
        for key in keys if content else ():
            said.setdefault(re.sub(r"^(dc|dcterms):", r"\1.", key), []).append(content)
    return said


def _work(source: str) -> Json:
    """Return the first JSON-LD object that describes an article or the like, {} when there is none."""
    for found in _LINKED_DATA.finditer(source):
        try:
            data = json.loads(found[1].strip().removeprefix("<![CDATA[").removesuffix("]]>"))
        except (ValueError, RecursionError):
            continue  # pages hold broken JSON often enough
        for candidate in _objects(data, 0):
            if _WORKS.search(str(candidate.get("@type", ""))):
                return candidate
    return {}


def _objects(data: Any, depth: int) -> Iterator[Json]:
    if isinstance(data, list) and depth < _DEEPEST:
        for item in data:
            yield from _objects(item, depth + 1)
    elif isinstance(data, dict):
        yield data
        yield from _objects(data.get("@graph", []), depth + 1)


def _title(root: Element, said: dict[str, list[str]], work: Json, extracted: str | None) -> str:
    element = next(root.iter(f"{{{html.XHTML}}}title"), None)
    own = " ".join((element.text or "").split()) if element is not None else ""
    cleaned = " ".join((extracted or "").split())
    linked = (_words(work.get("name")), _words(work.get("headline")))  # either may be a summary
    for candidate in (*(said[name][0] for name in _TITLE_NAMES if name in said), *linked, cleaned):
        if candidate and (candidate in own or not own or candidate in said.get("og:title", [])):
            return candidate
    return next((said[name][0] for name in _TITLE_NAMES if name in said), own)


def _authors(root: Element, said: dict[str, list[str]], work: Json) -> Iterator[str]:
    declared = next((said[name] for name in _AUTHOR_NAMES if name in said), [])
    names = [name for name in declared if "://" not in name]
    if not names:
        given = work.get("author", [])
        people = given if isinstance(given, list) else [given]
        names = [_words(p.get("name") if isinstance(p, dict) else p) for p in people]
    if not any(names):
        links = (link for link in root.iter(f"{{{html.XHTML}}}a") if "author" in (link.get("rel") or "").split())
        names = [" ".join("".join(str(t) for t in link.itertext()).split()) for link in links][:_MOST_AUTHORS]
    yield from dict.fromkeys(name for name in names if name)


def _published(root: Element, said: dict[str, list[str]], work: Json) -> str | None:
    times = (t.get("datetime") for t in root.iter(f"{{{html.XHTML}}}time") if t.get("itemprop") == "datePublished")
    declared = (said[name][0] for name in _DATE_NAMES if name in said)
    for date in (*declared, _words(work.get("datePublished")), *times):
        if date and (found := _DATE.match(str(date))):
            return found[0].replace("/", "-")
    return None


def _canonical_url(root: Element) -> str | None:
    links = (link for link in root.iter(f"{{{html.XHTML}}}link") if "canonical" in (link.get("rel") or "").split())
    href = next((link.get("href") for link in links), None)
    return str(href) if href and str(href).startswith(("http://", "https://")) else None


def _language(root: Element) -> str | None:
    tag = (root.get("lang") or root.get(f"{{{html.XML}}}lang") or "").strip().replace("_", "-")
    return tag if _LANGUAGE_TAG.fullmatch(tag) else None


def _words(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
