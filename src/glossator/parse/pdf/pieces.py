"""Pieces: characters that stand together on one line, at first a run of the stream, later a whole line.

Pieces are values compared by identity: two of the same text at the same place are two. All measures are in points of
the upright page.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

from glossator.parse.pdf.characters import BOLD, Character

GAP = 0.8  # em: a wider gap on a line starts a new piece
BACK = 1.5  # em: so does a step back by more
WORD_GAP = 0.35  # em: what separates two words that may belong to two cells
TIGHT = 0.12  # em: there is no space in a narrower gap
BREAK_GAP = 0.5  # em: there is one in a wider gap, whatever the script
OVERLAP = 0.3  # em by which two neighbours may overlap
LINE_SLACK = 0.35  # em by which a character's middle may leave the line
_HALF_EMPTY = frozenset("。，、！？：；）」』”’》〉】")  # full-width marks whose right half is white
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")


class Word(NamedTuple):
    """Characters `[start, end)` of a piece without a gap between them: what table cells are cut from."""

    start: int
    end: int
    x0: float
    x1: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Piece:
    """Characters on one line. `leads` has the leading edge of each in the file's coordinates, `trail` the last end."""

    page: int  # from 0
    text: str
    leads: "array[float]"
    trail: float
    turn: int
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool = False
    hyphen: bool = False  # ends in a hyphen that the line break caused
    mark: str | None = None  # small raised characters at its start: a note's number
    words: tuple[Word, ...] = ()
    low: float = 0.0  # where the ink of the line begins and ends across it, in the file's coordinates; equal: none
    high: float = 0.0
    table: "Table | None" = None  # set in the stand-in for a table that was found before the columns

    @property
    def middle(self) -> float:
        """Height of the middle."""
        return (self.y0 + self.y1) / 2

    @property
    def height(self) -> float:
        """Height of the box."""
        return self.y1 - self.y0


Cell = list[tuple[Piece, Word]]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The pieces of a table, row by row, and the words of each cell."""

    rows: list[list[Piece]]
    grid: list[list[Cell]]

    @property
    def pieces(self) -> list[Piece]:
        """All pieces, row by row."""
        return [p for row in self.rows for p in row]


def split_pieces(characters: Sequence[Character], page: int, turn: int) -> list[Piece]:
    """Return the runs of the stream, cut where the line changes or a gap is too wide (GAP, BACK).

    Characters written in another direction than `turn` are left out.
    """
    pieces: list[Piece] = []
    run: _Run | None = None
    spaced = False
    for c in characters:
        if c.turn != turn:  # the end of a line, or a stamp on the margin
            _close(run, page, turn, pieces)
            run = None
        elif c.text == " ":
            spaced = True
        else:
            if run is not None and not run.takes(c):
                _close(run, page, turn, pieces)
                run = None
            if run is None:
                run = _Run(c)
            else:
                run.add(c, spaced)
            spaced = False
    _close(run, page, turn, pieces)
    return pieces


def sideways_pieces(characters: Sequence[Character], page: int, turn: int) -> list[Piece]:
    """Return the text that is written in another direction than `turn`, one piece per run."""
    pieces: list[Piece] = []
    run: list[Character] = []
    for c in characters:
        if run and c.turn != run[-1].turn:
            pieces += _stamp(run, page)
            run = []
        if c.turn not in (turn, -1):
            run.append(c)
    return pieces + _stamp(run, page)


def join_neighbours(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces with neighbours on one baseline (less than half an em apart) joined, whatever their order."""
    out: list[Piece] = []
    for p in sorted(pieces, key=lambda p: (-round(p.y0 / 2), p.x0)):
        for i in range(len(out) - 1, max(-1, len(out) - 13), -1):
            if _touch(out[i], p):
                size = max(out[i].size, p.size) if len(p.text) > 2 else out[i].size
                out[i] = merged(out[i], p, size=size)
                break
        else:
            out.append(p)
    return out


def merged(left: Piece, right: Piece, *, size: float | None = None) -> Piece:
    """Return two pieces of a line as one of the height and size (unless another is given) of the left one."""
    space = space_between(left, right)
    at = len(left.text) + len(space)
    leads = left.leads[:]
    leads.extend([left.trail] * len(space))
    leads.extend(right.leads)
    low, high = joined_ink((left.low, left.high), (right.low, right.high))
    return replace(
        left,
        text=left.text + space + right.text,
        leads=leads,
        trail=right.trail,
        x1=max(left.x1, right.x1),
        size=left.size if size is None else size,
        hyphen=right.hyphen,
        low=low,
        high=high,
        words=left.words + tuple(Word(w.start + at, w.end + at, w.x0, w.x1) for w in right.words),
    )


