"""Locators: where a passage is, in every way that helps to find it again, and how it is found again.

A locator holds positions (of one `text_version`), the words with their surroundings, and the address in the
publication itself: a CFI, or page and rectangles. `resolve` tries address, position and words, in that order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from glossator.document.cfi import block_cfi, dom_order, position_of, range_cfi
from glossator.document.model import Block, DomAnchor, Line, Page, PageAnchor, Section
from glossator.errors import UsageError

if TYPE_CHECKING:
    from glossator.document.quotation import Match

Json = dict[str, Any]
State = Literal["exact", "moved", "lost"]

CONTEXT = 32  # characters of prefix and suffix
NEAREST = 12  # characters of content of them that are next to the passage
AGREES = 0.75  # similarity of a prefix or suffix from which it counts as the same
CFI_STANDARD = "http://www.idpf.org/epub/linking/cfi/epub-cfi.html"
PDF_STANDARD = "http://tools.ietf.org/rfc/rfc3778"


@dataclass(frozen=True, slots=True)
class Quote:
    """The words, and up to `CONTEXT` characters on each side."""

    exact: str
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Rect:
    """A box on a page (from 1): x0, y0, x1, y1 in PDF points, origin bottom left, of the unrotated page."""

    page: int
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Locator:
    """The place of `[start, end)` in a document; what does not apply is None."""

    document: str
    text_version: str
    start: int
    end: int
    quote: Quote | None = None
    section_number: int | None = None
    section_path: tuple[str, ...] = ()
    page: int | None = None
    page_label: str | None = None
    cfi: str | None = None
    rects: tuple[Rect, ...] | None = None

    def to_json(self) -> Json:
        """Return the contract's shape; without a quote the key is left out."""
        quote = {} if self.quote is None else {"quote": _quote_to_json(self.quote)}
        number = self.section_number
        return {
            "document": self.document,
            "text_version": self.text_version,
            "start": self.start,
            "end": self.end,
            **quote,
            "section": None if number is None else {"number": number, "path": list(self.section_path)},
            "page": self.page,
            "page_label": self.page_label,
            "cfi": self.cfi,
            "rects": None if self.rects is None else [{"page": r.page, "box": list(r.box)} for r in self.rects],
        }

    @classmethod
    def from_json(cls, data: Json) -> "Locator":
        """Return the locator that `to_json` wrote.

        Raises:
            UsageError: a part is missing or of the wrong kind.
        """
        try:
            return _from_json(data)
        except (AttributeError, KeyError, TypeError, ValueError) as e:
            fault = f"it has no {e}" if isinstance(e, KeyError) else f"{e}"
            raise UsageError(
                f"not a locator: {fault} (in {data!r:.200})", hint="pass a `locator` as search, locate or read print it"
            ) from e


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a locator's passage is now. `score` (0 to 1) is how well words and surroundings agree."""

    state: State
    start: int | None
    end: int | None
    score: float


LOST = Resolution("lost", None, None, 0.0)


def build_locator(  # noqa: PLR0913  keyword-only; each is a different fact about the passage
    *,
    document: str,
    text_version: str,
    start: int,
    end: int,
    window: str,
    window_start: int,
    blocks: Sequence[Block],
    section: Section | None,
    pages: Sequence[Page],
    with_quote: bool = True,
    cfi: bool = False,
) -> Locator:
    """Return the locator of `[start, end)`.

    Args:
        document: The document's id.
        text_version: The canonical text that positions count in.
        start: First position.
        end: Position after the last character.
        window: The canonical text around the passage that may be shown, already clipped to what the reader may see.
        window_start: The position of the window's first character.
        blocks: The blocks that overlap the passage, in order.
        section: The innermost section at `start`.
        pages: The pages that overlap the passage, in order.
        with_quote: Whether to add the words and their surroundings.
        cfi: Whether to add a CFI; it means something for EPUB only.
    """
    rects = _rects(blocks, start, end)
    page = rects[0].page if rects else next((p.number for p in pages if start < p.end or p is pages[-1]), None)
    return Locator(
        document=document,
        text_version=text_version,
        start=start,
        end=end,
        quote=_quote(window, start - window_start, end - window_start) if with_quote else None,
        section_number=section.number if section else None,
        section_path=section.path if section else (),
        page=page,
        page_label=next((p.label for p in pages if p.number == page), None),
        cfi=_cfi(blocks, start, end) if cfi else None,
        rects=rects or None,
    )


