"""Quotations altered and invented anew: passages of the books, changed by rule, with a seed.

`altered`: what a declared repair undoes; share found at the right place. `fakes`: what no declared repair undoes, kept
only where the changed words are nowhere in the text; how many are accepted. Beside it, the same measured for
`difflib`-like fuzzy matching at 90 % similarity (the usual "partial ratio" of quotation checkers), by n-gram windows.

Run: `python benchmarks/quotes_generated.py`.
"""

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from typing import Any

from common import data, record
from glossator.document.fold import fold
from glossator.document.quotation import find_quotation, near_misses

BOOKS = {
    "en": (
        "longdoc/nocha/books/anne_of_green_gables_lm_montgomery.txt",
        "longdoc/nocha/books/the_adventures_of_sherlock_holmes_arthur_conan_doyle.txt",
    ),
    "zh": ("longdoc/zh-novels/journey-to-the-west.txt",),
}
PER_CHANGE = 60
SEED = 7
FUZZY = 0.9
# Every change has the same arguments, whether it needs them or not.
# ruff: noqa: ARG001
Change = Callable[[str, random.Random, str], str | None]
NUMBERS = "one two three four five six seven eight nine ten twenty thirty forty fifty hundred thousand".split()  # noqa: SIM905
NEGATIONS = ("not", "never", "no", "nothing", "nobody")
HAN = re.compile(r"[\u4e00-\u9fff]")


def main() -> None:
    figures: dict[str, Any] = {}
    for language, names in BOOKS.items():
        for group, changes in CHANGES[language].items():
            for name, change in changes.items():
                count = measure(names, change, fakes=group == "fakes")
                figures[f"{language} {group} {name}"] = dict(count)
    altered, fakes = (total(figures, f" {group} ") for group in ("altered", "fakes"))
    record("quotes_generated", {"altered": dict(altered), "fakes": dict(fakes), **figures})


def total(figures: dict[str, Any], group: str) -> Counter[str]:
    count: Counter[str] = Counter()
    for name, part in figures.items():
        count.update(part if group in name else {})
    return count


def measure(names: tuple[str, ...], change: Change, *, fakes: bool) -> Counter[str]:
    count: Counter[str] = Counter()
    for name in names:
        text = data(name).read_text("utf-8")
        pick = random.Random(f"{SEED} {name} {change.__name__}")
        passages = passages_of(text)
        content = fold(text).text
        for start, end in pick.sample(passages, min(20 * PER_CHANGE, len(passages))):
            if count["n"] >= PER_CHANGE * (names.index(name) + 1):
                break
            changed = change(text[start:end], pick, text)
            if changed is None or (fakes and fold(changed).text in content):
                continue
            count["n"] += 1
            match = find_quotation(text, changed, near=start)
            near = near_misses(text, changed, limit=1)
            if fakes:
                count["accepted"] += match is not None
                count["accepted by fuzzy matching"] += bool(near) and near[0].score >= FUZZY
                if match:
                    print(f"ACCEPTED {change.__name__}: {changed!r}")
            else:
                count["found"] += match is not None and match.start < end and match.end > start
                count["found by str.find"] += changed in text
    return count


def passages_of(text: str) -> list[tuple[int, int]]:
    """Passages of one to three sentences, 40 to 240 characters."""
    spans = [
        (m.start(), m.end())
        for m in re.finditer(r"[^\s.!?。！？][^.!?。！？\n]*(?:\n[^.!?。！？\n]+)*[.!?。！？]", text)
    ]
    return [(a, b) for a, b in spans if 40 <= b - a <= 240 and sum(c.isalpha() for c in text[a:b]) >= 30]


# --- what a repair undoes -------------------------------------------------------------------------------------------


def upper(passage: str, pick: random.Random, text: str) -> str:
    return passage.upper()


def decomposed(passage: str, pick: random.Random, text: str) -> str:
    return unicodedata.normalize("NFD", passage)


def fullwidth(passage: str, pick: random.Random, text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in passage)


def ligatures(passage: str, pick: random.Random, text: str) -> str | None:
    return passage.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("fl", "ﬂ") if "f" in passage else None


def rewrapped(passage: str, pick: random.Random, text: str) -> str:
    return "\n".join(re.findall(r"\S.{0,30}(?:\s|\Z)|\S{30}", passage.replace("\n", " ")))


def hyphenated(passage: str, pick: random.Random, text: str) -> str | None:
    long = [m for m in re.finditer(r"[a-z]{7,}", passage)]
    if not long:
        return None
    m = pick.choice(long)
    return passage[: m.start() + 4] + "-\n" + passage[m.start() + 4 :]


