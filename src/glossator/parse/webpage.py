"""Web pages, saved or fetched: the main text without the site around it.

For sites that are read often, a rule says where it stands (see `site_rules`). For all others, and where a rule finds
much less than it should, trafilatura says which words are the article; the structure is the page's own (see
`selection`). Where that finds next to nothing, the whole page is taken but for what is marked as navigation, and the
report says so.

Known limits: a page that needs JavaScript holds no text to read; comments of readers are left out.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from glossator.document.model import ParseReport
from glossator.parse import html, site_rules, vocabulary
from glossator.parse.encoding import declared_encoding, decode
from glossator.parse.html import local_name
from glossator.parse.page_metadata import metadata_of
from glossator.parse.publication import Part, Reflowable, parser_name
from glossator.parse.selection import Selection, select, visible_length
from glossator.parse.text import read_limited

MAX_BYTES = 32 << 20
_LITTLE = 250  # characters: of so little, an extractor cannot tell what is the main text
_MUCH_MORE = 2
_MUCH_LOST = 0.1
_LEAST_BY_RULE = 0.5  # of what the extractor found; a rule that finds less was made for other pages of the site
_WHOLE_PAGE_CONFIDENCE = 0.8

_CHROME = frozenset({"nav", "footer", "aside", "form", "menu", "dialog"})
_CHROME_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar"})
_BLOCKS = frozenset({"p", "head", "item", "cell", "quote", "list", "table", "row", "body", "main", "div"})
_TEXT_BLOCKS = frozenset({"p", "head", "item", "cell"})

Element = etree._Element


@dataclass(frozen=True, slots=True)
class _Extracted:
    """What trafilatura made of a page: blocks of text in pieces, and its title."""

    blocks: tuple[tuple[str, ...], ...]
    title: str | None


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
    undecodable = (f"{decoded.undecodable} bytes could not be decoded",) if decoded.undecodable else ()
    address = site_rules.page_address(root, decoded.text, base_url)
    by_rule, passed_over = _chosen_by_rule(root, address, extracted)
    chosen, confidence, reasons = (by_rule, 1.0, ()) if by_rule else _chosen(root, extracted)
    report = ParseReport(
        parser=parser_name("html"),
        confidence=confidence,
        reasons=reasons,
        warnings=undecodable + passed_over,
    )
    text = " ".join("".join(block) for block in extracted.blocks) or "".join(str(t) for t in root.itertext())
    metadata = metadata_of(root, decoded.text, path, title=extracted.title, url=base_url, text=text)
    part = Part(href="page.xhtml", root=root, chosen=chosen)
    return Reflowable(format="html", metadata=metadata, parts=(part,), navigation=(), report=report)


# --- the main text --------------------------------------------------------------------------------------------------


def _extract(text: str, url: str | None) -> _Extracted:
    import trafilatura  # half a second, wanted by web pages only

    logging.getLogger("trafilatura").setLevel(logging.ERROR)  # it warns of every page without an article
    found: Any = trafilatura.bare_extraction(
        text,
        url=url,
        include_comments=False,
        include_tables=True,
        with_metadata=True,
        date_extraction_params={"extensive_search": False},
    )
    if found is None:
        return _Extracted((), None)
    blocks = tuple(_blocks(found.body)) if found.body is not None else ()
    return _Extracted(blocks, found.title)


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


def _chosen_by_rule(
    root: Element, address: str | None, extracted: _Extracted
) -> tuple[tuple[Element, ...], tuple[str, ...]]:
    """Return (elements that a site rule chooses, () when none does, and what to say of rules that were passed over).

    What the rule leaves out becomes `hidden`, the page's own way to say so: no element changes its place.
    """
    least = _LEAST_BY_RULE * sum(len("".join("".join(block).split())) for block in extracted.blocks)
    passed_over: list[str] = []
    for rule, match in site_rules.rules_for(root, address, site_rules.packaged_rules()):
        found = site_rules.find(rule, root)
        if found is not None and found.characters and found.characters >= least:
            for el in found.dropped:
                el.set("hidden", "hidden")
            above = _heading_above(_body(root), found.content, extracted.title) if found.title is None else found.title
            return (*(() if above is None else (above,)), *found.content), tuple(passed_over)
        if found is not None or match == "host":  # other pages of a host are expected to fit, those of a generator not
            little = "too little" if found is not None else "no main text"
            passed_over.append(f"the rule for {rule.name} found {little} in this page and was passed over")
    return (), tuple(passed_over)


def _chosen(root: Element, extracted: _Extracted) -> tuple[tuple[Element, ...] | None, float, tuple[str, ...]]:
    """Return (chosen elements, confidence, reasons)."""
    body = _body(root)
    selection = select(body, extracted.blocks)
    if selection.characters >= _LITTLE:
        above = _heading_above(body, selection.elements, extracted.title)
        return (*(() if above is None else (above,)), *selection.elements), 1.0, _lost(selection)
    rest = tuple(_without_chrome(body))
    if sum(map(visible_length, rest)) <= _MUCH_MORE * selection.characters:
        return rest, 1.0, ()  # a short page, and this is all there is
    return rest or None, _WHOLE_PAGE_CONFIDENCE, ("no main text was found in the page, so all of it was taken",)


def _lost(selection: Selection) -> tuple[str, ...]:
    share = selection.lost / (selection.lost + selection.characters)
    return (f"{share:.0%} of the main text was not found again in the page",) if share > _MUCH_LOST else ()


def _heading_above(body: Element, elements: tuple[Element, ...], title: str | None) -> Element | None:
    """Return the page's heading, which extractors keep as metadata only, if it stands above the text, not in it."""
    chosen = set(elements)
    for el in body.iter(f"{{{html.XHTML}}}h1"):
        inside = any(above in chosen for above in (el, *el.iterancestors()))
        words = " ".join("".join(str(t) for t in el.itertext()).split())
        if inside:
            break
        if words and title and (words in title or title in words):
            return el
    return None


def _body(root: Element) -> Element:
    return next((el for el in root if local_name(el) == "body"), root)


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
