"""Do exports come back as the same bytes, and do clippings find their places?

Round trip: notes at seeded places of an English, a Chinese, an Arabic and a Hebrew book, with bodies in these scripts
and emoji, tags, links, progress and collections; exported, imported into a library that has the books and into one that
has none, and exported again.

Clippings: entries made from seeded passages of real books, as a Kindle writes them: duplicates, highlights extended and
drawn anew, cut in mid-word, cut by the clipping limit, notes, bookmarks, passages that stand several times, a book that
is not here. The truth is where each passage was taken from. Once with locations in the order of the text, as a Kindle
counts, and once with locations that mean nothing. The baseline takes the first place of the words.
"""

import random
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.common import data, record

from glossator.library.library import Library
from glossator.library.results import Bound

SEED = 20261130
ALL = Bound(uncapped=True)
BOOKS = (
    "parsing/epub/se-adventures-of-sherlock-holmes.epub",
    "longdoc/zh-novels/journey-to-the-west.txt",
    "parsing/epub/idpf-regime-anticancer-arabic.epub",
    "parsing/epub/idpf-israelsailing.epub",
)
READ = (
    "parsing/epub/se-adventures-of-sherlock-holmes.epub",
    "parsing/epub/se-time-machine.epub",
    "parsing/epub/idpf-moby-dick.epub",
    "longdoc/zh-novels/journey-to-the-west.txt",
)
BODIES = (
    "Why? 🤔👩🏽‍🚀",
    "为什么？「石头」",
    "لماذا؟ هذا مهم",
    "למה? זה חשוב",
    "*Markdown* <!-- & -->\n\n> a line",
    "",
)
COLORS = ("yellow", "green", "blue", "red", "purple")
NOTES = 400
CLIPS = 60  # per book and language, before duplicates and further forms
END = "==========\r\n"


def main() -> None:
    """Measure both and record the figures."""
    with tempfile.TemporaryDirectory() as folder:
        figures = {"seed": SEED, **round_trips(Path(folder)), **clippings(Path(folder))}
    record("exchange", figures)
    bad = [k for k, v in figures.items() if k.startswith("same_bytes") and v is not True]
    if bad or any(figures[k]["wrong"] for k in figures if k.startswith("clippings_")):
        sys.exit(f"not as it should be: {bad or 'a clipping stands elsewhere'}")


# --- round trips ----------------------------------------------------------------------------------------------------


def round_trips(folder: Path) -> dict[str, Any]:
    """Return whether the bytes are the same, and what an export and an import cost."""
    rng = random.Random(SEED)
    with Library.open(folder / "a", embedder="none") as library:
        ids = [d.id or "" for d in library.add([str(data(b)) for b in BOOKS]).documents]
        made = [annotate(library, rng, ids) for _ in range(NOTES)]
        for a, b in zip(made[::3], made[1::3], strict=False):
            library.notes.link(a, b, relation=rng.choice(("related", "supports", "contradicts")), bound=ALL)
        for n in made[::40]:
            library.notes.remove(n, bound=ALL)
        library.progress(ids[0], at=5_000)
        library.shelves.add("روايات 📚", ids[:2])
        figures: dict[str, Any] = {"notes": library.notes.list(bound=ALL).total}
        for name in ("json", "w3c"):
            begin = perf_counter()
            text = library.exchange.export(name, bound=ALL).content or ""  # type: ignore[arg-type]
            figures[f"{name}_export_seconds"] = round(perf_counter() - begin, 3)
            figures[f"{name}_bytes"] = len(text.encode())
            path = folder / f"notes.{name}"
            path.write_text(text, "utf-8")
            for present in (True, False):
                place = folder / f"{name} {present}"
                same, seconds = again(place, path, present=present, text=text, name=name)
                figures[f"same_bytes_{name}_{'with' if present else 'without'}_books"] = same
                figures[f"{name}_import_seconds"] = seconds
    return figures


def annotate(library: Library, rng: random.Random, ids: list[str]) -> str:
    """Make a note at a place of a random document; return its id."""
    doc = rng.choice(ids)
    text = library.text(doc, bound=ALL).text
    while True:
        start = rng.randrange(len(text) - 200)
        end = start + rng.randrange(1, 200)
        if text[start:end].strip():
            break
    body, tags = rng.choice(BODIES), rng.sample(["sea", "光", "بحر", "ים", "🔖"], rng.randrange(3))
    note = library.notes.add(doc, span=(start, end), body=body, tags=tags, color=rng.choice(COLORS), bound=ALL)  # type: ignore[arg-type]
    return note.id


