"""From text to the terms of the lexical index, for passages and for queries.

Words are folded (`document.fold`) and stemmed lightly; runs of Chinese, Japanese and Korean characters, and of other
scripts without spaces, become overlapping bigrams. Two kinds of term carry the mark `ASIDE`: single characters of such
runs, and English stop words. They are indexed, so that 玉 finds 黛玉 and "to be or not to be" finds Hamlet, but count
nothing to a passage's length, and a query asks for them only where it says nothing else: a character that stands alone,
stop words among themselves.

Kept together: words with apostrophes (don't = dont; l'homme also as homme), numbers (1,000 = 1000; 3.14; 2.0.1), C++,
C#, F# and the like; .NET is found as such and as net.

Stemming knows English only and is applied to every word in Latin letters, on both sides alike. Segmentation of Chinese
into words, synonyms and other languages' inflections are beyond it; the vectors are there for those.
"""

import re
from functools import lru_cache

from glossator.document.fold import fold_for_index

TOKENIZER = 1  # raise it when the terms of any text change: segments made before are then rebuilt
ASIDE = "\x1f"  # begins a term that is findable, but counts nothing and is asked only when nothing else is

# fmt: off
STOP = frozenset((
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have", "having", "he", "her",
    "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "nor", "not", "of",
    "on", "or", "our", "ours", "she", "should", "so", "some", "such", "than", "that", "the", "their", "theirs",
    "them", "then", "there", "these", "they", "this", "those", "to", "us", "was", "we", "were", "what", "when",
    "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours",
))
# fmt: on

# Scripts that put no spaces between words: Thai, Lao, Burmese, Khmer, then Chinese, Japanese and Korean. For a pattern.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = f"[^\\W_{UNSPACED}]"
_MARK = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff"  # inside a word
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")  # soft hyphens, joiners
_RUN = re.compile(
    f"(?P<cjk>[{UNSPACED}]+)"
    f"|(?P<number>(?:\\d{{1,3}}(?:,\\d{{3}})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)+)(?!,?{_LETTER}))"
    f"|(?P<symbol>{_LETTER}{{1,3}}(?:\\+\\+|#)(?![^\\W\\d]|[#+]))"
    f"|(?<![\\w.])\\.(?P<dotted>[a-z]{_LETTER}{{1,11}})(?![\\w.])"
    f"|(?P<word>{_LETTER}+(?:'{_LETTER}+|[{_MARK}]+{_LETTER}*)*)"
)


def tokens(text: str) -> list[str]:
    """Return the terms of a passage, in order and with repetitions."""
    out: list[str] = []
    for kind, run in _runs(text):
        if kind == "word" and "'" not in run:  # nearly all are
            out.append(_word(run))
        elif kind == "cjk":
            out += _bigrams(run)
            out += [ASIDE + character for character in run]
        else:
            out += _terms(kind, run)
    return out


def query_tokens(text: str) -> list[str]:
    """Return the terms to ask for: those of `tokens`, without the ones aside that other terms make superfluous."""
    out: list[str] = []
    aside: list[str] = []
    for kind, run in _runs(text):
        if kind == "cjk":
            out += _bigrams(run) or [ASIDE + run]
        else:
            for term in _terms(kind, run):
                (aside if term.startswith(ASIDE) else out).append(term)
    return out or aside


def counted(terms: list[str]) -> int:
    """Return the length of a passage in terms, without those that stand aside."""
    return len(terms) - [term[0] for term in terms].count(ASIDE)


def _runs(text: str) -> list[tuple[str, str]]:
    """What `text` is made of: kind and folded characters of each run that gives terms."""
    folded = fold_for_index(text)
    if not folded.isascii():
        folded = _INVISIBLE.sub("", folded)
    return [(str(m.lastgroup), m[str(m.lastgroup)]) for m in _RUN.finditer(folded)]


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _terms(kind: str, run: str) -> list[str]:
    if kind == "number":
        return [run.replace(",", "")]
    if kind == "symbol":
        return [run]
    if kind == "dotted":
        return ["." + run, _word(run)]
    if "'" not in run:
        return [_word(run)]
    whole, tail = run.replace("'", ""), run.rpartition("'")[2]
    if len(tail) < 3:  # the s of a genitive, the t of don't
        return [_word(whole)]
    return [_word(whole), _word(tail)]


@lru_cache(maxsize=1 << 16)
def _word(word: str) -> str:
    return ASIDE + word if word in STOP else stem(word)


# Suffix, what takes its place, how many letters must stand before it. The first that fits is taken.
_SUFFIXES = (
    ("ational", "ate", 3),
    ("izations", "ise", 3),
    ("isations", "ise", 3),
    ("ization", "ise", 3),
    ("isation", "ise", 3),
    ("fulness", "ful", 3),
    ("iveness", "ive", 3),
    ("ousness", "ous", 3),
    ("ations", "ate", 3),
    ("ation", "ate", 3),
    ("ements", "", 4),
    ("ement", "", 4),
    ("ities", "ity", 3),
    ("ings", "", 3),
    ("ying", "y", 3),
    ("ing", "", 3),
    ("ied", "y", 2),
    ("ies", "y", 2),
    ("edly", "", 3),
    ("sses", "ss", 2),
    ("xes", "x", 1),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("zzes", "zz", 1),
    ("ss", "ss", 0),
    ("us", "us", 0),
    ("ed", "", 3),
    ("es", "e", 3),
    ("ly", "", 4),
    ("s", "", 2),
)
_DOUBLED = frozenset("bdgmnprt")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return an English word without its commonest endings; what is short or not in plain letters stays as it is.

    A short rule list in the manner of Harman's S stemmer (JASIS 42, 1991), extended to -ed, -ing, -ly and the commonest
    nouns made from verbs; far gentler than Porter's, so that few different words meet.
    """
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    for suffix, instead, least in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= least:
            word = _undoubled(word[: len(word) - len(suffix)], suffix) + instead
            break
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    return word[:-1] + "s" if word.endswith("iz") and len(word) > 5 else word  # organize = organise


def _undoubled(rest: str, suffix: str) -> str:
    doubled = suffix in ("ed", "ing", "ings") and len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] in _DOUBLED
    return rest[:-1] if doubled else rest
