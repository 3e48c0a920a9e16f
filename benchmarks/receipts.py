"""Is anything that a model made up ever shown as a citation, and is every verdict the right one?

Scripted answers over six texts, English and Chinese: each quotes once, as models do, in one of the usual marks. The
quotation is the source's own words, the same changed in a way that is forgiven (a declared repair), changed in a way
that is not (another word, a number, a negation, another order), made up, or another document's words under this one's
name. What the verdict must be is known by construction. Shown as a citation is a quotation whose words stand in the
answer, or that has an entry in `citations`.

The baseline believes the model: each quotation is a citation of the document asked.

    python benchmarks/receipts.py [--seed N]
"""

import argparse
import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import ROOT, data, record
from glossator.agent.citations import check
from glossator.document.sentence import sentences
from glossator.library.library import Library
from glossator.library.results import Bound

EACH = 12  # cases of each kind and text
OPEN = Bound(uncapped=True)
MARKS = {"en": ("“”", '""', "‘’", "«»"), "zh": ("“”", "「」", "『』", '""')}
TEMPLATES = {
    "en": ("The text says {}.", "{} is how it is put.", "I found this: {} [3] It answers the question."),
    "zh": ("书中写道：{}。", "{}，这就是答案。", "原文是{}[2]，可以回答这个问题。"),
}
STORIES = ("kari-woodencoat", "the-battle-of-the-birds", "tongue-cut-sparrow")
INVENTED = {
    "en": (
        "No man who has counted the stars can ever love a lamp again.",
        "The mayor locked the library and swallowed the key in front of everyone.",
        "It was agreed that the bridge should be sold before the harvest.",
        "She had never been to the capital, and she never forgave it.",
        "Every clock in the valley stopped at the moment of his arrival.",
    ),
    "zh": (
        "数过星星的人再也不会爱上一盏灯。",
        "县令当众锁上书院，把钥匙吞了下去。",
        "众人议定，秋收之前把那座桥卖掉。",
        "他到达的那一刻，山谷里所有的钟都停了。",
        "老人把信烧掉，从此再没有提起过那条船。",
    ),
}
SWAPS = {"en": ("granite", "umbrella", "patiently", "forty", "sailor"), "zh": ("灯塔", "雨伞", "铁匠", "四十", "账簿")}


@dataclass(frozen=True, slots=True)
class Case:
    """A quotation, the document asked, and the verdict that is right."""

    kind: str
    language: str
    doc: str
    words: str
    expected: str


def main() -> None:
    """Run all cases, and record."""
    options = argparse.ArgumentParser()
    options.add_argument("--seed", type=int, default=11)
    chance = random.Random(options.parse_args().seed)
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "library", embedder="none") as library:
        texts = fill(library, Path(folder))
        cases = [c for doc in texts for c in cases_of(doc, texts, chance)]
        judged = [(case, *judge(library, case, chance)) for case in cases]
    wrong = [(c.kind, c.language, got, c.words) for c, got, _ in judged if got != c.expected]
    for entry in wrong:
        print("WRONG", *entry)
    invented = [(c, shown) for c, _, shown in judged if c.expected == "not_found"]
    kinds = Counter(c.kind for c in cases)
    right = Counter(c.kind for c, got, _ in judged if got == c.expected)
    record(
        "receipts",
        {
            "answers": len(cases),
            "invented or altered quotations": len(invented),
            "shown as citations": sum(shown for _, shown in invented),
            "baseline, shown as citations": len(invented),
            "verdicts right": round(1 - len(wrong) / len(cases), 4),
            "baseline, verdicts right": round(sum(c.expected == "verified" for c in cases) / len(cases), 4),
            "by kind": {kind: f"{right[kind]} of {n}" for kind, n in kinds.items()},
        },
    )


