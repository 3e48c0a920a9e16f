"""Text of documents that is not read yet, kept out of what comes from elsewhere: files, pages, replies, tables.

A reader clips what the library shows; it cannot clip a copy of the same book that lies in a folder or on the web. The
veil knows the hidden text by runs of words, and leaves out of a foreign text every paragraph that shares one.

Known limit: a retelling in other words, another translation, or text that is encoded is not recognised. The wall on the
way out stands behind it.
"""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from glossator.document.fold import fold_for_index
from glossator.document.scripts import HAN
from glossator.library.analysis.first_seen import Hashes, later_runs
from glossator.library.reader import Opened, Reader

RUN = 8  # words, or Chinese characters, in a row that are no accident
APART = 600  # characters between two of them that are hidden, too
LEFT_OUT = "[left out: not read yet]"
_TOKEN = re.compile(f"[{HAN}]|[^\\W_{HAN}]+")
_FACTOR = np.int64(1_000_003)
_Token = tuple[str, int, int]


class Veil:
    """Keeps the hidden parts of the documents that a reader caps out of other texts."""

    def __init__(self, reader: Reader) -> None:
        """Hide what `reader` hides."""
        self._reader = reader

    @property
    def active(self) -> bool:
        """Return whether anything is hidden at all."""
        return bool(self._capped)

    def covers(self, sha256: str) -> bool:
        """Return whether a file, by the hash of its bytes, is one of the documents of which something is hidden."""
        return any(opened.document.sha256 == sha256 for opened in self._capped)

    def over(self, text: str) -> str:
        """Return a text without the paragraphs that hold a run of words of the hidden parts."""
        if not self._capped:
            return text
        tokens = _tokens(text)
        hits = np.flatnonzero(np.isin(_hashes(tokens), self._hidden))
        spans: list[tuple[int, int]] = []
        for i in hits:
            if spans and tokens[i + RUN - 1][2] <= spans[-1][1]:
                continue  # in a paragraph that is left out already
            start, end = _paragraph(text, tokens[i][1], tokens[i + RUN - 1][2])
            if spans and start <= spans[-1][1] + APART:
                spans[-1] = spans[-1][0], max(end, spans[-1][1])
            else:
                spans.append((start, end))
        for start, end in reversed(spans):
            text = f"{text[:start]}{LEFT_OUT}{text[end:]}"
        return text

    @cached_property
    def _capped(self) -> list[Opened]:
        with self._reader.database.read():
            opened = (self._reader.open(key) for key in self._reader.scope.caps)
            return [o for o in opened if o.capped]

    @cached_property
    def _hidden(self) -> Hashes:
        """The runs of words that stand past a cap and not before it."""
        with self._reader.database.read():
            keys = [opened.document.key for opened in self._capped]
            return np.unique(np.concatenate([later_runs(self._reader, key, runs) for key in keys]))


def runs(text: str) -> Hashes:
    """Return the hashes of the runs of words of a text, in their order; they hold within this process."""
    return _hashes(_tokens(text))


def _hashes(tokens: Sequence[_Token]) -> Hashes:
    words = np.fromiter((hash(t[0]) for t in tokens), np.int64, len(tokens))
    count = max(0, len(words) - RUN + 1)
    found = np.zeros(count, np.int64)
    for k in range(RUN):  # overflow wraps around, as a hash may
        found = found * _FACTOR + words[k : k + count]
    return found


def _tokens(text: str) -> list[_Token]:
    folded = lru_cache(maxsize=None)(fold_for_index)  # a text has few different words
    return [(folded(m[0]), m.start(), m.end()) for m in _TOKEN.finditer(text)]


def _paragraph(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the lines that hold a span."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return first, len(text) if last < 0 else last
