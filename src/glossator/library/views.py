"""What is shown of a document: list entries, the contents and the quality of its parse, its blocks."""

from collections.abc import Sequence
from dataclasses import dataclass

from glossator.document.model import BREAK
from glossator.errors import UsageError
from glossator.library.bounds import spoilers_of
from glossator.library.reader import Opened, Reader
from glossator.library.results import BlockView, DocumentEntry, DocumentView, PageQuality
from glossator.library.scoping import Scoped
from glossator.store import documents as stored
from glossator.store.chunks import chunks_of
from glossator.store.collections import collections_of
from glossator.store.database import Database
from glossator.store.documents import StoredDocument
from glossator.store.progress import Progress, all_progress, get_progress
from glossator.store.tags import tags_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What `read` shows: a section by number, the block at a position with neighbours, a page, or all."""

    section: int | None = None
    at: int | None = None
    page: int | None = None
    page_label: str | None = None
    context: int = 1


def entries(database: Database, documents: Sequence[StoredDocument]) -> tuple[DocumentEntry, ...]:
    """Return the list entries of documents, in their order."""
    with database.read() as c:
        progress, collections, tags = all_progress(c), collections_of(c), tags_of(c)
    return tuple(_entry(d, progress.get(d.key), collections.get(d.key, ()), tags.get(d.key, ())) for d in documents)


def view(database: Database, shown: Scoped, *, pages: bool = False, preview: int | None = None) -> DocumentView:
    """Return what `show` says of the one document of a scope."""
    with database.read() as c:
        document, reader = shown.only, shown.reader
        opened = reader.open(document.key)
        return DocumentView(
            entry=entries(database, [document])[0],
            metadata=document.metadata,
            contents=reader.contents(document.key),
            parser=document.parser,
            text_version=document.text_version,
            reasons=document.reasons,
            warnings=document.warnings,
            pages=_qualities(opened, every=pages),
            indexed_characters=_indexed(database, document),
            characters=document.characters,
            quarantined_pages=tuple(p.number for p in opened.pages if p.status == "quarantined"),
            spoilers=spoilers_of(document, get_progress(c, document.key)),
            preview=None if preview is None else (preview, reader.page_text(document.key, preview)),
            notice=shown.notice,
        )


def blocks(reader: Reader, key: int, place: Place) -> list[BlockView]:
    """Return the blocks that `read` asks for; with no place, those of the whole document.

    Raises:
        UsageError: two places at once, a position out of range, a negative context.
        NotFound: no such section or page, or it is past the cap.
    """
    if sum(x is not None for x in (place.section, place.at, place.page, place.page_label)) > 1:
        raise UsageError("two places at once", hint="give one of --section, --at, --page, --page-label")
    if place.context < 0:
        raise UsageError(f"a context of {place.context} blocks", hint="give 0 or more")
    if place.section is not None:
        return reader.blocks(key, *reader.section(key, place.section))
    if place.at is not None:
        return reader.around(key, place.at, place.context)
    if place.page is not None or place.page_label is not None:
        return reader.page_blocks(key, reader.page(key, place.page, place.page_label))
    return reader.all_blocks(key)


def _entry(
    document: StoredDocument, progress: Progress | None, collections: tuple[str, ...], tags: tuple[str, ...]
) -> DocumentEntry:
    fraction = None
    if progress is not None:
        fraction = progress.position / document.characters if document.characters else 0.0
    return DocumentEntry(
        id=document.id,
        title=document.title,
        authors=document.authors,
        sources=document.sources,
        format=document.format,
        language=document.language,
        status=document.status,
        confidence=document.confidence,
        added=document.added,
        progress=fraction,
        read=None if progress is None else progress.updated,
        finished=progress is not None and progress.finished,
        collections=collections,
        tags=tags,
    )


def _qualities(opened: Opened, *, every: bool) -> tuple[PageQuality, ...]:
    """Return how well pages were read, `every` one or the bad ones; past the cap only the status and the figure."""
    return tuple(
        PageQuality(
            page=p.number, confidence=p.confidence, reasons=p.reasons if p.start < opened.end else (), status=p.status
        )
        for p in opened.pages
        if every or p.reasons or p.status == "quarantined"
    )


def _indexed(database: Database, document: StoredDocument) -> int:
    """Return how many characters can be found: all but those that stand in no chunk and are not white space."""
    if document.status == "quarantined":
        return 0
    with database.read() as c:
        missing = at = 0
        for chunk in chunks_of(c, document.key):
            if chunk.start > at + len(BREAK):
                missing += _visible(stored.text_slice(c, document.key, at, chunk.start))
            at = max(at, chunk.end)
        missing += _visible(stored.text_slice(c, document.key, at, document.characters))
    return document.characters - missing


def _visible(text: str) -> int:
    return sum(not ch.isspace() for ch in text)
