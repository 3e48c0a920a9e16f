"""Quotations of whole books: every literal one is found, no invented one accepted (see also benchmarks/quotes.py)."""

import json
from collections import defaultdict
from functools import cache

import pytest

from glossator.document.quotation import Match, find_quotation
from tests.data_folder import DATA, needs_data


@cache
def book(name: str) -> str:
    assert DATA is not None
    with (DATA / name).open(encoding="utf-8", newline="") as f:
        return f.read()


@cache
def answers() -> dict[str, list[tuple[dict[str, object], Match | None]]]:
    assert DATA is not None
    rows = [json.loads(line) for line in (DATA / "anchors" / "quotes-txt.jsonl").read_text("utf-8").splitlines()]
    books = sorted({r["doc"] for r in rows if r.get("doc")})
    found: dict[str, list[tuple[dict[str, object], Match | None]]] = defaultdict(list)
    for row in rows:
        tried = [row["doc"]] if row.get("doc") else books
        matches = [find_quotation(book(b), row["quote"], near=row.get("start")) for b in tried]
        found[row["variant"]].append((row, next((m for m in matches if m), None)))
    return found


@needs_data
def test_every_literal_quotation_is_verified_where_it_stands() -> None:
    assert all(m and (m.start, m.end, m.verdict) == (r["start"], r["end"], "verified") for r, m in answers()["exact"])


@needs_data
def test_no_invented_quotation_is_accepted() -> None:
    fakes = [m for name, rows in answers().items() if name.startswith("FAKE") for _, m in rows]
    assert len(fakes) == 160
    assert not any(fakes)


@needs_data
@pytest.mark.parametrize("variant", ["ascii", "ellipsis", "halfwidth-punct", "linebreaks", "lowercase", "no-punct"])
def test_altered_quotations_are_found_where_they_stand(variant: str) -> None:
    rows = answers()[variant]
    right = [m for r, m in rows if m and m.start == r["start"]]
    assert len(right) >= 0.95 * len(rows)


@needs_data
def test_misspelt_quotations_are_found_as_far_as_the_rule_goes() -> None:
    rows = answers()["typo"]
    assert all(m.start == r["start"] and "spelling" in m.repairs for r, m in rows if m)
    assert sum(m is not None for _, m in rows) >= 0.75 * len(rows)
