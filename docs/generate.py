"""Write docs/cli.md from the commands, settings and errors themselves: `make docs`. A test keeps it current."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from glossator.cli.command import Command
from glossator.cli.commands import GROUPS
from glossator.cli.parser import COMMON
from glossator.config import KEYS
from glossator.errors import GlossatorError

TARGET = Path(__file__).with_name("cli.md")
EXIT_CODES = (
    (0, "done, also with no hits, a quotation that was not found, or an abstention"),
    (1, "it could not be met; `verify`: a quotation does not hold; `doctor`: a check failed"),
    (2, "wrong usage; stdout is empty"),
    (130, "interrupted; a long command still prints the JSON of what is done"),
)


def reference() -> str:
    """Return the whole page."""
    return "\n".join(_page()).rstrip() + "\n"


def _page() -> Iterator[str]:
    yield "# Commands\n"
    yield "Written by `make docs` from the program itself; do not edit.\n"
    yield "These options stand before or after every command:\n"
    common = {name for names, _ in COMMON for name in names}
    yield from _options(Command(name="", summary="", run=lambda _: 0), common, everywhere=True)
    yield "A name of a document (DOC) is its id, a unique beginning of an id of four characters or more, its path, its"
    yield "title, or a unique beginning of its title, tried in that order. Positions count characters (code points) of"
    yield "the document's text from 0. Put `--` before a text or a path that begins with a dash.\n"
    for title, commands in GROUPS:
        yield f"## {title}\n"
        for command in commands:
            yield f"### glossator {command.name}\n"
            yield command.summary + "\n"
            yield from _options(command, common)
    yield "## Settings\n"
    yield "`glossator config list` shows them with where each comes from. The user's `config.toml` is read first, then"
    yield "the one in the library's folder, then the environment; the later one wins. `library` may also stand in the"
    yield "`.glossator` of a folder that you trust (see [security.md](security.md)), below the environment.\n"
    yield "| setting | variable | default | may be | |"
    yield "|---|---|---|---|---|"
    for key in KEYS:
        may = ", ".join(key.choices) or (f"{key.bounds[0]} to {key.bounds[1]}" if key.bounds else "a text")
        owner = " Not read from a library's own file." if key.user_only else ""
        yield f"| `{key.name}` | {key.variable or ''} | {key.default or ''} | {may} | {key.help}{owner} |"
    yield "\n## Exit codes\n"
    yield "| code | meaning |"
    yield "|---|---|"
    for code, meaning in EXIT_CODES:
        yield f"| {code} | {meaning} |"
    yield "\n## Errors\n"
    yield 'With `--json` an error is `{"error": {"code", "message", "hint"}}` on stdout; `add`, `verify` and `doctor`'
    yield "print their own shape instead, and wrong usage (exit 2) prints nothing there.\n"
    yield "| code | class | meaning |"
    yield "|---|---|---|"
    for kind in errors():
        meaning = (kind.__doc__ or "").split("\n")[0]
        yield f"| `{kind.code}` | {kind.__name__} | {meaning} |"


def _options(command: Command, common: set[str], *, everywhere: bool = False) -> Iterator[str]:
    rows = []
    for action in command.parser()._actions:
        if "--help" in action.option_strings or bool(common & set(action.option_strings)) != everywhere:
            continue
        names = ", ".join(action.option_strings) or str(action.metavar)
        rows.append(f"| `{names}{_value(action)}` | {action.help} |".replace("N|progress", "N\\|progress"))
    if rows:
        yield "| | |"
        yield "|---|---|"
        yield from rows
        yield ""


def _value(action: argparse.Action) -> str:
    if not action.option_strings:
        return {"+": "...", "*": "..."}.get(str(action.nargs), "")
    if action.nargs == 0:
        return ""
    return " " + ("\\|".join(map(str, action.choices)) if action.choices else str(action.metavar))


def errors() -> list[type[GlossatorError]]:
    """Return every error class, parents before children."""
    found = [GlossatorError]
    for kind in found:
        found += [child for child in kind.__subclasses__() if child.__module__ == "glossator.errors"]
    return found


if __name__ == "__main__":
    TARGET.write_text(reference(), "utf-8")
