"""What a query asks for. Any text is a legal query; nothing in it is ever a syntax error.

    "to the letter"   the phrase must stand in the passage (any pair of quotation marks; Chinese 「」『』 too)
    -word -"a phrase" the passage must not hold it
    all else          searched by words and by meaning

An unterminated quotation mark, `--error`, `NEAR(x)`, `C++` and `don't` are plain text. So is a query of exclusions
only: there is nothing to exclude from.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from glossator.document.fold import fold_for_index
from glossator.index.tokens import UNSPACED

_PAIRS = (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"), ("＂", "＂"))
_QUOTED = re.compile(
    "(?:(?<!\\S)(?P<minus>-))?(?:"
    + "|".join(f"{re.escape(a)}([^{re.escape(a + b)}\n]+){re.escape(b)}" for a, b in _PAIRS)
    + ")"
)
_EXCLUDED = re.compile(r"(?<!\S)-(?P<word>[^\W\d_][^\s\"“”„«»「」『』]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query taken apart. `text` is what is searched: the words of the phrases are in it, the exclusions are not."""

    text: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether nothing was asked for."""
        return not self.text.strip()

    @property
    def filters(self) -> bool:
        """Return whether a passage must be read before it can be said to fit."""
        return bool(self.phrases or self.excluded)

    def accepts(self, passage: str) -> bool:
        """Return whether a passage holds every phrase and nothing that is excluded.

        Words are compared folded (case, width, traditional and simplified, punctuation aside) and whole; a run of
        Chinese characters is found anywhere.
        """
        if not self.filters:
            return True
        words = _words(passage)
        return all(_words(p) in words for p in self.phrases) and not any(_words(x) in words for x in self.excluded)


def parse_query(text: str) -> Query:
    """Return what `text` asks for."""
    phrases: list[str] = []
    excluded: list[str] = []

    def take(match: re.Match[str]) -> str:
        phrase = next(group for group in match.groups()[1:] if group is not None)
        if not _words(phrase).strip():
            return match.group()
        (excluded if match["minus"] else phrases).append(phrase.strip())
        return " " if match["minus"] else f" {phrase.strip()} "

    def leave_out(match: re.Match[str]) -> str:
        if not _words(match["word"]).strip():
            return match.group()
        excluded.append(match["word"])
        return " "

    rest = _EXCLUDED.sub(leave_out, _QUOTED.sub(take, text))
    plain = " ".join(rest.split())
    if not (phrases or excluded) or not _words(plain).strip():
        return Query(text=" ".join(text.split()))
    return Query(text=plain, phrases=tuple(phrases), excluded=tuple(excluded))


def _words(text: str) -> str:
    """Return the folded words of `text` between single spaces, each Chinese character a word."""
    return f" {' '.join(_word().findall(fold_for_index(text)))} "


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    """Return what a word is. Most queries hold no phrase and exclude nothing, and compiling it takes a while."""
    return re.compile(f"[{UNSPACED}]|[^\\W_{UNSPACED}]+(?:'[^\\W_{UNSPACED}]+)*(?:\\+\\+|#)?")
