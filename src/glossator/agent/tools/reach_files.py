"""Tools for files in the folders that the person opened: list, read, write. Off until `files` is allowed."""

import fnmatch
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from glossator.agent.context import ToolContext
from glossator.agent.policy import in_thread
from glossator.agent.reach import inside, readable, shown
from glossator.agent.registry import LIMITS, Outcome, tool
from glossator.agent.signature import Range
from glossator.agent.tools.fences import fitting, inert, many
from glossator.errors import NotFound, StoreError, UsageError

ROOM = 1_700
LARGEST = 4 << 20  # bytes of a file that is read
MOST = 5_000  # entries looked at in a folder
_TEXT_ROOM = LIMITS["reading"] - 400


@tool(
    toolset="reach",
    kind="file",
    needs=("files",),
    words="list files folder directory ls 列出 文件 目录 文件夹",
)
def list_files(
    ctx: ToolContext, folder: str = ".", pattern: str = "*", start: Annotated[int, Range(1, 100_000)] = 1
) -> Outcome:
    """List files and folders below an allowed folder, with sizes. Use it before reading or writing a file.

    Hidden files are left out. It does not look into folders below, unless the pattern holds `**`.

    Args:
        folder: from the allowed folder on
        pattern: such as *.md, or **/*.csv for all folders below
        start: number of the first to list
    """
    at = inside(ctx.reach, ctx.library, folder)
    if not at.is_dir():
        raise NotFound(f"{folder}: there is no such folder", hint="list_files() lists the allowed folder")
    found = sorted(_entries(ctx, at, pattern))
    lines = [f"{name}/" if size is None else f"{name} ({size:,} bytes)" for name, size in found[start - 1 :]]
    kept, left = fitting(lines, ROOM)
    head = f"{shown(ctx.reach, at)}: {many(len(found), 'entry').replace('entrys', 'entries')}"
    rest = f"{left} more: list_files(start={start + len(kept)})" if left else ""
    return Outcome("\n".join([head, *kept, rest]).rstrip(), head, rest)


@tool(
    toolset="reach",
    kind="file",
    needs=("files",),
    result_limit=LIMITS["reading"],
    words="read open file text content cat 读取 打开 文件 内容",
)
async def read_file(
    ctx: ToolContext,
    path: str,
    max_lines: Annotated[int, Range(1, 2_000)] = 100,
    start: Annotated[int, Range(1, 10_000_000)] = 1,
) -> Outcome:
    """Read a text file, up to 100 lines at once. Use it for a file in an allowed folder; not for the library's books.

    What is cut is said, with how to go on. A file that is missing, or is no text, is told and no failure of yours.

    Args:
        path: from the allowed folder on, or absolute
        max_lines: how many lines
        start: number of the first line
    """
    text = await in_thread(lambda: _text(ctx, path))
    lines = text.split("\n")
    if start > len(lines):
        return Outcome(f"{path} has {many(len(lines), 'line')}; there is nothing from line {start} on.", "past the end")
    kept, _ = fitting((line[:_TEXT_ROOM] for line in lines[start - 1 : start - 1 + max_lines]), _TEXT_ROOM)
    last = start - 1 + len(kept)
    left = len(lines) - last
    head = f"{path}, lines {start}-{last} of {len(lines)}"
    rest = f"cut: {left} more of its lines, read_file(path={path!r}, start={last + 1})" if left else ""
    body = inert("\n".join(kept))
    return Outcome(f"{head}:\n{body}\n{f'[{rest}]' if rest else ''}".rstrip(), head, rest)


@tool(
    toolset="reach",
    kind="file",
    needs=("files",),
    changes=True,
    approval=True,
    words="write save create file append export 写入 保存 创建 文件 追加 导出",
)
def write_file(
    ctx: ToolContext, path: str, text: str, mode: Literal["create", "append", "replace"] = "create"
) -> Outcome:
    """Write a text file in an allowed folder. Use it only when the person wants a file; they are asked first.

    A file that is there is never replaced unless `mode` says so.

    Args:
        path: from the allowed folder on
        text: what it shall hold
        mode: a new file, at the end of one, or in the place of one
    """
    at = inside(ctx.reach, ctx.library, path)
    if at.is_dir():
        raise UsageError(f"{path} is a folder", hint="give the name of a file")
    if mode == "create" and at.exists():
        raise UsageError(f"{path} is there already", hint="mode append or replace, or another name")
    before = at.stat().st_size if at.is_file() else 0
    try:
        at.parent.mkdir(parents=True, exist_ok=True)
        with at.open("a" if mode == "append" else "w", encoding="utf-8", newline="") as file:
            written = file.write(text)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}", hint="choose another place") from error
    told = {"append": f"appended to {before:,} bytes", "replace": f"in the place of {before:,} bytes"}
    now = told.get(mode, "new") if before else "new"
    done = f"{shown(ctx.reach, at)}: {written:,} characters written, {now}"
    return Outcome(done, done)


def _entries(ctx: ToolContext, folder: Path, pattern: str) -> Iterator[tuple[str, int | None]]:
    """Yield name and size of what is in a folder; no size: a folder."""
    deep = "**" in pattern
    wanted = pattern.rpartition("/")[2] or "*"
    looked = 0
    waiting = [folder]
    while waiting:
        for path in _inside(waiting.pop()):
            looked += 1
            if looked > MOST or ctx.stopped():
                return
            link = path.is_symlink()  # which may lead in a circle
            if path.name.startswith(".") or (not link and path.resolve() == ctx.library.folder.resolve()):
                continue
            if deep and path.is_dir() and not link:
                waiting.append(path)
            if fnmatch.fnmatch(path.name, wanted):
                yield str(path.relative_to(folder)), None if path.is_dir() else path.lstat().st_size


def _inside(folder: Path) -> list[Path]:
    """Return what is in a folder; nothing where that may not be known."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _text(ctx: ToolContext, path: str) -> str:
    """Return the text of a file, without what is hidden of the library's documents.

    Raises:
        UsageError: it is too large, or no text.
    """
    at = readable(ctx.reach, ctx.library, path)
    try:
        with at.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror or error}", hint="choose another file") from error
    if len(data) > LARGEST:
        raise UsageError(
            f"{path} is larger than {LARGEST >> 20} MB", hint="bring it in with `rag_ingest` and search it"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} is no text in UTF-8 (byte {error.start:,})", hint="`rag_ingest` reads books, pages and PDF"
        ) from error
    if "\0" in text:
        raise UsageError(f"{path} is no text", hint="`rag_ingest` reads books, pages and PDF")
    return ctx.library.veil.over(text.replace("\r\n", "\n").removesuffix("\n"))
