"""Commands for conversations: list, show, export, remove."""

import re
from argparse import ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.cli import telling
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, bound
from glossator.cli.parser import Parser, spec, whole

if TYPE_CHECKING:
    from glossator.library.sessions import Format
    from glossator.store.sessions import Page

MARKDOWN = (".md", ".markdown")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z?)?")


def session_list(call: Call) -> Answer:
    """List the conversations, the one that was used last first."""
    docs = _docs(call.arguments)
    limit = bound(call.arguments, *docs)
    with call.library() as library:
        return Answer(library.sessions.list(docs=docs, bound=limit), telling.sessions)


def session_show(call: Call) -> Answer:
    """Show a conversation: every message with full text and tool results."""
    given = call.arguments
    docs = _docs(given)
    limit = bound(given, *docs)
    with call.library() as library:
        result = library.sessions.show(given.session, page=_page(given), docs=docs, bound=limit)
    return Answer(result, telling.session)


def session_remove(call: Call) -> Answer:
    """Remove a conversation."""
    with call.library() as library:
        return Answer(library.sessions.remove(call.arguments.session), telling.session_removed)


def session_export(call: Call) -> Answer:
    """Write a conversation to a file, or print it."""
    given = call.arguments
    docs = _docs(given)
    limit = bound(given, *docs)
    written_as = given.format or _suggested(given.output, as_json=given.json)
    with call.library() as library:
        result = library.sessions.export(
            given.session, given.output, form=written_as, force=given.force, docs=docs, bound=limit
        )
    return Answer(result, telling.session_exported)


def _docs(given: Namespace) -> list[str]:
    return [] if given.doc is None else [given.doc]


def _suggested(output: Path | None, *, as_json: bool) -> "Format":
    if output is not None:
        return "markdown" if output.suffix.lower() in MARKDOWN else "json"
    return "json" if as_json else "markdown"


def _page(given: Namespace) -> "Page":
    from glossator.store.sessions import Page

    return Page(limit=given.limit, before=given.before, since=given.since, until=given.until)


def _time(text: str) -> str:
    if not _TIME.fullmatch(text):
        raise ArgumentTypeError(f"{text!r} is not a time such as 2026-03-01 or 2026-03-01T10:00Z")
    return text.removesuffix("Z")  # the beginning of the times it is compared with


SESSION = spec("session", metavar="ID", help="the id of a session, or its beginning")
UP_TO = (spec("--doc", metavar="DOC", help="the document that --up-to N counts in"), *BOUND)


def _show(parser: Parser) -> None:
    parser.add(
        SESSION,
        spec("--limit", type=whole(1), metavar="N", help="only the last N messages"),
        spec("--before", metavar="MESSAGE", help="those before this message: turn pages back with --limit"),
        spec("--since", type=_time, metavar="TIME", help="from this time on (UTC)"),
        spec("--until", type=_time, metavar="TIME", help="before this time (UTC)"),
        *UP_TO,
    )


def _export(parser: Parser) -> None:
    parser.add(
        SESSION,
        spec("--output", type=Path, metavar="PATH", help="the file to write; else it is printed"),
        spec("--format", choices=("json", "markdown"), help="else by the file's name, or as it is printed"),
        spec("--force", action="store_true", help="replace a file that is there"),
        *UP_TO,
    )


COMMANDS = (
    Command(name="session list", summary="List the conversations.", run=session_list, options=lambda p: p.add(*UP_TO)),
    Command(name="session show", summary="Show a conversation.", run=session_show, options=_show),
    Command(name="session export", summary="Write a conversation to a file.", run=session_export, options=_export),
    Command(
        name="session remove",
        summary="Remove a conversation.",
        run=session_remove,
        options=lambda p: p.add(SESSION),
    ),
)
