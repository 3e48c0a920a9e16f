"""What an export holds: the notes that a call may see, each with its work and its place as people name places.

What a bound hides is in no export: neither a note past it nor the words behind a note.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import apsw

from glossator.library.note_reading import Seen, seen
from glossator.library.note_views import Note
from glossator.library.results import Bound
from glossator.store import documents as stored
from glossator.store.annotations import tidy_tags
from glossator.store.editions import editions
from glossator.store.noted import Filter, find_notes, ids_of
from glossator.store.portable import Facts, Portable, collect
from glossator.store.portable import Note as Kept

if TYPE_CHECKING:
    from glossator.library.library import Library

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A document as an export names it; one that is gone has no source."""

    id: str
    sha256: str
    format: str
    title: str
    authors: tuple[str, ...]
    published: str | None
    language: str | None
    identifiers: Mapping[str, str]
    details: Mapping[str, Any]
    source: str | None
    key: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A note with its work and place. `quote` is what stands there now; of a lost note, what was marked."""

    note: Note
    work: Work
    quote: str
    path: tuple[str, ...]  # section titles, from the outermost
    page: int | None
    page_label: str | None
    start: int | None
    end: int | None

    @property
    def link(self) -> str | None:
        """Return the address of the passage, from which `verify` knows what is claimed; None without a place."""
        if self.start is None:
            return None
        query = urlencode({"start": self.start, "end": self.end, "sha": self.work.sha256})
        return f"glossator://document/{self.work.id}?{query}"

    @property
    def place(self) -> str:
        """Return the page, as printed where that is known, or "" where there are no pages."""
        if self.page is None:
            return ""
        return f"p. {self.page_label}" if self.page_label else f"p. {self.page}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which notes are to be exported: of these documents and collections (none: of all), with all of these tags."""

    docs: Sequence[str] = ()
    collections: Sequence[str] = ()
    tags: Sequence[str] = ()
    bound: Bound = field(default_factory=Bound)

    @property
    def everything(self) -> bool:
        """Tell whether nothing is left out by name."""
        return not (self.docs or self.collections or self.tags)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The notes of an export, by work and place; `works` also are those that are named and have none."""

    notes: tuple[Shown, ...]
    works: tuple[Work, ...]
    notice: str | None

    def by_work(self) -> list[tuple[Work, list[Shown]]]:
        """Return the works that have notes, by title, each with its notes in reading order, lost ones last."""
        found: dict[str, list[Shown]] = {}
        for shown in self.notes:
            found.setdefault(shown.work.sha256, []).append(shown)
        ordered = sorted(found.values(), key=lambda s: (s[0].work.title.casefold(), s[0].work.id))
        return [(some[0].work, sorted(some, key=_reading_order)) for some in ordered]


def select(library: "Library", wanted: Wanted) -> Selection:
    """Return the notes that are meant, as far as the bound shows them.

    Raises: as `Notes.list`.
    """
    with library.database.read() as c:
        found = library.notes.list(
            docs=wanted.docs, collections=wanted.collections, tags=wanted.tags, bound=wanted.bound
        )
        made = {n.id: n for n in collect(c).notes}
        works = _works(c)
        sight = seen(library, wanted.docs, wanted.collections, wanted.bound)
        notes = tuple(_shown(note, made[note.id], works[note.document.id]) for note in found.notes)
        named = [w for w in works.values() if w.key is not None and _named(sight, w.key)]
        return Selection(notes=notes, works=tuple(named), notice=found.notice)


def portable_of(library: "Library", wanted: Wanted) -> tuple[Portable, str | None]:
    """Return what a lossless export holds, and what is to be said of it."""
    with library.database.read() as c:
        sight = seen(library, wanted.docs, wanted.collections, wanted.bound)
        whole = collect(c)
        meant = Filter(documents=sight.documents, gone=sight.gone, tags=tidy_tags(wanted.tags), caps=sight.caps)
        shown = set(ids_of(c, find_notes(c, meant)[0]).values())
        notes = [n for n in whole.notes if n.id in shown]
        caps = {stored.get_document(c, key).sha256: cap for key, cap in sight.caps.items()}
        notes = [_clipped(n, caps) for n in notes] if caps else notes
        links = [x for x in whole.links if x.source in shown and x.target in shown]
        cut = sum((x.source in shown) != (x.target in shown) for x in whole.links)
        documents = _documents(c, sight, whole, notes, wanted)
        names = {name for f in documents for name in f.collections}
        kept = [x for x in whole.collections if wanted.everything or x[0] in names]
        portable = Portable(
            documents=tuple(_wordless(f, caps) for f in documents),
            collections=tuple(kept),
            notes=tuple(notes),
            links=tuple(links),
            removed=whole.removed if wanted.everything else (),
        )
    said = f"{cut} links to notes outside this export are left out." if cut and not wanted.everything else None
    return portable, " ".join(x for x in (sight.notice, said) if x) or None


def _documents(c: apsw.Connection, sight: Seen, whole: Portable, notes: Sequence[Kept], wanted: Wanted) -> list[Facts]:
    """Return the documents that are meant with their facts, and the bare names of others that the notes speak of."""
    if wanted.everything:
        return list(whole.documents)
    named = {s for n in notes for s in (n.home, *(x.sha256 for x in n.standings))}
    meant: set[str] = set()
    if not wanted.tags:
        meant = {stored.get_document(c, key).sha256 for key in sight.documents or ()}
    return [
        f if f.file.sha256 in meant else Facts(file=f.file)
        for f in whole.documents
        if f.file.sha256 in named or (f.file.sha256 in meant and not f.empty)
    ]


def _clipped(note: Kept, caps: Mapping[str, int]) -> Kept:
    """Return a note without words behind it that a cap hides."""
    room = min(
        (max(0, caps[s.sha256] - s.end) for s in note.standings if s.sha256 in caps and s.end is not None),
        default=None,
    )
    if room is None:
        return note
    locator = dict(note.locator)
    quote = locator.get("quote")
    if isinstance(quote, dict) and isinstance(quote.get("suffix"), str):
        locator["quote"] = {**quote, "suffix": quote["suffix"][:room]}
    return replace(note, after=note.after[:room], locator=locator)


def _wordless(facts: Facts, caps: Mapping[str, int]) -> Facts:
    """Return a document without the words up to which it was read, where a nearer bound hides them."""
    reached = facts.reached
    if reached is None or reached.read_to <= caps.get(facts.file.sha256, reached.read_to):
        return facts
    return replace(facts, reached=replace(reached, words=""))


def _works(c: apsw.Connection) -> dict[str, Work]:
    """Return all documents by id, and the files of removed ones that notes were made in."""
    facts = {f.file.sha256: f for f in collect(c).documents}
    works = {
        e.id: Work(
            id=e.id,
            sha256=e.sha256,
            format=e.format,
            title=e.title,
            authors=e.authors,
            published=None,
            language=None,
            identifiers=dict(e.identifiers),
            details={},
            source=None,
            key=None,
        )
        for e in editions(c).values()
        if e.document is None
    }
    for d in stored.list_documents(c):
        known = facts.get(d.sha256)
        works[d.id] = Work(
            id=d.id,
            sha256=d.sha256,
            format=d.format,
            title=d.title,
            authors=d.authors,
            published=d.published,
            language=d.language,
            identifiers=dict(d.identifiers),
            details=known.details if known else {},
            source=d.sources[0] if d.sources else None,
            key=d.key,
        )
    return works


def _named(sight: Seen, key: int) -> bool:
    return sight.documents is None or key in sight.documents


def _shown(note: Note, made: Kept, work: Work) -> Shown:
    here = note.locator
    if here is not None:
        return Shown(
            note=note,
            work=work,
            quote=here.quote.exact if here.quote else note.quote,
            path=here.section_path,
            page=here.page,
            page_label=here.page_label,
            start=here.start,
            end=here.end,
        )
    section, locator = made.locator.get("section"), made.locator
    path = section.get("path", ()) if isinstance(section, dict) else ()
    return Shown(
        note=note,
        work=work,
        quote=note.quote,
        path=tuple(str(p) for p in path),
        page=_integer(locator.get("page")),
        page_label=locator.get("page_label") if isinstance(locator.get("page_label"), str) else None,
        start=_integer(locator.get("start")),
        end=_integer(locator.get("end")),
    )


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _reading_order(shown: Shown) -> tuple[bool, int, int, str]:
    return shown.note.state == "lost", shown.start or 0, shown.end or 0, shown.note.id
