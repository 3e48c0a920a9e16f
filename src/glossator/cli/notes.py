"""Commands on notes: making, finding, changing and linking them, and opening a passage."""

import argparse

from glossator.cli import noting
from glossator.cli.browser import show_in_reader
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, DOC, SCOPE, bound
from glossator.cli.parser import Parser, spec, whole

PEOPLE = 50  # notes shown to a person who asked for no number


def add(call: Call) -> Answer:
    """Make a note or highlight at a quotation or a span."""
    given = call.arguments
    with call.library() as library:
        result = library.notes.add(
            given.document,
            quote=given.quote,
            occurrence=given.occurrence,
            span=given.span,
            body=given.body or "",
            color=given.color or "yellow",
            tags=given.tag,
            bound=bound(given, given.document),
        )
    return Answer(result, noting.note)


def list_notes(call: Call) -> Answer:
    """List notes; a script gets all of them, a person the first ones."""
    given = call.arguments
    limit = PEOPLE if given.limit is None and not call.output.as_json else given.limit
    with call.library() as library:
        result = library.notes.list(
            docs=given.doc,
            collections=given.collection,
            tags=given.tag,
            query=given.query,
            states=given.state,
            colors=given.color,
            limit=limit,
            offset=given.offset,
            bound=bound(given, *given.doc),
        )
    return Answer(result, noting.notes)


def show(call: Call) -> Answer:
    """Show a note with its links in both directions."""
    given = call.arguments
    named = [given.doc] if given.doc else []
    with call.library() as library:
        return Answer(library.notes.show(given.note, doc=given.doc, bound=bound(given, *named)), noting.note)


def edit(call: Call) -> Answer:
    """Change body, colour or tags."""
    given = call.arguments
    tags = [] if given.no_tags else given.tag or None
    with call.library() as library:
        result = library.notes.edit(given.note, body=given.body, color=given.color, tags=tags, bound=bound(given))
    return Answer(result, noting.note)


def remove(call: Call) -> Answer:
    """Remove a note with its links."""
    given = call.arguments
    with call.library() as library:
        return Answer(library.notes.remove(given.note, bound=bound(given)), noting.removed)


def attach(call: Call) -> Answer:
    """Say where a note stands, as when it was lost."""
    given = call.arguments
    named = [given.doc] if given.doc else []
    with call.library() as library:
        result = library.notes.attach(
            given.note,
            doc=given.doc,
            quote=given.quote,
            occurrence=given.occurrence,
            span=given.span,
            bound=bound(given, *named),
        )
    return Answer(result, noting.note)


def link(call: Call) -> Answer:
    """Link a note to another one."""
    given = call.arguments
    with call.library() as library:
        result = library.notes.link(given.note, given.other, relation=given.relation or "related", bound=bound(given))
    return Answer(result, noting.note)


def unlink(call: Call) -> Answer:
    """Remove the links between two notes."""
    given = call.arguments
    with call.library() as library:
        result = library.notes.unlink(given.note, given.other, relation=given.relation, bound=bound(given))
    return Answer(result, noting.note)


def links(call: Call) -> Answer:
    """List links with the words at both ends."""
    given = call.arguments
    with call.library() as library:
        result = library.notes.links(docs=given.doc, collections=given.collection, bound=bound(given, *given.doc))
    return Answer(result, noting.links)


def open_passage(call: Call) -> Answer:
    """Print the passage that a document, a note or a locator names; a person sees it in the web reader, too."""
    given = call.arguments
    with call.library() as library:
        result = library.notes.open(given.target, context=given.context, bound=bound(given, given.target))
    if not call.output.as_json and show_in_reader(call.settings.library, result.document.id, result.locator.start):
        call.output.note("Opened in the web reader.")
    return Answer(result, noting.passage)


