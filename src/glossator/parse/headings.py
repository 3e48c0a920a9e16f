"""Chapter headings in plain text: which short paragraphs begin a part, a chapter, a section, and at what level.

A line is a candidate by its form (`CHAPTER IV.`, `Part Two: Title`, `I. A SCANDAL IN BOHEMIA`, `3.2. Purpose`,
`第十二回 …`, `楔子`), and a heading by its company: prose must follow, bare numbers must count up, entries of a list of
contents have no prose between them. Titles on a line of their own are taken when most headings of the kind have one.

Known limits: headings without a number, a known word or underlining are found only as lines in capitals, and only when
nothing else was; run-in headings are not found.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from glossator.parse.lines import Paragraph, ends_sentence, width
from glossator.parse.numerals import ARABIC, ENGLISH, HAN, ROMAN, value

LONGEST = 100  # columns of a heading line
_LONGEST_TITLE = 90
_PROSE = 80  # characters between two headings that make the first more than an entry of a contents list
_MOST = 20_000  # more candidates than any book has headings: a log, a list
_DEEPEST = 8  # numberings within one another
_TITLED = 0.6  # share of headings of a kind followed by what looks like a title

# Which kind stands above which; the levels of a text are the ranks that occur in it, counted from 1.
_RANKS = {
    "volume": 0, "vol": 0, "部": 0, "book": 1, "卷": 1, "part": 2, "篇": 2, "集": 2, "act": 2, "幕": 2,
    "chapter": 3, "chap": 3, "章": 3, "回": 3, "letter": 3, "stave": 3, "canto": 3, "lecture": 3, "话": 3, "話": 3,
    "折": 3, "special": 3, "titled": 3, "capitals": 3, "underlined": 3, "scene": 4, "section": 4, "节": 4, "節": 4,
    "numeral": 5, "decimal": 6,
}  # fmt: skip
_NOUNS = "volume|vol|book|part|act|chapter|chap|letter|stave|canto|lecture|scene|section"
_SPECIALS = (
    "prologue|epilogue|preface|foreword|introduction|introductory|afterword|postscript|conclusion|contents|"
    "table of contents|appendix|dedication|acknowledge?ments|notes|glossary|bibliography|index|interlude|"
    "list of illustrations"
)
_HAN_SPECIALS = (
    "楔子|引子|引言|序幕|序章|序言|序曲|序|自序|代序|总序|前言|导言|導言|绪论|緒論|尾声|尾聲|终章|終章|终曲|大结局|结语|結語|"
    "后记|後記|跋|附录|附錄|番外|目录|目錄|目次|内容简介|內容簡介|作品相关|完本感言"
)
_LIST_OF_CONTENTS = {"contents", "table of contents", "目录", "目錄", "目次"}

_ENGLISH = re.compile(
    rf"(?P<noun>{_NOUNS})\b\.?\s+(?P<number>{ARABIC}|{ROMAN}|{ENGLISH})(?P<rest>(?=$|[\s.:,;)\]—–-]).*)", re.IGNORECASE
)
_CHINESE = re.compile(
    rf"(?:正文[\s\u3000:：]*)?(?:第\s*(?P<number>{HAN})\s*(?P<noun>[部卷篇集幕章回节節话話折])"
    rf"|(?P<noun2>卷)之?(?P<number2>{HAN})(?=$|[\s\u3000:：、.]))(?P<rest>.*)"
)
_SPECIAL = re.compile(rf"(?P<word>{_SPECIALS})(?P<rest>(?=$|[\s.:—–-]).*)", re.IGNORECASE)
_HAN_SPECIAL = re.compile(
    rf"(?P<word>{_HAN_SPECIALS})(?P<rest>$|[\s\u3000:：、·—].*|[{HAN[1:-6]}]{{1,3}}(?:$|[\s\u3000:：].*))"
)
_DECIMAL = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){1,4})\.?[\s\u3000]+(?P<rest>\S.*)")
_TITLED_NUMERAL = re.compile(
    rf"(?:(?P<roman>{ROMAN})|(?P<arabic>\d{{1,3}})|(?P<han>[一二三四五六七八九十]{{1,3}}))[.、．][\s\u3000]*(?P<rest>\S.*)"
)
_BARE_NUMERAL = re.compile(
    rf"[-—–\[(]?\s*(?P<number>{ROMAN}|{ARABIC}|[一二三四五六七八九十百]{{1,4}})\s*[.)\]、-]?\s*[—–-]?"
)
_SEPARATOR = re.compile(r"^[\s\u3000]*[.:：,、)\]—–·-]*[\s\u3000]*")
_SENTENCE_INSIDE = re.compile(r"[.!?]\s+[“\"'‘]?[A-Z].*[.!?]|[。；;]")
_CHINESE_GOES_ON = re.compile(r"[的里裡中是讲講说說我你他她们們到和与與在就也之以有把被写寫]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Paragraphs `[first, end)` are a heading: its marker and, it may be, its title on lines of their own."""

    first: int
    end: int
    title: str
    level: int  # from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    at: int
    end: int
    kind: str
    rank: int
    number: tuple[int, ...]
    title: str  # of the whole heading
    titled: bool  # a title stands on the marker's own line


