"""How notes, links and opened passages look to a person. Pure functions of what the library answers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from glossator.cli.page import Element, Span, Style, Text, line
from glossator.cli.quoting import place
from glossator.cli.show import notice

if TYPE_CHECKING:
    from glossator.library.note_views import LinkEnd, LinkTable, Note, NoteLink, NoteList, Passage, RemovedNote

STATES: dict[str, Style] = {"exact": "good", "moved": "good", "lost": "bad"}
BACK = {"related": "related to", "supports": "supported by", "contradicts": "contradicted by"}
THERE = {"related": "related to", "supports": "supports", "contradicts": "contradicts"}
LONG = 300  # characters of a quotation in a list


def notes(result: "NoteList") -> Iterator[Element]:
    """Show notes one below the other, and how many more there are."""
    for shown in result.notes:
        yield from _note(shown, LONG)
        yield line()
    if not result.total:
        yield line("No notes. `glossator note add DOC --quote WORDS` makes one.")
    elif len(result.notes) < result.total:
        yield line((f"{len(result.notes)} of {result.total:,} notes; --limit and --offset show others.", "dim"))
    yield from notice(result.notice)


def note(result: "Note") -> Iterator[Element]:
    """Show a note whole, with the words at the other end of each link."""
    yield from _note(result, None)
    if result.occurrences is not None and result.occurrences > 1:
        yield line((f"occurrence {result.occurrence} of {result.occurrences}: --occurrence takes another", "warn"))
    if result.repairs:
        yield line((f"found with repairs: {', '.join(result.repairs)}", "dim"))
    for link in result.links:
        yield from _link(link)
    yield from notice(result.notice)


def removed(result: "RemovedNote") -> Iterator[Element]:
    """Show that a note is gone."""
    yield line("removed ", (result.note.id, "key"), f" from {result.note.document.title}")


def links(result: "LinkTable") -> Iterator[Element]:
    """Show links, each with both its ends."""
    for row in result.links:
        yield from _end(row.source)
        yield line((THERE[row.relation], "key"), indent=2)
        yield from _end(row.target)
        yield line()
    if not result.links:
        yield line("No links. `glossator note link A B` makes one.")
    yield from notice(result.notice)


def passage(result: "Passage") -> Iterator[Element]:
    """Show a passage between what stands before and after it."""
    yield line(*place(result.document, result.locator))
    yield line()
    yield line((result.before, "dim"), (result.text, "mark"), (result.after, "dim"))
    if result.note is not None:
        yield line()
        yield from note(result.note)
    yield from notice(result.notice)


def _note(shown: "Note", limit: int | None) -> Iterator[Element]:
    where: Span = ("", "plain")
    if shown.locator is not None:
        page = "" if shown.locator.page is None else f" · page {shown.locator.page}"
        where = (f"{page}  {shown.document.id}:{shown.locator.start}-{shown.locator.end}", "dim")
    state: Span = ("", "plain") if shown.state == "exact" else (f"  {shown.state}", STATES[shown.state])
    yield line((f"{shown.id} ", "key"), (shown.document.title, "title"), where, state)
    yield line((f"{shown.color} ", "dim"), f"“{_cut(shown.quote, limit)}”", indent=2)
    if shown.body:
        yield Text(shown.body) if limit is None else line(_cut(shown.body, limit), indent=2)
    facts = [f"#{tag}" for tag in shown.tags]
    facts += [f"from {shown.origin}"] if shown.origin != "person" else []
    facts += [f"by {shown.author}"] if shown.author else []
    facts += [f"{len(shown.links)} link{'' if len(shown.links) == 1 else 's'}"] if shown.links else []
    yield line((" · ".join([*facts, shown.updated]), "dim"), indent=2)


def _link(link: "NoteLink") -> Iterator[Element]:
    words = (THERE if link.direction == "out" else BACK)[link.relation]
    title = "" if link.document is None else link.document.title
    yield line((f"{words} ", "key"), (f"{link.id} ", "key"), (title, "title"))
    if link.quote is not None:
        yield line(f"“{_cut(link.quote, LONG)}”", indent=2)


def _end(end: "LinkEnd") -> Iterator[Element]:
    yield line((f"{end.id} ", "key"), (end.document.title, "title"), f": “{_cut(end.quote, LONG)}”")


def _cut(text: str, limit: int | None) -> str:
    if limit is None:
        return text
    words = " ".join(text.split())
    return words if len(words) <= limit else f"{words[:limit].rstrip()}…"
