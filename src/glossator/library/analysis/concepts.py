"""The concepts of a text: terms of one to three words that it uses often, and that are no common words.

A longer term counts for itself where it is met often enough on its own account; the words inside it then count less.

Source: C-value (Frantzi, Ananiadou, Mima 2000), with single words by their rarity.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log2

from glossator.index.tokens import STOP, stem
from glossator.library.analysis import han_names
from glossator.library.analysis.common import is_common
from glossator.library.analysis.names import Name, Piece, is_han

MOST = 60
_LEAST = 3
_LONGEST = 3  # words
UNKNOWN, UNKNOWN_OFTEN = 5, 250  # letters of a word of another language at least; one in so many words at most
NAMES = 0.6  # of the occurrences of a word that are capitalised, from which it is a name and no concept
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*(?![^\W_])|[.,;:!?()\[\]“”\"]|\n")
_WEAK = frozenset(
    (
        *("one", "two", "three", "first", "second", "third", "few", "many", "much", "most", "more", "less", "other"),
        *("another", "same", "different", "new", "old", "good", "great", "able", "example", "case", "way", "part"),
        *("number", "time", "following", "given", "used", "using", "use", "see", "may", "might", "must", "shall"),
        *("should", "would", "like", "even", "just", "also", "well", "however", "otherwise", "therefore", "thus"),
        *("every", "each", "both", "either", "neither", "several", "within", "without", "between", "among", "upon"),
        *("such", "via", "per", "etc", "make", "made", "makes", "set", "get", "take", "taken", "become", "becomes"),
    )
)


def concepts(pieces: Sequence[Piece], *, english: bool = True) -> list[Name]:
    """Return the concepts of a text, those that say most first.

    Of a language whose common words are not known here, words that are short or met all the time are left out.
    """
    if is_han(pieces):
        return han_names.terms(pieces)[:MOST]
    met, forms = _met(pieces)
    capitals = {term: sum(n for form, n in found.items() if form[0].isupper()) for term, found in forms.items()}
    total = sum(len(text) for _, text in pieces) / 6  # words, about
    inside: defaultdict[str, list[int]] = defaultdict(list)
    for term, places in met.items():
        parts = term.split(" ")
        for n in range(1, len(parts)):
            for i in range(len(parts) - n + 1):
                inside[" ".join(parts[i : i + n])].append(len(places))
    scored = []
    for term, places in met.items():
        words = term.split(" ")
        free = len(places) - (sum(inside[term]) / len(inside[term]) if inside[term] else 0)
        worth = log2(len(words) + 1) * free
        if len(words) == 1 and (is_common(words[0]) or capitals[term] > NAMES * len(places)):
            continue
        if not english and any(len(w) < UNKNOWN or len(met.get(w, ())) > total / UNKNOWN_OFTEN for w in words):
            continue
        if len(places) >= _LEAST and worth > 1:
            scored.append((worth, term))
    best = sorted(scored, key=lambda x: (-x[0], x[1]))[:MOST]
    return [Name(forms[t].most_common(1)[0][0].lower(), "concept", tuple(met[t])) for _, t in best]


def _met(pieces: Sequence[Piece]) -> tuple[dict[str, list[tuple[int, int]]], dict[str, Counter[str]]]:
    met: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for offset, text in pieces:
        run: list[re.Match[str]] = []
        for match in _TOKEN.finditer(text):
            word = match[0].casefold()
            if not match[0][0].isalpha() or word in STOP or word in _WEAK or len(word) < 3:
                run = []
                continue
            if run and text[run[-1].end() : match.start()].strip(" "):
                run = []
            run.append(match)
            for n in range(1, min(_LONGEST, len(run)) + 1):
                first = run[-n]
                key = " ".join(stem(m[0].casefold()) for m in run[-n:])
                met[key].append((offset + first.start(), offset + match.end()))
                forms[key][" ".join(text[first.start() : match.end()].split())] += 1
    return {k: v for k, v in met.items() if len(v) >= _LEAST}, forms
