"""A document in its own sentences, by chapter; under a bound, the story so far.

Known limit: nothing is put in other words and nothing is concluded. Where what happens is told in talk alone, the
sentences between the speeches are all there is to show.
"""

from collections import Counter
from collections.abc import Sequence

from glossator.document.model import Section
from glossator.library.analysis.centrality import Weights, choose, ranked
from glossator.library.analysis.names import Kind, Name, is_han, names
from glossator.library.analysis.prose import Part, Sentence, coverage, parts
from glossator.library.analysis.values import Chapter, Point, Span, Summary
from glossator.library.reader import Opened, Reader
from glossator.library.scoping import Scoped

WHO, WHERE = 6, 4  # names of a chapter
STORY = 5  # times that persons are met in a text that tells a story
LEAST = 2  # times that a name is met in a chapter
Told = tuple[Part, list[Sentence]]

LAST = 5  # points of the last chapter read, for who comes back to it


def summary(shown: Scoped, section: int | None = None) -> Summary:
    """Return the summary of the one document of a scope, or of a section of it.

    Raises:
        NotFound: there is no such section, or it begins past the bound.
    """
    reader, key = shown.reader, shown.only.key
    with reader.database.read():
        opened = reader.open(key)
        span = None if section is None else reader.section(key, section)
        read = parts(reader, opened, span)
        found = names([piece for part in read for piece in part.pieces])
        chosen = _chosen(read, found, opened, whole=section is None)
        points = tuple(_point(reader, opened, s) for _, group in chosen for s in group)
        chapters = _chapters(chosen, found if tells_a_story(found) else [])
        stopped = _stopped(reader, opened) if span is None else None
        return Summary(
            document=opened.ref,
            text=_told(chosen, chapters, points, stopped=stopped),
            points=points,
            coverage=coverage(opened, read, span),
            chapters=tuple(chapters),
            stopped=stopped,
            notice=shown.notice,
        )


def tells_a_story(found: Sequence[Name]) -> bool:
    """Return whether names say that a text is about persons: several are met often."""
    return sum(n.count >= STORY for n in found if n.kind == "person") > 1


def _chosen(read: Sequence[Part], found: Sequence[Name], opened: Opened, *, whole: bool) -> list[Told]:
    """Return the parts that have something to show, each with its sentences."""
    weights = Weights(read)
    usual = _usual(len(read), whole=whole)
    chosen = []
    for n, part in enumerate(read):
        last = whole and opened.capped and n == len(read) - 1 and n > 0
        count = min(LAST if last else usual, max(1, len(part.sentences) // 4))
        apart = (part.end - part.start) // (2 * count)
        chosen.append((part, choose(ranked(part, weights.of(n), _worth(part, found)), count, apart)))
    return [(part, group) for part, group in chosen if group]


def _usual(count: int, *, whole: bool) -> int:
    """Return how many sentences a part gets."""
    for most, points in ((1, 8), (3, 5), (8, 4), (16, 3), (30, 2)):
        if count <= most:
            return points
    return 1 if whole else 2


def _worth(part: Part, found: Sequence[Name]) -> dict[int, float]:
    """Return where names stand in a part, and what each place counts; where one is first met it counts most."""
    worth: dict[int, float] = {}
    for name in (n for n in found if n.count > 2):
        for n, (start, _) in enumerate(name.places):
            if part.start <= start < part.end:
                worth[start] = 0.5 if n == 0 and name.count > 4 else 0.15
    return worth


def _chapters(chosen: Sequence[Told], found: Sequence[Name]) -> list[Chapter]:
    numbers = iter(range(1, sum(len(group) for _, group in chosen) + 1))
    return [
        Chapter(
            part.title,
            _present(part, found, ("person", "name"), WHO),
            _present(part, found, ("place",), WHERE),
            tuple(next(numbers) for _ in group),
        )
        for part, group in chosen
    ]


def _present(part: Part, found: Sequence[Name], kinds: Sequence[Kind], most: int) -> tuple[str, ...]:
    here: Counter[str] = Counter()
    for name in found:
        if name.kind in kinds and (name.kind != "name" or name.count >= STORY):
            here[name.name] = sum(part.start <= start < part.end for start, _ in name.places)
    return tuple(name for name, times in here.most_common(most) if times >= LEAST)


def _stopped(reader: Reader, opened: Opened) -> str | None:
    """Return the last whole sentence before the bound."""
    if not opened.capped:
        return None
    span: Span = (max(0, opened.end - 4_000), opened.end)
    last = [s for part in parts(reader, opened, span) for s in part.sentences]
    return last[-1].text if last else None


def _point(reader: Reader, opened: Opened, sentence: Sentence) -> Point:
    text, locator = reader.excerpt(opened, sentence.start, sentence.end)
    return Point(text, locator)


def _told(chosen: Sequence[Told], chapters: Sequence[Chapter], points: Sequence[Point], *, stopped: str | None) -> str:
    """Return the summary as text: by chapter who, where and what, each sentence with its number."""
    han = is_han([piece for part, _ in chosen[:3] for piece in part.pieces])
    lines = [("读到这里为止的故事" if han else "The story so far")] if stopped is not None else []
    for number, ((part, _), chapter) in enumerate(zip(chosen, chapters, strict=True), 1):
        title = chapter.title or (_untitled(part.section, number, han=han) if len(chapters) > 1 else "")
        said = [f"{' '.join(points[n - 1].text.split())} [{n}]" for n in chapter.points]
        lines.append("\n".join(line for line in (title, _line(chapter, han=han), *said) if line))
    if stopped is not None:
        words = " ".join(stopped.split())
        lines.append(f"你读到：{words}" if han else f"You stopped here: {words}")
    return "\n\n".join(lines)


def _untitled(section: Section | None, number: int, *, han: bool) -> str:
    shown = section.number if section else number
    return f"第 {shown} 节" if han else f"Part {shown}"


def _line(chapter: Chapter, *, han: bool) -> str:
    who, where = ("人物：", "地点：") if han else ("Who: ", "Where: ")
    joint = "、" if han else ", "
    shown = [f"{who}{joint.join(chapter.who)}"] if chapter.who else []
    shown += [f"{where}{joint.join(chapter.where)}"] if chapter.where else []
    return ("；" if han else " · ").join(shown)
