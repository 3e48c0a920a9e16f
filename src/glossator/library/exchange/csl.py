"""CSL-JSON, as reference managers export it."""

from pathlib import Path
from typing import Any

from glossator.document.model import clean
from glossator.library.exchange.references import Reference, identifiers_of, language_of

_OWN = {"title", "author", "issued", "language", "id", "keyword", "DOI", "ISBN", "ISSN", "URL", "PMID", "file"}


def reference_of_item(item: dict[str, Any], number: int, folder: Path) -> Reference:
    """Return one work; a value of an unexpected kind is passed over."""
    title = _text(item.get("title"))
    pairs = [(name.lower(), str(item[name])) for name in ("DOI", "ISBN", "ISSN", "URL", "PMID") if item.get(name)]
    isbn = [("isbn", part) for name, value in pairs if name == "isbn" for part in value.split()]
    keywords = _text(item.get("keyword"))
    files = [str(folder / x) for x in (_text(item.get("file")),) if x]
    return Reference(
        name=f"“{title or item.get('id') or f'number {number}'}”",
        title=title or None,
        authors=tuple(_names(item.get("author"))),
        language=language_of(_text(item.get("language"))),
        published=_date(item.get("issued")),
        identifiers=identifiers_of([*isbn, *pairs]),
        tags=tuple(dict.fromkeys(k.strip() for k in keywords.replace(";", ",").split(",") if k.strip())),
        files=tuple(files),
        details={name: value for name, value in item.items() if name not in _OWN and value not in (None, "", [], {})},
    )


def _names(value: Any) -> list[str]:
    names = []
    for person in value if isinstance(value, list) else ():
        if isinstance(person, dict):
            parts = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")
            whole = " ".join(x for x in (_text(person.get(p)) for p in parts) if x)
            names.append(_text(person.get("literal")) or whole)
    return [n for n in names if n]


def _date(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list):
        numbers = [str(x).strip() for x in parts[0] if str(x).strip().isdecimal()]
        if numbers:
            return "-".join([numbers[0], *(n.zfill(2) for n in numbers[1:3])])
    return _text(value.get("raw")) or _text(value.get("literal")) or None


def _text(value: Any) -> str:
    return clean(value).strip() if isinstance(value, str) else ""
