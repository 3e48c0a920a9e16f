"""Documents and libraries for the tests of store and index, made in code."""

from collections.abc import Sequence
from pathlib import Path

import apsw
import numpy as np

from glossator.chunker import Chunk
from glossator.document.model import Block, Document, Metadata, ParseReport, Section, lay_out
from glossator.embed.base import Fingerprint
from glossator.index.lexical import build, tokens
from glossator.store import chunks as stored_chunks
from glossator.store import documents as stored
from glossator.store.database import Database, open_database

FINGERPRINT = Fingerprint(model="test", sha256="0" * 64, dimension=8, rule="none")


def document(paragraphs: Sequence[str], *, title: str = "A title") -> Document:
    """A book of one section whose blocks are `paragraphs`."""
    text, blocks = lay_out([Block(kind="paragraph", text=p, start=None, end=None) for p in paragraphs])
    section = Section(number=1, level=1, title="One", path=("One",), start=0, end=len(text))
    return Document(
        metadata=Metadata(title=title, authors=("Ann Author",), language="en", identifiers=(("isbn", "1"),)),
        format="text",
        text=text,
        blocks=blocks,
        sections=(section,),
        report=ParseReport(parser="test 1", confidence=0.9, reasons=("a reason",), warnings=("a warning",)),
    )


def chunks_of(doc: Document) -> list[Chunk]:
    """One chunk for each block."""
    return [
        Chunk(start=b.start, end=b.end, kind="prose", section=1, tokens=len(b.text.split()), heading_path=("One",))
        for b in doc.blocks
        if b.start is not None and b.end is not None
    ]


def postings_of(doc: Document, chunks: Sequence[Chunk]) -> bytes:
    """The segment of the texts of these chunks."""
    return build([tokens(doc.text[x.start : x.end]) for x in chunks]).dump()


def add(
    c: apsw.Connection,
    paragraphs: Sequence[str],
    *,
    title: str = "A title",
    sha256: str | None = None,
    **filing: object,
) -> int:
    """Write a document with its chunks and postings; return its key."""
    doc = document(paragraphs, title=title)
    chunks = chunks_of(doc)
    (count,) = c.execute("select count(*) from document").fetchone() or (0,)
    sha256 = sha256 or f"{count * 0x9E3779B97F4A7C15 % (1 << 64):016x}" * 4
    key = stored.insert_document(c, doc, sha256=sha256, **filing)  # type: ignore[arg-type]
    stored_chunks.insert_chunks(c, key, chunks, postings_of(doc, chunks))
    return key


def give_vectors(c: apsw.Connection, embedder: int, *, limit: int = -1, seed: int = 1) -> dict[int, np.ndarray]:
    """Write a random unit vector for every chunk that waits for one; return them by chunk id."""
    rng = np.random.default_rng(seed)
    rows, made = [], {}
    for chunk in stored_chunks.pending_chunks(c, embedder, limit=limit):
        vector = rng.standard_normal(FINGERPRINT.dimension).astype(np.float32)
        made[chunk.id] = vector / np.linalg.norm(vector)
        rows.append((chunk.id, 0, chunk.start, chunk.end, made[chunk.id].astype("<f2").tobytes()))
    stored_chunks.insert_vectors(c, embedder, rows)
    return made


def library(folder: Path) -> Database:
    """A new, empty library."""
    return open_database(folder / "library")
