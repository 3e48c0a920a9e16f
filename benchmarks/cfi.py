"""Do our CFIs lead foliate-js to the same text? Elements, passages inside a block, passages over several blocks.

Runs the npm package in Node on the canonical XHTML of every EPUB of the material. An element's text must be equal
character for character; a passage's, white space aside, to the words of the canonical text (which has one white-space
rule, and separators between blocks and cells), pictures' alternative text left out, which is no text of the DOM.
Beside it ("naive"): CFIs of the same passages made as if a block were one text node and its canonical text the raw
one. Also: every CFI read back by `position_of`.

Run: `python benchmarks/cfi.py` (needs Node and npm; installs into benchmarks/cfi/node_modules once).
"""

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common import data, record
from glossator.document.cfi import block_cfi, element_path, position_of, text_chunks, unique_ids
from glossator.document.locator import build_locator
from glossator.document.model import Block, Document, DomAnchor
from glossator.errors import GlossatorError
from glossator.parse import epub
from glossator.parse.blocks import document_of
from glossator.parse.html import serialise
from glossator.parse.publication import Part

HERE = Path(__file__).resolve().parent / "cfi"
PER_SECTION = {"element": 6, "inside": 6, "across": 2}
SECTIONS = 8  # of each book
SEED = 20261130


@dataclass(slots=True)
class Section:
    """A part of a publication with the CFIs to resolve in it and the text that each must give."""

    book: str
    xhtml: str
    elements: list[tuple[str, str]] = field(default_factory=list)
    ranges: list[tuple[str, str, str]] = field(default_factory=list)  # kind, CFI, words
    naive: list[str] = field(default_factory=list)  # as good as a simple generator makes them
    read_back: Counter[str] = field(default_factory=Counter)


def main() -> None:
    sections = [s for path in sorted(data("parsing/epub").rglob("*.epub")) for s in sections_of(path)]
    asked = [
        {"xhtml": s.xhtml, "elements": [c for c, _ in s.elements], "ranges": [c for _, c, _ in s.ranges] + s.naive}
        for s in sections
    ]
    count: Counter[str] = Counter()
    wrong: list[dict[str, Any]] = []
    for section, answer in zip(sections, resolve(asked), strict=True):
        for (cfi, text), got in zip(section.elements, answer["elements"], strict=True):
            count.update(["element", "element equal"] if got == text else ["element"])
            if got != text:
                wrong.append({"book": section.book, "cfi": cfi, "expected": text[:200], "got": str(got)[:200]})
        inside = [text for kind, _, text in section.ranges if kind == "inside"]
        for text, got in zip(inside, answer["ranges"][len(section.ranges) :], strict=True):
            count.update(["naive equal"] if isinstance(got, str) and bare(got) == bare(text) else [])
        for (kind, cfi, text), got in zip(section.ranges, answer["ranges"], strict=False):
            equal = isinstance(got, str) and bare(got) == bare(text)
            count.update([kind, f"{kind} equal"] if equal else [kind])
            if not equal:
                wrong.append({"book": section.book, "cfi": cfi, "expected": text[:200], "got": str(got)[:200]})
        count.update(section.read_back)
    asked_for = count["element"] + count["inside"] + count["across"]
    equal = count["element equal"] + count["inside equal"] + count["across equal"]
    books = len({s.book for s in sections})
    record("cfi", {"books": books, "passages": asked_for, "equal": equal, **dict(sorted(count.items()))})
    for w in wrong[:20]:
        print(json.dumps(w, ensure_ascii=False))
    if wrong:
        sys.exit(f"{len(wrong)} of {asked_for} CFIs lead elsewhere")


def sections_of(path: Path) -> Iterator[Section]:
    try:
        publication = epub.read(path)
    except GlossatorError:  # the damaged ones of the material
        return
    document = document_of(publication)
    pick = random.Random(f"{SEED} {path.name}")
    by_part: dict[int, list[Block]] = {}
    for block in document.blocks:
        if isinstance(block.anchor, DomAnchor) and block.anchor.runs and block.start is not None:
            by_part.setdefault(block.anchor.spine, []).append(block)
    for spine in sorted(pick.sample(sorted(by_part), min(SECTIONS, len(by_part)))):
        blocks = by_part[spine]
        yield section_of(path.name, document, publication.parts[spine], blocks, pick)


def section_of(book: str, document: Document, part: Part, blocks: list[Block], pick: random.Random) -> Section:
    section = Section(book, serialise(part.root).decode("utf-8"))
    ids = unique_ids(part.root)
    by_path = {f"{part.cfi}!{element_path(el, ids=ids)}": el for el in part.root.iter("*")}
    for block in pick.sample(blocks, min(PER_SECTION["element"], len(blocks))):
        assert isinstance(block.anchor, DomAnchor)
        text = "".join(c.text for c in text_chunks(by_path[block.anchor.base]))
        section.elements.append((block_cfi(block.anchor), text))
    for block in pick.sample(blocks, min(PER_SECTION["inside"], len(blocks))):
        a, b = sorted(pick.choices(range(len(block.text) + 1), k=2))
        add_range(section, "inside", document, blocks, (block.start or 0) + a, (block.start or 0) + b)
    ordered = sorted(blocks, key=lambda b: b.start or 0)
    for _ in range(PER_SECTION["across"] if len(ordered) > 3 else 0):
        i = pick.randrange(len(ordered) - 2)
        first, last = ordered[i], ordered[i + pick.randint(1, 2)]
        a = (first.start or 0) + pick.randrange(len(first.text))
        b = (last.start or 0) + pick.randint(1, len(last.text))
        add_range(section, "across", document, blocks, a, b)
    return section


def add_range(section: Section, kind: str, document: Document, blocks: list[Block], start: int, end: int) -> None:
    """Note the CFI of `[start, end)`, and whether it is read back as the same words."""
    inside = [b for b in blocks if (b.start or 0) < end and (b.end or 0) > start]
    text = " ".join(b.text[max(0, start - (b.start or 0)) : end - (b.start or 0)] for b in inside)
    if not text.strip():
        return
    locator = build_locator(
        document="",
        text_version=document.text_version,
        start=start,
        end=end,
        window=document.text,
        window_start=0,
        blocks=inside,
        section=None,
        pages=(),
        cfi=True,
    )
    assert locator.cfi is not None
    section.ranges.append((kind, locator.cfi, text))
    if kind == "inside" and isinstance(inside[0].anchor, DomAnchor):
        offset = inside[0].start or 0
        section.naive.append(f"epubcfi({inside[0].anchor.base},/1:{start - offset},/1:{end - offset})")
    back = position_of(locator.cfi, document.blocks)
    words = document.text[start:end]
    same = back is not None and bare(document.text[slice(*back)]) == bare(words) and start <= back[0] <= back[1] <= end
    section.read_back.update(["read back", "read back equal"] if same else ["read back"])


def bare(text: str) -> str:
    return "".join(text.split())


def resolve(sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not shutil.which("node"):
        sys.exit("this benchmark needs Node")
    if not (HERE / "node_modules").is_dir():
        subprocess.run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"], cwd=HERE, check=True)
    lines = "".join(json.dumps(s) + "\n" for s in sections)
    done = subprocess.run(
        ["node", "resolve.mjs"], cwd=HERE, input=lines, capture_output=True, text=True, encoding="utf-8", check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


if __name__ == "__main__":
    main()
