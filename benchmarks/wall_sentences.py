"""Does the wall withhold sentences that tell what was not read, without a name in them, and what does that cost?

155 questions of FairytaleQA whose answer stands in a section that was not read. The answers people gave are what a
model that knows the story would write, without a receipt: held is one that is masked or withheld. Those whose words
are all in the part read tell nothing and are left out. The price: answers to questions about the part read, also
without a receipt (held wrongly, though the reader loses only a sentence that was not cited), and the same with the
sentence of the text that bears them out quoted behind them, as the model is told to do.

The rule was developed on these questions; the baseline is the masking of names alone.

    python benchmarks/wall_sentences.py
"""

import tempfile
from pathlib import Path
from typing import Any

from common import data, record
from glossator.agent.wall import Wall
from glossator.index.tokens import query_tokens, tokens
from glossator.library.analysis.first_seen import first_seen
from glossator.library.library import Library
from glossator.library.results import Bound
from wall import lines, rate

OPEN = Bound(uncapped=True)


def main() -> None:
    """Ask all cases, and record the rates."""
    stories = {s["story"]: s for s in lines(data("longdoc", "fairytaleqa", "val.stories.jsonl"))}
    cases = lines(data("longdoc", "fairytaleqa", "spoilers.jsonl"))
    counts = dict.fromkeys(("later", "held", "named", "read", "lost", "cited", "lost though cited"), 0)
    with tempfile.TemporaryDirectory() as folder:
        names = sorted({c["story"] for c in cases})
        for name in names:
            parts = [f"## Part {n}\n\n{s['text']}\n" for n, s in enumerate(stories[name]["sections"], 1)]
            Path(folder, f"{name}.md").write_text("\n".join(parts), "utf-8")
        with Library.open(Path(folder) / "library", embedder="none") as library:
            added = library.add([folder], glob="*.md")
            ids = {Path(d.source).stem: d.id or "" for d in added.documents}
            for case in cases:
                measure(library, ids[case["story"]], stories[case["story"]], case, counts)
    record(
        "wall_sentences",
        {
            "answers that tell what was not read": counts["later"],
            "held": rate(counts["held"], counts["later"]),
            "baseline, masking of names alone": rate(counts["named"], counts["later"]),
            "answers about the part read, not cited: withheld": rate(counts["lost"], counts["read"]),
            "the same, cited: withheld": rate(counts["lost though cited"], counts["cited"]),
        },
    )


def measure(library: Library, doc: str, story: dict[str, Any], case: dict[str, Any], counts: dict[str, int]) -> None:
    """Add one case to the counts."""
    text = library.text(doc, bound=OPEN).text
    starts = [e.start or 0 for e in library.show(doc, bound=OPEN).contents]
    cap = starts[case["read_up_to_section"]]
    wall = Wall(library.scope([doc], bound=Bound(up_to=cap)).reader)
    met = set(tokens(text[:cap]))
    for answer in case["answers_revealed_later"]:
        if set(query_tokens(answer)) <= met:
            continue
        counts["later"] += 1
        counts["held"] += wall.hold(sentence(answer)) is not None
        counts["named"] += bool(first_seen(text).later(answer, cap))
    for question in story["qa"][:: max(1, len(story["qa"]) // 6)]:
        gold = question["gold_sections"]
        if not gold or max(gold) > case["read_up_to_section"]:
            continue
        answer = sentence(question["answers"][0])
        counts["read"] += 1
        counts["lost"] += wall.hold(answer) is not None
        quoted = " ".join(story["sections"][max(gold) - 1]["text"].split()[:14])
        counts["cited"] += 1
        counts["lost though cited"] += wall.hold(f"{answer[:-1]}: “{quoted}” [1]", cited=True) is not None


def sentence(answer: str) -> str:
    """Return an answer as a sentence."""
    words = " ".join(answer.split()).rstrip(".")
    return f"{words[:1].upper()}{words[1:]}."


if __name__ == "__main__":
    main()
