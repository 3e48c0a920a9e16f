"""Which notes a call may see, and the rows of the store made into notes with fresh locators and links.

A note that stands past the bound of its document, wholly or in part, is hidden: from lists, counts and links.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import apsw

from glossator.errors import NotFound
from glossator.library.note_views import LinkEnd, LinkRow, Note, NoteLink, Titled
from glossator.library.reader import Reader
from glossator.library.results import Bound
from glossator.library.scoping import Scoped
from glossator.store.editions import gone_editions
from glossator.store.links import Link, all_links, links_of
from glossator.store.noted import Noted, ids_of, load_notes, visible
from glossator.store.scope import Scope

if TYPE_CHECKING:
    from glossator.document.locator import Locator
    from glossator.library.library import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a call may see: the documents it names (None: all), editions that are gone, and every cap in the library."""

    reader: Reader
    documents: tuple[int, ...] | None
    gone: tuple[int, ...]
    notice: str | None

    @property
    def caps(self) -> Mapping[int, int]:
        """Return the first hidden position of every document that is capped."""
        return self.reader.scope.caps


def seen(library: "Library", docs: Sequence[str], collections: Sequence[str], bound: Bound) -> Seen:
    """Return what may be seen of the named documents; notes elsewhere, at the other end of links, by the general rule.

    A name may also mean a removed document of which notes were kept.

    Raises: as `Library.scope`.
    """
    if not docs and not collections:
        everything = library.scope((), bound=bound)
        return Seen(reader=everything.reader, documents=None, gone=(), notice=everything.notice)
    general = bound if not isinstance(bound.up_to, int) else Bound(None, bound.uncapped)
    everything = library.scope((), bound=general)
    with library.database.read() as c:
        there, gone = _present(library, c, docs)
    if not there and not collections:
        return Seen(reader=everything.reader, documents=(), gone=gone, notice=None)
    named = library.scope(there, collections, bound=bound)
    keys = tuple(d.key for d in named.documents)
    return Seen(reader=_joined(everything, named, keys), documents=keys, gone=gone, notice=named.notice)


def _joined(everything: Scoped, named: Scoped, keys: tuple[int, ...]) -> Reader:
    caps = {k: cap for k, cap in everything.reader.scope.caps.items() if k not in keys}
    caps.update(named.reader.scope.caps)
    return Reader(everything.reader.database, Scope(caps=caps), means=everything.reader.means)


def _present(library: "Library", c: apsw.Connection, docs: Sequence[str]) -> tuple[list[str], tuple[int, ...]]:
    """Return the names of documents that are there, and the editions that the other names mean."""
    there: list[str] = []
    gone: list[int] = []
    for name in docs:
        try:
            there.append(library.identify(name))
        except NotFound:
            known = gone_editions(c, name)
            if not known:
                raise
            gone += known
    return there, tuple(gone)


# --- notes ----------------------------------------------------------------------------------------------------------


def notes_of(
    c: apsw.Connection, seen: Seen, keys: Sequence[int], *, documents: tuple[int, ...] | None, receipts: bool = False
) -> list[Note]:
    """Return notes in the order of their keys; with `receipts` each link with the words at its other end."""
    noted = load_notes(c, keys, documents)
    links = links_by_note(c, seen, keys, receipts=receipts)
    places = _locators(seen.reader, noted)
    return [_note(n, places.get(n.key), links.get(n.key, ())) for n in noted]


def _locators(reader: Reader, noted: Sequence[Noted]) -> "dict[int, Locator]":
    """Return where notes are in their documents as these are now, by key; lost ones are left out."""
    by_document: dict[int, list[Noted]] = {}
    for n in noted:
        if n.document is not None and n.start is not None:
            by_document.setdefault(n.document, []).append(n)
    found: dict[int, Locator] = {}
    opened = reader.open_all(by_document)
    for document, some in by_document.items():
        spans = [(n.start or 0, n.end or 0) for n in some]
        made = reader.locators(opened[document], spans)
        found |= {n.key: locator for n, locator in zip(some, made, strict=True)}
    return found


def _note(noted: Noted, locator: "Locator | None", links: tuple[NoteLink, ...]) -> Note:
    author = noted.details.get("author")
    return Note(
        id=noted.id,
        document=Titled(noted.document_id, noted.title),
        quote=noted.quote,
        body=noted.body,
        color=noted.color,
        tags=noted.tags,
        locator=locator,
        state=noted.state,
        score=noted.score,
        origin=noted.origin,
        author=author if isinstance(author, str) else None,
        links=links,
        created=noted.created,
        updated=noted.updated,
    )


# --- links ----------------------------------------------------------------------------------------------------------


def links_by_note(
    c: apsw.Connection, seen: Seen, keys: Sequence[int], *, receipts: bool
) -> dict[int, tuple[NoteLink, ...]]:
    """Return the links of some notes, those of each as it sees them; what is hidden at the other end is left out."""
    links = links_of(c, keys)
    if not links:
        return {}
    ends: Mapping[int, LinkEnd | str] = _ends(c, seen, links) if receipts else _ids(c, seen, links)
    asked = set(keys)
    found: dict[int, list[NoteLink]] = {}
    for link in links:
        if link.source in asked and link.target in ends:
            found.setdefault(link.source, []).append(_seen_from(link, "out", ends[link.target]))
        if link.target in asked and link.source in ends:
            found.setdefault(link.target, []).append(_seen_from(link, "in", ends[link.source]))
    return {key: tuple(some) for key, some in found.items()}


def link_rows(c: apsw.Connection, seen: Seen, keys: Sequence[int] | None) -> tuple[LinkRow, ...]:
    """Return the links that have one of some notes at either end (None: all), both ends in sight."""
    links = all_links(c) if keys is None else links_of(c, keys)
    ends = _ends(c, seen, links)
    return tuple(
        LinkRow(ends[x.source], ends[x.target], x.relation, x.created)
        for x in links
        if x.source in ends and x.target in ends
    )


def _ends(c: apsw.Connection, seen: Seen, links: Sequence[Link]) -> dict[int, LinkEnd]:
    keys = sorted({key for link in links for key in (link.source, link.target)})
    shown = visible(c, keys, seen.caps)
    noted = load_notes(c, [key for key in keys if key in shown])
    return {n.key: LinkEnd(n.id, Titled(n.document_id, n.title), n.quote) for n in noted}


def _ids(c: apsw.Connection, seen: Seen, links: Sequence[Link]) -> dict[int, str]:
    keys = sorted({key for link in links for key in (link.source, link.target)})
    return ids_of(c, visible(c, keys, seen.caps))


def _seen_from(link: Link, direction: Literal["out", "in"], end: LinkEnd | str) -> NoteLink:
    if isinstance(end, str):
        return NoteLink(id=end, relation=link.relation, direction=direction)
    return NoteLink(id=end.id, relation=link.relation, direction=direction, document=end.document, quote=end.quote)
