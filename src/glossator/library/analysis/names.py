"""The names in a text, by counting: no list of names and no model says what one is.

`names` finds them; `latin_names` knows capitals, `han_names` Chinese. Positions are those of the document.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from glossator.document.scripts import HAN

Kind = Literal["person", "place", "name", "concept"]
Piece = tuple[int, str]  # a stretch of prose, and where it begins
_HAN = re.compile(f"[{HAN}]")
_SAMPLE = 20_000  # characters that tell what a text is written in


@dataclass(frozen=True, slots=True)
class Name:
    """A name with every place it stands at: `[start, end)` of the document, in order. `forms` are its spellings."""

    name: str
    kind: Kind
    places: tuple[tuple[int, int], ...]
    forms: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Return how often it is named."""
        return len(self.places)


def names(pieces: Sequence[Piece]) -> list[Name]:
    """Return the names of a text, the most frequent first."""
    from glossator.library.analysis import han_names, latin_names

    found = han_names.names(pieces) if is_han(pieces) else latin_names.names(pieces)
    return sorted(found, key=lambda n: (-n.count, n.places[0]))


def is_han(pieces: Sequence[Piece]) -> bool:
    """Return whether a text is written in Chinese characters."""
    sample = ""
    for _, text in pieces:
        sample += text
        if len(sample) > _SAMPLE:
            break
    letters = sum(c.isalpha() for c in sample)
    return letters > 0 and len(_HAN.findall(sample)) * 2 > letters
