"""Derived data made again: texts by a newer parser, chunks and postings by other settings, vectors by another model.

What a person made (metadata edits, collections, progress) is kept; positions are re-anchored by the store. A document
whose file is gone or has changed keeps its text, and is only cut and indexed again.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import apsw

from glossator.chunker import PROFILES, chunk
from glossator.document.model import Document, ParseReport
from glossator.errors import GlossatorError, StoreError
from glossator.library.originals import FOLDER
from glossator.library.prepare import Plan, chunker_settings, counter, postings, prepare, searchable, write
from glossator.library.results import IngestEvent
from glossator.library.vectors import Hooks, finish_vectors
from glossator.sources.files import sha256
from glossator.store import documents as stored
from glossator.store.chunks import chunks_of, drop_chunks, insert_chunks
from glossator.store.database import Database
from glossator.store.documents import StoredDocument
from glossator.store.integrity import documents_with_wrong_text

if TYPE_CHECKING:
    from glossator.parse.worker import Pool

logger = logging.getLogger(__name__)
Need = Literal["parse", "chunks", "embedder"]


@dataclass(frozen=True, slots=True)
class Stale:
    """A document with derived data that this program would make otherwise now."""

    document: StoredDocument
    need: Need


def stale(database: Database, plan: Plan) -> Iterator[Stale]:
    """Yield what a rebuild would do, the most thorough need of each document."""
    from glossator.parse.publication import parser_name

    with database.read() as c:
        documents = stored.list_documents(c)
    for d in documents:
        spec = None if d.status == "quarantined" else plan.choose(d.language)
        if d.parser != parser_name(d.format) and original_of(database, d):
            yield Stale(d, "parse")
        elif d.status != "quarantined" and d.chunker != chunker_settings(d.profile, spec):
            yield Stale(d, "chunks")
        elif d.embedder != spec:
            yield Stale(d, "embedder")


def rebuild(database: Database, plan: Plan, hooks: Hooks, *, everything: bool = False) -> list[str]:
    """Make stale derived data again (of all documents, when `everything`), then all vectors; return what failed.

    With `everything`, a document whose stored text is damaged is read again from its file.

    Raises:
        Cancelled: stopped between two documents or batches; what was made stays.
        StoreError: the library cannot be written.
    """
    from glossator.index.integrity import rebuild_postings
    from glossator.parse.worker import Pool

    _mend_notes(database)
    with database.read() as c:
        documents = stored.list_documents(c)
        damaged = documents_with_wrong_text(c) if everything else []
    needs: dict[int, Need] = {s.document.key: s.need for s in stale(database, plan)} | dict.fromkeys(damaged, "parse")
    work = [(d, needs.get(d.key, "chunks")) for d in documents if everything or d.key in needs]
    if everything:
        rebuild_postings(database, terms_of)
    problems: list[str] = []
    with Pool() as pool:
        for n, (document, need) in enumerate(work):
            hooks.check()
            hooks.report(IngestEvent(document.title, "indexing", n, len(work)))
            try:
                _remake(database, document, need, plan, pool)
            except GlossatorError as error:
                logger.warning("%s: %s", document.title, error)
                problems.append(f"{document.title}: {error.message}")
    failed = finish_vectors(database, plan.load, hooks)
    return problems + [f"{spec}: {error.message} ({error.hint})" for spec, error in failed.items()]


def _mend_notes(database: Database) -> None:
    from glossator.index.annotations import index_all_annotations, wrong_words

    with database.read() as c:
        amiss = wrong_words(c)
    if amiss:
        with database.write() as c:
            index_all_annotations(c)


def original_of(database: Database, document: StoredDocument) -> Path | None:
    """Return the file that a document was read from, if it is still there with the same bytes."""
    kept = sorted((database.folder / FOLDER).glob(f"{document.sha256}*"))
    for path in [*kept, *(Path(s) for s in document.sources if "://" not in s)]:
        try:
            if path.is_file() and sha256(path) == document.sha256:
                return path
        except (GlossatorError, OSError, ValueError):
            continue  # not readable now: as good as gone
    return None


def stored_document(database: Database, document: StoredDocument) -> Document:
    """Return the document value of what is stored."""
    with database.read() as c:
        return Document(
            metadata=document.metadata,
            format=document.format,
            text=stored.full_text(c, document.key),
            blocks=tuple(stored.blocks_between(c, document.key, 0, document.characters)),
            sections=stored.sections(c, document.key),
            pages=stored.pages(c, document.key),
            report=ParseReport(
                parser=document.parser,
                confidence=document.confidence,
                reasons=document.reasons,
                warnings=document.warnings,
            ),
        )


def terms_of(c: apsw.Connection, key: int) -> list[list[str]]:
    """Return the terms of each chunk of a document, in order, as they were given to the index."""
    from glossator.index.lexical import tokens

    return [tokens(stored.text_slice(c, key, x.start, x.end)) for x in chunks_of(c, key)]


def _remake(database: Database, document: StoredDocument, need: Need, plan: Plan, pool: "Pool") -> None:
    path = original_of(database, document) if need == "parse" else None
    if need == "parse" and path is None:
        raise StoreError("it must be read again, and the file it was read from is gone", hint="add it again")
    if path is not None:
        came_from = next((s for s in document.sources if "://" in s), None)
        parsed = pool.parse(path, base_url=came_from)
        prepared = prepare(parsed, document.sha256, plan, document.profile)
        with database.write() as c:
            write(c, document.key, prepared, [])
        return
    spec = None if document.status == "quarantined" else plan.choose(document.language)
    if need == "embedder":
        with database.write() as c:
            stored.set_embedder(c, document.key, spec)
        return
    count, _ = counter(spec, plan.load)
    value = searchable(stored_document(database, document))
    chunks = [] if document.status == "quarantined" else chunk(value, PROFILES[document.profile], count)
    segment = postings([value.text[x.start : x.end] for x in chunks])
    with database.write() as c:
        drop_chunks(c, document.key)
        insert_chunks(c, document.key, chunks, segment, settings=chunker_settings(document.profile, spec))
        stored.set_embedder(c, document.key, spec)
