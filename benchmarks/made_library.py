"""Made-up documents for the store's benchmarks: words as frequent as words are, a third of the documents in Chinese."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from glossator.chunker import Chunk
from glossator.document.model import Block, Document, Metadata, ParseReport, lay_out
from glossator.index.lexical import build, tokens

CHUNKS = 50  # of one document
WORDS = 220  # of one chunk


@dataclass(frozen=True, slots=True)
class Made:
    """A document with its chunks; `segment` is made from their texts, before any transaction."""

    document: Document
    chunks: list[Chunk]

    def texts(self) -> list[str]:
        """The texts of the chunks."""
        return [self.document.text[x.start : x.end] for x in self.chunks]

    def segment(self) -> bytes:
        """The postings of the chunks."""
        return build([tokens(t) for t in self.texts()]).dump()


def documents(count: int, *, seed: int = 5, chunks: int = CHUNKS) -> Iterator[Made]:
    """Yield made-up documents; the same for the same seed."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgk"))
    latin = np.array(["".join(rng.choice(letters, n)) for n in rng.integers(2, 10, 30_000)], object)
    han = np.array([chr(0x4E00 + i) for i in range(4_000)], object)
    for n in range(count):
        words, size, joint = (han, int(WORDS * 1.5), "") if n % 3 == 2 else (latin, WORDS, " ")
        share = np.cumsum(1 / (np.arange(len(words)) + 2.7) ** 1.07)
        picked = words[np.searchsorted(share, rng.random((chunks, size)) * share[-1])]
        yield made(f"document {seed}.{n}", [joint.join(row) for row in picked])


def made(title: str, paragraphs: list[str]) -> Made:
    """A document with one chunk for each paragraph."""
    text, blocks = lay_out([Block(kind="paragraph", text=p, start=None, end=None) for p in paragraphs])
    document = Document(
        metadata=Metadata(title=title),
        format="text",
        text=text,
        blocks=blocks,
        sections=(),
        report=ParseReport(parser="made"),
    )
    chunks = [
        Chunk(start=b.start, end=b.end, kind="prose", section=None, tokens=WORDS, heading_path=())
        for b in blocks
        if b.start is not None and b.end is not None
    ]
    return Made(document, chunks)


def vectors(rng: np.random.Generator, count: int, dimension: int) -> np.ndarray:
    """Unit vectors around a common centre, as those of one document are: (count, dimension) float32."""
    x = rng.standard_normal(dimension) + rng.standard_normal((count, dimension))
    return (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32)
