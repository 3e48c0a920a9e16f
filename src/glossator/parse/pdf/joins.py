"""Blocks that a column or page break cut: paragraphs and tables go on."""

from collections.abc import Sequence

from glossator.parse.pdf.paragraphs import Draft, ends_sentence
from glossator.parse.pdf.pieces import Cell
from glossator.parse.pdf.tables import cell_text

FULL_LINE = 3  # points: a line that ends this near to the right edge is full


def join_drafts(drafts: Sequence[Draft], body: float) -> list[Draft]:
    """Return the blocks with paragraphs joined over columns and pages, and tables over pages.

    Notes, tables and captions may stand between the halves of a paragraph; a heading may not.
    """
    out: list[Draft] = []
    last: Draft | None = None
    for draft in drafts:
        if draft.kind == "text":
            if last is not None and not draft.listed and _continues(draft, last, body):
                _append(last, draft)
                continue
            last = draft
        elif draft.kind == "heading":
            last = None
        elif draft.grid is not None:
            if out and _append_table(out[-1], draft):
                continue
            draft.header = draft.grid[0]
        out.append(draft)
    return out


def _continues(draft: Draft, last: Draft, body: float) -> bool:
    """Return whether `draft` is the rest of the paragraph `last`."""
    line, before = draft.lines[0], last.lines[-1]
    if last.page < draft.page - 1 or (draft.page == before.page and line.y0 <= before.y0):
        return False
    ended = ends_sentence(before.text)
    if ended and draft.indent > body * 0.7 and (draft.has_indents or last.has_indents):
        return False
    if not ended or before.hyphen or "a" <= line.text[0] <= "z":
        return True
    full_line = last.justified and before.x1 > last.right - FULL_LINE
    return full_line and last.has_indents and draft.has_indents and draft.indent < body * 0.5


def _append(last: Draft, draft: Draft) -> None:
    last.lines += draft.lines
    last.page, last.right, last.justified = draft.page, draft.right, draft.justified
    last.has_indents = draft.has_indents or last.has_indents


def _append_table(before: Draft, draft: Draft) -> bool:
    """Append a table of equal width on the next page, without a repeated head; return whether it was one."""
    if before.grid is None or draft.grid is None or before.page != draft.page - 1:
        return False
    if len(before.grid[0]) != len(draft.grid[0]):
        return False
    repeated = before.header is not None and _texts(draft.grid[0]) == _texts(before.header)
    before.grid += draft.grid[1:] if repeated else draft.grid
    before.lines += draft.lines
    before.page = draft.page
    return True


def _texts(row: Sequence[Cell]) -> list[str]:
    return [cell_text(cell) for cell in row]
