"""Tools that find: passages by words and meaning, the contents, the text around a place, a whole section."""

from typing import Annotated, Literal

from glossator.agent.context import ToolContext
from glossator.agent.registry import LIMITS, Outcome, tool
from glossator.agent.shorten import window
from glossator.agent.signature import Range
from glossator.errors import UsageError
from glossator.index.tokens import query_tokens
from glossator.library.reader import Opened, Reader
from glossator.library.results import ContentsEntry

READING = LIMITS["reading"]
MARKUP = 400  # characters that the marks around a passage may take
WHOLE = 3  # passages of a search that are shown whole
EXCERPT = 480  # characters of each other one
ENTRIES = 120  # of a table of contents at once


@tool(
    toolset="search",
    needs=("index",),
    words="search find look mention where who what why passage 搜索 查找 检索 提到 哪里 谁 什么 为什么 书中 是否",
)
def search(
    ctx: ToolContext,
    query: str,
    document: str | None = None,
    limit: Annotated[int, Range(1, 20)] = 8,
    mode: Literal["hybrid", "lexical", "vector"] = "hybrid",
) -> Outcome:
    """Find passages by words and meaning. Use it when a question is about what the documents say; not for small talk.

    Ask with the words that the text itself would use, in its language. "…" is an exact phrase, -word excludes. The best
    passages come whole, of the others what is nearest to the query: `context` reads around them.

    Args:
        query: what to look for
        document: id or title of the only document to look in; all in scope when left out
        limit: how many passages
        mode: by words and meaning, by words, or by meaning
    """
    if not query.strip():
        raise UsageError("the query is empty", hint="give the words to look for")
    reader = ctx.reader if document is None else ctx.reader.narrowed(ctx.open(document).document.key)
    found = reader.search(" ".join(query.split()), k=limit, mode=mode)
    shown: list[str] = []
    left: list[str] = []
    used = 0
    terms = set(query_tokens(query))
    for rank, passage in enumerate(found.passages):
        opened = reader.open(passage.document)
        start, end = passage.start, passage.end
        if rank >= WHOLE:
            a, b = window(reader.text(passage.document, start, end), terms, EXCERPT)
            start, end = start + a, start + b
        if used and used + end - start + MARKUP > LIMITS["search"]:
            left.append(f"{opened.document.id} at {start}")
            continue
        shown.append(ctx.passage(opened, start, end))
        used += len(shown[-1])
    if not shown:
        return Outcome(_nothing(query, found.notice), f"nothing found for “{query}”")
    rest = [f"Also found, not shown: {'; '.join(left)} (read them with `context`)."] if left else []
    notice = [found.notice] if found.notice else []
    return Outcome("\n".join([*shown, *rest, *notice]), f"{_many(len(shown) + len(left), 'passage')} for “{query}”")


@tool(
    toolset="search",
    needs=("documents",),
    words="contents chapters chapter sections structure outline 目录 章节 章 结构 大纲 逐章",
)
def contents(ctx: ToolContext, document: str | None = None, start: Annotated[int, Range(1, 100_000)] = 1) -> Outcome:
    """List the table of contents: section numbers, titles, pages. Use it before reading a chapter or the whole.

    Titles past what the person has read are hidden.

    Args:
        document: id or title; the open document when left out
        start: number of the first section to list
    """
    opened = ctx.open(document)
    entries = ctx.reader.contents(opened.document.key)
    listed = [e for e in entries if e.number >= start][:ENTRIES]
    head = f"{opened.document.title} ({opened.document.id}): {_many(len(entries), 'section')}"
    lines = [head, *(_entry(e) for e in listed)]
    last = listed[-1].number if listed else start
    rest = f"{len(entries) - last} more: contents(start={last + 1})" if len(entries) > last and listed else ""
    return Outcome("\n".join([*lines, rest]).rstrip(), head, rest)


@tool(
    toolset="search",
    needs=("documents",),
    result_limit=READING,
    words="context around before after surrounding place position 上下文 前后 附近 周围 原文",
)
def context(
    ctx: ToolContext,
    position: Annotated[int, Range(0, 1 << 40)],
    document: str | None = None,
    paragraphs: Annotated[int, Range(0, 20)] = 3,
) -> Outcome:
    """Read the text around a position: the paragraph there and its neighbours. Use it when a passage is too short.

    Args:
        position: a position, such as the first number of `at` of a passage
        document: id or title; the open document when left out
        paragraphs: how many paragraphs before and after
    """
    opened = ctx.open(document)
    blocks = [b for b in ctx.reader.around(opened.document.key, position, paragraphs) if b.start is not None]
    start = min(b.start or 0 for b in blocks)
    end = max(b.end or 0 for b in blocks)
    return excerpt(ctx, opened, (start, end), f"the text around {position}")


@tool(
    toolset="search",
    needs=("documents",),
    result_limit=READING,
    words="read section chapter whole text summarise summary 读 阅读 全文 本章 这一章 总结 概括 章",
)
def read_section(
    ctx: ToolContext,
    number: Annotated[int, Range(1, 100_000)],
    document: str | None = None,
    start: int | None = None,
) -> Outcome:
    """Read a section with its subsections, in its own words. Use it to know what a chapter says.

    A long section comes in parts: the end of each says how to get the next.

    Args:
        number: the section's number in `contents`
        document: id or title; the open document when left out
        start: position to go on from; the beginning of the section when left out
    """
    opened = ctx.open(document)
    first, end = ctx.reader.section(opened.document.key, number)
    begin = first if start is None else min(max(start, first), end)
    name = f"section {number}" if begin == first else f"section {number} from {begin}"
    return excerpt(ctx, opened, (begin, end), name, again=f"read_section(number={number}, start={{}})")


def excerpt(
    ctx: ToolContext, opened: Opened, span: tuple[int, int], name: str, *, again: str = "context(position={})"
) -> Outcome:
    """Return a passage as far as a result may be long, and how to read on."""
    start, end = span
    last = min(end, fitting_end(ctx.reader, opened, start, end))
    text = ctx.passage(opened, start, last)
    rest = f"{end - last:,} characters of it follow: {again.format(last)}" if last < end else ""
    return Outcome("\n".join([text, rest]).rstrip(), f"{name} of “{opened.document.title}”", rest)


def fitting_end(reader: Reader, opened: Opened, start: int, end: int, *, limit: int = READING) -> int:
    """Return where to stop so that the text from `start` fits into a result: at the end of a block, else anywhere."""
    reach = start + limit - MARKUP
    if end <= reach:
        return end
    ends = [b.end for b in reader.body(opened.document.key, start, reach) if b.end is not None and b.end <= reach]
    return max((e for e in ends if e > start), default=reach)


def _entry(entry: ContentsEntry) -> str:
    title = entry.title or "(hidden: not read yet)"
    place = [f"page {entry.page}"] if entry.page else []
    place += [f"from {entry.start}"] if entry.start is not None else []
    where = f" ({', '.join(place)})" if place else ""
    return f"{'  ' * (entry.level - 1)}{entry.number}. {title}{where}"


def _nothing(query: str, notice: str | None) -> str:
    said = f"Nothing was found for “{query}”. Try other words for it, or words of the text's own language."
    return said if notice is None else f"{said}\n{notice}"


def _many(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"
