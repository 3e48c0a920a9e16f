"""Blocks that a column or page break cut: paragraphs and tables go on."""

from collections.abc import Sequence
from dataclasses import replace

from glossator.parse.pdf.paragraphs import Draft, ends_sentence, is_caption
from glossator.parse.pdf.pieces import Cell
from glossator.parse.pdf.tables import cell_text

FULL_LINE = 3  # points: a line that ends this near to the right edge is full


def join_drafts(drafts: Sequence[Draft], body: float) -> list[Draft]:
    """Return the blocks with paragraphs joined over columns and pages, and tables over pages.

    Notes, tables and captions may stand between the halves of a paragraph; a heading may not. The head and the caption
    that a table repeats on its next page are left out.
    """
    out: list[Draft] = []
    last: int | None = None  # where in `out` the paragraph stands that may go on
    for draft in drafts:
        if is_caption(draft):
            if _repeats_caption(out, draft):
                continue
        elif draft.kind == "text":
            if last is not None and not draft.listed and _continues(draft, out[last], body):
                out[last] = _together(out[last], draft)
                continue
            last = len(out)
        elif draft.kind == "heading":
            last = None
        elif draft.grid is not None:
            whole = _one_table(out[-1], draft) if out else None
            if whole is not None:
                out[-1] = whole
                continue
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


def _together(last: Draft, draft: Draft) -> Draft:
    return replace(
        last,
        lines=last.lines + draft.lines,
        page=draft.page,
        right=draft.right,
        justified=draft.justified,
        has_indents=last.has_indents or draft.has_indents,
    )


def _repeats_caption(out: Sequence[Draft], draft: Draft) -> bool:
    """Return whether a caption is that of the table before it, written again where the table goes on."""
    if len(out) < 2 or out[-1].grid is None or out[-1].page != draft.page - 1:
        return False
    return [p.text for p in out[-2].lines] == [p.text for p in draft.lines]


def _one_table(before: Draft, draft: Draft) -> Draft | None:
    """Return a table with the one of equal width on the next page appended, a repeated head left out; else None."""
    if before.grid is None or draft.grid is None or before.page != draft.page - 1:
        return None
    if len(before.grid[0]) != len(draft.grid[0]):
        return None
    repeated = _texts(draft.grid[0]) == _texts(before.grid[0])
    grid = before.grid + (draft.grid[1:] if repeated else draft.grid)
    return replace(before, grid=grid, lines=before.lines + draft.lines, page=draft.page)


def _texts(row: Sequence[Cell]) -> list[str]:
    return [cell_text(cell) for cell in row]
