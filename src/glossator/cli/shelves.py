"""Commands that sort documents: collections, and tags."""

from pathlib import Path

from glossator.cli import show, telling
from glossator.cli.bringing import stoppable
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import DOC, EMBEDDER
from glossator.cli.parser import Parser, spec
from glossator.errors import UsageError


def collection_list(call: Call) -> Answer:
    """List the collections."""
    with call.library() as library:
        return Answer(library.shelves.collections(), show.collections)


def collection_create(call: Call) -> Answer:
    """Make a collection; one that follows a folder is filled from it at once."""
    given = call.arguments
    if given.glob is not None and given.folder is None:
        raise UsageError("--glob needs a folder", hint="give the folder with --folder")
    with call.library(create=True) as library:
        result = library.shelves.create(given.name, given.description, folder=given.folder, glob=given.glob)
    return collection_scan(call) if given.folder is not None else Answer(result, show.collections)


def collection_add(call: Call) -> Answer:
    """Put documents into a collection."""
    with call.library() as library:
        return Answer(library.shelves.add(call.arguments.name, call.arguments.documents), show.collections)


def collection_remove(call: Call) -> Answer:
    """Take documents out of a collection, or remove it."""
    with call.library() as library:
        return Answer(library.shelves.remove(call.arguments.name, call.arguments.documents), show.collections)


def collection_scan(call: Call) -> Answer:
    """Add what is new in the folder of a collection; exit 1 when something failed and nothing was added."""
    with stoppable() as stopped:
        with call.library() as library, call.output.progress() as progress:
            result = library.shelves.scan(call.arguments.name, progress=progress, cancel=stopped)
        interrupted = result.added.interrupted or stopped()
    return Answer(result, telling.scan, 130 if interrupted else 0 if result.added.ok else 1)


def tag_list(call: Call) -> Answer:
    """List the tags of documents."""
    with call.library() as library:
        return Answer(library.shelves.tags(), telling.tags)


def tag_add(call: Call) -> Answer:
    """Give documents a tag."""
    with call.library() as library:
        return Answer(library.shelves.tag(call.arguments.name, call.arguments.documents), telling.tags)


def tag_remove(call: Call) -> Answer:
    """Take a tag from documents, or from all of them."""
    with call.library() as library:
        return Answer(library.shelves.untag(call.arguments.name, call.arguments.documents), telling.tags)


COLLECTION = spec("name", metavar="NAME", help="the collection")
TAG = spec("name", metavar="NAME", help="the tag")
DOCS = spec("documents", nargs="+", metavar="DOC", help=DOC[1]["help"])


def _create(parser: Parser) -> None:
    parser.add(
        COLLECTION,
        spec("--description", metavar="TEXT", help="what belongs into it"),
        spec("--folder", type=Path, metavar="DIR", help="follow this folder: what is in it belongs into it"),
        spec("--glob", metavar="G", help="of the folder only files whose name matches, such as '*.epub'"),
        EMBEDDER,
    )


COMMANDS = (
    Command(name="collection list", summary="List the collections.", run=collection_list),
    Command(
        name="collection create",
        summary="Make a collection, of a folder's files if you like.",
        run=collection_create,
        options=_create,
    ),
    Command(
        name="collection add",
        summary="Put documents into a collection.",
        run=collection_add,
        options=lambda p: p.add(COLLECTION, DOCS),
    ),
    Command(
        name="collection remove",
        summary="Take documents out of it, or remove the collection itself.",
        run=collection_remove,
        options=lambda p: p.add(
            COLLECTION,
            spec("documents", nargs="*", metavar="DOC", help="what to take out; none: the collection itself"),
        ),
    ),
    Command(
        name="collection scan",
        summary="Look again into the folder that a collection follows.",
        run=collection_scan,
        options=lambda p: p.add(COLLECTION, EMBEDDER),
    ),
    Command(name="tag list", summary="List the tags of documents.", run=tag_list),
    Command(name="tag add", summary="Give documents a tag.", run=tag_add, options=lambda p: p.add(TAG, DOCS)),
    Command(
        name="tag remove",
        summary="Take a tag from documents, or from all of them.",
        run=tag_remove,
        options=lambda p: p.add(TAG, spec("documents", nargs="*", metavar="DOC", help="from which; none: from all")),
    ),
)
