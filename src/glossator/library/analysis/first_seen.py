"""Where the names and rare terms of a text are first met, to tell what an answer may not say yet.

This is the one place that reads past a bound. It shows nothing of what it reads: asked about words that someone else
wrote, it says which of them the reader has not met.

Latin script: words that the text writes with a capital, and names of several words; besides, words in small letters
that recur later, were never met before, and are no common ones. Chinese: runs of characters that stand later and not
before and are made like a name (`han_names`) or keep together there. Matching folds case, width and variants, and sees
through letters that are spaced out.

Known limit: a name in another script or language than the text's own (a translation, a transcription) is not known;
`agent.wall` withholds such sentences, because they have no receipt either.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from glossator.document.fold import fold_for_index
from glossator.document.model import BREAK
from glossator.document.quotation import find_quotation, near_misses
from glossator.document.scripts import HAN
from glossator.index.tokens import STOP, stem
from glossator.library.analysis import han_names, latin_names
from glossator.library.analysis.common import is_common, is_common_pair
from glossator.library.analysis.names import Piece, is_han
from glossator.library.reader import Reader
from glossator.store import documents as stored

Span = tuple[int, int]
Hashes = npt.NDArray[np.int64]

_RECURS = 4  # times that a word in small letters is met later, from which it is a term of what comes later
_HAN_RUN = re.compile(f"[{HAN}]+")
_SPACED = re.compile(r"(?<!\w)(?:\w[\s.\-_*·]{1,2}){3,}\w(?!\w)")
_SPACED_HAN = re.compile(rf"(?<![{HAN}])(?:[{HAN}][\s.\-_*·]{{1,2}})+[{HAN}](?![{HAN}])")
_CONTRACTED = re.compile("'(?:re|ll|ve|d|m|t)$")
_ALIKE = 0.7  # of a quotation, from which words of the hidden part count as it
_LONGEST = han_names.LONGEST + 1


@dataclass(frozen=True, slots=True)
class FirstSeen:
    """Where things of one text are first met. `text` is folded character by character, so positions hold."""

    text: str
    han: bool
    words: Mapping[str, int]
    phrases: Mapping[str, int]
    small: Mapping[str, int]  # stems of words in small letters: where first met
    met: Mapping[str, int]  # stems of words in any letters
    recurring: Mapping[str, int]  # how often words in small letters are met

    def later(self, words: str, cap: int) -> list[Span]:
        """Return the spans of `words` that name what is first met at `cap` or later, in order and apart."""
        spans = list(self._of_han(words, cap)) if self.han else list(self._of_latin(words, cap))
        spans += [s for s in self._spaced(words, cap) if s not in spans]
        return _joined(spans)

    def speaks_later(self, words: str, cap: int) -> bool:
        """Return whether words hold one, however common, that the text first uses at `cap` or later."""
        if self.han:
            runs = _HAN_RUN.findall(_folded(words))
            pairs = (run[i : i + 2] for run in runs for i in range(len(run) - 1))
            return any(not is_common_pair(pair) and self.text.find(pair) >= cap for pair in pairs)
        roots = (stem(latin_names.fold_word(m[0])) for m in latin_names.WORD.finditer(words))
        return any(self.met.get(root, -1) >= cap for root in roots)

    def share(self, words: str) -> float:
        """Return which part of the words that say something stand anywhere in this text."""
        if self.han:
            runs = _HAN_RUN.findall(_folded(words))
            units = [run[i : i + 2] for run in runs for i in range(len(run) - 1)]
            there = [pair in self.text for pair in units]
        else:
            units = [w for m in latin_names.WORD.finditer(words) if (w := latin_names.fold_word(m[0])) not in STOP]
            there = [stem(w) in self.met for w in units]
        return sum(there) / len(there) if there else 0.0

    def names_something(self, words: str) -> bool:
        """Return whether words hold a name of this text, met or not."""
        if self.han:
            folded = _folded(words)
            return any(name in folded for name in self.words if len(name) > 1)
        tokens = (m[0] for m in latin_names.WORD.finditer(words))
        return any(w[0].isupper() and latin_names.fold_word(w) in self.words for w in tokens)

    def _of_latin(self, words: str, cap: int) -> Iterator[Span]:
        tokens = list(latin_names.WORD.finditer(words))
        for n, match in enumerate(tokens):
            word = latin_names.fold_word(match[0])
            if len(word) < 2 or _CONTRACTED.search(word):
                continue
            if match[0][0].isupper():
                pair = f"{word} {latin_names.fold_word(tokens[n + 1][0])}" if n + 1 < len(tokens) else ""
                if pair in self.phrases and self.phrases[pair] >= cap and tokens[n + 1][0][0].isupper():
                    yield match.start(), tokens[n + 1].end()
            if self._is_later(word, match[0], words[: match.start()], cap):
                yield match.span()

    def _is_later(self, word: str, written: str, before: str, cap: int) -> bool:
        first = self.words.get(word)
        root = stem(word)
        if first is None:  # no name: a term of the later part, perhaps
            return self.recurring.get(root, 0) >= _RECURS and self.met[root] >= cap and not is_common(word)
        if first < cap:
            return False
        met_small = self.small.get(root, cap) < cap
        if written[0].isupper():
            return not met_small or bool(before.strip())
        return not met_small and not is_common(word)

    def _of_han(self, words: str, cap: int) -> Iterator[Span]:
        for run in _HAN_RUN.finditer(_folded(words)):
            text = run[0]
            for i in range(len(text) - 1):
                for n in range(min(_LONGEST, len(text) - i), 1, -1):
                    gram = text[i : i + n]
                    if self._is_secret(gram, cap):
                        yield run.start() + i, run.start() + i + n
                        break

    def _is_secret(self, gram: str, cap: int) -> bool:
        if gram in self.words:
            return self.words[gram] >= cap
        first = self.text.find(gram)
        if first < cap or not han_names.could_name(gram):
            return False
        # A name that was met, with what its bearer does, is no name.
        return not any(-1 < self.words.get(gram[:n], -1) < cap for n in range(2, len(gram)))

    def _spaced(self, words: str, cap: int) -> Iterator[Span]:
        """Yield letters that are spaced out to hide a name from a search for it."""
        if self.han:
            for match in _SPACED_HAN.finditer(words):
                if any(self._of_han(re.sub(r"\W|_", "", match[0]), cap)):
                    yield match.span()
        for match in _SPACED.finditer(words):
            word = re.sub(r"\W|_", "", match[0]).casefold()
            known = self.words.get(word, -1)
            if known >= cap:
                yield match.span()


@lru_cache(maxsize=8)
def first_seen(text: str) -> FirstSeen:
    """Return the index of a text; those of the last few texts are kept."""
    pieces = _pieces(text)
    if is_han(pieces):
        folded = _folded(text)
        found = han_names.names(_pieces(folded))
        first = {form: folded.find(form) for name in found for form in (name.name, *name.forms)}
        return FirstSeen(folded, True, first, {}, {}, {}, {})
    small: dict[str, int] = {}
    met: dict[str, int] = {}
    recurring: Counter[str] = Counter()
    for match in latin_names.WORD.finditer(text):
        root = stem(latin_names.fold_word(match[0]))
        met.setdefault(root, match.start())
        if match[0][0].islower():
            small.setdefault(root, match.start())
            recurring[root] += 1
    words, phrases = latin_names.named_words(pieces), latin_names.named_phrases(pieces)
    return FirstSeen(text, False, words, phrases, small, met, recurring)


def _folded(text: str) -> str:
    """Return a text folded where one character stays one."""
    folds = {c: fold_for_index(c) for c in set(text)}
    return text.translate({ord(c): f for c, f in folds.items() if len(f) == 1 and f != c})


def _pieces(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for part in text.split(BREAK):
        pieces.append((at, part))
        at += len(part) + len(BREAK)
    return pieces


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


# --- documents under a bound


def of_document(reader: Reader, key: int) -> FirstSeen:
    """Return the index of a whole document, whatever the reader may show of it."""
    return first_seen(_whole(reader, key))


def stands_later(reader: Reader, key: int, quote: str) -> bool:
    """Return whether a quotation, or something very like it, stands in the part of a document that is not shown."""
    text = _whole(reader, key)
    hidden = text[reader.open(key).end :]
    if not quote.strip() or not hidden:
        return False
    if find_quotation(text, quote) is not None:  # it is not in the part shown, or nobody would ask
        return True
    return any(miss.score >= _ALIKE for miss in near_misses(hidden, quote, limit=1))


def later_runs(reader: Reader, key: int, runs: Callable[[str], Hashes]) -> Hashes:
    """Return the hashes of the runs of words that stand in the part of a document that is not shown, and not before."""
    text = _whole(reader, key)
    end = reader.open(key).end
    return np.setdiff1d(runs(text[end:]), runs(text[:end]))


def _whole(reader: Reader, key: int) -> str:
    with reader.database.read() as c:
        document = stored.get_document(c, key)
        return stored.text_slice(c, key, 0, document.characters)
