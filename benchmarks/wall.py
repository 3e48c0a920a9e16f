"""Does the wall hold names that the reader has not met, and only those?

Names of novels and stories were labelled by hand (`data/wall_names.json` says how), those of twelve of them after the
wall was finished (held out); each text is cut at 30, 50 and 70 %. What a model that knows the book by heart would
write, is simulated: sentences of the later part, gold answers and summaries written by people, and short sentences
about the name. A labelled name that is first met past the cut, in such a sentence, is to be masked. Harmless are:
sentences of the part that was read, answers and summaries of which everything was met, and encyclopedia prose and a
speech; there anything that is masked is a false hold.

Beside the wall: no check at all (what a rule in the prompt amounts to once the model ignores it), and a filter that
masks every capitalised word inside a sentence (Chinese: nothing) that the part read does not hold.

    python benchmarks/wall.py
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

from common import ROOT, data, record
from glossator.document.sentence import sentences
from glossator.library.analysis.first_seen import first_seen

CUTS = (0.3, 0.5, 0.7)
SENTENCES = 3  # of the later part, for each name
VISIBLE = 40  # sentences of the part read, for each cut
PROSE = 60  # sentences of encyclopedias, for each cut
CARRIERS = {
    "en": ("In the end it is {} who decides everything.", "Later on {} appears.", "Watch out for {}!"),
    "zh": ("最后是{}解决了一切。", "后来出现了{}。", "要小心{}！"),
}
CAPITALS = re.compile(r"(?<=[a-z,;] )[A-Z]\w+")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with its names, and what people wrote about it: (text, the position up to which it tells, if known)."""

    id: str
    language: str
    text: str
    names: tuple[str, ...]
    answers: tuple[tuple[str, int | None], ...]


Check = Callable[[str, str, int], list[tuple[int, int]]]  # sentence, text, cut -> what is masked


def main() -> None:
    """Measure all three, and record."""
    entries = json.loads(labels().read_text("utf-8"))["texts"]
    labelled = {held: [read(e) for e in entries if e.get("held_out", False) is held] for held in (False, True)}
    figures: dict[str, Any] = {}
    checks = {"wall": wall, "baseline, prompt only": nothing, "baseline, unknown capitals": capitals}
    for held, group in labelled.items():
        kind = "held out" if held else "developed on"
        figures[kind] = f"{len(group)} texts, {sum(len(t.names) for t in group)} names"
        for name, check in checks.items():
            for language in ("en", "zh", "all"):
                texts = [t for t in group if language in (t.language, "all")]
                figures |= {f"{kind}, {name}, {language}: {k}": v for k, v in measured(texts, check).items()}
    record("wall", figures)


def measured(texts: list[Labelled], check: Check) -> dict[str, Any]:
    """Return recall over mentions of names not met, and false holds over harmless sentences, with 95 % intervals."""
    held = mentions = false = harmless = 0
    for text in texts:
        for share in CUTS:
            cut = int(share * len(text.text))
            for sentence, name in leaking(text, cut):
                at = sentence.find(name)
                masked = check(sentence, text.text, cut)
                mentions += 1
                hit = any(a < at + len(name) and b > at for a, b in masked)
                held += hit
                if not hit and check is wall:
                    print("MISSED", text.id, share, name, repr(sentence[:80]))
            for sentence in quiet(text, cut):
                harmless += 1
                masked = check(sentence, text.text, cut)
                false += bool(masked)
                if masked and check is wall:
                    print("FALSE", text.id, share, [sentence[a:b] for a, b in masked], repr(sentence[:80]))
    return {
        "recall": rate(held, mentions),
        "false holds": rate(false, harmless),
    }


def leaking(text: Labelled, cut: int) -> Iterator[tuple[str, str]]:
    """Yield sentences that name what is met past the cut, with the name."""
    spoken = of_text(text)
    for name in text.names:
        if text.text.find(name) < cut:
            continue
        later = [s for start, s in spoken if start >= cut and name in s]
        for sentence in random.Random(name).sample(later, min(SENTENCES, len(later))):
            yield sentence, name
        for sentence, _ in text.answers:
            if name in sentence:
                yield sentence, name
        for carrier in CARRIERS[text.language]:
            yield carrier.format(name), name


def quiet(text: Labelled, cut: int) -> Iterator[str]:
    """Yield sentences that tell nothing of what comes past the cut."""
    chance = random.Random(cut)
    hidden = [n for n in text.names if text.text.find(n) >= cut]
    read_part = [s for start, s in of_text(text) if start + len(s) <= cut]
    yield from chance.sample(read_part, min(VISIBLE, len(read_part)))
    yield from (s for s, told in text.answers if told is not None and told <= cut and not any(n in s for n in hidden))
    prose = encyclopedia(text.language)
    yield from chance.sample(prose, PROSE)


