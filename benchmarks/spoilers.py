"""Does anything past the reading position come out of any door?

155 questions of FairytaleQA whose answer stands in a section that the reader has not reached. The stories are added as
documents with their sections; for each case the position is set to the end of the last section read, and every reading
command is asked, also with the later answer itself as query and with quotations from later sections. A leak is a run of
eight words of later sections, that the visible part does not hold, in anything printed: results, notices, error
messages. Then the same with 1,000 random caps inside sentences.

The baseline is search, ask and locate with the bound lifted: how many of the cases would leak.

    python benchmarks/spoilers.py [--cases N] [--caps N]
"""

import argparse
import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from common import data, record
from glossator.errors import GlossatorError
from glossator.library.library import Library
from glossator.library.results import Bound

GRAM = 8  # words
WORD = re.compile(r"\w+")
APART = "\0"  # between texts that were printed apart: words that meet there are nobody's sentence
OPEN = Bound(uncapped=True)


def main() -> None:
    """Run the cases and the random caps, and record the figures."""
    options = argparse.ArgumentParser()
    options.add_argument("--cases", type=int, default=155)
    options.add_argument("--caps", type=int, default=1_000)
    options.add_argument("--embedder", default="builtin:minilm")
    given = options.parse_args()
    stories = {s["story"]: s for s in read_lines(data("longdoc", "fairytaleqa", stories_file()))}
    cases = read_lines(data("longdoc", "fairytaleqa", "spoilers.jsonl"))[: given.cases]
    with tempfile.TemporaryDirectory() as folder:
        write_stories(Path(folder), [stories[name] for name in sorted({c["story"] for c in cases})])
        with Library.open(Path(folder) / "library", embedder=given.embedder) as library:
            added = library.add([folder], glob="*.md")
            ids = {Path(d.source).stem: d.id for d in added.documents}
            figures = of_cases(library, ids, cases) | of_caps(library, list(ids.values()), given.caps)
    record("spoilers", figures)


