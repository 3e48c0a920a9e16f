"""Tools for the machine: run a command, list processes, tell the system. Off until `system` or `shell` is allowed.

A command is a program and its arguments, never a line for a shell: `|`, `>`, `;`, `$X` and `*` mean nothing.
"""

import asyncio
import os
import platform
import re
import shlex
import shutil
import signal
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from glossator.agent.context import ToolContext
from glossator.agent.reach import inside
from glossator.agent.registry import Outcome, tool
from glossator.agent.signature import Range
from glossator.agent.tools.fences import fitting, inert, many
from glossator.errors import NotFound, UsageError

OUTPUT = 64 << 10  # bytes of a command's output that are taken
ROOM = 1_700
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|COOKIE", re.IGNORECASE)
_FOR_SHELLS = {"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1"}


@tool(
    toolset="reach",
    kind="job",
    timeout=60.0,
    needs=("shell",),
    changes=True,
    approval=True,
    result_limit=4_000,
    words="run command shell terminal execute program 运行 命令 终端 执行 程序",
)
async def run_command(
    ctx: ToolContext, command: str, folder: str = ".", seconds: Annotated[int, Range(1, 55)] = 30
) -> Outcome:
    """Run a program with arguments and read what it prints. Use it only when nothing else will do; the person is asked.

    It is no shell: no pipes, redirections or variables. It gets no input, and is ended when the time is up.

    Args:
        command: program and arguments, such as: wc -w notes.md
        folder: where it runs, from the allowed folder on
        seconds: how long it may take
    """
    words = _words(command)
    if ctx.library.veil.active:
        raise UsageError(
            "no command is run while parts of a document are hidden: it could show them",
            hint="the person can start with --uncapped",
        )
    at = inside(ctx.reach, ctx.library, folder)
    if not at.is_dir():
        raise NotFound(f"{folder}: there is no such folder", hint="leave it out")
    if shutil.which(words[0]) is None:
        raise NotFound(f"there is no program {words[0]!r}", hint="use another one, or go on without it")
    process = await asyncio.create_subprocess_exec(
        *words,
        cwd=at,
        env={name: value for name, value in os.environ.items() if not _SECRET.search(name)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,  # so that what it started ends with it
    )
    try:
        async with asyncio.timeout(seconds):
            output, cut = await _output(process)
            code = None if cut else await process.wait()
    except TimeoutError:
        raise UsageError(f"{words[0]} was ended after {seconds} seconds", hint="give it less to do") from None
    finally:
        await _end(process)
    text = inert(output.decode("utf-8", "replace").strip()) or "(no output)"
    head = f"{words[0]} ended with code {code}" if code is not None else f"{words[0]} was ended: too much output"
    return Outcome(f"{head}\n{text}", head, "let the program print less")


@tool(
    toolset="reach",
    kind="file",
    needs=("system",),
    words="processes running programs cpu memory top ps 进程 运行中 程序 占用",
)
def list_processes(ctx: ToolContext, name: str = "", limit: Annotated[int, Range(1, 40)] = 15) -> Outcome:
    """List the running programs with the most memory: number, name, memory, since when. Use it for what runs here.

    Their arguments are not shown, since these may hold secrets.

    Args:
        name: only those whose name holds this
        limit: how many
    """
    import psutil

    found = []
    for process in psutil.process_iter(("pid", "name", "memory_info", "create_time")):
        facts = process.info
        if name.casefold() in (facts["name"] or "").casefold():
            found.append((facts["memory_info"].rss if facts["memory_info"] else 0, facts))
        if ctx.stopped():
            break
    found.sort(key=lambda f: -f[0])
    shown, _ = fitting((_process(memory, facts) for memory, facts in found[:limit]), ROOM)
    head = f"{many(len(found), 'process').replace('processs', 'processes')}, {len(shown)} shown"
    return Outcome("\n".join([head, *shown]), head)


@tool(
    toolset="reach",
    kind="file",
    needs=("system",),
    words="system information machine os memory disk time date version 系统 信息 内存 磁盘 时间 日期 版本",
)
def system_information(ctx: ToolContext) -> Outcome:
    """Tell the operating system, processors, memory, free disk, and the time here. Use it for questions on the machine.

    No names of users or hosts are told.
    """
    import psutil

    memory = psutil.virtual_memory()
    disk = shutil.disk_usage(ctx.library.folder)
    lines = [
        f"system: {platform.system()} {platform.release()}, {platform.machine()}",
        f"python: {platform.python_version()}",
        f"processors: {os.cpu_count()}",
        f"memory: {memory.total >> 20:,} MB, {memory.available >> 20:,} MB available",
        f"disk of the library: {disk.total >> 30:,} GB, {disk.free >> 30:,} GB free",
        f"time: {datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}",
    ]
    return Outcome("\n".join(lines), lines[0])


def _process(memory: int, facts: dict[str, Any]) -> str:
    since = datetime.fromtimestamp(facts["create_time"] or 0)
    return f"{facts['pid']:>7}  {facts['name']}  {memory >> 20:,} MB  since {since:%Y-%m-%d %H:%M}"


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{command!r} is no command ({error})", hint="close the quotation marks") from None
    if not words:
        raise UsageError("there is no command", hint="give a program and its arguments")
    if found := sorted(_FOR_SHELLS.intersection(words)):
        raise UsageError(f"{found[0]} is for shells, and this is none", hint="run one program with its arguments")
    return words


async def _output(process: asyncio.subprocess.Process) -> tuple[bytes, bool]:
    """Return what a program prints, and whether it printed more than is taken."""
    assert process.stdout is not None
    data = bytearray()
    while piece := await process.stdout.read(8_192):
        data += piece
        if len(data) > OUTPUT:
            return bytes(data[:OUTPUT]), True
    return bytes(data), False


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a program and what it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with suppress(TimeoutError):
        async with asyncio.timeout(2):
            await process.wait()
    if transport := getattr(process, "_transport", None):  # no public way leads to its pipes, which else stay open
        transport.close()
