"""What may differ between two letters: the white space and punctuation of a source and of its quotation.

A gap is what stands between two characters of content (see `fold`), or at an end of a quotation. Two gaps are equal,
or differ by declared repairs, or the quotation is not one.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from glossator.document.fold import is_unspaced

Kind = Literal["space", "soft", "nothing", "ellipsis", "dashes", "quotes", "width"]
Repairs = frozenset[str]

NONE: Repairs = frozenset()
_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<soft>\u00ad)"
    r"|(?P<ellipsis>[.…⋯‥](?:\s?[.…⋯‥])+|[…⋯‥]|。{2,}|[·・]{2,})"
    r"|(?P<dashes>[-\u2010-\u2015\u2212\u2e3a\u2e3b\u301c\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d\u2500\u2501]+)"
    r"|(?P<quotes>''|``|["
    r"\"'`´ʼʻ\u2018-\u201f′″‴«»‹›「」『』〝〞〟❝❞❛❜＂＇｢｣﹁﹂﹃﹄])"
    r"|(?P<nothing>[\u0000-\u0008\u000e-\u001b\u007f-\u009f\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff])"
    r"|(?P<width>.)",
    re.DOTALL,
)
_SAME_MARK = str.maketrans(
    "，､、｡。．；：？！（）［］【】〔〕｛｝＿＊·•‧・･﹐﹑﹒﹔﹕﹖﹗﹙﹚",
    ",,,...;:?!()[][][]{}_*·····,,.;:?!()",
)
_QUOTING = frozenset(",.;:")  # what a quoting sentence puts at the end of a quotation


@dataclass(frozen=True, slots=True)
class Token:
    """A run of white space, or one mark; marks of one `kind` and `name` are spellings of the same."""

    kind: Kind
    name: str
    raw: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def tokens(gap: str) -> tuple[Token, ...]:
    """Return the tokens of a gap, in order."""
    found: list[Token] = []
    for m in _TOKEN.finditer(gap):
        kind: Kind = m.lastgroup  # type: ignore[assignment]  # the groups are named after the kinds
        name = m[0].translate(_SAME_MARK) if kind == "width" else kind
        found.append(Token(kind, name, m[0], m.start(), m.end()))
    return tuple(found)


def marks(gap: str) -> list[Token]:
    """Return the tokens of a gap that are neither white space nor invisible."""
    return [t for t in tokens(gap) if t.kind not in ("space", "soft", "nothing")]


@lru_cache(maxsize=65536)
def compare(source: str, quotation: str, before: str, after: str) -> Repairs | None:
    """Return the repairs that make two gaps the same, or None when no declared ones do.

    Args:
        source: The gap in the source.
        quotation: The gap in the quotation.
        before: The folded character of content before the gap.
        after: The one after it.
    """
    if source == quotation:
        return NONE
    if _is_broken_word(source, quotation, before, after):
        return frozenset(("hyphenation",))
    repairs: set[str] = set()
    kept = _kept(marks(source), marks(quotation))
    if kept is None:
        return None
    repairs.update(q.kind for s, q in kept if s.raw != q.raw)
    dropped = [t for t in marks(source) if all(t is not s for s, _ in kept)]
    if dropped:
        if not _may_drop(source, dropped, before, after):
            return None
        repairs.add("punctuation")
    spaces = _spaces(source, quotation, before + after, kept=bool(kept), dropped=bool(dropped))
    if spaces is None:
        return None
    return frozenset(repairs) | spaces | _invisible(source, quotation)


def edge(source: str, quotation: str, content: str) -> tuple[int, Repairs] | None:
    """Compare what follows the last character of content, in the source and in the quotation.

    The quotation's own marks are found again in the source, in order. What is not found there may be the quoting
    sentence's: an ellipsis, a quotation mark, a dash, a comma, full stop, colon or semicolon; a question or
    exclamation mark or a bracket may not.

    Args:
        source: The source up to its next character of content.
        quotation: The quotation's end.
        content: The last character of content.

    Returns:
        How many characters of `source` the quotation covers, and the repairs; None when it is no quotation.
    """
    covered, repairs = 0, set[str]()
    there = marks(source)
    at = 0
    for mark in marks(quotation):
        same = next((i for i in range(at, len(there)) if there[i].name == mark.name), None)
        if same is not None:
            repairs |= {mark.kind} if there[same].raw != mark.raw else set()
            repairs |= {"punctuation"} if same > at else set()
            covered, at = there[same].end, same + 1
        elif mark.kind == "ellipsis":
            repairs.add("ellipsis")
        elif mark.kind == "quotes" or mark.name in _QUOTING or (mark.kind == "dashes" and not content.isdigit()):
            repairs.add("punctuation")
        else:
            return None
    return covered, frozenset(repairs)


def _kept(source: list[Token], quotation: list[Token]) -> list[tuple[Token, Token]] | None:
    """Pair the quotation's marks with the source's, in order; None when it has one that the source has not."""
    pairs: list[tuple[Token, Token]] = []
    at = 0
    for mark in quotation:
        while at < len(source) and source[at].name != mark.name:
            at += 1
        if at == len(source):
            return None
        pairs.append((source[at], mark))
        at += 1
    return pairs


def _may_drop(source: str, dropped: list[Token], before: str, after: str) -> bool:
    """Punctuation of a number is part of it: a sign, a decimal point, a prime."""
    if before.isdigit() and after.isdigit():
        return False
    if after.isdigit() and dropped[-1].end == len(source) and dropped[-1].name in ("dashes", ".", ","):
        return False
    return not (before.isdigit() and dropped[0].start == 0 and dropped[0].raw in "′″‴")


def _spaces(source: str, quotation: str, around: str, *, kept: bool, dropped: bool) -> Repairs | None:
    """Judge the white space of two gaps whose marks agree."""
    here = [t.raw for t in tokens(source) if t.kind == "space"]
    there = [t.raw for t in tokens(quotation) if t.kind == "space"]
    if here == there or (dropped and here and there and set(there) <= set(here)):
        return NONE
    if here and there:
        return frozenset(("spaces",))
    if around.isdigit():
        return None
    if any(is_unspaced(c) for c in around) or kept:
        return frozenset(("spaces",))
    # "word—word" may become "word word"; "end. Next" may not become "endNext".
    return NONE if dropped and there else None


def _is_broken_word(source: str, quotation: str, before: str, after: str) -> bool:
    """Tell whether one side breaks a word over two lines with a hyphen and the other does not."""
    if not (before.isalpha() and after.isalpha()):
        return False
    broken, whole = (source, quotation) if source else (quotation, source)
    shape = [t.kind for t in tokens(broken)]
    return not whole and shape in (["soft"], ["soft", "space"], ["dashes", "space"])


def _invisible(source: str, quotation: str) -> Repairs:
    def of(gap: str, kind: Kind) -> list[str]:
        return [t.raw for t in tokens(gap) if t.kind == kind]

    soft = {"hyphenation"} if of(source, "soft") != of(quotation, "soft") else set()
    nothing = {"unicode"} if of(source, "nothing") != of(quotation, "nothing") else set()
    return frozenset(soft | nothing)
