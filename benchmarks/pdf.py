"""PDF layout: reading order, paragraphs, tables, notes, text, and speed, with the prototype beside it in the same run.

    python -m benchmarks.pdf            all of it, about two minutes
    python -m benchmarks.pdf --fast     no speed

The scorers and the prototype belong to the evaluation material (`tools/` and `prototypes/` beside its folder) and are
run by path; without the prototype its column is left out, saying so.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.common import data, record

from glossator.document.model import PageAnchor
from glossator.parse.pdf import read

Blocks = list[dict[str, Any]]  # kind, text, rows of a table, pages: those it stands on
Parser = Callable[[Path], Blocks]
LAYOUT = ("overall", "reading_order", "paragraph_f1", "heading_f1", "footnote_f1", "teds", "running_leak")
TRUTH = ("debian-faq.en", "debmake-doc.zh-cn", "geotopo", "maint-guide.zh-cn", "project-history.en")
TIMED = ("project-history.en", "maint-guide.zh-cn", "geotopo")


def ours(path: Path) -> Blocks:
    blocks = []
    for block in read(path).blocks:
        assert isinstance(block.anchor, PageAnchor)
        pages = sorted({line.page for line in block.anchor.lines})
        entry = {"kind": block.kind, "text": block.text, "page": pages[0], "pages": pages}
        blocks.append(entry | ({"rows": block.rows} if block.rows else {}))
    return blocks


def prototype(tools: Path) -> Parser | None:
    path = tools.parent / "prototypes" / "pdf_layout.py"
    if not path.exists():
        print(f"no prototype at {path}: its column is left out")
        return None
    spec = importlib.util.spec_from_file_location("pdf_layout_prototype", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)

    def parse(file: Path) -> Blocks:
        return [b | {"pages": sorted({line[0] for line in b["lines"]})} for b in module.parse(file)]

    return parse


def layout_scores(parse: Parser, tools: Path, folder: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as out:
        for pdf in sorted(folder.glob("*.pdf")):
            Path(out, f"{pdf.stem}.json").write_text(json.dumps({"blocks": parse(pdf)}), "utf-8")
        lines = run(tools / "score_layout.py", "--truth", folder, "--pred", out)
    whole = next(line for line in lines if line.get("set") == "all")
    return {key: whole[key] for key in LAYOUT}


def order_tests(parse: Parser, tools: Path) -> str:
    tests = data("pdf-truth", "order-tests.jsonl")
    names = {json.loads(line)["pdf"] for line in tests.read_text("utf-8").splitlines()}
    with tempfile.TemporaryDirectory() as out:
        for name in names:
            blocks = [b for b in parse(data("parsing", "pdf", name)) if b["kind"] != "running"]
            for page in {p for b in blocks for p in b["pages"]}:
                text = "\n".join(b["text"] for b in blocks if page in b["pages"])
                Path(out, f"{Path(name).stem}_pg{page}.txt").write_text(text, "utf-8")
        (result,) = run(tools / "score.py", "unit", "--tests", tests, "--hyp-dir", out)
    return f"{result['passed']}/{result['run']}"


def token_f1(parse: Parser, tools: Path, name: str) -> float:
    text = "\n\n".join(b["text"] for b in parse(data("pdf-truth", f"{name}.pdf")) if b["kind"] != "running")
    folder = data("pdf-truth")
    truth = next(p for p in (folder / f"{name}.txt", folder / f"{name}.txt.gz") if p.exists())
    with tempfile.TemporaryDirectory() as out:
        Path(out, "hyp.txt").write_text(text, "utf-8")
        (result,) = run(tools / "score.py", "text", "--ref", truth, "--hyp", Path(out, "hyp.txt"))
    return float(result["token_f1"])


def speed(parsers: dict[str, Parser], name: str) -> dict[str, float]:
    """Return pages per second of processor time, best of three runs in turn."""
    path = data("pdf-truth", f"{name}.pdf")
    pages = len(read(path).pages)
    best = dict.fromkeys(parsers, float("inf"))
    for _ in range(3):
        for who, parse in parsers.items():
            start = process_time()
            parse(path)
            best[who] = min(best[who], process_time() - start)
    figures = {who: round(pages / seconds, 1) for who, seconds in best.items()}
    return figures | ({"ratio": round(best["prototype"] / best["glossator"], 2)} if "prototype" in best else {})


def run(script: Path, *arguments: object) -> list[dict[str, Any]]:
    done = subprocess.run((sys.executable, script, *map(str, arguments)), check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--fast", action="store_true", help="no speed")
    fast = options.parse_args().fast
    tools = data().parent / "tools"
    baseline = prototype(tools)
    parsers: dict[str, Parser] = {"glossator": ours} | ({"prototype": baseline} if baseline else {})
    figures: dict[str, Any] = {}
    for part in ("ordered", "shuffled"):
        for who, parse in parsers.items():
            figures[f"pdf-layout {part}, {who}"] = layout_scores(parse, tools, data("pdf-layout", part))
    for who, parse in parsers.items():
        figures[f"order tests, {who}"] = order_tests(parse, tools)
        figures[f"pdf-truth token F1, {who}"] = {name: token_f1(parse, tools, name) for name in TRUTH}
    if not fast:
        for name in TIMED:
            figures[f"pages per second, {name}"] = speed(parsers, name)
    record("pdf", figures)


if __name__ == "__main__":
    main()
