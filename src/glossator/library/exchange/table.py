"""Notes and links as CSV (RFC 4180, UTF-8), one row each under a header.

A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a return for a formula. Such cells are written
with an apostrophe before them, which spreadsheets hide; that is why CSV is for reading and not imported again.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from glossator.library.exchange.selection import Selection
from glossator.library.note_views import LinkRow

NOTES = (
    *("id", "document", "title", "authors", "sha256", "section", "page", "page_label", "start", "end"),
    *("quote", "body", "color", "tags", "state", "origin", "links", "created", "updated"),
)
LINKS = (
    *("source", "source_document", "source_title", "source_quote"),
    *("target", "target_document", "target_title", "target_quote", "relation", "created"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def notes_to_text(selection: Selection) -> str:
    """Return the table of notes, by document and place."""
    rows = []
    for work, notes in selection.by_work():
        for shown in notes:
            note = shown.note
            lost = note.state == "lost"
            row = [note.id, work.id, work.title, "; ".join(work.authors), work.sha256, " › ".join(shown.path)]
            row += [_number(shown.page), shown.page_label or ""]
            row += ["" if lost else _number(shown.start), "" if lost else _number(shown.end)]
            row += [shown.quote, note.body, note.color, "; ".join(note.tags), note.state, note.origin]
            row += ["; ".join(f"{x.relation} {x.id}" for x in note.links if x.direction == "out")]
            rows.append([*row, note.created, note.updated])
    return _text(NOTES, rows)


def links_to_text(links: Iterable[LinkRow]) -> str:
    """Return the table of links with the words at both ends."""
    rows = []
    for link in links:
        ends = [x for e in (link.source, link.target) for x in (e.id, e.document.id, e.document.title, e.quote)]
        rows.append([*ends, link.relation, link.created])
    return _text(LINKS, rows)


def _text(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) else cell


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
