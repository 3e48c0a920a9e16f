"""Numbers as chapter headings write them: digits, Roman numerals, English words, Chinese numerals."""

import re

ARABIC = r"\d{1,4}"
ROMAN = r"(?=[ivxlcIVXLC])(?:[cC]{0,3})(?:[xX][cC]|[xX][lL]|[lL]?[xX]{0,4})(?:[iI][xX]|[iI][vV]|[vV]?[iI]{0,4})"
HAN = r"[零〇○一二三四五六七八九十百千两兩廿卅0-9０-９]{1,8}"

_UNITS = [
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_ORDINALS = [
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

_WORDS = (
    {word: n for n, word in enumerate(_UNITS, 1)}
    | {word: n for n, word in enumerate(_ORDINALS, 1)}
    | {word: 10 * n for n, word in enumerate(_TENS, 2)}
    | {word[:-1] + "ieth": 10 * n for n, word in enumerate(_TENS, 2)}
)
_ANY_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
ENGLISH = rf"(?:the\s+)?(?:(?:{'|'.join(_TENS)})[\s-](?:{_ANY_WORD})|{_ANY_WORD})"

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_HAN = dict(zip("零〇○一二三四五六七八九", (0, 0, 0, *range(1, 10)), strict=True)) | {"两": 2, "兩": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}


def value(numeral: str) -> int | None:
    """Return what a numeral of any of these kinds stands for, or None."""
    text = numeral.strip().lower()
    if not text:
        return None
    if text.isdecimal():
        return int(text)
    if all(c in _ROMAN for c in text):
        return _roman(text)
    if any(c in _HAN or c in _HAN_UNITS or c in "廿卅" for c in text):
        return _han(text)
    parts = [p for p in re.split(r"[\s-]+", text) if p not in ("the", "and")]
    values = [_WORDS.get(p) for p in parts]
    return None if not values or None in values else sum(v for v in values if v is not None)


def _roman(text: str) -> int:
    digits = [_ROMAN[c] for c in text]
    following = [*digits[1:], 0]
    return sum(-a if a < b else a for a, b in zip(digits, following, strict=True))


def _han(text: str) -> int | None:
    total, current, positional = 0, 0, True
    for c in text.replace("廿", "二十").replace("卅", "三十"):
        if c in _HAN_UNITS:
            total += (current or 1) * _HAN_UNITS[c]
            current, positional = 0, False
        elif c in _HAN or c.isdecimal():
            digit = _HAN[c] if c in _HAN else int(c)
            current = current * 10 + digit if positional else digit
        else:
            return None
    return total + current
