"""Putting notes and facts from elsewhere beside those that are here, so that two libraries can exchange them.

    notes      the later `updated` wins, note by note; what is equal stays. A removal that is later than a note's last
               change removes it, and keeps it from coming back.
    links      of both sides. Limit: a link that was taken away on one side comes back from the other.
    progress   the later one wins; `read_to` does not shrink, unless the book was begun anew in between.
    history, tags, collections, details   of both sides.
    corrected titles, authors, …          those made here stay; others are taken.

What belongs to a file that is not here waits for it (`claim`). A place in a text is taken as it is given where the text
is the same, and found anew by its words where it is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import apsw

from glossator.errors import UsageError
from glossator.library.exchange.matching import Shelf, by_identifiers, by_title, shelf_of
from glossator.library.exchange.placing import place_in_context
from glossator.library.exchange.results import Counts, Problem
from glossator.store import documents as stored
from glossator.store import merging
from glossator.store.annotations import Anchoring, keys_by_id, remove_annotations, removed_notes, set_anchor
from glossator.store.collections import add_members, create_collection, describe_collection
from glossator.store.documents import StoredDocument
from glossator.store.editions import edition_of
from glossator.store.links import Link as StoredLink
from glossator.store.links import set_link
from glossator.store.portable import (
    Facts,
    File,
    Note,
    Portable,
    Reached,
    Standing,
    collect,
    events_of,
    present_files,
    reached_of,
)
from glossator.store.tags import ensure_tag, tag_documents


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What a merge changed."""

    notes: Counts
    documents: tuple[int, int, int]
    links: int
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class _State:
    """One merge: what is here, and what has been changed so far."""

    c: apsw.Connection
    files: dict[str, File]
    here: dict[str, int]  # documents by the hash of their file
    shelf: Shelf
    documents: dict[int, StoredDocument] = field(default_factory=dict)  # those that notes were made in
    editions: dict[str, int] = field(default_factory=dict)
    unplaced: dict[int, list[tuple[int, Note, bool]]] = field(default_factory=dict)  # by document; see `_place`
    written: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def edition(self, sha256: str) -> int:
        """Return the edition of a file."""
        if sha256 not in self.editions:
            self.editions[sha256] = merging.edition_for(self.c, self.files[sha256])
        return self.editions[sha256]

    def document(self, key: int) -> StoredDocument:
        """Return a document; importing notes does not change it."""
        if key not in self.documents:
            self.documents[key] = stored.get_document(self.c, key)
        return self.documents[key]

    def look_for(self, document: int, note: int, value: Note, *, own: bool) -> None:
        """Remember that a note (its key) is to be found in a document; one that is not its own need not hold it."""
        self.unplaced.setdefault(document, []).append((note, value, own))


def merge(c: apsw.Connection, given: Portable) -> Merged:
    """Write what is new or later into the library, inside the caller's transaction; return what that changed."""
    files = {f.file.sha256: f.file for f in given.documents}
    state = _State(c, files, present_files(c), shelf_of(c))
    for name, description in given.collections:
        made = create_collection(c, name, description)
        if not made.description:
            describe_collection(c, made.key, description)
    documents = [_document(state, facts) for facts in given.documents]
    removed = _remove(state, given)
    notes = _notes(state, given)
    _place(state)
    links = _links(state, given)
    if state.written:
        from glossator.index.annotations import index_annotations

        index_annotations(c, state.written)
    return Merged(
        notes=replace(notes, removed=removed),
        documents=(documents.count("updated"), documents.count("unchanged"), documents.count("unmatched")),
        links=links,
        problems=tuple(state.problems),
    )


# --- notes ----------------------------------------------------------------------------------------------------------


def _notes(state: _State, given: Portable) -> Counts:
    wanted = {n.id for n in given.notes}
    here = {n.id: n for n in collect(state.c).notes if n.id in wanted}
    keys = keys_by_id(state.c, list(wanted))
    removed = removed_notes(state.c)
    added = updated = unchanged = 0
    for note in given.notes:
        known = here.get(note.id)
        if known is None and removed.get(note.id, "") < note.updated:
            _write(state, note, None)
            added += 1
        elif known is not None and _is_later(note, known):
            _write(state, note, keys[note.id])
            updated += 1
        else:
            unchanged += 1
    return Counts(added=added, updated=updated, unchanged=unchanged)


def _is_later(note: Note, known: Note) -> bool:
    """Tell whether a note takes the place of the one known; of two changes at one time the same wins everywhere."""
    one, other = _by_hand(note), _by_hand(known)
    return one != other and (note.updated, one) > (known.updated, other)


