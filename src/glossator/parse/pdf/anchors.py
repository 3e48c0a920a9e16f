"""The text of a block and the way back from each of its characters to the page, made together.

Joining lines removes a hyphen or adds a space; the map stays right because both are written in one step. Added
characters (a space between lines, tabs and newlines of a table) belong to no `Line`.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from glossator.document.model import CELL, Line, PageAnchor
from glossator.parse.pdf.characters import Frame
from glossator.parse.pdf.pieces import Cell, Piece, is_cjk

THIN = 0.4  # em: the least height of a line's box
FAR = 1.0  # em: ink that is so far outside the font's box is none
_HYPHENS = "-\u2010"
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST_WORD = re.compile(r"([^\W\d_]+)[-\u2010]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


class Composer:
    """A text under construction with its lines. `frames` are those of the pages, from 0."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames
        self._parts: list[str] = []
        self._lines: list[Line] = []
        self._length = 0

    @property
    def text(self) -> str:
        """What was written so far."""
        return "".join(self._parts)

    @property
    def anchor(self) -> PageAnchor:
        """The lines written so far."""
        return PageAnchor(tuple(self._lines))

    def between(self, text: str) -> None:
        """Write characters that stand on no page."""
        self._parts.append(text)
        self._length += len(text)

    def write(self, piece: Piece, start: int, end: int) -> None:
        """Write the characters `[start, end)` of a line."""
        if end <= start:
            return
        after = piece.leads[end] if end < len(piece.leads) else piece.trail
        frame = self._frames[piece.page]
        sideways = piece.turn % 2 == 1
        low, high = (frame.bottom, frame.top) if sideways else (frame.left, frame.right)
        edges = tuple(min(max(edge, low), high) for edge in (*piece.leads[start:end], after))
        x0, y0, x1, y1 = _inked(piece, frame)
        box = (x0, min(edges), x1, max(edges)) if sideways else (min(edges), y0, max(edges), y1)
        at = self._length
        self.between(piece.text[start:end])
        self._lines.append(Line(at, self._length, piece.page + 1, box, edges, "y" if sideways else "x"))


def _inked(piece: Piece, frame: Frame) -> tuple[float, float, float, float]:
    """Return the box of a line in the file's coordinates, on the page, as high as its ink.

    Where that is thinner than `THIN` (a dash) it is widened, and where it is none, or far outside the box of the font
    (a broken font), the box of the font is taken.
    """
    x0, y0, x1, y1 = frame.in_file(piece.x0, piece.y0, piece.x1, piece.y1)
    first, last = (x0, x1) if piece.turn % 2 else (y0, y1)
    low, high, far = piece.low, piece.high, FAR * piece.size
    if first - far <= low < high <= last + far:
        spare = max(0.0, (THIN * piece.size - (high - low)) / 2)
        first, last = low - spare, high + spare
    x0, y0, x1, y1 = (first, y0, last, y1) if piece.turn % 2 else (x0, first, x1, last)
    return max(x0, frame.left), max(y0, frame.bottom), min(x1, frame.right), min(y1, frame.top)


def compose_lines(lines: Sequence[Piece], frames: Sequence[Frame], vocabulary: Collection[str]) -> Composer:
    """Return the text of lines that follow each other.

    A hyphen at a line's end goes unless `vocabulary` (the document's words, lower case) has the hyphenated word and
    not the joined one.
    """
    composer = Composer(frames)
    for i, line in enumerate(lines):
        following = lines[i + 1].text if i + 1 < len(lines) else None
        drop, space = (0, "") if following is None else _joint(line.text, following, vocabulary)
        composer.write(line, 0, len(line.text) - drop)
        composer.between(space)
    return composer


def compose_table(grid: Sequence[Sequence[Cell]], frames: Sequence[Frame]) -> Composer:
    """Return the text of a table: cells separated by tabs, rows by newlines; words of a cell by spaces."""
    composer = Composer(frames)
    for r, row in enumerate(grid):
        composer.between("\n" if r else "")
        for c, cell in enumerate(row):
            composer.between(CELL if c else "")
            for w, (piece, word) in enumerate(cell):
                composer.between(" " if w else "")
                composer.write(piece, word.start, word.end)
    return composer


def words_of(lines: Iterable[Piece]) -> set[str]:
    """Return the words of a document, lower case, those with hyphens as they are written inside a line."""
    return {w for line in lines for w in _WORD.findall(line.text.rstrip(_HYPHENS).lower())}


def _joint(text: str, following: str, vocabulary: Collection[str]) -> tuple[int, str]:
    """Return (characters to drop at the end of `text`, what to write before `following`)."""
    before, after = text[-1], following[0]
    if before in _HYPHENS and len(text) > 1 and text[-2].isalnum():
        if not (text[-2].isalpha() and after.islower()):
            return 0, "" if after.isalnum() else " "
        return 0 if _keeps_hyphen(text, following, vocabulary) else 1, ""
    return 0, "" if is_cjk(before) or is_cjk(after) else " "


def _keeps_hyphen(text: str, following: str, vocabulary: Collection[str]) -> bool:
    head, tail = _LAST_WORD.search(text), _FIRST_WORD.match(following)
    if head is None or tail is None:
        return False
    one, two = head.group(1).lower(), tail.group().lower()
    return f"{one}-{two}" in vocabulary and one + two not in vocabulary
