"""Commands that say what is in documents: summaries, names, the same claim side by side, maps."""

from glossator.cli import analysing
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, DOC, SCOPE, bound
from glossator.cli.parser import Parser, spec, whole


def summary(call: Call) -> Answer:
    """Show a document, or a section of it, in its own sentences."""
    given = call.arguments
    with call.library() as library:
        result = library.analysis.summary(given.document, section=given.section, bound=bound(given, given.document))
    return Answer(result, analysing.summary)


def people(call: Call) -> Answer:
    """Show who and what a document names."""
    given = call.arguments
    with call.library() as library:
        return Answer(library.analysis.people(given.document, bound=bound(given, given.document)), analysing.people)


def compare(call: Call) -> Answer:
    """Show what documents say to a claim."""
    given = call.arguments
    with call.library() as library:
        result = library.analysis.compare(
            " ".join(given.claim), docs=given.doc, collections=given.collection, bound=bound(given, *given.doc)
        )
    return Answer(result, analysing.compare)


def draw(call: Call) -> Answer | int:
    """Show a document as a tree, as Markdown, JSON or a picture where asked."""
    given = call.arguments
    with call.library() as library:
        result = library.analysis.map(given.document, bound=bound(given, given.document))
    if given.format == "json" and not call.output.as_json:
        call.output.json(result.to_json())
        return 0
    view = {"markdown": analysing.markdown, "svg": analysing.picture}.get(given.format, analysing.outline)
    return Answer(result, view)


MODEL = spec("--model", choices=("none",), default="none", help="none: in the document's own words")


def _summary(parser: Parser) -> None:
    section = spec("--section", type=whole(1), metavar="N", help="entry N of the contents, with its subsections")
    parser.add(DOC, section, MODEL, *BOUND)


def _compare(parser: Parser) -> None:
    parser.add(spec("claim", nargs="+", metavar="CLAIM", help="a sentence"), *SCOPE, MODEL, *BOUND)


def _draw(parser: Parser) -> None:
    form = spec("--format", choices=("json", "markdown", "svg"), help="instead of an outline; svg is a picture")
    parser.add(DOC, form, MODEL, *BOUND)


COMMANDS = (
    Command(
        name="summary", summary="Sum up a document, or the story so far, in its words.", run=summary, options=_summary
    ),
    Command(
        name="people",
        summary="List who and what a document names, and where first.",
        run=people,
        options=lambda p: p.add(DOC, MODEL, *BOUND),
    ),
    Command(
        name="compare",
        summary="Put what documents say to a claim side by side.",
        run=compare,
        options=_compare,
        free_text=True,
    ),
    Command(name="map", summary="Draw a document as a tree of sections and key points.", run=draw, options=_draw),
)
