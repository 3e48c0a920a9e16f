"""Commands that say what is in documents: summaries, names, the same claim side by side, maps."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from glossator.cli import analysing
from glossator.cli.asking import MODEL
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, DOC, SCOPE, bound
from glossator.cli.parser import Parser, spec, whole

if TYPE_CHECKING:
    from glossator.agent.speaking import Speaker


@contextmanager
def _speaker(call: Call) -> "Iterator[Speaker | None]":
    """Give the language model that is chosen for work over whole documents; None where none is."""
    from glossator.choice import choose

    choice = choose(call.settings, "book", model=call.arguments.model, base_url=call.arguments.base_url)
    if choice is None:
        yield None
        return
    from glossator.agent.answering import asked
    from glossator.agent.limits import limits_of
    from glossator.agent.speaking import Speaker
    from glossator.cli.asking import limits_given

    with Speaker(asked(choice), limits_of("book", limits_given(call))) as speaker:
        yield speaker


def summary(call: Call) -> Answer:
    """Show a document, or a section of it: in its own sentences, or read and summed up by a language model."""
    given = call.arguments
    with call.library() as library, _speaker(call) as speaker:
        if speaker is not None:
            from glossator.agent.whole import summary as of_whole

            shown = library.scope([given.document], bound=bound(given, given.document))
            found = of_whole(shown, speaker, given.section, told=analysing.telling(call.output))
            return Answer(found, analysing.whole)
        result = library.analysis.summary(given.document, section=given.section, bound=bound(given, given.document))
    return Answer(result, analysing.summary)


def people(call: Call) -> Answer:
    """Show who and what a document names; with a language model also who each is."""
    given = call.arguments
    with call.library() as library, _speaker(call) as speaker:
        if speaker is not None:
            from glossator.agent.improving import people as described

            found = described(library.scope([given.document], bound=bound(given, given.document)), speaker)
            return Answer(found, analysing.described)
        return Answer(library.analysis.people(given.document, bound=bound(given, given.document)), analysing.people)


def compare(call: Call) -> Answer:
    """Show what documents say to a claim; a language model tells better who supports and who contradicts it."""
    given = call.arguments
    with call.library() as library, _speaker(call) as speaker:
        if speaker is not None:
            from glossator.agent.improving import compare as read

            shown = library.scope(given.doc, given.collection, bound=bound(given, *given.doc))
            return Answer(read(shown, " ".join(given.claim), speaker), analysing.improved(analysing.compare))
        result = library.analysis.compare(
            " ".join(given.claim), docs=given.doc, collections=given.collection, bound=bound(given, *given.doc)
        )
    return Answer(result, analysing.compare)


def draw(call: Call) -> Answer | int:
    """Show a document as a tree, as Markdown, JSON or a picture where asked."""
    given = call.arguments
    view = {"markdown": analysing.markdown, "svg": analysing.picture}.get(given.format, analysing.outline)
    with call.library() as library, _speaker(call) as speaker:
        if speaker is None:
            answer = Answer(library.analysis.map(given.document, bound=bound(given, given.document)), view)
        else:
            from glossator.agent.improving import outline as titled

            shown = library.scope([given.document], bound=bound(given, given.document))
            answer = Answer(titled(shown, speaker), analysing.improved(view))
    if given.format == "json" and not call.output.as_json:
        call.output.json(answer.result.to_json())
        return 0
    return answer


def _summary(parser: Parser) -> None:
    section = spec("--section", type=whole(1), metavar="N", help="entry N of the contents, with its subsections")
    parser.add(DOC, section, *MODEL, *BOUND)


def _compare(parser: Parser) -> None:
    parser.add(spec("claim", nargs="+", metavar="CLAIM", help="a sentence"), *SCOPE, *MODEL, *BOUND)


def _draw(parser: Parser) -> None:
    form = spec("--format", choices=("json", "markdown", "svg"), help="instead of an outline; svg is a picture")
    parser.add(DOC, form, *MODEL, *BOUND)


COMMANDS = (
    Command(
        name="summary", summary="Sum up a document, or the story so far, in its words.", run=summary, options=_summary
    ),
    Command(
        name="people",
        summary="List who and what a document names, and where first.",
        run=people,
        options=lambda p: p.add(DOC, *MODEL, *BOUND),
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
