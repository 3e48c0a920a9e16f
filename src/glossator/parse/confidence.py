"""How far a parsed text can be trusted: shares of what no reader meant to write, turned into one number with reasons.

Only what is visible in the text and countable is judged; whether words make sense is not. Each fault takes its share of
the confidence away, so half a page of unmapped glyphs leaves about nothing and a stray control character costs nothing.
"""

import re
from collections.abc import Sequence

QUARANTINE_BELOW = 0.5  # a document, or a page, below this is listed but not searched

# A share of bad characters hurts more than its size: at 10 % every second word is broken.
_WEIGHT = 5.0
_NEGLIGIBLE = 0.001

_UNMAPPED = re.compile("�")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_SPACE = re.compile(r"\s+")


def assess(text: str, *, undecodable: int = 0, pages: Sequence[int] = ()) -> tuple[float, tuple[str, ...]]:
    """Return (confidence, reasons): 1.0 and no reasons for a text without fault, 0.0 for one that is not there.

    Args:
        text: the text of a document, or of one page.
        undecodable: bytes that fitted no character and do not stand in `text` as U+FFFD already.
        pages: characters on each page of a paged document; a page with none is one whose text is missing.
    """
    visible = len(_SPACE.sub("", text))
    if not visible:
        return 0.0, ("there is no text",)
    kept = 1.0
    reasons: list[str] = []
    for count, what in (
        (len(_UNMAPPED.findall(text)) + undecodable, "characters could not be decoded"),
        (len(_PRIVATE.findall(text)), "characters are private glyphs without a meaning"),
        (len(_CONTROL.findall(text)), "characters are control codes"),
    ):
        share = min(1.0, count / visible)
        if share > _NEGLIGIBLE:
            kept *= max(0.0, 1.0 - _WEIGHT * share)
            reasons.append(f"{share:.1%} of the {what}")
    empty = sum(1 for characters in pages if characters == 0)
    if empty:
        kept *= 1.0 - empty / len(pages)
        reasons.append(f"{empty} of {len(pages)} pages have no text")
    return round(kept, 3), tuple(reasons)
