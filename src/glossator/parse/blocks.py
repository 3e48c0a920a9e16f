"""Publications to documents: one path for reflowable ones, here, and one for paged ones, in `paged`.

Foot- and endnotes stand at the end of the section that calls them, whatever part of the publication they come from: a
reader who has read that far has read them, and one who has not must not meet them. Their anchors lead to where the
publication itself keeps them. A note that nothing calls goes to the end of the section it stands in.
"""

import posixpath
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import unquote

from glossator.document.model import Block, Document, DomAnchor, Metadata, ParseReport, lay_out
from glossator.parse.confidence import assess
from glossator.parse.flow import plain
from glossator.parse.language import guess_language, settle_language
from glossator.parse.publication import NavPoint, Paged, Part, Publication, Reflowable
from glossator.parse.sections import Point, sections_of
from glossator.parse.walk import Entry, Reading, read_parts

_LONGEST_TITLE = 200


def document_of(publication: Publication) -> Document:
    """Return the document: canonical text, blocks, and sections from the publication's contents, else its headings.

    The report is the reader's, with what the text itself shows of how far it can be trusted.
    """
    if isinstance(publication, Paged):
        from glossator.parse.paged import document_of_pages

        document = document_of_pages(publication)
    else:
        document = _document_of_parts(publication)
    return replace(document, metadata=_with_language(document), report=_judged(document))


def _document_of_parts(publication: Reflowable) -> Document:
    reading = read_parts(publication.parts)
    contents = _from_navigation(publication.navigation, reading) or _from_headings(reading.entries)
    order = _with_notes_placed(reading, [at for _, _, at in contents], publication.parts)
    text, blocks = lay_out([_block(reading.entries[i]) for i in order])
    begins = _begins(order, blocks, reading.entries, len(text))
    return Document(
        metadata=publication.metadata,
        format=publication.format,
        text=text,
        blocks=blocks,
        sections=sections_of([Point(title, level, begins[at]) for title, level, at in contents], len(text)),
        report=publication.report,
    )


def _block(entry: Entry) -> Block:
    return Block(
        kind=entry.kind,
        text=entry.text,
        start=None,
        end=None,
        level=entry.level,
        rows=entry.rows,
        anchor=DomAnchor(entry.spine, entry.base, entry.runs),
    )


def _with_language(document: Document) -> Metadata:
    return replace(document.metadata, language=settle_language(document.metadata.language, document.text))


def _judged(document: Document) -> ParseReport:
    report, declared = document.report, document.metadata.language
    confidence, reasons = assess(document.text)
    warnings = report.warnings
    guessed = guess_language(document.text) if declared else None
    if declared and guessed and declared.partition("-")[0].lower() != guessed:
        warnings += (f"it says that its language is {declared!r}, but the text looks like {guessed!r}",)
    return replace(
        report,
        confidence=min(report.confidence, confidence),
        reasons=report.reasons + tuple(r for r in reasons if r not in report.reasons),
        warnings=warnings,
    )


# --- contents -------------------------------------------------------------------------------------------------------

_Item = tuple[str, int, int]  # title, level, index of the entry it begins with


def _from_navigation(navigation: Sequence[NavPoint], reading: Reading) -> list[_Item]:
    found = []
    for point in navigation:
        if not 0 <= point.spine < len(reading.starts):
            continue
        at = reading.starts[point.spine]
        if point.fragment is not None:
            at = reading.ids.get((point.spine, point.fragment), at)
        title = plain(point.title) or _title_at(reading.entries, at)
        if title:
            found.append((title, point.level, at))
    return found


def _from_headings(entries: Sequence[Entry]) -> list[_Item]:
    return [(plain(e.text)[:_LONGEST_TITLE], e.level or 1, i) for i, e in enumerate(entries) if e.kind == "heading"]


def _title_at(entries: Sequence[Entry], at: int) -> str:
    return plain(entries[at].text)[:_LONGEST_TITLE] if at < len(entries) and entries[at].kind == "heading" else ""


def _begins(order: Sequence[int], blocks: Sequence[Block], entries: Sequence[Entry], length: int) -> list[int]:
    """Return for each entry, and for the end, where the text from it on begins; notes do not count, for they moved."""
    begins = [length] * (len(entries) + 1)
    starts = {i: block.start for i, block in zip(order, blocks, strict=True)}
    for i in range(len(entries) - 1, -1, -1):
        begins[i] = begins[i + 1] if entries[i].note is not None else starts[i] or 0
    return begins


# --- notes ----------------------------------------------------------------------------------------------------------


def _with_notes_placed(reading: Reading, bounds: Sequence[int], parts: Sequence[Part]) -> list[int]:
    """Return the order of the entries with every note at the end of the section it is called from."""
    entries = reading.entries
    if all(entry.note is None for entry in entries):
        return list(range(len(entries)))
    callers = _callers(reading, parts)
    edges = sorted({*bounds, len(entries)})
    moved: dict[int, list[tuple[int, int]]] = {}  # edge -> (caller, note entry) before it
    kept: list[int] = []
    for i, entry in enumerate(entries):
        if entry.note is None:
            kept.append(i)
            continue
        caller = callers.get(entry.note, i)
        edge = edges[min(bisect_right(edges, caller), len(edges) - 1)]
        moved.setdefault(edge, []).append((caller, i))
    order: list[int] = []
    at = 0
    for edge in edges:
        while at < len(kept) and kept[at] < edge:
            order.append(kept[at])
            at += 1
        order += [i for _, i in sorted(moved.get(edge, []))]
    return order


def _callers(reading: Reading, parts: Sequence[Part]) -> dict[int, int]:
    """Return for each note the first entry outside any note that links to it."""
    spines = {part.href: spine for spine, part in reversed(list(enumerate(parts)))}
    callers: dict[int, int] = {}
    for spine, href, at in reading.calls:
        if reading.entries[at].note is not None:
            continue
        path, _, fragment = href.partition("#")
        target = spine if not path else spines.get(_resolved(parts[spine].href, path), -1)
        note = reading.notes.get((target, unquote(fragment)))
        if note is not None:
            callers.setdefault(note, at)
    return callers


def _resolved(base: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(path)))
