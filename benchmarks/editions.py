"""One work as EPUB, then TXT, then PDF: how many notes stand at the same words in each, in order and with repetitions.

Books of the evaluation material are written in each format from the same known sentences, notes are made in the EPUB,
and the other formats are added: beside it, or after it was removed. The TXT is wrapped, with `_italics_` in places; the
PDF has running heads, page numbers, foot lines, and words cut by pages. Sentences are planted in several places.
Where a mark stands in each file is known as in `anchors`. A chapter alone is added, too: its notes must stand in it,
and no others. Last, a book of another kind is added: no note may stand in it.

Baseline, in the same run: the exact words with 32 characters of context, the first of the best.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from anchors import ANNE, SHERLOCK, Letters, baseline, judged, plant, truth
from books_made import Book, Style, chinese, english, mark_some, marks_in, write
from common import record
from glossator.library.library import Library

BOOKS: dict[str, Callable[[], Book]] = {
    "English 1": lambda: english(SHERLOCK, 200_000, skip=3_000),
    "English 2": lambda: english(ANNE, 150_000, skip=150_000),
    "Chinese": lambda: chinese(90_000, skip=20_000),
}
STYLES: dict[str, Style] = {
    ".epub": Style(),
    ".txt": Style(wrap=72, underscores=True, rewritten=True),
    ".pdf": Style(head="A Running Head", notes=True),
}


def chapter(book: Book) -> Book:
    """Return a part of a book: a fifth of its slots, from the middle."""
    size = len(book.slots) // 5
    part = Book(book.title + " 2", book.language, book.slots[2 * size : 3 * size])
    part.chapters = {n - 2 * size: t for n, t in book.chapters.items() if 2 * size <= n < 3 * size}
    return part


def stands(library: Library, document: str, notes: dict[str, int]) -> dict[int, tuple[int, int] | None]:
    """Return where each mark stands in a document; None for those that do not."""
    found: dict[int, tuple[int, int] | None] = dict.fromkeys(notes.values())
    for note in library.notes.list(docs=[document]).to_json()["notes"]:
        place = note["locator"]
        if place is not None and note["document"]["id"] == document:
            found[notes[note["id"]]] = place["start"], place["end"]
    return found


def run(make: Callable[[], Book], many: int, seed: int, *, removed: bool) -> dict[str, Counter[str]]:
    """Return how the notes of one book stand in each later file."""
    rng = random.Random(seed)
    book = make()
    mark_some(book, many, rng)
    plant(book, rng, many // 5)
    out: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as name, Library.open(Path(name) / "library", embedder="none") as library:
        folder = Path(name)

        def add(this: Book, label: str, suffix: str, style: Style) -> tuple[str, str]:
            path = write(this, folder / f"{label}{suffix}", style=style)
            identifier = library.add([str(path)]).documents[0].id or ""
            return identifier, library.text(identifier).text

        def place(this: Book, label: str, suffix: str, style: Style, text: str) -> dict[int, tuple[int, int]]:
            return truth(this, folder / f"marked-{label}", suffix, style, text)

        home, text = add(book, "book", ".epub", STYLES[".epub"])
        by_letters = Letters(text)
        notes, quotes = {}, {}
        for mark, (a, b) in place(book, "epub", ".epub", STYLES[".epub"], text).items():
            start, end = by_letters.position(a), by_letters.position(b - 1) + 1
            notes[library.notes.add(home, span=(start, end)).to_json()["id"]] = mark
            quotes[mark] = text[start:end], text[max(0, start - 32) : start], text[end : end + 32]
        for label, suffix in (("txt", ".txt"), ("pdf", ".pdf")):
            if removed:
                library.remove(home)
            home, text = add(book, "book", suffix, STYLES[suffix])
            expected = place(book, label, suffix, STYLES[suffix], text)
            out[suffix] = judged(stands(library, home, notes), expected, marks_in(book), text)
            told(out[suffix], stands(library, home, notes), expected, quotes, text)
            guessed = {m: baseline(text, *q) for m, q in quotes.items()}
            out[f"{suffix} quote and context"] = judged(guessed, expected, marks_in(book), text)
        part = chapter(book)
        identifier, text = add(part, "chapter", ".html", Style())
        expected = place(part, "chapter", ".html", Style(), text)
        out["chapter"] = judged(stands(library, identifier, notes), expected, marks_in(part), text)
        told(out["chapter"], stands(library, identifier, notes), expected, quotes, text)
        other = english(ANNE, 60_000) if book.language == "en" else chinese(40_000, skip=400_000)
        identifier, text = add(other, "other", ".txt", Style())
        out["another book"] = judged(stands(library, identifier, notes), {}, {}, text)
    return out


def told(
    counts: Counter[str],
    found: dict[int, tuple[int, int] | None],
    expected: dict[int, tuple[int, int]],
    quotes: dict[int, tuple[str, str, str]],
    text: str,
) -> None:
    """Show the first few notes that are not where they should be."""
    if not counts.keys() & {"lost wrong", "elsewhere", "unknown"}:
        return
    by_letters, shown = Letters(text), 0
    for mark, place in found.items():
        kinds = judged({mark: place}, expected, dict.fromkeys(quotes) if mark in expected else {}, text)  # type: ignore[arg-type]
        if shown < 4 and kinds.keys() & {"lost wrong", "elsewhere"}:
            shown += 1
            print(f"    {dict(kinds)} {quotes[mark][1]!r} [{quotes[mark][0]!r}] {quotes[mark][2]!r}")
            print(f"      stands {place} {place and text[place[0] : place[1]]!r}")
            if mark in expected:
                a, b = (by_letters.position(n) for n in expected[mark])
                print(f"      should {a, b} {text[max(0, a - 90) : b + 60]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=80, help="notes in each book")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--books", nargs="*", default=list(BOOKS))
    asked = parser.parse_args()
    totals: dict[str, Counter[str]] = {}
    for removed in (False, True):
        for name in asked.books:
            for what, counts in run(BOOKS[name], asked.notes, asked.seed, removed=removed).items():
                label = f"{what.lstrip('.')}, {'after removal' if removed else 'side by side'}"
                print(name, label, dict(counts), flush=True)
                totals[label] = totals.get(label, Counter()) + counts
    if asked.books == list(BOOKS):
        record("editions", {what: dict(sorted(counts.items())) for what, counts in totals.items()})


if __name__ == "__main__":
    main()
