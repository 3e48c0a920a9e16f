"""How faithfully files are parsed, and how fast: `python -m benchmarks.parsing [epub …]`.

One function per format, each returning its figures with a baseline from the same run; `FIGURES` names them.
"""

import json
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeVar

from benchmarks.common import data, record
from lxml import etree

from glossator.document.model import Document
from glossator.errors import GlossatorError
from glossator.parse import parse
from glossator.parse.confidence import QUARANTINE_BELOW
from glossator.parse.worker import Pool

NOVEL = "se-adventures-of-sherlock-holmes.epub"
T = TypeVar("T")


@dataclass
class Tally:
    """Sample sentences looked for and found, in order, and what reading took."""

    books: int = 0
    opened: int = 0
    samples: int = 0
    found: int = 0
    seconds: float = 0.0
    characters: int = 0

    def add(self, text: str | None, samples: list[str], seconds: float) -> None:
        self.books += 1
        self.opened += text is not None
        self.samples += len(samples)
        self.found += in_order(samples, text or "")
        self.seconds += seconds
        self.characters += len(text or "")

    def figures(self) -> dict[str, Any]:
        return {
            "parsed": f"{self.opened} of {self.books}",
            "samples in order": f"{self.found} of {self.samples}",
            "share": round(self.found / max(self.samples, 1), 4),
            "seconds": round(self.seconds, 2),
            "seconds per million characters": round(self.seconds / max(self.characters / 1e6, 1e-9), 2),
        }


def in_order(samples: list[str], text: str) -> int:
    """Return how many samples occur, each after the one found before it, white space reduced on both sides."""
    whole, at, found = " ".join(text.split()), 0, 0
    for sample in samples:
        wanted = " ".join(sample.split())
        place = whole.find(wanted, at)
        if place >= 0:
            found += 1
            at = place + len(wanted)
    return found


def epub() -> dict[str, Any]:
    """EPUB: sample sentences in order, metadata and contents, damaged books, time; in this process and in the pool.

    The baseline is what a short script does: the text nodes of the spine's files by a recovering XML parser.
    """
    folder = data("parsing", "epub")
    ours, pooled, plain = Tally(), Tally(), Tally()
    right: Counter[str] = Counter()
    known = 0
    with Pool() as pool:
        for expected in _lines(data("parsing", "epub.expect.jsonl")):
            path = folder / expected["file"]
            samples = [s["text"] for s in expected.get("samples", [])]
            document, seconds = _timed(lambda path=path: parse(path))
            ours.add(document and document.text, samples, seconds)
            crossed, seconds = _timed(lambda path=path: pool.parse(path), clock=perf_counter)
            pooled.add(crossed and crossed.text, samples, seconds)
            text, seconds = _timed(lambda path=path: _plain_text(path))
            plain.add(text, samples, seconds)
            if expected["opens"] and document:
                known += 1
                right.update(name for name, same in _agreements(document, expected).items() if same)
        novel, took = _timed(lambda: parse(folder / NOVEL))
        broken = Counter(_outcome(pool, path) for path in sorted((folder / "broken").glob("*.epub")))
    return {
        "glossator (processor time)": ours.figures(),
        "glossator, in the pool (wall time)": pooled.figures(),
        "baseline: text nodes of the spine (processor time)": plain.figures(),
        **{
            f"{name} as expected": f"{right[name]} of {known}" for name in ("title", "creators", "language", "contents")
        },
        "a novel (processor time)": f"{len(novel.text.split()):,} words in {took:.2f} s" if novel else "not read",
        "broken books": dict(broken.most_common()),
    }


def _agreements(document: Document, expected: dict[str, Any]) -> dict[str, bool]:
    contents = [[s.level, s.title] for s in document.sections[:15]]
    language = (expected["language"] or [None])[0]
    return {
        "title": document.metadata.title == expected["title"][0],
        "creators": list(document.metadata.authors) == expected["creator"],
        "language": (document.metadata.language or "").lower() == (language or "").lower(),
        "contents": contents == expected["toc_first"],
    }


def _outcome(pool: Pool, path: Path) -> str:
    try:
        document = pool.parse(path)
    except GlossatorError as error:
        return f"clear error: {error.code}"
    if document.report.confidence < QUARANTINE_BELOW:
        return "quarantined"
    return "text with warnings" if document.report.warnings else "text"


def _plain_text(path: Path) -> str:
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    with zipfile.ZipFile(path) as archive:
        container = etree.fromstring(archive.read("META-INF/container.xml"))
        package = next(el.get("full-path") for el in container.iter("{*}rootfile"))
        opf = etree.fromstring(archive.read(package))
        hrefs = {el.get("id"): el.get("href") for el in opf.iter("{*}item")}
        texts = []
        for item in opf.iter("{*}itemref"):
            name = str(Path(package).parent / hrefs[item.get("idref")])
            root = etree.fromstring(archive.read(name), parser)
            body = None if root is None else root.find("{*}body")
            texts.append("" if body is None else " ".join(str(t) for t in body.itertext()))
    return "\n".join(texts)


def _timed(run: Callable[[], T], *, clock: Callable[[], float] = process_time) -> tuple[T | None, float]:
    """Return (result or None, seconds): processor time, or wall time by another clock."""
    start = clock()
    try:
        result = run()
    except (GlossatorError, KeyError, StopIteration, etree.XMLSyntaxError, zipfile.BadZipFile):
        return None, clock() - start
    return result, clock() - start


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


FIGURES: dict[str, Callable[[], dict[str, Any]]] = {"epub": epub}

if __name__ == "__main__":
    for name in sys.argv[1:] or list(FIGURES):
        if name not in FIGURES:
            sys.exit(f"no figures for {name!r}; there are {', '.join(FIGURES)}")
        record(f"parsing-{name}", FIGURES[name]())
