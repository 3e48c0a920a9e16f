"""An entry of BibTeX or BibLaTeX as a work: TeX's marks become letters, names their usual order."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from glossator.document.model import clean
from glossator.library.exchange.bibtex_entries import Entry
from glossator.library.exchange.references import Reference, identifiers_of, language_of

_ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
_LETTERS = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "aa": "å",
    "AA": "Å",
    "dh": "ð",
    "DH": "Ð",
    "th": "þ",
    "TH": "Þ",
    "i": "ı",
    "j": "ȷ",
    "dj": "đ",
    "DJ": "Đ",
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textendash": "–",
    "textemdash": "—",
    "textquoteright": "’",
    "textquoteleft": "‘",
    "textquotedblleft": "“",
    "textquotedblright": "”",
    "ldots": "…",
    "dots": "…",
    "copyright": "©",
    "S": "§",
    "P": "¶",
}
_TEX = re.compile(
    r"\\(?P<mark>['`^\"~=.])\s*(?:\{\\?(?P<a>\w?)\}|\\(?P<dotless>[ij])(?![A-Za-z])|(?P<b>\w))"
    r"|\\(?P<letter>[uvHckrdb])(?:\s*\{\\?(?P<c>\w)\}|\s+(?P<d>\w))"
    r"|\\(?P<word>[A-Za-z]+)\*?(?:\{\}|\s+|(?![A-Za-z]))"
    r"|\\(?P<plain>.)"
    r"|(?P<dashes>-{2,3})|(?P<open>``)|(?P<close>'')|(?P<brace>[{}])|(?P<tie>~)|(?P<math>\$)"
)
_TYPES = {
    "article": "article-journal",
    "book": "book",
    "collection": "book",
    "incollection": "chapter",
    "inbook": "chapter",
    "inproceedings": "paper-conference",
    "conference": "paper-conference",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "techreport": "report",
    "report": "report",
    "online": "webpage",
}
_CSL = {
    "journal": "container-title",
    "journaltitle": "container-title",
    "booktitle": "container-title",
    "publisher": "publisher",
    "institution": "publisher",
    "school": "publisher",
    "address": "publisher-place",
    "location": "publisher-place",
    "volume": "volume",
    "number": "issue",
    "issue": "issue",
    "pages": "page",
    "edition": "edition",
    "series": "collection-title",
    "abstract": "abstract",
}
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


def reference_of_entry(entry: Entry, folder: Path) -> Reference:
    """Return the work of an entry; its files are looked for beside the BibTeX file."""
    given = entry.fields
    plain = {name: plain_text(value) for name, value in given.items()}
    title = ": ".join(x for x in (plain.get("title"), plain.get("subtitle")) if x)
    names = given.get("author") or given.get("editor") or ""
    pairs = [(scheme, plain[scheme]) for scheme in ("doi", "isbn", "issn", "url", "pmid") if plain.get(scheme)]
    pairs = [(scheme, part) for scheme, value in pairs for part in (value.split() if scheme == "isbn" else [value])]
    keywords = re.split(r"[,;]", plain.get("keywords", ""))
    details = {csl: plain[name] for name, csl in _CSL.items() if plain.get(name)}
    return Reference(
        name=f"{entry.key or entry.kind} “{title}”" if title else entry.key,
        line=entry.line,
        title=title or None,
        authors=tuple(_names(names)),
        language=language_of(plain.get("langid") or plain.get("language") or ""),
        published=_date(plain),
        identifiers=identifiers_of(pairs),
        tags=tuple(dict.fromkeys(k.strip() for k in keywords if k.strip())),
        files=tuple(str(folder / f) for f in _files(given.get("file", ""))),
        details={"type": _TYPES.get(entry.kind, "document"), "citation-key": entry.key, **details},
    )


def plain_text(value: str) -> str:
    """Return the text that TeX would set, on one line."""
    return " ".join(clean(unicodedata.normalize("NFC", _TEX.sub(_letter, value))).replace("\xa0", " ").split())


def _letter(m: "re.Match[str]") -> str:
    if m["mark"] or m["letter"]:
        base = m["a"] or m["dotless"] or m["b"] or m["c"] or m["d"] or ""
        return base + _ACCENTS[m["mark"] or m["letter"]] if base else ""
    if m["word"]:
        return _LETTERS.get(m["word"], "")
    if m["plain"]:
        return m["plain"] if not m["plain"].isspace() else " "
    if m["dashes"]:
        return "–" if len(m["dashes"]) == 2 else "—"
    return {"``": "“", "''": "”", "~": " "}.get(m[0], "")


def _names(value: str) -> Iterator[str]:
    """Yield names as they are spoken; one in braces is not taken apart."""
    for name in _split(value):
        if name.strip().lower() == "others":
            continue
        if name.startswith("{") and name.endswith("}") and _closes_at_end(name):
            yield plain_text(name)
            continue
        parts = [plain_text(p) for p in _commas(name)]
        match parts:
            case [family, given]:
                yield f"{given} {family}".strip()
            case [family, junior, given]:
                yield f"{given} {family} {junior}".strip()
            case _:
                yield plain_text(name)


def _split(value: str) -> list[str]:
    """Split names at “and” outside braces."""
    depth, begin, parts = 0, 0, []
    for m in re.finditer(r"\\.|[{}]|\s+and\s+", value, re.IGNORECASE):
        if m[0] in "{}":
            depth += 1 if m[0] == "{" else -1
        elif depth == 0 and _AND.fullmatch(m[0]):
            parts.append(value[begin : m.start()])
            begin = m.end()
    return [p.strip() for p in [*parts, value[begin:]] if p.strip()]


def _commas(name: str) -> list[str]:
    depth, begin, parts = 0, 0, []
    for m in re.finditer(r"\\.|[{},]", name):
        if m[0] in "{}":
            depth += 1 if m[0] == "{" else -1
        elif m[0] == "," and depth == 0:
            parts.append(name[begin : m.start()])
            begin = m.end()
    return [*parts, name[begin:]]


def _closes_at_end(name: str) -> bool:
    depth = 0
    for i, c in enumerate(name):
        depth += (c == "{") - (c == "}")
        if depth == 0:
            return i == len(name) - 1
    return False


def _date(plain: dict[str, str]) -> str | None:
    if plain.get("date"):
        return plain["date"].partition("/")[0]
    return plain.get("year") or None


def _files(value: str) -> Iterator[str]:
    r"""Yield the paths of a `file` field: plain, or `name:path:type` with `\:` and `\;`, several with semicolons."""
    for entry in re.split(r"(?<!\\);", value):
        parts = [re.sub(r"\\([:;\\_&%#])", r"\1", p) for p in re.split(r"(?<!\\):", entry)]
        if len(parts) > 1 and len(parts[0]) == 1 and parts[0].isalpha():
            parts = [":".join(parts[:2]), *parts[2:]]
        path = parts[1] if len(parts) >= 3 else parts[0]
        if path.strip():
            yield path.strip()
