"""Documents with their notes as BibTeX: an entry for each, the notes with page or section in `annote`.

Keys are made of first author, year and first word of the title, so they stay the same from export to export; where two
would be equal, the document's id is put behind. Letters beyond ASCII are written as they are (biber, BibTeX 8).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from glossator.library.exchange.markdown import section_of
from glossator.library.exchange.selection import Selection, Shown, Work

_SPECIAL = {
    ord("\\"): "{\\textbackslash}",
    ord("{"): "{\\textbraceleft}",
    ord("}"): "{\\textbraceright}",
    ord("~"): "{\\textasciitilde}",
    ord("^"): "{\\textasciicircum}",
    **{ord(c): "\\" + c for c in "&%$#_"},
}
_SMALL_WORDS = {"the", "a", "an", "of", "on", "in", "and", "to", "der", "die", "das", "le", "la", "les", "el"}
_TYPES = {
    "article-journal": "article",
    "article-magazine": "article",
    "article-newspaper": "article",
    "paper-conference": "inproceedings",
    "chapter": "incollection",
    "thesis": "phdthesis",
    "report": "techreport",
    "book": "book",
}
_CSL = (
    ("journal", "container-title"),
    ("publisher", "publisher"),
    ("volume", "volume"),
    ("number", "issue"),
    ("pages", "page"),
    ("edition", "edition"),
    ("series", "collection-title"),
    ("address", "publisher-place"),
)


def to_text(selection: Selection) -> str:
    """Return the entries, by title."""
    works = selection.by_work()
    plain = [key_of(work) for work, _ in works]
    entries = []
    for (work, notes), key in zip(works, plain, strict=True):
        unique = key if plain.count(key) == 1 else f"{key}-{work.id}"
        fields = "".join(f",\n  {name} = {{{value}}}" for name, value in _fields(work, notes))
        entries.append(f"@{_type(work)}{{{unique}{fields}\n}}\n")
    return "\n".join(entries)


def key_of(work: Work) -> str:
    """Return the key of a work: author, year, word."""
    author = work.authors[0] if work.authors else ""
    family = author.partition(",")[0] if "," in author else (author.split() or [""])[-1]
    year = year_of(work.published) or ""
    words = re.findall(r"\w+", work.title)
    word = next((w for w in words if w.lower() not in _SMALL_WORDS), words[0] if words else "")
    key = "".join(_plain(part) for part in (family, year, word))
    return key or work.id


def year_of(published: str | None) -> str | None:
    """Return the year of a date as publications write it."""
    found = re.search(r"(?<!\d)\d{4}(?!\d)", published or "")
    return found[0] if found else None


def escaped(text: str) -> str:
    """Return a text in which nothing means anything to TeX."""
    return text.translate(_SPECIAL)


def _type(work: Work) -> str:
    said = work.details.get("type")
    if isinstance(said, str) and said in _TYPES:
        return _TYPES[said]
    return "book" if work.format in ("epub", "fb2") or "isbn" in work.identifiers else "misc"


def _fields(work: Work, notes: Sequence[Shown]) -> Iterator[tuple[str, str]]:
    yield "title", "{" + escaped(work.title) + "}"
    if work.authors:
        yield "author", " and ".join(map(_name, work.authors))
    if year := year_of(work.published):
        yield "year", year
    for name, csl in _CSL:
        value = work.details.get(csl)
        if isinstance(value, str | int) and str(value).strip():
            yield name, escaped(str(value))
    for scheme in ("doi", "isbn", "url"):
        if value := work.identifiers.get(scheme):
            yield scheme, escaped(value)
    if work.language:
        yield "langid", escaped(work.language)
    if work.source and "url" not in work.identifiers and work.source.startswith(("http://", "https://")):
        yield "url", escaped(work.source)
    tags = sorted({t for s in notes for t in s.note.tags})
    if tags:
        yield "keywords", escaped(", ".join(tags))
    yield "annote", "\n\n".join(map(_annotation, notes))


def _name(author: str) -> str:
    """Return a name in the form that BibTeX does not take apart wrongly; it may hold the word “and”."""
    return "{" + escaped(author) + "}" if re.search(r"\band\b", author) else escaped(author)


def _annotation(shown: Shown) -> str:
    path = section_of(shown)
    place = shown.place or (" › ".join(path) if path else "")
    quote = "“" + " ".join(shown.quote.split()) + "”" if shown.quote.strip() else ""
    head = f"{place}: {quote}" if place else quote
    return escaped(f"{head}\n{shown.note.body}" if shown.note.body else head)


def _plain(word: str) -> str:
    """Return letters and digits of a word that a key may hold; other scripts than Latin stay as they are."""
    decomposed = unicodedata.normalize("NFD", word)
    kept = "".join(c for c in decomposed if c.isalnum())
    return unicodedata.normalize("NFC", kept)
