"""What an answer quotes, checked before it is shown.

Every quotation gets a verdict. `verified` and `repaired`: it stands in the scope; what is shown are the source's own
words, with a number that leads to the place. `misattributed`: it stands in another document than the one asked or
named; it is shown with the document it is from. What stands nowhere is taken out and said to be missing, and so is what
stands only past the bound; its words leave nowhere. A term of one or two words between marks is a citation when it is
found, and else just a way of writing.

A claim with a passage's number behind it and no quotation is given the passage's sentence that is nearest to it; a
number that leads nowhere is taken out.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from glossator.agent.marks import Quoted, bare_markers, numbers_in, quotations
from glossator.agent.release import Checked, split
from glossator.document.quotation import Match, find_quotation, quotations_in
from glossator.document.quoted import split_ellipsis
from glossator.document.sentence import sentences
from glossator.library.analysis.first_seen import stands_later
from glossator.library.answer import asked, coverage, is_chinese
from glossator.library.findings import Citation
from glossator.library.locate import Place, find, find_in
from glossator.library.reader import Reader

if TYPE_CHECKING:
    from glossator.agent.wall import Wall

Passage = tuple[int, int, int]  # document, start, end
Status = Literal["verified", "repaired", "misattributed"]
Lost = Literal["not_found", "out_of_scope"]

SUPPORTS = 0.3  # share of a claim's terms that the sentence of its passage must hold
OFTEN = 3  # occurrences from which a term of one or two words is no citation without a passage's number
TITLES = 200  # documents whose titles are looked for in an answer
_BLANK = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """A whole answer as it may be shown, its receipts, and what was withheld with the reason."""

    text: str
    citations: tuple[Citation, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()


def check(
    text: str,
    reader: Reader,
    *,
    elsewhere: Reader | None = None,
    passages: Sequence[Passage] = (),
    wall: "Wall | None" = None,
) -> CheckedAnswer:
    """Return an answer with every quotation checked, and with a sentence that says what was withheld.

    `elsewhere` is a reader of the whole library under the usual bounds: what stands there only is `misattributed`.
    `passages` are those that numbers in the answer mean, `wall` what holds back what was not read yet.
    """
    checker = Checker(reader, elsewhere=elsewhere, passages=lambda: passages, wall=wall)
    shown = "".join(checker(sentence).text for sentence in split(text)).strip()
    closing = checker.closing()
    return CheckedAnswer(
        text="\n\n".join(part for part in (shown, closing) if part),
        citations=checker.citations,
        rejected=checker.rejected,
    )


class Checker:
    """Checks an answer sentence by sentence; a number means the same place through the whole answer."""

    def __init__(
        self,
        reader: Reader,
        *,
        elsewhere: Reader | None = None,
        passages: Callable[[], Sequence[Passage]] = tuple,
        wall: "Wall | None" = None,
    ) -> None:
        """Check against `reader`; see `check`."""
        self._reader = reader
        self._elsewhere = elsewhere
        self._passages = passages
        self._wall = wall
        self._titles = _titles(reader)
        self._citations: list[Citation] = []
        self._rejected: list[tuple[str, str]] = []
        self._held = False
        self._chinese = False

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Return the receipts so far."""
        return tuple(self._citations)

    @property
    def rejected(self) -> tuple[tuple[str, str], ...]:
        """Return what was withheld so far, and why."""
        return tuple(self._rejected)

    def __call__(self, sentence: str) -> Checked:
        """Return a sentence as it may be shown."""
        with self._reader.database.read():
            return self._check(sentence)

    def closing(self) -> str:
        """Return what the answer must say at its end about what was withheld; nothing when nothing was."""
        lost = sum(status == "not_found" for _, status in self._rejected)
        said = [_withheld(lost, self._chinese)] if lost else []
        if self._wall is not None and (self._held or len(self._rejected) > lost):
            said.append(self._wall.closing(self._chinese))
        elif len(self._rejected) > lost:
            said.append(_BEYOND[self._chinese])
        return (" " if not self._chinese else "").join(said)

    def _check(self, sentence: str) -> Checked:
        self._chinese = self._chinese or is_chinese(sentence)
        before = len(self._citations), len(self._rejected)
        quoted = quotations(sentence)
        edits = [self._edit(sentence, q) for q in quoted]
        edits += [(m.start(), m.end(), self._claim(sentence, m)) for m in bare_markers(sentence, quoted)]
        shown = _edited(sentence, edits)
        held = len(self._rejected) > before[1]
        if self._wall is not None:
            cited = any("[" in new for _, _, new in edits) and len(self._rejected) == before[1]
            if kept := self._wall.hold(shown, cited=cited):
                shown, held, self._held = kept.shown + _tail(sentence), True, True
                if kept.withheld:
                    del self._citations[before[0] :]
        return Checked(
            text=shown,
            citations=tuple(self._citations[before[0] :]),
            rejected=tuple(self._rejected[before[1] :]),
            held=held,
        )

    # -- one quotation

    def _edit(self, sentence: str, quoted: Quoted) -> tuple[int, int, str]:
        """Return what takes the place of a quotation with its marks and numbers."""
        start = quoted.begin
        opening, closing = sentence[start : quoted.start], sentence[quoted.end : quoted.close]
        place, status = self._judge(sentence, quoted)
        if place is not None:
            words = _source_words(self._elsewhere or self._reader, place, quoted.words, status)
            number = self._number(place, status)
            body = f"> {words}" if quoted.block else f"{opening}{words}{closing}"
            return start, quoted.after, f"{body} [{self._label(number, place, status)}]"
        if quoted.slight and not quoted.numbers:
            return start, quoted.after, sentence[start : quoted.after]
        inner = self._inner(quoted)
        if inner is not None:
            return start, quoted.after, inner
        lost = self._reject(quoted.words)
        return start, quoted.after, ("> " if quoted.block else "") + _LOST[lost][self._chinese]

    def _judge(self, sentence: str, quoted: Quoted) -> tuple[Place | None, Status]:
        """Return where a quotation stands, and the verdict that goes with it."""
        hints = [p for n in quoted.numbers if (p := self._passage(n)) is not None]
        claimed = self._claimed(sentence[: quoted.start])
        for document, near in [*((d, s) for d, s, _ in hints), *((k, None) for k in claimed)]:
            if claimed and document not in claimed:
                continue
            place = find_in(self._reader, document, quoted.words, near=near)
            if place is not None:
                return place, _verdict(place.match)
        if quoted.slight and not hints and not claimed:
            return self._term(quoted.words), "verified"
        place = find(self._reader, quoted.words)
        if place is not None:
            return place, "misattributed" if claimed else _verdict(place.match)
        if quoted.slight or self._elsewhere is None:
            return None, "verified"
        other = find(self._elsewhere, quoted.words)
        if other is not None and self._reader.scope.holds(other.opened.document.key):
            other = None  # of a document that was asked, what may not be shown
        return other, "misattributed"

    def _term(self, words: str) -> Place | None:
        """Return where a term stands word for word, unless it stands all over the place."""
        place = find(self._reader, words)
        return place if place is not None and place.match.occurrences <= OFTEN else None

    def _inner(self, quoted: Quoted) -> str | None:
        """Return words that were set between marks and hold a real quotation, without the outer marks."""
        if not any(self._stands(words) for _, _, words in quotations_in(quoted.words)):
            return None
        return _edited(quoted.words, [self._edit(quoted.words, q) for q in quotations(quoted.words)])

    def _stands(self, words: str) -> bool:
        return find(self._reader, words) is not None

    def _reject(self, words: str) -> Lost:
        """Note a quotation that is not shown; of one that stands past the bound the words are not kept either."""
        caps = [d.key for d in self._reader.documents() if self._reader.open(d.key).capped]
        if any(stands_later(self._reader, key, words) for key in caps):
            self._rejected.append((_HIDDEN[self._chinese], "out_of_scope"))
            return "out_of_scope"
        if self._wall is not None:
            words = self._wall.masked(words)
        self._rejected.append((words, "not_found"))
        return "not_found"

    # -- numbers and names

    def _number(self, place: Place, status: Status, words: str | None = None) -> int:
        """Return the number of a place in this answer, a new one when it was not cited before."""
        opened, match = place.opened, place.match
        reader = self._reader if self._reader.scope.holds(opened.document.key) else self._elsewhere or self._reader
        text, locator = reader.excerpt(opened, match.start, match.end)
        known = next((c for c in self._citations if _same(c, opened.ref.id, locator.start, locator.end)), None)
        if known is not None:
            return known.n
        number = len(self._citations) + 1
        self._citations.append(
            Citation(n=number, status=status, quote=words or text, document=opened.ref, locator=locator)
        )
        return number

    def _label(self, number: int, place: Place, status: Status) -> str:
        if status != "misattributed":
            return str(number)
        title = place.opened.document.title
        return f"{number}，其实出自《{title}》" if self._chinese else f"{number}, in fact from: {title}"

    def _claim(self, sentence: str, marker: "re.Match[str]") -> str:
        """Return the numbers of the sentences that bear out a claim; nothing where none does."""
        numbers: list[int] = []
        for n in numbers_in(marker[0]):
            passage = self._passage(n)
            place = None if passage is None else support(self._reader, passage, sentence[: marker.start()])
            if place is not None:
                numbers.append(self._number(place, "verified"))
        return f" [{', '.join(map(str, dict.fromkeys(numbers)))}]" if numbers else ""

    def _passage(self, number: int) -> Passage | None:
        passages = self._passages()
        found = passages[number - 1] if 0 < number <= len(passages) else None
        return found if found is not None and self._reader.scope.holds(found[0]) else None

    def _claimed(self, before: str) -> list[int]:
        """Return the documents that the sentence names last before a quotation."""
        if len(self._titles) < 2:
            return []
        folded = before.casefold()
        named = [(folded.rfind(title), len(title), keys) for title, keys in self._titles.items() if title in folded]
        return list(max(named)[2]) if named else []


