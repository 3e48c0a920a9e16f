"""Notes whose files change: how many stand where they should, per kind of change, beside the quote-with-context rule.

Marks are set in real books (TXT, HTML, EPUB and PDF), notes are made through the library, the file is changed in a way
that is known, and added again. Where each marked piece is afterwards is known from the change alone: the changed file
is written once more with the marks in brackets (for PDFs, whose layout that would change, marks are counted in the text
that was set). A mark that was taken out must be lost; one that was left must be `exact` or `moved` at its own place.

Baseline: the W3C TextQuoteSelector as annotation tools resolve it: the exact words, of several occurrences the one
whose 32 characters on each side agree most, else the first.
"""

import argparse
import copy
import random
import shutil
import tempfile
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from books_made import (
    Book,
    Piece,
    Sentence,
    Style,
    bracketed,
    chinese,
    english,
    letters,
    mark_some,
    marks_in,
    real_epub,
    without_brackets,
    write,
)
from common import data, record
from glossator.library.library import Library
from glossator.parse import parse

Change = Callable[[Book, random.Random], Style]
SHERLOCK = "the_adventures_of_sherlock_holmes_arthur_conan_doyle.txt"
ANNE = "anne_of_green_gables_lm_montgomery.txt"


def _foreign(book: Book, rng: random.Random) -> list[list[Sentence]]:
    """Paragraphs of another book in the same language."""
    other = chinese(60_000, skip=300_000) if book.language == "zh" else english(ANNE, 90_000, skip=60_000)
    return [p for slot in other.slots for p in slot if rng.random() < 0.9]


# --- changes: each alters the book in place and says how the file is written then -----------------------------------


def insertions(book: Book, rng: random.Random) -> Style:
    foreign = _foreign(book, rng)
    for slot in book.slots:
        for paragraph in slot:
            n = 0
            while n <= len(paragraph):
                if rng.random() < 0.15:
                    paragraph.insert(n, copy.deepcopy(rng.choice(rng.choice(foreign))))
                    n += 1
                n += 1
        if rng.random() < 0.3:
            slot.insert(rng.choice((0, len(slot))), copy.deepcopy(rng.choice(foreign)))
    return Style()


def deletions(book: Book, rng: random.Random) -> Style:
    for slot in book.slots:
        if rng.random() < 0.2:
            slot.clear()
        for paragraph in slot:
            paragraph[:] = [s for s in paragraph if rng.random() > 0.2]
        slot[:] = [p for p in slot if p]
    return Style()


_STRAIGHT = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "—": "-", "…": "..."})


def typography(book: Book, rng: random.Random) -> Style:
    table = {}
    if book.language == "zh":
        import opencc  # the dependency's own converter, not our folding

        converter = opencc.OpenCC("s2t")
    for piece in book.pieces():
        text = piece.text
        if book.language == "zh":
            text = converter.convert(text) if rng.random() < 0.6 else text.replace("，", ",").replace("：", ":")
        else:
            straight = text.translate(_STRAIGHT)
            text = straight if straight != text else text.replace('"', "”").replace("'", "’").replace("--", "—")
            text = text.replace(" ", "\u00a0", 1) if book.real is None and rng.random() < 0.2 else text
        piece.text = text
    assert not table
    return Style()


def encoding(book: Book, rng: random.Random) -> Style:
    name = rng.choice(("gb18030", "utf-16") if book.language == "zh" else ("cp1252", "utf-16"))
    return Style(encoding="utf-16" if book.real else name, newline="\r\n", page=(595, 842), size=13)


def markup(_: Book, rng: random.Random) -> Style:
    return Style(rewritten=True, wrap=0, head="Another edition", columns=1, size=rng.choice((9, 12)))


def wrapped(book: Book, _: random.Random) -> Style:
    return Style(wrap=0 if book.language == "zh" else 68, columns=2, page=(595, 842), size=10)


def repeated(book: Book, rng: random.Random) -> Style:
    """Of sentences that stand in several places (see `plant`), some copies go, and other copies come."""
    texts = Counter(s.text for s in book.sentences())
    for slot in book.slots:
        for paragraph in slot:
            paragraph[:] = [s for s in paragraph if texts[s.text] == 1 or rng.random() < 0.55]
        slot[:] = [p for p in slot if p]
    plant(book, rng, 12)
    return Style()


