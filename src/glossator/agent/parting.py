"""A document cut into pieces that a model reads one after another, and what it writes of them read line by line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glossator.agent.citations import support
from glossator.document.quotation import find_quotation, quotations_in
from glossator.document.sentence import sentences
from glossator.library.analysis.prose import Part
from glossator.library.answer import asked, coverage, is_chinese
from glossator.library.reader import Reader

Span = tuple[int, int]
KNOWN, KNOWN_HAN = 0.3, 0.2  # share of a sentence's terms that must stand in the piece it sums up
_BULLET = re.compile(r"^\s*(?:[-*•]+|\(?\d+[.)、）])\s*")
_FENCE = re.compile(r"^\s*(?:```\w*|#+\s.*)\s*$")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKERS = re.compile(r"\s*[\[【(（]\s*(\d{1,4}(?:\s*[,，、;]\s*\d{1,4})*)\s*[\]】)）]")
_BAR = re.compile(r"\s*[|｜]\s*")


@dataclass(frozen=True, slots=True)
class Piece:
    """What a model reads at once: `[start, end)` of a chapter, the number of the chapter, and the text."""

    chapter: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a summary and the spans that bear it out."""

    text: str
    spans: tuple[Span, ...]


def pieces(chapters: Sequence[Part], size: int) -> list[Piece]:
    """Return chapters in pieces of whole paragraphs of about `size` characters; a longer paragraph stays whole."""
    found: list[Piece] = []
    for number, part in enumerate(chapters):
        group: list[tuple[int, str]] = []
        for start, text in part.pieces:
            if group and start + len(text) - group[0][0] > size:
                found.append(_piece(number, group))
                group = []
            group.append((start, text))
        if group:
            found.append(_piece(number, group))
    return found


def _piece(chapter: int, group: Sequence[tuple[int, str]]) -> Piece:
    last, text = group[-1]
    return Piece(chapter, group[0][0], last + len(text), "\n\n".join(t for _, t in group))


def sentences_of(reply: str, reader: Reader, key: int, piece: Piece) -> Iterator[Line | None]:
    """Yield the sentences that a model wrote of a piece, each with the words that bear it out; None: nothing does."""
    for line in (part for whole in _lines(reply) for part in _one_by_one(whole)):
        claim, quoted = _apart(line)
        if not any(c.isalnum() for c in claim):
            continue
        span = _evidence(reader, key, piece, claim, quoted) if is_of(claim, piece.text) else None
        yield None if span is None else Line(claim, (span,))


def condensed(reply: str, lines: Sequence[Line]) -> list[Line]:
    """Return the sentences that a model made of numbered ones, each with the spans of those it names."""
    found = []
    for line in _lines(reply):
        numbers = {int(n) for m in _MARKERS.finditer(line) for n in re.findall(r"\d+", m[1])}
        used = [lines[n - 1] for n in sorted(numbers) if 0 < n <= len(lines)]
        claim = _MARKERS.sub("", line).strip()
        if used and any(c.isalnum() for c in claim) and is_of(claim, "\n".join(u.text for u in used)):
            found.append(Line(claim, tuple(dict.fromkeys(s for u in used for s in u.spans))[:3]))
    return found


def numbered(lines: Sequence[Line]) -> str:
    """Return sentences with their numbers, from 1."""
    return "\n".join(f"[{n}] {line.text}" for n, line in enumerate(lines, 1))


def _lines(reply: str) -> Iterator[str]:
    for line in reply.splitlines():
        if not _FENCE.match(line) and any(c.isalnum() for c in line):
            yield _BULLET.sub("", line).strip()


def _one_by_one(line: str) -> list[str]:
    """Return the sentences of a line that a model wrote as a paragraph; one with a bar is one."""
    return [line] if _BAR.search(line) else [line[a:b] for a, b in sentences(line)]


def _apart(line: str) -> tuple[str, str]:
    """Return a sentence and the words quoted for it: behind a bar, else its last quotation."""
    claim, *rest = _BAR.split(line)
    if rest:
        behind = " ".join(rest)
        quoted = [words for _, _, words in quotations_in(behind)]
        return _MARKERS.sub("", claim).strip(), quoted[0] if quoted else behind.strip("\"'“”‘’「」 ")
    quoted = [words for _, _, words in quotations_in(line)]
    return _MARKERS.sub("", line).strip(), quoted[-1] if quoted else ""


def is_of(claim: str, text: str, *, known: float = KNOWN) -> bool:
    """Return whether a sentence can be of a text: enough of its terms stand there, and all its numbers."""
    numbers = set(_NUMBER.findall(claim))
    enough = known * KNOWN_HAN / KNOWN if is_chinese(claim) else known
    return numbers <= set(_NUMBER.findall(text)) and coverage(asked(claim), text, lambda _: 1.0) >= enough


def _evidence(reader: Reader, key: int, piece: Piece, claim: str, quoted: str) -> Span | None:
    """Return the words that were quoted where they stand in the piece, else the sentence nearest to the claim."""
    text = reader.text(key, piece.start, piece.end)
    if any(c.isalnum() for c in quoted) and (match := find_quotation(text, quoted)) is not None:
        return piece.start + match.start, piece.start + match.end
    place = support(reader, (key, piece.start, piece.end), claim)
    return None if place is None else (place.match.start, place.match.end)
