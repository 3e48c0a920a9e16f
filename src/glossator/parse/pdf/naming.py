"""What a drafted block is called in the document, and the levels of headings."""

import re
from collections.abc import Sequence

from glossator.document.model import BlockKind
from glossator.parse.pdf.paragraphs import Draft, is_caption

DEEPEST = 6  # level of a heading
LONGEST_CAPTION = 200  # characters
_CAPTION = re.compile(r"^\s*(table|figure|fig\.|表|图|圖)\s*\d", re.IGNORECASE)
_KINDS: dict[str, BlockKind] = {
    "note": "footnote",
    "text": "paragraph",
    "small": "paragraph",
    "heading": "heading",
    "table": "table",
}


def kind_of(drafts: Sequence[Draft], i: int, text: str) -> BlockKind:
    """Return the kind of block `i` of a document, whose text is `text`."""
    draft = drafts[i]
    if draft.kind in ("text", "small") and _CAPTION.match(text) and len(text) < LONGEST_CAPTION:
        beside_table = any(d.kind == "table" for d in drafts[max(0, i - 1) : i + 2])
        if draft.kind == "small" or beside_table or is_caption(draft):
            return "caption"
    return "list_item" if draft.listed else _KINDS[draft.kind]


def heading_levels(drafts: Sequence[Draft]) -> dict[Draft, int]:
    """Return the level of each heading, from 1: by size (steps of half a point), bold before regular."""
    styles = {d: _style(d) for d in drafts if d.kind == "heading"}
    ranks = {style: n for n, style in enumerate(sorted(set(styles.values()), reverse=True), 1)}
    return {d: min(ranks[style], DEEPEST) for d, style in styles.items()}


def _style(draft: Draft) -> tuple[float, bool]:
    size = max(p.size for p in draft.lines)
    return round(size * 2) / 2, any(p.bold for p in draft.lines)
