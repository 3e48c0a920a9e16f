"""How well files other than EPUB and PDF are read: encodings, chapters, Word files, web pages, and that none fails.

    python benchmarks/formats.py [encodings] [chapters] [docx] [html] [files]

Baselines in the same run: chardet alone for encodings, docx2python (if it is installed) for Word files, trafilatura's
own text for web pages. Words are compared as bags, web pages as bags of four words in a row; both case-folded, without
punctuation, one word for each Chinese or Japanese character.
"""

import gzip
import json
import re
import sys
import tempfile
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean
from typing import Any

from common import data, record
from glossator.errors import GlossatorError
from glossator.parse import parse
from glossator.parse.encoding import declared_encoding, decode

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]|[^\W_\u3040-\u9fff]+")
_EDIT_OR_BACK = re.compile(r"\[\s*edit\s*\]|^\^(?:[ \t]+[a-z]\b)*", re.MULTILINE)
_FORMATS = (
    ("docx", "docx", "*.docx"),
    ("html", "html", "**/*.html*"),
    ("markdown", "markdown", "*.md"),
    ("text", "txt", "*.txt"),
    ("fb2", "ebook-other", "*.fb2"),
)

Figures = dict[str, Any]


def words(text: str) -> list[str]:
    """Return the words of a text, folded."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Return every four words in a row, counted; of a shorter text, all of it."""
    found = words(text)
    return Counter(tuple(found[i : i + 4]) for i in range(max(1, len(found) - 3)) if found)


def recall(truth: Counter[Any], found: Counter[Any]) -> float:
    """Return which share of the truth was found."""
    return sum((truth & found).values()) / truth.total() if truth else float(not found)


