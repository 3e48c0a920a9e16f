"""Which elements of a web page hold its main text, when another program has said which words that is.

An extractor gives words without their place. Each of its blocks is looked up, white space aside, in the text of the
page from the last hit on; what was found is then turned into whole elements of the page, so that structure, links and
positions are the page's own. An element is taken whole when it is a paragraph, cell or heading that is mostly found:
words that the extractor dropped in mid-sentence come back. Bare text between blocks is wrapped in a `span` first.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lxml import etree

from glossator.parse import vocabulary
from glossator.parse.html import XHTML, local_name

Element = etree._Element

_SPACE = re.compile(r"\s+")
_HEADING = re.compile("h[1-6]")
_WHOLE = frozenset({"table", "pre", "math", "svg", "dl"})  # taken whole or not at all
_MOSTLY = 0.5
_SHORT = 12  # characters: so little is looked for nearby only, it may stand anywhere
_NEARBY = 400


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen elements in the order of the page, how many characters they have, and how many were not found."""

    elements: tuple[Element, ...]
    characters: int
    lost: int


@dataclass(slots=True)
class _Page:
    """The text of a page as atoms: text nodes without their white space, in order."""

    text: str = ""
    starts: list[int] = field(default_factory=list)  # of each atom in `text`, then the end of the last
    found: list[bool] = field(default_factory=list)
    found_before: list[int] = field(default_factory=list)  # characters found before each atom, then in all
    inside: dict[Element, tuple[int, int]] = field(default_factory=dict)  # atoms [first, end) in an element
    nodes: dict[tuple[Element, str], int] = field(default_factory=dict)  # (element, "text" or "tail") -> atom

    def share(self, el: Element) -> float:
        """Return which share of an element's characters was found: 1.0 is all of them, 0.0 also when it has none."""
        first, end = self.inside.get(el, (0, 0))
        length = self.starts[end] - self.starts[first]
        return (self.found_before[end] - self.found_before[first]) / length if length else 0.0

    def is_found(self, el: Element, slot: str) -> bool:
        """Tell whether the text node at this place was found."""
        atom = self.nodes.get((el, slot))
        return atom is not None and self.found[atom]


def select(root: Element, blocks: Iterable[Sequence[str]]) -> Selection:
    """Return the elements below `root` that hold the blocks, each in pieces, in the order of the page."""
    page = _page(root)
    lost = _find(page, blocks)
    page.found_before = [0]
    for atom, found in enumerate(page.found):
        length = page.starts[atom + 1] - page.starts[atom] if found else 0
        page.found_before.append(page.found_before[-1] + length)
    chosen: list[Element] = []
    _choose(root, page, chosen)
    return Selection(tuple(chosen), page.found_before[-1], lost)


def visible_length(root: Element) -> int:
    """Return how many characters the page has in all, white space aside."""
    return len(_page(root).text)


def _page(root: Element) -> _Page:
    page = _Page(starts=[0])
    pieces: list[str] = []
    _gather(root, page, pieces)
    page.text = "".join(pieces)
    page.found = [False] * len(pieces)
    return page


def _gather(el: Element, page: _Page, pieces: list[str]) -> None:
    def add(owner: Element, slot: str, raw: str | None) -> None:
        text = _SPACE.sub("", raw) if raw else ""
        if text:
            page.nodes[owner, slot] = len(pieces)
            page.starts.append(page.starts[-1] + len(text))
            pieces.append(text)

    first = len(pieces)
    add(el, "text", el.text)
    for child in el:
        if local_name(child) not in vocabulary.OUT and not vocabulary.is_hidden(child):
            _gather(child, page, pieces)
        add(child, "tail", child.tail)
    page.inside[el] = (first, len(pieces))


# --- looking up -----------------------------------------------------------------------------------------------------


def _find(page: _Page, blocks: Iterable[Sequence[str]]) -> int:
    """Mark the atoms that hold the blocks; return how many characters were not found."""
    at, lost = 0, 0
    texts: set[str] = set()
    for block in blocks:
        pieces = [text for piece in block if (text := _SPACE.sub("", piece))]
        needle = "".join(pieces)
        span = _exact(page.text, needle, at) or _piecewise(page.text, pieces, at) if needle else None
        if span is None:
            lost += len(needle)
            continue
        start, end = span
        first, last = bisect_right(page.starts, start) - 1, bisect_right(page.starts, end - 1) - 1
        page.found[first : last + 1] = [True] * (last + 1 - first)
        texts.add(needle)
        at = max(at, end)
    _find_repeated(page, texts)
    _find_headings(page)
    return lost