def again(place: Path, path: Path, *, present: bool, text: str, name: str) -> tuple[bool, float]:
    """Import twice into a fresh library and export; return whether the bytes are those of `text`, and the seconds."""
    with Library.open(place, embedder="none") as other:
        if present:
            other.add([str(data(b)) for b in BOOKS])
        begin = perf_counter()
        other.exchange.load(path)
        seconds = round(perf_counter() - begin, 3)
        first = other.exchange.export(name, bound=ALL).content  # type: ignore[arg-type]
        twice = other.exchange.load(path).notes
        second = other.exchange.export(name, bound=ALL).content  # type: ignore[arg-type]
    return first == second == text and not twice.added and not twice.updated, seconds


# --- clippings ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Truth:
    """A highlight that should become a note: its kind, and where its words were taken from."""

    kind: str
    doc: str
    start: int
    end: int
    written: str


def clippings(folder: Path) -> dict[str, Any]:
    """Return how many highlights stand where they were taken from, elsewhere, and nowhere."""
    figures: dict[str, Any] = {}
    for told in ("true", "random"):
        rng = random.Random(SEED)
        with Library.open(folder / f"clips {told}", embedder="none") as library:
            ids = [d.id or "" for d in library.add([str(data(b)) for b in READ]).documents]
            text, truths, others = written(library, rng, ids, true_places=told == "true")
            path = folder / "My Clippings.txt"
            path.write_bytes(text.encode())
            begin = perf_counter()
            result = library.exchange.load(path)
            seconds = perf_counter() - begin
            found = score(library, truths, result.problems)
            twice = library.exchange.load(path).notes
        figures[f"clippings_{told}_locations"] = {
            "entries": text.count(END),
            "highlights": len(truths),
            **found,
            "notes_added": result.notes.added,
            "failed_listed": result.notes.failed,
            "should_fail": others,
            "added_by_a_second_import": twice.added + twice.updated,
            "seconds": round(seconds, 2),
        }
    return figures


