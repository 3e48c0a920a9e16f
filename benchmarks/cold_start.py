"""How long a command takes from the shell's view, in a process of its own: the cold start.

Asked: a cold search by words within 0.6 s, a hybrid one within 1.5 s (medians). The baselines in the same run are the
interpreter alone, and the interpreter importing numpy, which no search can do without.

Usage: python benchmarks/cold_start.py [--times N]
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from common import ROOT, record, summary, timed

EXAMPLES = [ROOT / "examples" / name for name in ("the-time-machine.epub", "journey-to-the-west.txt")]
ASKED = {"search, by words": 0.6, "search, hybrid, English": 1.5, "search, hybrid, two models": 1.5}


def main() -> None:
    """Build a library of both examples, run each command cold, and record the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        run("add", *map(str, EXAMPLES), library=library)
        commands = {
            "baseline: python -c pass": [sys.executable, "-c", "pass"],
            "baseline: python, import numpy": [sys.executable, "-c", "import numpy"],
            "--help": glossator("--help"),
            "list": glossator("list", library=library),
            "search, by words": glossator("search", "--mode", "lexical", "why the Morlocks", library=library),
            "search, hybrid, English": glossator(
                "search", "--doc", "The Time Machine", "why the Morlocks keep the Eloi", library=library
            ),
            "search, hybrid, two models": glossator("search", "why the Morlocks keep the Eloi", library=library),
            "ask": glossator("ask", "Why do the Morlocks keep the Eloi?", library=library),
        }
        figures = {name: summary(timed(lambda c=command: quiet(c), times=times)) for name, command in commands.items()}
    for name, limit in ASKED.items():
        figures[name] = {**figures[name], "asked": limit, "met": figures[name]["median"] <= limit}
    record("cold_start", figures)


def glossator(*words: str, library: Path | None = None) -> list[str]:
    """Return the command line of one command."""
    at = ["--library", str(library)] if library else []
    return [sys.executable, "-m", "glossator", *at, *words]


def quiet(command: list[str]) -> None:
    """Run a command line to its end, its output thrown away; it must succeed."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def run(*words: str, library: Path) -> None:
    """Run a command line and show its output."""
    subprocess.run(glossator(*words, library=library), check=True)


if __name__ == "__main__":
    main()
