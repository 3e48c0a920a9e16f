"""Where the reader is: setting `position` and `read_to`, and telling them.

Setting a place says "I have read up to here" and moves both. A view only looks: it moves `position`, and `read_to`
grows with it where reading goes on from what was read, a page at a time. Peeking ahead or following a citation opens
nothing.
"""

from dataclasses import dataclass
from typing import Literal

import apsw

from glossator.document.model import BREAK, innermost
from glossator.errors import NotFound, UsageError
from glossator.library.bounds import spoilers_of
from glossator.library.reader import pages_over, ref_of
from glossator.library.results import ProgressView
from glossator.store import documents as stored
from glossator.store.database import Database
from glossator.store.documents import StoredDocument
from glossator.store.progress import Event, get_progress, record_reading, set_progress

SCREEN = 4_000  # characters that a large screen, or a page, shows at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is to be set: one place at most, and whether later parts are hidden."""

    at: int | None = None
    page: int | None = None
    section: int | None = None
    finished: bool = False
    restart: bool = False
    spoilers: Literal["hide", "show"] | None = None

    @property
    def places(self) -> int:
        """Return how many places are given."""
        return sum(x is not None for x in (self.at, self.page, self.section)) + self.finished + self.restart

    @property
    def empty(self) -> bool:
        """Return whether nothing is to be set."""
        return not self.places and self.spoilers is None


def apply(c: apsw.Connection, document: StoredDocument, change: Change) -> None:
    """Set both `position` and `read_to` to the place, and the choice about spoilers.

    Raises:
        UsageError: several places; nothing is changed.
        NotFound: no such position, page or section; nothing is changed.
    """
    if change.places > 1:
        raise UsageError("several places at once", hint="give one of --at, --page, --section, --finished, --restart")
    if change.places:
        position = _position(c, document, change)
        set_progress(c, document.key, position=position, read_to=position, finished=change.finished)
        event: Event = "finished" if change.finished else "restarted" if change.restart else "read"
        record_reading(c, document.key, event)
    if change.spoilers is not None:
        stored.set_spoilers(c, document.key, change.spoilers)


def look(c: apsw.Connection, document: StoredDocument, at: int) -> None:
    """Note that the reader's view begins at a position.

    A document that was not begun is not begun by a jump into its midst where that would hide what follows.

    Raises:
        NotFound: no such position; nothing is changed.
    """
    position = _position(c, document, Change(at=at))
    progress = get_progress(c, document.key)
    read_to = 0 if progress is None else progress.read_to
    goes_on = read_to < position <= _within_reach(c, document, read_to)
    if progress is None and not goes_on and (document.spoilers or document.profile) in ("hide", "book"):
        return
    finished = progress is not None and progress.finished
    set_progress(c, document.key, position=position, read_to=position if goes_on else read_to, finished=finished)
    if goes_on:
        record_reading(c, document.key, "read")


def _within_reach(c: apsw.Connection, document: StoredDocument, read_to: int) -> int:
    """Return up to where a view still continues from `read_to`: a screen further, or the next page's beginning."""
    following = (p.end for p in stored.pages(c, document.key) if p.start <= read_to < p.end)
    return min(max(read_to + SCREEN, next(following, 0) + len(BREAK)), document.characters)


def progress_of(database: Database, document: StoredDocument) -> ProgressView:
    """Return the reading position of a document; all zero when nothing was read."""
    with database.read() as c:
        progress = get_progress(c, document.key)
        position = 0 if progress is None else progress.position
        section = innermost(stored.sections(c, document.key), position)
        page = next(iter(pages_over(stored.pages(c, document.key), position, position + 1)), None)
    return ProgressView(
        document=ref_of(document),
        position=position,
        read_to=0 if progress is None else progress.read_to,
        fraction=position / document.characters if document.characters else 0.0,
        section=None if section is None else section.number,
        page=None if page is None else page.number,
        finished=progress is not None and progress.finished,
        spoilers=spoilers_of(document, progress),
        updated=None if progress is None else progress.updated,
    )


def _position(c: apsw.Connection, document: StoredDocument, change: Change) -> int:
    if change.finished:
        return document.characters
    if change.restart:
        return 0
    if change.at is not None:
        if not 0 <= change.at <= document.characters:
            raise NotFound(
                f"position {change.at} is outside “{document.title}”",
                hint=f"positions run from 0 to {document.characters}",
            )
        return change.at
    if change.page is not None:
        pages = stored.pages(c, document.key)
        starts = {p.number: p.start for p in pages}
        if change.page not in starts:
            hint = f"it has {len(pages)} pages" if pages else "it has no pages; use --section or --at"
            raise NotFound(f"“{document.title}” has no page {change.page}", hint=hint)
        return starts[change.page]
    sections = {s.number: s.start for s in stored.sections(c, document.key)}
    if change.section not in sections:
        raise NotFound(
            f"“{document.title}” has no section {change.section}",
            hint=f"it has {len(sections)}; `glossator show` lists them",
        )
    return sections[change.section]