_Name = tuple[str, tuple[int, ...]]  # kind and number


def find_headings(paragraphs: Sequence[Paragraph]) -> list[Heading]:
    """Return the headings among the paragraphs of a text, in order."""
    candidates = [c for i, p in enumerate(paragraphs) if (c := _candidate(i, p, paragraphs))]
    if len(candidates) > _MOST:
        return []
    candidates = _with_titles(candidates, paragraphs)
    prose = _Prose(paragraphs, candidates)
    candidates = _without_contents(candidates, prose)
    candidates = _counted(candidates, prose, paragraphs)
    if not candidates:
        candidates = _capitals(paragraphs)
    return _levelled(candidates)


# --- form -----------------------------------------------------------------------------------------------------------


def _candidate(at: int, paragraph: Paragraph, all_of_them: Sequence[Paragraph]) -> _Candidate | None:
    text = paragraph.text
    if paragraph.kind in ("code", "rule", "item") or len(text) > 2 * LONGEST or paragraph.lines > 3:
        return None
    if at + 1 < len(all_of_them) and all_of_them[at + 1].kind == "rule" and all_of_them[at + 1].gap == 0:
        rule = all_of_them[at + 1].text
        if paragraph.lines == 1 and rule[0] in "=-~" and abs(len(rule) - width(text)) <= 4:
            return _made(at, "underlined", (), text, titled=True)
    line = " ".join(text.split())
    if width(line) > LONGEST:
        return None
    apart = paragraph.gap or at == 0 or (at + 1 < len(all_of_them) and all_of_them[at + 1].gap)
    return _in_chinese(at, line) or _in_english(at, line) or (_by_number(at, line, paragraph) if apart else None)


def _in_chinese(at: int, line: str) -> _Candidate | None:
    if found := _CHINESE.fullmatch(line):
        title = _SEPARATOR.sub("", found["rest"])
        if not _is_chinese_title(found["rest"], title):
            return None
        number = value(found["number"] or found["number2"])
        return _made(at, found["noun"] or found["noun2"], _numbers(number), line, titled=bool(title))
    if found := _HAN_SPECIAL.fullmatch(line):
        title = _SEPARATOR.sub("", found["rest"])
        return None if title and not _is_chinese_title(" ", title) else _made(at, "special", (), line, titled=True)
    return None


def _in_english(at: int, line: str) -> _Candidate | None:
    if found := _ENGLISH.fullmatch(line):
        title = _SEPARATOR.sub("", found["rest"])
        if title and not _is_title(title):
            return None
        return _made(at, found["noun"].lower(), _numbers(value(found["number"])), line, titled=bool(title))
    if (found := _SPECIAL.fullmatch(line)) and line[:1].isupper():
        title = _SEPARATOR.sub("", found["rest"])
        if not title or (_is_title(title) and found["rest"][:1] in ".:—–-"):
            return _made(at, "special", (), line, titled=True)
    return None


def _by_number(at: int, line: str, paragraph: Paragraph) -> _Candidate | None:
    if paragraph.lines > 2:
        return None
    if found := _DECIMAL.fullmatch(line):
        numbers = tuple(int(n) for n in found["number"].split("."))
        return _made(at, "decimal", numbers, line, titled=True) if _is_title(found["rest"].rstrip("?")) else None
    if found := _BARE_NUMERAL.fullmatch(line):
        return _made(at, "numeral", _numbers(value(found["number"])), line, titled=False)
    if found := _TITLED_NUMERAL.fullmatch(line):
        number = value(found["roman"] or found["arabic"] or found["han"])
        if _is_title(found["rest"]) and not ends_sentence(found["rest"].rstrip("?!")):
            return _made(at, "titled", _numbers(number), line, titled=True)
    return None


def _made(at: int, kind: str, number: tuple[int, ...], title: str, *, titled: bool) -> _Candidate:
    rank = _RANKS[kind] + (len(number) - 1 if kind == "decimal" else 0)
    return _Candidate(at=at, end=at + 1, kind=kind, rank=rank, number=number, title=title, titled=titled)


def _numbers(number: int | None) -> tuple[int, ...]:
    return () if number is None else (number,)


