"""An answer leaves sentence by sentence, each after it was checked: what is held back was never shown.

A sentence is whole when the next one has begun, its quotation marks are closed, and the numbers of passages after it
have been written. Paragraph breaks end one, too.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from glossator.document.sentence import sentences
from glossator.library.findings import Citation

LONGEST = 2_000  # characters that a quotation mark left open may hold back
_MAY_END = re.compile(r"[.!?。！？…\n]")
_MARKERS = re.compile(r"(?:\s*[\[【(（]\s*\d+(?:\s*[,，、]\s*\d+)*\s*[\]】)）])+[.。]?")
_UNDONE = re.compile(r"\s*[\[【(（][\d\s,，、]*")
_PAIRS = (("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"))
_TAGS = (("<q>", "</q>"), ("<blockquote>", "</blockquote>"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A sentence as it may be shown (empty: not at all), with what was found of its quotations."""

    text: str
    citations: tuple[Citation, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    held: bool = False  # something of it was withheld or masked


Check = Callable[[str], Checked]


def unchecked(sentence: str) -> Checked:
    """Return a sentence as it is."""
    return Checked(text=sentence)


class Release:
    """Takes an answer as it is written, gives it out as it may be shown."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._held = ""
        self.written = ""  # all that was taken in

    def feed(self, text: str) -> Iterator[Checked]:
        """Take some text; give the sentences that are whole now."""
        self._held += text
        self.written += text
        if not _MAY_END.search(self._held):
            return
        end = self._whole()
        if end:
            ready, self._held = self._held[:end], self._held[end:]
            yield from self._checked(ready)

    def finish(self) -> Iterator[Checked]:
        """Give what is left; the answer is at its end, and white space after it is none of it."""
        ready, self._held = self._held.rstrip(), ""
        if ready:
            yield from self._checked(ready)

    def _whole(self) -> int:
        """Return up to where what is held consists of whole sentences."""
        spans = sentences(self._held)
        for start, _ in reversed(spans[1:]):
            begins = start
            if _UNDONE.fullmatch(self._held, start):
                continue  # a number may be on its way
            if marker := _MARKERS.match(self._held, start):
                if marker.end() >= len(self._held.rstrip()):
                    continue  # more numbers may follow
                begins = marker.end()
            if _balanced(self._held[:begins]) or begins > LONGEST:
                return begins
        stripped = self._held.rstrip()
        broken = "\n" in self._held[len(stripped) :] and bool(stripped) and _balanced(stripped)
        return len(self._held) if broken else 0

    def _checked(self, text: str) -> Iterator[Checked]:
        for sentence in split(text):
            yield self._check(sentence)


def split(text: str) -> list[str]:
    """Return a text cut into sentences, each with the white space and the passage numbers after it; nothing is lost."""
    cuts = [0]
    for start, _ in sentences(text)[1:]:
        marker = _MARKERS.match(text, start)
        begins = marker.end() if marker else start
        if begins < len(text) and begins > cuts[-1] and _balanced(text[cuts[-1] : begins]):
            cuts.append(begins)
    return [text[a:b] for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True) if a < b]


def _balanced(text: str) -> bool:
    """Return whether every quotation mark of a text is closed."""
    if text.count('"') % 2 or text.count("&quot;") % 2:
        return False
    return all(text.count(opens) <= text.count(closes) for opens, closes in (*_PAIRS, *_TAGS))