def judge(library: Library, case: Case, chance: random.Random) -> tuple[str, bool]:
    """Return the verdict on a case, and whether its words are shown as a citation."""
    marks = chance.choice(MARKS[case.language])
    answer = chance.choice(TEMPLATES[case.language]).format(f"{marks[0]}{case.words}{marks[-1]}")
    reader = library.scope([case.doc], bound=OPEN).reader
    checked = check(answer, reader, elsewhere=library.scope((), bound=OPEN).reader)
    shown = case.words in checked.text or bool(checked.citations)
    if checked.rejected:
        return checked.rejected[0][1], shown
    return (checked.citations[0].status if checked.citations else "none"), shown


def cases_of(doc: str, texts: dict[str, tuple[str, str]], chance: random.Random) -> list[Case]:
    """Return the cases about one document."""
    language, text = texts[doc]
    found: list[Case] = []
    pool = usable(text, language)
    kinds: dict[str, tuple[str, Callable[[str, random.Random], str | None]]] = {
        "exact": ("verified", lambda s, _: s),
        **{k: ("repaired", f) for k, f in FORGIVEN[language].items()},
        **{k: ("not_found", f) for k, f in ALTERED[language].items()},
    }
    for kind, (expected, change) in kinds.items():
        changed = [(s, c) for s in chance.sample(pool, min(len(pool), 6 * EACH)) if (c := change(s, chance))]
        found += (
            [Case(kind, language, doc, c, expected) for s, c in changed if c != s][:EACH]
            if kind != "exact"
            else [Case(kind, language, doc, c, expected) for _, c in changed[:EACH]]
        )
    others = [d for d, (other, _) in texts.items() if other == language and d != doc]
    for other in others[:2]:
        strange = [s for s in usable(texts[other][1], language) if s not in text]
        found += [
            Case("another document", language, doc, s, "misattributed") for s in chance.sample(strange, EACH // 2)
        ]
    found += [Case("made up", language, doc, s, "not_found") for s in INVENTED[language]]
    return found


def usable(text: str, language: str) -> list[str]:
    """Return sentences that can be quoted: without quotation marks, of a usual length."""
    low, high = (40, 160) if language == "en" else (14, 50)
    spans = [(a, b) for part in text.split("\n\n") for a, b in [(part, part)]]
    return [
        s
        for part, _ in spans
        for a, b in sentences(part, language)
        if low <= len(s := part[a:b]) <= high and not set(s) & set("“”\"'‘’「」『』«»…\n") and text.count(s) == 1
    ]


def words(sentence: str) -> list[str]:
    """Return the words with what stands between them."""
    return re.findall(r"\w+|\W+", sentence)


def other_word(sentence: str, chance: random.Random) -> str | None:
    """Put another word in the place of one."""
    parts = words(sentence)
    places = [i for i, w in enumerate(parts) if i > 1 and len(w) > 4 and w.isalpha()]
    if not places:
        return None
    parts[chance.choice(places)] = chance.choice(SWAPS["en"])
    return "".join(parts)


def other_order(sentence: str, _: random.Random) -> str | None:
    """Change two neighbouring clauses, or the halves."""
    parts = sentence.rstrip(".").split(" ")
    if len(parts) < 10:
        return None
    third = len(parts) // 3
    return " ".join(parts[third : 2 * third] + parts[:third] + parts[2 * third :]) + "."


def negated(sentence: str, _: random.Random) -> str | None:
    """Turn a sentence round."""
    changed = re.sub(r"\b(was|were|had|could|would|is|will)\b", r"\1 not", sentence, count=1)
    return changed if changed != sentence and " not not" not in changed else None


def numbered(sentence: str, _: random.Random) -> str | None:
    """Change a number."""
    changed = re.sub(r"\b(two|three|four|five|six|seven|one)\b", "eleven", sentence, count=1)
    return changed if changed != sentence else None


def slip(sentence: str, chance: random.Random) -> str | None:
    """Make one slip of spelling in a long word."""
    long_words = [w for w in re.findall(r"[a-z]{8,}", sentence)]
    if len(sentence.split()) < 9 or not long_words:
        return None
    word = chance.choice(long_words)
    return sentence.replace(word, word[:4] + word[5:], 1)


def cut_out(sentence: str, _: random.Random) -> str | None:
    """Leave the middle out, saying so."""
    parts = sentence.split(" ")
    return " ".join(parts[:5]) + " … " + " ".join(parts[-5:]) if len(parts) > 16 else None


def han_word(sentence: str, chance: random.Random) -> str | None:
    """Put another word in the place of two characters."""
    places = [m.start() for m in re.finditer(r"[\u4e00-\u9fff]{4}", sentence)]
    if not places:
        return None
    at = chance.choice(places) + 1
    return sentence[:at] + chance.choice(SWAPS["zh"]) + sentence[at + 2 :]


def han_negated(sentence: str, _: random.Random) -> str | None:
    """Turn a Chinese sentence round."""
    changed = re.sub("([\u4e00-\u9fff]{3})(是|有|见|说|知|得|能|肯|敢)", r"\1不\2", sentence, count=1)
    return changed if changed != sentence and "不不" not in changed else None


def han_order(sentence: str, _: random.Random) -> str | None:
    """Change the clauses of a Chinese sentence."""
    parts = re.split("，", sentence.rstrip("。！？"))
    return "，".join([parts[1], parts[0], *parts[2:]]) + "。" if len(parts) > 1 else None


def traditional(sentence: str, _: random.Random) -> str | None:
    """Write some characters in their traditional form."""
    return sentence.translate(str.maketrans("国门见说东马龙风来这个们无后头", "國門見說東馬龍風來這個們無後頭"))


FORGIVEN: dict[str, dict[str, Callable[[str, random.Random], str | None]]] = {
    "en": {
        "case": lambda s, _: s.upper(),
        "spaces": lambda s, _: s.replace(" ", "  ", 3),
        "punctuation dropped": lambda s, _: s.replace(",", "", 1) if "," in s else None,
        "slip": slip,
        "ellipsis": cut_out,
    },
    "zh": {
        "traditional": traditional,
        "spaces": lambda s, _: " ".join((s[:5], s[5:])),
        "width": lambda s, _: s.replace("，", ",") if "，" in s else None,
    },
}
ALTERED: dict[str, dict[str, Callable[[str, random.Random], str | None]]] = {
    "en": {"another word": other_word, "another order": other_order, "negated": negated, "another number": numbered},
    "zh": {"another word": han_word, "another order": han_order, "negated": han_negated},
}


def fill(library: Library, folder: Path) -> dict[str, tuple[str, str]]:
    """Add the texts; return language and canonical text by id."""
    lines = data("longdoc", "fairytaleqa", "val.stories.jsonl").read_text("utf-8").splitlines()
    for story in (json.loads(line) for line in lines):
        if story["story"] in STORIES:
            body = "\n\n".join(s["text"] for s in story["sections"])
            (folder / f"{story['story']}.md").write_text(f"# {story['story']}\n\n{body}\n", "utf-8")
    whole = data("longdoc", "zh-novels", "journey-to-the-west.txt").read_text("utf-8")
    chapters = re.split(r"(?=第[一二三四五六七八九十百]+回 )", whole)
    for n, (first, last) in enumerate(((28, 31), (59, 61)), 1):
        (folder / f"西游记选{n}.txt").write_text("\n".join(chapters[first : last + 1]), "utf-8")
    added = library.add([str(folder), str(ROOT / "examples" / "the-time-machine.epub")])
    out: dict[str, Any] = {}
    for document in added.documents:
        language = "zh" if (document.language or "").startswith("zh") else "en"
        out[document.id or ""] = (language, library.text(document.id or "", bound=OPEN).text)
    return out


if __name__ == "__main__":
    main()
