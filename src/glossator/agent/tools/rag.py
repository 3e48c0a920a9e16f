"""Tools for what is in the index: bring in, list, state, take out. `search` is what retrieves from it."""

from collections.abc import Callable
from typing import Annotated, Literal

from glossator.agent.context import ToolContext
from glossator.agent.reach import readable
from glossator.agent.registry import Outcome, tool
from glossator.agent.signature import Range
from glossator.agent.tools.fences import fitting, listed, many
from glossator.errors import SourceError, UsageError
from glossator.library.results import AddedDocument, DocumentEntry, IngestEvent
from glossator.messages import Progress

ROOM = 1_700


@tool(
    toolset="library",
    kind="job",
    changes=True,
    approval=True,
    words="ingest add import index load bring file url page text 导入 添加 加入 收录 入库 索引 网页 文件",
)
def rag_ingest(
    ctx: ToolContext,
    path: str | None = None,
    url: str | None = None,
    text: str | None = None,
    title: str | None = None,
    collection: str | None = None,
) -> Outcome:
    """Bring one file, web page or text into the library, so that it can be searched. Use when asked to add a source.

    The person is asked first. Files need `--allow files` and lie in an allowed folder, pages need `--allow web`. What
    is there already is skipped.

    Args:
        path: a file
        url: a web page, http or https
        text: the text itself
        title: what the text is called
        collection: a collection to put it into
    """
    if sum(x is not None for x in (path, url, text)) != 1:
        raise UsageError("exactly one of path, url and text is needed", hint="name one source")
    if text is not None:
        if not text.strip():
            raise UsageError("the text is empty", hint="give the text to keep")
        return _told(ctx.library.add_text(text, title or _first_words(text), collection=collection), kept=True)
    need = "files" if path is not None else "web"
    if need not in ctx.allow:
        raise UsageError("bringing that in is not allowed", hint=f"the person can start with --allow {need}")
    source = str(readable(ctx.reach, ctx.library, path)) if path is not None else _page(url or "")
    added = ctx.library.add(source, collection=collection, progress=_showing(ctx), cancel=ctx.stopped)
    return _told(added)


@tool(
    toolset="library",
    words="status index indexed vectors state ready pending 状态 索引 向量 进度 就绪",
)
def rag_status(ctx: ToolContext) -> Outcome:
    """Tell the state of the index: documents, passages, vectors ready or pending. Use it when nothing is found.

    It counts the documents of the scope; `rag_list_sources` names them.
    """
    documents = ctx.reader.documents()
    pending = [d for d in documents if d.vectors == "pending"]
    models = sorted({d.embedder for d in documents if d.embedder and d.vectors == "ready"})
    chunks = sum(d.chunks for d in documents)
    bad = [d.id for d in documents if d.status != "ready"]
    lines = [f"{many(len(documents), 'document')}, {many(chunks, 'passage')} indexed by words"]
    ready = sum(d.vectors == "ready" for d in documents)
    lines.append(f"by meaning: {ready} ready, {len(pending)} pending" + (f" ({', '.join(models)})" if models else ""))
    lines += [f"not ready: {listed(bad)}"] if bad else []
    return Outcome("\n".join(lines), lines[0])


@tool(
    toolset="library",
    needs=("documents",),
    words="sources list files urls documents origin 来源 源文件 列出 网址",
)
def rag_list_sources(
    ctx: ToolContext, collection: str | None = None, start: Annotated[int, Range(1, 100_000)] = 1
) -> Outcome:
    """List where the documents come from: id, title, file or address, passages. Use it before deleting a source.

    Args:
        collection: only those of this collection
        start: number of the first to list
    """
    chunks = {d.id: d.chunks for d in ctx.reader.documents()}
    found = [d for d in ctx.library.documents() if collection is None or collection in d.collections]
    lines = (f"- {d.id} “{d.title}”: {_sources(d)}, {chunks.get(d.id, 0)} passages" for d in found[start - 1 :])
    shown, left = fitting((line[:300] for line in lines), ROOM)
    head = many(len(found), "source")
    rest = f"{left} more: rag_list_sources(start={start + len(shown)})" if left else ""
    return Outcome("\n".join([head, *shown, rest]).rstrip(), head, rest)


@tool(
    toolset="library",
    needs=("documents",),
    changes=True,
    approval=True,
    words="delete remove source document drop 删除 移除 去掉 来源 文档",
)
def rag_delete_source(ctx: ToolContext, source: str, notes: Literal["keep", "delete"] = "keep") -> Outcome:
    """Take a document out of the library, with its index. Use only when the person asks for it; they are asked again.

    The file it came from is never touched; notes are kept unless they are to go, too.

    Args:
        source: id, title, or the file or address as `rag_list_sources` shows it
        notes: what becomes of its notes
    """
    entry = next((d for d in ctx.library.documents() if source.strip() in (*d.sources, *map(_source, d.sources))), None)
    opened = ctx.open(entry.id if entry else source)
    chunks = opened.document.chunks
    removed = ctx.library.remove(opened.document.id, notes)
    done = f"removed {removed.id} “{opened.document.title}”: {many(chunks, 'passage')}, notes {removed.notes}"
    return Outcome(done, done)


def _showing(ctx: ToolContext) -> Callable[[IngestEvent], None]:
    """Return what shows how far bringing in came."""
    return lambda event: ctx.emit(Progress(event.stage, event.done, event.total or None))


def _told(added: AddedDocument, *, kept: bool = False) -> Outcome:
    """Return what a model is told; `kept`: it was a text, whose file is the library's own."""
    if added.status == "failed":
        error = added.error or {}
        raise SourceError(error.get("message", "it cannot be read"), hint=error.get("hint", ""))
    skipped = added.status == "unchanged"
    what = "unchanged, skipped" if skipped else f"{added.status}, {many(added.chunks, 'passage')} indexed"
    done = f"{what}: {added.id} “{added.title}”"
    vectors = "" if skipped else f"; vectors {added.vectors}"
    warned = f"; {'; '.join(added.warnings[:3])}" if added.warnings else ""
    origin = "" if kept else f" from {_source(added.source)}"
    return Outcome(f"{done}{origin}{vectors}{warned}", done)


def _page(url: str) -> str:
    """Return an address that can only be a page: a path would be read as a file."""
    if not url.strip().lower().startswith(("http://", "https://")):
        raise UsageError(f"{url!r} is no http or https address", hint="give a full address, or a path as `path`")
    return url.strip()


def _source(source: str) -> str:
    """Return a source as a model is told it: a file by its name, since folders are the person's own."""
    return source if "://" in source else source.rsplit("/", 1)[-1]


def _sources(entry: DocumentEntry) -> str:
    return _source(entry.sources[0]) if entry.sources else "no source"


def _first_words(text: str) -> str:
    return " ".join(text.split())[:60]
