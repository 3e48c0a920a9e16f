"""Notes that stand in the document's own file: kept as notes of the library when the file is read.

Each has an id made of the document and its name in the file, so that reading the file again changes the note instead
of doubling it. What a person changed here, or removed here, stays as they left it; what the file has lost goes, unless
it was changed, tagged or linked here.
"""

import hashlib
from typing import Any

import apsw

from glossator.document.locator import Locator, build_locator
from glossator.document.model import Document, Mark, body, innermost
from glossator.index.annotations import index_annotations
from glossator.library.reader import AROUND as BESIDE
from glossator.library.reader import pages_over
from glossator.store import annotations as stored
from glossator.store.annotations import AROUND, BROUGHT, DIGITS, MARK, Anchoring, Annotation
from glossator.store.catalogue import ID_DIGITS, get_document
from glossator.store.database import now
from glossator.store.editions import edition_of, known_edition
from glossator.store.links import links_of


def keep_marks(c: apsw.Connection, key: int, document: Document) -> None:
    """Bring the notes of a document (its key), which was just written, in line with the marks in its file."""
    if not document.marks and known_edition(c, key) is None:
        return
    edition = edition_of(c, key)
    identifier = get_document(c, key).id
    wanted = {_id(identifier, mark): mark for mark in document.marks}
    there = stored.keys_by_id(c, wanted)
    removed = stored.removed_notes(c)
    changed = [
        _inserted(c, edition, note, document, mark, identifier)
        for note, mark in wanted.items()
        if note not in there and note not in removed
    ]
    for note, known in there.items():
        if not _is_touched(c, known):
            _renew(c, known, edition, document, wanted[note], identifier)
            changed.append(known)
    _drop_lost(c, edition, set(there.values()) | set(changed))
    index_annotations(c, changed)


def _inserted(c: apsw.Connection, edition: int, note: str, document: Document, mark: Mark, identifier: str) -> int:
    time = now()
    created = mark.created or mark.updated or time
    key = stored.insert_annotation(
        c,
        Annotation(
            id=note,
            home=edition,
            origin=BROUGHT,
            created=created,
            updated=mark.updated or created,
            **_values(document, mark, identifier),
        ),
    )
    stored.set_anchor(c, key, edition, _anchoring(document, mark))
    return key


def _renew(c: apsw.Connection, key: int, edition: int, document: Document, mark: Mark, identifier: str) -> None:
    """Write what the file says now of a note that nobody touched here."""
    before = stored.get_annotation(c, key)
    given = _values(document, mark, identifier)
    same = all(getattr(before, name) == given[name] for name in ("quote", "body", "color"))
    stored.update_annotation(c, key, home=edition, updated=before.updated if same else mark.updated or now(), **given)
    stored.set_anchor(c, key, edition, _anchoring(document, mark))


def _drop_lost(c: apsw.Connection, edition: int, kept: set[int]) -> None:
    """Remove notes that the file brought once and has no more."""
    gone = [
        key
        for key in stored.keys_homed_in(c, edition)
        if key not in kept and stored.get_annotation(c, key).origin == BROUGHT and not _is_touched(c, key)
    ]
    stored.remove_annotations(c, gone, at=None)


def _is_touched(c: apsw.Connection, key: int) -> bool:
    """Whether a person changed, tagged or linked a note here, or put it elsewhere."""
    note = stored.get_annotation(c, key)
    read = note.details.get("read")
    return (
        note.origin != BROUGHT
        or bool(note.tags)
        or read != {"body": note.body, "color": note.color, "quote": note.quote}
        or bool(links_of(c, [key]))
    )


def _values(document: Document, mark: Mark, identifier: str) -> dict[str, Any]:
    text = document.text
    quote = text[mark.start : mark.end]
    return {
        "quote": quote,
        "before": text[max(0, mark.start - AROUND) : mark.start],
        "after": text[mark.end : mark.end + AROUND],
        "locator": _locator(document, mark, identifier).to_json(),
        "body": mark.body,
        "color": mark.color,
        "details": {
            "kind": mark.kind,
            "author": mark.author,
            "name": mark.name,
            "page": mark.page,
            "read": {"body": mark.body, "color": mark.color, "quote": quote},
        },
    }


def _locator(document: Document, mark: Mark, identifier: str) -> Locator:
    start, end = mark.start, mark.end
    first = max(0, start - BESIDE)
    return build_locator(
        document=identifier,
        text_version=document.text_version,
        start=start,
        end=end,
        window=document.text[first : end + BESIDE],
        window_start=first,
        blocks=[b for s, e, b in body(document.blocks) if s < end and e > start],
        section=innermost(document.sections, start),
        pages=pages_over(document.pages, start, end),
    )


def _anchoring(document: Document, mark: Mark) -> Anchoring:
    return Anchoring(state="exact", score=1.0, start=mark.start, end=mark.end, text_version=document.text_version)


def _id(document: str, mark: Mark) -> str:
    number = int.from_bytes(hashlib.sha256(f"{document}\n{mark.name}".encode()).digest())
    return MARK + "".join(ID_DIGITS[number >> shift & 31] for shift in range(0, 5 * DIGITS, 5))
