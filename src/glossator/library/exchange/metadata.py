"""Giving documents what a catalogue or reference manager says of them.

A document is found by the file a reference names, by DOI or ISBN, or by its title with author or year. What a person
corrected stays; what an earlier import wrote is brought up to date. `details["imported"]` remembers what that was.
"""

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import apsw

from glossator.errors import UsageError
from glossator.library.exchange import matching
from glossator.library.exchange.bibtex import year_of
from glossator.library.exchange.results import Imported, Problem
from glossator.store import documents as stored
from glossator.store import merging
from glossator.store.documents import StoredDocument
from glossator.store.tags import ensure_tag, tag_documents

if TYPE_CHECKING:
    from glossator.library.exchange.matching import Shelf
    from glossator.library.exchange.references import Reference
    from glossator.store.database import Database

_FIELDS = ("title", "authors", "language", "published")


def take_in(database: "Database", references: Sequence["Reference"], kind: str) -> Imported:
    """Give the documents of a library what references say of them, in one transaction; return what that changed."""
    problems: list[Problem] = []
    updated: set[int] = set()
    same: set[int] = set()
    unmatched = 0
    with database.write() as c:
        shelf = matching.shelf_of(c)
        for reference in references:
            found = documents_of(shelf, reference)
            if len(found) == 1 or (reference.folder and found):
                for document in found:
                    problem, changed = apply(c, document.key, reference)
                    (updated if changed else same).add(document.key)
                    problems += [Problem(reference.line, f"{reference.name}: {problem}")] if problem else []
                continue
            unmatched += 1
            problems.append(Problem(reference.line, f"{reference.name} {_said(found)}"))
    return Imported(format=kind, documents=(len(updated), len(same - updated), unmatched), problems=tuple(problems))


def documents_of(shelf: "Shelf", reference: "Reference") -> list[StoredDocument]:
    """Return the documents that a reference is of: one, or several it may be of, or none."""
    if reference.folder:
        inside = [d for d in shelf.documents if any(str(PurePath(s).parent) == reference.folder for s in d.sources)]
        if inside and len({matching.stem_of(s) for d in inside for s in d.sources}) == 1:
            return inside
    found = matching.by_path(shelf, reference.files) or matching.by_identifiers(shelf, reference.identifiers)
    if found:
        return found
    if not reference.title:
        return []
    titled = matching.by_title(shelf, [reference.title], "; ".join(reference.authors))
    return [d for d in titled if _agree(d, reference)]


def apply(c: apsw.Connection, key: int, reference: "Reference") -> tuple[str | None, bool]:
    """Write what a reference says of a document; return what could not be written, and whether anything changed."""
    before = c.total_changes()
    document = stored.get_document(c, key)
    details = merging.details_of(c, key)
    imported: dict[str, Any] = dict(details.get("imported") or {})  # type: ignore[call-overload]
    held = merging.edited_of(c, key)
    now: dict[str, Any] = {name: getattr(document, name) for name in _FIELDS}
    now |= {"authors": list(document.authors), "identifiers": dict(document.identifiers)}
    given: dict[str, Any] = {name: getattr(reference, name) for name in _FIELDS}
    given |= {"authors": list(reference.authors), "identifiers": {**dict(reference.identifiers), **now["identifiers"]}}
    changes = {
        name: value
        for name, value in given.items()
        if value and value != now[name] and (name not in held or imported.get(name) == now[name])
    }
    problem = None
    try:
        if changes:
            stored.set_metadata(c, key, **changes)
            imported |= changes
    except UsageError as error:
        problem = error.message
    fresh = {**details, **reference.details, **({"imported": imported} if imported else {})}
    if fresh != details:
        merging.set_details(c, key, fresh)
    for tag in reference.tags:
        tag_documents(c, ensure_tag(c, tag), [key])
    return problem, c.total_changes() > before


def _agree(document: StoredDocument, reference: "Reference") -> bool:
    """Tell whether author or year say that a document found by its title is the work; true where nothing is told.

    Where only one of the two has a subtitle, it may be another volume: then neither may speak against it.
    """
    mine, theirs = matching.name_parts(document.authors), matching.name_parts(reference.authors)
    years = {y for d in (document.published, reference.published) if (y := year_of(d))}
    names = [matching.title_key(t) for t in (document.title, reference.title or "")]
    brief = matching.title_key(matching.without_subtitle(reference.title or ""))
    if names[0] == names[1] or names[1] in {matching.title_key(matching.stem_of(s)) for s in document.sources}:
        return bool(mine & theirs) if mine and theirs else len(years) < 2
    return brief in names and (mine <= theirs or theirs <= mine) and len(years) < 2


def _said(found: Sequence[StoredDocument]) -> str:
    if not found:
        return "is not in this library"
    return f"fits {len(found)} documents: {', '.join(d.id for d in found)}"