def of_cases(library: Library, ids: dict[str, str], cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Return leaks under the bound, and what the same calls show without it."""
    leaks, baseline, answered = 0, 0, 0
    for n, case in enumerate(cases):
        if n % 10 == 0:
            print(f"{n} cases, {leaks} leaks", flush=True)
        doc = ids[case["story"]]
        starts = [e.start for e in library.show(doc, bound=OPEN).contents]
        cap = starts[case["read_up_to_section"]]  # where the first section not read begins
        text = library.text(doc, bound=OPEN).text
        hidden = grams(text[cap:]) - grams(text[:cap])
        later = later_quotations(text, cap)
        library.progress(doc, at=cap)
        out = everything(library, doc, case, later, Bound(up_to=cap))
        for bound, docs in ((Bound(up_to="progress"), [doc]), (Bound(), [doc]), (Bound(), [])):
            out += APART + finding(library, docs, case, later, bound)
        if found := grams(out) & hidden:
            leaks += 1
            print("LEAK", case["id"], sorted(found)[:2])
        baseline += bool(grams(finding(library, [doc], case, later, OPEN)) & hidden)
        answer = library.ask(case["question"], docs=[doc], bound=OPEN)
        gold = text[starts[case["gold_section"] - 1] : [*starts, len(text)][case["gold_section"]]]
        answered += any(c.quote in gold for c in answer.citations)
        library.progress(doc, restart=True)
    return {
        "cases": len(cases),
        "cases without a leak": len(cases) - leaks,
        "baseline: cases that show later text when the bound is lifted": baseline,
        "cases whose answer cites the right section once all is read": answered,
    }


def of_caps(library: Library, docs: list[str], count: int) -> dict[str, Any]:
    """Return leaks over random caps, mostly inside a sentence."""
    chance = random.Random(7)
    leaks = 0
    texts = {doc: library.text(doc, bound=OPEN).text for doc in docs}
    for n in range(count):
        if n % 100 == 0:
            print(f"{n} caps, {leaks} leaks", flush=True)
        doc = chance.choice(docs)
        text = texts[doc]
        cap = chance.randrange(1, len(text))
        hidden = grams(text[cap:]) - grams(text[:cap])
        later = later_quotations(text, cap)
        query = " ".join(WORD.findall(text[cap : cap + 200])[:12])
        case = {"question": query, "answers_revealed_later": []}
        if found := grams(everything(library, doc, case, later, Bound(up_to=cap))) & hidden:
            leaks += 1
            print("LEAK", doc, cap, sorted(found)[:2], flush=True)
    return {"random caps": count, "random caps without a leak": count - leaks}


def finding(library: Library, docs: list[str], case: dict[str, Any], later: list[str], bound: Bound) -> str:
    """Return all that search, ask and locate print, errors included."""
    calls: list[Callable[[], Any]] = [lambda: library.ask(case["question"], docs=docs, bound=bound)]
    for query in [case["question"], *case["answers_revealed_later"]]:
        calls.append(lambda q=query: library.search(q, docs=docs, k=20, explain=True, bound=bound))
    calls += [lambda q=quote: library.locate(q, docs=docs, bound=bound) for quote in later]
    return APART.join(printed(call) for call in calls)


def everything(library: Library, doc: str, case: dict[str, Any], later: list[str], bound: Bound) -> str:
    """Return all that the reading commands print about one document, errors included."""
    length = library.scope([doc], bound=OPEN).only.characters
    sections = len(library.show(doc, bound=OPEN).contents)
    calls: list[Callable[[], Any]] = [
        lambda: library.show(doc, pages=True, bound=bound),
        lambda: library.text(doc, bound=bound),
        lambda: library.read(doc, bound=bound),
        lambda: library.search(case["question"], docs=[doc], mode="lexical", why_not=doc, bound=bound),
    ]
    for at in (0, length // 2, length - 1, max(0, (bound.up_to if isinstance(bound.up_to, int) else length) - 1)):
        calls.append(lambda at=at: library.read(doc, at=at, context=3, bound=bound))
    for number in range(1, sections + 1, 4):
        calls.append(lambda n=number: library.read(doc, section=n, bound=bound))
    return APART.join([finding(library, [doc], case, later, bound), *(printed(call) for call in calls)])


def printed(call: Callable[[], Any]) -> str:
    """Return what a call prints, its error where it has one."""
    try:
        return APART.join(strings(call().to_json()))
    except GlossatorError as error:
        return f"{error.message}{APART}{error.hint}"


def strings(value: Any) -> Iterator[str]:
    """Yield all texts of a JSON value, but the arguments of steps: those are the caller's own words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key != "args":
                yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def grams(text: str) -> set[tuple[str, ...]]:
    """Return all runs of `GRAM` words, none of them over two texts that stand `APART`."""
    found: set[tuple[str, ...]] = set()
    for alone in text.lower().split(APART):
        words = WORD.findall(alone)
        found |= {tuple(words[i : i + GRAM]) for i in range(len(words) - GRAM + 1)}
    return found


def later_quotations(text: str, cap: int) -> list[str]:
    """Return quotations that begin before, at and after the cap."""
    return [q for q in (text[max(0, cap - 40) : cap + 60].strip(), text[cap : cap + 80].strip()) if q]


def write_stories(folder: Path, stories: list[dict[str, Any]]) -> None:
    """Write each story as Markdown, a heading for each section."""
    for story in stories:
        parts = [f"## Part {n}\n\n{s['text']}\n" for n, s in enumerate(story["sections"], 1)]
        (folder / f"{story['story']}.md").write_text("\n".join(parts), "utf-8")


def stories_file() -> str:
    """Return the name of the file with the stories."""
    return next(p.name for p in data("longdoc", "fairytaleqa").glob("*stories.jsonl"))


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the values of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