def _find_repeated(page: _Page, texts: set[str]) -> None:
    """Mark paragraphs that repeat a found one between others, such as a refrain: extractors leave them out."""
    if True not in page.found:
        return
    start, stop = page.found.index(True), len(page.found) - page.found[::-1].index(True)
    for el, (first, end) in page.inside.items():
        inside = start <= first < end <= stop and not any(page.found[first:end])
        if inside and page.text[page.starts[first] : page.starts[end]] in texts and _is_leaf(el):
            page.found[first:end] = [True] * (end - first)


def _exact(text: str, needle: str, at: int) -> tuple[int, int] | None:
    start = text.find(needle, at, at + _NEARBY if len(needle) < _SHORT else len(text))
    if start < 0 and len(needle) >= 3 * _SHORT:
        start = text.find(needle)  # extractors move captions and the like
    return (start, start + len(needle)) if start >= 0 else None


def _piecewise(text: str, pieces: Sequence[str], at: int) -> tuple[int, int] | None:
    """Find a block whose words come in another order or with gaps: around its longest piece, most of it must stand."""
    longest = max(pieces, key=len)
    if len(longest) < _SHORT:
        return None
    length = sum(map(len, pieces))
    centre = text.find(longest, at)
    if centre < 0:
        return None
    low, high = max(at, centre - length), centre + len(longest) + length
    spans = [(i, i + len(p)) for p in pieces if (i := text.find(p, low, high)) >= 0]
    start, end = min(i for i, _ in spans), max(i for _, i in spans)
    found = sum(j - i for i, j in spans)
    if found < _MOSTLY * length or end - start > 2 * length:
        start, end = centre, centre + len(longest)
    return start, end


def _find_headings(page: _Page) -> None:
    """Mark headings that stand right above what was found: extractors drop them from long pages."""
    for el, (first, end) in reversed(page.inside.items()):
        if first < end < len(page.found) and page.found[end] and _HEADING.fullmatch(local_name(el)):
            page.found[first:end] = [True] * (end - first)


# --- choosing -------------------------------------------------------------------------------------------------------


def _choose(el: Element, page: _Page, chosen: list[Element]) -> None:
    share = page.share(el)
    if share == 1.0 or (share >= _MOSTLY and _is_leaf(el)):
        chosen.append(el)
    elif share:
        _choose_among_children(el, page, chosen)


def _choose_among_children(el: Element, page: _Page, chosen: list[Element]) -> None:
    """Choose block elements one by one; found text between them, with the inline elements in it, gets a `span`."""
    children = list(el)
    span: Element | None = None  # the one that still grows
    if page.is_found(el, "text"):
        span = _new_span(el, 0, chosen)
        span.text, el.text = el.text, None
    for child in children:
        tail_found = page.is_found(child, "tail")
        if _is_inline(child) and (page.share(child) or (span is not None and _is_empty(child, page))):
            span = span if span is not None else _new_span(el, el.index(child), chosen)
            span = _move(child, span, page)
        else:
            span = None
            _choose(child, page, chosen)
            if tail_found:
                span = _new_span(el, el.index(child) + 1, chosen)
                span.text, child.tail = child.tail, None


def _move(child: Element, span: Element, page: _Page) -> Element | None:
    """Put an inline element at the end of a span, with the text after it if that was found or is only space.

    Returns the span, or None when other text follows, which ends it.
    """
    tail, child.tail = child.tail, None
    span.append(child)
    if page.is_found(child, "tail") or not (tail or "").strip():
        child.tail = tail
        return span
    span.tail = tail
    return None


def _new_span(parent: Element, at: int, chosen: list[Element]) -> Element:
    span = etree.Element(f"{{{XHTML}}}span")
    parent.insert(at, span)
    chosen.append(span)
    return span


def _is_leaf(el: Element) -> bool:
    """Tell a block without blocks in it: a paragraph, a cell; or what makes no sense in part."""
    name = local_name(el)
    return name in _WHOLE or (name in vocabulary.BLOCKS and _is_inline_only(el))


def _is_inline(el: Element) -> bool:
    return local_name(el) not in vocabulary.BLOCKS and _is_inline_only(el)


def _is_inline_only(el: Element) -> bool:
    return not any(local_name(below) in vocabulary.BLOCKS for below in el.iterdescendants("*"))


def _is_empty(el: Element, page: _Page) -> bool:
    first, end = page.inside.get(el, (0, 0))
    return first == end
