"""From files to a searchable library.

Every file goes through: hash (known bytes are `unchanged`), parse in a limited child process, judge (below the
threshold it is `quarantined`: listed, not searched), cut into chunks and tokenise. Then one transaction writes text,
chunks and postings, and from there the document is searchable. Vectors follow in `vectors`, for all files together.

The same path with new bytes is `updated`: it keeps its id, and its progress is re-anchored in the same transaction.
When less than a fifth of its text survives it is another document, added beside the old one, with a warning.

A failing file never stops the others.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import apsw

from glossator.document.model import Document
from glossator.errors import Cancelled, GlossatorError, ModelError, StoreError
from glossator.library.originals import Item, Page, Problem, fetched, items_of
from glossator.library.prepare import Plan, Prepared, prepare, write
from glossator.library.results import AddedDocument, AddStatus, IngestEvent
from glossator.library.vectors import Hooks, finish_vectors
from glossator.sources.files import sha256
from glossator.store import collections as stored_collections
from glossator.store import documents as stored
from glossator.store.anchors import count_lost
from glossator.store.database import Database
from glossator.store.documents import StoredDocument

if TYPE_CHECKING:
    from glossator.parse.worker import Pool

logger = logging.getLogger(__name__)
SURVIVES = 0.2  # of the old text; below, the file holds another document
TRIES = 3  # to write what another process changed meanwhile


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    source: str
    status: AddStatus
    key: int | None = None
    warnings: tuple[str, ...] = ()
    error: GlossatorError | None = None


def add(
    database: Database, paths: Sequence[str | Item], plan: Plan, hooks: Hooks, *, glob: str | None = None
) -> tuple[list[AddedDocument], bool]:
    """Add what `paths` name; return what became of each file, and whether the person stopped it before the end.

    With `plan.wait` all pending vectors are computed, also those that an earlier call left.
    """
    from glossator.index.snapshot import compact

    outcomes: list[_Outcome] = []
    failed: dict[str, ModelError] = {}
    try:
        _add_texts(database, paths, plan, hooks, outcomes, glob)
        while not database.readonly and compact(database):
            hooks.check()
        if plan.wait and not database.readonly:
            failed = finish_vectors(database, plan.load, hooks, first=[o.key for o in outcomes if o.key is not None])
        stopped = False
    except Cancelled:
        stopped = True
    except StoreError as error:  # of the vectors: texts are in, and stay pending
        logger.warning("vectors: %s", error)
        failed = {"": ModelError(error.message, hint=error.hint)}
        stopped = False
    return [_told(database, o, failed) for o in outcomes], stopped


def _add_texts(
    database: Database,
    paths: Sequence[str | Item],
    plan: Plan,
    hooks: Hooks,
    outcomes: list[_Outcome],
    glob: str | None,
) -> None:
    """Add texts one by one; while one is cut and written, the next is parsed."""
    from glossator.parse.worker import Pool

    items = list(items_of(paths, glob=glob))
    uri = ""
    with Pool() as pool:
        for n, (item, parsed) in enumerate(_ahead(lambda item: _read(database, item, pool, hooks), items)):
            hooks.check()
            uri = item.url if isinstance(item, Page) else item.uri
            hooks.report(IngestEvent(uri, "reading", n, len(items)))
            if not parsed.done():
                hooks.report(IngestEvent(uri, "parsing", n, len(items)))
            outcomes.append(_outcome_of(uri, partial(_add_one, database, parsed, plan, hooks)))
            hooks.report(IngestEvent(uri, "indexing", n + 1, len(items)))
    if items:
        hooks.report(IngestEvent(uri, "reading", len(items), len(items)))


@dataclass(frozen=True, slots=True)
class _Read:
    """A file whose bytes are known, or else its parse."""

    item: Item
    sha256: str
    known: StoredDocument | None
    document: Document | None


Asked = Item | Page | Problem


def _ahead(read: Callable[[Asked], _Read], items: Sequence[Asked]) -> Iterator[tuple[Asked, "Future[_Read]"]]:
    """Yield each item with its reading, begun while the one before it was in the caller's hands."""
    executor = ThreadPoolExecutor(1, thread_name_prefix="read")
    try:
        following = executor.submit(read, items[0]) if items else None
        for n, item in enumerate(items):
            assert following is not None
            current = following
            following = executor.submit(read, items[n + 1]) if n + 1 < len(items) else None
            yield item, current
    finally:
        executor.shutdown(wait=False, cancel_futures=True)  # the pool's end ends a parse that nobody waits for


def _read(database: Database, asked: Asked, pool: "Pool", hooks: Hooks) -> _Read:
    if isinstance(asked, Problem):
        raise asked.error
    item = fetched(asked, database.folder) if isinstance(asked, Page) else asked
    sha = sha256(item.path)
    with database.read() as c:
        known = stored.by_sha256(c, sha)
    if known:
        return _Read(item, sha, known, None)
    if database.readonly:
        with database.write():  # says why not, before anything is parsed
            pass
    return _Read(item, sha, None, pool.parse(item.path, base_url=item.base_url, cancel=hooks.cancelled))