def _titles(reader: Reader) -> dict[str, tuple[int, ...]]:
    """Return the titles of the scope by which an answer may name a document, folded; none of a large library."""
    documents = reader.documents()
    titles: dict[str, tuple[int, ...]] = {}
    if len(documents) <= TITLES:
        for document in documents:
            for name in (document.title.casefold(), document.id):
                if len(name) > 3 or (len(name) > 1 and not name.isascii()):
                    titles[name] = (*titles.get(name, ()), document.key)
    return titles


def _verdict(match: Match) -> Status:
    return "repaired" if match.verdict == "repaired" else "verified"


def _same(citation: Citation, document: str, start: int, end: int) -> bool:
    locator = citation.locator
    return (citation.document.id, locator.start, locator.end) == (document, start, end)


def _source_words(reader: Reader, place: Place, words: str, status: Status) -> str:
    """Return the source's own words for what was quoted, on one line; what an ellipsis left out stays left out."""
    text = reader.text(place.opened.document.key, place.match.start, place.match.end)
    if status == "verified" and place.match.verdict == "verified":
        return words
    parts = split_ellipsis(words) if "ellipsis" in place.match.repairs else []
    found = [find_quotation(text, part) for part in parts]
    if parts and all(found):
        text = " … ".join(text[m.start : m.end] for m in found if m)
    return _BLANK.sub(" ", text)


