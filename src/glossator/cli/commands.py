"""Every command there is, and how a command line finds its own."""

from argparse import Namespace
from collections.abc import Sequence

from glossator import __version__
from glossator.cli import (
    analysis,
    asking,
    backup,
    bringing,
    chat,
    doors,
    exchange,
    finding,
    house,
    memory,
    modelling,
    notes,
    reading,
    serve,
    sessions,
    shelves,
    watch,
)
from glossator.cli.command import Command
from glossator.cli.parser import arrange, closest, take_common
from glossator.errors import UsageError

GROUPS: tuple[tuple[str, tuple[Command, ...]], ...] = (
    ("Bring in", (*bringing.COMMANDS, *watch.COMMANDS)),
    ("Read", (*reading.COMMANDS, notes.OPEN)),
    ("Notes", (*notes.COMMANDS, *exchange.COMMANDS)),
    ("Sort", shelves.COMMANDS),
    ("Find, ask, check", (*finding.COMMANDS, *asking.COMMANDS)),
    ("Understand", analysis.COMMANDS),
    ("Conversations", (*chat.COMMANDS, *sessions.COMMANDS, *memory.COMMANDS)),
    ("Other programs", doors.COMMANDS),
    ("Serve", serve.COMMANDS),
    ("Keep house", (*backup.COMMANDS, *modelling.COMMANDS, *house.COMMANDS)),
)
COMMANDS = {command.name: command for _, commands in GROUPS for command in commands}
FAMILIES = {name.split()[0] for name in COMMANDS if " " in name}
INTRODUCTION = """\
usage: glossator [--library DIR] [--json] [--verbose] COMMAND ...

Reads your books, papers and pages on this machine, finds what you ask for, and
cites it to the exact sentence. Nothing leaves it, unless you add a web page or
choose a remote model.
"""


def read(words: Sequence[str]) -> tuple[Command, Namespace]:
    """Return the command that the words name, and its arguments.

    Raises:
        UsageError: no such command or option, or a value that cannot be.
        SystemExit: help or the version was asked for, and has been printed.
    """
    common, left = take_common(words)
    if left and left[0] in ("--help", "-h"):
        _tell(overview())
    if left and left[0] == "--version":
        _tell(f"glossator {__version__}\n")
    name = left.pop(0) if left else ""
    if name in FAMILIES:
        more, left = take_common(left)
        common |= more
        if left and left[0] in ("--help", "-h"):
            _tell(overview(name))
        name = f"{name} {left.pop(0)}" if left else name
    command = COMMANDS.get(name) or _unknown(name)
    parser = command.parser()
    parser.set_defaults(**common)
    return command, parser.parse_args(arrange(left, parser.flags, free_text=command.free_text))


def overview(family: str | None = None) -> str:
    """Return the help that lists all commands, or those of a family such as `collection`."""
    lines = [] if family else [INTRODUCTION]
    for title, commands in GROUPS:
        wanted = [c for c in commands if family in (None, c.name.split()[0])]
        if wanted:
            lines += [f"{title}:", *(f"  {c.name:<18} {c.summary}" for c in wanted), ""]
    return "\n".join([*lines, "`glossator COMMAND --help` lists the options of a command."]) + "\n"


def _tell(text: str) -> None:
    print(text, end="")
    raise SystemExit(0)


def _unknown(name: str) -> Command:
    if not name:
        raise UsageError("no command was given", hint="`glossator --help` lists them; `glossator add FILE` begins")
    if name in FAMILIES:
        known = ", ".join(c for c in COMMANDS if c.startswith(name + " "))
        raise UsageError(f"{name!r} needs a word more", hint=f"one of: {known}")
    if name.startswith("-"):
        raise UsageError(f"there is no option {name}", hint="`glossator --help` lists the commands")
    near = closest(name, list(COMMANDS))
    hint = f"did you mean `glossator {near}`?" if near else "`glossator --help` lists the commands"
    raise UsageError(f"there is no command {name!r}", hint=hint)
