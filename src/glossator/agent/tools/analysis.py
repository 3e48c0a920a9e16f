"""Tools that say something of a whole: summary, names, argument, quotations, comparisons, a map of a document.

All of it is made of the documents' own sentences, without another language model, inside the bound of the run; every
sentence is a numbered passage that can be cited.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from glossator.agent.context import ToolContext
from glossator.agent.registry import LIMITS, Outcome, tool
from glossator.agent.signature import Range
from glossator.agent.tools.fences import fitting, inert, listed, many, point
from glossator.errors import UsageError
from glossator.library.reader import Opened
from glossator.library.scoping import Scoped

if TYPE_CHECKING:
    from glossator.library.analysis.values import Coverage

WIDE = LIMITS["search"]
ROOM = WIDE - 400
NAMES = 60  # in one result


@tool(
    toolset="analysis",
    needs=("index",),
    timeout=120.0,
    result_limit=WIDE,
    words="summarise summarize summary overview gist about recap story 总结 概括 摘要 概要 主要内容 讲了什么 回顾 梗概",
)
def summarise(ctx: ToolContext, document: str | None = None, section: int | None = None) -> Outcome:
    """Summarise a document or a section in its own key sentences, with how much of it was read. Use it for an overview.

    Up to where the person has read only. For what a chapter says in detail use `read_section`.

    Args:
        document: id or title; the open document when left out
        section: number of a section in `contents`; all of it when left out
    """
    from glossator.library.analysis.summary import summary

    opened, scoped = _of(ctx, document)
    found = summary(scoped, section)
    lines = []
    for chapter in found.chapters:
        who = f" (who: {listed(chapter.who)})" if chapter.who else ""
        where = f" (where: {listed(chapter.where)})" if chapter.where else ""
        lines.append(f"## {chapter.title}{who}{where}")
        lines += [point(ctx, opened, found.points[n - 1].locator) for n in chapter.points]
    lines = lines or [point(ctx, opened, p.locator) for p in found.points]
    head = f"{_name(opened, section)}: {many(len(found.points), 'key sentence')}; {_covered(found.coverage)}"
    rest = "summarise(section=N) gives one section at a time"
    return _outcome(head, lines, rest)


@tool(
    toolset="analysis",
    needs=("index",),
    timeout=120.0,
    result_limit=WIDE,
    words="people characters persons names places concepts terms entities who 人物 角色 名字 地点 概念 术语 实体 谁",
)
def people_and_concepts(
    ctx: ToolContext, document: str | None = None, limit: Annotated[int, Range(1, NAMES)] = 30
) -> Outcome:
    """List the people, places and concepts of a document: how often, and where each is first met. Use it for a cast.

    Only those met up to where the person has read. It does not say what they do: `search` for a name does.

    Args:
        document: id or title; the open document when left out
        limit: how many
    """
    from glossator.library.analysis.people import people

    opened, scoped = _of(ctx, document)
    names = people(scoped).names
    lines = []
    for found in names[:limit]:
        path = " › ".join(found.first.section_path)
        where = f" ({path})" if path else ""
        lines.append(f"- {found.name}: {found.kind}, {found.count} times, first at {found.first.start}{where}")
    return _outcome(f"{_name(opened)}: {many(len(names), 'name')}", lines, "limit=N lists fewer")


@tool(
    toolset="analysis",
    needs=("index",),
    timeout=120.0,
    result_limit=WIDE,
    words="argument arguments claim claims reasons evidence conclusion thesis logic 论证 论点 论据 结论 观点 逻辑",
)
def argument_structure(ctx: ToolContext, document: str | None = None, section: int | None = None) -> Outcome:
    """Show how a text argues: claims, reasons, evidence, objections, conclusions, in order. Use it for non-fiction.

    The parts are told by their connectives, so an argument without them is missed.

    Args:
        document: id or title; the open document when left out
        section: number of a section in `contents`; all of it when left out
    """
    from glossator.library.analysis.arguments import arguments

    opened, scoped = _of(ctx, document)
    steps = arguments(scoped, section).steps
    lines = [f"{step.role}:\n{point(ctx, opened, step.point.locator)}" for step in steps]
    rest = "argument_structure(section=N) gives one section at a time"
    return _outcome(f"{_name(opened, section)}: {many(len(steps), 'step')}", lines, rest)


@tool(
    toolset="analysis",
    needs=("index",),
    timeout=120.0,
    result_limit=WIDE,
    words="quotes quotations memorable beautiful best sentences 金句 名句 佳句 摘录 引语 经典",
)
def memorable_quotations(
    ctx: ToolContext, document: str | None = None, limit: Annotated[int, Range(1, 30)] = 10
) -> Outcome:
    """Find sentences of a document that are worth remembering, the best first, word for word. Use it for "best quotes".

    Args:
        document: id or title; the open document when left out
        limit: how many
    """
    from glossator.library.analysis.arguments import quotations

    opened, scoped = _of(ctx, document)
    points = quotations(scoped, limit).points
    lines = [point(ctx, opened, p.locator) for p in points]
    return _outcome(f"{_name(opened)}: {many(len(points), 'quotation')}", lines, "limit=N gives fewer")


@tool(
    toolset="analysis",
    needs=("index",),
    timeout=120.0,
    result_limit=WIDE,
    words="compare sections chapters difference contrast versus 比较 对比 章节 区别 不同 异同",
)
def compare_sections(
    ctx: ToolContext,
    first: Annotated[int, Range(1, 100_000)],
    second: Annotated[int, Range(1, 100_000)],
    document: str | None = None,
    other_document: str | None = None,
) -> Outcome:
    """Put two sections side by side: terms of both, terms of one only, and sentences that are alike. Use it to compare.

    Args:
        first: number of a section in `contents`
        second: number of the other section
        document: id or title of the first one's document; the open one when left out
        other_document: of the second one's; the same when left out
    """
    from glossator.library.analysis.contrast import compare_sections as contrast

    opened, one = _of(ctx, document)
    other, two = (opened, one) if other_document is None else _of(ctx, other_document)
    found = contrast(one, two, (first, second))
    lines = [
        f"In both: {listed(found.shared, 20) or 'no terms'}",
        f"Only in “{found.titles[0]}”: {listed(found.only[0], 20)}",
        f"Only in “{found.titles[1]}”: {listed(found.only[1], 20)}",
    ]
    lines += [f"Alike:\n{point(ctx, opened, a.locator)}\n{point(ctx, other, b.locator)}" for a, b in found.pairs]
    return _outcome(f"“{found.titles[0]}” and “{found.titles[1]}”", lines, "read_section reads either")


@tool(
    toolset="analysis",
    needs=("index",),
    timeout=120.0,
    result_limit=WIDE,
    words="claim same claim compare documents books stance support contradict agree 观点 立场 支持 反对 矛盾 说法",
)
def same_claim(ctx: ToolContext, claim: str, document: str | None = None) -> Outcome:
    """Find what the documents say to a claim: passages that support, contradict or mention it. Use it across books.

    The stance is told by the words and may be wrong: read the passages.

    Args:
        claim: a sentence
        document: id or title of the only document to look in; all in scope when left out
    """
    from glossator.library.analysis.compare import compare

    if not claim.strip():
        raise UsageError("there is no claim", hint="give a sentence to compare")
    scoped = Scoped(reader=ctx.reader, named=None, notice=None) if document is None else _of(ctx, document)[1]
    found = compare(scoped, claim).passages
    if not found:
        return Outcome("No document says anything to that. `search` with other words may find more.", "no passages")
    lines = [f"{p.stance}:\n{point(ctx, ctx.open(p.document.id), p.locator)}" for p in found]
    return _outcome(many(len(found), "passage"), lines, "name a document to get fewer")


@tool(
    toolset="analysis",
    needs=("index",),
    timeout=120.0,
    result_limit=WIDE,
    words="mind map mindmap outline tree structure diagram 思维导图 导图 脑图 结构图 大纲",
)
def mind_map(ctx: ToolContext, document: str | None = None) -> Outcome:
    """Draw a document as a tree of its contents and key points, indented, each with its place. Use it for a mind map.

    `glossator map` draws the same for the person, also as an image.

    Args:
        document: id or title; the open document when left out
    """
    from glossator.library.analysis.outline import outline

    opened, scoped = _of(ctx, document)
    lines = []
    for depth, node in outline(scoped).root.walk():
        start, end = node.locator.start, node.locator.end
        number = f"[{ctx.passages.number(opened.document.key, start, end)}] " if node.is_point else ""
        lines.append(f"{'  ' * depth}- {number}{inert(node.title)} (at {start})")
    return _outcome(_name(opened), lines, "summarise(section=N) says more of one section")


def _of(ctx: ToolContext, document: str | None) -> tuple[Opened, Scoped]:
    """Return a document and a scope of it alone, clipped as the run is."""
    opened = ctx.open(document)
    reader = ctx.reader.narrowed(opened.document.key)
    return opened, Scoped(reader=reader, named=(opened.document,), notice=None)


def _outcome(head: str, lines: Iterable[str], rest: str) -> Outcome:
    shown, left = fitting(lines, ROOM)
    more = f"{left} more are left out. {rest}" if left else ""
    return Outcome("\n".join([f"{head}.", *shown, more]).rstrip(), head, more)


def _name(opened: Opened, section: int | None = None) -> str:
    of = "" if section is None else f"section {section} of "
    return f"{of}“{opened.document.title}”"


def _covered(coverage: "Coverage") -> str:
    missing = f", not {', '.join(f'{a}-{b}' for a, b in coverage.missing[:4])}" if coverage.missing else ""
    return f"{round(100 * coverage.share)}% of it was read{missing}"
