"""What a PDF says of itself: information dictionary, language, identifiers, outline, page labels."""

import ctypes
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from glossator.document.model import Metadata, clean
from glossator.parse.language import settle_language
from glossator.parse.pdf.pieces import is_cjk
from glossator.parse.publication import PagedNav

MAX_OUTLINE = 10_000  # entries
_LONGEST_TITLE = 300
_PROGRAM_TITLE = re.compile(
    r"microsoft \w+ -|untitled|unbenannt|sans titre|no[ -]?title|title|document\d*$|slide \d|powerpoint|"
    r".*\.(docx?|odt|rtf|tex|dvi|ps|pdf|indd|qxd|fm|xlsx?|pptx?|html?|txt|wpd|pages)$|\S+\.\w{2,4}$|\W*$|\d+$",
    re.IGNORECASE,
)
_NO_AUTHOR = re.compile(r"(admin(istrator)?|user|owner|unknown|anonymous|author|root|\W*)$", re.IGNORECASE)
_DATE = re.compile(r"(?:D:)?(\d{4})(?:-?(\d\d))?(?:-?(\d\d))?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`“”]+")
_ANNOUNCED_DOI = re.compile(r"doi(?:\.org/|\s*[:=]?\s*)(10\.\d{4,9}/[^\s\"<>{}|\\^`“”]+)", re.IGNORECASE)
_ISBN = re.compile(r"ISBN(?:-1[03])?:?\s*((?:97[89][-\s]?)?\d[-\s\d]{8,14}[\dXx])")
_ARXIV = re.compile(r"arXiv:(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.IGNORECASE)


def read_metadata(document: Any, path: Path, *, largest: str | None, opening: str, language: str | None) -> Metadata:
    """Return the metadata of a `pypdfium2.PdfDocument`.

    Args:
        document: the open document.
        path: its file, whose name is the last resort for a title.
        largest: the largest text of the first page.
        opening: the text of the first two pages, where identifiers stand.
        language: of the document.
    """
    info = {key: _one_line(value) for key, value in document.get_metadata_dict().items()}
    return Metadata(
        title=sane_title(info.get("Title", "")) or _short(largest) or path.stem,
        authors=authors(info.get("Author", "")),
        language=language,
        published=_published(info),
        identifiers=identifiers(opening),
    )


def sane_title(title: str) -> str | None:
    """Return a title of the information dictionary, or None where a program wrote it, not a person."""
    return None if not title or len(title) > _LONGEST_TITLE or _PROGRAM_TITLE.match(title) else title


def authors(text: str) -> tuple[str, ...]:
    """Return the authors in one field: parted by semicolons, "and", "&", or by commas between full names."""
    parts = [p.strip() for p in re.split(r";|\s+and\s+|\s*&\s*|、|；", text)]
    names: list[str] = []
    for part in parts:
        by_comma = [n.strip() for n in part.split(",") if n.strip()]
        names += by_comma if all(" " in n or is_cjk(n[0]) for n in by_comma) else [part]
    return tuple(n for n in names if n and not _NO_AUTHOR.match(n))


def identifiers(text: str) -> tuple[tuple[str, str], ...]:
    """Return the identifiers that a text names: DOI (an announced one first), ISBN with a right check digit, arXiv."""
    found: list[tuple[str, str]] = []
    doi = _ANNOUNCED_DOI.search(text)
    plain = doi.group(1) if doi else (m.group() if (m := _DOI.search(text)) else None)
    if plain:
        found.append(("doi", plain.rstrip(".,;:)]}'’")))
    for m in _ISBN.finditer(text):
        isbn = re.sub(r"[-\s]", "", m.group(1)).upper()
        if _is_isbn(isbn):
            found.append(("isbn", isbn))
            break
    if m := _ARXIV.search(text):
        found.append(("arxiv", m.group(1)))
    return tuple(found)


def read_outline(document: Any, page_count: int) -> tuple[tuple[PagedNav, ...], tuple[str, ...]]:
    """Return the outline in its order, and warnings about entries that lead nowhere."""
    entries: list[PagedNav] = []
    lost = 0
    for n, bookmark in enumerate(document.get_toc()):
        if n >= MAX_OUTLINE:
            return tuple(entries), (f"the outline has more than {MAX_OUTLINE:,} entries; the rest is left out",)
        title, target = _one_line(bookmark.get_title()), bookmark.get_dest()
        page = None if target is None else target.get_index()
        if not title or page is None or page >= page_count:
            lost += 1
            continue
        entries.append(PagedNav(title=title, level=bookmark.level + 1, page=page + 1, y=_height(target)))
    return tuple(entries), (f"{lost} entries of the outline lead to no page",) if lost else ()


def page_labels(document: Any, page_count: int, printed: Sequence[str | None]) -> list[str | None]:
    """Return the label of each page: the file's own, else the number printed on it."""
    own = [_one_line(document.get_page_label(n)) or None for n in range(page_count)]
    return own if any(own) else list(printed)


def _height(target: Any) -> float | None:
    """Return the y that a destination names (PDF 32000-1, 12.3.2.2), or None where it names none."""
    from pypdfium2 import raw

    mode, at = target.get_view()
    index = {raw.PDFDEST_VIEW_XYZ: 1, raw.PDFDEST_VIEW_FITH: 0, raw.PDFDEST_VIEW_FITBH: 0, raw.PDFDEST_VIEW_FITR: 3}
    where = index.get(mode)
    return at[where] if where is not None and len(at) > where and at[where] else None


def language_of(document: Any, text: str) -> str | None:
    """Return the language the file names, or the text's where the file names none or plainly another."""
    return settle_language(_declared_language(document), text)


def _declared_language(document: Any) -> str | None:
    from pypdfium2 import raw

    size = raw.FPDFCatalog_GetLanguage(document, None, 0)
    if size <= 2:
        return None
    buffer = (ctypes.c_ushort * (size // 2))()
    raw.FPDFCatalog_GetLanguage(document, buffer, size)
    language = bytes(buffer).decode("utf-16-le", "ignore").rstrip("\0")
    return language if _LANGUAGE.fullmatch(language) else None


def _published(info: Mapping[str, str]) -> str | None:
    match = _DATE.match(info.get("CreationDate", ""))
    if match is None or not 1980 <= int(match.group(1)) <= 2100:
        return None
    return "-".join(part for part in match.groups() if part)


def _is_isbn(text: str) -> bool:
    if len(text) == 13 and text.isdecimal():
        return sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(text)) % 10 == 0
    if len(text) == 10 and text[:9].isdecimal():
        return sum((10 if c == "X" else int(c)) * (10 - i) for i, c in enumerate(text)) % 11 == 0
    return False


def _short(title: str | None) -> str | None:
    return title if title and len(title) <= _LONGEST_TITLE else None


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())
