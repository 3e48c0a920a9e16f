"""The same claim in several documents: the passages that have to do with it, and how each stands to it.

A stance is given by simple rules only where they are sure: the passage says nearly all of the claim, and differs from
it in a negation, a number or an opposite, or in none of these. Everything else "mentions" it.

Known limit: irony, reported opinions and arguments over several sentences are beyond these rules.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from glossator.document.scripts import HAN
from glossator.document.sentence import sentences
from glossator.errors import UsageError
from glossator.library.analysis.centrality import terms_of
from glossator.library.analysis.values import Comparison, Stance, Stand
from glossator.library.answer import Weight, asked, coverage
from glossator.library.reader import Opened, Reader
from glossator.library.scoping import Scoped
from glossator.search.query import Query

LOOKED_AT = 60  # passages
FEW = 3  # terms of a claim, below which all must be there
EACH = 3  # passages of one document
MOST = 24
TOUCHES, SAYS, SAYS_HAN, ALL = (
    0.34,
    0.72,
    0.55,
    0.95,
)  # share of the claim's terms: to be shown, to take a stance, to be whole
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|neither|nor|cannot|without|hardly|scarcely|fails? to|failed to|lacks?)\b|"
    r"n['’]t\b|[不没沒未非无無勿莫别]",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\?|？|\b(?:if|whether|unless|perhaps|might|maybe|claims? that|claimed that|allegedly|supposedly|suppose)\b|"
    r"如果|假如|是否|也许|可能|据说|难道|倘若",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d+(?:,\d{3})*(?:\.\d+)?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|"
    r"fifty|hundred|thousand|million)\b|[一二三四五六七八九十百千万两]{1,8}(?=[个年月日天岁斤里次人条只种座本卷回章])",
    re.IGNORECASE,
)
_DIGITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_VALUES = {w: str(n) for words in (_DIGITS, "一二三四五六七八九十") for n, w in enumerate(words, 1)}
_OPPOSITES = tuple(
    (pair.split("/")[0], pair.split("/")[1])
    for pair in (
        *("increas/decreas", "rise/fall", "rose/fell", "higher/lower", "more/less", "more/fewer", "always/never"),
        *("before/after", "large/small", "larger/smaller", "strong/weak", "early/late", "earlier/later", "first/last"),
        *("safe/dangerous", "true/false", "possible/impossible", "accept/reject", "allow/forbid", "gain/lose"),
        *("hot/cold", "warm/cold", "rich/poor", "alive/dead", "open/close", "win/lose", "must/may"),
        *(
            "增加/减少",
            "提高/降低",
            "上升/下降",
            "高于/低于",
            "多于/少于",
            "之前/之后",
            "大于/小于",
            "允许/禁止",
            "安全/危险",
        ),
        *("成功/失败", "喜欢/讨厌", "生/死", "胜/败", "强/弱", "贫/富"),
    )
)
_HAN = re.compile(f"[{HAN}]")
_UNIT = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PAIR = re.compile(f"(?=([{HAN}]{{2}}))")
LOOSE, SLACK = 1.5, 14  # how many times as long as a claim the stretch may be that says it, and characters around


@dataclass(frozen=True, slots=True)
class _Found:
    share: float
    stance: Stance
    start: int
    end: int


def compare(shown: Scoped, claim: str) -> Comparison:
    """Return the passages of a scope that have to do with a claim, the nearest first, a few of each document.

    Raises:
        UsageError: there is no claim.
    """
    if not claim.strip():
        raise UsageError("there is no claim", hint="give a sentence to compare")
    reader = shown.reader
    with reader.database.read():
        found = reader.search(Query(text=" ".join(claim.split())), k=LOOKED_AT)
        weight = (lambda _: 1.0) if _HAN.search(claim) else _weight(reader)
        stands: list[tuple[float, Stand]] = []
        taken: dict[int, int] = {}
        for passage in found.passages:
            best = _best(reader, passage.document, (passage.start, passage.end), claim, weight)
            if best is None or taken.get(passage.document, 0) == EACH:
                continue
            opened = reader.open(passage.document)
            stand = _stand(reader, opened, best)
            if all(stand.locator != other.locator for _, other in stands):
                taken[passage.document] = taken.get(passage.document, 0) + 1
                stands.append((best.share, stand))
    ordered = sorted(stands, key=lambda s: -s[0] - (s[1].stance != "mentions"))[:MOST]
    return Comparison(claim=claim, passages=tuple(s for _, s in ordered), notice=shown.notice or found.notice)


def stance_of(claim: str, sentence: str, share: float) -> Stance:
    """Return how a sentence that holds `share` of a claim's terms stands to it.

    Only what stands close together in the sentence is compared with the claim: elsewhere in it a "not" belongs to
    something else.
    """
    if share < TOUCHES or _UNSURE.search(sentence) or _UNSURE.search(claim):
        return "mentions"
    said = _close(claim, sentence)
    if said is None:
        return "mentions"
    if _numbers(claim) and not _numbers(claim) & _numbers(sentence) and not _numbers(said):
        return "mentions"
    differs = _differs(claim, said, sentence)
    enough = SAYS_HAN if _HAN.search(claim) else SAYS
    if share < (enough - 0.1 if differs == "number" else enough):
        return "mentions"
    return "contradicts" if differs else "supports"


def _close(claim: str, sentence: str) -> str | None:
    """Return the stretch of a sentence that says what a claim says, or None where its terms are scattered or turned."""
    wanted = _placed(_NUMBER.sub(" ", claim)) or _placed(claim)
    there = [(at, end, term) for at, end, term in _placed(sentence) if term in {t for _, _, t in wanted}]
    if not there:
        return None
    start, end = _shortest(there)
    apart = end - start > 1.2 * len(claim) and re.search("[,;，；]", sentence[start:end])
    if apart or end - start > LOOSE * len(claim) + SLACK:
        return None
    order = list(dict.fromkeys(t for at, b, t in there if start <= at and b <= end))
    asked_order = [t for t in dict.fromkeys(t for _, _, t in wanted) if t in order]
    if _in_order(asked_order, order) < (1.0 if len(order) <= 4 else 0.75) * len(order):
        return None
    lead = sentence[:start]
    clause = max((lead.rfind(mark) for mark in ",;:，；：、。"), default=-1) + 1
    tail = re.match(r"[^,;:.，；：、。！？!?]*", sentence[end:])
    return sentence[max(clause, start - SLACK) : end + min(SLACK, len(tail[0]) if tail else 0)]


def _placed(text: str) -> list[tuple[int, int, str]]:
    """Return the terms of a text that say something, with their places."""
    units = [(m.start(), m.end(), t) for m in _UNIT.finditer(text) for t in terms_of(m[0]) if not _HAN.search(m[0])]
    return sorted(units + [(m.start(), m.start() + 2, m[1]) for m in _PAIR.finditer(text)])


def _shortest(there: Sequence[tuple[int, int, str]]) -> tuple[int, int]:
    """Return the shortest stretch that holds every term at least once."""
    needed = len({t for _, _, t in there})
    best = there[0][0], there[-1][1]
    for n, (start, _, _) in enumerate(there):
        seen: set[str] = set()
        for _, end, term in there[n:]:
            seen.add(term)
            if len(seen) == needed:
                best = min(best, (start, end), key=lambda s: s[1] - s[0])
                break
    return best


def _in_order(a: Sequence[str], b: Sequence[str]) -> int:
    """Return how many terms two lists have in common in the same order."""
    row = [0] * (len(b) + 1)
    for x in a:
        row = [0, *(max(row[j + 1], row[j] + 1) if x == y else row[j + 1] for j, y in enumerate(b))]
        for j in range(len(b)):
            row[j + 1] = max(row[j + 1], row[j])
    return row[-1]


def _differs(claim: str, said: str, sentence: str) -> str | None:
    """Return in what the stretch `said` of a sentence turns a claim round, or None."""
    if _numbers(claim) and not _numbers(claim) & _numbers(sentence):
        return "number"
    negations = len(_NEGATION.findall(claim)) % 2 != len(_NEGATION.findall(said)) % 2
    opposites = sum(_opposed(claim, said, a, b) for a, b in _OPPOSITES)
    if negations != bool(opposites % 2):
        return "negation" if negations else "opposite"
    return None


def _opposed(claim: str, sentence: str, a: str, b: str) -> bool:
    def holds(text: str, word: str) -> bool:
        bounded = word if _HAN.match(word) else rf"\b{word}"
        return re.search(bounded, text, re.IGNORECASE) is not None

    here, there = (holds(claim, a), holds(claim, b)), (holds(sentence, a), holds(sentence, b))
    return here in ((True, False), (False, True)) and there == here[::-1]


def _numbers(text: str) -> set[str]:
    return {_VALUES.get(n.casefold(), n.casefold().replace(",", "")) for n in _NUMBER.findall(text)}


def _best(reader: Reader, key: int, span: tuple[int, int], claim: str, weight: Weight) -> _Found | None:
    """Return the sentence of a passage, or two that follow each other, nearest to a claim."""
    text = reader.text(key, *span)
    bare = _NUMBER.sub(" ", claim)
    terms = asked(bare) if any(c.isalpha() for c in bare) else asked(claim)  # a number is compared, not looked for
    spans = sentences(text, reader.language(key))
    if not spans or not terms:
        return None
    scored = [(coverage(terms, text[a:b], weight), -(b - a), a, b) for a, b in spans]
    share, _, a, b = max(scored)
    if share < TOUCHES:
        return None
    sure = share if len(terms) >= FEW or share > ALL else min(share, SAYS_HAN - 0.2)
    return _Found(share, stance_of(claim, text[a:b], sure), span[0] + a, span[0] + b)


def _stand(reader: Reader, opened: Opened, found: _Found) -> Stand:
    text, locator = reader.excerpt(opened, found.start, found.end)
    return Stand(found.stance, opened.ref, text, locator)


def _weight(reader: Reader) -> Weight:
    with reader.database.read() as c:
        index = reader.means.indexes().snapshot(c, vectors=False).lexical
    return lambda term: index.score_text([term], [term])


def by_stance(passages: Sequence[Stand]) -> dict[Stance, list[Stand]]:
    """Return passages by stance, in the order in which a reader wants them."""
    order: tuple[Stance, ...] = ("supports", "contradicts", "mentions")
    return {stance: [p for p in passages if p.stance == stance] for stance in order}
