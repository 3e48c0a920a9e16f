"""How a text argues, and what in it is worth remembering: sentences found by the words that give them away.

Known limit: an argument that uses no connectives is not seen, and irony is taken at its word.
"""

import re
from collections.abc import Sequence

from glossator.library.analysis.centrality import LONG, Weights, choose, length, ranked
from glossator.library.analysis.prose import Sentence, parts
from glossator.library.analysis.values import Arguments, Point, Quotations, Role, Step
from glossator.library.reader import Opened, Reader
from glossator.library.scoping import Scoped

MOST = 40


def _either(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    (
        "conclusion",
        _either(
            r"^(?:thus|therefore|hence|consequently|accordingly|so it (?:is|follows)|to (?:conclude|sum up))\b",
            r"^in (?:conclusion|short|sum|summary)\b|\b(?:we conclude|therefore|it follows that)\b",
            r"\bthis (?:shows|proves|means|implies) that\b",
            "^(?:所以|因此|因而|可见|总之|综上|由此|于是可知)|由此可见|这说明|足见",
        ),
    ),
    (
        "evidence",
        _either(
            r"\b(?:for (?:example|instance)|according to|we (?:found|measured|observed|counted))\b",
            r"\b(?:studies|data|experiments?|results|figures?|tables?) (?:show|suggest|indicate|confirm)\b",
            r"\b\d+(?:\.\d+)? ?(?:%|percent|per cent)",
            "例如|比如|譬如|据.{1,12}(?:统计|记载|报道)|数据|实验表明|结果表明",
        ),
    ),
    (
        "contrast",
        _either(
            r"^(?:but|however|yet|nevertheless|nonetheless|on the (?:other hand|contrary)|although|though|still,)\b",
            r"\b(?:it (?:may|might) be (?:objected|said|thought)|despite|whereas|contrary to)\b",
            "^(?:但是|但|然而|可是|不过|相反|虽然|尽管)|有人(?:说|认为)|反之",
        ),
    ),
    (
        "reason",
        _either(
            r"\b(?:because|since (?:the|it|they|this|there)|due to|owing to|for this reason|the reason)\b",
            r"\b(?:in order (?:to|that)|so that)\b",
            "因为|由于|为了|之所以|缘故|原因",
        ),
    ),
    (
        "claim",
        _either(
            r"\b(?:we|i) (?:argue|claim|believe|propose|suggest|maintain|hold|think|contend)\b",
            r"\b(?:must|should|ought to|is (?:clear|certain|evident|obvious) that|in fact|the truth is)\b",
            r"\bthere (?:is|can be) no doubt\b",
            "我(?:们)?(?:认为|主张|相信)|应当|应该|必须|毫无疑问|显然|事实上|本文(?:认为|提出)",
        ),
    ),
)
_GENERAL = _either(
    r"\b(?:all|every|always|never|none|nothing|nobody|everyone|man|men|mankind|human(?:ity)?|life|death|love)\b",
    r"\b(?:time|world|truth|heart|soul|nature|freedom|hope|fear|wisdom|fool|happiness|history|memory)\b",
    r"\bthe (?:only|best|worst|greatest)\b",
    "人生|世间|世上|天下|人间|人心|凡人|君子|圣人|古人|自古|万物|生死|真理|时间|命运|善恶|道理|无不|莫不|不可不",
)
_TURNED = _either(
    r"\bnot\b.{3,60}\bbut\b|\bmore\b.{2,40}\bthan\b|\bif\b.{5,60},|\bneither\b.{2,40}\bnor\b",
    r"\bthe (?:more|less)\b.{3,50}\bthe (?:more|less)\b",
    "不是.{1,20}而是|与其.{1,20}不如|若要.{1,20}(?:须|先)|宁可.{1,20}也不|越.{1,12}越",
)


def arguments(shown: Scoped, section: int | None = None) -> Arguments:
    """Return how the one document of a scope, or a section of it, argues.

    Raises:
        NotFound: there is no such section, or it begins past the bound.
    """
    reader, key = shown.reader, shown.only.key
    with reader.database.read():
        opened = reader.open(key)
        read = parts(reader, opened, None if section is None else reader.section(key, section))
        weights = Weights(read)
        found: list[tuple[float, Sentence, Role]] = []
        for n, part in enumerate(read):
            scores = {s.start: score for score, s in ranked(part, weights.of(n))}
            found += [(scores.get(s.start, 0.0), s, role) for s in part.sentences if (role := role_of(s.text))]
        best = sorted(found, key=lambda f: -f[0])[:MOST]
        steps = tuple(Step(role, _point(reader, opened, s)) for _, s, role in sorted(best, key=lambda f: f[1].start))
        return Arguments(document=opened.ref, steps=steps, notice=shown.notice)


def role_of(sentence: str) -> Role | None:
    """Return the part that a sentence plays in an argument, or None where nothing tells."""
    if length(sentence) > 2 * LONG:
        return None
    return next((role for role, pattern in _ROLES if pattern.search(sentence)), None)


def quotations(shown: Scoped, k: int = 10) -> Quotations:
    """Return up to `k` sentences worth remembering: short, whole, general, well turned."""
    reader, key = shown.reader, shown.only.key
    with reader.database.read():
        opened = reader.open(key)
        read = parts(reader, opened)
        weights = Weights(read)
        scored: list[tuple[float, Sentence]] = []
        for n, part in enumerate(read):
            scored += [(score * _memorable(s.text), s) for score, s in ranked(part, weights.of(n))]
        chosen = choose(sorted(scored, key=lambda x: -x[0]), k)
        worth = {s.start: score for score, s in scored}
        ordered = sorted(chosen, key=lambda s: -worth[s.start])
        points = tuple(_point(reader, opened, s) for s in ordered)
        return Quotations(document=opened.ref, points=points, notice=shown.notice)


def _memorable(text: str) -> float:
    size = length(text)
    factor = 1.6 if size < LONG / 2 else 1.0 if size < LONG else 0.4
    general, turned = len(_GENERAL.findall(text)), bool(_TURNED.search(text))
    if not general and not turned:
        return 0.2 * factor
    return factor * (1 + 0.5 * min(3, general)) * (1.8 if turned else 1.0)


def _point(reader: Reader, opened: Opened, sentence: Sentence) -> Point:
    text, locator = reader.excerpt(opened, sentence.start, sentence.end)
    return Point(text, locator)


def steps_by_role(steps: Sequence[Step]) -> dict[Role, list[Step]]:
    """Return the steps of an argument by the part they play."""
    return {role: [s for s in steps if s.role == role] for role, _ in _ROLES}
