"""The rule against circles: a call that repeats the last one, or nearly does, is not run; the model is told why.

A call is a repeat when the same tool was called with the same arguments, or with a query of nearly the same words, in
this round or the one before; and when the same call was made `OFTEN` times in the run already, however far apart. What
changed something in between opens everything again.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Set
from typing import Any

from glossator.document.fold import is_unspaced
from glossator.index.tokens import query_tokens

NEAR = 0.8  # of the words of both queries are in common
OFTEN = 3
HEAD = 240  # characters of the earlier result that are said again
QUERIES = ("query", "question", "claim", "text")

Key = tuple[str, str]


class Repeats:
    """The calls of one run."""

    def __init__(self) -> None:
        self._now: list[tuple[str, Mapping[str, Any], str]] = []
        self._before: list[tuple[str, Mapping[str, Any], str]] = []
        self._counts: Counter[Key] = Counter()

    def next_round(self) -> None:
        """Begin a round; a round without calls leaves the last one standing."""
        if self._now:
            self._before, self._now = self._now, []

    def note(self, name: str, args: Mapping[str, Any], text: str, *, changed: bool = False) -> None:
        """Remember a call that was run, and what it answered."""
        if changed:
            self._before, self._now = [], []
            self._counts.clear()
        self._now.append((name, args, text))
        self._counts[name, _dump(args)] += 1

    def refusal(self, name: str, args: Mapping[str, Any]) -> str | None:
        """Return why a call is not run, or None."""
        for earlier, had, text in (*self._now, *self._before):
            if earlier != name:
                continue
            if had == args:
                return f"you called {name} with these arguments just now. {_known(text)}"
            if _nearly(had, args):
                return f"you called {name} with nearly the same query just now. {_known(text)}"
        if self._counts[name, _dump(args)] >= OFTEN:
            return f"you called {name} with these arguments {OFTEN} times already. {_known('')}"
        return None


def _known(text: str) -> str:
    head = " ".join(text.split())[:HEAD]
    seen = f"Its result begins: {head}… " if head else ""
    return f"{seen}You have it already: use it, ask something different, or answer now"


def _nearly(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two calls differ in a query of nearly the same words and in nothing else."""
    name = next((q for q in QUERIES if isinstance(one.get(q), str) and isinstance(other.get(q), str)), None)
    if name is None or {**one, name: ""} != {**other, name: ""}:
        return False
    first, second = _words(one[name]), _words(other[name])
    if not first or not second:
        return False
    return len(first & second) / len(first | second) >= NEAR


def _words(text: str) -> Set[str]:
    """Return the terms of a query as a search asks for them, of scripts without spaces its characters.

    What a query excludes, and its phrases, stay as they are.
    """
    marked = set(re.findall(r"(?<!\S)-\w+|\"[^\"]+\"|“[^”]+”", text))
    terms = query_tokens(text)
    return marked | {c for t in terms if is_unspaced(t[0]) for c in t} | {t for t in terms if not is_unspaced(t[0])}


def _dump(args: Mapping[str, Any]) -> str:
    return json.dumps(args, sort_keys=True, ensure_ascii=False, default=str)