def _is_title(text: str) -> bool:
    """Tell whether a line could be a title: short, no sentence, not cut off in one."""
    if (
        width(text) > _LONGEST_TITLE
        or text[-1] in ",;:，；：、"
        or (not text[0].isalnum() and text[0] not in "“\"'‘(《「[_/")
    ):
        return False
    if text[0].islower() or _SENTENCE_INSIDE.search(text):
        return False
    words = text.split()
    capital = sum(1 for w in words if not w[:1].islower())
    return text[-1] not in '.!?。！？”"' or text.isupper() or (len(words) <= 10 and capital * 2 >= len(words))


def _is_chinese_title(rest: str, title: str) -> bool:
    if not title:
        return True
    if width(title) > 80 or title[-1] in "，、：；,;:。" or _SENTENCE_INSIDE.search(title):
        return False
    if rest[:1] in " \u3000:：、.·—-":
        return not title.endswith("。")
    return width(title) <= 40 and not _CHINESE_GOES_ON.match(title) and not re.search("[，。！？；,!?]", title)


# --- company --------------------------------------------------------------------------------------------------------


class _Prose:
    """How many characters of prose stand between two paragraphs, headings left out."""

    def __init__(self, paragraphs: Sequence[Paragraph], candidates: Iterable[_Candidate]) -> None:
        headings = {i for c in candidates for i in range(c.at, c.end)}
        self._before = [0]
        for i, paragraph in enumerate(paragraphs):
            counts = i not in headings and paragraph.kind not in ("rule", "item")
            self._before.append(self._before[-1] + (len(paragraph.text) if counts else 0))

    def after(self, candidate: _Candidate, following: _Candidate | None) -> int:
        end = following.at if following else len(self._before) - 1
        return self._before[max(end, candidate.end)] - self._before[candidate.end]


def _with_titles(candidates: list[_Candidate], paragraphs: Sequence[Paragraph]) -> list[_Candidate]:
    """Join markers with titles that stand alone in the next paragraph, where that is the habit of the kind."""
    taken = {c.at for c in candidates}
    titles = {c.at: _title_after(c, paragraphs, taken) for c in candidates if not c.titled}
    habit: dict[str, bool] = {}
    for kind in {c.kind for c in candidates}:
        of_kind = [titles[c.at] for c in candidates if c.kind == kind and not c.titled]
        found = sum(1 for t in of_kind if t)
        habit[kind] = bool(of_kind) and (found >= _TITLED * len(of_kind) or kind == "numeral")
    return [_joined(c, titles.get(c.at) if habit[c.kind] else None) for c in candidates]


def _title_after(candidate: _Candidate, paragraphs: Sequence[Paragraph], taken: set[int]) -> str | None:
    at = candidate.end
    if at >= len(paragraphs) or at in taken or at + 1 == len(paragraphs):
        return None
    paragraph = paragraphs[at]
    text = " ".join(paragraph.text.split())
    if paragraph.kind not in ("prose", "lines") or paragraph.lines > 2 or width(text) > _LONGEST_TITLE:
        return None
    if candidate.kind == "numeral" and not (text.isupper() and len(text) > 2):
        return None  # a bare number is followed by text more often than by a title
    return text if _is_title(text) and _is_chinese_title(" ", text) else None


def _joined(candidate: _Candidate, title: str | None) -> _Candidate:
    if title is None:
        return candidate
    kind = "titled" if candidate.kind == "numeral" else candidate.kind
    rank = _RANKS[kind] if candidate.kind == "numeral" else candidate.rank
    text = f"{candidate.title} {title}"
    return replace(candidate, end=candidate.end + 1, title=text, titled=True, kind=kind, rank=rank)


def _without_contents(candidates: list[_Candidate], prose: _Prose) -> list[_Candidate]:
    """Leave out entries of a contents list: three or more of a kind in a row with no prose between them."""
    bare = [prose.after(c, f) < _PROSE for c, f in zip_longest(candidates, candidates[1:])]
    last = {(c.kind, c.number): i for i, c in enumerate(candidates)}
    listed: set[int] = set()
    start = 0
    for i, is_bare in enumerate(bare):
        if is_bare and i + 1 < len(bare):
            continue
        kinds = [candidates[j].kind for j in range(start, i + 1) if bare[j]]
        if any(kinds.count(kind) >= 3 for kind in kinds):
            listed.update(_entries(candidates, bare, start, i, last))
        start = i + 1
    return [c for i, c in enumerate(candidates) if i not in listed]


