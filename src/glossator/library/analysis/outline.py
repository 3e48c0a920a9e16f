"""A document as a tree: its contents, and under what has no subsections the sentences that stand for it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glossator.document.model import Section
from glossator.library.analysis.centrality import Weights, choose, ranked
from glossator.library.analysis.prose import Part, is_beside, parts
from glossator.library.analysis.values import Map, Node
from glossator.library.reader import Opened, Reader
from glossator.library.scoping import Scoped

if TYPE_CHECKING:
    from glossator.document.locator import Locator

ALONE = 0.3  # of a document, before its first section, from which that part has points of its own
NODES = 220  # nodes of a map; a longer document is shown down to fewer levels, with fewer points
TITLE, TITLE_HAN = 96, 40  # characters of a point's title
HEADING = 400  # characters in which the heading of a section ends


def outline(shown: Scoped) -> Map:
    """Return the map of the one document of a scope."""
    reader, key = shown.reader, shown.only.key
    with reader.database.read():
        opened = reader.open(key)
        sections = _kept(opened)
        points = _points(reader, opened, sections)
        children = _children(reader, opened, sections, points, parent=None)
        children = (*points.get(0, ()), *children)
        root = Node(opened.document.title, _heading(reader, opened, None), children)
        return Map(document=opened.ref, root=root, notice=shown.notice)


def markdown(found: Map) -> str:
    """Return a map as a Markdown list; points stand in italics."""
    lines = [f"# {found.root.title}", ""]
    for depth, node in found.root.walk():
        if depth:
            title = f"*{node.title}*" if node.is_point else node.title
            lines.append(f"{'  ' * (depth - 1)}- {title}")
    return "\n".join(lines) + "\n"


def _kept(opened: Opened) -> list[Section]:
    """Return the sections that a map shows: as many levels as it has room for."""
    sections = [s for s in opened.sections if not is_beside(s) and s.title]
    while len(sections) > NODES:
        deepest = max(s.level for s in sections)
        if deepest == min(s.level for s in sections):
            return sections[:NODES]
        sections = [s for s in sections if s.level < deepest]
    return sections


def _points(reader: Reader, opened: Opened, sections: Sequence[Section]) -> dict[int, list[Node]]:
    """Return the points under each section without subsections, by its number; 0: of a document without sections."""
    leaves = [s for s in sections if not any(s.start <= o.start < s.end and o.level > s.level for o in sections)]
    room = NODES - len(sections)
    count = 0 if room < len(leaves) else 3 if room >= 12 * len(leaves) else 2 if room >= 4 * len(leaves) else 1
    begins = sections[0].start if sections else opened.end
    before = parts(reader, opened, (0, begins)) if begins > ALONE * opened.end else []
    above = [n for part, w in _weighed(before) for n in _nodes(reader, opened, part, w, max(1, 9 // len(before)))]
    read = [part for leaf in leaves for part in _whole(parts(reader, opened, (leaf.start, leaf.end)), leaf)]
    if not count:
        return {0: above}
    return {0: above} | {
        part.section.number: _nodes(reader, opened, part, weights, count)
        for part, weights in _weighed(read)
        if part.section
    }


def _whole(read: Sequence[Part], leaf: Section) -> list[Part]:
    """Return the parts of a leaf as one."""
    if not read:
        return []
    found = tuple(s for part in read for s in part.sentences)
    return [Part(leaf, leaf.start, leaf.end, found, tuple(p for part in read for p in part.pieces))]


def _weighed(read: Sequence[Part]) -> list[tuple[Part, dict[str, float]]]:
    weights = Weights(read)
    return [(part, dict(weights.of(n))) for n, part in enumerate(read)]


def _nodes(reader: Reader, opened: Opened, part: Part, weights: dict[str, float], count: int) -> list[Node]:
    chosen = choose(ranked(part, weights), min(count, max(1, len(part.sentences) // 3)), (part.end - part.start) // 6)
    return [
        Node(short(s.text), reader.locator(opened, s.start, s.end), is_point=True) for s in chosen if s.text.strip()
    ]


def short(text: str) -> str:
    """Return a sentence short enough for a node: cut at a clause where one ends in time, else at a word."""
    words = " ".join(text.split())
    most = TITLE_HAN if any("\u4e00" <= c <= "\u9fff" for c in words[:20]) else TITLE
    if len(words) <= most:
        return words
    clause = max(
        (words.rfind(mark, most // 2, most) for mark in (", ", "; ", ": ", "，", "；", "：", "、")), default=-1
    )
    cut = clause if clause > 0 else words.rfind(" ", most // 2, most)
    return words[: cut if cut > 0 else most].rstrip(" ,;:，；：、") + " …"


def _children(
    reader: Reader, opened: Opened, sections: Sequence[Section], points: dict[int, list[Node]], parent: Section | None
) -> tuple[Node, ...]:
    """Return the nodes right under a section, or under the document."""
    inside = [
        s for s in sections if parent is None or (parent.start <= s.start < parent.end and s.level > parent.level)
    ]
    top: list[Section] = []
    for section in inside:
        if not top or section.start >= top[-1].end or section.level <= top[-1].level:
            top.append(section)
    nodes = [Node(s.title, _heading(reader, opened, s), _children(reader, opened, sections, points, s)) for s in top]
    if parent is not None and not nodes:
        nodes = points.get(parent.number, [])
    if parent is None and len(nodes) == 1 and nodes[0].title == opened.document.title:
        return nodes[0].children  # a document's own title as its only section
    return tuple(nodes)


def _heading(reader: Reader, opened: Opened, section: Section | None) -> "Locator":
    """Return the place of a section's heading, or where it begins."""
    start = section.start if section else 0
    blocks = reader.body(opened.document.key, start, min(start + HEADING, opened.end))
    block = next((b for b in blocks if b.start is not None and b.start >= start and b.text.strip()), None)
    if block is None or block.start is None or block.end is None:
        return reader.locator(opened, start, min(start + 1, opened.end))
    end = block.end if block.kind == "heading" else min(block.end, block.start + 80)
    return reader.locator(opened, block.start, end)
