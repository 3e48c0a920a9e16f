"""Commands that list and read documents and keep the place in them."""

from glossator.cli import show, telling
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, DOC, SCOPE, TAG, bound
from glossator.cli.parser import Parser, spec, whole
from glossator.errors import UsageError


def list_documents(call: Call) -> Answer:
    """List documents."""
    with call.library() as library:
        return Answer(library.documents(call.arguments.collection, tag=call.arguments.tag), show.documents)


def show_document(call: Call) -> Answer:
    """Show what is known of a document, its contents, and how well it was read."""
    given = call.arguments
    with call.library() as library:
        result = library.show(
            given.document, pages=given.pages, preview=given.preview, bound=bound(given, given.document)
        )
    return Answer(result, show.document)


def text(call: Call) -> Answer:
    """Print the whole canonical text."""
    given = call.arguments
    with call.library() as library:
        return Answer(library.text(given.document, bound=bound(given, given.document)), show.text)


def read(call: Call) -> Answer:
    """Read a section, a page, or the surroundings of a position."""
    given = call.arguments
    if given.context is not None and given.at is None:
        raise UsageError("--context needs a position", hint="give one with --at: the blocks around it are shown")
    with call.library() as library:
        result = library.read(
            given.document,
            section=given.section,
            at=given.at,
            page=given.page,
            page_label=given.page_label,
            context=1 if given.context is None else given.context,
            bound=bound(given, given.document),
        )
    return Answer(result, show.reading)


def progress(call: Call) -> Answer:
    """Show how far a document was read, after setting it when a place is given."""
    given = call.arguments
    with call.library() as library:
        result = library.progress(
            given.document,
            at=given.at,
            page=given.page,
            section=given.section,
            finished=given.finished,
            restart=given.restart,
            spoilers=given.spoilers,
        )
    return Answer(result, show.progress)


def stats(call: Call) -> Answer:
    """Count what is there, and how it is read."""
    given = call.arguments
    with call.library() as library:
        return Answer(library.stats(given.doc, given.collection, given.tag), telling.stats)


AT = spec("--at", type=whole(0), metavar="POS", help="a position: characters of the text before it")
PAGE = spec("--page", type=whole(1), metavar="P", help="a page, counted from 1")
SECTION = spec("--section", type=whole(1), metavar="N", help="entry N of the contents, with its subsections")


def _show(parser: Parser) -> None:
    parser.add(
        DOC,
        spec("--pages", action="store_true", help="how well each page was read"),
        spec("--preview", type=whole(1), metavar="PAGE", help="with the text of this page as it was read"),
        *BOUND,
    )


def _read(parser: Parser) -> None:
    parser.add(DOC)
    label = spec("--page-label", metavar="L", help="a page by its printed number, such as xiv")
    parser.exclusive(SECTION, AT, PAGE, label)
    parser.add(
        spec("--context", type=whole(0), metavar="K", help="with --at: blocks before and after it (default 1)"),
        *BOUND,
    )


def _progress(parser: Parser) -> None:
    parser.add(DOC)
    parser.exclusive(
        AT,
        PAGE,
        SECTION,
        spec("--finished", action="store_true", help="read to the end"),
        spec("--restart", action="store_true", help="back to the beginning"),
    )
    parser.add(spec("--spoilers", choices=("hide", "show"), help="whether what was not read yet stays hidden"))


COMMANDS = (
    Command(
        name="list",
        summary="List the documents.",
        run=list_documents,
        options=lambda p: p.add(
            spec("--collection", metavar="C", help="only those of this collection"),
            spec("--tag", metavar="T", help="only those with this tag"),
        ),
    ),
    Command(
        name="show", summary="Show a document: contents, and how well it was read.", run=show_document, options=_show
    ),
    Command(name="text", summary="Print the text of a document.", run=text, options=lambda p: p.add(DOC, *BOUND)),
    Command(name="read", summary="Read a section, a page, or around a position.", run=read, options=_read),
    Command(name="progress", summary="Show or set how far a document was read.", run=progress, options=_progress),
    Command(
        name="stats",
        summary="Count documents, notes and what was read.",
        run=stats,
        options=lambda p: p.add(*SCOPE, TAG),
    ),
)
