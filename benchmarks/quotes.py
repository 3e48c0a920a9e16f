"""How well quotations are found: per kind of alteration, and how many invented ones are accepted.

Every quotation is looked for in its own book; one that is in no book is looked for in all of them, and accepted if any
book has it. Beside it: `str.find`.

`near` counts the quotations that were refused, but offered as the best near miss at the right place.

Run: `python benchmarks/quotes.py`.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from common import data, record
from glossator.document.quotation import find_quotation, near_misses

Row = dict[str, Any]


def main() -> None:
    plain = rows("anchors/quotes-txt.jsonl")
    books = {r["doc"]: read(r["doc"]) for r in plain if r.get("doc")}
    figures: dict[str, Any] = {"txt": measure_txt(plain, books)}
    figures["epub"] = measure_epub(rows("anchors/quotes-epub.jsonl"))
    record("quotes", figures)


def measure_txt(quotes: Iterable[Row], books: dict[str, str]) -> dict[str, Any]:
    """Rates per variant: found where the truth is (spans overlap by half), `str.find` beside it; fakes accepted."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    repairs: dict[str, Counter[str]] = defaultdict(Counter)
    taken: list[float] = []
    for row in quotes:
        count = counts[row["variant"]]
        count["n"] += 1
        start = perf_counter()
        if row.get("present") is False:
            count["accepted"] += any(find_quotation(t, row["quote"]) for t in books.values())
            taken.append((perf_counter() - start) / len(books))
            count["accepted_by_str_find"] += any(row["quote"] in t for t in books.values())
            continue
        text = books[row["doc"]]
        match = find_quotation(text, row["quote"], near=row["start"])
        taken.append(perf_counter() - start)
        truth = row["start"], row["end"]
        found = match is not None and overlap((match.start, match.end), truth) >= 0.5
        count["found"] += found
        if match:
            count["whole"] += (match.start, match.end) == truth
            repairs[row["variant"]].update(match.repairs)
        else:
            near = near_misses(text, row["quote"], limit=1)
            count["near"] += bool(near) and overlap((near[0].start, near[0].end), truth) >= 0.5
        count["str_find"] += text.find(row["quote"]) == row["start"]
    result: dict[str, Any] = {k: dict(c) | {"repairs": dict(repairs[k])} for k, c in sorted(counts.items())}
    result["ms"] = {"median": round(1000 * median(taken), 3), "slowest": round(1000 * max(taken), 1)}
    return result


def measure_epub(quotes: Iterable[Row]) -> dict[str, Any]:
    """Quotations of EPUBs, found in the section that holds them."""
    count: Counter[str] = Counter()
    taken: list[float] = []
    for row in quotes:
        document, hrefs = opened(row["doc"])
        count["n"] += 1
        start = perf_counter()
        match = find_quotation(document.text, row["quote"])
        taken.append(perf_counter() - start)
        count["str_find"] += row["quote"] in document.text
        if match:
            count["found"] += 1
            count["right_section"] += any(
                b.start is not None and b.start <= match.start < b.end and hrefs.get(b.anchor.spine) == row["href"]
                for b in document.blocks
            )
    ms = {"median": round(1000 * median(taken), 3), "slowest": round(1000 * max(taken), 1)}
    return dict(count) | {"ms": ms}


def overlap(a: tuple[int, int], b: tuple[int, int]) -> float:
    inside = min(a[1], b[1]) - max(a[0], b[0])
    return max(0, inside) / (max(a[1], b[1]) - min(a[0], b[0]))


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in data(name).read_text("utf-8").splitlines()]


def read(name: str) -> str:
    with data(name).open(encoding="utf-8", newline="") as f:
        return f.read()


@cache
def opened(name: str) -> tuple[Any, dict[int, str]]:
    from glossator.parse import epub
    from glossator.parse.blocks import document_of

    publication = epub.read(Path(data("parsing/epub", name)))
    return document_of(publication), {i: p.href for i, p in enumerate(publication.parts)}


if __name__ == "__main__":
    main()
