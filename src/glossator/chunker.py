"""From a document to the passages that are indexed.

A chunk is whole blocks of one section, preceded by the last whole sentences of the chunk before it (the overlap).
Tables and code stand alone, headings and a table's caption go with what follows them, and all text is in some chunk.
Pure: the token count comes in as a function, so the same rules serve every embedder and none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from glossator.document.model import Block, BlockKind, Document, innermost
from glossator.document.sentence import Span, sentences
from glossator.document.tokens import estimate_tokens

__all__ = ["BOOK", "PAPER", "PROFILES", "Chunk", "ChunkKind", "Profile", "chunk", "estimate_tokens", "sentences"]

ChunkKind = Literal["prose", "table", "code"]
Count = Callable[[Sequence[str]], list[int]]

WHOLE = 8  # a paragraph of more than this many targets has lost its breaks, and is cut between sentences


@dataclass(frozen=True, slots=True)
class Profile:
    """How large chunks are, in tokens: the target, and what is repeated from the chunk before."""

    name: str
    tokens: int
    overlap: int


BOOK = Profile("book", 300, 60)
PAPER = Profile("paper", 512, 90)
PROFILES = {p.name: p for p in (BOOK, PAPER)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage: `[start, end)` of the canonical text, in one section."""

    start: int
    end: int
    kind: ChunkKind
    section: int | None  # its number; None before the first section
    tokens: int
    heading_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is never divided between chunks: a paragraph, a heading, a table."""

    start: int
    end: int
    kind: ChunkKind
    leads: bool  # goes with what follows it
    section: int | None
    pieces: tuple[Span, ...]  # its sentences
    tokens: tuple[int, ...]  # of each piece

    @property
    def size(self) -> int:
        return sum(self.tokens)


def chunk(document: Document, profile: Profile, count: Count) -> list[Chunk]:
    """Return the chunks of `document` in reading order; together they hold all text that is not white space.

    A chunk aims at `profile.tokens` and exceeds it only for one paragraph that is longer by itself (up to eight
    targets; a longer one is cut between sentences), for a table, or for a heading with the paragraph it leads to. A
    sentence is never split, and a chunk never leaves its section.
    """
    paths = {s.number: s.path for s in document.sections}
    chunks: list[Chunk] = []
    for run in _runs(_units(document, profile, count)):
        section = run[0].section
        path = paths[section] if section is not None else ()
        chunks.extend(
            Chunk(start=start, end=end, kind=kind, section=section, tokens=tokens, heading_path=path)
            for start, end, kind, tokens in _packed(run, profile)
        )
    return chunks


# units


def _units(document: Document, profile: Profile, count: Count) -> list[_Unit]:
    """Return the document's undividable parts; all token counts come from one call of `count`."""
    drafts = list(_drafts(document))
    texts = [document.text[a:b] for _, pieces, _ in drafts for a, b in pieces]
    counts = iter(count(texts))
    units: list[_Unit] = []
    for block, pieces, section in drafts:
        tokens = tuple(next(counts) for _ in pieces)
        unit = _Unit(
            start=pieces[0][0],
            end=pieces[-1][1],
            kind=_kind(block.kind),
            leads=block.kind == "heading",
            section=section,
            pieces=pieces,
            tokens=tokens,
        )
        units.extend(_divided(unit, profile))
    return _captioned(units, drafts)


def _drafts(document: Document) -> Iterator[tuple[Block, tuple[Span, ...], int | None]]:
    language = document.metadata.language
    for block in document.blocks:
        if block.start is None or not block.text.strip():
            continue
        start = block.start
        spans = sentences(block.text, language) if _is_prose(block.kind) else [(0, len(block.text))]
        pieces = tuple((start + a, start + b) for a, b in spans)
        section = innermost(document.sections, start)
        yield block, pieces, None if section is None else section.number


def _is_prose(kind: BlockKind) -> bool:
    return kind not in ("table", "code", "heading", "formula", "image")


def _kind(kind: BlockKind) -> ChunkKind:
    return kind if kind in ("table", "code") else "prose"


def _divided(unit: _Unit, profile: Profile) -> Iterator[_Unit]:
    """Yield `unit`, or its parts of about one target when its paragraph breaks are evidently lost."""
    if unit.kind != "prose" or unit.size <= WHOLE * profile.tokens:
        yield unit
        return
    first = total = 0
    for i, tokens in enumerate((*unit.tokens, profile.tokens + 1)):
        if i > first and total + tokens > profile.tokens:
            yield _part(unit, first, i)
            first, total = i, 0
        total += tokens


def _part(unit: _Unit, first: int, end: int) -> _Unit:
    pieces = unit.pieces[first:end]
    return _Unit(pieces[0][0], pieces[-1][1], unit.kind, unit.leads, unit.section, pieces, unit.tokens[first:end])


def _captioned(units: list[_Unit], drafts: Sequence[tuple[Block, tuple[Span, ...], int | None]]) -> list[_Unit]:
    """Mark the captions that stand before a table: they go with it. One after a table stays with the prose."""
    captions = {pieces[0][0] for block, pieces, _ in drafts if block.kind == "caption"}
    for i, (unit, following) in enumerate(pairwise(units)):
        if following.kind == "table" and unit.start in captions:
            units[i] = _Unit(unit.start, unit.end, unit.kind, True, unit.section, unit.pieces, unit.tokens)
    return units


def _runs(units: Sequence[_Unit]) -> Iterator[list[_Unit]]:
    """Yield the units of one section after another; what follows a subsection is a run of its own."""
    run: list[_Unit] = []
    for unit in units:
        if run and run[0].section != unit.section:
            yield run
            run = []
        run.append(unit)
    if run:
        yield run


# packing


def _packed(run: Sequence[_Unit], profile: Profile) -> Iterator[tuple[int, int, ChunkKind, int]]:
    """Yield (start, end, kind, tokens) of the chunks of one section."""
    taken: list[_Unit] = []
    before: list[tuple[Span, int]] = []  # sentences that the next chunk may repeat
    for group in _groups(run):
        alone = group[-1].kind
        if alone != "prose":
            if taken:
                yield _closed(taken, before, profile)
            size = sum(u.size for u in group)
            yield group[0].start, group[-1].end, alone, size
            taken, before = [], []
            continue
        if taken and _size(taken) + sum(u.size for u in group) > profile.tokens:
            yield _closed(taken, before, profile)
            before = _sentences(taken)
            taken = []
        taken.extend(group)
    if taken:
        yield _closed(taken, before, profile)


def _groups(run: Sequence[_Unit]) -> Iterator[list[_Unit]]:
    """Yield units with the headings that lead to them; headings at the very end stand by themselves."""
    group: list[_Unit] = []
    for unit in run:
        group.append(unit)
        if not unit.leads:
            yield group
            group = []
    if group:
        yield group


def _closed(
    taken: Sequence[_Unit], before: Sequence[tuple[Span, int]], profile: Profile
) -> tuple[int, int, ChunkKind, int]:
    size = _size(taken)
    start = taken[0].start
    room = min(profile.overlap, profile.tokens - size)
    for span, tokens in reversed(before):
        if tokens > room:
            break
        room -= tokens
        size += tokens
        start = span[0]
    return start, taken[-1].end, "prose", size


def _size(units: Sequence[_Unit]) -> int:
    return sum(u.size for u in units)


def _sentences(units: Sequence[_Unit]) -> list[tuple[Span, int]]:
    return [pair for u in units for pair in zip(u.pieces, u.tokens, strict=True)]