def _span(text: str) -> tuple[int, int]:
    start, _, end = text.partition(":")
    if not (start.isdecimal() and end.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not START:END")
    return int(start), int(end)


# The values are those of `store.annotations` and `store.links`, which take the library file's modules to load.
COLORS = ("yellow", "green", "blue", "red", "purple")
STATES = ("exact", "moved", "lost")
RELATIONS = ("related", "supports", "contradicts")
NOTE = spec("note", metavar="NOTE", help="id of a note, or the beginning of one")
OTHER = spec("other", metavar="OTHER", help="id of the other note")
QUOTE = spec("--quote", metavar="Q", help="at these words; typography is forgiven")
SPAN = spec("--span", type=_span, metavar="START:END", help="at these positions of the text")
OCCURRENCE = spec("--occurrence", type=whole(1), metavar="K", help="of several occurrences the K-th (default 1)")
BODY = spec("--body", metavar="TEXT", help="what you have to say, in Markdown")
COLOR = spec("--color", choices=COLORS, help="the colour of the mark")
TAG = spec("--tag", action="append", default=[], metavar="T", help="a tag; repeat for several")
AS_IN = spec("--doc", metavar="DOC", help="as the note stands in this document, one of several editions")


def _add(parser: Parser) -> None:
    parser.add(DOC)
    parser.exclusive(QUOTE, SPAN)
    parser.add(OCCURRENCE, BODY, COLOR, TAG, *BOUND)


def _list(parser: Parser) -> None:
    parser.add(
        *SCOPE,
        spec("--tag", action="append", default=[], metavar="T", help="only with this tag; repeat: with all of them"),
        spec("--query", metavar="Q", help="whose quotation, body or tags hold these words"),
        spec("--state", action="append", default=[], choices=STATES, help="only in this state; repeat for several"),
        spec("--color", action="append", default=[], choices=COLORS, help="only of this colour; repeat for several"),
        spec("--limit", type=whole(0), metavar="N", help="at most so many (JSON: all; on a terminal 50)"),
        spec("--offset", type=whole(0), default=0, metavar="N", help="without the first N"),
        *BOUND,
    )


def _edit(parser: Parser) -> None:
    parser.add(NOTE, BODY, COLOR)
    parser.exclusive(
        spec("--tag", action="append", default=[], metavar="T", help="the tags it has from now on; repeat for several"),
        spec("--no-tags", action="store_true", help="take all tags away"),
    )
    parser.add(*BOUND)


def _attach(parser: Parser) -> None:
    parser.add(NOTE)
    parser.exclusive(QUOTE, SPAN)
    parser.add(OCCURRENCE, spec("--doc", metavar="DOC", help="in this document, if not in its own"), *BOUND)


def _open(parser: Parser) -> None:
    parser.add(
        spec("target", metavar="TARGET", help="document, note, ID:START-END, glossator:// address, or locator (JSON)"),
        spec("--context", type=whole(0), default=1, metavar="K", help="blocks before and after it (default 1)"),
        *BOUND,
    )


COMMANDS = (
    Command(name="note add", summary="Make a note or highlight at a passage.", run=add, options=_add),
    Command(name="note list", summary="List or search notes.", run=list_notes, options=_list),
    Command(
        name="note show",
        summary="Show a note with its links.",
        run=show,
        options=lambda p: p.add(NOTE, AS_IN, *BOUND),
    ),
    Command(name="note edit", summary="Change a note's body, colour or tags.", run=edit, options=_edit),
    Command(name="note remove", summary="Remove a note.", run=remove, options=lambda p: p.add(NOTE, *BOUND)),
    Command(name="note attach", summary="Say where a lost note belongs.", run=attach, options=_attach),
    Command(
        name="note link",
        summary="Link a note to another one.",
        run=link,
        options=lambda p: p.add(
            NOTE, OTHER, spec("--relation", choices=RELATIONS, help="what the first is to the other"), *BOUND
        ),
    ),
    Command(
        name="note unlink",
        summary="Remove the links between two notes.",
        run=unlink,
        options=lambda p: p.add(
            NOTE, OTHER, spec("--relation", choices=RELATIONS, help="only links of this relation"), *BOUND
        ),
    ),
    Command(
        name="note links",
        summary="List links with the words at both ends.",
        run=links,
        options=lambda p: p.add(*SCOPE, *BOUND),
    ),
)
OPEN = Command(
    name="open",
    summary="Print a passage; show it in the reader of a running server.",
    run=open_passage,
    options=_open,
)
