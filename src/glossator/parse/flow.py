"""Pieces of source text to the text of a block, with the runs that lead back.

A piece is (CFI steps from the block's element to a text chunk, the chunk's raw text). `LINE` stands for a line break
that the markup makes. A run is written only where block and source stop running in step: after white space that was
reduced, and at another chunk. A separator that the source does not have (a line break, a tab between cells) continues
the run before it; such a character never begins or ends a CFI.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from glossator.document.cfi import utf16_length
from glossator.document.model import TextRun

Piece = tuple[str, str]
LINE: Piece = ("", "\n")

_WORDS = re.compile(r"\S+(?:\s\S+)*")
_ODD_SPACE = re.compile(r"[^\S ]")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")


def squeeze(pieces: Iterable[Piece], *, newline: str = "\n") -> tuple[str, tuple[TextRun, ...]]:
    """Return (text, runs) under the white-space rule: runs of white space one space, line breaks one `newline`."""
    writer = _Writer(newline)
    for steps, raw in pieces:
        if not steps:
            writer.line()
            continue
        if raw.isprintable() and " " not in raw:  # one word or symbol, as in formulas and tables
            writer.text(steps, 0, raw, utf16_length(raw))
            continue
        if raw.isspace():
            writer.space(steps, 0)
            continue
        end = unit = 0
        narrow = raw.isascii() or max(raw) <= "\uffff"
        for words in _WORDS.finditer(raw):
            start = words.start()
            if start > end:
                writer.space(steps, unit)
            unit += start - end
            text = words[0]
            units = len(text) if narrow else utf16_length(text)
            writer.text(steps, unit, _ODD_SPACE.sub(" ", text), units)
            end = words.end()
            unit += units
        if end < len(raw):
            writer.space(steps, unit)
    return "".join(writer.out), tuple(writer.runs)


def keep(pieces: Iterable[Piece]) -> tuple[str, tuple[TextRun, ...]]:
    """Return (text, runs) of code: white space as it is, but no blank lines at either end."""
    chunks: list[str] = []
    runs: list[TextRun] = []
    at = 0
    for steps, raw in pieces:
        if steps and raw:
            runs.append(TextRun(at, steps, 0))
        chunks.append(raw)
        at += len(raw)
    whole = "".join(chunks)
    blank = _BLANK_LINES.match(whole)
    first = blank.end() if blank else 0
    text = whole[first:].rstrip()
    return text, cut(runs, whole, first, first + len(text))


def cut(runs: Sequence[TextRun], whole: str, start: int, end: int) -> tuple[TextRun, ...]:
    """Return the runs of `whole[start:end]`, given those of `whole`."""
    if start >= end or not runs:
        return ()
    first = max(0, bisect_right(runs, start, key=lambda r: r.start) - 1)
    kept = []
    for run in runs[first:]:
        if run.start >= end:
            break
        skipped = max(start, run.start)
        unit = run.offset + utf16_length(whole[run.start : skipped])
        kept.append(TextRun(skipped - start, run.steps, unit))
    return tuple(kept)


def shifted(runs: Iterable[TextRun], by: int) -> list[TextRun]:
    """Return runs of a text that now begins `by` characters later."""
    return [TextRun(r.start + by, r.steps, r.offset) for r in runs]


def plain(text: str) -> str:
    """Return text that comes from no text chunk (an attribute, a title) under the white-space rule, on one line."""
    return " ".join(text.split())


class _Writer:
    """The text of a block as it grows; white space is held back until a word follows."""

    __slots__ = ("at", "gap", "gap_at", "newline", "out", "runs", "there")

    def __init__(self, newline: str) -> None:
        self.out: list[str] = []
        self.runs: list[TextRun] = []
        self.at = 0
        self.gap = ""
        self.gap_at: tuple[str, int] | None = None  # where the held white space stands in the source
        self.there = ("", -1)  # the place in the source right after what was written
        self.newline = newline

    def space(self, steps: str, unit: int) -> None:
        if self.at and not self.gap:
            self.gap, self.gap_at = " ", (steps, unit)

    def line(self) -> None:
        if self.at:
            self.gap = self.newline

    def text(self, steps: str, unit: int, text: str, units: int) -> None:
        if self.gap:
            if self.gap_at:
                self._mark(*self.gap_at)
                self.there = (self.gap_at[0], self.gap_at[1] + 1)
            self.out.append(self.gap)
            self.at += 1
            self.gap, self.gap_at = "", None
        self._mark(steps, unit)
        self.out.append(text)
        self.at += len(text)
        self.there = (steps, unit + units)

    def _mark(self, steps: str, unit: int) -> None:
        if (steps, unit) != self.there:
            self.runs.append(TextRun(self.at, steps, unit))
