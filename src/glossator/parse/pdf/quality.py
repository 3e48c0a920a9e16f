"""How well a page was read: what lowers its confidence, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from glossator.document.model import PageStatus
from glossator.parse.confidence import QUARANTINE_BELOW, assess
from glossator.parse.pdf.characters import UNMAPPED, PageText

NOTABLE = 0.05  # share of characters outside the page that is worth a word


@dataclass(frozen=True, slots=True)
class Quality:
    """Confidence of a page from 0 to 1, what lowered it, and whether it can be used."""

    confidence: float
    reasons: tuple[str, ...] = ()
    status: PageStatus = "ok"


BLANK = Quality(1.0, ("the page is blank",), "empty")
SCAN = Quality(0.0, ("no text layer: a scan?",), "empty")
HEADS_ONLY = Quality(1.0, ("no text but running heads, page numbers and stamps",), "empty")


def unreadable(cause: str) -> Quality:
    """Return the quality of a page that could not be opened."""
    return Quality(0.0, (f"the page cannot be read: {cause}",), "quarantined")


def without_text(quality: Quality) -> Quality:
    """Return the quality of a page on which the layout found nothing but running text."""
    return HEADS_ONLY if quality.status == "ok" else quality


def page_quality(text: PageText, off_page: int, *, drawn: bool) -> Quality:
    """Return how well a page was read.

    Args:
        text: its characters.
        off_page: how many of them stand outside the page.
        drawn: whether anything at all is drawn on it.
    """
    visible = "".join([c.text for c in text.characters if c.text > " "])
    if not visible:
        return SCAN if drawn else BLANK
    confidence, found = assess(visible, undecodable=max(0, text.unmapped - visible.count(UNMAPPED)))
    reasons = list(found)
    share = off_page / len(visible)
    if share > NOTABLE:
        confidence *= 1 - share
        reasons.append(f"{share:.0%} of the characters stand outside the page and are left out of the text")
    status: PageStatus = "ok" if confidence >= QUARANTINE_BELOW else "quarantined"
    if status == "quarantined":
        reasons.append("the page is left out of the text")
    return Quality(round(confidence, 3), tuple(reasons), status)


def document_quality(pages: Sequence[Quality]) -> tuple[float, tuple[str, ...]]:
    """Return the confidence of a document, the mean of its pages that are not blank, and what lowered it."""
    counted = [(n, q) for n, q in enumerate(pages, 1) if q.status != "empty" or q.confidence < 1]
    if not counted:
        return 0.0, ("every page is blank",)
    scans = [n for n, q in counted if q.status == "empty"]
    if len(scans) == len(counted):
        return 0.0, ("no page has a text layer: a scan? Its text must be recognised (OCR) before it can be read",)
    reasons = []
    if scans:
        verb = "has" if len(scans) == 1 else "have"
        reasons.append(f"{len(scans)} of {len(pages)} pages {verb} no text layer: {_ranges(scans)}")
    poor = [n for n, q in counted if q.status == "quarantined"]
    if poor:
        verb = "is" if len(poor) == 1 else "are"
        reasons.append(f"{len(poor)} of {len(pages)} pages {verb} unreadable and left out: {_ranges(poor)}")
    doubtful = [n for n, q in counted if q.status == "ok" and q.confidence < 1]
    if doubtful:
        worst = min((q for _, q in counted if q.status == "ok"), key=lambda q: q.confidence)
        noun = "page" if len(doubtful) == 1 else "pages"
        reasons.append(f"{noun} {_ranges(doubtful)}: {worst.reasons[0]}")
    return round(sum(q.confidence for _, q in counted) / len(counted), 3), tuple(reasons)


def _ranges(numbers: Sequence[int], most: int = 10) -> str:
    """Return page numbers as text: "1, 3–7"; at most `most` ranges."""
    ranges: list[tuple[int, int]] = []
    for n in numbers:
        if ranges and ranges[-1][1] == n - 1:
            ranges[-1] = ranges[-1][0], n
        else:
            ranges.append((n, n))
    shown = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in ranges[:most])
    return shown + (" …" if len(ranges) > most else "")
