"""Do extractive answers cite the right passage, and do they abstain when nothing answers?

Answerable: questions of XQuAD (English, Chinese) over its own paragraphs, one Markdown document per article. Right is
an answer that cites a sentence with the gold answer in it. Unanswerable: questions of another set (FairytaleQA, CMRC
2018) over the same library; right is an abstention. Beside them 40 paraphrased questions over the example texts, which
share few words with their passages: right is a citation that touches the passage.

The baseline answers always, with the sentence of the best passage that shares most words with the question.

The limits of `library/answer.py` that decide an abstention were set on other questions of these sets (200 of each for
English, 100 for Chinese, drawn by another seed); the paraphrases were not looked at for that.

    python benchmarks/answers.py [--questions N] [--embedder SPEC]
"""

import argparse
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from common import ROOT, data, record
from glossator.document.sentence import sentences
from glossator.index.tokens import query_tokens, tokens
from glossator.library.library import Library

SETS = {"en": ("xquad-en", "fairytaleqa-val"), "zh": ("xquad-zh", "cmrc2018-trial")}


def main() -> None:
    """Ask all sets, and record the rates."""
    options = argparse.ArgumentParser()
    options.add_argument("--questions", type=int, default=100)
    options.add_argument("--embedder")
    given = options.parse_args()
    figures: dict[str, Any] = {"embedder": given.embedder or "by language"}
    for language, (own, other) in SETS.items():
        with tempfile.TemporaryDirectory() as folder:
            write_articles(Path(folder) / "files", own)
            with Library.open(Path(folder) / "library", embedder=given.embedder) as library:
                library.add([str(Path(folder) / "files")])
                answerable = sample(own, given.questions)
                rates = of_answerable(library, answerable) | of_unanswerable(library, sample(other, given.questions))
        figures |= {f"{language}: {key}": value for key, value in rates.items()}
    figures |= of_paraphrases(given.embedder)
    record("answers", figures)


def of_answerable(library: Library, questions: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return how often a question was answered, and how often with a sentence that holds the gold answer."""
    answered = right = first = baseline = 0
    for question in questions:
        answer = library.ask(question["text"])
        holds = [any(gold in c.quote for gold in question["answers"]) for c in answer.citations]
        answered += not answer.abstained
        right += any(holds)
        first += bool(holds and holds[0])
        baseline += any(gold in plain_answer(library, question["text"]) for gold in question["answers"])
    n = len(questions)
    return {
        "answered": round(answered / n, 3),
        "gold answer cited": round(right / n, 3),
        "gold answer in the first citation": round(first / n, 3),
        "baseline: gold answer in the best passage's likest sentence": round(baseline / n, 3),
    }


def of_unanswerable(library: Library, questions: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return how often the answer to a question about something else was withheld; the baseline never does."""
    questions = [q for q in questions if q["text"].strip()]  # a set has an empty line
    abstained = sum(library.ask(q["text"]).abstained for q in questions)
    return {"abstained on another set's questions": round(abstained / len(questions), 3)}


def of_paraphrases(embedder: str | None) -> dict[str, float]:
    """Return how often the paraphrased questions over the example texts are answered, and from the right place."""
    figures: dict[str, float] = {}
    for path in sorted((ROOT / "benchmarks" / "data" / "paraphrase").glob("*.jsonl")):
        questions = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        answered = right = 0
        with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder), embedder=embedder) as library:
            library.add([str(ROOT / "examples" / name) for name in {q["document"] for q in questions}])
            for question in questions:
                answer = library.ask(question["question"])
                place = library.locate(question["quote"]).locator
                answered += not answer.abstained
                right += place is not None and any(
                    c.locator.start < place.end and place.start < c.locator.end for c in answer.citations
                )
        figures[f"{path.stem}: paraphrases answered"] = round(answered / len(questions), 3)
        figures[f"{path.stem}: paraphrases answered from the right sentence"] = round(right / len(questions), 3)
    return figures


def plain_answer(library: Library, question: str) -> str:
    """Return the sentence of the best passage that shares most terms with the question, all terms alike."""
    wanted = set(query_tokens(question))
    for hit in library.search(question, k=1).hits:
        spans = sentences(hit.text)
        return max((hit.text[a:b] for a, b in spans), key=lambda s: len(wanted & set(tokens(s))), default="")
    return ""


def sample(name: str, count: int) -> list[dict[str, Any]]:
    """Return some questions of a set, the same ones each time."""
    lines = data("retrieval", name, "queries.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in random.Random(29).sample(lines, min(count, len(lines)))]


def write_articles(folder: Path, name: str) -> None:
    """Write the paragraphs of a set as one Markdown document for each title."""
    folder.mkdir()
    articles: dict[str, list[str]] = defaultdict(list)
    for line in data("retrieval", name, "corpus.jsonl").read_text("utf-8").splitlines():
        paragraph = json.loads(line)
        articles[paragraph["title"]].append(paragraph["text"])
    for n, (title, paragraphs) in enumerate(articles.items()):
        text = "\n\n".join([f"# {title.replace('_', ' ')}", *paragraphs])
        (folder / f"{n:03}.md").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
