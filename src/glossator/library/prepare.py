"""A parsed document made ready to be written, and written: judged, cut into chunks, tokenised.

Pure but for the embedder's tokenizer, which counts; `write` is the only part that touches the store, inside a
transaction of its caller.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import apsw

from glossator.chunker import PROFILES, Chunk, chunk, estimate_tokens
from glossator.document.model import Document
from glossator.errors import ModelError
from glossator.library.brought import keep_marks
from glossator.library.exchange.arrival import describe
from glossator.library.vectors import Load
from glossator.parse.confidence import QUARANTINE_BELOW
from glossator.store import documents as stored
from glossator.store.chunks import insert_chunks

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
    keep_marks(c, key, prepared.document)
    describe(c, key, prepared.sha256, sources)
    return key


def counter(spec: str | None, load: Load) -> tuple[Callable[[Sequence[str]], list[int]], tuple[str, ...]]:
    """Return how tokens are counted: by the embedder's tokenizer, or by the rule of scripts without one."""
    if spec is None:
        return estimate_tokens, ()
    try:
        return load(spec).count_tokens, ()
    except ModelError as error:
        return estimate_tokens, (f"{spec} cannot be used: {error.message} ({error.hint})",)
