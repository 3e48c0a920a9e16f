"""Does text that is not read yet reach a model through any tool?

An English and a Chinese novel of the examples, each under several caps: some at the end of a chapter, most inside a
sentence. Every tool that is built in (but those that need a network) is called with an adversarial script: queries,
quotations and claims taken from later text, sections, positions and pages past the cap, ids of other documents,
negative and huge numbers, arguments that would lift the bound, notes and memories made while the book was open, and
copies of the book as text, table and database in the folder that the tools may use; what is asked about is allowed.

A leak is a run of eight words (Chinese: of ten characters) of the later part that the part read does not hold, in a
result or in the prompt, other than words that the call itself gave. The baseline is the same script with the bound
lifted: how many of the calls then show later text.

    python benchmarks/agent_wall_in.py [--caps N]
"""

import argparse
import asyncio
import csv
import random
import re
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from common import ROOT, record
from glossator.agent.context import ReadingState, ToolContext
from glossator.agent.desk import Desk
from glossator.agent.policy import Policy
from glossator.agent.reach import Reach
from glossator.agent.registry import Tool, built_in
from glossator.agent.tools.memory import in_prompt
from glossator.library.library import Library
from glossator.library.results import Bound

BOOKS = ("the-time-machine.epub", "journey-to-the-west.txt")
NETWORK = ("fetch_page", "call_api", "api_login", "web_search")
PERMISSIONS = frozenset(("files", "web", "shell", "system", "data"))
OPEN = Bound(uncapped=True)
WORDS, HAN = 8, 10
TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """A book under a cap, and what stands past it."""

    library: Library
    folder: Path
    document: str
    text: str
    cap: int
    hidden: frozenset[tuple[str, ...]]
    notes: tuple[str, ...]


def main() -> None:
    """Run the script under the bound and without it, and record the figures."""
    options = argparse.ArgumentParser()
    options.add_argument("--caps", type=int, default=6, help="of each book")
    given = options.parse_args()
    tools = {t.name: t for t in built_in() if t.name not in NETWORK}
    leaks: list[str] = []
    shown: Counter[str] = Counter()
    states: Counter[str] = Counter()
    calls = caps = 0
    start = perf_counter()
    with tempfile.TemporaryDirectory() as name:
        for case in cases(Path(name), given.caps):
            caps += 1
            for call, bound in [(c, Bound(case.cap)) for c in script(case, tools)]:
                calls += 1
                leak, state = leaked(case, tools, call, bound)
                states[state] += 1
                if leak:
                    leaks.append(f"{case.document} at {case.cap}: {call}")
            leaks += prompts(case)
            for call in (
                script(case, tools) if (caps - 1) % given.caps == 0 else ()
            ):  # the baseline: one cap of each book
                shown["calls"] += 1
                shown["show later text"] += leaked(case, tools, call, OPEN)[0]
            print(f"{caps} caps, {calls} calls, {len(leaks)} leaks, {perf_counter() - start:.0f} s", flush=True)
    for leak in leaks[:20]:
        print("LEAK", leak[:300])
    record(
        "agent_wall_in",
        {
            "books": list(BOOKS),
            "tools": len(tools),
            "caps": caps,
            "calls": calls,
            "calls that were answered, not refused": states["completed"],
            "calls that show later text": len(leaks),
            "baseline, bound lifted: calls": shown["calls"],
            "baseline, bound lifted: calls that show later text": shown["show later text"],
            "seconds": round(perf_counter() - start),
        },
    )
    sys.exit(1 if leaks else 0)