def replaced(book: Book, rng: random.Random) -> Style:
    foreign = [s for p in _foreign(book, rng) for s in p]
    for sentence in book.sentences():
        if any(p.mark is not None for p in sentence.pieces) and rng.random() < 0.5:
            sentence.pieces = [Piece(rng.choice(foreign).text)]
    return Style()


def decoys(book: Book, rng: random.Random) -> Style:
    """Half of the sentences with a mark are taken out, and the marked words put into another paragraph."""
    gone = []
    for n, slot in enumerate(book.slots):
        for paragraph in slot:
            for sentence in list(paragraph):
                if any(p.mark is not None for p in sentence.pieces) and rng.random() < 0.5:
                    paragraph.remove(sentence)
                    gone += [(n, p.text) for p in sentence.pieces if p.mark is not None]
        slot[:] = [p for p in slot if p]
    for n, text in gone:
        paragraph = rng.choice([p for m, slot in enumerate(book.slots) for p in slot if abs(m - n) > 3])
        paragraph.insert(rng.randrange(len(paragraph) + 1), Sentence([Piece(text)]))
    return Style()


def edited(book: Book, rng: random.Random) -> Style:
    """A word of each marked piece is left out, doubled or exchanged (Chinese: a character)."""
    for piece in book.pieces():
        if piece.mark is None:
            continue
        words = list(piece.text) if book.language == "zh" else piece.text.split(" ")
        if len(words) < (8 if book.language == "zh" else 5):  # of fewer, one is too much to call them the same
            continue
        n = rng.randrange(1, len(words) - 1)
        if len(words[n]) > 0.2 * len(piece.text):
            continue
        words[n : n + 1] = rng.choice(([], [words[n], words[n]], ["亦"] if book.language == "zh" else ["perhaps"]))
        piece.text = book.joint.join(words)
    return Style()


def mixed(book: Book, rng: random.Random) -> Style:
    insertions(book, rng)
    for slot in book.slots:
        for paragraph in slot:
            paragraph[:] = [s for s in paragraph if rng.random() > 0.1]
        slot[:] = [p for p in slot if p]
    typography(book, rng)
    return markup(book, rng)


