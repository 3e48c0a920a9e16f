"""Quotations with a slip of the pen, and nothing worse.

Forgiven: one edit (a letter changed, left out, added, or two neighbours swapped) in a Latin word of four letters or
more, one such word in eight; in Chinese one character in twenty. Never in a number or a negation. An edit that makes
another word is a change of words, not of spelling: the quotation's word must not occur in the text, nor be a common
English word that is easily made of another (`lookalikes.txt`), nor an inflection of the source's; and in what looks
like a name no letter is changed for another (Iran, Iraq). Known limits: German nouns look like names; a slip that
makes a real word is refused; in Chinese, characters of contrasting pairs (父母, 东西), and those that make
one frequent word of the text of another (唐僧, 沙僧), are told from slips, other words one character apart are not.

Candidates come from exact seeds: k edits leave at least one of k + 1 equal pieces of a quotation whole.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import islice, pairwise
from typing import Literal

from glossator.document.boundaries import HAN_NUMERALS
from glossator.document.fold import Folded, fold, is_han

WORDS_PER_EDIT = 8
HAN_PER_EDIT = 20
MIN_LETTERS = 4  # of a word that may lose or gain a letter
SHORTEST = 2  # letters of a word in which one may be changed
_MOST_EDITS = 12
_SEED_OCCURRENCES = 40
_LOOK_AHEAD = 6

_HAN_NEGATIONS = frozenset("不没未非无勿莫弗毋否别休")
_NEGATION_WORDS = (
    "no not none never nor neither nothing nobody nowhere cannot without hardly scarcely barely"
    " nicht kein keine nie niemals ohne non pas ne jamais sans ni sin nunca jamas nada"
)
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
_HAN_PARTICLES = frozenset("的了着地得之")
_TERM_OCCURRENCES = 5  # of a pair of characters, from which it is taken for a word of the text …
_TERM_EVERY = 25_000  # … and in long texts as often as once in so many characters
# Characters of one group say different things in the same place.
_CONTRASTS = (
    "我你他她它您咱吾汝尔彼此",
    "东西南北上下左右前后内外里中",
    "大小多少高低长短轻重老新旧早晚先后快慢远近深浅厚薄",
    "父母爷娘爹妈兄弟姐妹子女男夫妻公婆儿孙",
    "来去进出入往返起落升降开关",
    "买卖生死存亡胜败输赢得失成负",
    "好坏善恶真假是有美丑爱恨喜怒哀乐",
    "黑白红绿蓝黄青紫灰",
    "春夏秋冬年月日时天夜晨暮",
    "可能必须应会要想肯敢",
    "也都只才就又再还已曾将",
)
_LATIN_END = "\u024f"
_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ＇][^\W\d_]+)*")

Kind = Literal["changed", "missing", "added", "swapped"]


@dataclass(frozen=True, slots=True)
class Edit:
    """How the quotation differs at folded characters `source` and `quote`; `missing` and `added` are seen from it."""

    kind: Kind
    source: int
    quote: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """Folded characters of a source and of a quotation that belong together, in order, and the edits among them."""

    source: Sequence[int]
    quote: Sequence[int]
    edits: tuple[Edit, ...] = ()

    @classmethod
    def straight(cls, at: int, length: int) -> "Alignment":
        """Return the alignment of a quotation whose content stands at `at` letter for letter."""
        return cls(range(at, at + length), range(length))

    def matched(self, side: Literal[0, 1]) -> list[int]:
        """Return the aligned characters of the source (0) or the quotation (1) that no edit touched."""
        if not self.edits:
            return list(self.quote if side else self.source)
        touched = {i for e in self.edits for i in _touched(e, side)}
        return [i for i in (self.quote if side else self.source) if i not in touched]


def is_negation(word: str) -> bool:
    """Tell whether a word (or a Chinese character) negates: not, don't, never, 不."""
    if len(word) == 1 and word in _HAN_NEGATIONS:
        return True
    plain = word.casefold().replace("’", "'").strip(".,;:!?\"'“”‘()[]")
    return plain in _NEGATIONS or plain.endswith("n't")


