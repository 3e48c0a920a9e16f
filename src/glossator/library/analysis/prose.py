"""The prose of a document in parts of a readable size: its chapters, each with its sentences."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from glossator.document.model import Section
from glossator.document.sentence import sentences
from glossator.library.analysis.names import Piece
from glossator.library.analysis.values import Coverage, Span
from glossator.library.reader import Opened, Reader

PROSE = ("paragraph", "list_item", "quotation")
MOST = 40  # parts of a document; deeper sections belong to the part above them then
WINDOW = 12_000  # characters of a part where there are no sections
_LEADERS = re.compile(r"(?:\. ?){5}|…{3}")  # of a table of contents that was read as prose
_BESIDE = re.compile(
    r"^\W*(?:(?:half[- ]?)?title ?page|cover|imprint|colophon|uncopyright|copyright.*|(?:table of )?contents|index|"
    r"bibliography|references|works cited|acknowledge?ments?|dedication|(?:end|foot)?notes|list of .*|licen[cs]e.*|"
    r"also by .*|about the (?:author|publisher)|advertisements?|transcriber.s notes?|"
    r"封面|目录|目錄|版权.*|版權.*|参考文献|參考文獻|致谢|致謝|扉页|索引|注释|附注)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at `[start, end)`; `first` when it begins its paragraph."""

    start: int
    end: int
    text: str
    first: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A chapter, or another part that is read as one."""

    section: Section | None
    start: int
    end: int
    sentences: tuple[Sentence, ...]
    pieces: tuple[Piece, ...]

    @property
    def title(self) -> str:
        """Return its title, empty where it has none or it may not be shown."""
        return self.section.title if self.section else ""


def is_beside(section: Section) -> bool:
    """Return whether a section stands beside the text: a title page, a list of references, a licence."""
    return bool(_BESIDE.match(section.title))


def parts(reader: Reader, opened: Opened, span: Span | None = None) -> list[Part]:
    """Return the parts of a document, or of a span of it, that hold prose; those beside the text left out.

    With a span the sections directly inside it are the parts.
    """
    start, end = span or (0, opened.end)
    found = []
    for section, a, b in _cut(opened, start, min(end, opened.end)):
        part = _part(reader, opened, section, (a, b))
        if part.sentences:
            found.append(part)
    return found


def pieces(reader: Reader, opened: Opened, span: Span | None = None) -> list[Piece]:
    """Return the paragraphs of a document, or of a span of it, that are prose, with their positions."""
    return [piece for part in parts(reader, opened, span) for piece in part.pieces]


def coverage(opened: Opened, read: Sequence[Part], span: Span | None = None) -> Coverage:
    """Return which spans of a document, or of a span of it, the parts hold."""
    start, end = span or (0, opened.document.characters)
    spans = merged((p.start, p.end) for p in read)
    missing, at = [], start
    for a, b in spans:
        if a > at:
            missing.append((at, a))
        at = max(at, b)
    if at < end:
        missing.append((at, end))
    return Coverage(tuple(spans), tuple(missing))


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, those that touch or all but touch as one."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1] + 2:
            out[-1] = out[-1][0], max(out[-1][1], end)
        else:
            out.append((start, end))
    return out


def _cut(opened: Opened, start: int, end: int) -> list[tuple[Section | None, int, int]]:
    """Return the parts of a span: its sections down to the level that gives a readable number of them."""
    inside = [s for s in opened.sections if start <= s.start < end and not (s.start == start and s.end >= end)]
    level = _level(inside)
    tops = [s for s in inside if s.level <= level]
    if not tops:
        around = [s for s in opened.sections if s.start <= start < s.end]
        return [(around[-1] if around else None, a, min(a + WINDOW, end)) for a in range(start, end, WINDOW)]
    edges = [s.start for s in tops[1:]] + [end]
    cut: list[tuple[Section | None, int, int]] = []
    if tops[0].start > start:
        above = next((s for s in reversed(opened.sections) if s.start <= start < s.end), None)
        cut.append((above, start, tops[0].start))
    cut += [(s, s.start, b) for s, b in zip(tops, edges, strict=True)]
    return [(s, a, b) for s, a, b in cut if s is None or not is_beside(s)]


def _level(sections: Sequence[Section]) -> int:
    """Return the deepest level down to which there are not too many sections, and more than one."""
    levels = sorted({s.level for s in sections})
    chosen = levels[0] if levels else 0
    for level in levels:
        count = sum(s.level <= level for s in sections)
        if count > MOST and sum(s.level <= chosen for s in sections) > 1:
            break
        chosen = level
        if count >= 6:
            break
    return chosen


def _part(reader: Reader, opened: Opened, section: Section | None, span: Span) -> Part:
    found: list[Sentence] = []
    texts: list[Piece] = []
    language = opened.document.language
    for block in reader.body(opened.document.key, *span):
        start = block.start or 0
        if block.kind not in PROSE or not span[0] <= start < span[1] or _LEADERS.search(block.text):
            continue
        texts.append((start, block.text))
        for n, (a, b) in enumerate(sentences(block.text, language)):
            found.append(Sentence(start + a, start + b, block.text[a:b], n == 0))
        cut = opened.capped and block.end == opened.end
        if cut and found and not _ended(found[-1].text):
            found.pop()  # a sentence that the bound cuts
    return Part(section, span[0], span[1], tuple(found), tuple(texts))


def _ended(text: str) -> bool:
    return text.rstrip("”’」』\"')]")[-1:] in tuple(".!?。！？…")
