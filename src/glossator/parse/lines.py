"""Lines of a plain text to paragraphs: which line breaks the author meant, and which the typist's margin made.

Plain text comes in three habits: wrapped at a margin with blank lines between paragraphs (Project Gutenberg, mail),
one line a paragraph (most Chinese novels, exports), and indented first lines. One file may mix them, and has verse and
columns in between. The margin is measured first; then each run of lines is judged by how its lines fill it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import dedent
from typing import Literal

from glossator.parse.numerals import HAN

ParagraphKind = Literal["prose", "lines", "code", "item", "rule"]

_WIDE = re.compile("[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
                   "\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6\U00020000-\U0003fffd]")  # fmt: skip
_EASTERN = (
    "[\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\u2014\u2018-\u201d\u2026\U00020000-\U0003fffd]"
)
_SOLID_JOINT = re.compile(rf"(?:{_EASTERN}\n{_EASTERN})|(?:[^\W\d_]-\n[^\W\d_])|(?:[—-]-?\n)|(?:\n—)")
_RULE = re.compile(r"\s*([=_~#+.*-])\1{3,}\s*")
_BULLET = re.compile(r"\s*(?:[*•‣◦▪·●○■□–—-]|\(?\d{1,3}[.)]|\d{1,3}(?:\.\d{1,3})+\.?|\(?[a-z][.)])[ \t\u00a0]+\S")
_SURE_BULLET = re.compile(r"\s*[*•‣◦▪●○■□]\s")
_LONE_NUMBER = re.compile(r"\s*[IVXLC]+\.?")
_CHAPTER = re.compile(rf"\s*(?:正文\s*)?第\s*{HAN}\s*[部卷篇集章回节節]")
_LONGEST_CHAPTER = 40
_COLUMNS = re.compile(r"\S(?: {3,}|\t)\S|[\u2500-\u257f]|\s\|\s.*\|")
_ENDS = re.compile(r"[.!?…。！？」』”’\")）\]:：;；]\s*$")

WIDEST_MARGIN = 130  # columns: nobody wraps at more; longer lines are paragraphs
_FILLED = 0.75  # a line this near to the margin was broken by it
_PROSE_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Lines that belong together. `text` is joined for prose and items; in the other kinds line breaks stand.

    `gap` is the number of blank lines before it, `lines` how many it was made from, `indent` the columns before its
    first line.
    """

    kind: ParagraphKind
    text: str
    gap: int
    lines: int = 1
    indent: int = 0


@dataclass(frozen=True, slots=True)
class _Habit:
    margin: int | None  # columns at which lines were wrapped; None: they were not
    blank_lines: bool  # paragraphs are separated by blank lines


def paragraphs(text: str) -> list[Paragraph]:
    """Return the paragraphs of a plain text, in order. No visible character is lost but those of rules (`=====`)."""
    lines = [line.rstrip() for line in text.expandtabs(8).split("\n")]
    runs = list(_runs(lines))
    habit = _habit([run for _, run in runs])
    found: list[Paragraph] = []
    for gap, run in runs:
        for i, paragraph in enumerate(_of_run(run, habit)):
            found.append(replace(paragraph, gap=gap) if i == 0 else paragraph)
    return found


def width(line: str) -> int:
    """Return the columns a line takes: two for East Asian wide characters."""
    return len(line) + len(_WIDE.findall(line))


