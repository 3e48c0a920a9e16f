"""Commands that bring documents in, name them and take them out."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

from glossator.cli import show
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import DOC, EMBEDDER
from glossator.cli.parser import Parser, spec
from glossator.errors import GlossatorError, UsageError


def add(call: Call) -> Answer:
    """Add files, folders and URLs; exit 1 only when something failed and nothing was added."""
    from glossator.cli.backup import keep_up
    from glossator.library.results import AddedDocument, AddResult

    given = call.arguments
    with stoppable() as stopped:
        try:
            with call.library(create=True) as library:
                with call.output.progress() as progress:
                    result = library.add(
                        given.paths,
                        collection=given.collection,
                        profile=given.profile or call.settings.add_profile,
                        wait=not given.no_wait,
                        glob=given.glob,
                        progress=progress,
                        cancel=stopped,
                    )
                keep_up(call, library, changed=result.changed, cancel=stopped)
        except UsageError:
            raise
        except GlossatorError as error:  # the library itself: each path is told of it
            failed = (AddedDocument(source=p, status="failed", error=error.to_json()) for p in given.paths)
            result = AddResult(tuple(failed))
        interrupted = result.interrupted or stopped()
    return Answer(result, show.added, 130 if interrupted else 0 if result.ok else 1)


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Make the first Ctrl-C a wish that long work reads between two steps; the second one interrupts at once."""
    asked = Event()

    def ask(signum: int, frame: FrameType | None) -> None:
        if asked.is_set():
            signal.default_int_handler(signum, frame)
        asked.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def edit(call: Call) -> Answer:
    """Change what is known of a document; what is not given stays."""
    given = call.arguments
    if given.title is given.author is given.language is given.published is None:
        raise UsageError("nothing to change", hint="give --title, --author, --language or --published")
    with call.library() as library:
        result = library.edit(
            given.document,
            title=given.title,
            authors=given.author,
            language=given.language,
            published=given.published,
        )
    return Answer(result, lambda r: show.document(r.view))


def remove(call: Call) -> Answer:
    """Remove a document from the library; the file it came from stays where it is."""
    with call.library() as library:
        return Answer(library.remove(call.arguments.document, call.arguments.notes), show.removed)


def _add(parser: Parser) -> None:
    parser.add(
        spec("paths", nargs="+", metavar="PATH_OR_URL", help="files, folders (walked) and web pages"),
        spec("--collection", metavar="C", help="put them into this collection, made when it is not there"),
        spec(
            "--profile",
            choices=("auto", "book", "paper"),
            help="passages of 300 tokens (book) or 512 (paper); auto: paper for what has pages",
        ),
        spec("--glob", metavar="G", help="in folders, only files whose name matches, such as '*.epub'"),
        spec("--no-wait", action="store_true", help="return when the text can be searched; `doctor --repair` embeds"),
        EMBEDDER,
    )


def _edit(parser: Parser) -> None:
    parser.add(
        DOC,
        spec("--title", metavar="T", help="its title"),
        spec("--author", metavar="A", action="append", help="an author; repeat for several"),
        spec("--language", metavar="L", help="its language, as in BCP 47: en, zh-Hant"),
        spec("--published", metavar="DATE", help="when it was published"),
    )


COMMANDS = (
    Command(name="add", summary="Add files, folders and web pages.", run=add, options=_add),
    Command(name="edit", summary="Correct a title, authors, a language, a date.", run=edit, options=_edit),
    Command(
        name="remove",
        summary="Remove a document; its file stays where it is.",
        run=remove,
        options=lambda p: p.add(
            DOC, spec("--notes", choices=("keep", "delete"), default="keep", help="what becomes of its notes (keep)")
        ),
    ),
)