def wall(sentence: str, text: str, cut: int) -> list[tuple[int, int]]:
    """Return what the first-occurrence index masks."""
    return first_seen(text).later(sentence, cut)


def nothing(sentence: str, text: str, cut: int) -> list[tuple[int, int]]:  # noqa: ARG001
    """Mask nothing."""
    return []


def capitals(sentence: str, text: str, cut: int) -> list[tuple[int, int]]:
    """Mask capitalised words inside a sentence that the part read does not hold."""
    return [m.span() for m in CAPITALS.finditer(sentence) if m[0] not in text[:cut]]


def rate(count: int, total: int) -> str:
    """Return a share with its 95 % interval (Wilson)."""
    p, z = count / total, 1.96
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    spread = z * sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    low = max(0.0, middle - spread)
    return f"{p:.3f} [{low:.3f}, {middle + spread:.3f}] of {total}"


# --- the texts


@cache
def of_text(text: Labelled) -> list[tuple[int, str]]:
    """Return the sentences of a text with their positions."""
    found = []
    at = 0
    for part in text.text.split("\n\n"):
        found += [(at + a, part[a:b]) for a, b in sentences(part, text.language) if 12 <= b - a <= 400]
        at += len(part) + 2
    return found


@cache
def encyclopedia(language: str) -> list[str]:
    """Return sentences of encyclopedias and speeches about anything: none of them was counted for `common`."""
    if language == "zh":
        lines = Path(data("retrieval", "cmrc2018-trial", "corpus.jsonl")).read_text("utf-8").splitlines()
        text = "\n".join(json.loads(line)["text"] for line in lines)
    else:
        names = ("wikitexts.md", "state_of_the_union.md")
        text = "\n\n".join(data("anchors", "chunk-eval", name).read_text("utf-8")[:60_000] for name in names)
    return [text[a:b] for a, b in sentences(text, language) if 20 <= b - a <= 400]


def labels() -> Path:
    """Return the file of names."""
    return ROOT / "benchmarks" / "data" / "wall_names.json"


def read(entry: dict[str, Any]) -> Labelled:
    """Return a text with its labels."""
    file, names, language = entry["file"], tuple(entry["names"]), entry["language"]
    if "chapters" in entry:
        return episode(entry)
    if file.startswith("examples/"):
        return Labelled(entry["id"], language, of_epub(ROOT / file), names, ())
    if file.endswith(".jsonl"):
        story = next(s for s in lines(data(*file.split("/"))) if s["story"] == entry["id"])
        text, ends = "", []
        for section in story["sections"]:
            text += section["text"] + "\n\n"
            ends.append(len(text))
        told = [(a, ends[max(q["gold_sections"]) - 1]) for q in story["qa"] for a in q["answers"] if q["gold_sections"]]
        return Labelled(entry["id"], language, text, names, tuple(dict(told).items()))
    text = data(*file.split("/")).read_text("utf-8")
    return Labelled(entry["id"], language, text, names, tuple((a, None) for a in summaries(entry["id"])))


def summaries(story: str) -> list[str]:
    """Return the sentences that four writers wrote about a story, and claims about a novel."""
    if story.isdecimal():
        asked = [q for q in lines(data("longdoc", "squality", "questions.jsonl")) if q["story"] == story]
        texts = [r for q in asked for r in q["references"]]
    else:
        texts = [
            c["claim"] for c in lines(data("longdoc", "nocha", "claims.jsonl")) if c["book"].startswith(story[:10])
        ]
    return [t[a:b] for t in texts for a, b in sentences(t, "en")]


def episode(entry: dict[str, Any]) -> Labelled:
    """Return some chapters of a long novel as a text of their own."""
    file = data(*entry["file"].split("/"))
    with file.open(encoding="utf-8", newline="") as stream:
        whole = stream.read()
    chapters = {c["n"]: c for c in lines(data("longdoc", "chapters.jsonl")) if c["book"] == entry["file"]}
    first, last = entry["chapters"]
    start = chapters[first]["start"]
    text = whole[start : chapters[last]["end"]].replace("\r\n\r\n", "\n\n").replace("\r\n", "\n\n")
    ends = {n: text.find(chapters[n + 1]["title"].split()[0]) for n in range(first, last)} | {last: len(text)}
    told = tuple((a["text"], ends[a["chapter"]]) for a in entry["answers"])
    return Labelled(entry["id"], "zh", text, tuple(entry["names"]), told)


def of_epub(path: Path) -> str:
    """Return the canonical text of a book."""
    from glossator.parse import parse

    return parse(path).text


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the values of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