def joined_ink(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """Return where the ink of two begins and ends; what has none (equal ends) counts for nothing."""
    if one[0] >= one[1]:
        return other
    return one if other[0] >= other[1] else (min(one[0], other[0]), max(one[1], other[1]))


def space_between(left: Piece, right: Piece) -> str:
    """Return the space that stands between two pieces of a line: none before an exponent, or between Chinese ones."""
    em, gap = max(left.size, right.size), right.x0 - left.x1
    if not -OVERLAP * em <= gap <= BREAK_GAP * em:
        return " "
    return "" if gap <= TIGHT * em or is_cjk(right.text[0]) or is_cjk(left.text[-1]) else " "


def rows_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the pieces grouped by the height of their middle, top to bottom, each row left to right."""
    rows: list[tuple[float, list[Piece]]] = []
    for p in sorted(pieces, key=lambda p: -(p.y0 + p.y1)):
        if rows and abs(rows[-1][0] - p.middle) < 0.45 * p.height:
            rows[-1][1].append(p)
        else:
            rows.append((p.middle, [p]))
    return [sorted(row, key=lambda p: p.x0) for _, row in rows]


def columns_wide(text: str) -> int:
    """Return the width of a text on a typewriter: a CJK character counts two."""
    return sum(2 if c > "\u2e7f" else 1 for c in text)


def is_cjk(char: str) -> bool:
    """Return whether a character is Chinese, Japanese or full-width."""
    return _CJK.match(char) is not None


def _touch(q: Piece, p: Piece) -> bool:
    em, gap = max(q.size, p.size), p.x0 - q.x1
    overlap = min(q.y1, p.y1) - max(q.y0, p.y0)
    return -0.3 * em <= gap < 0.5 * em and abs(p.size - q.size) < 0.45 * em and overlap > 0.5 * min(q.height, p.height)


def _ink_right(c: Character) -> float:
    """Return where a character's ink ends: a hanging full-width comma must not close the gutter."""
    hanging = c.text in _HALF_EMPTY and c.right - c.left > 0.7 * c.size
    return (c.left + c.right) / 2 if hanging else c.right


class _Run:
    """A piece under construction."""

    __slots__ = (
        *("bold", "high", "leads", "low", "mark", "mean", "previous", "size", "text", "words"),
        *("x0", "x1", "y0", "y1"),
    )

    def __init__(self, c: Character) -> None:
        self.text = [c.text]
        self.leads = array("f", [c.lead])
        self.x0, self.y0, self.x1, self.y1 = c.left, c.bottom, _ink_right(c), c.top
        self.size = c.size
        self.bold = int(c.weight >= BOLD)
        self.mark: str | None = None
        self.words = [[0, 1, self.x0, self.x1]]
        self.low, self.high = c.low, c.high
        self.previous = c

    def takes(self, c: Character) -> bool:
        """Return whether `c` goes on on this line, near enough."""
        em = self.size if self.size > 1 else 1
        slack = LINE_SLACK * em
        if not self.y0 - slack <= (c.bottom + c.top) / 2 <= self.y1 + slack:
            return False
        return -BACK * em <= c.left - self.x1 <= GAP * em

    def add(self, c: Character, spaced: bool) -> None:
        """Append a character, after a space if `spaced`."""
        right = _ink_right(c) if c.text in _HALF_EMPTY else c.right
        if spaced:
            self.text.append(" ")
            self.leads.append(self.previous.trail)
        if spaced or c.left - self.x1 > WORD_GAP * self.size:
            self.words.append([len(self.text), len(self.text) + 1, c.left, right])
        else:
            word = self.words[-1]
            word[1], word[3] = len(self.text) + 1, max(word[3], right)
        self.text.append(c.text)
        self.leads.append(c.lead)
        self.x1 = max(self.x1, right)
        if c.size != self.size or c.bottom < self.y0 or c.top > self.y1:
            self._fit(c)
        self.bold += c.weight >= BOLD
        if c.low < c.high and not self.low <= c.low <= c.high <= self.high:
            self.low, self.high = joined_ink((self.low, self.high), (c.low, c.high))
        self.previous = c

    def _fit(self, c: Character) -> None:
        """Let the box and size follow the characters that are neither raised nor lowered."""
        if c.size > self.size * 1.15 and len(self.text) < 4:  # what stood first was a raised number
            self.mark, self.size, self.y0, self.y1 = "".join(self.text[:-1]), c.size, c.bottom, c.top
        elif c.size >= self.size * 0.85:
            if self.y0 - 2 < c.bottom < self.y0:
                self.y0 = c.bottom
            if self.y1 < c.top < self.y1 + 2:
                self.y1 = c.top


def _close(run: _Run | None, page: int, turn: int, pieces: list[Piece]) -> None:
    if run is None:
        return
    letters = sum(1 for c in run.text if c != " ")
    pieces.append(
        Piece(
            page=page,
            text="".join(run.text),
            leads=run.leads,
            trail=run.previous.trail,
            turn=turn,
            x0=run.x0,
            y0=run.y0,
            x1=run.x1,
            y1=run.y1,
            size=run.size,
            bold=run.bold > 0.6 * letters,
            hyphen=run.previous.hyphen,
            mark=run.mark,
            words=tuple(Word(int(a), int(b), x0, x1) for a, b, x0, x1 in run.words),
            low=run.low,
            high=run.high,
        )
    )


def _stamp(run: list[Character], page: int) -> list[Piece]:
    """Return a run of sideways characters as one piece, or none if it is blank."""
    kept: list[Character] = []
    for c in run:
        if c.text != " " or (kept and kept[-1].text != " "):
            kept.append(c._replace(lead=kept[-1].trail) if c.text == " " else c)
    while kept and kept[-1].text == " ":
        kept.pop()
    if not kept:
        return []
    inked = [c for c in kept if c.text != " "]
    x0, y0 = min(c.left for c in inked), min(c.bottom for c in inked)
    x1, y1 = max(c.right for c in inked), max(c.top for c in inked)
    low, high = reduce(joined_ink, ((c.low, c.high) for c in inked))
    return [
        Piece(
            page=page,
            text="".join(c.text for c in kept),
            leads=array("f", [c.lead for c in kept]),
            trail=kept[-1].trail,
            turn=kept[0].turn,
            x0=x0,
            y0=y0,
            x1=x1,
            y1=y1,
            size=kept[0].size,
            words=(Word(0, len(kept), x0, x1),),
            low=low,
            high=high,
        )
    ]
