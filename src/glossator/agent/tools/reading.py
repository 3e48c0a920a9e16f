"""Tools for the document that is open: where the person is, what they selected, how far they have read."""

from typing import Annotated

from glossator.agent.context import ToolContext
from glossator.agent.registry import LIMITS, Outcome, tool
from glossator.agent.signature import Range
from glossator.agent.tools.search import excerpt
from glossator.document.model import Section, innermost
from glossator.errors import NotFound
from glossator.library.reader import Opened

READING = LIMITS["reading"]


@tool(
    toolset="reading",
    needs=("document",),
    result_limit=READING,
    words="this current chapter section here now reading 本章 这一章 当前 现在 正在读 这里",
)
def current_chapter(ctx: ToolContext, start: int | None = None) -> Outcome:
    """Read the chapter the person is in. Use it for "this chapter", "here", "what I am reading".

    Args:
        start: position to go on from, when the chapter came in parts
    """
    opened = ctx.open(None)
    section = _section(ctx, opened)
    begin = section.start if start is None else min(max(start, section.start), section.end)
    end = min(section.end, opened.end)
    name = f"section {section.number} “{section.title}”"
    return excerpt(ctx, opened, (begin, end), name, again="current_chapter(start={})")


@tool(
    toolset="reading",
    needs=("selection",),
    result_limit=READING,
    words="this selection selected marked sentence paragraph mean explain 选中 选择 这句 这段 这句话 解释 意思",
)
def selection(ctx: ToolContext) -> Outcome:
    """Read what the person has selected. Use it for "this sentence", "what does this mean"."""
    opened = ctx.open(None)
    if ctx.state.selection is None:
        raise NotFound("nothing is selected", hint="ask the person to select a passage")
    return excerpt(ctx, opened, ctx.state.selection, "the selection")


@tool(
    toolset="reading",
    needs=("document",),
    words="progress far read finished position page where 进度 读到 多少 读完 位置 页",
)
def reading_progress(ctx: ToolContext) -> Outcome:
    """Tell how far the person has read the open document, and where they are. Not what is written there."""
    opened = ctx.open(None)
    progress = ctx.library.progress(opened.document.id)
    length = opened.document.characters
    where = f"position {progress.position} of {length} ({100 * progress.position // max(1, length)}%)"
    page = f", page {progress.page} of {len(opened.pages)}" if progress.page else ""
    section = f", section {progress.section}" if progress.section else ""
    done = "; finished" if progress.finished else f"; read up to {progress.read_to}"
    never = "" if progress.updated else "; no progress was kept yet"
    line = f"“{opened.document.title}”: {where}{page}{section}{done}{never}"
    return Outcome(line, line)


@tool(
    toolset="reading",
    needs=("document",),
    result_limit=READING,
    words="before previous last just read recap remember surrounding around 刚才 前面 之前 上文 前文 周围 回顾",
)
def surrounding_text(
    ctx: ToolContext,
    before: Annotated[int, Range(0, 10_000)] = 3_000,
    after: Annotated[int, Range(0, 10_000)] = 1_000,
) -> Outcome:
    """Read the text around the place where the person is. Use it for what happened just now, or who is speaking.

    Args:
        before: how many characters before it
        after: how many after it
    """
    opened = ctx.open(None)
    at = _position(ctx, opened)
    blocks = ctx.reader.body(opened.document.key, max(0, at - before), min(opened.end, at + after + 1))
    placed = [(b.start, b.end) for b in blocks if b.start is not None and b.end is not None]
    if not placed:
        raise NotFound(f"nothing of “{opened.document.title}” may be shown here", hint="it is not read yet")
    return excerpt(ctx, opened, (placed[0][0], placed[-1][1]), f"the text around {at}")


def _position(ctx: ToolContext, opened: Opened) -> int:
    """Return where the person is: the selection, the given position, the given section, else the stored place."""
    state = ctx.state
    if state.selection:
        return state.selection[0]
    if state.position is not None:
        return min(state.position, max(0, opened.end - 1))
    if state.section is not None:
        return ctx.reader.section(opened.document.key, state.section)[0]
    return min(ctx.library.progress(opened.document.id).position, max(0, opened.end - 1))


def _section(ctx: ToolContext, opened: Opened) -> Section:
    found = innermost(opened.sections, _position(ctx, opened))
    if found is None:
        raise NotFound(f"“{opened.document.title}” has no sections here", hint="use surrounding_text")
    return found
