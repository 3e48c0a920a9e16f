"""Write the lists of common words that `library/analysis/common.py` reads: counted, not chosen.

English: stems that stand, in small letters, in at least `LEAST["en"]` parts of the texts; Chinese: pairs of characters
in at least `LEAST["zh"]` parts, simplified. The texts are encyclopedia paragraphs (XQuAD, DRCD), two anthologies and a
novel in English, and manuals. None of them is a text on which the wall or the analyses are measured.

    python benchmarks/common_words.py
"""

import gzip
import json
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from common import ROOT, data
from glossator.document.fold import fold_for_index
from glossator.index.tokens import stem

TARGET = ROOT / "src" / "glossator" / "library" / "analysis"
LEAST = {"en": 4, "zh": 5}
PART = {"en": 15_000, "zh": 3_000}  # characters
BOOKS = ("idpf-moby-dick", "idpf-childrens-literature", "idpf-georgia-cfi", "deb-policy", "deb-project-history.en")
MANUALS = {"en": ("debian-history", "policy-", "python-faq"), "zh": ("maint-guide",)}
WORD = re.compile(r"(?<![A-Za-z.])[a-z]{2,}(?![A-Za-z])")
RUN = re.compile(r"[\u4e00-\u9fff]+")


def main() -> None:
    """Count, and write both lists."""
    english: Counter[str] = Counter()
    for part in parts("en", [*books(), *manuals("en"), paragraphs("xquad-en")]):
        english.update({stem(w) for w in WORD.findall(part)})
    common = sorted(w for w, n in english.items() if n >= LEAST["en"])
    (TARGET / "common_en.txt").write_text("\n".join(common) + "\n", "ascii")
    chinese: Counter[str] = Counter()
    for part in parts("zh", [paragraphs("drcd-dev"), paragraphs("xquad-zh"), *manuals("zh")]):
        runs = RUN.findall(fold_for_index(part))
        chinese.update({run[i : i + 2] for run in runs for i in range(len(run) - 1)})
    after: defaultdict[str, list[str]] = defaultdict(list)
    for pair in sorted(w for w, n in chinese.items() if n >= LEAST["zh"]):
        after[pair[0]].append(pair[1])
    lines = [first + "".join(seconds) for first, seconds in after.items()]
    (TARGET / "common_zh.txt").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(common)} English stems, {sum(map(len, after.values()))} Chinese pairs")


def parts(language: str, texts: list[str]) -> Iterator[str]:
    """Yield the texts cut into parts of equal length."""
    for text in texts:
        yield from (text[i : i + PART[language]] for i in range(0, len(text), PART[language]))


def books() -> Iterator[str]:
    """Yield the texts of whole books, without marks."""
    for name in BOOKS:
        with zipfile.ZipFile(data("parsing", "epub", f"{name}.epub")) as archive:
            for part in archive.namelist():
                if part.endswith(("html", "htm")):
                    yield plain(archive.read(part).decode("utf-8", "replace"))


def manuals(language: str) -> Iterator[str]:
    """Yield the pages of manuals."""
    for path in sorted(data("parsing", "html", "docs").glob("*.gz")):
        if path.name.startswith(MANUALS[language]):
            with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
                yield plain(file.read())


def paragraphs(name: str) -> str:
    """Return the paragraphs of a retrieval set as one text."""
    lines = Path(data("retrieval", name, "corpus.jsonl")).read_text("utf-8").splitlines()
    return "\n".join(json.loads(line)["text"] for line in lines)


def plain(markup: str) -> str:
    """Return what stands outside tags, scripts and styles."""
    return re.sub(r"(?s)<(script|style).*?</\1>|<[^>]+>", " ", markup)


if __name__ == "__main__":
    main()
