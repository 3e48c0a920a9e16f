"""Commands that open a door for other programs: the MCP server, the hook of Claude Code."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.cli.command import Answer, Call, Command
from glossator.cli.page import Element, line
from glossator.cli.parser import Parser, spec, whole
from glossator.errors import GlossatorError, NotFound, UsageError

if TYPE_CHECKING:
    from glossator.claude_code.hook import Decision
    from glossator.mcp.door import Here


def mcp(call: Call) -> int:
    """Serve the library to an assistant: over stdio, or over HTTP on this machine."""
    given = call.arguments
    if given.port is not None and not given.http:
        raise UsageError("--port needs --http", hint="over stdio there is no port")
    door = _door(call)
    from glossator.mcp.serving import over_http, over_stdio

    if not given.http:
        over_stdio(door, for_hook=given.hook_tool)
        return 0

    def told(url: str, token: str) -> None:
        if given.json:
            import os

            call.output.json({"url": url, "token": token, "pid": os.getpid()})
        else:
            call.output.out.write(f"{url}?token={token}\n")
            call.output.out.flush()

    over_http(door, port=given.port or 0, told=told)
    return 0


def hook(call: Call) -> Answer | int:
    """Answer a UserPromptSubmit event on stdin; with `--explain` tell what was decided, and why."""
    import sys

    from glossator.claude_code.hook import Wanted, decide, prompt_of, run

    settings = call.settings
    seconds = settings.hook_milliseconds / 1_000
    wanted = Wanted(library=settings.library, tokens=settings.hook_tokens, seconds=seconds)
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    if call.arguments.explain:
        prompt = prompt_of(text)
        if prompt is None:
            raise UsageError("no prompt is on stdin", hint="echo 'a question' | glossator hook --explain")
        return Answer(decide(prompt, wanted), _decision)
    off = (None, "hook.mode is off", "nobody")
    output, reason, _ = run(text, wanted) if settings.hook_mode == "auto" else off
    if output is not None:
        call.output.json(output)
    elif call.arguments.verbose:
        call.output.note(reason)
    return 0


def plugin(call: Call) -> int:
    """Tell where the plugin of Claude Code is, or have Claude Code install it."""
    import shutil
    import subprocess

    import glossator.claude_code

    folder = str(Path(glossator.claude_code.__file__).parent)
    if not call.arguments.install:
        if call.output.as_json:
            call.output.json({"path": folder})
        else:
            call.output.page([line(folder)])
        return 0
    program = shutil.which("claude")
    if program is None:
        raise NotFound("there is no program `claude`", hint="install Claude Code, or give it the folder of the plugin")
    for words in (("marketplace", "add", folder), ("install", "glossator@glossator")):
        done = subprocess.run([program, "plugin", *words], check=False, stdout=call.output.err.fileno())
        if done.returncode:
            raise GlossatorError(f"`claude plugin {' '.join(words)}` failed", hint="see what it says above")
    return 0


def _decision(decision: "Decision") -> Iterator[Element]:
    told = decision.to_json()
    yield line(("passages are put beside it" if told["inject"] else "nothing is put beside it", "title"))
    yield line(str(told["reason"]), indent=2)
    if "took_ms" in told:
        yield line((f"asked: the {told['asked']}, {told['took_ms']:.0f} ms", "dim"), indent=2)
    for place in told["passages"]:
        yield line(f"{place['document']['title']}  {place['document']['id']}:{place['start']}-{place['end']}", indent=2)


def _door(call: Call) -> "Here":
    """Return the library behind the tools, with the model and the folders of the settings.

    Raises:
        GlossatorError: the packages are not installed.
    """
    from glossator.choice import choose
    from glossator.cli.failure import need

    need("mcp")
    from glossator.mcp.attached import Attached
    from glossator.mcp.door import Here

    kind = Here if call.arguments.alone else Attached
    settings = call.settings
    folders = [Path(f.strip()).expanduser() for f in (settings.tools_folders or "").split(",") if f.strip()]
    return kind(
        settings.library,
        embedder=settings.embedder,
        choice=choose(settings),
        folders=folders or [Path.cwd()],
        up_to="progress" if call.arguments.up_to else None,
    )


def _mcp(parser: Parser) -> None:
    parser.add(
        spec("--http", action="store_true", help="over HTTP on this machine, its address and token printed first"),
        spec("--port", type=whole(1, 65_535), metavar="N", help="with --http: the port; a free one when left out"),
        spec("--up-to", choices=("progress",), help="show nothing past where each document was read"),
        spec(
            "--hook-tool", action="store_true", help="add the tool `prompt_context`, for prompt hooks that call tools"
        ),
        spec("--alone", action="store_true", help="open the library in this process; neither find nor start a server"),
    )


COMMANDS = (
    Command(name="mcp", summary="Serve the library to an assistant (Model Context Protocol).", run=mcp, options=_mcp),
    Command(
        name="hook",
        summary="Put passages that fit beside a prompt of Claude Code.",
        run=hook,
        options=lambda p: p.add(spec("--explain", action="store_true", help="tell what is decided, and why")),
    ),
    Command(
        name="plugin",
        summary="Tell where the plugin of Claude Code is, or install it.",
        run=plugin,
        options=lambda p: p.add(spec("--install", action="store_true", help="have `claude` install it")),
    ),
)
