"""Where sentences stand in a text.

The chunker cuts only between them, answers quote them, and a text longer than an embedder reads is windowed along
them. Boundaries of languages with spaces come from `sentencex` (abbreviations, initials, decimals, dialogue); Chinese
and Japanese have their own rule, because there the end of a sentence is a matter of punctuation alone.
"""

import re
from functools import lru_cache
from itertools import pairwise

from glossator.document.scripts import HAN, KANA

Span = tuple[int, int]

LONGEST = 3_000  # code points; a "sentence" beyond it is a text without punctuation and is divided at its spaces

_CJK = KANA + HAN
_IS_CJK = re.compile(f"[{_CJK}]")
_CLOSING = "”’」』》〉】〕）)\\]\"'"
# An end mark with the marks and closing quotation marks that follow it. `……` ends a sentence only where the text
# does not go on in it: before a closing quotation mark and at the end of a block, not in the middle of a speech.
_CJK_END = re.compile(f"(?:[。！？!?｡]+(?:…+)?|…+(?=[{_CLOSING}]))[{_CLOSING}]*")
# What may not begin a sentence: a mark that belongs to what stands before it.
_CONTINUES = re.compile("[，、；：。！？…,;:）」』”’》〉】—～]")
# `“好！”他说` goes on: a quotation that is followed by who says it stays with it.
_SPEAKER = re.compile(f"[{_CJK}]{{1,6}}?(?:说|說|道|问|問|答|喊|叫|笑|骂|罵|叹|嘆|嚷|想|曰|云|言)(?![{_CJK}]*[：:])")
_BREAK = re.compile(r"\n+\s*")
_SPACE = re.compile(r"\s+")


def sentences(text: str, language: str | None = None) -> list[Span]:
    """Return the spans of the sentences of `text`, in order, without the white space around them.

    The spans do not overlap, and all that stands between them is white space. `language` is a BCP 47 tag; without
    one, a text that is mostly Chinese characters is read as Chinese and any other as English.

    Source: sentencex (Wikimedia), segmentation by language; for Chinese GB/T 15834-2011, sections 4.1 to 4.4.
    """
    if not text or text.isspace():
        return []
    rough = _of_chinese(text) if _reads_as_chinese(text, language) else _of_spaced(text, language)
    return [piece for span in rough for piece in _divided(text, _stripped(text, *span))]


def _reads_as_chinese(text: str, language: str | None) -> bool:
    sample = text[:2_000]
    share = len(_IS_CJK.findall(sample)) / len(sample)
    chinese = language is not None and language.split("-")[0].lower() in ("zh", "yue", "wuu", "ja")
    return share > (0.05 if chinese else 0.3)


def _of_spaced(text: str, language: str | None) -> list[Span]:
    import sentencex

    code = (language or "en").split("-")[0].lower()
    # A space that takes more than one byte (no-break, ideographic …) makes sentencex 1.0.32 panic after an initial;
    # one character stands for one, so the lengths of the pieces still address `text`.
    plain = _SPACE.sub(lambda m: "".join(c if c in "\n\r\t" else " " for c in m.group()), text)
    lengths = [len(part) for part in sentencex.segment(code, plain)]
    edges = [0]
    for length in lengths:
        edges.append(edges[-1] + length)
    if edges[-1] != len(text):
        edges.append(len(text))
    return list(pairwise(edges))


def _of_chinese(text: str) -> list[Span]:
    spans: list[Span] = []
    start = 0
    for end in sorted({*_ends(text), len(text)}):
        if end > start:
            spans.append((start, end))
            start = end
    return spans


def _ends(text: str) -> list[int]:
    ends = [m.start() for m in _BREAK.finditer(text)]
    for match in _CJK_END.finditer(text):
        end = match.end()
        quoted = match.group()[-1] in "”’」』\"'"
        if end < len(text) and (_CONTINUES.match(text, end) or (quoted and _SPEAKER.match(text, end))):
            continue
        ends.append(end)
    return ends


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _divided(text: str, span: Span) -> list[Span]:
    """Return nothing for an empty span, `span` itself, or its pieces when it is too long to be a sentence."""
    start, end = span
    pieces: list[Span] = []
    while end - start > LONGEST:
        cut = _cut(text, start, start + LONGEST)
        pieces.append(_stripped(text, start, cut))
        start = _stripped(text, cut, end)[0]
    if end > start:
        pieces.append((start, end))
    return pieces


def _cut(text: str, start: int, limit: int) -> int:
    """Return where to divide: at the last line break, clause mark or space before `limit`, else at `limit`."""
    half = (start + limit) // 2
    for marks in ("\n", "。；;，,", " \t\u3000"):
        at = max(text.rfind(mark, half, limit) for mark in marks)
        if at >= half:
            return at + 1
    return limit


@lru_cache(maxsize=256)
def is_english(language: str | None) -> bool:
    """Return whether a BCP 47 tag names English."""
    return language is not None and language.split("-")[0].split("_")[0].lower() in ("en", "eng")