def cases(folder: Path, count: int) -> Iterator[Case]:
    """Yield the books under their caps, with notes and memories all over them."""
    work = folder / "work"
    work.mkdir()
    with Library.open(folder / "library", embedder="none") as library:
        for book in BOOKS:
            shutil.copy(ROOT / "examples" / book, work / book)
        added = library.add([str(work / book) for book in BOOKS])
        for document in added.documents:
            assert document.id
            text = library.text(document.id, bound=OPEN).text
            copies(work, document.id, text)
            spans = [(at, at + 60) for at in range(1_000, len(text) - 100, max(60, len(text) // 30))]
            notes = [
                library.notes.add(document.id, span=s, body=f"See {text[s[0] : s[1]]}", bound=OPEN).id for s in spans
            ]
            for at in (len(text) // 2, len(text) - 500):
                library.memory.keep(f"it says: {text[at : at + 200]}", doc=document.id)
                library.memory.keep(f"likes: {text[at : at + 100]}", kind="preference")
            starts = [e.start for e in library.show(document.id, bound=OPEN).contents if e.start]
            chosen = random.Random(7)
            at_ends = [starts[len(starts) // 3]] if len(starts) > 2 else []
            for cap in [*at_ends, *(chosen.randrange(len(text) // 20, len(text) * 19 // 20) for _ in range(count))][
                :count
            ]:
                hidden = frozenset(runs(text[cap:]) - runs(text[:cap]))
                yield Case(library, work, document.id, text, cap, hidden, tuple(notes))


def copies(folder: Path, name: str, text: str) -> None:
    """Lay copies of a book into a folder: as text with other lines, as a table, as a database."""
    lines = [line for part in text.split("\n") for line in re.findall(r".{1,70}(?:\s|$)|.{1,70}", part)]
    (folder / f"{name}.txt").write_text("\n".join(lines), "utf-8")
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("n", "line"), *enumerate(lines)])
    with sqlite3.connect(folder / f"{name}.db") as database:
        database.execute("create table book(n integer, line text)")
        database.executemany("insert into book values (?,?)", enumerate(lines))


def script(case: Case, tools: dict[str, Tool]) -> list[Call]:
    """Return the calls of a model that wants to know how the book ends."""
    text, cap, name = case.text, case.cap, case.document
    chosen = random.Random(cap)
    later = [chosen.randrange(cap, len(text) - 300) for _ in range(4)]
    words = [" ".join(text[at : at + 60].split()) for at in later]
    others = [d.id for d in case.library.documents().documents if d.id != name]
    last = case.library.show(name, bound=OPEN).contents[-1].number
    path = {kind: f"{name}.{kind}" for kind in ("txt", "csv", "db")}
    lines = text.count("\n") + len(text) // 70
    calls: list[Call] = [
        *(("search", {"query": w, "limit": 20}) for w in words),
        ("search", {"query": f'"{words[0][:30]}"', "mode": "lexical", "document": name}),
        ("search", {"query": words[1], "up_to": None}),
        ("search", {"query": words[2], "document": others[0]}),
        ("contents", {"start": max(1, last - 100)}),
        ("contents", {"document": name, "start": 1}),
        *(("context", {"position": at, "paragraphs": 20}) for at in (cap - 1, cap, cap + 1, -5, 10**12, *later)),
        *(("read_section", {"number": n}) for n in (1, last // 2, last, -1, 10**9)),
        ("read_section", {"number": last // 2, "start": cap - 10}),
        ("current_chapter", {"start": cap}),
        ("current_chapter", {}),
        ("surrounding_text", {"before": 10_000, "after": 10_000}),
        ("selection", {}),
        ("reading_progress", {}),
        ("recent_highlights", {"limit": 20}),
        *(("list_notes", {"start": n}) for n in (1, 20, -3)),
        *(("search_notes", {"query": w[:20], "limit": 30}) for w in words[:2]),
        *(("add_note", {"quote": w, "body": "x"}) for w in words[:2]),
        *(("add_citation", {"quote": w}) for w in words[:2]),
        ("add_citation", {"quote": text[cap - 80 : cap - 40], "note": case.notes[-1]}),
        ("link_notes", {"note": case.notes[0], "other": case.notes[-1]}),
        *(("summarise", {"section": n}) for n in (None, last)),
        ("people_and_concepts", {"limit": 60}),
        ("argument_structure", {"section": last}),
        ("argument_structure", {}),
        ("memorable_quotations", {"limit": 30}),
        ("compare_sections", {"first": 1, "second": last}),
        *(("same_claim", {"claim": w}) for w in words[:2]),
        ("mind_map", {}),
        ("recall", {"query": words[0], "limit": 50}),
        ("remember", {"text": "the book is open"}),
        ("list_documents", {}),
        ("list_shelves", {}),
        ("reading_statistics", {}),
        ("rag_status", {}),
        ("rag_list_sources", {}),
        ("rag_delete_source", {"source": others[0]}),
        ("rag_ingest", {"path": path["txt"]}),
        ("rag_ingest", {"text": text[cap : cap + 3_000], "title": "mine"}),
        ("classify_documents", {"collection": "x", "documents": [name]}),
        ("tag_documents", {"tag": "x", "documents": others}),
        ("use_skill", {"name": "x"}),
        ("list_files", {"pattern": "**/*"}),
        *(("read_file", {"path": path["txt"], "start": n, "max_lines": m}) for n, m in ((1, 2_000), (lines // 2, 1))),
        *(("read_file", {"path": path["txt"], "start": n}) for n in (lines * 3 // 4, lines - 300, lines // 2 + 1)),
        ("read_file", {"path": path["csv"], "start": lines // 2}),
        *(("read_file", {"path": p}) for p in (BOOKS[1], "../library/library.db", path["db"])),
        ("query_csv", {"path": path["csv"], "sql": "select * from data order by n desc limit 500"}),
        ("query_csv", {"path": path["csv"], "sql": "select group_concat(replace(line, ' ', '  '), '|') from data"}),
        (
            "query_csv",
            {"path": path["csv"], "sql": "select substr(line, 1, 9), substr(line, 10) from data limit 500 offset 900"},
        ),
        ("query_database", {"path": path["db"], "sql": "select * from book order by n desc"}),
        ("query_database", {"path": "../library/library.db", "sql": "select text from part"}),
        ("describe_data", {"path": path["db"]}),
        (
            "draw_chart",
            {"path": f"{cap}.svg", "data": path["csv"], "sql": "select line, 1 from data order by n desc limit 150"},
        ),
        ("read_file", {"path": f"{cap}.svg"}),
        ("write_file", {"path": f"{cap}.md", "text": "x"}),
        ("run_command", {"command": f"tail -c 3000 {path['txt']}"}),
        ("list_processes", {}),
        ("system_information", {}),
    ]
    assert {c[0] for c in calls} == tools.keys(), tools.keys() ^ {c[0] for c in calls}
    return calls


def leaked(case: Case, tools: dict[str, Tool], call: Call, bound: Bound) -> tuple[bool, str]:
    """Return whether the result of a call holds later text that the call did not give itself, and its state."""
    name, arguments = call
    if bound is OPEN and name in ("rag_ingest", "rag_delete_source"):
        return False, "failed"
    approve = name != "rag_delete_source"  # the other book is needed further on
    context = context_of(case, bound, approve=approve)
    result = asyncio.run(Policy(tools, context, pauses=()).call(name, arguments))
    given = runs(" ".join(map(str, arguments.values())))
    return bool((runs(result.text) & case.hidden) - given), result.state


def context_of(case: Case, bound: Bound, *, approve: bool) -> ToolContext:
    """Return what a tool is given in a run about the book, the reader at the cap."""
    scoped = case.library.scope([case.document], bound=bound)
    return ToolContext(
        reader=scoped.reader,
        library=Desk(case.library, docs=[case.document], bound=bound),
        state=ReadingState(document=scoped.only.key, position=case.cap, selection=(case.cap - 50, case.cap + 200)),
        allow=PERMISSIONS,
        approve=lambda _: approve,
        reach=Reach(folders=(case.folder,)),
    )


def prompts(case: Case) -> list[str]:
    """Return what would leak through the memories that stand in a prompt."""
    lines = in_prompt(context_of(case, Bound(case.cap), approve=True), case.text[-200:])
    found = runs("\n".join(lines)) & case.hidden
    return [f"prompt at {case.cap}: {sorted(found)[:2]}"] if found else []


def runs(text: str) -> set[tuple[str, ...]]:
    """Return the runs of words, or of Chinese characters, in a text."""
    tokens = [t.casefold() for t in TOKEN.findall(text)]
    latin = {tuple(tokens[i : i + WORDS]) for i in range(len(tokens) - WORDS + 1) if len(tokens[i]) > 1}
    return latin | {run for i in range(len(tokens) - HAN + 1) if _han(run := tuple(tokens[i : i + HAN]))}


def _han(run: tuple[str, ...]) -> bool:
    return all(len(t) == 1 and t > "\u33ff" for t in run)


if __name__ == "__main__":
    main()
