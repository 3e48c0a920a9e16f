"""The parts of a reflowable document as they are in its file: canonical XHTML with emphasis and pictures.

They are read from the file when asked for, in the limited child process, and kept for a few books. A part is shown
when all of it may be shown; what a bound cuts is read as a section instead, which is made of the canonical text.
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from glossator.document.model import DomAnchor
from glossator.errors import NotFound
from glossator.library.filed import file_of
from glossator.store import documents as stored

if TYPE_CHECKING:
    from glossator.library.scoping import Scoped
    from glossator.store.database import Database
    from glossator.store.documents import StoredDocument

BOOKS = 4  # whose parts are kept in memory
_TARGETS = re.compile(r"""\s(?:src|href|poster|data)=(?:"([^"]*)"|'([^']*)')""")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part: its path in the book, its CFI path, the positions of its text (None: it has none)."""

    number: int  # from 1
    href: str
    cfi: str
    start: int | None
    end: int | None
    xhtml: str

    def to_json(self, *, hidden: bool) -> Json:
        """Return the entry of `parts`; a hidden one keeps its number only."""
        places = {"href": self.href, "cfi": self.cfi, "start": self.start, "end": self.end}
        return {"number": self.number, **(dict.fromkeys(places) if hidden else places)}


def parts_of(database: "Database", shown: "Scoped") -> list[tuple[Part, bool]]:
    """Return the parts of a document, each with whether it is hidden; none of a paged one.

    Raises:
        NotFound: its file is not there any more, or was changed.
        SourceError: its file cannot be read any more.
    """
    document = shown.only
    opened = shown.reader.open(document.key)
    if document.page_count:
        return []
    spans = _spans(database, document)
    base_url = next((s for s in document.sources if s.startswith(("http://", "https://"))), None)
    texts = _read(file_of(database, document), document.sha256, document.format, base_url)
    found: list[tuple[Part, bool]] = []
    after = document.characters  # where the next part with text begins: one without, such as a picture, goes with it
    for n, (href, cfi, xhtml) in reversed(list(enumerate(texts))):
        start, end = spans.get(n, (None, None))
        part = Part(number=n + 1, href=href, cfi=cfi, start=start, end=end, xhtml=xhtml)
        after = after if start is None else start
        beyond = after >= opened.end if end is None else end > opened.end
        found.append((part, opened.capped and beyond))
    return found[::-1]


def part(database: "Database", shown: "Scoped", number: int) -> Part:
    """Return a part.

    Raises:
        NotFound: there is none of that number, or a piece of it is hidden.
    """
    found = parts_of(database, shown)
    if not 1 <= number <= len(found):
        raise NotFound(f"“{shown.only.title}” has no part {number}", hint=f"it has {len(found)}")
    wanted, hidden = found[number - 1]
    if hidden:
        raise NotFound(f"part {number} is not read to its end yet", hint="its sections show what is, or lift the bound")
    return wanted


def shows(parts: "list[tuple[Part, bool]]", path: str) -> bool:
    """Return whether a part that may be shown points to a file of the book."""
    return any(path in _targets(p) for p, hidden in parts if not hidden)


def span_of(database: "Database", document: "StoredDocument", number: int) -> tuple[int, int] | None:
    """Return what a part covers of the canonical text, from its first block to its last; None when it has no text."""
    return _spans(database, document).get(number - 1)


def _targets(part: Part) -> Iterator[str]:
    folder = posixpath.dirname(part.href)
    for match in _TARGETS.finditer(part.xhtml):
        target = unquote(unescape(match[1] or match[2] or "")).partition("#")[0]
        if target and ":" not in target:
            yield posixpath.normpath(posixpath.join(folder, target))


def _spans(database: "Database", document: "StoredDocument") -> dict[int, tuple[int, int]]:
    return _spans_of(database, document.key, document.text_version, document.characters)


@lru_cache(maxsize=BOOKS * 4)
def _spans_of(database: "Database", key: int, version: str, characters: int) -> dict[int, tuple[int, int]]:  # noqa: ARG001
    """Return what each part covers of the canonical text, from the places of its blocks."""
    spans: dict[int, tuple[int, int]] = {}
    with database.read() as c:
        for block in stored.blocks_between(c, key, 0, characters):
            if isinstance(block.anchor, DomAnchor) and block.start is not None and block.end is not None:
                start, end = spans.get(block.anchor.spine, (block.start, block.end))
                spans[block.anchor.spine] = min(start, block.start), max(end, block.end)
    return spans


@lru_cache(maxsize=BOOKS)
def _read(path: Path, sha256: str, format: str, base_url: str | None) -> tuple[tuple[str, str, str], ...]:  # noqa: ARG001
    from glossator.parse.worker import Pool

    with Pool() as pool:
        found = pool.parts(path, format=format, base_url=base_url)
    return tuple((p["href"], p["cfi"], p["xhtml"]) for p in found)
