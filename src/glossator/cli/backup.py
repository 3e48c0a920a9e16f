"""Commands that keep a library safe: one file made of it, and a library made of that file."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.cli.bringing import stoppable
from glossator.cli.command import Answer, Call, Command
from glossator.cli.page import Element, line
from glossator.cli.parser import Parser, spec
from glossator.errors import GlossatorError

if TYPE_CHECKING:
    from glossator.library.backup import Receipt
    from glossator.library.library import Library

log = logging.getLogger(__name__)


def backup(call: Call) -> Answer:
    """Write a backup to the file that is named, else into the folder that is set."""
    given = call.arguments
    from glossator.library.backup import schedule_of

    with stoppable() as stopped, call.library() as library, call.output.progress() as progress:
        if given.path is None:
            result = library.backups.into_folder(
                schedule_of(call.settings),
                incremental=given.incremental,
                with_files=given.with_files,
                progress=progress,
                cancel=stopped,
            )
        else:
            result = library.backups.make(
                Path(given.path),
                incremental=given.incremental,
                with_files=given.with_files,
                progress=progress,
                cancel=stopped,
            )
    return Answer(result, made)


def restore(call: Call) -> Answer:
    """Make the library that the settings name from a backup; it must be empty, or not there."""
    from glossator.library.backup import restore as restored_library
    from glossator.library.vectors import Hooks

    with stoppable() as stopped, call.output.progress() as progress:
        hooks = Hooks(progress or (lambda _: None), stopped)
        result = restored_library(Path(call.arguments.path), call.settings.library, hooks)
    return Answer(result, lambda receipt: restored(receipt, call.settings.library))


def keep_up(call: Call, library: "Library", *, changed: bool, cancel: Callable[[], bool]) -> None:
    """Make the backup that is due after a command that writes; a failure is a warning, for the command is done."""
    if call.settings.backup_schedule != "on":
        return
    from glossator.library.backup import schedule_of

    try:
        with call.output.progress() as progress:
            library.backups.keep_up(schedule_of(call.settings), changed=changed, progress=progress, cancel=cancel)
    except (GlossatorError, OSError) as error:
        hint = f" ({error.hint})" if isinstance(error, GlossatorError) else ""
        log.warning("the backup that was due was not made: %s%s", error, hint)


def made(receipt: "Receipt") -> Iterator[Element]:
    """Show what a backup holds, and what it does not."""
    yield line(("backed up ", "good"), _counts(receipt), (f"  {_size(receipt.bytes)}", "dim"))
    yield line(str(receipt.path), indent=2)
    yield line(("restored into a scratch place and compared: everything is in it", "dim"), indent=2)
    if receipt.left_out:
        what = "file of a document lies" if receipt.left_out == 1 else "files of documents lie"
        yield line(
            (f"{receipt.left_out} {what} outside the library: the text is in the backup, the file is not", "dim"),
            indent=2,
        )
        yield line(("--with-files takes such files in, too", "dim"), indent=2)


def restored(receipt: "Receipt", folder: Path) -> Iterator[Element]:
    """Show what was restored, and where."""
    yield line(("restored ", "good"), _counts(receipt))
    yield line(f"from {receipt.path}", indent=2)
    yield line(f"into {folder}", indent=2)


def _counts(receipt: "Receipt") -> str:
    named = (("document", receipt.documents), ("note", receipt.notes), ("session", receipt.sessions))
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name, n in named)


def _size(count: int) -> str:
    return f"{count / (1 << 20):.1f} MiB" if count >= 1 << 20 else f"{count / 1024:.1f} KiB"


def _backup(parser: Parser) -> None:
    parser.add(
        spec(
            "path", metavar="PATH", nargs="?", help="the file to write; else one in the folder that backup.path names"
        ),
        spec("--incremental", action="store_true", help="bring the backup that is there up to date"),
        spec("--with-files", action="store_true", help="also the documents' own files that lie outside the library"),
    )


COMMANDS = (
    Command(
        name="backup", summary="Write the library to one file, proven by restoring it.", run=backup, options=_backup
    ),
    Command(
        name="restore",
        summary="Make an empty library from a backup.",
        run=restore,
        options=lambda p: p.add(spec("path", metavar="PATH", help="the backup")),
    ),
)
