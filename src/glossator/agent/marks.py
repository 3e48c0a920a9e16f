"""The quotations in an answer and the numbers of passages behind them, as a model writes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from glossator.document.fold import fold, is_unspaced
from glossator.document.quotation import quotations_in
from glossator.document.quoted import split_ellipsis

MARKER = re.compile(r"\s*[\[【]\s*(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)\s*[\]】]")
_BEHIND = re.compile(r"[”’」』》\"'»)）\s]*?((?:\s*[\[【(（]\s*\d{1,3}(?:\s*[,，、]\s*\d{1,3})*\s*[\]】)）])+)")
_SINGLE = re.compile(r"(?<![\w'])'((?:[^'\n]|(?<=\w)'(?=\w))+)'(?!\w)")  # straight single marks; apostrophes are none
_TAGS = re.compile(  # quotation marks as HTML and TeX have them
    r"(<q>)([^<]+)</q>|(<blockquote>)([^<]+)</blockquote>|(&quot;)(.+?)&quot;|(&ldquo;)(.+?)&rdquo;|(``)([^`\n]+)''",
    re.IGNORECASE,
)
_LEFT_OPEN = re.compile(r"[“„«‹「『]|(?<![\w”’])\"(?=\w)")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_PARAGRAPH = re.compile(r"(?:[^\n]|\n(?![ \t]*\n))+")
_TRAILING = re.compile(r"(?:\s*[\[【]\s*\d{1,3}(?:\s*[,，、]\s*\d{1,3})*\s*[\]】])+[.。]?$")
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
    mark: int = 1  # characters of the opening mark

    @property
    def begin(self) -> int:
        """Return where its opening mark begins."""
        return self.start if self.block else self.start - self.mark

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
    """Return the quotations of an answer in order: in marks, single ones and those of HTML included, and left open."""
    tagged = list(_tagged(text))
    found = [_quoted(text, *span) for span in quotations_in(text)]
    found = tagged + [q for q in found if not any(t.start <= q.start < t.close for t in tagged)]
    taken = [(q.begin, q.close) for q in found] + [m.span() for m in _CODE.finditer(text)]
    for match in _SINGLE.finditer(text):
        if len(_WORD.findall(match[1])) > _FEW_WORDS and not any(a <= match.start() < b for a, b in taken):
            found.append(_quoted(text, match.start(1), match.end(1), match[1]))
    found += _left_open(text, [(q.begin, q.close) for q in found] + [m.span() for m in _CODE.finditer(text)])
    return sorted(found, key=lambda q: q.start)


def _tagged(text: str) -> Iterator[Quoted]:
    """Yield what stands between the marks of HTML or TeX, unless that is quoted once more in itself."""
    code = [m.span() for m in _CODE.finditer(text) if not m[0].startswith("``") or m[0].startswith("```")]
    for match in _TAGS.finditer(text):
        group = next(n for n in range(1, len(match.groups()) + 1, 2) if match[n])
        start, end = match.span(group + 1)
        inner = quotations_in(match[group + 1])
        wrapped = inner and inner[0][1] - inner[0][0] >= len(match[group + 1].strip()) - 2
        if wrapped or any(a <= match.start() < b for a, b in code):
            continue
        plain = _quoted(text, start, match.end() - 1, match[group + 1].strip())
        yield replace(plain, end=end, block=False, mark=len(match[group]))


def _left_open(text: str, taken: list[tuple[int, int]]) -> Iterator[Quoted]:
    """Yield what follows an opening mark that its paragraph never closes: it is shown as a quotation all the same."""
    for match in _PARAGRAPH.finditer(text):
        for mark in _LEFT_OPEN.finditer(text, match.start(), match.end()):
            if any(a <= mark.start() < b for a, b in taken):
                continue
            words = text[mark.end() : match.end()].rstrip()
            end = mark.end() + len(words)
            if not is_slight(words) and not any(mark.start() < a < end for a, _ in taken):
                numbers = _TRAILING.search(words)
                close = mark.end() + (numbers.start() if numbers else len(words))
                yield replace(_quoted(text, mark.end(), close - 1, text[mark.end() : close]), end=close, block=False)
            break


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