def unpunctuated(passage: str, pick: random.Random, text: str) -> str:
    return "".join(c for c in passage if c.isalnum() or c.isspace())


def requoted(passage: str, pick: random.Random, text: str) -> str | None:
    changed = passage.translate(str.maketrans("“”‘’\"'—", "「」『』“’-"))
    return changed if changed != passage else None


def elided(passage: str, pick: random.Random, text: str) -> str | None:
    words = passage.split() if " " in passage else list(passage)
    if len(words) < 16:
        return None
    joint = " " if " " in passage else ""
    a, b = len(words) // 3, 2 * len(words) // 3
    return joint.join(words[:a]) + "…" + joint.join(words[b:])


def traditional(passage: str, pick: random.Random, text: str) -> str:
    table = dict(zip("门万与个来说时长见这还过们为从发会国", "門萬與個來說時長見這還過們為從發會國", strict=True))
    return "".join(table.get(c, c) for c in passage)


def respaced(passage: str, pick: random.Random, text: str) -> str:
    return " ".join(passage)


def slipped(passage: str, pick: random.Random, text: str) -> str | None:
    words = [m for m in re.finditer(r"\b[a-z]{6,}\b", passage)]
    if len(passage.split()) < 8 or not words:
        return None
    m = pick.choice(words)
    at = m.start() + pick.randrange(1, len(m[0]) - 2)
    kind = pick.choice(["swap", "drop", "double"])
    if kind == "swap":
        return (
            passage[:at] + passage[at + 1] + passage[at] + passage[at + 2 :] if passage[at] != passage[at + 1] else None
        )
    return passage[:at] + passage[at + 1 :] if kind == "drop" else passage[:at] + passage[at] + passage[at:]


def han_slipped(passage: str, pick: random.Random, text: str) -> str | None:
    i, c = pick.randrange(1, len(passage) - 1), pick.choice(text)
    never = "不没未非无勿莫一二三四五六七八九十百千万两半零"
    if not HAN.fullmatch(passage[i]) or not HAN.fullmatch(c) or {c, passage[i]} & set(never) or c == passage[i]:
        return None
    return passage[:i] + c + passage[i + 1 :]


# --- what none undoes -----------------------------------------------------------------------------------------------


def negation_dropped(passage: str, pick: random.Random, text: str) -> str | None:
    found = [m for m in re.finditer(r"\b(?:not|never|no) |n’t\b|n't\b", passage)]
    return passage[: (m := pick.choice(found)).start()] + passage[m.end() :] if found else None


def negation_added(passage: str, pick: random.Random, text: str) -> str | None:
    found = [m for m in re.finditer(r"\b(?:is|was|were|had|have|could|would|did|can|will|do) ", passage)]
    return passage[: (m := pick.choice(found)).end()] + "not " + passage[m.end() :] if found else None


def number_changed(passage: str, pick: random.Random, text: str) -> str | None:
    found = [m for m in re.finditer(rf"\b(?:{'|'.join(NUMBERS)}|\d+)\b", passage)]
    if not found:
        return None
    m = pick.choice(found)
    other = str(int(m[0]) + 1) if m[0].isdigit() else pick.choice([n for n in NUMBERS if n != m[0]])
    return passage[: m.start()] + other + passage[m.end() :]


