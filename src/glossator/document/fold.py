"""Folding: what two spellings of the same words have in common. For matching and indexing, never for what is shown.

Two foldings are here. `fold_for_index` gives search terms and keeps no offsets. `fold` gives the *content* of a text
(letters, digits, marks, symbols, without white space and punctuation), each character with the place it came from;
`quotation` finds candidates in it and then judges what stands between the characters.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from glossator.errors import GlossatorError

CHARACTER_FOLDS = ("unicode", "ligatures", "width", "variants", "case")
"""Repairs that concern single characters, in the order in which a match tries to do without them."""

_CONTENT_MARKS = frozenset("%‰&@#/\\§％＆＠＃／＼﹪﹠﹫﹟")  # punctuation by Unicode category, but they say something
_PUNCTUATION = frozenset("−─━`´ʼʻ\u034f")  # symbols, letters and marks by category, used as dashes, quotes or nothing
_WAVE = "〜"  # a dash by category, a tilde in use
_FALSE_LIGATURES = {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}  # letters that Unicode does not decompose
# Superscripts, fractions and circled numbers are other numbers than their digits: 10² is not 102.
_KEPT_COMPATIBILITY = frozenset(("<super>", "<sub>", "<fraction>", "<circle>"))
_WIDTH_COMPATIBILITY = frozenset(("<wide>", "<narrow>", "<vertical>", "<small>"))
_VECTORISED_FROM = 2_000  # characters; below it the set-up costs more than it saves


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """The content of a text: `offsets[i]` is the source position of `text[i]`, `offsets[len(text)]` the source's end.

    Each folded character comes from one source character; several may come from the same (ligatures, NFD).
    """

    text: str
    offsets: npt.NDArray[np.int32]

    def source_start(self, i: int) -> int:
        """Return where the folded character `i` begins in the source."""
        return int(self.offsets[i])

    def source_end(self, i: int) -> int:
        """Return where the source character ends that gave the folded character `i - 1`."""
        return int(self.offsets[i - 1]) + 1 if i else 0


def fold(text: str, repairs: frozenset[str] = frozenset(CHARACTER_FOLDS)) -> Folded:
    """Return the content of `text`, its characters folded by those of `repairs` that concern single characters."""
    if len(text) < _VECTORISED_FROM:
        return _fold_short(text, repairs)
    return _fold_long(text, repairs)


def fold_for_index(text: str) -> str:
    """Return `text` in NFKC, case-folded, in simplified characters, with one apostrophe; offsets are not kept.

    Accents stay: languages differ in whether they tell words apart.
    """
    if text.isascii():
        return text.casefold()
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_index_table())
    return unicodedata.normalize("NFC", folded)


def simplify(text: str) -> str:
    """Return `text` with traditional Chinese characters replaced by simplified ones, character for character."""
    return text if text.isascii() else text.translate(_simplified())


def is_content(c: str) -> bool:
    """Tell whether a character says something: a letter, mark, number or symbol, not white space or punctuation."""
    if c in _CONTENT_MARKS or c == _WAVE:
        return True
    if c in _PUNCTUATION or "\ufe00" <= c <= "\ufe0f" or "\U000e0100" <= c <= "\U000e01ef":  # variation selectors
        return False
    category = unicodedata.category(c)
    return category[0] in "LMNS" or category in ("Co", "Cs")


def is_unspaced(c: str) -> bool:
    """Tell whether a character is of a script that puts no spaces between words (Han, kana, Thai, Lao, Khmer, …)."""
    if c < "\u0e00":
        return False
    return (
        "\u2e80" <= c <= "\u312f"
        or "\u31a0" <= c <= "\ua4cf"
        or "\uf900" <= c <= "\ufaff"
        or "\uff66" <= c <= "\uff9f"
        or "\U0001b000" <= c <= "\U0001b16f"
        or "\U00020000" <= c <= "\U0003ffff"
        or "\u0e00" <= c <= "\u0eff"
        or "\u1000" <= c <= "\u109f"
        or "\u1780" <= c <= "\u17ff"
    )


def is_han(c: str) -> bool:
    """Tell whether a character is a Chinese one."""
    return "\u4e00" <= c <= "\u9fff" or "\u3400" <= c <= "\u4dbf" or "\U00020000" <= c <= "\U0003ffff" or c in "〇々"


# --- one character --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _folder(repairs: frozenset[str]) -> Callable[[str], str]:
    """Return the function from a character to its folded content, "" when it has none; it remembers what it saw."""
    seen: dict[str, str] = {}

    def folded(c: str) -> str:
        known = seen.get(c)
        if known is None:
            known = seen[c] = _fold_character(c, repairs)
        return known

    return folded


def _fold_character(c: str, repairs: frozenset[str]) -> str:
    if not is_content(c):
        return ""
    if c == _WAVE:
        c = "~" if "width" in repairs else c
    out = _decompose(c, repairs)
    if "case" in repairs and not "\ufb00" <= out <= "\ufb17":  # case folding would undo a ligature that is to stay
        out = out.casefold()
    if "variants" in repairs:
        out = simplify(out)
    if "unicode" in repairs:
        out = unicodedata.normalize("NFD", out)
    return "".join(x for x in out if is_content(x))


def _decompose(c: str, repairs: frozenset[str]) -> str:
    """Undo ligatures, width and compatibility forms as far as `repairs` allow."""
    if c in _FALSE_LIGATURES:
        return _FALSE_LIGATURES[c] if "ligatures" in repairs else c
    tag, _, rest = unicodedata.decomposition(c).partition(" ")
    if not tag:
        return c
    if not tag.startswith("<"):
        return unicodedata.normalize("NFD", c) if "unicode" in repairs else c
    if tag in _KEPT_COMPATIBILITY:
        return c
    plain = "".join(chr(int(x, 16)) for x in rest.split())
    if tag in _WIDTH_COMPATIBILITY:
        kind = "width"
    elif tag == "<compat>" and len(plain) > 1 and plain.isalpha():
        kind = "ligatures"
    else:
        kind = "unicode"
    return "".join(_decompose(x, repairs) for x in plain) if kind in repairs else c


# --- a text ---------------------------------------------------------------------------------------------------------


def _fold_short(text: str, repairs: frozenset[str]) -> Folded:
    folded = _folder(repairs)
    parts = [folded(c) for c in text]
    offsets = [i for i, part in enumerate(parts) for _ in part]
    offsets.append(len(text))
    content = "".join(parts)
    if "unicode" in repairs:
        content = _in_canonical_order(content)
    return Folded(content, np.array(offsets, dtype=np.int32))


def _fold_long(text: str, repairs: frozenset[str]) -> Folded:
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    index = np.zeros(0x110000, dtype=np.uint32)
    index[points] = 1
    distinct = np.flatnonzero(index)
    index[distinct] = np.arange(len(distinct), dtype=np.uint32)
    folded = _folder(repairs)
    parts = [folded(chr(p)) for p in distinct.tolist()]
    lengths = np.array([len(p) for p in parts], dtype=np.uint8)
    table = np.zeros((len(parts), max(1, int(lengths.max(initial=0)))), dtype=np.uint32)
    for row, part in enumerate(parts):
        table[row, : len(part)] = [ord(c) for c in part]
    rows = index[points]
    counts = lengths[rows]
    offsets = np.repeat(np.arange(len(points), dtype=np.int32), counts)
    firsts = np.cumsum(counts, dtype=np.int32) - counts
    content_points = table[rows[offsets], np.arange(len(offsets), dtype=np.int32) - firsts[offsets]]
    content = content_points.tobytes().decode("utf-32-le", "surrogatepass")
    if "unicode" in repairs:
        content = _in_canonical_order(content)
    return Folded(content, np.append(offsets, np.int32(len(text))))


def _in_canonical_order(content: str) -> str:
    """Sort runs of combining marks by class, as NFD does; the length stays."""
    if content.isascii() or unicodedata.is_normalized("NFD", content):
        return content
    ordered = unicodedata.normalize("NFD", content)
    return ordered if len(ordered) == len(content) else content


# --- the table of traditional characters ----------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _simplified() -> dict[int, str]:
    """The table of OpenCC, read as data from the installed package."""
    package = "opencc-python-reimplemented"
    from importlib.metadata import PackageNotFoundError, distribution  # 30 ms that few starts need

    try:
        path = distribution(package).locate_file("opencc/dictionary/TSCharacters.txt")
        with open(str(path), encoding="utf-8") as lines:
            pairs = [line.split() for line in lines]
    except (PackageNotFoundError, OSError) as e:
        raise GlossatorError(
            f"the table of traditional Chinese characters of {package} cannot be read: {e}",
            hint=f"install it again: pip install --force-reinstall {package}",
        ) from e
    return {ord(p[0]): p[1] for p in pairs if len(p) >= 2 and len(p[0]) == len(p[1]) == 1}


@lru_cache(maxsize=1)
def _index_table() -> dict[int, str]:
    return _simplified() | {ord(c): "'" for c in "’‘ʼ´`′＇"}
