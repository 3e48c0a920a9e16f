"""Which sentences of a text stand for it.

A sentence counts for what its words count in its part (frequent there, rare elsewhere in the document), for names it
brings together or brings in, and for its place; against it counts whatever makes it hard to read alone: that it is very
short or long, is speech, begins with a word that points back, or asks. Chosen sentences differ from one another.

Source: SumBasic (Nenkova, Vanderwende 2005) for the weight of words, maximal marginal relevance for the choice.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, sqrt

from glossator.document.scripts import HAN
from glossator.index.tokens import ASIDE, tokens
from glossator.library.analysis.prose import Part, Sentence

_HAN = re.compile(f"[{HAN}]")
_QUOTED = re.compile('[“"「『].*?[”"」』]|‘.*?’(?!\\w)', re.DOTALL)
_POINTS_BACK = re.compile(
    r"^(?:and|but|or|so|yet|then|thus|hence|nor|this|these|those|that|it|its|he|she|they|his|her|their|there|here|such|"
    r"however|moreover|furthermore|also|again|still|therefore|otherwise|instead|nevertheless|for|which|who|now|well|"
    r"oh|ah|yes|no|indeed|perhaps|what|why|how|as such)\b|^(?:但是|但|而且|而|所以|因此|于是|然后|这|那|他|她|它|其|此|"
    r"又|却|也|可是|不过|因为|如此|正是|诗曰|有诗|怎|何|咦|好)",
    re.IGNORECASE,
)
_FURNITURE = re.compile(
    r"https?://|www\.|\[\d+\]|©|isbn|\bsee (?:section|chapter|figure|table)\b|参见|见图", re.IGNORECASE
)
_CUE = re.compile(
    r"\b(?:we (?:propose|present|show|find|describe|introduce|argue|conclude)|in this (?:paper|chapter|section|manual|"
    r"document|article)|this (?:paper|chapter|section|manual|document|article)|must|should|is defined as|means that|"
    r"the purpose of|in summary|in conclusion|is called|refers to)\b|本文|本章|本节|必须|应当|是指|称为|总之|综上",
    re.IGNORECASE,
)
_ALIKE = 0.5  # share of common terms from which two sentences say the same
SHORT, LONG, SHORT_HAN, LONG_HAN = 45, 260, 14, 90


def terms_of(text: str) -> list[str]:
    """Return the terms of a text that say something."""
    return [t for t in tokens(text) if not t.startswith(ASIDE)]


def length(text: str) -> float:
    """Return how long a text is to read, in Latin characters; a Chinese one counts nearly three."""
    return len(text) + (LONG / LONG_HAN - 1) * len(_HAN.findall(text))


class Weights:
    """What the words of a document count, part by part."""

    def __init__(self, parts: Sequence[Part]) -> None:
        """Count the terms of all parts."""
        self._by_part = [Counter(t for s in part.sentences for t in terms_of(s.text)) for part in parts]
        self._in = Counter(t for counts in self._by_part for t in counts)
        self._parts = len(parts)

    def of(self, number: int) -> Mapping[str, float]:
        """Return the weight of each term of a part."""
        rarity = self._parts + 1
        return {
            term: log(1 + n) * (0.35 + log(rarity / (self._in[term])) if self._parts > 1 else 1.0)
            for term, n in self._by_part[number].items()
            if n > 1 or self._parts == 1
        }


def ranked(
    part: Part, weights: Mapping[str, float], places: Mapping[int, float] | None = None
) -> list[tuple[float, Sentence]]:
    """Return the sentences of a part with their scores, best first.

    `places` gives positions that make the sentence they stand in worth more: where names are met.
    """
    scored = []
    total = len(part.sentences)
    for n, sentence in enumerate(part.sentences):
        score = _content(sentence.text, weights) * _readable(sentence.text)
        if not score:
            continue
        named = sum(worth for at, worth in (places or {}).items() if sentence.start <= at < sentence.end)
        place = 1.15 if sentence.first else 1.0
        place *= 1.25 if n == 0 or (n < 3 and not places) else 1.0
        place *= 1.1 if total > 6 and n >= total - 2 else 1.0
        place *= 1.3 if _CUE.search(sentence.text) else 1.0
        scored.append((score * place * (1 + min(0.9, named)), sentence))
    return sorted(scored, key=lambda x: (-x[0], x[1].start))


def choose(scored: Sequence[tuple[float, Sentence]], count: int, apart: int = 0) -> list[Sentence]:
    """Return the best `count` sentences that differ, in reading order; `apart` characters keep two from one spot."""
    chosen: list[tuple[Sentence, set[str]]] = []
    for _, sentence in scored:
        if len(chosen) == count:
            break
        own = set(terms_of(sentence.text))
        near = any(abs(sentence.start - s.start) < apart for s, _ in chosen)
        if not near and not any(len(own & t) > _ALIKE * min(len(own), len(t)) for _, t in chosen):
            chosen.append((sentence, own))
    if len(chosen) < count and apart:
        return choose(scored, count)
    return sorted((s for s, _ in chosen), key=lambda s: s.start)


def _content(text: str, weights: Mapping[str, float]) -> float:
    found = terms_of(text)
    return sum(weights.get(t, 0.0) for t in set(found)) / sqrt(len(found) + 6) if found else 0.0


def _readable(text: str) -> float:
    """Return how well a sentence stands alone: 0 to 1."""
    size = length(text)
    if size < SHORT / 2 or _FURNITURE.search(text) or not any(c.isalpha() for c in text):
        return 0.0
    factor: float = min(1.0, (size / SHORT) ** 2) * min(1.0, (LONG / size) ** 1.5)
    opens = text[:1] in "‘'" and text.count("’") < 2
    spoken = (
        len(text)
        if opens
        else sum(len(m[0]) for m in _QUOTED.finditer(text)) + (text.count("“") > text.count("”")) * len(text) / 2
    )
    factor *= 1 - 0.85 * min(1.0, spoken / len(text))
    if _POINTS_BACK.search(text.lstrip("“\"'‘「—- ")):
        factor *= 0.5
    if text.rstrip("”\"'’」』 )")[-1:] not in (".", "!", "。", "！", "…", "；"):
        factor *= 0.3 if size > 2 * SHORT else 0.0
    if text[:1].islower():
        factor *= 0.3
    digits = sum(c.isdigit() for c in text)
    return 0.4 * factor if digits * 5 > len(text) else factor
