"""Is a library whole after its process was killed while adding?

A process adds many files and is killed (SIGKILL) at a random moment: while it starts, parses, writes, merges postings
or embeds. Then the library must pass every check of its file and tables, every document that was acknowledged must
be there with its text and be found by its own words, and adding again must bring in the rest. A library that never
was made (killed before that) counts as consistent when adding again works.

Beside it stands how many kills met work half done (files missing, vectors pending): a run that always killed an idle
process would prove nothing.

    python benchmarks/kill_add.py [--kills N] [--files N]
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import record
from glossator.errors import NotFound
from glossator.library.library import Library
from glossator.store import integrity

CHILD = """
import sys
from pathlib import Path
from glossator.library.library import Library

def told(event):
    if event.stage == "reading":
        print(event.done, flush=True)

with Library.open(Path(sys.argv[1]), embedder=sys.argv[3]) as library:
    library.add([sys.argv[2]], progress=told)
print("end", flush=True)
"""
COUNTS = ("consistent", "acknowledged", "acknowledged and lost", "met half done", "resumed")
SYLLABLES = ["ba", "ke", "lo", "mi", "nu", "ra", "se", "ti", "vo", "zu", "dra", "fen", "gol", "hir", "jat"]


def main() -> None:
    """Kill as often as asked, and record what was found."""
    options = argparse.ArgumentParser()
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--files", type=int, default=40)
    options.add_argument("--embedder", default="builtin:minilm")
    given = options.parse_args()
    chance = random.Random(11)
    totals = {
        "kills": 0,
        "consistent": 0,
        "acknowledged": 0,
        "acknowledged and lost": 0,
        "met half done": 0,
        "resumed": 0,
    }
    with tempfile.TemporaryDirectory() as folder:
        words = write_files(Path(folder) / "files", given.files, chance)
        whole = run(Path(folder) / "whole", Path(folder) / "files", given.embedder, None)[1]
        for n in range(given.kills):
            library = Path(folder) / f"library{n}"
            acknowledged, _ = run(library, Path(folder) / "files", given.embedder, chance.uniform(0.05, whole))
            totals["kills"] += 1
            for key, value in judge(library, Path(folder) / "files", words, acknowledged, given.embedder).items():
                totals[key] += value
    record("kill_add", totals | {"seconds of an undisturbed add": round(whole, 1)})


def run(library: Path, files: Path, embedder: str, kill_after: float | None) -> tuple[int, float]:
    """Add, killed after some seconds; return how many files were acknowledged, and how long it ran."""
    start = time.perf_counter()
    command = [sys.executable, "-c", CHILD, str(library), str(files), embedder]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        out, _ = child.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
        out, _ = child.communicate()
    told = [int(line) for line in out.split() if line.isdecimal()]
    return max(told, default=0), time.perf_counter() - start


def judge(folder: Path, files: Path, words: dict[str, str], acknowledged: int, embedder: str) -> dict[str, int]:
    """Return what is true of the library that was left, and of adding again."""
    found = {
        "acknowledged": acknowledged,
        "acknowledged and lost": 0,
        "met half done": 0,
        "consistent": 0,
        "resumed": 0,
    }
    try:
        with Library.open(folder, create=False, embedder="none") as library:
            problems = check(library)
            names = sorted(words)[:acknowledged]
            found["acknowledged and lost"] = sum(not holds(library, name, words[name]) for name in names)
            with library.database.read() as c:
                pending = c.execute("select count(*) from content where vectors = 'pending'").fetchone()[0]
            found["met half done"] = int(pending > 0 or len(library.documents().documents) < len(words))
    except NotFound:  # killed before the library was made
        problems = ["acknowledged without a library"] if acknowledged else []
        found["met half done"] = 1
    found["consistent"] = int(not problems)
    for problem in problems:
        print("PROBLEM", folder.name, problem)
    with Library.open(folder, embedder=embedder) as library:
        result = library.add([str(files)])
        complete = all(d.status in ("added", "unchanged") and d.vectors == "ready" for d in result.documents)
        found["resumed"] = int(complete and len(result.documents) == len(words) and not check(library))
    return found


def check(library: Library) -> list[str]:
    """Return everything that is wrong with the file and its tables."""
    with library.database.read() as c:
        return [problem for find in integrity.CHECKS.values() for problem in find(c)]


def holds(library: Library, name: str, word: str) -> bool:
    """Return whether a document is found by the word that only it holds."""
    hits: Any = library.search(word, mode="lexical").hits
    return any(h.document.source and h.document.source.endswith(name) for h in hits)


def write_files(folder: Path, count: int, chance: random.Random) -> dict[str, str]:
    """Write Markdown files of a few pages, each with a word of its own; return name and word."""
    folder.mkdir()
    words: dict[str, str] = {}
    for n in range(count):
        word = "".join(chance.choices(SYLLABLES, k=5)) + f"x{n}"
        sentences = [" ".join("".join(chance.choices(SYLLABLES, k=2)) for _ in range(12)) + "." for _ in range(60)]
        sentences[30] = f"The {word} stood there."
        name = f"file{n:03}.md"
        (folder / name).write_text(f"# File {n}\n\n" + "\n\n".join(sentences), "utf-8")
        words[name] = word
    return words


if __name__ == "__main__":
    main()