def name_changed(passage: str, pick: random.Random, text: str) -> str | None:
    found = [m for m in re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", passage)]
    names = [n for n, k in Counter(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", text)).items() if k > 3]
    if not found:
        return None
    m = pick.choice(found)
    return passage[: m.start()] + pick.choice([n for n in names if n != m[0]]) + passage[m.end() :]


def name_misspelt(passage: str, pick: random.Random, text: str) -> str | None:
    """Another name one letter away: Anne, Anna."""
    found = [m for m in re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", passage)]
    return (
        passage[: (m := pick.choice(found)).end() - 1] + pick.choice("aeinoy") + passage[m.end() :] if found else None
    )


def word_changed(passage: str, pick: random.Random, text: str) -> str | None:
    found = [m for m in re.finditer(r"\b[a-z]{4,}\b", passage)]
    if not found:
        return None
    m = pick.choice(found)
    same_length = [w for w in pick.choices(re.findall(r"\b[a-z]{4,}\b", text[:200_000]), k=200) if len(w) == len(m[0])]
    return passage[: m.start()] + pick.choice(same_length) + passage[m.end() :] if same_length else None


def word_inflected(passage: str, pick: random.Random, text: str) -> str | None:
    found = [m for m in re.finditer(r"\b[a-z]{4,}\b", passage)]
    if not found:
        return None
    m = pick.choice(found)
    return (
        passage[: m.end()] + "s" + passage[m.end() :]
        if m[0][-1] != "s"
        else passage[: m.end() - 1] + passage[m.end() :]
    )


def word_dropped(passage: str, pick: random.Random, text: str) -> str | None:
    words = passage.split(" ")
    at = pick.randrange(1, len(words) - 1) if len(words) > 2 else 0
    return " ".join(words[:at] + words[at + 1 :]) if at else None


def words_swapped(passage: str, pick: random.Random, text: str) -> str | None:
    words = passage.split(" ")
    at = pick.randrange(len(words) - 1)
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def spliced(passage: str, pick: random.Random, text: str) -> str | None:
    at = pick.randrange(len(text) - 500)
    other = text[at : at + 400]
    cut = passage.rfind(" ", 0, len(passage) // 2) if " " in passage else len(passage) // 2
    begin = other.find(" ") if " " in passage else 0
    return passage[:cut] + other[begin : begin + len(passage) // 2].rstrip()


def han_negation_dropped(passage: str, pick: random.Random, text: str) -> str | None:
    found = [i for i, c in enumerate(passage) if c in "不没未非无"]
    return passage[: (i := pick.choice(found))] + passage[i + 1 :] if found else None


def han_negation_added(passage: str, pick: random.Random, text: str) -> str:
    i = pick.randrange(1, len(passage) - 1)
    return passage[:i] + pick.choice("不没未") + passage[i:]


def han_number_changed(passage: str, pick: random.Random, text: str) -> str | None:
    numerals = "一二三四五六七八九十百千万"
    found = [i for i, c in enumerate(passage) if c in numerals]
    if not found:
        return None
    i = pick.choice(found)
    return passage[:i] + pick.choice(numerals.replace(passage[i], "")) + passage[i + 1 :]


def han_name_changed(passage: str, pick: random.Random, text: str) -> str | None:
    names = ["行者", "八戒", "三藏", "沙僧", "唐僧", "菩萨", "悟空", "玉帝", "老君", "如来"]
    found = [n for n in names if n in passage]
    if not found:
        return None
    name = pick.choice(found)
    return passage.replace(name, pick.choice([n for n in names if n != name]), 1)


def han_pronoun_changed(passage: str, pick: random.Random, text: str) -> str | None:
    found = [i for i, c in enumerate(passage) if c in "我你他她"]
    if not found:
        return None
    i = pick.choice(found)
    return passage[:i] + pick.choice("我你他她".replace(passage[i], "")) + passage[i + 1 :]


def han_word_changed(passage: str, pick: random.Random, text: str) -> str | None:
    i = pick.randrange(len(passage) - 2)
    at = pick.randrange(len(text) - 2)
    if not HAN.fullmatch(passage[i]) or not all(map(HAN.fullmatch, passage[i : i + 2] + text[at : at + 2])):
        return None
    if passage[i] == text[at] or passage[i + 1] == text[at + 1]:
        return None
    return passage[:i] + text[at : at + 2] + passage[i + 2 :]


def han_swapped(passage: str, pick: random.Random, text: str) -> str | None:
    i = pick.randrange(len(passage) - 4)
    if not all(map(HAN.fullmatch, passage[i : i + 4])):
        return None
    return passage[:i] + passage[i + 2 : i + 4] + passage[i : i + 2] + passage[i + 4 :]


CHANGES: dict[str, dict[str, dict[str, Change]]] = {
    "en": {
        "altered": {
            f.__name__: f
            for f in (
                upper,
                decomposed,
                fullwidth,
                ligatures,
                rewrapped,
                hyphenated,
                unpunctuated,
                requoted,
                elided,
                slipped,
            )
        },
        "fakes": {
            f.__name__: f
            for f in (
                negation_dropped,
                negation_added,
                number_changed,
                name_changed,
                name_misspelt,
                word_changed,
                word_inflected,
                word_dropped,
                words_swapped,
                spliced,
            )
        },
    },
    "zh": {
        "altered": {
            f.__name__: f
            for f in (rewrapped, unpunctuated, requoted, elided, traditional, respaced, fullwidth, han_slipped)
        },
        "fakes": {
            f.__name__: f
            for f in (
                han_negation_dropped,
                han_negation_added,
                han_number_changed,
                han_name_changed,
                han_pronoun_changed,
                han_word_changed,
                han_swapped,
                spliced,
            )
        },
    },
}

if __name__ == "__main__":
    main()
