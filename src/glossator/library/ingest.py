"""From files to a searchable library.

Every file goes through: hash (known bytes are `unchanged`), parse in a limited child process, judge (below the
threshold it is `quarantined`: listed, not searched), cut into chunks and tokenise. Then one transaction writes text,
chunks and postings, and from there the document is searchable. Vectors follow in `vectors`, for all files together.

The same path with new bytes is `updated`: it keeps its id, and its progress is re-anchored in the same transaction.
When less than a fifth of its text survives it is another document, added beside the old one, with a warning.

A failing file never stops the others.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import apsw

from glossator.chunker import PROFILES, Chunk, chunk, estimate_tokens
from glossator.document.model import Document
from glossator.errors import Cancelled, GlossatorError, LibraryBusy, ModelError, StoreError
from glossator.library.originals import Item, Page, Problem, fetched, items_of
from glossator.library.results import AddedDocument, AddStatus, IngestEvent
from glossator.library.vectors import Hooks, Load, finish_vectors
from glossator.parse.confidence import QUARANTINE_BELOW
from glossator.sources.files import sha256
from glossator.store import collections as stored_collections
from glossator.store import documents as stored
from glossator.store.chunks import insert_chunks
from glossator.store.database import Database
from glossator.store.documents import StoredDocument

if TYPE_CHECKING:
    from glossator.parse.worker import Pool

logger = logging.getLogger(__name__)
SURVIVES = 0.2  # of the old text; below, the file holds another document
CHUNKER_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How documents are added. `choose` gives the embedder's spec for a language, or None; `load` brings it."""

    choose: Callable[[str | None], str | None]
    load: Load
    profile: Literal["auto", "book", "paper"] = "auto"
    collection: str | None = None
    wait: bool = True
    setting: str | None = None  # the embedder that was asked for by name


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A document ready to be written."""

    document: Document
    sha256: str
    profile: str
    status: Literal["ready", "quarantined"]
    embedder: str | None
    chunks: Sequence[Chunk]
    segment: bytes
    settings: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    source: str
    status: AddStatus
    key: int | None = None
    warnings: tuple[str, ...] = ()
    error: GlossatorError | None = None


def add(
    database: Database, paths: Sequence[str], plan: Plan, hooks: Hooks, *, glob: str | None = None
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


def prepare(document: Document, sha: str, plan: Plan, profile: str | None = None) -> Prepared:
    """Return what is written of a parsed document: judged, cut and tokenised."""
    profile = profile or (document.profile if plan.profile == "auto" else plan.profile)
    quarantined = document.report.confidence < QUARANTINE_BELOW
    spec = None if quarantined else plan.choose(document.metadata.language)
    count, warnings = counter(spec, plan.load)
    body = searchable(document)
    chunks = [] if quarantined else chunk(body, PROFILES[profile], count)
    return Prepared(
        document=document,
        sha256=sha,
        profile=profile,
        status="quarantined" if quarantined else "ready",
        embedder=spec,
        chunks=chunks,
        segment=postings([document.text[x.start : x.end] for x in chunks]),
        settings=chunker_settings(profile, spec),
        warnings=warnings,
    )


def searchable(document: Document) -> Document:
    """Return the document without the blocks of quarantined pages; their text stays readable, but is not indexed."""
    bad = [p for p in document.pages if p.status == "quarantined"]
    if not bad:
        return document
    kept = tuple(b for b in document.blocks if b.start is None or not any(p.start <= b.start < p.end for p in bad))
    return replace(document, blocks=kept)


def postings(texts: Sequence[str]) -> bytes:
    """Return the postings of some texts as the store keeps them."""
    from glossator.index.lexical import build, tokens

    return build([tokens(text) for text in texts]).dump()


def chunker_settings(profile: str, embedder: str | None) -> str:
    """Return the fingerprint of what makes chunks; when it changes they are made again."""
    from glossator.index.tokens import TOKENIZER

    p = PROFILES[profile]
    return f"{CHUNKER_VERSION}.{TOKENIZER} {p.name} {p.tokens}/{p.overlap} {embedder or 'estimate'}"


def write(c: apsw.Connection, key: int | None, prepared: Prepared, sources: Sequence[str]) -> int:
    """Write a document, or put it in the place of `key`; return its key."""
    filing = stored.Filing(
        sha256=prepared.sha256,
        sources=sources,
        profile=prepared.profile,
        status=prepared.status,
        embedder=prepared.embedder,
    )
    if key is None:
        key = stored.insert_document(c, prepared.document, **filing)
    else:
        stored.replace_content(c, key, prepared.document, **filing)
    if prepared.status == "ready":
        insert_chunks(c, key, prepared.chunks, prepared.segment, settings=prepared.settings)
    return key


def _add_texts(
    database: Database, paths: Sequence[str], plan: Plan, hooks: Hooks, outcomes: list[_Outcome], glob: str | None
) -> None:
    from glossator.parse.worker import Pool

    items = list(items_of(paths, glob=glob))
    with Pool() as pool:
        for n, item in enumerate(items):
            hooks.check()
            uri = item.url if isinstance(item, Page) else item.uri
            hooks.report(IngestEvent(uri, "reading", n, len(items)))
            outcomes.append(_outcome_of(database, item, uri, plan, _Steps(hooks, pool, n, len(items))))
        if items:
            hooks.report(IngestEvent(uri, "reading", len(items), len(items)))


@dataclass(frozen=True, slots=True)
class _Steps:
    hooks: Hooks
    pool: "Pool"
    n: int
    total: int

    def report(self, uri: str, stage: Literal["parsing", "indexing"]) -> None:
        self.hooks.report(IngestEvent(uri, stage, self.n, self.total))


def _outcome_of(database: Database, item: Item | Page | Problem, uri: str, plan: Plan, steps: _Steps) -> _Outcome:
    try:
        if isinstance(item, Problem):
            raise item.error
        if isinstance(item, Page):
            item = fetched(item, database.folder)
        return _add_one(database, item, plan, steps)
    except Cancelled:
        raise
    except GlossatorError as error:
        return _Outcome(source=uri, status="failed", error=error)
    except Exception:  # the edge of a job: a defect met in one file must not stop the others
        logger.exception("%s: cannot be added", uri)
        defect = GlossatorError(f"{uri}: met a defect of this program", hint="run with --verbose and report it")
        return _Outcome(source=uri, status="failed", error=defect)


def _add_one(database: Database, item: Item, plan: Plan, steps: _Steps) -> _Outcome:
    sha = sha256(item.path)
    with database.read() as c:
        known, before = stored.by_sha256(c, sha), stored.by_source(c, item.uri)
        old = stored.full_text(c, before.key) if before and not known else ""
    if known:
        return _unchanged(database, known, item, plan)
    if database.readonly:
        with database.write():  # says why not, before anything is parsed
            pass
    steps.report(item.uri, "parsing")
    document = steps.pool.parse(item.path, base_url=item.base_url, cancel=steps.hooks.cancelled)
    steps.hooks.check()
    steps.report(item.uri, "indexing")
    prepared = prepare(document, sha, plan)
    survives = before is not None and _survives(old, document.text)
    with database.write() as c:
        raced = stored.by_sha256(c, sha)
        if raced is None:
            _same(before, stored.by_source(c, item.uri), item.uri)
            key = write(c, before.key if before and survives else None, prepared, [item.uri])
            _collect(c, plan, key)
    if raced is not None:
        return _unchanged(database, raced, item, plan)
    warnings = prepared.warnings
    if before and not survives:
        warnings += (
            f"replaces nothing: it shares too little text with “{before.title}” ({before.id}), kept as it was",
        )
    status: AddStatus = "quarantined" if prepared.status == "quarantined" else "updated" if survives else "added"
    return _Outcome(source=item.uri, status=status, key=key, warnings=warnings)


def _survives(old: str, new: str) -> bool:
    from glossator.document.anchor import surviving_share

    return surviving_share(old, new) >= SURVIVES


def _unchanged(database: Database, known: StoredDocument, item: Item, plan: Plan) -> _Outcome:
    if item.uri not in known.sources or plan.collection is not None:
        with database.write() as c:
            stored.add_source(c, known.key, item.uri)
            _collect(c, plan, known.key)
    return _Outcome(source=item.uri, status="unchanged", key=known.key)


def _same(before: StoredDocument | None, now: StoredDocument | None, uri: str) -> None:
    """Make sure that what a file replaces is what it was compared with."""
    if before and (now is None or (now.key, now.text_version) != (before.key, before.text_version)):
        raise LibraryBusy(f"{uri}: another process changed its document just now", hint="add it again")


def _collect(c: apsw.Connection, plan: Plan, key: int) -> None:
    if plan.collection is not None:
        collection = stored_collections.create_collection(c, plan.collection)
        stored_collections.add_members(c, collection.key, [key])


def counter(spec: str | None, load: Load) -> tuple[Callable[[Sequence[str]], list[int]], tuple[str, ...]]:
    """Return how tokens are counted: by the embedder's tokenizer, or by the rule of scripts without one."""
    if spec is None:
        return estimate_tokens, ()
    try:
        return load(spec).count_tokens, ()
    except ModelError as error:
        return estimate_tokens, (f"{spec} cannot be used: {error.message} ({error.hint})",)


def _told(database: Database, outcome: _Outcome, failed: dict[str, ModelError]) -> AddedDocument:
    if outcome.key is None:
        error = outcome.error.to_json() if outcome.error else None
        return AddedDocument(source=outcome.source, status="failed", error=error)
    with database.read() as c:
        document = stored.get_document(c, outcome.key)
    warnings = list(document.warnings) + list(outcome.warnings)
    if document.status == "quarantined":
        warnings += [f"not searched, read badly: {reason}" for reason in document.reasons]
    problem = failed.get(document.embedder or "") or failed.get("")
    if document.vectors == "pending" and problem and not outcome.warnings:
        warnings.append(f"searchable by words only so far: {problem.message} ({problem.hint})")
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
