"""The command that follows folders."""

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.cli import telling
from glossator.cli.backup import keep_up
from glossator.cli.bringing import stoppable
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import EMBEDDER
from glossator.cli.parser import Parser, spec

if TYPE_CHECKING:
    from glossator.library.watch import Event


def watch(call: Call) -> Answer:
    """Follow folders until it is stopped; then tell what was done."""
    from glossator.library.watch import Wanted
    from glossator.library.watch import watch as follow

    given = call.arguments
    folders = tuple(Path(os.path.abspath(f)) for f in given.folders)
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        with stoppable() as stopped, call.library(create=True) as library:
            profile = call.settings.add_profile
            wanted = Wanted(folders=folders, glob=given.glob, collection=given.collection, profile=profile)
            call.output.note(f"watching {', '.join(map(str, folders))}; Ctrl-C ends it")
            result = follow(
                library,
                wanted,
                stopped=stopped,
                tell=lambda event: call.output.note(_told(event)),
                rest=lambda changed: keep_up(call, library, changed=changed, cancel=stopped),
            )
    finally:
        signal.signal(signal.SIGTERM, before)
    return Answer(result, telling.watched, 130)


def _told(event: "Event") -> str:
    return f"{event.status:<11} {event.name}{f': {event.detail}' if event.detail else ''}"


def _watch(parser: Parser) -> None:
    parser.add(
        spec("folders", nargs="+", metavar="DIR", help="the folders to follow, with all that is in them"),
        spec("--collection", metavar="C", help="put what is added into this collection"),
        spec("--glob", metavar="G", help="only files whose name matches, such as '*.epub'"),
        EMBEDDER,
    )


COMMANDS = (
    Command(name="watch", summary="Follow folders: add what comes, note what is missing.", run=watch, options=_watch),
)