def reordered(book: Book, rng: random.Random) -> Style:
    """Chapters, or eight blocks of paragraphs, in another order."""
    size = max(1, len(book.slots) // 8)
    blocks = [book.slots[n : n + size] for n in range(0, len(book.slots), size)]
    rng.shuffle(blocks)
    book.slots = [slot for block in blocks for slot in block]
    return Style()


CHANGES: tuple[Change, ...] = (
    *(insertions, deletions, typography, encoding, markup, wrapped, repeated, replaced, decoys, edited, mixed),
    reordered,
)


def plant(book: Book, rng: random.Random, many: int) -> None:
    """Copy sentences into other paragraphs: some marked, some not; none beside itself."""
    marked = [s for s in book.sentences() if any(p.mark is not None for p in s.pieces)]
    for sentence in rng.sample(marked, min(many, len(marked))):
        for _ in range(rng.choice((1, 2))):
            paragraph = rng.choice([p for slot in book.slots for p in slot if sentence not in p])
            paragraph.insert(rng.randrange(len(paragraph) + 1), Sentence([Piece(sentence.text)]))


# --- where a mark is ------------------------------------------------------------------------------------------------


class Letters:
    """A canonical text by its letters: whatever the layout, the same letters are the same place."""

    def __init__(self, text: str) -> None:
        self.text = letters(text)
        self._ends = [0]
        for c in text:
            self._ends.append(self._ends[-1] + sum(x.isalnum() for x in unicodedata.normalize("NFKC", c)))
        if self._ends[-1] != len(self.text):  # composed over characters: count those of the text as they are
            self.text = "".join(letters(c) for c in text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self._ends[start], self._ends[end]

    def position(self, letter: int) -> int:
        return bisect_left(self._ends, letter + 1) - 1


def _set(book: Book) -> tuple[str, dict[int, tuple[int, int]]]:
    """The letters of a book as it was set, and where its marks are in them."""
    parts, at, spans = [], 0, {}
    for n, slot in enumerate(book.slots):
        pieces = [Piece(book.chapters[n])] if n in book.chapters else []
        for piece in [*pieces, *(p for paragraph in slot for s in paragraph for p in s.pieces)]:
            text = letters(piece.text)
            if piece.mark is not None:
                spans[piece.mark] = (at, at + len(text))
            parts.append(text)
            at += len(text)
    return "".join(parts), spans


def truth(book: Book, folder: Path, suffix: str, style: Style, text: str) -> dict[int, tuple[int, int]]:
    """Return the letters of the canonical text that each mark of a written book is."""
    if suffix != ".pdf":
        folder.mkdir(exist_ok=True)
        path = write(book, folder / f"marked{suffix}", show=bracketed, style=style)
        marked, spans = without_brackets(parse(path).text)
        if marked.split() != text.split():  # a page reader passes over a paragraph that it has read before
            spans = _by_paragraphs(marked, text, spans)
        return {mark: Letters(text).span(*span) for mark, span in spans.items()}
    there, (was, spans) = Letters(text).text, _set(book)
    found = {}
    for mark, (a, b) in spans.items():
        words = was[a:b]
        place = _nth(there, words, was[:a].count(words))
        if place is not None:
            found[mark] = (place, place + b - a)
    return found


def _by_paragraphs(marked: str, text: str, spans: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Where marks are in the paragraphs that two texts have in common, in order."""
    sides = []
    for side in (marked, text):
        at, found = 0, []
        for part in side.split("\n\n"):
            found.append((at, part))
            at += len(part) + 2
        sides.append(found)
    parts = [[part for _, part in side] for side in sides]
    blocks = SequenceMatcher(None, *parts, autojunk=False).get_matching_blocks()
    moved = {}
    for block in blocks:
        for n in range(block.size):
            (here, part), there = sides[0][block.a + n], sides[1][block.b + n][0]
            for mark, (start, end) in spans.items():
                if here <= start and end <= here + len(part):
                    moved[mark] = start - here + there, end - here + there
    return moved


def _nth(text: str, words: str, n: int) -> int | None:
    at = text.find(words)
    while n and at >= 0:
        at, n = text.find(words, at + 1), n - 1
    return at if at >= 0 else None


# --- one file -------------------------------------------------------------------------------------------------------


@dataclass
class Base:
    """A file in a library with a note at every mark."""

    book: Book
    path: Path
    document: str
    notes: dict[str, int]  # id: mark
    quotes: dict[int, tuple[str, str, str]]


def base(make: Callable[[], Book], folder: Path, suffix: str, notes: int, seed: int) -> Base:
    """Mark a book, plant copies of some marked sentences, add it to a library, and make the notes."""
    rng = random.Random(f"{seed} {suffix}")
    book = make()
    mark_some(book, notes, rng)
    plant(book, rng, notes // 3)
    made = Base(book, write(book, folder / f"book{suffix}"), "", {}, {})
    with Library.open(folder / "library", embedder="none") as library:
        made.document = library.add([str(made.path)]).documents[0].id or ""
        old = library.text(made.document).text
        by_letters = Letters(old)
        for mark, (a, b) in truth(book, folder, suffix, Style(), old).items():
            start, end = by_letters.position(a), by_letters.position(b - 1) + 1
            made.notes[library.notes.add(made.document, span=(start, end)).to_json()["id"]] = mark
            made.quotes[mark] = old[start:end], old[max(0, start - 32) : start], old[end : end + 32]
    return made


def run(made: Base, change: Change, seed: int, *, tell: bool = False) -> dict[str, Counter[str]]:
    """Return what became of the notes in one file, by `glossator` and by the baseline."""
    folder = made.path.parent / change.__name__
    rng = random.Random(f"{seed} {made.path.suffix} {change.__name__}")
    book = copy.deepcopy(made.book)
    style = change(book, rng)
    write(book, made.path, style=style)
    shutil.copytree(made.path.parent / "library", folder / "library")
    with Library.open(folder / "library", embedder="none") as library:
        status = library.add([str(made.path)]).documents[0]
        assert status.id == made.document, (status.status, "the file became another document")
        new = library.text(made.document).text
        expected = truth(book, folder, made.path.suffix, style, new)
        stands = {}
        for note in library.notes.list(docs=[made.document]).to_json()["notes"]:
            place = note["locator"]
            stands[made.notes[note["id"]]] = place and (place["start"], place["end"])
    shutil.rmtree(folder)
    left = marks_in(book)
    counts = judged(stands, expected, left, new)
    if tell:
        for mark, (quote, before, after) in made.quotes.items():
            one = judged({mark: stands[mark]}, expected, left, new)
            if one.keys() - {"same place", "lost right"}:
                place, there = stands[mark], expected.get(mark)
                print(f"    {dict(one)} {before!r} [{quote!r}] {after!r}")
                print(f"      stands {place} {place and new[place[0] - 40 : place[1] + 40]!r}")
                if there:
                    letter = Letters(new)
                    a, b = letter.position(there[0]), letter.position(there[1])
                    print(f"      should {a, b} {new[a - 40 : b + 40]!r}")
    return {
        "glossator": counts,
        "quote and context": judged({m: baseline(new, *q) for m, q in made.quotes.items()}, expected, left, new),
    }


def baseline(text: str, exact: str, prefix: str, suffix: str) -> tuple[int, int] | None:
    places, at = [], text.find(exact)
    while at >= 0:
        end = at + len(exact)
        agree = text[max(0, at - len(prefix)) : at] == prefix, text[end : end + len(suffix)] == suffix
        places.append((-sum(agree), at))
        at = text.find(exact, at + 1)
    return (min(places)[1], min(places)[1] + len(exact)) if places else None


def judged(
    stands: dict[int, tuple[int, int] | None],
    expected: dict[int, tuple[int, int]],
    left: dict[int, Piece],
    text: str,
) -> Counter[str]:
    by_letters = Letters(text)
    out: Counter[str] = Counter()
    for mark, place in stands.items():
        if mark not in left:
            out["lost right" if place is None else "elsewhere"] += 1
        elif mark not in expected:
            out["unknown"] += 1
        elif place is None:
            out["lost wrong"] += 1
        else:
            a, b = by_letters.span(*place)
            c, d = expected[mark]
            same = max(0, min(b, d) - max(a, c)) / max(1, max(b, d) - min(a, c))
            out["same place" if same >= 0.75 else "elsewhere"] += 1
    return out


# --- all ------------------------------------------------------------------------------------------------------------


BOOKS: dict[str, tuple[tuple[Callable[[], Book], str], ...]] = {
    "TXT": ((lambda: english(SHERLOCK, 60_000, skip=3_000), ".txt"), (lambda: chinese(30_000, skip=3_000), ".txt")),
    "HTML": ((lambda: english(ANNE, 60_000, skip=200_000), ".html"), (lambda: chinese(30_000, skip=90_000), ".html")),
    "EPUB": (
        (lambda: real_epub(data("parsing", "epub", "se-time-machine.epub"), "en"), ".epub"),
        (lambda: chinese(30_000, skip=180_000), ".epub"),
    ),
    "PDF": ((lambda: english(SHERLOCK, 50_000, skip=90_000), ".pdf"), (lambda: chinese(25_000, skip=50_000), ".pdf")),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=65, help="notes in each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one kind of change")
    parser.add_argument("--tell", action="store_true", help="show each note that is not where it should be")
    parser.add_argument("--formats", nargs="*", default=list(BOOKS))
    asked = parser.parse_args()
    figures: dict[str, dict[str, str]] = defaultdict(dict)
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    counted: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for form in asked.formats:
        for make, suffix in BOOKS[form]:
            with tempfile.TemporaryDirectory() as folder:
                made = base(make, Path(folder), suffix, asked.notes, asked.seed)
                totals["notes"]["notes"] += len(made.notes)
                for change in CHANGES:
                    if asked.only in (None, change.__name__):
                        for rule, counts in run(made, change, asked.seed, tell=asked.tell).items():
                            counted[change.__name__][rule] += counts
                            totals[f"{rule}, {form}"] += counts
                            totals[rule] += counts
    for name, by_rule in counted.items():
        for rule, counts in by_rule.items():
            figures[name][rule] = _line(counts)
            print(name, rule, _line(counts), flush=True)
    notes = totals.pop("notes")["notes"]
    if asked.only is None:
        record(
            "anchors",
            {
                "notes": notes,
                "files": sum(map(len, BOOKS.values())),
                **figures,
                "all": {rule: _line(counts) for rule, counts in totals.items()},
            },
        )


def _line(counts: Counter[str]) -> str:
    return ", ".join(
        f"{name} {counts[name]}"
        for name in ("same place", "lost right", "lost wrong", "elsewhere", "unknown")
        if counts[name] or name != "unknown"
    )


if __name__ == "__main__":
    main()