def written(library: Library, rng: random.Random, ids: list[str], *, true_places: bool) -> tuple[str, list[Truth], int]:
    """Return a clippings file, where its highlights were taken from, and how many entries cannot become notes."""
    entries: list[str] = []
    truths: list[Truth] = []
    unfit = 0
    for doc in ids:
        title = library.show(doc, bound=ALL).to_json()["metadata"]
        text = library.text(doc, bound=ALL).text
        chinese = sum("一" <= c <= "鿿" for c in text[:2_000]) > 500
        name = f"{title['title']} ({'; '.join(title['authors']) or 'Unknown'})"
        for n in range(CLIPS):
            kind = ("plain", "repeated", "extended", "shrunk", "cut", "note", "plain", "spaces")[n % 8]
            start, end = passage(rng, text, chinese, repeated=kind == "repeated")
            place = start // 130 + 1 if true_places else rng.randrange(1, 20_000)
            forms = forms_of(kind, rng, text, start, end)
            for form in forms:
                last = place + max(0, len(form) // 130)
                entries.append(entry(name, "highlight", place, last, form, rng, chinese))
            if kind == "note":
                entries.append(entry(name, "note", place, place, "a thought 🙂", rng, chinese))
            truths.append(Truth(kind, doc, start, end, forms[-1]))
        entries += [entry(name, "bookmark", 5, 5, "", rng, chinese)]
        limit = "<您已达到本书的剪贴上限>" if chinese else "<You have reached the clipping limit for this item>"
        entries += [entry(name, "highlight", 90_000, 90_001, limit, rng, chinese)]
        entries += [entry(name, "highlight", 91_000, 91_001, "Zyxw vutsr qponm lkjih gfedc ba", rng, chinese)]
        entries += [entry("No Such Book (Nobody)", "highlight", 7, 8, text[5_000:5_060], rng, chinese)]
        unfit += 3
    entries += rng.sample(entries, len(entries) // 10)  # exact duplicates, as after a restart
    duplicated = len(entries) // 11
    assert duplicated
    return "\ufeff" + "".join(entries), truths, unfit


def passage(rng: random.Random, text: str, chinese: bool, *, repeated: bool) -> tuple[int, int]:
    """Return the place of one to three sentences, or of a short phrase that stands several times."""
    if repeated:
        pattern = re.compile(r"[一-鿿]{6,8}" if chinese else r"\b\w+ \w+ \w+ \w+\b")
        while True:
            found = pattern.search(text, rng.randrange(len(text) - 5_000))
            if found and 2 <= text.count(found[0]) <= 6 and "\n" not in found[0]:
                return found.span()
    ends = re.compile(r"[。！？]" if chinese else r"[.!?][”’\"]?(?=\s)")
    while True:
        first = ends.search(text, rng.randrange(1_000, len(text) - 5_000))
        if first is None:
            continue
        start = first.end()
        while text[start].isspace():
            start += 1
        stops = [m.end() for m in ends.finditer(text, start, start + 700)]
        stops = [s for s in stops if s - start >= (12 if chinese else 40)]
        if stops:
            end = stops[min(len(stops) - 1, rng.randrange(3))]
            if text.count(text[start:end]) == 1 and "\n\n" not in text[start:end]:
                return start, end


def forms_of(kind: str, rng: random.Random, text: str, start: int, end: int) -> list[str]:
    """Return the words of the entries of one highlight, in the order they were made."""
    words = text[start:end]
    if kind == "extended":
        return [words[: len(words) // 2].rstrip(), words]
    if kind == "shrunk":
        return [words, words[len(words) // 3 :].lstrip()]
    if kind == "cut":
        keep = max(20, int(len(words) * rng.uniform(0.7, 0.95)))
        while 0 < keep < len(words) and not (words[keep - 1].isalnum() and words[keep].isalnum()):
            keep -= 1
        return [words[:keep]]
    if kind == "spaces":
        return [" ".join(words.split()).replace("—", " — ") + " "]
    return [words]


def entry(name: str, kind: str, first: int, last: int, words: str, rng: random.Random, chinese: bool) -> str:
    """Return an entry as a Kindle of one of several settings writes it."""
    place = str(first) if first == last else f"{first}-{last}"
    hour, minute, second, day = rng.randrange(24), rng.randrange(60), rng.randrange(60), rng.randrange(1, 29)
    half = rng.random() < 0.5
    if chinese:
        what = {"highlight": "标注", "note": "笔记", "bookmark": "书签"}[kind]
        clock = f"{hour}:{minute:02}:{second:02}"
        if half:
            clock = f"{'下午' if hour >= 12 else '上午'}{(hour - 1) % 12 + 1}:{minute:02}:{second:02}"
        page = f"您在第 {first // 20 + 1} 页（位置 #{place}）的{what}" if half else f"您在位置 #{place}的{what}"
        facts = f"- {page} | 添加于 2019年5月{day}日星期日 {clock}"
    else:
        what = kind.capitalize()
        clock = f"{hour:02}:{minute:02}:{second:02}"
        date = f"Sunday, {day} May 2019 {clock}"
        if half:
            half_day = "PM" if hour >= 12 else "AM"
            date = f"Sunday, May {day}, 2019 {(hour - 1) % 12 + 1}:{minute:02}:{second:02} {half_day}"
        page = f"page {first // 20 + 1} | Location {place}" if half else f"Location {place}"
        facts = f"- Your {what} on {page} | Added on {date}"
    return f"{name}\r\n{facts}\r\n\r\n{words}\r\n{END}"


def score(library: Library, truths: list[Truth], problems: Any) -> dict[str, Any]:
    """Compare the notes with the places that the highlights were taken from; count the naive placing beside it."""
    notes = {doc: library.notes.list(docs=[doc], bound=ALL).notes for doc in {t.doc for t in truths}}
    texts = {doc: library.text(doc, bound=ALL).text for doc in notes}
    right = naive_right = naive_wrong = 0
    by_kind: dict[str, list[int]] = {}
    claimed: dict[str, set[str]] = {doc: set() for doc in notes}
    for t in truths:
        near = [
            n
            for n in notes[t.doc]
            if n.locator and n.locator.start < t.end and n.locator.end > t.start and n.state != "lost"
        ]
        fits = [n for n in near if covers(n, t) or holds(n.quote, t.written, texts[t.doc][t.start : t.end])]
        right += bool(fits)
        counted = by_kind.setdefault(t.kind, [0, 0])
        counted[0] += bool(fits)
        counted[1] += 1
        claimed[t.doc] |= {n.id for n in fits}
        first = texts[t.doc].find(t.written)
        naive_right += t.start <= first < t.end
        naive_wrong += first >= 0 and not t.start <= first < t.end
    wrong = sum(n.id not in claimed[doc] for doc, some in notes.items() for n in some)
    listed = sum(p.line is not None for p in problems)
    return {
        "anchored": right,
        "anchored_share": round(right / len(truths), 4),
        "wrong": wrong,
        "listed": listed,
        "by_kind": {k: f"{a}/{b}" for k, (a, b) in sorted(by_kind.items())},
        "baseline_first_place": {"anchored": naive_right, "wrong": naive_wrong},
    }


def covers(note: Any, t: Truth) -> bool:
    """Tell whether a longer highlight, which takes the place of the shorter ones inside it, holds a passage."""
    return bool(note.locator) and note.locator.start <= t.start and t.end <= note.locator.end


def holds(quote: str, given: str, passage: str) -> bool:
    """Tell whether a note's words are those of the entry, and of the passage it was taken from."""
    plain = "".join(filter(str.isalnum, quote))
    return (
        bool(plain)
        and plain in "".join(filter(str.isalnum, passage))
        and len(plain) * 2 >= len("".join(filter(str.isalnum, given)))
    )


if __name__ == "__main__":
    main()