def support(reader: Reader, passage: Passage, claim: str) -> Place | None:
    """Return the sentence of a passage that holds most of a claim's terms, or None when it holds too few."""
    key, start, end = passage
    opened = reader.open(key)
    text = reader.text(key, start, end)
    terms = asked(claim)
    scored = [(coverage(terms, text[a:b], lambda _: 1.0), -a, b) for a, b in sentences(text, reader.language(key))]
    best = max(scored, default=(0.0, 0, 0))
    if best[0] < SUPPORTS:
        return None
    return Place(opened, Match(start=start - best[1], end=start + best[2], verdict="verified"))


def _edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    shown, at = "", 0
    for start, end, new in sorted(edits):
        shown += text[at:start] + new
        at = end
    return shown + text[at:]


def _tail(sentence: str) -> str:
    return sentence[len(sentence.rstrip()) :]


# --- words: English, Chinese

_LOST: dict[Lost, tuple[str, str]] = {
    "not_found": ("[a quotation was withheld: not found in the text]", "〔引文未核实，已略去〕"),
    "out_of_scope": ("[a quotation was withheld: it comes after what was read]", "〔引文在已读部分之后，已略去〕"),
}
_HIDDEN = ("[comes after what was read]", "〔在已读部分之后〕")
_BEYOND = ("What comes after the part that was read was left out.", "已读部分之后的内容已略去。")


def _withheld(count: int, chinese: bool) -> str:
    if chinese:
        return f"有 {count} 处引文在文中找不到，未核实，已略去。"
    return (
        "One quotation was withheld: it was not found in the text."
        if count == 1
        else f"{count} quotations were withheld: they were not found in the text."
    )
