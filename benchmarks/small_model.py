"""A real small model on the cheap path: does it cite the right place, and is it silent where nothing answers?

Questions of FairytaleQA, asked of one story up to where the reader has read: half of them are answered in the part that
is read, half only after it (`spoilers.jsonl`). Each answer goes through the path that a small model has
(`agent/json_path.py`): retrieval, the likeliest sentences in their context, one JSON reply, the check of it.

    cited          the citation stands in a gold section, of the questions that the part read answers
    silent, right  no answer where the part read has none
    silent, wrong  no answer where it has one
    false          quotations shown that an independent search does not find in the part read, word for word

Limits of the path were set on the stories of the slice `dev` (every third one by name), figures are of the others.
Baselines in the same run: the extractive answer without a model; the model without the path (the same passages, its
JSON reply taken as it is), on the first `BASELINE` questions and those that the path asks.

Every reply is kept in the cache folder as it comes: a run that was broken off goes on where it was. Figures can be
computed at any time from the replies that there are.

    python benchmarks/small_model.py [--slice dev|test] [--questions N] [--score]
"""

import argparse
import json
import math
import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from common import data, record
from glossator.agent import json_path
from glossator.agent.wall import Wall
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.library.scoping import Scoped
from qwen import NAME, Qwen, folder
from spoilers import read_lines, stories_file, write_stories

SEED = 5
BASELINE = 4  # first cases of which the model is asked whatever the path says, for the baseline
Case = dict[str, Any]


def main() -> None:
    """Ask what was not asked yet, then score and record."""
    options = argparse.ArgumentParser()
    options.add_argument("--slice", choices=("dev", "test"), default="test")
    options.add_argument("--questions", type=int, default=100)
    options.add_argument("--score", action="store_true", help="compute the figures of what there is; ask nothing")
    given = options.parse_args()
    chosen = cases(given.slice, given.questions)
    replies = folder() / f"replies-{given.slice}.jsonl"
    with library() as books:
        if not given.score:
            ask_all(books, chosen, replies)
        figures = scored(books, finished(books, chosen, replies))
    figures |= {"model": NAME, "slice": given.slice, "questions wanted": len(chosen)}
    record("small_model" if given.slice == "test" else "small_model-dev", figures)


def finished(books: Library, chosen: Sequence[Case], replies: Path) -> list[Case]:
    """Return the questions up to the first one that the model has still to be asked: any beginning is half and half."""
    known = {line["id"]: line for line in read_lines(replies)} if replies.exists() else {}
    where = places(books)
    done: list[Case] = []
    for n, case in enumerate(chosen):
        line = known.get(case["id"]) or prepared(books, where, case)
        line |= {"bears": prepared(books, where, case)["bears"]}
        if case["id"] not in known and (line["bears"] or n < BASELINE):
            break
        done.append({"reply": None, "cpu": 0.0} | line)
    return done


