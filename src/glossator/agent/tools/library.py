"""Tools for the library as a whole: its documents, collections and tags, how it is read, a person's own skills."""

from typing import Annotated

from glossator.agent.context import ToolContext
from glossator.agent.registry import LIMITS, Outcome, tool
from glossator.agent.signature import Range
from glossator.agent.tools.fences import fitting, listed, many, note_block
from glossator.errors import NotFound, UsageError
from glossator.library.results import DocumentEntry

ROOM = 1_700  # characters of a list in one result


@tool(
    toolset="library",
    needs=("documents",),
    words="list documents books papers library which have 列出 书 书籍 文档 论文 书库 哪些 有哪些",
)
def list_documents(
    ctx: ToolContext,
    collection: str | None = None,
    tag: str | None = None,
    start: Annotated[int, Range(1, 100_000)] = 1,
) -> Outcome:
    """List the documents: id, title, authors, how far they were read. Use it for "which books do I have".

    It tells nothing of what is in them; `search` does.

    Args:
        collection: only those of this collection
        tag: only those with this tag
        start: number of the first to list
    """
    found = [d for d in ctx.library.documents() if collection is None or collection in d.collections]
    found = [d for d in found if tag is None or tag in d.tags]
    if not found:
        return Outcome("No documents are like that. `list_shelves` shows collections and tags.", "no documents")
    shown, left = fitting(map(_line, found[start - 1 :]), ROOM)
    rest = f"{left} more: list_documents(start={start + len(shown)})" if left else ""
    head = many(len(found), "document")
    return Outcome("\n".join([f"{head}:", *shown, rest]).rstrip(), head, rest)


@tool(
    toolset="library",
    needs=("documents",),
    words="shelves collections collection tags tag categories 书架 合集 收藏 标签 分类",
)
def list_shelves(ctx: ToolContext) -> Outcome:
    """List the collections and the tags of documents, with how many documents each has. Use it before sorting.

    It names no documents; `list_documents` does, by collection or tag.
    """
    collections = [f"{c.name} ({c.documents})" for c in ctx.library.collections().collections]
    tags = [f"{t.name} ({t.documents})" for t in ctx.library.tags().tags]
    text = f"Collections: {listed(collections, 60) or 'none'}\nTags: {listed(tags, 60) or 'none'}"
    return Outcome(text, f"{many(len(collections), 'collection')}, {many(len(tags), 'tag')}")


@tool(
    toolset="library",
    needs=("documents",),
    changes=True,
    approval=True,
    words="classify sort collection put group organize arrange 分类 归类 整理 放入 合集 移出",
)
def classify_documents(ctx: ToolContext, collection: str, documents: list[str], remove: bool = False) -> Outcome:
    """Put documents into a collection, which is made when it is new, or take them out. Use it when asked to sort books.

    The person is asked first. Documents themselves are never changed or removed.

    Args:
        collection: its name
        documents: ids or titles
        remove: take them out of it instead
    """
    ids = _ids(ctx, documents)
    ctx.library.collect(collection, ids, out=remove)
    done = f"{many(len(ids), 'document')} {'taken out of' if remove else 'put into'} “{collection}”: {', '.join(ids)}"
    return Outcome(done, done)


@tool(
    toolset="library",
    needs=("documents",),
    changes=True,
    approval=True,
    words="tag tags label mark untag 标签 打标签 标记 去掉标签",
)
def tag_documents(ctx: ToolContext, tag: str, documents: list[str], remove: bool = False) -> Outcome:
    """Give documents a tag, or take it off. Use it when asked to tag or label books, or to manage their tags.

    The person is asked first. A tag that nothing has any longer is gone.

    Args:
        tag: its name
        documents: ids or titles
        remove: take it off instead
    """
    ids = _ids(ctx, documents)
    ctx.library.tag(tag, ids, off=remove)
    done = f"tag “{tag}” {'taken off' if remove else 'given to'} {many(len(ids), 'document')}: {', '.join(ids)}"
    return Outcome(done, done)


