"""Where a quotation may begin and end: not inside a word, not inside a number, not just short of its negation."""

import re
import unicodedata

from glossator.document.fold import is_unspaced

HAN_NUMERALS = frozenset("〇零一二三四五六七八九十百千万亿两半兩廿卅壹贰叁肆伍陆柒捌玖拾佰仟萬億")
_NEGATING_PREFIXES = ("non", "un", "anti", "dis", "in", "im", "il", "ir", "mis", "a", "ab")
_NEGATING_ENDINGS = ("less", "lessly", "lessness", "not")
_LETTERS_BEFORE = re.compile(r"[^\W\d_]+\Z")
_LETTERS_AFTER = re.compile(r"[^\W\d_]+")
_APOSTROPHES = "'’ʼ＇"
_HYPHENS = "-‐‑"
_SIGNS = "-−–"


def cuts_word(text: str, start: int, end: int) -> bool:
    """Tell whether `[start, end)` begins or ends inside a word or number, or cuts off what negates it.

    "able" is no quotation of "unable" or "non-able", "can" none of "can't", "000" none of "5,000", 百里 none of 三百里.
    """
    if start >= end:
        return False
    before, after = text[max(0, start - 8) : start], text[end : end + 3]
    if before and (_joined(before[-1], text[start]) or _depends(before, text[start])):
        return True
    return bool(after) and (_joined(text[end - 1], after[0]) or _goes_on(text[end - 1], after))


def cuts_meaning(text: str, start: int, end: int) -> bool:
    """Tell whether a word or number that `[start, end)` cuts says something else without the part cut off.

    That is so for numbers and for what negates: "able" of "unable", "hope" of "hopeless", "can" of "cannot".
    """
    before, after = text[max(0, start - 8) : start], text[end : end + 8]
    if (before and _depends(before, text[start])) or (after and _goes_on(text[end - 1], after)):
        return True
    if before and _joined(before[-1], text[start]):
        head = _LETTERS_BEFORE.search(before)
        if head is None or not text[start].isalpha() or head[0].casefold() in _NEGATING_PREFIXES:
            return True
    if after and _joined(text[end - 1], after[0]):
        rest = _LETTERS_AFTER.match(after)
        return rest is None or not text[end - 1].isalpha() or rest[0].casefold() in _NEGATING_ENDINGS
    return False


def _joined(a: str, b: str) -> bool:
    """Tell whether no word or number can end between two neighbouring characters."""
    if a in HAN_NUMERALS and b in HAN_NUMERALS:
        return True
    if _is_combining(b):
        return _is_combining(a) or a.isalnum()
    if not (b.isalnum() and (a.isalnum() or _is_combining(a))):
        return False
    return not (is_unspaced(a) or is_unspaced(b))


def _depends(before: str, first: str) -> bool:
    """Tell whether what precedes is a sign, the front of a number, or a negating prefix with its hyphen."""
    mark, head = before[-1], before[:-1]
    if first.isdigit() and mark in ".,":
        return not head or head[-1].isdigit() or head[-1].isspace()
    if first.isdigit() and mark in _SIGNS:
        return not head or not head[-1].isalnum()
    if mark in _HYPHENS:
        word = head.split()[-1].casefold() if head.split() and not head[-1].isspace() else ""
        return word.lstrip("(“\"'‘[") in _NEGATING_PREFIXES
    return False


def _goes_on(last: str, after: str) -> bool:
    if last.isdigit() and after[0] in ".,":
        return after[1:2].isdigit()
    return last.isalpha() and after[0] in _APOSTROPHES and after[1:2].casefold() == "t" and not after[2:3].isalpha()


def _is_combining(c: str) -> bool:
    return c >= "\u0300" and unicodedata.category(c)[0] == "M"
