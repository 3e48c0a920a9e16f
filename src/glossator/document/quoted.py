"""Which words of a text are quotations, and which parts an ellipsis divides one into."""

import re
from collections.abc import Iterator

from glossator.document.fold import fold, is_unspaced

_PAIRS = {
    "“": "”",
    "„": "“”",
    "‟": "”",
    "«": "»",
    "»": "«",
    "‹": "›",
    "「": "」",
    "『": "』",
    "﹁": "﹂",
    "﹃": "﹄",
    "｢": "｣",
    "〝": "〞〟",
    "＂": "＂",
    '"': '"',
    "‘": "’",
}
_ELLIPSIS = re.compile(
    r"\s*(?:\[\s*(?:…+|\.(?:\s?\.){2,})\s*\]|\(\s*(?:…+|\.(?:\s?\.){2,})\s*\)|（\s*…+\s*）|［\s*…+\s*］"
    r"|[…⋯‥]+|\.(?:\s?\.){2,}|。{3,}|[·・]{3,})\s*"
)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r"^(```+|~~~+).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_BLOCK_QUOTE = re.compile(r"(?:^[ ]{0,3}>.*(?:\n|\Z))+", re.MULTILINE)
_MARKER = re.compile(r"^[ ]{0,3}(?:>[ ]?)+", re.MULTILINE)
_LINK = re.compile(r"\s*\[[^\]]*\]\([^)\s]*\)")
_ATTRIBUTION = re.compile(r"\n\s*(?:—|–|--|-\s).*\Z")
_LEAST_PART = 8, 3  # folded characters that a part needs: spaced scripts, unspaced ones


def split_ellipsis(quotation: str) -> list[str]:
    """Return the parts between the ellipses of a quotation, in order.

    Empty when a part is too short to be recognised (a word or two): almost any text holds those somewhere.
    """
    parts = [p for p in _ELLIPSIS.split(quotation) if p.strip()]
    return [] if any(_is_slight(p) for p in parts) else parts


def quotations_in(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, quotation) for what stands between quotation marks, and for Markdown block quotes.

    `[start, end)` is what the text shows: the words between the marks, or the lines of the block quote. The third is
    the quotation itself: for a block quote without its markers, links and attribution. The outermost marks of any
    language count, within one paragraph; an apostrophe is no mark, and code is no quotation.
    """
    found: list[tuple[int, int, str]] = []
    taken = [m.span() for m in _FENCE.finditer(text)]
    for m in _BLOCK_QUOTE.finditer(text):
        if _is_free(taken, m.start()):
            taken.append(m.span())
            found.extend(_in_block_quote(m))
    taken.extend(m.span() for m in _CODE.finditer(text))
    for start, end in _marked(text, taken):
        found.append((start, end, text[start:end]))
    return sorted(found)


def _is_slight(part: str) -> bool:
    content = fold(part).text
    return len(content) < _LEAST_PART[any(map(is_unspaced, content))]


def _is_free(taken: list[tuple[int, int]], at: int) -> bool:
    return all(not a <= at < b for a, b in taken)


def _in_block_quote(m: "re.Match[str]") -> Iterator[tuple[int, int, str]]:
    words = _MARKER.sub("", m[0])
    words = _LINK.sub("", _ATTRIBUTION.sub("", words.rstrip())).strip()
    inner = list(_marked(words, []))
    if len(inner) == 1 and inner[0][0] == 1 and inner[0][1] == len(words) - 1:
        words = words[1:-1]
    if any(c.isalnum() for c in words):
        yield m.start(), m.start() + len(m[0].rstrip()), words


def _marked(text: str, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans between outermost quotation marks."""
    at = 0
    ends = [m.start() for m in _PARAGRAPH_END.finditer(text)] + [len(text)]
    while at < len(text):
        c = text[at]
        if c not in _PAIRS or not _opens(text, at) or not _is_free(taken, at):
            at += 1
            continue
        last = next(e for e in ends if e >= at)
        close = _closing(text, at, last)
        if close is None:
            at += 1
            continue
        if any(x.isalnum() for x in text[at + 1 : close]):
            yield at + 1, close
        at = close + 1


def _opens(text: str, at: int) -> bool:
    """A straight or single mark opens only before a word and not behind one; so apostrophes are left out."""
    if text[at] not in '"‘»':
        return True
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    unspaced = bool(before) and is_unspaced(before)
    return bool(after.strip()) and (not before.isalnum() or unspaced)


def _closing(text: str, at: int, last: int) -> int | None:
    """Return where the quotation that opens at `at` closes; the same opening mark inside nests."""
    opening, closing = text[at], _PAIRS[text[at]]
    depth = 1
    for i in range(at + 1, last):
        c = text[i]
        if c in closing and not (c == "’" and _is_apostrophe(text, i)):
            depth -= 1
            if not depth:
                return i
        elif c == opening and opening not in closing:
            depth += 1
    return None


def _is_apostrophe(text: str, at: int) -> bool:
    return text[at - 1 : at].isalnum() and text[at + 1 : at + 2].isalnum() and not is_unspaced(text[at + 1])
