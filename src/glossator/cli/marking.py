"""Which characters of a passage a query is about, so that a person sees at once why it was found.

For the eye only: what is found is decided by the indexes, which fold more than this does.
"""

import re
from collections.abc import Iterator

from glossator.cli.page import Span

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003134f]+")
SPACE = re.compile(r"\s+")
ENDINGS = re.compile(r"(?:ing|ed|es|s)$")
WORDS_OF_NO_NOTE = """
a an and are as at be but by did do does for from had has have he her his how i in is it its me my no not of on or our
she so that the their them then there they this to was we were what when where which who whom why will with you your
"""
COMMON = frozenset(WORDS_OF_NO_NOTE.split())


def marked(text: str, query: str, *, columns: int = 420) -> tuple[Span, ...]:
    """Return `text` as spans, the words of `query` marked; what fills more than about `columns` is cut around them."""
    places = sorted(_places(text, query))
    wide = sum(map(len, CJK.findall(text)))
    limit = columns * len(text) // (len(text) + wide) if text else 0
    start, end = _window(text, places, limit)
    spans: list[Span] = [("… ", "dim")] if start else []
    at = start
    for first, last in places:
        if first >= at and last <= end:
            spans += [(text[at:first], "plain"), (text[first:last], "mark")]
            at = last
    spans.append((text[at:end], "plain"))
    if end < len(text):
        spans.append((" …", "dim"))
    return tuple((SPACE.sub(" ", part), style) for part, style in spans if part)


def _places(text: str, query: str) -> Iterator[tuple[int, int]]:
    runs = CJK.findall(query)
    words = {w.casefold() for w in WORD.findall(CJK.sub(" ", query))}
    stems = {ENDINGS.sub("", w) if len(w) > 4 else w for w in words - COMMON or words}
    for found in WORD.finditer(CJK.sub(lambda m: " " * len(m[0]), text)):
        word = found[0].casefold()
        if word in words & stems or any(len(s) > 2 and word.startswith(s) and len(word) - len(s) <= 3 for s in stems):
            yield found.span()
    if runs:
        yield from _runs(text, runs)


def _runs(text: str, runs: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the longest pieces, of two characters or more, that a Chinese text shares with the query."""
    pairs = {run[i : i + 2] for run in runs for i in range(len(run) - 1)} | {run for run in runs if len(run) == 1}
    at = 0
    while at < len(text):
        end = at
        if text[at] in pairs:
            end = at + 1
        while text[max(at, end - 1) : max(at, end - 1) + 2] in pairs and end < len(text):
            end = max(at, end - 1) + 2
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _window(text: str, places: list[tuple[int, int]], limit: int) -> tuple[int, int]:
    """Return the stretch of at most about `limit` characters that holds most of the places."""
    if len(text) <= limit:
        return 0, len(text)
    starts = [first for first, _ in places] or [0]
    best = max(starts, key=lambda s: sum(s <= other < s + limit * 2 // 3 for other in starts))
    start = max(0, min(best - limit // 4, len(text) - limit))
    if start:
        sentence = max(text.rfind(mark, start, best) for mark in (". ", "! ", "? ", "。", "！", "？", "\n"))
        space = text.find(" ", start, best)
        start = sentence + 1 if sentence >= 0 else space + 1 if space >= 0 else start
        start += len(text[start:best]) - len(text[start:best].lstrip())
    end = min(len(text), start + limit)
    space = text.rfind(" ", best, end)
    return start, space if end < len(text) and space > start + limit // 2 else end