@tool(
    toolset="library",
    needs=("documents",),
    words="statistics stats reading habit streak week month finished 统计 阅读统计 读了 多少 本周 连续 完成",
)
def reading_statistics(ctx: ToolContext, document: str | None = None) -> Outcome:
    """Count documents, notes, and what was read this week, month and year, and the streak of days. Use it for habits.

    It counts only; what is written where, `search` tells.

    Args:
        document: only of this one, by id or title; all in scope when left out
    """
    one = None if document is None else ctx.open(document).document.id
    found = ctx.library.statistics(one).to_json()
    found["notes"] = ctx.library.notes(document=one, limit=1).total  # as far as the bound of the run shows them
    found["reading"]["days"] = found["reading"]["days"][-14:]
    found.pop("history", None)
    figures = found["reading"]
    head = f"{many(found['documents'], 'document')}, {figures['finished']} finished, streak {figures['streak']}"
    return Outcome(_flat(found), head)


@tool(
    toolset="library",
    needs=("documents",),
    result_limit=LIMITS["search"],
    words="search notes highlights annotations marked underlined 搜索 笔记 高亮 划线 批注 标注",
)
def search_notes(
    ctx: ToolContext,
    query: str,
    document: str | None = None,
    tag: str | None = None,
    limit: Annotated[int, Range(1, 30)] = 10,
) -> Outcome:
    """Search all highlights and notes of the person, across books, by words. Use it for "what did I note about".

    Only notes are searched, not the books' text: `search` does that.

    Args:
        query: words of the note or of what was marked
        document: id or title of the only document to look in
        tag: only notes with this tag
        limit: how many
    """
    if not query.strip():
        raise UsageError("the query is empty", hint="give words, or use list_notes")
    one = None if document is None else ctx.open(document).document.id
    found = ctx.library.notes(document=one, query=query, tags=[tag] if tag else (), limit=limit)
    if not found.notes:
        return Outcome(f"No note was found for “{query}”.", f"no notes for “{query}”")
    shown, left = fitting((note_block(ctx, n) for n in found.notes), LIMITS["search"] - 300)
    left += found.total - len(found.notes)
    rest = f"{left} more were found" if left else ""
    return Outcome("\n".join([*shown, rest]).rstrip(), f"{many(found.total, 'note')} for “{query}”", rest)


@tool(
    toolset="library",
    needs=("skills",),
    result_limit=LIMITS["reading"],
    words="skill skills instructions how procedure 技能 流程 方法 步骤",
)
def use_skill(ctx: ToolContext, name: str) -> Outcome:
    """Get the person's own instructions for a kind of work, and follow them. Use it when one of the skills fits.

    Args:
        name: name of the skill
    """
    wanted = name.strip().casefold()
    skill = next((s for s in ctx.reach.skills if s.name.casefold() == wanted), None)
    if skill is None:
        raise NotFound(
            f"there is no skill {name!r}", hint="the skills are: " + listed([s.name for s in ctx.reach.skills])
        )
    return Outcome(f"# Skill: {skill.name}\n\n{skill.text}", f"skill {skill.name}")


def _ids(ctx: ToolContext, names: list[str]) -> list[str]:
    if not names:
        raise UsageError("no documents are named", hint="give their ids or titles")
    return list(dict.fromkeys(ctx.open(name).document.id for name in names))


def _line(entry: DocumentEntry) -> str:
    facts = [f"“{entry.title}”"]
    facts += [f"by {listed(entry.authors, 3)}"] if entry.authors else []
    facts += [entry.language] if entry.language else []
    facts += [f"read {round(100 * entry.progress)}%"] if entry.progress is not None else []
    facts += [f"in {listed(entry.collections, 3)}"] if entry.collections else []
    facts += [f"tags {listed(entry.tags, 5)}"] if entry.tags else []
    return f"- {entry.id}: {', '.join(facts)}"[:300]


def _flat(found: dict[str, object], prefix: str = "") -> str:
    lines = []
    for name, value in found.items():
        if isinstance(value, dict):
            lines.append(_flat(value, f"{prefix}{name}."))
        elif isinstance(value, list):
            pairs = (" ".join(map(str, v.values())) if isinstance(v, dict) else str(v) for v in value)
            lines.append(f"{prefix}{name}: {', '.join(pairs)}")
        elif value is not None:
            lines.append(f"{prefix}{name}: {value}")
    return "\n".join(line for line in lines if line)
