"""Kindle's `My Clippings.txt`, as the devices of several generations write it, in English and in Chinese.

An entry is a title line, a line of facts that begins with `-`, an empty line, the words, and a line of `=`. The file
only grows: a highlight that is extended or drawn anew is a further entry, and so is a note to it. Here those entries
become one passage again: of highlights at overlapping places, one of which holds the other, the longest is kept.

Times have no zone on a Kindle; they are taken for UTC. A bookmark has no words to find it by and is only counted;
a note beside no highlight has only its own, and is listed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from glossator.document.fold import fold
from glossator.document.model import clean
from glossator.library.exchange.clipping_dates import read_date
from glossator.library.exchange.passages import Passage
from glossator.library.exchange.results import Problem

Kind = Literal["highlight", "note", "bookmark"]
SEPARATOR = re.compile(r"^={10,}\s*$")
EPOCH = "1970-01-01T00:00:00Z"
_KINDS: tuple[tuple[Kind, "re.Pattern[str]"], ...] = (
    ("bookmark", re.compile(r"bookmark|书签|書籤|书簽", re.IGNORECASE)),
    ("highlight", re.compile(r"highlight|clip|标注|標註|標注|摘录|划线", re.IGNORECASE)),
    ("note", re.compile(r"\bnote\b|笔记|筆記|注释|備註|备注|附注", re.IGNORECASE)),
)
_NUMBERS = r"#?\s*(\d+)(?:\s*[-–—~]\s*#?\s*(\d+))?"
_LOCATION = re.compile(rf"(?:\bloc(?:ation|\.)?|位置)\s*{_NUMBERS}", re.IGNORECASE)
_PAGE = re.compile(rf"\bpage\s*{_NUMBERS}|第\s*{_NUMBERS}\s*[页頁]", re.IGNORECASE)
_LIMIT = re.compile(r"^\s*<.*(clipping limit|剪贴上限|剪貼上限|剪切上限).*>\s*$", re.IGNORECASE | re.DOTALL)
_AUTHOR = re.compile(r"\s*[(（]([^()（）]*(?:[(（][^()（）]*[)）][^()（）]*)*)[)）]\s*$")
_BETWEEN_FACTS = re.compile(r"\s*[|｜]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """One entry. `place` is its location, or its page where the book has no locations; both ends included."""

    line: int
    title: str  # as written, with the author
    kind: Kind
    place: tuple[int, int] | None
    page: int | None
    date: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """The passages of a file, what could not be taken in, and what needs not be.

    `replaced` entries are other entries' earlier forms; `bookmarks` have no words.
    """

    passages: tuple[Passage, ...]
    problems: tuple[Problem, ...]
    replaced: int
    bookmarks: int


def is_clippings(text: str) -> bool:
    """Tell whether a text looks like a Kindle's clippings: an entry at its beginning, with its line of facts."""
    lines = [x.strip("\ufeff \t\r") for x in text.split("\n", 12)[:12]]
    return any(SEPARATOR.match(x) for x in text.splitlines()) and any(x.startswith("-") for x in lines[1:4])


def read(text: str) -> Read:
    """Return the passages of a clippings file, in its order."""
    clips: list[Clip] = []
    problems: list[Problem] = []
    for found in _entries(text):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            clips.append(found)
    passages: list[Passage] = []
    replaced = 0
    for clip in clips:
        if clip.kind == "bookmark":
            continue
        if clip.kind == "highlight" and _LIMIT.match(clip.text):
            problems.append(
                Problem(clip.line, f"“{clip.title}”: the book's clipping limit was reached, so the words are not there")
            )
        elif not clip.text.strip():
            problems.append(Problem(clip.line, f"an empty {clip.kind} in “{clip.title}”"))
    usable = [x for x in clips if x.kind != "bookmark" and x.text.strip() and not _LIMIT.match(x.text)]
    for title in dict.fromkeys(x.title for x in usable):
        own = [x for x in usable if x.title == title]
        families = _families([x for x in own if x.kind == "highlight"])
        replaced += sum(len(family) - 1 for family in families)
        notes, alone = _notes_of(families, [x for x in own if x.kind == "note"])
        passages += [_passage(family, notes[n]) for n, family in enumerate(families)]
        problems += [Problem(x.line, f"a note in “{title}” stands beside no highlight: {x.text!r:.80}") for x in alone]
    problems.sort(key=lambda p: p.line or 0)
    return Read(
        tuple(sorted(passages, key=lambda p: p.line or 0)),
        tuple(problems),
        replaced,
        sum(x.kind == "bookmark" for x in clips),
    )


# --- entries --------------------------------------------------------------------------------------------------------


