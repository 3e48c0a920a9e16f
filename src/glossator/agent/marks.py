"""The quotations in an answer and the numbers of passages behind them, as a model writes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from glossator.document.fold import fold, is_unspaced
from glossator.document.quotation import quotations_in
from glossator.document.quoted import split_ellipsis

MARKER = re.compile(r"\s*[\[【]\s*(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)\s*[\]】]")
_BEHIND = re.compile(r"[”’」』》\"'»)）\s]*?((?:\s*[\[【(（]\s*\d{1,3}(?:\s*[,，、]\s*\d{1,3})*\s*[\]】)）])+)")
_SINGLE = re.compile(r"(?<![\w'])'((?:[^'\n]|(?<=\w)'(?=\w))+)'(?!\w)")  # straight single marks; apostrophes are none
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_FEW_WORDS, _FEW_CHARACTERS = 2, 4


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation of an answer: `[start, end)` are the words as shown, `close` is where its marks end.

    `numbers` are those of the passages named behind it, and `after` is where they end.
    """

    start: int
    end: int
    close: int
    words: str
    numbers: tuple[int, ...]
    after: int
    block: bool = False  # a block quotation, without marks

    @property
    def slight(self) -> bool:
        """Return whether it is so short that it may be a term, or a word set apart."""
        return is_slight(self.words)


def is_slight(words: str) -> bool:
    """Return whether words between quotation marks are no more than a term: two words, or four characters."""
    if split_ellipsis(words)[1:]:
        return False
    content = fold(words).text
    if any(map(is_unspaced, content)):
        return len(content) <= _FEW_CHARACTERS
    return len(_WORD.findall(words)) <= _FEW_WORDS


def quotations(text: str) -> list[Quoted]:
    """Return the quotations of an answer in order, straight single marks included."""
    found = [_quoted(text, *span) for span in quotations_in(text)]
    taken = [(q.start, q.end) for q in found] + [m.span() for m in _CODE.finditer(text)]
    for match in _SINGLE.finditer(text):
        if len(_WORD.findall(match[1])) > _FEW_WORDS and not any(a <= match.start() < b for a, b in taken):
            found.append(_quoted(text, match.start(1), match.end(1), match[1]))
    return sorted(found, key=lambda q: q.start)


def bare_markers(text: str, quoted: list[Quoted]) -> Iterator["re.Match[str]"]:
    """Yield the numbers of passages that stand behind a claim and not behind a quotation."""
    taken = [(q.start, q.after) for q in quoted] + [m.span() for m in _CODE.finditer(text)]
    for match in MARKER.finditer(text):
        at = match.start() + len(match[0]) - len(match[0].lstrip())
        attached = at and text[at - 1].isalnum() and not is_unspaced(text[at - 1]) and match[0][0] == "["
        linked = text[match.end() : match.end() + 1] in ("(", ":")
        if not attached and not linked and not any(a <= match.start() < b for a, b in taken):
            yield match


def numbers_in(marker: str) -> tuple[int, ...]:
    """Return the numbers that stand in a marker."""
    return tuple(int(n) for n in re.findall(r"\d+", marker))


def _quoted(text: str, start: int, end: int, words: str) -> Quoted:
    block = text[start : start + 1] == ">" and text[start:end] != words
    close = end if block else end + 1
    behind = _BEHIND.match(text, close)
    after = behind.end() if behind else close
    return Quoted(start, end, close, words, numbers_in(behind[1]) if behind else (), after, block)
