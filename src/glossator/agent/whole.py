"""The summary of a whole document by a language model: every chapter is read, piece by piece, then put together.

    with Speaker(asked(choice), limits_of("book")) as speaker:
        found = summary(library.scope([doc], bound=bound), speaker)

Map: of each piece the model writes sentences, each with words copied from it; code finds the words, or the sentence of
the piece that bears the claim out, or the sentence goes; a chapter without any speaks in its own words. Reduce: a
chapter with many sentences is condensed, then the whole; every sentence names those that it is made of, so each still
leads to the text. Under a bound this is the story so far, and the wall has the last word.

The size of the pieces follows from the budget of requests. Each reply is kept (`replies`), so a work that was broken
off goes on where it was. `coverage` says which spans were read, to the character.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from glossator.agent.limits import Stopped, cut_in_words
from glossator.agent.parting import Line, Piece, condensed, numbered, pieces, sentences_of
from glossator.agent.replies import FENCE, Replies, fenced
from glossator.agent.speaking import LimitReached, Speaker
from glossator.agent.wall import Wall
from glossator.errors import ModelError
from glossator.library.analysis.names import is_han
from glossator.library.analysis.prose import Part, merged, parts
from glossator.library.analysis.summary import summary as extract
from glossator.library.analysis.values import Chapter, Coverage, Point, Summary
from glossator.library.findings import Usage
from glossator.library.results import joined
from glossator.messages import Progress

if TYPE_CHECKING:
    from glossator.library.reader import Opened, Reader
    from glossator.library.scoping import Scoped

Json = dict[str, Any]
Told = Callable[[Progress], None]
SIZE, SIZE_HERE = 12_000, 6_000  # characters of a piece; of one for a model on this machine, whose context is small
HAN = 0.5  # of these for Chinese, whose characters are a token each
OF_PIECE = 5  # sentences that are asked for
OF_CHAPTER = 5  # sentences of a chapter; above them it is condensed
OF_WHOLE = 8
ROOM = 12_000  # characters of sentences that are condensed at once
SPARE = 4  # requests kept for putting the whole together

MAP = (
    f"You sum up one part of a book for someone who reads it. {FENCE} Say in at most {{most}} sentences who does what "
    "and what happens, or what is claimed and why, in the order of the text. One line each: the sentence, a bar |, "
    "then five to fifteen words copied from the text that bear it out. Example:\n"
    "The keeper hides the lamp from his brother. | he put the lamp under the boards before his brother came\n"
    "Write in {language}, nothing but these lines. Tell only what this part says, nothing you know from elsewhere."
)
REDUCE = (
    "You shorten a summary. The lines are numbered. Write at most {most} sentences that say the most important of them "
    "in order, one a line; after each stand the numbers of the lines it is made of, as [2] or [1, 4]. Write in "
    "{language}, nothing but these lines, and add nothing that the lines do not say."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeSummary:
    """A summary that a model wrote: its sentences lead to the points, which are the document's own words."""

    found: Summary
    model: str
    usage: Usage
    reused: int = 0  # replies of an earlier run
    unproved: int = 0  # sentences that nothing bore out, left out
    stopped: Stopped | None = None

    def to_json(self) -> Json:
        """Return the JSON of `summary`, with the model and what it took."""
        return self.found.to_json() | {
            "model": self.model,
            "usage": self.usage.to_json(),
            "reused": self.reused,
            "stopped": self.stopped,
        }


def summary(
    shown: "Scoped", speaker: Speaker, section: int | None = None, *, told: Told = lambda _: None
) -> WholeSummary:
    """Return the summary of the one document of a scope, or of a section of it, by a model that read all of it.

    Raises:
        NotFound: there is no such section, or it begins past the bound.
        ModelError: the model cannot be asked to the end; what is done is kept.
    """
    reader, key = shown.reader, shown.only.key
    with reader.database.read():
        opened = reader.open(key)
        span = None if section is None else reader.section(key, section)
        chapters = parts(reader, opened, span)
        plain = extract(shown, section)
    work = _Work(reader, opened, Replies(reader, opened, speaker), Wall(reader, notice=shown.notice), told)
    work.han = is_han([p for part in chapters[:3] for p in part.pieces])
    work.read_all(pieces(chapters, work.size(chapters)))
    shortened = [work.chapter(n, part) or work.own_words(n, part, plain) for n, part in enumerate(chapters)]
    over = work.overview(shortened) if sum(map(bool, shortened)) > 1 else []
    return _written(work, chapters, shortened, over, replace(plain, coverage=_coverage(opened, work.done, span)))


