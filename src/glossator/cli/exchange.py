"""Commands that take notes out of a library, and bring notes and metadata in."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, SCOPE, bound
from glossator.cli.page import Element, Text, line
from glossator.cli.parser import Parser, spec
from glossator.errors import UsageError

if TYPE_CHECKING:
    from glossator.library.exchange.exchange import Format
    from glossator.library.exchange.results import Exported, Imported

FORMATS = ("markdown", "json", "obsidian", "w3c", "csv", "bibtex")
SUFFIXES: "dict[str, Format]" = {".json": "json", ".jsonld": "w3c", ".csv": "csv", ".bib": "bibtex"}


def export(call: Call) -> Answer:
    """Write notes to a file or folder, or to stdout."""
    given = call.arguments
    path = Path(given.output) if given.output is not None else None
    if given.output == "":
        raise UsageError("--output names no file", hint="give a path, or leave it out to write to stdout")
    kind: Format = given.format or (SUFFIXES.get(path.suffix.lower()) if path else None) or "markdown"
    if given.links and (kind != "csv" or given.tag):
        raise UsageError("--links makes a table of links", hint="give it with --format csv, without --tag")
    limits = bound(given, *given.doc)
    with call.library() as library:
        exchange = library.exchange
        if given.links:
            result = exchange.links(
                docs=given.doc, collections=given.collection, path=path, force=given.force, bound=limits
            )
        elif path is None:
            result = exchange.export(kind, docs=given.doc, collections=given.collection, tags=given.tag, bound=limits)
        else:
            result = exchange.write(
                path,
                kind,
                docs=given.doc,
                collections=given.collection,
                tags=given.tag,
                force=given.force,
                bound=limits,
            )
    if path is None and not call.output.as_json and result.notice:
        call.output.err.write(f"note: {result.notice}\n")  # stdout is the export itself
    return Answer(result, exported)


def import_(call: Call) -> Answer:
    """Take notes or metadata in from a file."""
    with call.library(create=True) as library:
        return Answer(library.exchange.load(os.path.abspath(call.arguments.path)), imported)


def exported(result: "Exported") -> Iterator[Element]:
    """Show the export itself, or where it was written."""
    if result.content is not None:
        yield Text(result.content.removesuffix("\n"))  # the page ends every element with a line end
        return
    yield line(f"{result.notes} notes written to ", (str(result.path), "title"))
    if result.notice:
        yield line((result.notice, "warn"))


def imported(result: "Imported") -> Iterator[Element]:
    """Show what an import changed, and what it could not take in."""
    n = result.notes
    counts = {"added": n.added, "updated": n.updated, "unchanged": n.unchanged, "removed": n.removed}
    parts = [f"{count} {name}" for name, count in counts.items() if count]
    if parts or not any(result.documents):
        yield line(("notes: ", "title"), ", ".join(parts) or "none")
    if result.links:
        yield line(("links: ", "title"), f"{result.links} added")
    if any(result.documents):
        told = zip(("updated", "unchanged", "not in this library"), result.documents, strict=True)
        yield line(("documents: ", "title"), ", ".join(f"{count} {name}" for name, count in told if count))
    skipped = [f"{count} {name}" for name, count in result.skipped.items() if count]
    if skipped:
        yield line((f"passed over: {', '.join(skipped)}", "dim"))
    if n.failed:
        yield line((f"{n.failed} could not be taken in", "warn"))
    for problem in result.problems:
        where = "" if problem.line is None else f"line {problem.line}: "
        yield line((where, "dim"), problem.message, indent=2)


def _export(parser: Parser) -> None:
    parser.add(
        *SCOPE,
        spec("--tag", action="append", default=[], metavar="T", help="only notes with this tag; repeat for several"),
        spec("--format", choices=FORMATS, help="the format; else by the name of --output, else markdown"),
        spec("--output", metavar="PATH", help="a file, of obsidian a folder; without it the text goes to stdout"),
        spec("--force", action="store_true", help="replace the file if it is there"),
        spec("--links", action="store_true", help="with --format csv: the links between notes instead of the notes"),
        *BOUND,
    )


COMMANDS = (
    Command(name="export", summary="Write notes for other programs, or without loss.", run=export, options=_export),
    Command(
        name="import",
        summary="Bring in notes, reading places, or metadata.",
        run=import_,
        options=lambda p: p.add(spec("path", metavar="PATH", help="the file; what it is shows in its content")),
    ),
)
