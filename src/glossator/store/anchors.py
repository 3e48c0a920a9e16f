"""Where notes stand when texts come, change and go: the rows of `anchor`, made again in the transaction of the change.

- A file changed, or was read by a better parser: its notes are carried from the old text to the new one. One that was
  lost is looked for again, by its words and surroundings.
- A document came: notes of the same bytes stand where they stood; notes of another edition of the same work (told by
  its text) get a place in it, too. Their home moves here if the file they were made in is gone.
- A document goes: its notes stay with its edition, or move home to another edition of the work that is there.

A note that cannot be placed for sure is lost; its words, as they were marked, stay.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import apsw

from glossator.document.model import Document, text_version
from glossator.store.annotations import AROUND, Anchoring, set_anchor, update_annotation
from glossator.store.content import full_text
from glossator.store.editions import drop_edition, edition_of, refresh_edition
from glossator.store.sketches import overlaps, write_sketch
from glossator.store.sql import rows, value

if TYPE_CHECKING:
    from glossator.document.locator import Resolution
    from glossator.document.passage import Passage

SAME_WORK = 0.25  # share of the smaller text's pieces that both have
_SAID_SAME = 0.1  # the share that is enough where title and author, or an identifier, are the same
_PIECES = 4  # pieces that must be the same
_WHOLE = 0.5  # share of an edition from which all of it should be here, so that what is not found is lost


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """A note and where it stands in an edition, as far as that is known."""

    note: int
    quote: str
    before: str
    after: str
    start: int | None
    end: int | None
    version: str | None
    made_at: int | None


@dataclass(frozen=True, slots=True)
class _Source:
    """An edition of the same work: its key, its document if that is there, whether all of it should be found."""

    edition: int
    document: int | None
    whole: bool


def reanchor_notes(c: apsw.Connection, key: int, old: str, document: Document) -> None:
    """Carry the notes in a document from its old text to the new one."""
    edition = value(c, "select key from edition where document = ?", (key,))
    if edition is None:
        return
    refresh_edition(c, key)
    stale = [s for s in _standings(c, edition) if s.version != document.text_version]
    if stale:
        _write(c, edition, stale, _carried(stale, old, document.text), document.text_version)
    write_sketch(c, edition, document.text)


def anchor_arrival(c: apsw.Connection, key: int, document: Document) -> None:
    """Give notes of the same file, and of other editions of the same work, their places in a document that came."""
    if value(c, "select 1 from edition limit 1") is None:
        return
    edition = _returned(c, key, document)
    sources = _same_work(c, key, document)
    if not sources:
        return
    edition = edition_of(c, key) if edition is None else edition
    known = {s.note for s in _standings(c, edition) if s.start is not None}
    for source in sources:
        asked = [s for s in _standings(c, source.edition) if s.note not in known]
        old = "" if source.document is None else full_text(c, source.document)
        places = _carried(asked, old, document.text)
        pairs = [(s, p) for s, p in zip(asked, places, strict=True) if p.state != "lost" or source.whole]
        _write(c, edition, [s for s, _ in pairs], [p for _, p in pairs], document.text_version)
        known |= {s.note for s, p in pairs if p.state != "lost"}
    c.execute(
        "update annotation set home = ?1 where key in (select annotation from anchor where edition = ?1 and"
        " state <> 'lost') and (select document from edition where key = home) is null",
        (edition,),
    )
    _forget_if_empty(c, edition)


def release_notes(c: apsw.Connection, key: int) -> None:
    """Prepare the notes in a document for its removal: they keep what was around them last, and move home if they can.

    Called before the document goes, while its text is there.
    """
    edition = value(c, "select key from edition where document = ?", (key,))
    if edition is None:
        return
    text = full_text(c, key)
    version = text_version(text)
    for s in _standings(c, edition):
        if s.start is not None and s.end is not None and s.version == version:
            _keep_surroundings(c, s, text, version)
    c.execute(
        "update annotation set home = n.edition from (select x.annotation, x.edition, row_number() over (partition by"
        " x.annotation order by x.state, x.score desc, x.edition) as place from anchor x join edition e"
        " on e.key = x.edition where e.document is not null and e.key <> ?1 and x.state <> 'lost') n"
        " where annotation.home = ?1 and n.annotation = annotation.key and n.place = 1",
        (edition,),
    )
    _forget_if_empty(c, edition)


def anchor_new_note(c: apsw.Connection, note: int, edition: int) -> None:
    """Give a note that was just made in an edition its places in the other editions of the work that are there.

    Those are known by the notes that they share already.
    """
    others = rows(
        c,
        "select e.key, e.document from edition e where e.document is not null and e.key <> ?1 and e.key in ("
        "select n.edition from annotation a join anchor n on n.annotation = a.key"
        " where a.home = ?1 and n.state <> 'lost' union select a.home from anchor n"
        " join annotation a on a.key = n.annotation where n.edition = ?1 and n.state <> 'lost')",
        (edition,),
    )
    if not others:
        return
    from glossator.document.passage import find_passages

    made = next(s for s in _standings(c, edition) if s.note == note)
    for other, document in others:
        text = full_text(c, document)
        places = find_passages([_passage(made)], text, taken=None)
        if places[0].state != "lost":
            _write(c, other, [made], places, text_version(text))


def count_lost(c: apsw.Connection, key: int) -> int:
    """Return how many notes that were made in a document are lost in it."""
    sql = (
        "select count(*) from edition e join annotation a on a.home = e.key"
        " join anchor n on n.annotation = a.key and n.edition = e.key where e.document = ? and n.state = 'lost'"
    )
    return int(value(c, sql, (key,)))


# --- places ---------------------------------------------------------------------------------------------------------


def _carried(standings: Sequence[_Standing], old: str, new: str) -> "list[Resolution]":
    """Where notes stand in a new text: by comparing it with the old one, else by their words and surroundings."""
    from glossator.document.anchor import Span, common_content, reanchor
    from glossator.document.passage import find_passages

    version = text_version(old)
    known = [s for s in standings if s.version == version]
    others = [s for s in standings if s.version != version]
    spans = [Span(s.start, s.end, s.quote) for s in known if s.start is not None and s.end is not None]
    found: dict[int, Resolution] = {}
    if spans:
        found |= dict(zip((s.note for s in known), reanchor(spans, old, new), strict=True))
    if others:
        taken = common_content(old, new) if old else None
        places = find_passages([_passage(s) for s in others], new, taken=taken)
        found |= dict(zip((s.note for s in others), places, strict=True))
    return [found[s.note] for s in standings]


def _passage(s: _Standing) -> "Passage":
    from glossator.document.passage import Passage

    return Passage(quote=s.quote, before=s.before, after=s.after, at=s.made_at if s.start is None else s.start)


def _standings(c: apsw.Connection, edition: int) -> list[_Standing]:
    """The notes that stand in an edition or were made in it; a lost one has no version."""
    found = rows(
        c,
        'select a.key, a.quote, a.before, a.after, n.start, n."end", n.text_version, n.state,'
        " json_extract(a.locator, '$.start') from (select key from annotation where home = ?1 union"
        " select annotation from anchor where edition = ?1) k join annotation a on a.key = k.key"
        " left join anchor n on n.annotation = a.key and n.edition = ?1 order by n.start, a.key",
        (edition,),
    )
    return [
        _Standing(
            note=note,
            quote=quote,
            before=before,
            after=after,
            start=start,
            end=end,
            version=None if start is None else version,
            made_at=made_at if isinstance(made_at, int) else None,
        )
        for note, quote, before, after, start, end, version, _, made_at in found
    ]


def _write(
    c: apsw.Connection, edition: int, notes: Iterable[_Standing], places: "Iterable[Resolution]", version: str
) -> None:
    for s, place in zip(notes, places, strict=True):
        anchoring = Anchoring(
            state=place.state, score=place.score, start=place.start, end=place.end, text_version=version
        )
        set_anchor(c, s.note, edition, anchoring)


# --- editions -------------------------------------------------------------------------------------------------------


def _returned(c: apsw.Connection, key: int, document: Document) -> int | None:
    """The edition of a file that was here before, made that of the document; its notes stand again."""
    sha256 = value(c, "select sha256 from document where key = ?", (key,))
    sql = "select key from edition where document is null and sha256 = ? order by key desc limit 1"
    edition = value(c, sql, (sha256,))
    if edition is None:
        return None
    c.execute("update edition set document = ? where key = ?", (key, edition))
    refresh_edition(c, key)
    stale = [s for s in _standings(c, edition) if s.version != document.text_version]
    if stale:
        _write(c, edition, stale, _carried(stale, "", document.text), document.text_version)
    write_sketch(c, edition, document.text)
    return int(edition)


def _same_work(c: apsw.Connection, key: int, document: Document) -> list[_Source]:
    """The other editions of the work that a document is, those that are there first, then the most alike."""
    from glossator.document.sketch import sketch

    said = _said_same(c, key)
    alike = {
        o.edition: o.of_edition >= _WHOLE
        for o in overlaps(c, sketch(document.text))
        if (o.pieces >= _PIECES and o.of_smaller >= SAME_WORK)
        or (o.pieces < _PIECES and o.of_smaller >= _WHOLE)
        or (o.edition in said and o.of_smaller >= _SAID_SAME)
    }
    sources = []
    for edition in dict.fromkeys(chain(alike, said)):
        there, sketched = rows(c, "select document, sketch from edition where key = ?", (edition,))[0]
        if there != key and (edition in alike or sketched is None):
            sources.append(_Source(edition, there, alike.get(edition, False)))
    return sorted(sources, key=lambda s: s.document is None)


def _said_same(c: apsw.Connection, key: int) -> list[int]:
    """The editions with the title and authors of a document, or with one of its identifiers."""
    return [
        edition
        for (edition,) in rows(
            c,
            "select e.key from edition e join document d on d.key = ?1 where e.document is not ?1 and ("
            " (lower(e.title) = lower(d.title) and e.authors = d.authors and d.authors <> '[]') or exists (select 1"
            " from json_each(e.identifiers) x join json_each(d.identifiers) y on y.value = x.value and x.value <> ''))",
            (key,),
        )
    ]


def _keep_surroundings(c: apsw.Connection, s: _Standing, text: str, version: str) -> None:
    """Write what is around a note now, if the text has changed since it was made."""
    assert s.start is not None
    assert s.end is not None
    made_in = value(c, "select json_extract(locator, '$.text_version') from annotation where key = ?", (s.note,))
    before, after = text[max(0, s.start - AROUND) : s.start], text[s.end : s.end + AROUND]
    if made_in != version and (before, after) != (s.before, s.after):
        update_annotation(c, s.note, before=before, after=after)


def _forget_if_empty(c: apsw.Connection, edition: int) -> None:
    if value(c, "select 1 from anchor where edition = ? limit 1", (edition,)) is None:
        drop_edition(c, edition)
