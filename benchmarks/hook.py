"""What the hook puts beside prompts, and what it leaves alone; and how long a person waits for it.

Answerable: questions of FairytaleQA and CMRC 2018, each on a library of its own set, as far as the search has their
passage among its first three; right is that anything is put beside them. Off the subject: prompts of coding work in
English and Chinese (`data/hook/coding-*.txt`), on both libraries. Of the subject, but not answered there: questions
about other fairy tales, and of general knowledge in Chinese (`data/hook/unanswerable-*.txt`). The gate and its limits
were set while looking at these prompts; those of `data/hook/held-out-*.txt` were not looked at, and their figures stand
beside. The known limit is shown, too: what the tales do not say of their own people (`data/hook/own-people-en.txt`).

How long a person waits is recorded apart (`…_waits`), because it asks for a quiet machine, which the rates do not.

The baseline puts the best passage beside every prompt for which any is found, as a blind hook does.

    python benchmarks/hook.py [--questions N] [--embedder SPEC|default] [--language en|zh] [--times N]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from answers import write_articles
from common import ROOT, data, record, summary, timed
from glossator.library.consult import consult
from glossator.library.library import Library
from glossator.library.results import Bound

PROMPTS = ROOT / "benchmarks" / "data" / "hook"
SETS = {"en": ("fairytaleqa-val", "unanswerable-en.txt"), "zh": ("cmrc2018-trial", "unanswerable-zh.txt")}
CODING = ("coding-en.txt", "coding-zh.txt")
TOP = 3


def main() -> None:
    """Ask the gate about all prompts, time the hook, and record the rates."""
    options = argparse.ArgumentParser()
    options.add_argument("--questions", type=int, default=300)
    options.add_argument("--embedder", default="none")
    options.add_argument("--language", choices=tuple(SETS), help="only this one")
    options.add_argument("--times", type=int, default=9, help="how often the waits are timed; 0: not")
    given = options.parse_args()
    name = "hook" if given.embedder == "none" else "hook_vectors"
    figures: dict[str, Any] = {"embedder": given.embedder}
    for language, (own, unanswerable) in SETS.items():
        if given.language not in (None, language):
            continue
        with tempfile.TemporaryDirectory() as folder:
            write_articles(Path(folder) / "files", own)
            embedder = None if given.embedder == "default" else given.embedder
            with Library.open(Path(folder) / "library", embedder=embedder) as library:
                library.add([str(Path(folder) / "files")])
                words_only = given.embedder == "none"
                rates = answerable(library, own, given.questions, words_only=words_only)
                rates |= silent(library, "off the subject", *CODING, words_only=words_only)
                rates |= silent(library, "of the subject, unanswered", unanswerable, words_only=words_only)
                if language == "en":
                    own_people = [asked(library, prompt, words_only) for prompt in prompts_of("own-people-en.txt")]
                    rates["not told of its own people: prompts"] = len(own_people)
                    rates["not told of its own people: told"] = round(sum(own_people) / len(own_people), 4)
            if language == "en" and given.times:
                record(f"{name}_waits", waits(Path(folder) / "library", given.times))
        figures |= {f"{language}: {key}": value for key, value in rates.items()}
    record(name, figures)


def answerable(library: Library, name: str, count: int, *, words_only: bool) -> dict[str, Any]:
    """Return how often something is put beside a question whose passage the search has among its first three."""
    corpus = {p["id"]: p["text"] for p in lines_of(name, "corpus.jsonl")}
    gold: dict[str, list[str]] = {}
    for line in data("retrieval", name, "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        question, passage, *_ = line.split("\t")
        gold.setdefault(question, []).append(corpus.get(passage, ""))
    questions = [q for q in lines_of(name, "queries.jsonl") if q["text"].strip()]
    found = told = 0
    for question in random.Random(31).sample(questions, min(count, len(questions))):
        mode = "lexical" if words_only else "hybrid"
        hits = library.search(question["text"], k=TOP, mode=mode).hits
        if any(alike(hit.text, passage) for hit in hits for passage in gold.get(question["id"], ())):
            found += 1
            told += asked(library, question["text"], words_only)
    return {"questions with their passage in the first three": found, "of them told": round(told / found, 3)}


def silent(library: Library, what: str, *files: str, words_only: bool) -> dict[str, Any]:
    """Return how often something is put beside prompts that should be left alone, and what a blind hook would do."""
    prompts = [prompt for name in files for prompt in prompts_of(name)]
    told = [asked(library, prompt, words_only) for prompt in prompts]
    blind = [bool(library.search(prompt, k=1, mode="lexical").hits) for prompt in prompts]
    held_out = [asked(library, prompt, words_only) for name in files for prompt in prompts_of(f"held-out-{name}")]
    return {
        f"{what}: prompts": len(prompts),
        f"{what}: told": round(sum(told) / len(told), 4),
        f"{what}, held out: prompts": len(held_out),
        f"{what}, held out: told": round(sum(held_out) / len(held_out), 4),
        f"{what}: baseline, a blind hook": round(sum(blind) / len(blind), 3),
    }


def prompts_of(name: str) -> list[str]:
    """Return the prompts of a file, one a line."""
    return [line for line in (PROMPTS / name).read_text("utf-8").splitlines() if line.strip()]


def asked(library: Library, prompt: str, words_only: bool) -> bool:
    """Return whether passages are put beside a prompt."""
    return consult(library.scope((), bound=Bound()), prompt, words_only=words_only).relevant


def alike(hit: str, passage: str) -> bool:
    """Return whether a hit holds a part of a passage, or lies in it."""
    pieces = [hit[at : at + 60] for at in range(0, max(1, len(hit) - 60), 40)]
    return any(piece in passage for piece in pieces) or passage[:80] in hit


def waits(folder: Path, times: int) -> dict[str, Any]:
    """Return how long the hook takes: in a process of its own without a server, and with one running."""
    event = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": "Who had seven sons and one daughter?"})
    code = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": "fix the failing test in tests/test_parser.py"})
    figures: dict[str, Any] = {
        "seconds, baseline: python -c pass": waited([sys.executable, "-c", "pass"], folder, "", times),
        "seconds, no server, passages told": waited(HOOK, folder, event, times),
        "seconds, no server, silent": waited(HOOK, folder, code, times),
    }
    words = [sys.executable, "-m", "glossator", "--library", str(folder), "--json", "serve", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        try:
            assert server.stdout is not None
            server.stdout.readline()
            deadline = time.monotonic() + 30
            while not (folder / "server.json").exists() and time.monotonic() < deadline:
                time.sleep(0.1)
            figures["seconds, with a server"] = waited(HOOK, folder, event, times)
        finally:
            server.terminate()
            server.wait(10)
    return figures


def waited(command: Sequence[str], folder: Path, event: str, times: int) -> dict[str, float]:
    """Return how long a command takes, and how much of the processor: that hardly depends on what else runs."""
    quiet(command, folder, event)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = timed(lambda: quiet(command, folder, event), times=times, warm=0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return {**summary(taken), "processor": round(spent / times, 4)}


HOOK = [sys.executable, "-m", "glossator", "hook"]


def quiet(command: Sequence[str], folder: Path, event: str) -> None:
    """Run a command line on an event, its output thrown away; it must succeed."""
    environment = {**os.environ, "GLOSSATOR_LIBRARY": str(folder), "GLOSSATOR_HOOK_SERVER": "off"}
    subprocess.run(command, input=event.encode(), check=True, stdout=subprocess.DEVNULL, env=environment)


def lines_of(name: str, file: str) -> list[dict[str, Any]]:
    """Return the lines of a set."""
    return [json.loads(line) for line in data("retrieval", name, file).read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
