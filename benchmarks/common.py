"""What all benchmarks share: where their material is, and a record of what they measured under the commit."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
_FOLDER = Path(os.environ.get("GLOSSATOR_DATA") or ROOT.parent / "shared" / "data")
DATA: Path | None = _FOLDER if _FOLDER.is_dir() else None


def data(*parts: str) -> Path:
    """Return a path inside the evaluation material, or end the benchmark saying what is missing."""
    if DATA is None:
        sys.exit("this benchmark needs the evaluation material: set GLOSSATOR_DATA to its folder")
    path = DATA.joinpath(*parts)
    if not path.exists():
        sys.exit(f"this benchmark needs {path}")
    return path


def record(name: str, figures: Mapping[str, Any]) -> Path:
    """Write the figures to `results/NAME.json` with the commit they belong to, print them, and return the path.

    A commit that ends in "+" had uncommitted changes.
    """
    commit = _git("rev-parse", "--short=12", "HEAD") + ("+" if _git("status", "--porcelain", "--", "src") else "")
    entry = {"commit": commit, "date": datetime.now(UTC).isoformat(timespec="seconds"), "figures": dict(figures)}
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(entry, ensure_ascii=False, indent=2) + "\n", "utf-8")
    print(f"{name} ({commit})")
    for key, value in figures.items():
        print(f"  {key}: {value}")
    return path


def timed(run: Callable[[], object], *, times: int, warm: int = 1) -> list[float]:
    """Return how long each of `times` runs took, in seconds, sorted, after `warm` runs that do not count."""
    for _ in range(warm):
        run()
    taken = []
    for _ in range(times):
        start = perf_counter()
        run()
        taken.append(perf_counter() - start)
    return sorted(taken)


def summary(seconds: list[float]) -> dict[str, float]:
    """Return median, best and 90th percentile of sorted times, in seconds."""
    return {
        "median": round(median(seconds), 4),
        "best": round(seconds[0], 4),
        "p90": round(seconds[int(len(seconds) * 0.9) - 1 if len(seconds) > 1 else 0], 4),
    }


def _git(*words: str) -> str:
    done = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "unknown"
