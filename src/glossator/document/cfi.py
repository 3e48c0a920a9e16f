"""EPUB canonical fragment identifiers: from DOM to anchor, from anchor to CFI, and back to a position.

The k-th child element (from 1) has step `/2k`. The text between two child elements is one chunk with an odd step, one
more than the element before it, even where comments, processing instructions or CDATA split it. Character offsets
count UTF-16 code units of the raw text, white space included. The path after `!` begins below the document element.

Source: EPUB Canonical Fragment Identifiers 1.1, sections 2 and 3. What differs between readers was settled by
what foliate-js resolves: every text step carries an offset, and an id is written only where it is the only one of its
document, because foliate-js trusts the id of the last step more than the steps.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glossator.document.model import Block, DomAnchor, TextRun
from glossator.errors import UsageError

if TYPE_CHECKING:
    from lxml.etree import _Element

_ESCAPED = re.compile(r"[\^\[\](),;=]")
_TOKEN = re.compile(
    r"(?P<step>/(?P<index>\d+))"
    r"|(?P<note>\[(?:\^.|[^\]^])*\])"
    r"|(?P<indirection>!)"
    r"|:(?P<offset>\d+)"
    r"|(?P<other>[~@][\d.:]+)",
    re.DOTALL,
)
_STEP = re.compile(r"!?/\d+(?:\[(?:\^.|[^\]^])*\])?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TextChunk:
    """The text between two child elements of `parent`: `steps` lead to it from the element that was asked for."""

    parent: "_Element"
    steps: str
    text: str


@dataclass(frozen=True, slots=True)
class Point:
    """A place in a publication: step numbers in the package, step numbers in the section, UTF-16 offset if any."""

    package: tuple[int, ...]
    steps: tuple[int, ...]
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Cfi:
    """A parsed CFI. A range has an `end`; a point or an element has none."""

    start: Point
    end: Point | None = None


def utf16_length(text: str) -> int:
    """Return how many UTF-16 code units `text` takes."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def unique_ids(root: "_Element") -> frozenset[str]:
    """Return the `id` values that exactly one element at or below `root` carries."""
    counts = Counter(i for i in (el.get("id") for el in root.iter("*")) if i)
    return frozenset(i for i, n in counts.items() if n == 1)


def element_path(el: "_Element", root: "_Element | None" = None, *, ids: frozenset[str] | None = None) -> str:
    """Return the steps from `root` (the document element unless given) down to `el`: "/4/2[ch1]/10".

    Args:
        el: An element of a parsed, canonical section.
        root: Where the path begins; not itself part of it.
        ids: The ids that may be written, from `unique_ids`. Without it each id met is looked up in the whole
            document, which is slow for many elements.
    """
    steps: list[str] = []
    parent = el.getparent()
    while parent is not None and el is not root:
        name = el.get("id")
        assertion = f"[{_escape(name)}]" if name and _is_unique(el, name, ids) else ""
        steps.append(f"/{_element_index(el)}{assertion}")
        el, parent = parent, parent.getparent()
    return "".join(reversed(steps))


def text_chunks(el: "_Element") -> Iterator[TextChunk]:
    """Yield the text chunks below `el` in document order; chunks without a character are left out."""
    pending: list[tuple[_Element, Iterator[_Element], str, int]] = [(el, iter(el), "", 0)]
    text = el.text or ""
    while pending:
        parent, children, steps, elements = pending.pop()
        for child in children:
            if not _is_tag(child):
                text += child.tail or ""
                continue
            if text:
                yield TextChunk(parent, f"{steps}/{2 * elements + 1}", text)
            elements += 1
            pending.append((parent, children, steps, elements))
            pending.append((child, iter(child), f"{steps}/{2 * elements}", 0))
            text = child.text or ""
            break
        else:
            if text:
                yield TextChunk(parent, f"{steps}/{2 * elements + 1}", text)
            text = (parent.tail or "") if pending else ""


def block_cfi(anchor: DomAnchor) -> str:
    """Return the CFI of the block's element."""
    return f"epubcfi({anchor.base})"


