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
JSON reply taken as it is).

Every reply is kept in the cache folder as it comes: a run that was broken off goes on where it was. Figures can be
computed at any time from the replies that there are.

    python benchmarks/small_model.py [--slice dev|test] [--questions N] [--score]
"""

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from common import data, record
from glossator.agent import json_path
from glossator.library.library import Library
from glossator.library.results import Bound
from qwen import NAME, Qwen, folder
from spoilers import read_lines, stories_file, write_stories

SEED = 5
Case = dict[str, Any]


def main() -> None:
    """Ask what was not asked yet, then score and record."""
    options = argparse.ArgumentParser()
    options.add_argument("--slice", choices=("dev", "test"), default="test")
    options.add_argument("--questions", type=int, default=100)
    options.add_argument("--score", action="store_true", help="compute the figures of what there is; ask nothing")
    given = options.parse_args()
    chosen = cases(given.slice, given.questions)
    with library() as books:
        replies = folder() / f"replies-{given.slice}.jsonl"
        if not given.score:
            ask_all(books, chosen, replies)
        print(json.dumps(asdict(json_path.Reply(0, "", ""))), NAME, record.__name__)


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


def ask_all(books: Library, chosen: Sequence[Case], replies: Path) -> None:
    """Ask the model what is not answered yet, one line of the file each."""
    done = {line["id"] for line in read_lines(replies)} if replies.exists() else set()
    where = places(books)
    model: Qwen | None = None
    with replies.open("a", encoding="utf-8") as out:
        for n, case in enumerate(chosen):
            if case["id"] in done:
                continue
            model = model or Qwen()
            line = case | asked(books, where, case, model)
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            out.flush()
            print(n, case["question"], line["reply"], line["p_zero"], line["p_yes"], line["cpu"], flush=True)


def asked(books: Library, where: dict[str, Any], case: Case, model: Qwen) -> Case:
    """Return what the model replies to a case, with the figures that an abstention may go by."""
    doc, starts, length = where[case["story"]]
    end = [*starts, length][case["read"]]
    shown = books.scope([doc], bound=Bound(up_to=end))
    found = json_path.retrieve(shown.reader, case["question"], json_path.LOOKED_AT)
    passages = json_path.shown(shown.reader, case["question"], found.passages)
    texts = [shown.reader.text(*p) for p in passages]
    messages = [
        {"role": "system", "content": json_path.SYSTEM},
        {"role": "user", "content": json_path.request(case["question"], texts)},
    ]
    said = model.say(messages, schema=json_path.schema(len(texts)), most=110, likely=8)
    messages += [{"role": "assistant", "content": said.text}, {"role": "user", "content": DOUBT}]
    doubt = model.say(messages, most=1, likely=8)
    return {
        "end": end,
        "relevant": found.relevant,
        "passages": [p[1:] for p in passages],
        "reply": said.text,
        "p_zero": zero(said.likely),
        "p_yes": yes(doubt.likely),
        "likely": [(t, round(p, 3)) for t, p, _ in said.likely],
        "cpu": round(said.cpu_seconds + doubt.cpu_seconds, 1),
        "tokens": [said.prompt_tokens, said.tokens],
    }


DOUBT = "Do these words really state the answer to the question? Reply with one word: yes or no."


def zero(likely: Sequence[tuple[str, float, dict[str, float]]]) -> float:
    """Return how likely the model held it that no passage answers: the weight of the digit 0 at the first digit."""
    for token, _, others in likely:
        if re.fullmatch(r"\s*\d\s*", token):
            digits = {t.strip(): p for t, p in others.items() if t.strip().isdigit()}
            return round(digits.get("0", 0.0) / (sum(digits.values()) or 1.0), 4)
    return 0.0


def yes(likely: Sequence[tuple[str, float, dict[str, float]]]) -> float:
    """Return how likely the first word is yes rather than no."""
    words = likely[0][2] if likely else {}
    of = {w: sum(p for t, p in words.items() if t.strip().lower() == w) for w in ("yes", "no")}
    return round(of["yes"] / ((of["yes"] + of["no"]) or 1.0), 4)


def lines(path: Path) -> Iterator[Case]:
    """Yield the replies of a file."""
    yield from read_lines(path)


if __name__ == "__main__":
    main()