def _outcome_of(uri: str, work: Callable[[], _Outcome]) -> _Outcome:
    """Return what the work came to; its errors are an outcome, too."""
    try:
        return work()
    except Cancelled:
        raise
    except GlossatorError as error:
        return _Outcome(source=uri, status="failed", error=error)
    except Exception:  # the edge of a job: a defect met in one file must not stop the others
        logger.exception("%s: cannot be added", uri)
        defect = GlossatorError(f"{uri}: met a defect of this program", hint="run with --verbose and report it")
        return _Outcome(source=uri, status="failed", error=defect)


def _add_one(database: Database, reading: "Future[_Read]", plan: Plan, hooks: Hooks) -> _Outcome:
    read = reading.result()
    hooks.check()
    if read.document is None:
        return _unchanged(database, read, plan)
    prepared = prepare(read.document, read.sha256, plan)
    for _ in range(TRIES):
        outcome = _written(database, read.item.uri, prepared, plan)
        if outcome is not None:
            return outcome
    raise StoreError(f"{read.item.uri}: another process keeps changing its document", hint="add it again later")


def _written(database: Database, uri: str, prepared: Prepared, plan: Plan) -> _Outcome | None:
    """Write a document; return None when another process changed meanwhile what it would replace."""
    with database.read() as c:
        before = stored.by_source(c, uri)
        old = stored.full_text(c, before.key) if before else ""
    survives = before is not None and _survives(old, prepared.document.text)
    with database.write() as c:
        raced = stored.by_sha256(c, prepared.sha256)
        if raced is not None:  # another process, or the same bytes under another name in this call
            _found_at(c, raced, uri)
            _collect(c, plan, raced.key)
            return _Outcome(source=uri, status="unchanged", key=raced.key)
        if _version(stored.by_source(c, uri)) != _version(before):
            return None
        key = write(c, before.key if before and survives else None, prepared, [uri])
        _collect(c, plan, key)
    warnings = prepared.warnings
    if before and not survives:
        warnings += (f"{before.id} ({before.title}) was read from here before and shares too little text: it is kept",)
    status: AddStatus = "quarantined" if prepared.status == "quarantined" else "updated" if survives else "added"
    return _Outcome(source=uri, status=status, key=key, warnings=warnings)


def _version(document: StoredDocument | None) -> tuple[int, str] | None:
    return None if document is None else (document.key, document.text_version)


def _survives(old: str, new: str) -> bool:
    from glossator.document.anchor import surviving_share

    return surviving_share(old, new) >= SURVIVES


def _unchanged(database: Database, read: _Read, plan: Plan) -> _Outcome:
    known, uri = read.known, read.item.uri
    assert known is not None
    news = uri not in known.sources or known.status == "missing" or plan.collection is not None
    if news and not database.readonly:
        with database.write() as c:
            _found_at(c, known, uri)
            _collect(c, plan, known.key)
    return _Outcome(source=uri, status="unchanged", key=known.key)


def _found_at(c: apsw.Connection, document: StoredDocument, uri: str) -> None:
    stored.add_source(c, document.key, uri)
    if document.status == "missing":
        stored.set_status(c, document.key, "ready")


def _collect(c: apsw.Connection, plan: Plan, key: int) -> None:
    if plan.collection is not None:
        collection = stored_collections.create_collection(c, plan.collection)
        stored_collections.add_members(c, collection.key, [key])


def _told(database: Database, outcome: _Outcome, failed: dict[str, ModelError]) -> AddedDocument:
    if outcome.key is None:
        error = outcome.error.to_json() if outcome.error else None
        return AddedDocument(source=outcome.source, status="failed", error=error)
    with database.read() as c:
        document = stored.get_document(c, outcome.key)
        lost = count_lost(c, outcome.key) if outcome.status == "updated" else 0
    badly = "read too badly to be searched: " if document.status == "quarantined" else ""
    warnings = [badly + reason for reason in document.reasons] + [*document.warnings, *outcome.warnings]
    problem = failed.get(document.embedder or "") or failed.get("")
    if document.vectors == "pending" and problem and not outcome.warnings:
        warnings.append(f"searchable by words only so far: {problem.message} ({problem.hint})")
    if lost:
        notes = "1 note is" if lost == 1 else f"{lost} notes are"
        warnings.append(f"{notes} lost in this text: see `glossator note list --doc {document.id} --state lost`")
    return AddedDocument(
        source=outcome.source,
        status=outcome.status,
        id=document.id,
        title=document.title,
        format=document.format,
        sections=document.section_count or 0,
        chunks=document.chunks,
        pages=document.page_count,
        language=document.language,
        confidence=document.confidence,
        vectors=document.vectors,
        warnings=tuple(warnings),
    )