def range_cfi(first: Block, start_in_first: int, last: Block, end_in_last: int) -> str:
    """Return the range CFI of the characters from `start_in_first` of one block to `end_in_last` of another.

    White space at either end is left out, for it may be a separator that the DOM does not have. Where a block has no
    text of its own in the DOM (an image's alternative text), the CFI of the first block's element is returned.

    Raises:
        ValueError: a block has no DOM anchor, or the two stand in different sections.
    """
    one, other = first.anchor, last.anchor
    if not isinstance(one, DomAnchor) or not isinstance(other, DomAnchor) or one.spine != other.spine:
        raise ValueError("a CFI range needs two blocks of one section of a reflowable publication")
    if not one.runs or not other.runs:
        return block_cfi(one)
    start = start_in_first + _leading_space(first.text[start_in_first:])
    end = len(last.text[:end_in_last].rstrip())
    if end <= 0 or start >= len(first.text) or (first == last and end <= start):
        start, end = min(start_in_first, len(first.text) - 1), max(end_in_last, 1)
    opening, closing = _run(one.runs, start), _run(other.runs, end - 1)
    a = _STEP.findall(one.base + opening.steps)
    b = _STEP.findall(other.base + closing.steps)
    offsets = _unit(opening, first.text, start), _unit(closing, last.text, end)
    shared = 0
    while shared < min(len(a), len(b)) - 1 and a[shared] == b[shared]:
        shared += 1
    head, tails = "".join(a[:shared]), ("".join(a[shared:]), "".join(b[shared:]))
    return f"epubcfi({head},{tails[0]}:{offsets[0]},{tails[1]}:{offsets[1]})"


def steps_of(anchor: DomAnchor) -> str:
    """Return the way from the document element of the section to the block's, numbers only: "/4/2/10"."""
    return "".join(f"/{n}" for n in _point(anchor.base, anchor.base).steps)


def dom_order(anchor: DomAnchor) -> tuple[tuple[int, ...], int]:
    """Return a key that sorts the blocks of one section as their texts begin in the DOM (moved notes do not)."""
    run = anchor.runs[0] if anchor.runs else TextRun(0, "", 0)
    return _point(anchor.base + run.steps, anchor.base).steps, run.offset


def parse_cfi(text: str) -> Cfi:
    """Return the places that a CFI names. Assertions in brackets, and temporal or spatial offsets, are not kept.

    Raises:
        UsageError: the text is no CFI.
    """
    inner = text.strip()
    if not (inner.startswith("epubcfi(") and inner.endswith(")")):
        raise _not_a_cfi(text)
    parts = _split_range(inner[len("epubcfi(") : -1])
    if len(parts) == 1:
        return Cfi(_point(parts[0], text))
    if len(parts) == 3:
        head, start, end = parts
        return Cfi(_point(head + start, text), _point(head + end, text))
    raise _not_a_cfi(text)


def position_of(cfi: str, blocks: Sequence[Block]) -> tuple[int, int] | None:
    """Return `[start, end)` of the canonical text that a CFI addresses, or None when no text of `blocks` is there.

    An element's CFI gives the whole of its text, a point an empty interval. A place in text that the canonical text
    left out (white space, a hidden element) moves inwards: a start to the next character kept, an end to the last.

    Raises:
        UsageError: `cfi` is malformed.
    """
    parsed = parse_cfi(cfi)
    spans = _spans(blocks, parsed.start.package)
    if not spans:
        return None
    start = parsed.start
    if parsed.end is None and (start.offset is None or _is_element(start)):
        return _whole(spans, start)
    begin = _begin(spans, start)
    if parsed.end is None:
        return None if begin is None else (begin[1], begin[1])
    finish = _finish(spans, parsed.end)
    if begin is None or finish is None or finish[0] < begin[0] or finish[1] <= begin[1]:
        return None
    return begin[1], finish[1]


# --- from anchor to CFI ---------------------------------------------------------------------------------------------


def _run(runs: Sequence[TextRun], at: int) -> TextRun:
    return runs[max(0, bisect_right(runs, at, key=lambda r: r.start) - 1)]


def _unit(run: TextRun, text: str, at: int) -> int:
    return run.offset + utf16_length(text[run.start : at])


def _leading_space(text: str) -> int:
    return len(text) - len(text.lstrip())


def _element_index(el: "_Element") -> int:
    return 2 * (1 + sum(1 for _ in el.itersiblings("*", preceding=True)))


def _is_tag(node: "_Element") -> bool:
    """Tell elements from comments and processing instructions, whose tag is a function."""
    tag: object = node.tag
    return isinstance(tag, str)


def _is_unique(el: "_Element", name: str, ids: frozenset[str] | None) -> bool:
    if ids is not None:
        return name in ids
    return el.getroottree().xpath("count(//*[@id=$name])", name=name) == 1.0