def ends_sentence(text: str) -> bool:
    """Tell whether a text ends as a paragraph ends."""
    return _ENDS.search(text) is not None


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield (blank lines before, lines without a blank one among them)."""
    gap, run = 0, list[str]()
    for line in lines:
        if line.strip(" \u00a0\u3000\f"):
            run.append(line)
        elif run:
            yield gap, run
            gap, run = 1, []
        else:
            gap += 1
    if run:
        yield gap, run


def _habit(runs: Sequence[Sequence[str]]) -> _Habit:
    broken = sorted(width(line) for run in runs for line in run[:-1] if not _RULE.fullmatch(line))
    total = sum(len(run) for run in runs)
    single = sum(1 for run in runs if len(run) == 1)
    blank_lines = 2 * single >= len(runs) > 1 or total < 4 * len(runs)
    if len(broken) < max(2, total // 10):
        return _Habit(None, blank_lines)
    margin = broken[int(len(broken) * 0.95)]
    filled = sum(1 for w in broken if _FILLED * margin <= w <= margin * 1.1)
    if margin > WIDEST_MARGIN or filled < len(broken) * _PROSE_SHARE:
        return _Habit(None, blank_lines)
    return _Habit(margin, blank_lines)


def _of_run(run: list[str], habit: _Habit) -> Iterator[Paragraph]:
    pending: list[str] = []
    for line in run:
        if _RULE.fullmatch(line):
            yield from _of_lines(pending, habit)
            pending = []
            yield Paragraph(kind="rule", text=line.strip(), gap=0)
        else:
            pending.append(line)
    yield from _of_lines(pending, habit)


def _of_lines(lines: list[str], habit: _Habit) -> Iterator[Paragraph]:
    if not lines:
        return
    if len(lines) == 1:
        yield _paragraph(lines, "prose")
    elif _LONE_NUMBER.fullmatch(lines[-1]) and ends_sentence(lines[-2]):
        yield from _of_lines(lines[:-1], habit)
        yield _paragraph(lines[-1:], "prose")
    elif habit.margin is None or max(map(width, lines)) > 1.3 * habit.margin:
        yield from _of_unwrapped(lines, blank_lines=habit.blank_lines)
    else:
        for group, bullet in _groups(lines):
            yield _paragraph(group, "item" if bullet else _kind(group, habit.margin))


def _of_unwrapped(lines: list[str], *, blank_lines: bool) -> Iterator[Paragraph]:
    """In a text where blank lines separate paragraphs, short lines that stand together are verse or an address."""
    if _is_columns(lines):
        yield _paragraph(lines, "code")
    elif (
        blank_lines and max(map(width, lines)) <= WIDEST_MARGIN / 2 and not any(line[:1] == "\u3000" for line in lines)
    ):
        yield _paragraph(lines, "lines")
    else:
        yield from (_paragraph([line], "prose") for line in lines)


def _groups(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Cut a run of wrapped lines where an indented first line or a list item begins: (lines, is an item)."""
    indents = [_indent(line) for line in lines]
    base = min(indents)
    inside = [i for i, indent in enumerate(indents) if indent > base]
    first_lines = set(inside) if len(inside) * 2 < len(lines) else set()
    # A hanging indent is the reverse: the first line stands out and the others are indented.
    bullets = _bullets(lines, indents)
    group: list[str] = []
    bullet = False
    for i, line in enumerate(lines):
        begins = i in bullets or (not bullets and i in first_lines) or line.startswith("\u3000")
        begins = begins or any(_is_chapter(lines[j], lines[j - 1] if j else "") for j in (i, i - 1) if j >= 0)
        if begins and group:
            yield group, bullet
            group = []
        if begins or not group:
            bullet = i in bullets
        group.append(line)
    yield group, bullet


def _is_chapter(line: str, before: str) -> bool:
    """Tell a Chinese chapter heading that no blank line sets off."""
    return len(line) < _LONGEST_CHAPTER and (not before or ends_sentence(before)) and bool(_CHAPTER.match(line))


def _bullets(lines: list[str], indents: list[int]) -> set[int]:
    found = [i for i, line in enumerate(lines) if _BULLET.match(line)]
    sure = [i for i in found if _SURE_BULLET.match(lines[i])]
    if sure:
        found = sure
    elif len(found) < 2 or found[0] != 0:
        return set()  # one dash or number at the beginning of a line comes about by wrapping
    depth = min((indents[i] for i in found), default=0)
    return {i for i in found if indents[i] <= depth + 12}


def _kind(lines: list[str], margin: int) -> ParagraphKind:
    if _is_columns(lines):
        return "code"
    if len(lines) == 1 or _short_breaks(lines, margin) <= _PROSE_SHARE:
        return "prose"
    # Lines that do not reach the margin: a quotation set narrower, if they fill a margin of their own; else verse.
    own = max(map(width, lines))
    narrow = len(lines) > 3 and own > margin / 2 and _short_breaks(lines, own) <= 0.25
    return "prose" if narrow else "lines"


def _short_breaks(lines: list[str], margin: int) -> float:
    """Return the share of line breaks before which the next line's first word would have had room."""
    short = 0.0
    for line, following in pairwise(lines):
        text = following.strip()
        word = text.split(" ", 1)[0] if " " in text[:40] else text[:1]
        if width(line) + 1 + width(word) < margin - 1:
            short += 0.4 if text[0].islower() else 1.0  # a small letter speaks for a sentence that goes on
    return short / (len(lines) - 1)


def _is_columns(lines: list[str]) -> bool:
    return len(lines) > 1 and sum(1 for line in lines if _COLUMNS.search(line.strip())) * 2 >= len(lines)


def _paragraph(lines: list[str], kind: ParagraphKind) -> Paragraph:
    if kind == "code":
        text = dedent("\n".join(lines))
    elif kind == "lines":
        text = "\n".join(line.strip() for line in lines)
    else:
        text = _joined([line.strip() for line in lines])
    return Paragraph(kind=kind, text=text, gap=0, lines=len(lines), indent=_indent(lines[0]))


def _joined(lines: list[str]) -> str:
    """Join lines with spaces, but without one between East Asian characters, after a hyphen and around dashes."""
    text = "\n".join(lines)
    for _ in range(2):  # joints may touch: a line of one character
        text = _SOLID_JOINT.sub(lambda joint: joint[0].replace("\n", ""), text)
    return text.replace("\n", " ")


def _indent(line: str) -> int:
    return width(line[: len(line) - len(line.lstrip(" \t\u00a0\u3000"))])