def _by_hand(note: Note) -> str:
    """Return what a person decides of a note; its surroundings and places follow from the text."""
    return repr((note.quote, note.body, note.color, note.tags, note.origin, note.created, sorted(note.details.items())))


def _write(state: _State, note: Note, key: int | None) -> None:
    c = state.c
    home = state.edition(note.home)
    key = merging.write_note(c, note, home, key)
    anchors: dict[int, Anchoring] = {}
    for standing in note.standings:
        edition = state.edition(standing.sha256)
        document = state.here.get(standing.sha256)
        if document is None or _holds(state, document, note, standing):
            anchors[edition] = _told(standing)
        else:
            state.look_for(document, key, note, own=True)
    if not note.standings and note.home in state.here:
        state.look_for(state.here[note.home], key, note, own=True)
    for other in _same_work(state, note):
        state.look_for(other.key, key, note, own=False)
    merging.write_anchors(c, key, anchors)
    state.written.append(key)


def _told(s: Standing) -> Anchoring:
    return Anchoring(state=s.state, score=s.score, start=s.start, end=s.end, text_version=s.text_version)


def _holds(state: _State, key: int, note: Note, standing: Standing) -> bool:
    """Tell whether a document's text is the one that a place is told in, and has the words there."""
    document = state.document(key)
    if document.text_version != standing.text_version:
        return False
    if standing.start is None or standing.end is None:
        return True
    words = stored.text_slice(state.c, key, standing.start, min(standing.end, document.characters))
    return standing.end <= document.characters and (standing.state == "moved" or words == note.quote)


def _place(state: _State) -> None:
    """Find the notes whose places are told in another text, document by document."""
    from glossator.document.passage import Passage, find_passages

    for document, asked in state.unplaced.items():
        text, version = stored.full_text(state.c, document), state.document(document).text_version
        edition = edition_of(state.c, document)
        passages = [Passage(quote=n.quote, before=n.before, after=n.after, at=_made_at(n)) for _, n, _ in asked]
        for (key, _, own), found in zip(asked, find_passages(passages, text), strict=True):
            if own or found.state != "lost":
                place = Anchoring(
                    state=found.state, score=found.score, start=found.start, end=found.end, text_version=version
                )
                set_anchor(state.c, key, edition, place)


def _made_at(note: Note) -> int | None:
    at = note.locator.get("start")
    return at if isinstance(at, int) else None


def _same_work(state: _State, note: Note) -> Sequence[StoredDocument]:
    """Return other files here of the work that a note was made in, where that file itself is not here."""
    if note.home in state.here:
        return ()
    file = state.files[note.home]
    told = {s.sha256 for s in note.standings}
    found = by_identifiers(state.shelf, file.identifiers)
    if not found and file.authors:
        wanted = set(file.authors)
        found = [d for d in by_title(state.shelf, [file.title]) if wanted & set(d.authors)]
    return [d for d in found if d.sha256 not in told]


def _remove(state: _State, given: Portable) -> int:
    if not given.removed:
        return 0
    here = {n.id: n for n in collect(state.c).notes}
    keys = keys_by_id(state.c, [r.id for r in given.removed])
    removed = 0
    for removal in given.removed:
        known = here.get(removal.id)
        if known is None:
            merging.remember_removal(state.c, removal.id, removal.at)
        elif known.updated <= removal.at:
            removed += remove_annotations(state.c, [keys[removal.id]], at=removal.at)
    return removed


def _links(state: _State, given: Portable) -> int:
    keys = keys_by_id(state.c, [end for x in given.links for end in (x.source, x.target)])
    before = state.c.total_changes()
    for link in given.links:
        source, target = keys.get(link.source), keys.get(link.target)
        if source is None or target is None or source == target:
            missing = link.source if source is None else link.target
            state.problems.append(Problem(None, f"a link to the note {missing} was left out: it is not here"))
            continue
        set_link(state.c, StoredLink(source, target, link.relation, link.created))  # type: ignore[arg-type]
    return state.c.total_changes() - before


# --- documents ------------------------------------------------------------------------------------------------------


def claim(c: apsw.Connection, key: int, sha256: str) -> None:
    """Give a document that was just added what an earlier import said of its file."""
    facts = merging.awaited_facts(c, sha256)
    if facts is not None:
        _apply(c, key, facts)
        merging.stop_awaiting(c, sha256)