def _escape(text: str) -> str:
    return _ESCAPED.sub(r"^\g<0>", text)


# --- from CFI to position -------------------------------------------------------------------------------------------

_Key = tuple[tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class _Span:
    """A run with its place in document order, and the canonical characters it stands for."""

    key: _Key
    start: int  # canonical
    text: str

    def position(self, unit: int) -> int:
        """Canonical position of a UTF-16 offset of the chunk, inside this run or at its ends."""
        units = unit - self.key[1]
        if units <= 0:
            return self.start
        if self.text.isascii() or units >= 2 * len(self.text):
            return self.start + min(units, len(self.text))
        for i, c in enumerate(self.text):
            units -= 2 if c > "\uffff" else 1
            if units < 0:
                return self.start + i
            if units == 0:
                return self.start + i + 1
        return self.start + len(self.text)

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def _spans(blocks: Sequence[Block], package: tuple[int, ...]) -> list[_Span]:
    spans: list[_Span] = []
    here: dict[str, bool] = {}  # which spine paths, as written, are the one asked for
    for block in blocks:
        if block.start is None or not isinstance(block.anchor, DomAnchor):
            continue
        spine = block.anchor.base.partition("!")[0]
        if spine not in here:
            here[spine] = _point(spine + "!", spine).package == package
        if not here[spine]:
            continue
        base = _point(block.anchor.base, block.anchor.base)
        runs = block.anchor.runs or (TextRun(0, "", 0),)
        ends = [r.start for r in runs[1:]] + [len(block.text)]
        for run, end in zip(runs, ends, strict=True):
            steps = base.steps + tuple(int(s) for s in run.steps.split("/")[1:])
            spans.append(_Span((steps, run.offset), block.start + run.start, block.text[run.start : end]))
    return sorted(spans, key=lambda s: s.key)


def _key(point: Point) -> _Key:
    return point.steps, point.offset or 0


def _is_element(point: Point) -> bool:
    return not point.steps or point.steps[-1] % 2 == 0


def _whole(spans: list[_Span], point: Point) -> tuple[int, int] | None:
    depth = len(point.steps)
    inside = [s for s in spans if s.key[0][:depth] == point.steps]
    if not inside:
        return None
    start = inside[0].start
    return start, max(s.end for s in inside)


def _begin(spans: list[_Span], point: Point) -> tuple[int, int] | None:
    """Return (number of the span, position) where text begins at or after a point: notes stand elsewhere in the DOM."""
    key = _key(point)
    after = bisect_right(spans, key, key=lambda s: s.key)
    if after and not _is_element(point):
        span = spans[after - 1]
        at = span.position(key[1])
        if span.key[0] == point.steps and (at < span.end or after == len(spans)):
            return after - 1, at
    return (after, spans[after].start) if after < len(spans) else None


def _finish(spans: list[_Span], point: Point) -> tuple[int, int] | None:
    """Return (number of the span, position) where text ends before a point."""
    key = _key(point)
    before = bisect_left(spans, key, key=lambda s: s.key) - 1
    if before < 0:
        return None
    span = spans[before]
    if span.key[0] == point.steps and not _is_element(point):
        return before, span.position(key[1])
    return before, span.end


def _split_range(inner: str) -> list[str]:
    """Split at the commas that stand outside brackets and are not escaped."""
    parts, depth, escaped = [""], 0, False
    for c in inner:
        if c == "," and not depth and not escaped:
            parts.append("")
            continue
        parts[-1] += c
        if not escaped:
            depth += (c == "[") - (c == "]")
        escaped = c == "^" and not escaped
    return parts


def _point(path: str, whole: str) -> Point:
    levels: list[list[int]] = [[]]
    offset: int | None = None
    at = 0
    while at < len(path):
        token = _TOKEN.match(path, at)
        if token is None:
            raise _not_a_cfi(whole)
        at = token.end()
        if token["step"]:
            levels[-1].append(int(token["index"]))
        elif token["indirection"]:
            levels.append([])
        elif token["offset"]:
            offset = int(token["offset"])
    package = tuple(n for level in levels[:-1] for n in level)
    return Point(package, tuple(levels[-1]), offset)


def _not_a_cfi(text: str) -> UsageError:
    return UsageError(f"not an EPUB CFI: {text!r}", hint="a CFI looks like epubcfi(/6/4!/4/2,/1:0,/1:12)")
