"""Tools for notes: list, make and link them, quote with a receipt, and what was marked last in the open document."""

from typing import Annotated
from urllib.parse import urlencode

from glossator.agent.context import ToolContext
from glossator.agent.registry import LIMITS, Outcome, tool
from glossator.agent.signature import Range
from glossator.agent.tools.fences import fitting, many, note_block
from glossator.document.model import Color
from glossator.errors import NotFound
from glossator.library.locate import locate
from glossator.store.links import Relation

ROOM = LIMITS["search"] - 300
LAST = 10  # of the newest notes, when nothing else is asked


@tool(
    toolset="notes",
    needs=("documents",),
    result_limit=LIMITS["search"],
    words="notes highlights annotations list show marked 笔记 高亮 划线 批注 标注 列出",
)
def list_notes(
    ctx: ToolContext,
    document: str | None = None,
    tag: str | None = None,
    color: Color | None = None,
    start: Annotated[int, Range(1, 100_000)] = 1,
) -> Outcome:
    """List the person's notes and highlights, of one document in reading order, else the newest first.

    Use it for "my notes on this book"; to look for words in them use `search_notes`.

    Args:
        document: id or title; the open document, else all in scope, when left out
        tag: only those with this tag
        color: only those of this colour
        start: number of the first to list
    """
    one = None
    if document is not None or ctx.state.document is not None:
        one = ctx.open(document).document.id
    found = ctx.library.notes(
        document=one, tags=[tag] if tag else (), colors=[color] if color else (), limit=40, offset=start - 1
    )
    if not found.notes:
        return Outcome("There are no such notes.", "no notes")
    shown, _ = fitting((note_block(ctx, n) for n in found.notes), ROOM)
    left = found.total - (start - 1) - len(shown)
    rest = f"{left} more: list_notes(start={start + len(shown)})" if left > 0 else ""
    return Outcome("\n".join([*shown, rest]).rstrip(), many(found.total, "note"), rest)


@tool(
    toolset="reading",
    needs=("document",),
    result_limit=LIMITS["search"],
    words="recent highlights latest last marked noted 最近 刚才 划线 高亮 标注",
)
def recent_highlights(ctx: ToolContext, limit: Annotated[int, Range(1, 20)] = LAST) -> Outcome:
    """Read what the person marked or noted last in the open document. Use it for "what I just highlighted".

    Args:
        limit: how many of the newest
    """
    found = ctx.library.notes(document=ctx.open(None).document.id).notes
    newest = sorted(found, key=lambda n: n.created, reverse=True)[:limit]
    if not newest:
        return Outcome("Nothing is marked in this document.", "no highlights")
    shown, left = fitting((note_block(ctx, n) for n in newest), ROOM)
    rest = f"{left} more: recent_highlights(limit={len(shown)})" if left else ""
    return Outcome("\n".join([*shown, rest]).rstrip(), many(len(shown), "highlight"), rest)


@tool(
    toolset="notes",
    needs=("documents",),
    changes=True,
    words="add note highlight mark annotate write remember passage 添加 记笔记 笔记 高亮 划线 标注 记下",
)
def add_note(
    ctx: ToolContext,
    quote: str,
    body: str = "",
    document: str | None = None,
    color: Color = "yellow",
    tags: list[str] | None = None,
) -> Outcome:
    """Make a note, or a highlight without a body, at words of a document. Use it when the person asks to note or mark.

    The words must stand in the document; they are checked, and what is kept are the document's own.

    Args:
        quote: the words it is about, copied exactly
        body: what the note says
        document: id or title; the open document when left out
        color: of the highlight
        tags: short names
    """
    opened = ctx.open(document)
    made = ctx.library.add_note(opened.document.id, quote, body=body, color=color, tags=tags or ())
    more = (
        f"; the words stand there {made.occurrences} times, the first is marked" if (made.occurrences or 1) > 1 else ""
    )
    repaired = f"; found after allowing for: {', '.join(made.repairs)}" if made.repairs else ""
    done = f"note {made.id} made in “{made.document.title}”{more}{repaired}"
    return Outcome(f"{done}\n{note_block(ctx, made)}", done)


@tool(
    toolset="notes",
    needs=("documents",),
    changes=True,
    words="link connect relate notes supports contradicts 链接 关联 连接 支持 矛盾",
)
def link_notes(ctx: ToolContext, note: str, other: str, relation: Relation = "related") -> Outcome:
    """Link two notes, also of different documents, and say how they stand to each other. Use it when asked to connect.

    Args:
        note: id of the one
        other: id of the other
        relation: how the first stands to the second
    """
    ctx.library.link(note, other, relation)
    done = f"note {note} now {'is related to' if relation == 'related' else relation} note {other}"
    return Outcome(done, done)


@tool(
    toolset="notes",
    needs=("documents",),
    changes=True,
    words="cite citation quote reference source exact 引用 引文 出处 原文 添加引用",
)
def add_citation(ctx: ToolContext, quote: str, document: str | None = None, note: str | None = None) -> Outcome:
    """Check a quotation word for word and get it as a numbered passage to cite. Use it when exact words matter.

    What stands nowhere is refused. With `note`, the citation with its address is written into that note, too.

    Args:
        quote: the words
        document: id or title of where they should stand; all in scope when left out
        note: id of a note to write it into
    """
    reader = ctx.reader if document is None else ctx.reader.narrowed(ctx.open(document).document.key)
    found = locate(reader, quote)
    if found.status == "not_found" or found.document is None or found.locator is None:
        near = [f"“{n.text}”" for n in found.near]
        hint = f"nearest are: {'; '.join(near)}" if near else "search for it, and copy the words exactly"
        raise NotFound("these words stand nowhere in the scope", hint=hint)
    opened = ctx.open(found.document.id)
    locator = found.locator
    shown = ctx.passage(opened, locator.start, locator.end)
    number = ctx.passages.number(opened.document.key, locator.start, locator.end)
    words = locator.quote.exact if locator.quote else ""
    done = f"citation [{number}] {found.status} in “{found.document.title}”"
    if note is not None:
        before = ctx.library.note(note)
        query = urlencode({"start": locator.start, "end": locator.end, "sha": opened.document.sha256})
        address = f"glossator://document/{found.document.id}?{query}"
        ctx.library.write_on(before.id, f"{before.body}\n\n“{words}” ({address})".strip())
        done += f", written into note {before.id}"
    repaired = f" (after allowing for {', '.join(found.repairs)})" if found.repairs else ""
    return Outcome(f"{done}{repaired}\n{shown}", done)
