"""How collections, tags, conversations and figures look to a person. Pure functions of what the library answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from glossator.cli.page import Column, Element, Span, Table, Text, cell, line
from glossator.cli.show import added, collections, counted, facts, notice

if TYPE_CHECKING:
    from glossator.cli.house import TrustList
    from glossator.library.conversations import SessionExport, SessionList, SessionRemoved, SessionView
    from glossator.library.figures import Stats
    from glossator.library.results import DocumentRef
    from glossator.library.shelves import Scan, TagList
    from glossator.library.watch import Watched

DAYS = 14  # of which reading is drawn
BAR = 24  # characters of the longest bar


def tags(result: "TagList") -> Iterator[Element]:
    """Show a table of tags."""
    if not result.tags:
        yield line("No tags. `glossator tag add NAME DOC` gives one.")
        return
    columns = (Column("Tag", flexible=True), Column("Documents", right=True))
    yield Table(columns, tuple((cell(t.name, "title"), cell(t.documents)) for t in result.tags))


def scan(result: "Scan") -> Iterator[Element]:
    """Show what a scan added, and what is missing or back."""
    from glossator.library.results import CollectionList

    if result.added.documents:
        yield from added(result.added)
    yield from _changes(result.missing, result.back)
    yield from collections(CollectionList((result.collection,)))


def watched(result: "Watched") -> Iterator[Element]:
    """Show what was done while folders were watched."""
    if result.added.documents:
        yield from added(result.added)
    yield from _changes(result.missing, result.back)
    if not (result.added.documents or result.missing or result.back):
        yield line("Nothing changed.")


def _changes(missing: "Sequence[DocumentRef]", back: "Sequence[DocumentRef]") -> Iterator[Element]:
    for document in missing:
        yield line((f"{'missing':<11}", "warn"), " ", (document.title, "title"), (f"  {document.id}", "key"))
    for document in back:
        yield line((f"{'back':<11}", "good"), " ", (document.title, "title"), (f"  {document.id}", "key"))
    if missing:
        yield line(("What is missing stays in the library and can be searched; `remove` takes it out.", "dim"))


def stats(result: "Stats") -> Iterator[Element]:
    """Show the counts, how the documents are read, and the last two weeks."""
    reading = result.reading
    yield line((counted(result.documents, "document"), "title"))
    yield from facts(
        [
            ("formats", _listed(result.formats)),
            ("languages", _listed(result.languages)),
            ("not ready", _listed({k: n for k, n in result.statuses.items() if k != "ready"})),
            ("length", f"{result.characters:,} characters" + (f", {result.pages:,} pages" if result.pages else "")),
            ("kept", _kept(result)),
        ]
    )
    yield line()
    yield line(("Reading", "title"))
    yield from facts(
        [
            ("books", f"{reading.finished} finished, {reading.in_progress} begun, {reading.not_begun} not begun"),
            ("this week", f"{reading.this_week:,} characters"),
            ("this month", f"{reading.this_month:,} characters"),
            ("this year", f"{reading.this_year:,} characters"),
            ("streak", counted(reading.streak, "day")),
        ]
    )
    recent = reading.days[-DAYS:]
    most = max((characters for _, characters in recent), default=0)
    for day, characters in recent:
        bar = "▇" * max(1, BAR * characters // most)
        yield line((f"{day.isoformat():<13}", "dim"), bar, (f" {characters:,}", "dim"))
    for sitting in result.history or ():
        yield line((f"{sitting.at}  ", "dim"), f"{sitting.event} at {sitting.position}, read to {sitting.read_to}")


def trusted(result: "TrustList") -> Iterator[Element]:
    """Show the folders whose settings are trusted."""
    for folder in result.trusted:
        changed: Span = ("", "plain") if folder.current else ("  gone or changed since: not in force", "warn")
        yield line((folder.folder, "title"), changed)
    if not result.trusted:
        yield line("No folder is trusted.")


def _kept(result: "Stats") -> str:
    kept = [counted(result.notes, "note"), counted(result.tags, "tag"), counted(result.collections, "collection")]
    return ", ".join(kept if result.sessions is None else [*kept, counted(result.sessions, "session")])


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def sessions(result: "SessionList") -> Iterator[Element]:
    """Show a table of sessions."""
    if not result.sessions:
        yield line("No conversations yet.")
        return
    columns = (Column("ID"), Column("Title", flexible=True), Column("Messages", right=True), Column("Last used"))
    rows = ((cell(s.id, "key"), cell(s.title, "title"), cell(s.messages), cell(s.updated)) for s in result.sessions)
    yield Table(columns, tuple(rows))


def session(result: "SessionView") -> Iterator[Element]:
    """Show a conversation, message by message."""
    from glossator.library.conversations import told

    yield line((result.entry.title or "Conversation", "title"), (f"  {result.entry.id}", "key"))
    for message in result.messages:
        yield line()
        yield line((message.role, "key"), (f"  {message.created}  {message.id}", "dim"))
        yield from (line(said, indent=2) for part in told(message) for said in part.split("\n"))
    yield from notice(result.notice)


def session_removed(result: "SessionRemoved") -> Iterator[Element]:
    """Show that a session is gone."""
    yield line("removed ", (result.id, "key"))


def session_exported(result: "SessionExport") -> Iterator[Element]:
    """Show where a session was written, or pass it on as it is."""
    if result.path is None:
        yield Text(result.content.removesuffix("\n"))
    else:
        yield line(f"{counted(result.messages, 'message')} written to {result.path}")
