"""The dates of a clippings file: English and Chinese, with 12 and 24 hours."""

import re
from datetime import datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TIME = re.compile(r"(\d{1,2})\s*[:：.]\s*(\d{2})(?:\s*[:：.]\s*(\d{2}))?")
_YEAR_FIRST = re.compile(r"(\d{4})\s*(?:年|[-/.])\s*(\d{1,2})\s*(?:月|[-/.])\s*(\d{1,2})")
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+([A-Za-z]{3,9})\.?,?\s+(\d{4}|\d{2}\b)")
_AFTERNOON = re.compile(r"(?<![A-Za-z])p\.?m\b|下午|晚上|傍晚|中午", re.IGNORECASE)
_MORNING = re.compile(r"(?<![A-Za-z])a\.?m\b|上午|凌晨|早上|清晨|午夜", re.IGNORECASE)


def read_date(text: str) -> str | None:
    """Return the time that a line of facts ends with as RFC 3339; None where it cannot be read."""
    day = _day(text)
    if day is None:
        return None
    date, end = day
    hour, minute, second = _clock(text[end:])
    try:
        return datetime(*date, hour, minute, second).strftime("%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None


def _day(text: str) -> tuple[tuple[int, int, int], int] | None:
    """Return year, month and day, and where they end."""
    if found := _YEAR_FIRST.search(text):
        return (int(found[1]), int(found[2]), int(found[3])), found.end()
    if (found := _MONTH_FIRST.search(text)) and found[1][:3].lower() in _MONTHS:
        return (int(found[3]), _MONTHS.index(found[1][:3].lower()) + 1, int(found[2])), found.end()
    if (found := _DAY_FIRST.search(text)) and found[2][:3].lower() in _MONTHS:
        year = int(found[3]) + (2000 if len(found[3]) == 2 else 0)
        return (year, _MONTHS.index(found[2][:3].lower()) + 1, int(found[1])), found.end()
    return None


def _clock(text: str) -> tuple[int, int, int]:
    """Return hour, minute and second; midnight where there are none."""
    found = _TIME.search(text)
    if found is None:
        return 0, 0, 0
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if _AFTERNOON.search(text) and hour < 12 and not (hour < 11 and "中午" in text and hour > 2):
        hour += 12
    elif _MORNING.search(text) and hour == 12:
        hour = 0
    return hour, minute, second