def misspelt(text: str, source: Folded, wanted: str, quote: Folded) -> Iterator[Alignment]:
    """Yield the places where `wanted` stands in `text` with forgivable slips; gaps are not judged yet."""
    words, characters = _extent(wanted)
    budget = min(_MOST_EDITS, words // WORDS_PER_EDIT + characters // HAN_PER_EDIT)
    if not budget:
        return
    for alignment in _candidates(source.text, quote.text, budget):
        if _are_sparse(wanted, quote, alignment.edits) and all(
            _is_forgivable(text, source, wanted, quote, e) for e in alignment.edits
        ):
            yield alignment


def is_latin(c: str) -> bool:
    """Tell whether a character is a Latin letter or a mark on one."""
    return (c.isalpha() and (c <= _LATIN_END or "\u1e00" <= c <= "\u1eff")) or "\u0300" <= c <= "\u036f"


# --- candidates -----------------------------------------------------------------------------------------------------


def _candidates(source: str, quote: str, budget: int) -> Iterator[Alignment]:
    """Yield the places that differ from the quotation by 1 to `budget` edits, each once."""
    pieces = budget + 1
    bounds = [len(quote) * n // pieces for n in range(pieces + 1)]
    diagonals: set[int] = set()
    starts: set[int] = set()
    for a, b in pairwise(bounds):
        for at in islice(_occurrences(source, quote[a:b]), _SEED_OCCURRENCES):
            if at - a in diagonals:
                continue
            diagonals.add(at - a)
            found = _best_alignment(source, quote, at - a, budget)
            if found and found.source[0] not in starts:
                starts.add(found.source[0])
                yield found


def _occurrences(source: str, piece: str) -> Iterator[int]:
    at = source.find(piece)
    while at >= 0:
        yield at
        at = source.find(piece, at + 1)


def _best_alignment(source: str, quote: str, diagonal: int, budget: int) -> Alignment | None:
    """Letters left out or added before the seed shift the start, so the neighbouring starts are tried too."""
    shifts = [0, *(s for n in range(1, budget + 1) for s in (n, -n))]
    found = [a for s in shifts if diagonal + s >= 0 and (a := _align(source, quote, diagonal + s, budget))]
    return min(found, key=lambda a: len(a.edits), default=None)


def _align(source: str, quote: str, start: int, budget: int) -> Alignment | None:
    """Walk both texts from `start`, taking the edit after which they agree again."""
    i, k = start, 0
    here: list[int] = []
    there: list[int] = []
    edits: list[Edit] = []
    while k < len(quote):
        if i < len(source) and source[i] == quote[k]:
            here.append(i)
            there.append(k)
            i, k = i + 1, k + 1
            continue
        edit = _edit_at(source, quote, i, k)
        if edit is None or len(edits) == budget:
            return None
        edits.append(edit)
        steps = {"changed": (1, 1), "swapped": (2, 2), "missing": (1, 0), "added": (0, 1)}[edit.kind]
        if steps[0] == steps[1]:
            here.extend(range(i, i + steps[0]))
            there.extend(range(k, k + steps[1]))
        i, k = i + steps[0], k + steps[1]
    return Alignment(here, there, tuple(edits)) if edits and here else None


def _edit_at(source: str, quote: str, i: int, k: int) -> Edit | None:
    def agree(di: int, dk: int) -> bool:
        ahead = quote[k + dk : k + dk + _LOOK_AHEAD]
        return source.startswith(ahead, i + di)

    if source[i : i + 2] == quote[k : k + 2][::-1] and len(quote) > k + 1 and agree(2, 2):
        return Edit("swapped", i, k)
    if i < len(source) and agree(1, 1):
        return Edit("changed", i, k)
    if i < len(source) and agree(1, 0):
        return Edit("missing", i, k)
    return Edit("added", i, k) if agree(0, 1) else None


# --- what is forgiven -----------------------------------------------------------------------------------------------


def _touched(edit: Edit, side: Literal[0, 1]) -> range:
    width = {"changed": (1, 1), "swapped": (2, 2), "missing": (1, 0), "added": (0, 1)}[edit.kind][side]
    at = edit.quote if side else edit.source
    return range(at, at + width)


def _is_forgivable(text: str, source: Folded, wanted: str, quote: Folded, edit: Edit) -> bool:
    here = [source.text[i] for i in _touched(edit, 0)]
    there = [quote.text[k] for k in _touched(edit, 1)]
    if any(is_han(c) for c in here + there):
        return _is_slip_of_character(here, there) and not _makes_a_term(source.text, quote.text, edit)
    if not all(is_latin(c) for c in here + there):
        return False
    word = _word_at(text, source.source_start(edit.source))
    written = _word_at(wanted, quote.source_start(min(edit.quote, len(quote.text) - 1)))
    if not word or not written:
        return False
    if (
        edit.kind == "changed"
        and _is_name(text, source.source_start(edit.source), word)
        and not _lost_its_capital(word, written)
    ):
        return False
    return _is_slip_of_letter(text, word, written, edit.kind)


def _is_slip_of_character(here: list[str], there: list[str]) -> bool:
    if len(here) > 1:  # two swapped characters are two wrong ones
        return False
    changed = set(here + there)
    if not all(is_han(c) for c in changed) or changed & (_HAN_NEGATIONS | HAN_NUMERALS):
        return False
    return not any(changed <= set(group) for group in _CONTRASTS)


def _makes_a_term(source: str, quote: str, edit: Edit) -> bool:
    """Tell whether a changed character makes one frequent pair of characters of another: 唐僧, 沙僧."""
    i, k = edit.source, edit.quote
    if edit.kind != "changed" or {source[i], quote[k]} & _HAN_PARTICLES:
        return False
    pairs = [(source[i - 1] + source[i], source[i - 1] + quote[k])] if i else []
    pairs += [(source[i : i + 2], quote[k] + source[i + 1])] if i + 1 < len(source) else []
    often = max(_TERM_OCCURRENCES, len(source) // _TERM_EVERY)
    return any(source.count(right) >= often and source.count(wrong) >= often for right, wrong in pairs)


def _is_slip_of_letter(text: str, word: str, written: str, kind: Kind) -> bool:
    """Tell whether what is written is no word, and so can only stand for the source's."""
    right, wrong = fold(word).text, fold(written).text
    if len(right) < SHORTEST or not one_edit_apart(right, wrong) or is_negation(written) > is_negation(word):
        return False
    if (len(right) < MIN_LETTERS or is_negation(word)) and (kind not in ("changed", "swapped") or word.isupper()):
        return False
    return not _is_inflection(right, wrong) and wrong not in _lookalikes() and not _occurs(text, written)


def _is_name(text: str, at: int, word: str) -> bool:
    """Tell whether a word is capitalised for another reason than that a sentence begins with it."""
    if not word[0].isupper() or word.isupper():
        return False
    before = text[: _word_start(text, at)][-8:].rstrip(" \t\"'“‘«(_*")
    return not (before == "" or before[-1] in ".!?:\n—–-") or not _occurs(text, word.lower(), exactly=True)


def _lost_its_capital(word: str, written: str) -> bool:
    """Tell whether the changed letter is a name's first, and small now: no other name is written so."""
    return written[0].islower() and written[1:] == word[1:]


def _is_inflection(right: str, wrong: str) -> bool:
    """Tell whether one word is the other with an ending: house, houses; love, loved; large, larger."""
    shorter, longer = sorted((right, wrong), key=len)
    return longer.startswith(shorter) and longer[len(shorter) :] in ("s", "d", "r", "n", "y", "e", "t")


def one_edit_apart(a: str, b: str) -> bool:
    """Tell whether one letter changed, left out or added, or two neighbours swapped, make `a` of `b`."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    shared = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest_a, rest_b = a[shared:], b[shared:]
    if len(a) == len(b):
        return rest_a[1:] == rest_b[1:] or (rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:])
    return rest_a[1:] == rest_b if len(a) > len(b) else rest_a == rest_b[1:]


def _occurs(text: str, word: str, *, exactly: bool = False) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text, re.NOFLAG if exactly else re.IGNORECASE) is not None


@lru_cache(maxsize=1)
def _lookalikes() -> frozenset[str]:
    lines = files("glossator.document").joinpath("lookalikes.txt").read_text("utf-8").splitlines()
    return frozenset(w for line in lines if not line.startswith("#") for w in line.split())


def _word_at(text: str, at: int) -> str:
    """The word that holds the character at `at`, apostrophes inside it included."""
    for m in _WORD.finditer(text, max(0, _word_start(text, at))):
        return m[0] if m.start() <= at < m.end() else ""
    return ""


def _word_start(text: str, at: int) -> int:
    while at and (text[at - 1].isalpha() or text[at - 1] in "'’ʼ＇" or unicodedata.combining(text[at - 1])):
        at -= 1
    return at


def _are_sparse(wanted: str, quote: Folded, edits: Sequence[Edit]) -> bool:
    """Tell whether the edits keep the distance that one in eight words, one in twenty characters, asks for."""
    places = [quote.source_start(min(e.quote, len(quote.text) - 1)) for e in edits]
    extents = (_extent(wanted[a:b]) for a, b in pairwise(places))
    return all(words >= WORDS_PER_EDIT or characters >= HAN_PER_EDIT for words, characters in extents)


def _extent(part: str) -> tuple[int, int]:
    """Count the words that have a Latin letter or digit, and the Chinese characters with their punctuation."""
    words = sum(any(is_latin(c) or c.isdigit() for c in w) for w in part.split())
    if not any(map(is_han, part)):
        return words, 0
    return words, sum(is_han(c) or not (c.isspace() or c.isalnum()) for c in part)