def _entries(text: str) -> Iterator[Clip | Problem]:
    """Yield the entries in order; what is none is a problem, and so is a last one that the file breaks off in."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    begin = 0
    for n, line in enumerate(lines):
        if SEPARATOR.match(line.strip("\ufeff")):
            if any(x.strip("\ufeff ") for x in lines[begin:n]):
                yield _entry(lines[begin:n], begin + 1)
            begin = n + 1
    if any(x.strip("\ufeff ") for x in lines[begin:]):
        at = next(i for i in range(begin, len(lines)) if lines[i].strip("\ufeff "))
        yield Problem(at + 1, "the file breaks off in this entry, so it may not be whole")


def _entry(lines: Sequence[str], first: int) -> Clip | Problem:
    lead = next(i for i, x in enumerate(lines) if x.strip("\ufeff "))
    title = clean(lines[lead].strip("\ufeff \t"))
    facts = lines[lead + 1].strip("\ufeff \t") if lead + 1 < len(lines) else ""
    kind = next((k for k, pattern in _KINDS if pattern.search(_BETWEEN_FACTS.split(facts)[0])), None)
    if not facts.startswith("-") or kind is None:
        return Problem(first + lead, f"this is no entry of a clippings file: {title!r:.60}")
    location, page = _numbers(_LOCATION.search(facts)), _numbers(_PAGE.search(facts))
    return Clip(
        line=first + lead,
        title=title,
        kind=kind,
        place=location or page,
        page=page[0] if page else None,
        date=read_date(_BETWEEN_FACTS.split(facts)[-1]),
        text=clean("\n".join(lines[lead + 2 :]).strip()),
    )


def _numbers(found: "re.Match[str] | None") -> tuple[int, int] | None:
    if found is None:
        return None
    first, *rest = (g for g in found.groups() if g is not None)
    start = int(first)
    if not rest:
        return start, start
    last = rest[0]
    if int(last) < start and len(last) < len(first):  # 1170-72
        last = first[: -len(last)] + last
    return start, max(start, int(last))


# --- entries of one highlight ---------------------------------------------------------------------------------------


def _families(clips: Sequence[Clip]) -> list[list[Clip]]:
    """Group the entries that are one highlight in its several forms; each group in the order of the file."""
    families: list[list[Clip]] = []
    for clip in clips:
        fitting = [f for f in families if any(_one_highlight(clip, x) for x in f)]
        for family in fitting[1:]:  # a long one may hold several that were apart
            families.remove(family)
        joined = sorted([x for f in fitting for x in f] + [clip], key=lambda x: x.line)
        if fitting:
            families[families.index(fitting[0])] = joined
        else:
            families.append(joined)
    return families


def _one_highlight(one: Clip, other: Clip) -> bool:
    a, b = fold(one.text).text, fold(other.text).text
    if not (a in b or b in a):
        return False
    if one.place is None or other.place is None:
        return a == b
    return one.place[0] <= other.place[1] and other.place[0] <= one.place[1]


def _notes_of(families: Sequence[Sequence[Clip]], notes: Sequence[Clip]) -> tuple[list[list[Clip]], list[Clip]]:
    """Give each note to the highlight at its place that is nearest in the file; return those of each, and the rest."""
    given: list[list[Clip]] = [[] for _ in families]
    alone: list[Clip] = []
    for note in notes:
        near = [
            (abs(clip.line - note.line), n)
            for n, family in enumerate(families)
            for clip in family
            if note.place and clip.place and clip.place[0] <= note.place[0] <= clip.place[1]
        ]
        if near:
            given[min(near)[1]].append(note)
        else:
            alone.append(note)
    return given, alone


def _passage(family: Sequence[Clip], notes: Sequence[Clip]) -> Passage:
    """Return the passage of a highlight: the words of its longest form, the id of its first, the time of its last."""
    first = family[0]
    kept = max(family, key=lambda x: (len(fold(x.text).text), x.line))
    titles, author = _titles(first.title)
    dates = [x.date for x in (*family, *notes) if x.date]
    bodies: list[str] = []
    for note in notes:  # a note that was written on is a further entry, too
        bodies = [b for b in bodies if b not in note.text]
        if not any(note.text in b for b in bodies):
            bodies.append(note.text)
    place = "" if first.place is None else f"{first.place[0]}-{first.place[1]}"
    facts = {"location": "-".join(map(str, dict.fromkeys(kept.place)))} if kept.place else {}
    return Passage(
        line=kept.line,
        name=f"highlight in “{titles[0]}”",
        identity=("kindle", first.title, place, first.date or "", first.text),
        origin="kindle",
        titles=titles,
        author=author,
        quote=_without_cut(kept.text),
        body="\n\n".join(bodies),
        order=kept.place[0] if kept.place else None,
        created=min(dates, default=EPOCH),
        updated=max(dates, default=EPOCH),
        details=facts,
    )


def _without_cut(text: str) -> str:
    """Return a highlight without the mark that says that it was cut."""
    return re.sub(r"\s*(?:…|\.\.\.)\s*$", "", text) if len(text) > 40 else text


def _titles(written: str) -> tuple[tuple[str, ...], str]:
    """Return what a title line may call a book (with and without what stands in brackets), and its author."""
    found = _AUTHOR.search(written)
    bare = written[: found.start()].strip() if found else ""
    if not found or not bare:
        return (written,), ""
    return (bare, written), found[1].strip()