def to_selectors(locator: Locator) -> list[Json]:
    """Return W3C selectors: position, quote, and a fragment where there is an address.

    Source: Web Annotation Data Model, sections 4.2.1, 4.2.4, 4.2.5. Rectangles and section have no selector there.
    """
    selectors: list[Json] = [{"type": "TextPositionSelector", "start": locator.start, "end": locator.end}]
    if locator.quote:
        selectors.append({"type": "TextQuoteSelector", **_quote_to_json(locator.quote)})
    if locator.cfi:
        selectors.append({"type": "FragmentSelector", "conformsTo": CFI_STANDARD, "value": locator.cfi})
    if locator.page is not None:
        selectors.append({"type": "FragmentSelector", "conformsTo": PDF_STANDARD, "value": f"page={locator.page}"})
    return selectors


def from_selectors(selectors: Sequence[Json], document: str, text_version: str) -> Locator:
    """Return the locator that selectors describe. Unknown kinds are passed over, for the standard is open.

    Without a position selector the positions are 0 and the `text_version` empty: only address and words count then.

    Raises:
        UsageError: no selector says where the passage is, or one is malformed.
    """
    found: Json = {}
    try:
        for selector in selectors:
            found |= _selected(selector)
    except (KeyError, TypeError, ValueError) as e:
        raise UsageError(
            f"a selector is malformed: {e!r}", hint="see the W3C Web Annotation Data Model, section 4.2"
        ) from e
    if not found.keys() & {"start", "quote", "cfi"}:
        raise UsageError(
            "no selector here says where the passage is",
            hint="give a TextPositionSelector, a TextQuoteSelector or a FragmentSelector with an EPUB CFI",
        )
    version = text_version if "start" in found else ""
    where: Json = {"start": 0, "end": 0} | found
    return Locator(document=document, text_version=version, **where)


def resolve(locator: Locator, *, text: str, text_version: str, blocks: Sequence[Block]) -> Resolution:
    """Return where a locator's passage is in a text: by its address, else its position, else its words.

    `exact`: the same words at the same address or position. `moved`: the words, found elsewhere by their
    surroundings. `lost`: nothing here is that passage; the same words in other surroundings are not it.
    """
    quote = locator.quote
    by_address = _by_address(locator, text, blocks)
    if by_address:
        return by_address
    in_place = locator.text_version == text_version and 0 <= locator.start <= locator.end <= len(text)
    if in_place and (quote is None or text[locator.start : locator.end] == quote.exact):
        return Resolution("exact", locator.start, locator.end, 1.0)
    if quote is None or not quote.exact.strip():
        return LOST
    return _by_words(locator, quote, text)


# --- building -------------------------------------------------------------------------------------------------------


def _quote(window: str, start: int, end: int) -> Quote:
    return Quote(window[start:end], window[max(0, start - CONTEXT) : start], window[end : end + CONTEXT])


def _cfi(blocks: Sequence[Block], start: int, end: int) -> str | None:
    """A CFI cannot leave its section, nor go back in it (as to a note that was moved): the part before is addressed."""
    anchored = [(b, b.anchor) for b in blocks if isinstance(b.anchor, DomAnchor) and b.start is not None]
    readable = [(b, a) for b, a in anchored if a.runs and a.spine == anchored[0][1].spine]
    if not readable:
        return block_cfi(anchored[0][1]) if anchored else None
    first = last = readable[0]
    for following in readable[1:]:
        if dom_order(following[1]) <= dom_order(last[1]):
            break
        last = following
    first_start, last_start = first[0].start or 0, last[0].start or 0
    return range_cfi(first[0], max(0, start - first_start), last[0], min(len(last[0].text), end - last_start))


def _rects(blocks: Sequence[Block], start: int, end: int) -> tuple[Rect, ...]:
    rects: list[Rect] = []
    for block in blocks:
        if block.start is None or not isinstance(block.anchor, PageAnchor):
            continue
        for line in block.anchor.lines:
            a, b = max(start - block.start, line.start), min(end - block.start, line.end)
            while b > a and block.text[b - 1 : b].isspace():
                b -= 1
            while a < b and block.text[a].isspace():
                a += 1
            if a < b:
                rects.append(Rect(line.page, _box(line, a - line.start, b - line.start)))
    return tuple(rects)


def _box(line: Line, a: int, b: int) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (round(v, 2) for v in line.box)
    if len(line.edges) != line.end - line.start + 1:
        return x0, y0, x1, y1
    edges = line.edges[a : b + 1]  # not ascending where the script runs right to left
    low, high = round(min(edges), 2), round(max(edges), 2)
    return (low, y0, high, y1) if line.axis == "x" else (x0, low, x1, high)