def lines(path: Path) -> Iterable[Figures]:
    """Yield the objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


# --- measures -------------------------------------------------------------------------------------------------------


def encodings() -> Figures:
    """Return which share of files is decoded exactly, white space and byte order mark aside."""
    import chardet

    folder = data("parsing", "encodings")
    plain = lambda text: " ".join(text.lstrip("\ufeff").split())  # noqa: E731
    ours, theirs, wrong = [], [], []
    for truth in lines(folder / "truth.jsonl"):
        content = (folder / truth["file"]).read_bytes()
        is_html = truth["file"].endswith((".html", ".htm"))
        found = decode(content, declared_encoding(content) if is_html else None)
        ours.append(plain(found.text) == plain(truth["text"]))
        guess = chardet.detect(content)["encoding"] or "ascii"
        theirs.append(plain(content.decode(guess, "replace")) == plain(truth["text"]))
        if not ours[-1]:
            wrong.append(f"{truth['file']} as {found.encoding}")
    return {"files": len(ours), "exact": round(mean(ours), 4), "chardet": round(mean(theirs), 4), "wrong": wrong}


def chapters() -> Figures:
    """Return which share of known chapters is a section of the right title that begins where it should."""
    folder = data("longdoc").parent
    by_book: dict[str, list[Figures]] = {}
    for chapter in lines(folder / "longdoc" / "chapters.jsonl"):
        by_book.setdefault(chapter["book"], []).append(chapter)
    figures: Figures = {}
    for book, truth in by_book.items():
        with (folder / book).open(encoding="utf-8", newline="") as file:
            source = file.read()
        document = parse(folder / book)
        starts = {(" ".join(s.title.split()), _visible(document.text[: s.start])) for s in document.sections}
        top = min((s.level for s in document.sections), default=1)
        expected = {(" ".join(c["title"].split()), _visible(source[: c["start"]])) for c in truth}
        titles = {" ".join(s.title.split()) for s in document.sections}
        figures[Path(book).stem] = {
            "chapters": len(truth),
            "titles": round(mean(t in titles for t, _ in expected), 4),
            "titles_and_starts": round(len(expected & starts) / len(expected), 4),
            "other_top_sections": sum(1 for s in document.sections if s.level == top) - len(expected & starts),
            "visible_characters_kept": round(_visible(document.text) / _visible(source), 6),
        }
    return figures


def _visible(text: str) -> int:
    return len("".join(text.split()))


def docx() -> Figures:
    """Return recall and precision of words against the text that another converter made of the same files."""
    figures: Figures = {"glossator": _docx(lambda path: parse(path).text)}
    try:
        from docx2python import docx2python
    except ImportError:
        print("docx2python is not installed: no baseline")
        return figures

    def baseline(path: Path) -> str:
        with docx2python(path) as opened:
            return str(opened.text)

    figures["docx2python"] = _docx(baseline)
    return figures


def _docx(read: Callable[[Path], str]) -> Figures:
    truth_folder = data("parsing", "docx-truth")
    found, expected, hits, failed = 0, 0, 0, 0
    for path in sorted(data("parsing", "docx").glob("*.docx")):
        reference = truth_folder / f"{path.name}.txt"
        if not reference.exists():
            continue
        truth = Counter(words(reference.read_text("utf-8")))
        try:
            text = read(path)
        except Exception as error:  # a baseline may fail in any way
            print(f"  {path.name}: {type(error).__name__}: {error}")
            text, failed = "", failed + 1
        ours = Counter(words(text))
        hits += (truth & ours).total()
        expected += truth.total()
        found += ours.total()
    return {"word_recall": round(hits / expected, 4), "word_precision": round(hits / found, 4), "failed": failed}


def html() -> Figures:
    """Return F1 of four words in a row against known main texts, without the descriptions of pictures.

    Some known texts hold links to edit a section and back from a note, which are no text; they are scored without
    them too, cut from all three alike.
    """
    import trafilatura

    figures: Figures = {}
    for truth_path in sorted(data("parsing", "html").glob("*.truth.json")):
        name = truth_path.name.removesuffix(".truth.json")
        truth = {
            k: v if isinstance(v, str) else v["articleBody"] for k, v in json.loads(truth_path.read_text()).items()
        }
        ours, theirs = {}, {}
        for page in truth:
            raw = gzip.decompress((truth_path.parent / name / f"{page}.html.gz").read_bytes())
            ours[page] = _page_text(raw)
            theirs[page] = trafilatura.extract(raw, include_comments=False, include_tables=True) or ""
        figures[name] = {"pages": len(truth), "glossator": _f1(truth, ours), "trafilatura": _f1(truth, theirs)}
        plain, ours_plain, theirs_plain = (_without_links(texts) for texts in (truth, ours, theirs))
        if plain != truth:
            figures[name]["without_links_to_edit"] = {
                "glossator": _f1(plain, ours_plain),
                "trafilatura": _f1(plain, theirs_plain),
            }
        segments = truth_path.parent / f"{name}.segments.json"
        if segments.exists():
            known = json.loads(segments.read_text())
            figures[name]["segments"] = {"glossator": _segments(known, ours), "trafilatura": _segments(known, theirs)}
    return figures


def _without_links(texts: dict[str, str]) -> dict[str, str]:
    return {page: _EDIT_OR_BACK.sub("", text) for page, text in texts.items()}


def _page_text(raw: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_bytes(raw)
        document = parse(path, format="html")
    return "\n\n".join(b.text for b in document.blocks if b.kind != "image")


def _f1(truth: dict[str, str], found: dict[str, str]) -> Figures:
    pairs = [(shingles(truth[page]), shingles(found[page])) for page in truth]
    recalls = [recall(t, f) for t, f in pairs]
    precisions = [recall(f, t) for t, f in pairs]
    scores = [2 * p * r / (p + r) if p + r else 0.0 for p, r in zip(precisions, recalls, strict=True)]
    return {
        "precision": round(mean(precisions), 4),
        "recall": round(mean(recalls), 4),
        "mean_f1": round(mean(scores), 4),
    }


def _segments(known: dict[str, Figures], found: dict[str, str]) -> Figures:
    squeezed = {page: "".join(words(text)) for page, text in found.items()}
    wanted = ["".join(words(s)) in squeezed[p] for p, v in known.items() if p in found for s in v.get("with", [])]
    unwanted = ["".join(words(s)) in squeezed[p] for p, v in known.items() if p in found for s in v.get("without", [])]
    return {"kept": round(mean(wanted), 4), "let_in": round(mean(unwanted), 4)}


def files() -> Figures:
    """Return how many files of each format end as a document, and as a clear error; anything else ends the run."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, where, pattern in _FORMATS:
            outcome: Counter[str] = Counter()
            for path in sorted(data("parsing", where).glob(pattern)):
                source = path
                if path.suffix == ".gz":
                    source = Path(folder) / path.stem
                    source.write_bytes(gzip.decompress(path.read_bytes()))
                try:
                    document = parse(source)
                    outcome["documents" if document.text else "documents without text"] += 1
                except GlossatorError as error:
                    outcome["clear errors"] += 1
                    print(f"  {path.name}: {error.message} ({error.hint})")
            figures[name] = dict(outcome)
    return figures


MEASURES: dict[str, Callable[[], Figures]] = {
    "encodings": encodings,
    "chapters": chapters,
    "docx": docx,
    "html": html,
    "files": files,
}


def main() -> None:
    """Run the measures named on the command line, or all."""
    warnings.simplefilter("ignore")  # of the baselines
    named = sys.argv[1:] or list(MEASURES)
    unknown = sorted(set(named) - set(MEASURES))
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; there are {', '.join(MEASURES)}")
    figures = {name: MEASURES[name]() for name in named}
    if set(named) == set(MEASURES):
        record("formats", figures)
    else:
        print(json.dumps(figures, ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()
