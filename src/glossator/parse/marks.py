"""From marks on pages to spans of the canonical text: the words under a highlight, the word nearest to a note.

What covers no words (a mark on a scan, or on a running head) has no place in the text and is counted, not kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from glossator.document.fold import is_unspaced
from glossator.document.model import Block, Line, Mark, PageAnchor, body
from glossator.parse.publication import PageMark

_GAP = 3  # characters that a mark may leave out, such as a raised number, without being two marks
_Placed = tuple[int, Line]  # where the block of a line starts, the line


def place_marks(marks: Sequence[PageMark], blocks: Sequence[Block], text: str) -> tuple[tuple[Mark, ...], int]:
    """Return the marks that cover words, in the order of the text, and how many do not.

    A mark over separate stretches (two columns, a figure between) becomes several; what is written to it goes with the
    first. Names are unique.
    """
    wanted = {mark.page for mark in marks}
    lines: dict[int, list[_Placed]] = {}
    for start, _, block in body(tuple(blocks)):
        if isinstance(block.anchor, PageAnchor):
            for line in block.anchor.lines:
                if line.page in wanted:
                    lines.setdefault(line.page, []).append((start, line))
    found: list[Mark] = []
    lost = 0
    for mark in marks:
        spans = list(_spans(mark, lines.get(mark.page, ()), text))
        lost += not spans
        found += [_marked(mark, span, n) for n, span in enumerate(spans)]
    return _named(sorted(found, key=lambda m: (m.start, m.end))), lost


def _spans(mark: PageMark, lines: Sequence[_Placed], text: str) -> Iterator[tuple[int, int]]:
    hits = _nearest(mark, lines, text) if mark.kind == "note" else _covered(mark, lines)
    for start, end in _runs(sorted(hits), text):
        span = _whole_words(text, start, end)
        if text[slice(*span)].strip():
            yield span


def _covered(mark: PageMark, lines: Sequence[_Placed]) -> Iterator[int]:
    """The positions of the characters whose middle is in a box."""
    for start, line in lines:
        for x0, y0, x1, y1 in mark.boxes:
            low, high, across = (x0, x1, (y0, y1)) if line.axis == "x" else (y0, y1, (x0, x1))
            if across[0] <= _middle(line) <= across[1]:
                edges = line.edges
                yield from (
                    start + line.start + i
                    for i in range(min(line.end - line.start, len(edges) - 1))
                    if low <= (edges[i] + edges[i + 1]) / 2 <= high
                )


def _nearest(mark: PageMark, lines: Sequence[_Placed], text: str) -> Iterator[int]:
    """The position of the visible character nearest to the sign of a note."""
    x0, y0, x1, y1 = mark.boxes[0]
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    best: tuple[float, int] | None = None
    for start, line in lines:
        along, across = (x, y) if line.axis == "x" else (y, x)
        far = abs(across - _middle(line))
        if best is not None and far * far >= best[0]:
            continue
        for i in range(min(line.end - line.start, len(line.edges) - 1)):
            at = start + line.start + i
            beside = (line.edges[i] + line.edges[i + 1]) / 2 - along
            distance = far * far + beside * beside
            if (best is None or distance < best[0]) and text[at].isalnum():
                best = distance, at
    if best is not None:
        yield best[1]


def _middle(line: Line) -> float:
    """The middle of a line across its direction of writing."""
    x0, y0, x1, y1 = line.box
    return (y0 + y1) / 2 if line.axis == "x" else (x0 + x1) / 2


def _runs(hits: Sequence[int], text: str) -> Iterator[tuple[int, int]]:
    first = previous = -1
    for at in hits:
        if previous >= 0 and len(text[previous + 1 : at].strip()) > _GAP:
            yield first, previous + 1
            first = at
        first = at if first < 0 else first
        previous = at
    if previous >= 0:
        yield first, previous + 1


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Grow a span over the words that it cuts, and take white space off its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while 0 < start < end and _one_word(text[start - 1], text[start]):
        start -= 1
    while start < end < len(text) and _one_word(text[end - 1], text[end]):
        end += 1
    return start, end


def _one_word(before: str, after: str) -> bool:
    return before.isalnum() and after.isalnum() and not (is_unspaced(before) or is_unspaced(after))


def _marked(mark: PageMark, span: tuple[int, int], n: int) -> Mark:
    return Mark(
        name=f"{mark.name}#{n + 1}" if n else mark.name,
        kind=mark.kind,
        start=span[0],
        end=span[1],
        page=mark.page,
        body="" if n else mark.body,
        color=mark.color,
        author=mark.author,
        created=mark.created,
        updated=mark.updated,
    )


def _named(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Tell marks of one name apart; of two that are wholly alike one is kept."""
    seen: dict[str, int] = {}
    kept: list[Mark] = []
    for mark in dict.fromkeys(marks):
        seen[mark.name] = seen.get(mark.name, 0) + 1
        kept.append(mark if seen[mark.name] == 1 else replace(mark, name=f"{mark.name}~{seen[mark.name]}"))
    return tuple(kept)
