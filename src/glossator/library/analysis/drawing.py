"""A map as a picture: SVG, drawn from left to right, as wide as its words and readable at its own size.

The layout is the simplest one that cannot overlap: every leaf has lines of its own, and a node stands in the middle of
its children. Widths are estimated (a Han character is as wide as it is high), so text is wrapped and never cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from unicodedata import east_asian_width

from glossator.library.analysis.values import Map, Node

SIZE = 13.0  # of the letters, in pixels
LINE = 1.35 * SIZE
WIDEST = 280.0  # of a node, in pixels
GAP, INDENT, MARGIN = 9.0, 44.0, 18.0  # between two nodes, between two levels, around everything
PADDING = 7.0
COLOURS = ("#2f6f9f", "#a2542a", "#3f7d4e", "#7a4d96", "#a03a55", "#6b6b23", "#227a78", "#8a5a12")
FONTS = (
    "system-ui, 'Segoe UI', 'Helvetica Neue', 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', "
    "'Hiragino Sans', sans-serif"
)
_NARROW, _WIDE = set("ijlIt.,:;!'|()[] fr-"), set("mwMW@%—")


@dataclass(frozen=True, slots=True)
class _Box:
    """A node with its lines and its place."""

    node: Node
    lines: tuple[str, ...]
    depth: int
    x: float
    y: float
    width: float
    height: float
    colour: str
    children: tuple["_Box", ...]


def svg(found: Map) -> str:
    """Return a map as an SVG document."""
    columns = _columns(found.root)
    root, bottom = _placed(found.root, columns, depth=0, top=MARGIN, colour="#222222")
    width = max(b.x + b.width for b in _walk(root)) + MARGIN
    height = bottom + MARGIN - GAP
    body = "\n".join([*_links(root), *(line for box in _walk(root) for line in _drawn(box))])
    title = escape(found.root.title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(found.root.title, quote=True)}" '
        f'font-family="{FONTS}" font-size="{SIZE:.0f}">\n<title>{title}</title>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def wrapped(text: str, widest: float) -> list[str]:
    """Return a text in lines no wider than `widest`, broken at spaces, and anywhere between Han characters."""
    lines, line = [], ""
    for word in _breakable(text):
        if line and width_of((line + word).rstrip()) > widest:
            lines.append(line.rstrip())
            line = word.lstrip()
        else:
            line += word
        while width_of(line) > 1.5 * widest:  # one long word
            cut = next(n for n in range(len(line), 0, -1) if width_of(line[:n]) <= widest or n == 1)
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def width_of(text: str) -> float:
    """Return about how wide a line is drawn, in pixels."""
    return sum(_advance(c) for c in text) * SIZE


def _advance(character: str) -> float:
    if east_asian_width(character) in "WF":
        return 1.0
    if character in _NARROW:
        return 0.34
    if character in _WIDE:
        return 0.92
    return 0.68 if character.isupper() else 0.56


def _breakable(text: str) -> Iterator[str]:
    """Yield the pieces between which a line may end."""
    piece = ""
    for character in text:
        wide = east_asian_width(character) in "WF"
        if wide and character not in "，。、；：！？」』）》”’…":
            if piece:
                yield piece
            piece = character
        else:
            piece += character
            if character == " " or wide:
                yield piece
                piece = ""
    if piece:
        yield piece


def _columns(root: Node) -> list[float]:
    """Return where each level begins."""
    widths: list[float] = []
    for depth, node in root.walk():
        widths += [0.0] * (depth + 1 - len(widths))
        widths[depth] = max(widths[depth], _size(_lines(node))[0])
    starts = [MARGIN]
    for width in widths:
        starts.append(starts[-1] + width + INDENT)
    return starts


def _lines(node: Node) -> tuple[str, ...]:
    return tuple(wrapped(" ".join(node.title.split()) or "…", WIDEST))


def _size(lines: Sequence[str]) -> tuple[float, float]:
    return max(map(width_of, lines)) + 2 * PADDING, len(lines) * LINE + 2 * PADDING


def _placed(node: Node, columns: Sequence[float], *, depth: int, top: float, colour: str) -> tuple[_Box, float]:
    """Return a node's box with those below it, and where the next one may begin."""
    lines = _lines(node)
    width, height = _size(lines)
    children: list[_Box] = []
    at = top
    for n, child in enumerate(node.children):
        own = COLOURS[n % len(COLOURS)] if depth == 0 else colour
        box, at = _placed(child, columns, depth=depth + 1, top=at, colour=own)
        children.append(box)
    y = top
    if children:
        middle = (children[0].y + children[-1].y + children[-1].height) / 2
        y = max(top, middle - height / 2)
    bottom = max(at, y + height + GAP)
    return _Box(node, lines, depth, columns[depth], y, width, height, colour, tuple(children)), bottom


def _walk(box: _Box) -> Iterator[_Box]:
    yield box
    for child in box.children:
        yield from _walk(child)


def _links(root: _Box) -> Iterator[str]:
    for box in _walk(root):
        for child in box.children:
            x, y = box.x + box.width, box.y + box.height / 2
            to, at = child.x, child.y + child.height / 2
            bend = (to - x) / 2
            yield (
                f'<path d="M{x:.1f} {y:.1f} C{x + bend:.1f} {y:.1f} {to - bend:.1f} {at:.1f} {to:.1f} {at:.1f}" '
                f'fill="none" stroke="{child.colour}" stroke-opacity="0.55" stroke-width="1.4"/>'
            )


def _drawn(box: _Box) -> Iterator[str]:
    point = box.node.is_point
    fill = "#ffffff" if point else box.colour if box.depth == 0 else "#f4f6f8"
    ink = "#ffffff" if box.depth == 0 else "#333333" if point else "#111111"
    stroke = "none" if point else box.colour
    yield (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6" '
        f'fill="{fill}" stroke="{stroke}"/>'
    )
    weight = ' font-weight="600"' if box.depth < 2 and not point else ""
    for n, text in enumerate(box.lines):
        y = box.y + PADDING + LINE * n + 0.95 * SIZE
        yield f'<text x="{box.x + PADDING:.1f}" y="{y:.1f}" fill="{ink}"{weight}>{escape(text)}</text>'