# --- reading --------------------------------------------------------------------------------------------------------


def _quote_to_json(quote: Quote) -> Json:
    return {"exact": quote.exact, "prefix": quote.prefix, "suffix": quote.suffix}


def _from_json(data: Json) -> Locator:
    quote, section, rects = data.get("quote"), data.get("section"), data.get("rects")
    return Locator(
        document=data["document"],
        text_version=data["text_version"],
        start=int(data["start"]),
        end=int(data["end"]),
        quote=None if quote is None else Quote(quote["exact"], quote.get("prefix", ""), quote.get("suffix", "")),
        section_number=None if section is None else int(section["number"]),
        section_path=() if section is None else tuple(section["path"]),
        page=data.get("page"),
        page_label=data.get("page_label"),
        cfi=data.get("cfi"),
        rects=None if rects is None else tuple(_rect_from_json(r) for r in rects),
    )


def _rect_from_json(data: Json) -> Rect:
    x0, y0, x1, y1 = (float(v) for v in data["box"])
    return Rect(int(data["page"]), (x0, y0, x1, y1))


def _selected(selector: Json) -> Json:
    match selector["type"]:
        case "TextPositionSelector":
            return {"start": int(selector["start"]), "end": int(selector["end"])}
        case "TextQuoteSelector":
            return {"quote": Quote(selector["exact"], selector.get("prefix") or "", selector.get("suffix") or "")}
        case "FragmentSelector":
            value: str = selector["value"]
            if value.startswith("epubcfi("):
                return {"cfi": value}
            page = next((part[5:] for part in value.split("&") if part.startswith("page=")), None)
            return {} if page is None else {"page": int(page)}
        case _:
            return {}


# --- resolving ------------------------------------------------------------------------------------------------------


def _by_address(locator: Locator, text: str, blocks: Sequence[Block]) -> Resolution | None:
    if locator.cfi is None:
        return None
    try:
        span = position_of(locator.cfi, blocks)
    except UsageError:  # another program's address; words and position are still to be tried
        return None
    if span is None:
        return None
    if locator.quote is None:
        return Resolution("exact", *span, 1.0)
    start, end = span
    exact = locator.quote.exact
    found = text.find(exact, max(0, start - _blank(exact)), end + len(exact) - len(exact.rstrip()))
    if not exact.strip() or found < 0 or text[found:start].strip() or text[end : found + len(exact)].strip():
        return None
    return Resolution("exact", found, found + len(exact), 1.0)


def _blank(exact: str) -> int:
    return len(exact) - len(exact.lstrip())


def _by_words(locator: Locator, quote: Quote, text: str) -> Resolution:
    from glossator.document.quotation import find_all

    matches = find_all(text, quote.exact, limit=1000)
    scored = [(_score(text, m, quote), m) for m in matches]
    if quote.prefix.strip() or quote.suffix.strip():
        scored = [(s, m) for s, m in scored if s >= AGREES / 2]
    elif len(scored) > 1:
        scored = [(s, m) for s, m in scored if m.start == locator.start]
    if not scored:
        return LOST
    score, best = max(scored, key=lambda sm: (round(sm[0], 2), -abs(sm[1].start - locator.start)))
    unmoved = best.verdict == "verified" and (best.start, best.end) == (locator.start, locator.end)
    return Resolution("exact" if unmoved else "moved", best.start, best.end, round(score, 3))


def _score(text: str, match: "Match", quote: Quote) -> float:
    """Mean similarity of the two surroundings; 0 when neither side agrees, 1 when the quote came without any."""
    sides = []
    if quote.prefix.strip():
        sides.append(_similarity(quote.prefix, text[max(0, match.start - 2 * CONTEXT) : match.start], ends=True))
    if quote.suffix.strip():
        sides.append(_similarity(quote.suffix, text[match.end : match.end + 2 * CONTEXT], ends=False))
    if not sides:
        return 1.0
    return sum(sides) / len(sides) if max(sides) >= AGREES else 0.0


def _similarity(expected: str, found: str, *, ends: bool) -> float:
    """Mean similarity of a whole surrounding and of its `NEAREST` characters, which tell most."""
    from glossator.document.fold import fold  # not needed to make a locator, and numpy takes a while to load

    a, b = fold(expected).text, fold(found).text
    if not a:
        return 1.0
    if ends:
        a, b = a[::-1], b[::-1]
    return (_ratio(a, b[: len(a)]) + _ratio(a[:NEAREST], b[:NEAREST])) / 2


def _ratio(a: str, b: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, a, b, autojunk=False).ratio()
