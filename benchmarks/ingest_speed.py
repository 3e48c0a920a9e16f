"""How long until a novel can be searched, and until all its vectors are there.

A 100,000-word English novel and 100,000 Chinese characters, as plain text, added to an empty library with the embedder
that their language gets. Searchable is measured from the call to its return without waiting for vectors (parsing in a
child process, tokenising and the tokenizer's own loading included), and then proved by a search; vectors from there on.
The baseline beside it is the parse alone, in the same kind of child.

    python benchmarks/ingest_speed.py
"""

import os
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from common import data, record
from glossator.library.library import Library
from glossator.parse.worker import Pool

ASKED = {"english": (5.0, 60.0), "chinese": (5.0, 150.0)}  # seconds: searchable, vectors


def main() -> None:
    """Measure both and record the figures."""
    novel = data("longdoc", "nocha", "books")
    english = max(novel.glob("*.txt"), key=lambda p: p.stat().st_size).read_text("utf-8", "replace")
    chinese = next(data("longdoc", "zh-novels").glob("*.txt")).read_text("utf-8")
    texts = {"english": first_words(english, 100_000), "chinese": first_characters(chinese, 100_000)}
    figures: dict[str, Any] = {"cores": len(os.sched_getaffinity(0)), "load at start": os.getloadavg()[0]}
    for name, text in texts.items():
        figures |= {f"{name}: {key}": value for key, value in measure(name, text).items()}
    record("ingest_speed", figures)


def measure(name: str, text: str) -> dict[str, Any]:
    """Return the figures of one text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.txt"
        path.write_text(text, "utf-8")
        start = perf_counter()
        with Pool() as pool:
            pool.parse(path)
        parse = perf_counter() - start
        with Library.open(Path(folder) / "library") as library:
            start = perf_counter()
            (added,) = library.add([str(path)], wait=False).documents
            searchable = perf_counter() - start
            middle = len(text) // 2
            found = library.search(text[middle : middle + 60], mode="lexical").hits
            start = perf_counter()
            library.add([], wait=True)
            vectors = perf_counter() - start
            ready = library.add([str(path)]).documents[0].vectors
    limit_text, limit_vectors = ASKED[name]
    return {
        "chunks": added.chunks,
        "parse alone s (baseline)": round(parse, 2),
        "searchable s": round(searchable, 2),
        "searchable within limit": searchable <= limit_text and bool(found),
        "vectors s": round(vectors, 2),
        "vectors within limit": vectors <= limit_vectors and ready == "ready",
    }


def first_words(text: str, count: int) -> str:
    """Return a text up to its `count`-th word."""
    at = 0
    for _ in range(count):
        at = text.find(" ", at + 1)
        if at < 0:
            return text
    return text[:at]


def first_characters(text: str, count: int) -> str:
    """Return a text up to its `count`-th character that is not white space."""
    seen = 0
    for at, c in enumerate(text):
        seen += not c.isspace()
        if seen == count:
            return text[: at + 1]
    return text


if __name__ == "__main__":
    main()