def scored(books: Library, done: Sequence[Case]) -> dict[str, Any]:
    """Return the figures of the replies that there are, and the baselines."""
    where = places(books)
    path = [judged(books, where, case, shown_by_path(books, where, case)) for case in done]
    plain = [judged(books, where, case, shown_by_extraction(books, where, case)) for case in done]
    alone = [judged(books, where, case, shown_as_is(books, where, case)) for case in done if case["reply"] is not None]
    figures: dict[str, Any] = {"questions": len(done)}
    for name, results in (
        ("", path),
        ("baseline, extractive ask: ", plain),
        ("baseline, model without the path: ", alone),
    ):
        figures |= {f"{name}{key}": value for key, value in rates(results).items()}
    took = [case["cpu"] for case in done if case["reply"] is not None]
    figures["seconds of CPU for a question that is asked, median"] = sorted(took)[len(took) // 2] if took else None
    return figures


def rates(results: Sequence[Case]) -> dict[str, Any]:
    """Return each rate with its 95 % interval, and the number of cases."""
    answered = [r for r in results if r["answerable"]]
    silent = [r for r in results if not r["answerable"]]
    return {
        "cited in the gold section, where answerable": interval([r["gold"] for r in answered]),
        "abstained, where answerable": interval([not r["shown"] for r in answered]),
        "abstained, where not": interval([not r["shown"] for r in silent]),
        "quotations shown": sum(r["shown"] for r in results),
        "quotations shown that the part read does not hold": sum(r["false"] for r in results),
    }


def interval(values: Sequence[bool]) -> str:
    """Return a rate with Wilson's 95 % interval."""
    n, z = len(values), 1.96
    if not n:
        return "none"
    p = sum(values) / n
    middle, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = ((middle + s * spread) / (1 + z * z / n) for s in (-1, 1))
    return f"{p:.2f} ({low:.2f}-{high:.2f}, n={n})"


Shown = list[tuple[str, int, int]]  # quotations with the places they are said to stand at


def judged(books: Library, where: dict[str, Any], case: Case, shown: Shown) -> Case:
    """Return what became of a case; quotations are looked for by a plain search of the part that was read."""
    doc, starts, length = where[case["story"]]
    text = books.text(doc, bound=Bound(uncapped=True)).text[: case["end"]]
    bare = re.sub(r"\s+", " ", text)
    spans = [(starts[g - 1], [*starts, length][g]) for g in case["gold"]]
    return {
        "answerable": bool(case["gold"]),
        "shown": bool(shown),
        "gold": any(a <= start < b for _, start, _ in shown for a, b in spans),
        "false": sum(re.sub(r"\s+", " ", quote).strip() not in bare or end > case["end"] for quote, _, end in shown),
    }


def shown_by_path(books: Library, where: dict[str, Any], case: Case) -> Shown:
    """Return what the path shows for a reply."""
    reply = json_path.parse(case["reply"] or "")
    if reply is None or not case["bears"]:
        return []
    reader = scope(books, where, case).reader
    key = reader.documents()[0].key
    found = json_path.check(reply, [(key, *p) for p in case["passages"]], reader, wall=Wall(reader))
    return [] if found is None else [(c.quote, c.locator.start, c.locator.end) for c in found.citations]


def shown_by_extraction(books: Library, where: dict[str, Any], case: Case) -> Shown:
    """Return what an answer without a model cites."""
    doc = where[case["story"]][0]
    found = books.ask(case["question"], docs=[doc], bound=Bound(up_to=case["end"]))
    return [(c.quote, c.locator.start, c.locator.end) for c in found.citations]


def shown_as_is(_books: Library, _where: dict[str, Any], case: Case) -> Shown:
    """Return what a reply cites when nothing is checked: its quotation, wherever its passage stands."""
    reply = json_path.parse(case["reply"] or "")
    if reply is None or not 0 < reply.passage <= len(case["passages"]):
        return []
    start, end = case["passages"][reply.passage - 1]
    return [(reply.quote, start, end)]


def scope(books: Library, where: dict[str, Any], case: Case) -> Scoped:
    """Return the story as far as it was read."""
    doc, starts, length = where[case["story"]]
    return books.scope([doc], bound=Bound(up_to=[*starts, length][case["read"]]))


def cases(part: str, count: int) -> list[Case]:
    """Return the questions of a slice: those the part read answers and those it does not, by turns."""
    stories = sorted({s["story"] for s in read_lines(data("longdoc", "fairytaleqa", stories_file()))})
    mine = {s for n, s in enumerate(stories) if (n % 3 == 0) == (part == "dev")}
    later = [c for c in read_lines(data("longdoc", "fairytaleqa", "spoilers.jsonl")) if c["story"] in mine]
    ends = {c["story"]: c["sections_total"] for c in later}
    gold = gold_sections()
    known = {c["id"] for c in later}
    told = []
    for query in read_lines(data("retrieval", "fairytaleqa-val", "queries.jsonl")):
        story, sections = query["scope_story"], gold.get(query["id"], [])
        if story not in ends or query["id"] in known or not sections or not query["text"].strip():
            continue
        read = max(*sections, (ends[story] + 1) // 2)
        told.append({"id": query["id"], "story": story, "question": query["text"], "read": read, "gold": sections})
    chance = random.Random(SEED)
    half = count // 2
    answered = chance.sample(told, min(half, len(told)))
    silent = [
        {"id": c["id"], "story": c["story"], "question": c["question"], "read": c["read_up_to_section"], "gold": []}
        for c in chance.sample(later, min(half, len(later)))
    ]
    return [case for pair in zip(answered, silent, strict=False) for case in pair]


def gold_sections() -> dict[str, list[int]]:
    """Return the sections that answer each question."""
    found: dict[str, list[int]] = {}
    for line in data("retrieval", "fairytaleqa-val", "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, _ = line.split("\t")
        found.setdefault(query, []).append(int(document.rpartition("#")[2]))
    return found


def library() -> Library:
    """Return the library of all stories, made once."""
    place, files = folder() / "library", folder() / "stories"
    if not files.exists():
        files.mkdir(parents=True)
        write_stories(files, read_lines(data("longdoc", "fairytaleqa", stories_file())))
    books = Library.open(place, embedder="builtin:minilm")
    books.add([str(files)], glob="*.md")
    return books


def places(books: Library) -> dict[str, tuple[str, list[int], int]]:
    """Return of each story its id, where its sections begin, and its length."""
    found = {}
    for entry in books.documents().documents:
        starts = [e.start or 0 for e in books.show(entry.id, bound=Bound(uncapped=True)).contents]
        text = books.text(entry.id, bound=Bound(uncapped=True)).text
        found[Path(entry.sources[0]).stem] = (entry.id, starts, len(text))
    return found


def prepared(books: Library, where: dict[str, Any], case: Case) -> Case:
    """Return a case with what the path would show the model, and whether it would ask."""
    starts, length = where[case["story"]][1:]
    reader = scope(books, where, case).reader
    found = json_path.retrieve(reader, case["question"], json_path.LOOKED_AT)
    passages = json_path.shown(reader, case["question"], found.passages)
    bears = json_path.bears(reader, case["question"], passages)
    return case | {"end": [*starts, length][case["read"]], "passages": [p[1:] for p in passages], "bears": bears}


def ask_all(books: Library, chosen: Sequence[Case], replies: Path) -> None:
    """Ask the model what the path would ask it and is not answered yet, one line of the file each."""
    done = {line["id"] for line in read_lines(replies)} if replies.exists() else set()
    where = places(books)
    model = cache(Qwen)
    with replies.open("a", encoding="utf-8") as out:
        for n, case in enumerate(chosen):
            if case["id"] in done:
                continue
            line = prepared(books, where, case)
            if line["bears"] or n < BASELINE:
                line |= asked(books, where, line, model())
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
                out.flush()
            print(n, bool(case["gold"]), line["bears"], case["question"], line.get("reply"), flush=True)


def asked(books: Library, where: dict[str, Any], case: Case, model: Qwen) -> Case:
    """Return what the model replies to a case."""
    reader = scope(books, where, case).reader
    key = reader.documents()[0].key
    texts = [reader.text(key, *p) for p in case["passages"]]
    messages = [
        {"role": "system", "content": json_path.SYSTEM},
        {"role": "user", "content": json_path.request(case["question"], texts)},
    ]
    said = model.say(messages, schema=json_path.schema(len(texts)), most=110)
    return {"reply": said.text, "cpu": round(said.cpu_seconds, 1), "tokens": [said.prompt_tokens, said.tokens]}


if __name__ == "__main__":
    main()