def _document(state: _State, facts: Facts) -> str:
    key = state.here.get(facts.file.sha256)
    if key is not None:
        problem, changed = _apply(state.c, key, facts)
        if problem:
            state.problems.append(Problem(None, problem))
        return "updated" if changed else "unchanged"
    name = f"“{facts.file.title}” ({facts.file.sha256[:12]})"
    state.problems.append(Problem(None, f"{name} is not in this library: what is known of it waits until it is added"))
    if not facts.empty:
        known = merging.awaited_facts(state.c, facts.file.sha256)
        merging.await_document(state.c, facts if known is None else _united(known, facts))
    return "unmatched"


def _apply(c: apsw.Connection, key: int, facts: Facts) -> tuple[str | None, bool]:
    """Give a document the facts that it does not have; return what could not be done, and whether anything changed."""
    before = c.total_changes()
    held = merging.edited_of(c, key)
    given = {name: x for name, x in facts.edited.items() if name not in held and x not in (None, "")}
    document = stored.get_document(c, key)
    problem = None
    if given:
        try:
            stored.set_metadata(c, key, **given)
        except UsageError as error:
            problem = f"“{document.title}”: {error.message}"
    details = merging.details_of(c, key)
    if facts.details.keys() - details.keys():
        merging.set_details(c, key, {**facts.details, **details})
    if facts.spoilers and document.spoilers is None:
        stored.set_spoilers(c, key, "hide" if facts.spoilers == "hide" else "show")
    for tag in facts.tags:
        tag_documents(c, ensure_tag(c, tag), [key])
    for name in facts.collections:
        add_members(c, create_collection(c, name).key, [key])
    unplaced = _reach(c, document, facts)
    merging.write_events(c, key, facts.events)
    return problem or unplaced, c.total_changes() > before


def _reach(c: apsw.Connection, document: StoredDocument, facts: Facts) -> str | None:
    """Merge how far a document was read; return what cannot be placed in its text."""
    if facts.reached is None:
        return None
    given = _in_this_text(c, document, facts.reached)
    if given is None:
        return f"“{document.title}”: its text differs, and how far it was read could not be found in it"
    known, reached = reached_of(c, document.key), given
    if known is not None:
        restarts = [e.at for e in (*events_of(c, document.key), *facts.events) if e.event == "restarted"]
        reached = later(known, given, restarts)
        if replace(reached, words="") == replace(known, words=""):
            return None
    merging.write_reached(c, document.key, reached)
    return None


def _in_this_text(c: apsw.Connection, document: StoredDocument, given: Reached) -> Reached | None:
    """Return a reading position in the text that is here; the words before it find it where the text is another."""
    if given.text_version == document.text_version:
        most = document.characters
        return replace(given, position=min(given.position, most), read_to=min(given.read_to, most))
    if given.read_to == 0:
        read_to = 0
    else:
        spot = place_in_context(stored.full_text(c, document.key), given.words, "", "")
        if spot is None:
            return None
        read_to = spot.end
    position = read_to if given.position >= given.read_to else read_to * given.position // max(1, given.read_to)
    return replace(given, position=position, read_to=read_to, text_version=document.text_version)


def later(one: Reached, other: Reached, restarts: Sequence[str] = ()) -> Reached:
    """Return the later of two reading positions in one text, with the farther `read_to`.

    `restarts` are the times at which the book was begun anew: what was reached before one of them counts no longer.
    """
    old, new = sorted((one, other), key=lambda r: (r.updated, r.read_to, r.position, r.finished))
    if any(old.updated < at <= new.updated for at in restarts) or new.read_to >= old.read_to:
        return new
    return replace(new, read_to=old.read_to, words=old.words)


def _united(known: Facts, given: Facts) -> Facts:
    """Return the facts of both sides of a file that is not here."""
    events = {(e.at, e.event, e.position, e.read_to): e for e in (*given.events, *known.events)}
    restarts = [e.at for e in events.values() if e.event == "restarted"]
    reached = known.reached or given.reached
    if known.reached and given.reached:
        same = known.reached.text_version == given.reached.text_version
        pair = (known.reached, given.reached)
        reached = later(*pair, restarts) if same else max(pair, key=lambda r: r.updated)
    return replace(
        known,
        edited={**given.edited, **known.edited},
        details={**given.details, **known.details},
        spoilers=known.spoilers or given.spoilers,
        tags=tuple(sorted({*known.tags, *given.tags})),
        collections=tuple(sorted({*known.collections, *given.collections})),
        reached=reached,
        events=tuple(sorted(events.values(), key=lambda e: (e.at, e.event, e.position))),
    )