def _entries(candidates: list[_Candidate], bare: list[bool], start: int, end: int, last: dict[_Name, int]) -> set[int]:
    """Return which candidates of a run are entries: those without prose, and a last one that comes again later.

    The first chapter's own headings may follow the list at once ("PART ONE", "CHAPTER I"): what stands at the end of
    the run and repeats what stood before in it is not an entry.
    """
    entries = {i for i in range(start, end + 1) if bare[i]}
    seen = {(candidates[i].kind, candidates[i].number) for i in range(start, end)}
    for i in range(end - 1, start, -1):
        earlier = {(candidates[j].kind, candidates[j].number) for j in range(start, i)}
        if (candidates[i].kind, candidates[i].number) not in earlier or candidates[i].rank >= candidates[i + 1].rank:
            break
        entries.discard(i)
    kind, number = candidates[end].kind, candidates[end].number
    if not bare[end] and last[kind, number] > end and (kind, number) not in seen and number:
        entries.add(end)
    entries -= {i for i in entries if candidates[i].title.strip(" .:").lower() in _LIST_OF_CONTENTS}
    return entries


def _counted(candidates: list[_Candidate], prose: _Prose, paragraphs: Sequence[Paragraph]) -> list[_Candidate]:
    """Keep numbers without a noun only where they count up, with prose between and after whole sentences."""
    kept = [c for c in candidates if c.kind not in ("numeral", "titled", "decimal")]
    for kind in ("numeral", "titled"):
        of_kind = [c for c in candidates if c.kind == kind]
        for chain in _chains(of_kind):
            if len(chain) > 1 and _is_spaced(chain, prose) and _follows_sentences(chain, paragraphs):
                kept.extend(chain)
    decimals = [c for c in candidates if c.kind == "decimal"]
    last = {c.number: c.at for c in decimals}
    for candidate, following in zip_longest(decimals, decimals[1:]):
        comes_again = last[candidate.number] > candidate.at
        if not comes_again or prose.after(candidate, following) >= 3 * _PROSE:
            kept.append(candidate)
    return sorted(kept, key=lambda c: c.at)


def _chains(candidates: list[_Candidate]) -> list[list[_Candidate]]:
    """Return runs of numbers that count up by one, from 1 (or 2: the first chapter often has no number)."""
    chains: list[list[_Candidate]] = []
    open_chains: list[list[_Candidate]] = []
    for candidate in candidates:
        if not candidate.number:
            continue
        number = candidate.number[0]
        home = next((c for c in reversed(open_chains) if c[-1].number[0] == number - 1), None)
        if home is not None:
            home.append(candidate)
            open_chains = open_chains[: open_chains.index(home) + 1]
        elif number in (1, 2):
            open_chains = [*open_chains[1 - _DEEPEST :], [candidate]]
            chains.append(open_chains[-1])
    return chains


def _is_spaced(chain: list[_Candidate], prose: _Prose) -> bool:
    spaced = sum(1 for c, f in zip_longest(chain, chain[1:]) if prose.after(c, f) >= 2 * _PROSE)
    return spaced >= 0.8 * len(chain)


def _follows_sentences(chain: list[_Candidate], paragraphs: Sequence[Paragraph]) -> bool:
    """Page numbers stand in mid-sentence about half the time; chapter numbers do not."""
    before = [paragraphs[c.at - 1] for c in chain if c.at]
    whole = sum(1 for p in before if p.kind != "prose" or ends_sentence(p.text) or len(p.text) < LONGEST)
    return whole >= 0.8 * len(before)


def _capitals(paragraphs: Sequence[Paragraph]) -> list[_Candidate]:
    """Return lone lines in capitals with more room before than after, as last resort."""
    found = [
        _made(i, "capitals", (), " ".join(p.text.split()), titled=True)
        for i, p in enumerate(paragraphs)
        if p.kind == "prose"
        and p.lines == 1
        and p.gap >= 2
        and p.text.isupper()
        and len(p.text) > 3
        and _is_title(p.text)
    ]
    prose = _Prose(paragraphs, found)
    followed = [c for c, f in zip_longest(found, found[1:]) if prose.after(c, f) >= 10 * _PROSE]
    return followed if len(followed) >= 3 else []


def _levelled(candidates: list[_Candidate]) -> list[Heading]:
    above = min((c.at for c in candidates if c.kind not in ("special", "decimal", "numeral")), default=0)
    lowest = min((c.rank for c in candidates), default=0)
    ranks = [lowest if c.kind == "special" and c.at < above else c.rank for c in candidates]
    levels = {rank: level for level, rank in enumerate(sorted(set(ranks)), 1)}
    return [
        Heading(first=c.at, end=c.end, title=c.title, level=levels[rank])
        for c, rank in zip(candidates, ranks, strict=True)
    ]