class _Work:
    """One pass over a document; what cannot be asked any more is left out, and `stopped` says why."""

    def __init__(self, reader: "Reader", opened: "Opened", replies: Replies, wall: Wall, told: Told) -> None:
        self.reader = reader
        self.opened = opened
        self.replies = replies
        self.wall = wall
        self.told = told
        self.han = False
        self.lines: dict[int, list[Line]] = {}  # by chapter
        self.done: list[Piece] = []
        self.unproved = 0
        self.withheld = 0
        self.stopped: Stopped | None = None

    @property
    def _language(self) -> str:
        return "Chinese (中文)" if self.han else "the language of the text"

    def size(self, chapters: Sequence[Part]) -> int:
        """Return how long a piece must be for the whole to be read within the budget."""
        speaker = self.replies.speaker
        usual = SIZE if speaker.model.remote else SIZE_HERE
        usual = int(usual * HAN) if self.han else usual
        total = sum(part.end - part.start for part in chapters)
        room = speaker.limits.rounds - 2 * len(chapters) - SPARE  # a piece and a half at most is lost to each chapter
        return max(usual, -(-total // max(1, room)))

    def read_all(self, found: Sequence[Piece]) -> None:
        """Let the model read the pieces one after another, as far as the limits allow."""
        instructions = MAP.format(most=OF_PIECE, language=self._language)
        for n, piece in enumerate(found):
            self.told(Progress(label=self._title(piece), done=n, total=len(found)))
            try:
                reply = self.replies.to(instructions, fenced(piece.text), (piece.start, piece.end))
            except LimitReached as error:
                self.stopped = error.stopped
                return
            except ModelError as error:
                done = f"{n} of {len(found)} parts are read and kept; the same command goes on there"
                raise ModelError(f"{error.message} ({done})", hint=error.hint) from error
            self.done.append(piece)
            self._take(reply, piece)
        self.told(Progress(label="putting it together", done=len(found), total=len(found)))

    def _take(self, reply: str, piece: Piece) -> None:
        with self.reader.database.read():
            found = list(sentences_of(reply, self.reader, self.opened.document.key, piece))
        self.unproved += sum(line is None for line in found)
        self.lines.setdefault(piece.chapter, []).extend(self._passed([line for line in found if line is not None]))

    def _passed(self, lines: Sequence[Line]) -> list[Line]:
        """Return the sentences as the wall lets them through."""
        passed = []
        for line in lines:
            held = self.wall.hold(line.text, cited=True)
            self.withheld += held is not None
            if held is None:
                passed.append(line)
            elif not held.withheld:
                passed.append(replace(line, text=held.shown))
        return passed

    def chapter(self, number: int, part: Part) -> list[Line]:
        """Return the sentences of a chapter, condensed where there are many."""
        lines = self.lines.get(number, [])
        return lines if len(lines) <= OF_CHAPTER + 1 else self._condensed(lines, OF_CHAPTER, (part.start, part.end))

    def own_words(self, number: int, part: Part, plain: Summary) -> list[Line]:
        """Return a chapter that was read in its own sentences, where the model wrote none that holds."""
        if not any(piece.chapter == number for piece in self.done):
            return []
        places = [(p.text, p.locator.start, p.locator.end) for p in plain.points]
        return [Line(" ".join(text.split()), ((a, b),)) for text, a, b in places if part.start <= a < part.end]

    def overview(self, chapters: Sequence[Sequence[Line]]) -> list[Line]:
        """Return the whole in a few sentences, made of those of the chapters."""
        lines = [line for chapter in chapters for line in chapter]
        while sum(len(line.text) for line in lines) > ROOM:
            shorter: list[Line] = []
            for group in _groups(lines):
                shorter += self._condensed(group, max(2, len(group) // 3), (0, self.opened.end))
            if len(shorter) >= len(lines):
                break
            lines = shorter
        return self._condensed(lines, OF_WHOLE, (0, self.opened.end), last=True)

    def _condensed(self, lines: Sequence[Line], most: int, span: tuple[int, int], *, last: bool = False) -> list[Line]:
        """Return sentences condensed by the model; some of them as they are where that fails."""
        if len(lines) <= 2:
            return list(lines)
        instructions = REDUCE.format(most=most, language=self._language)
        try:
            reply = self.replies.to(instructions, numbered(lines), span, last=last)
        except LimitReached as error:
            self.stopped = self.stopped or error.stopped
            reply = ""
        found = self._passed(condensed(reply, lines))
        return found[:most] or [lines[n * len(lines) // most] for n in range(min(most, len(lines)))]

    def _title(self, piece: Piece) -> str:
        section = next((s for s in reversed(self.opened.sections) if s.start <= piece.start < s.end), None)
        return section.title if section and section.title else f"{piece.start}-{piece.end}"


def _groups(lines: Sequence[Line]) -> list[list[Line]]:
    """Return sentences in groups that can be condensed at once."""
    groups: list[list[Line]] = [[]]
    used = 0
    for line in lines:
        if used + len(line.text) > ROOM and groups[-1]:
            groups.append([])
            used = 0
        groups[-1].append(line)
        used += len(line.text)
    return groups


def _coverage(opened: "Opened", done: Sequence[Piece], span: tuple[int, int] | None) -> Coverage:
    """Return what was read, to the character, and what was not."""
    start, end = span or (0, opened.document.characters)
    read = merged((p.start, p.end) for p in done)
    missing, at = [], start
    for a, b in read:
        if a > at:
            missing.append((at, a))
        at = max(at, b)
    if at < end:
        missing.append((at, end))
    return Coverage(tuple(read), tuple(missing))


def _written(
    work: _Work, chapters: Sequence[Part], shortened: Sequence[Sequence[Line]], over: Sequence[Line], plain: Summary
) -> WholeSummary:
    """Return the summary as text and points: the whole, then the chapters, each sentence with its numbers."""
    points: dict[tuple[int, int], int] = {}
    present = {p.start: c for c in plain.chapters for n in c.points[:1] for p in [plain.points[n - 1].locator]}

    def said(line: Line) -> str:
        numbers = [points.setdefault(span, len(points) + 1) for span in line.spans]
        return f"{line.text} [{', '.join(map(str, numbers))}]"

    blocks = [("读到这里为止的故事" if work.han else "The story so far")] if plain.stopped is not None else []
    if over:
        blocks.append(("" if work.han else " ").join(said(line) for line in over))
    shown: list[Chapter] = []
    for part, lines in zip(chapters, shortened, strict=True):
        if not lines:
            continue
        before = len(points)
        text = [said(line) for line in lines]
        names = next((c for start, c in present.items() if part.start <= start < part.end), None)
        title = part.title or (names.title if names else "")
        own = tuple(dict.fromkeys(points[s] for line in lines for s in line.spans)) or tuple(
            range(before + 1, len(points) + 1)
        )
        shown.append(Chapter(title, names.who if names else (), names.where if names else (), own))
        blocks.append("\n".join(([title] if title else []) + text))
    spans = list(points)
    with work.reader.database.read():
        words = [Point(*work.reader.excerpt(work.opened, *span)) for span in spans]
    speaker = work.replies.speaker
    cut = None if work.stopped is None else cut_in_words(work.stopped, speaker.limits, chinese=work.han)
    if plain.stopped is not None:
        last = " ".join(plain.stopped.split())
        blocks.append(f"你读到：{last}" if work.han else f"You stopped here: {last}")
    if work.withheld:
        blocks.append(work.wall.closing(work.han))
    found = replace(
        plain,
        text="\n\n".join([*blocks, *([cut] if cut else [])]),
        points=tuple(words),
        chapters=tuple(shown),
        notice=joined([plain.notice, _left_out(work.unproved), speaker.told()]),
    )
    return WholeSummary(
        found=found,
        model=speaker.model.name,
        usage=speaker.spent.usage,
        reused=work.replies.reused,
        unproved=work.unproved,
        stopped=work.stopped,
    )


def _left_out(count: int) -> str | None:
    if not count:
        return None
    if count == 1:
        return "One sentence that nothing in the text bore out was left out."
    return f"{count} sentences that nothing in the text bore out were left out."
