"""Names, stances and maps made better by a language model: it reads what was found without one, and says more exactly.

Nothing is added that was not found in the documents: the model tells which names are one person and who they are,
how a passage stands to a claim, how a key sentence is called in a few words. Each of its words is held against the
passage it is about, and goes through the wall; where it fails or a limit is reached, what was found without it stays.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from glossator.agent.citations import support
from glossator.agent.limits import Stopped
from glossator.agent.parting import is_of
from glossator.agent.replies import FENCE, Replies, fenced
from glossator.agent.speaking import LimitReached, Speaker
from glossator.agent.wall import Wall
from glossator.library.analysis.compare import compare as extract_stances
from glossator.library.analysis.names import Kind
from glossator.library.analysis.outline import outline as extract_map
from glossator.library.analysis.people import people as extract_names
from glossator.library.analysis.values import Comparison, Map, Named, Node, People, Stance, Stand
from glossator.library.findings import Usage
from glossator.library.results import joined
from glossator.search.query import Query

if TYPE_CHECKING:
    from glossator.document.locator import Locator
    from glossator.library.scoping import Scoped

Json = dict[str, Any]
T = TypeVar("T")
KINDS: tuple[Kind, ...] = get_args(Kind)
DESCRIBED = 40  # names that the model is asked about, the most frequent
AT_ONCE = 10  # names, passages or sentences in one request
PASSAGES, AROUND = 3, 260  # passages of a name, and characters of each
DESCRIBES = 0.5  # share of the terms of a description that one passage must hold
LABEL = 60  # characters of a short title

NAMES = (
    f"Each numbered entry is a name from a book with passages about it. {FENCE} For each entry write one line:\n"
    f"NUMBER | KIND | WHO OR WHAT | SAME\nKIND is one of {', '.join(KINDS)}, or none if it is no name. WHO OR WHAT is "
    "one short sentence that says only what the passages say, in their language. SAME is the number of an earlier "
    "entry that means the same, else -. Nothing but these lines."
)
STANCES = (
    f"You get a claim and numbered passages. {FENCE} For each passage write one line: its number, a colon, and one "
    "word: supports (it says the claim is so), contradicts (it says the claim is not so), mentions (it is about the "
    "same thing without deciding), or unrelated."
)
LABELS = (
    f"Each numbered line is a sentence from a book. {FENCE} For each write one line: its number, a bar |, and a title "
    "of three to seven words that says what the sentence says, with its own words, in its language. Nothing else."
)
_ENTRY = re.compile(r"^\W*(\d{1,3})\s*[|｜.:：]\s*(.+)$")
_STANCE = re.compile(r"(\d{1,3})\W+(supports?|contradicts?|mentions?|unrelated)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Described(Named):
    """A name with who or what it is: a sentence of the model, and the place that bears it out."""

    about: str = ""
    source: "Locator | None" = None

    def to_json(self) -> Json:
        """Return the entry of `names`."""
        shape = Named.to_json(self)
        if not self.about or self.source is None:
            return shape
        return shape | {"about": self.about, "about_locator": self.source.to_json(), "also": list(self.forms)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Improved:
    """An analysis that a model improved, and what that took; its JSON is that of the analysis with both."""

    found: People | Comparison | Map
    model: str
    usage: Usage
    stopped: Stopped | None = None

    def to_json(self) -> Json:
        """Return the JSON of the analysis, with the model, its usage, and the limit that ended it."""
        return self.found.to_json() | {
            "model": self.model,
            "usage": self.usage.to_json(),
            "stopped": self.stopped,
        }


def people(shown: "Scoped", speaker: Speaker) -> Improved:
    """Return the names of the one document of a scope, those of one person as one, with who or what each is.

    Raises:
        ModelError: the model cannot be asked.
    """
    found = extract_names(shown)
    named, stopped = _each(found.names[:DESCRIBED], _Names(shown, speaker).told_apart)
    names = sorted((*named, *found.names[DESCRIBED:]), key=lambda n: -n.count)
    return _improved(replace(found, names=tuple(names)), speaker, stopped)


def compare(shown: "Scoped", claim: str, speaker: Speaker) -> Improved:
    """Return the passages that have to do with a claim, with the stance that the model reads in each.

    Raises:
        UsageError: there is no claim.
        ModelError: the model cannot be asked.
    """
    found = extract_stances(shown, claim)

    def read(group: Sequence[Stand]) -> list[Stand]:
        text = "\n".join(f"[{n}] {' '.join(s.text.split())}" for n, s in enumerate(group, 1))
        reply = speaker.say(STANCES, f"Claim: {' '.join(claim.split())}\n\n{fenced(text)}")
        said = {int(m[1]): m[2].lower() for m in _STANCE.finditer(reply)}
        return [s for n, stand in enumerate(group, 1) if (s := _standing(stand, said.get(n))) is not None]

    kept, stopped = _each(found.passages, read)
    ordered = sorted(kept, key=lambda s: s.stance == "mentions")
    return _improved(replace(found, passages=tuple(ordered)), speaker, stopped)


def outline(shown: "Scoped", speaker: Speaker) -> Improved:
    """Return a document as a tree in which key sentences have short titles.

    Raises:
        ModelError: the model cannot be asked.
    """
    found = extract_map(shown)
    reader = shown.reader
    replies = Replies(reader, reader.open(shown.only.key), speaker)
    wall = Wall(reader, notice=shown.notice)
    titles: dict[Locator, str] = {}

    def name(group: Sequence[Node]) -> list[Node]:
        sentences = [" ".join((n.locator.quote.exact if n.locator.quote else n.title).split()) for n in group]
        text = "\n".join(f"[{n}] {s}" for n, s in enumerate(sentences, 1))
        reply = replies.to(LABELS, fenced(text), (group[0].locator.start, group[-1].locator.end))
        for number, label in _entries(reply):
            title = label.strip(' .。"“”')
            if 0 < number <= len(group) and 0 < len(title) <= LABEL and is_of(title, sentences[number - 1]):
                titles[group[number - 1].locator] = wall.masked(title)
        return list(group)

    _, stopped = _each([node for _, node in found.root.walk() if node.is_point], name)
    return _improved(replace(found, root=_titled(found.root, titles)), speaker, stopped)


class _Names:
    """Names as a model tells them apart."""

    def __init__(self, shown: "Scoped", speaker: Speaker) -> None:
        self._reader = shown.reader
        self._key = shown.only.key
        self._replies = Replies(self._reader, self._reader.open(self._key), speaker)
        self._wall = Wall(self._reader, notice=shown.notice)

    def told_apart(self, group: Sequence[Named]) -> list[Named]:
        """Return names with what each is, those that are one merged, what is no name left out."""
        names: list[Named | None] = list(group)
        spans = [self._passages(name) for name in group]
        texts = ["\n".join(self._reader.text(*span) for span in own) for own in spans]
        listed = enumerate(zip(group, texts, strict=True), 1)
        text = "\n\n".join(f"{n}. {name.name}\n{words}" for n, (name, words) in listed)
        reply = self._replies.to(NAMES, fenced(text), (0, self._replies.opened.end))
        for number, rest in _entries(reply):
            if 0 < number <= len(group):
                self._learn(names, number - 1, re.split(r"\s*[|｜]\s*", rest), spans[number - 1])
        return [n for n in names if n is not None]

    def _learn(
        self, names: list[Named | None], n: int, fields: Sequence[str], spans: Sequence[tuple[int, int, int]]
    ) -> None:
        """Take what is said of one name."""
        kind, about, same = [*(f.strip() for f in fields), "", "", ""][:3]
        name = names[n]
        if name is None:
            return
        earlier = int(same) - 1 if same.isdecimal() else -1
        one = names[earlier] if 0 <= earlier < n else None
        if kind.lower() == "none" or one is not None:
            names[n] = None
            if one is not None:
                names[earlier] = _merged(one, name)
            return
        known = kind.lower() if kind.lower() in KINDS else name.kind
        said, source = self._borne_out(name, about, spans)
        names[n] = Described(
            name.name, cast(Kind, known), name.count, name.first, name.forms, about=said, source=source
        )

    def _borne_out(
        self, name: Named, about: str, spans: Sequence[tuple[int, int, int]]
    ) -> "tuple[str, Locator | None]":
        """Return what a name is said to be where a passage bears it out, with the place; the name proves nothing."""
        bare = about
        for form in sorted((name.name, *name.forms), key=len, reverse=True):
            bare = bare.replace(form, " ")
        with self._reader.database.read():
            for span in spans:
                if not (bare.strip(" .。") and is_of(bare, self._reader.text(*span), known=DESCRIBES)):
                    continue
                place = support(self._reader, span, about)
                held = self._wall.hold(about, cited=True)
                if place is not None and not (held and held.withheld):
                    locator = self._reader.locator(place.opened, place.match.start, place.match.end)
                    return held.shown if held else about, locator
        return "", None

    def _passages(self, name: Named) -> list[tuple[int, int, int]]:
        """Return where a name is first met, and the passages that are most about it."""
        first = name.first.start
        spans = [(self._key, max(0, first - AROUND // 2), first + AROUND)]
        query = Query(text=name.name, phrases=(name.name,))
        for passage in self._reader.narrowed(self._key).search(query, k=PASSAGES, mode="lexical").passages:
            text = self._reader.text(self._key, passage.start, passage.end)
            at = passage.start + max(0, text.find(name.name))
            spans.append((self._key, max(passage.start, at - AROUND // 2), min(passage.end, at + AROUND)))
        return spans[:PASSAGES]


def _merged(one: Named, other: Named) -> Named:
    first = min(one.first, other.first, key=lambda place: place.start)
    forms = tuple(dict.fromkeys((*one.forms, other.name, *other.forms)))
    return replace(one, count=one.count + other.count, first=first, forms=forms)


def _standing(stand: Stand, said: str | None) -> Stand | None:
    """Return a passage with the stance that was read in it; None where it has nothing to do with the claim."""
    if said is None:
        return stand
    if said == "unrelated":
        return None
    return replace(stand, stance=cast(Stance, said if said.endswith("s") else f"{said}s"))


def _titled(node: Node, titles: "dict[Locator, str]") -> Node:
    title = titles.get(node.locator, node.title) if node.is_point else node.title
    return replace(node, title=title, children=tuple(_titled(c, titles) for c in node.children))


def _entries(reply: str) -> Iterator[tuple[int, str]]:
    for line in reply.splitlines():
        if match := _ENTRY.match(line):
            yield int(match[1]), match[2].strip()


def _each(items: Sequence[T], work: Callable[[Sequence[T]], list[T]]) -> tuple[list[T], Stopped | None]:
    """Return what is made of items, group by group, and the limit that ended it: the rest stays as it was then."""
    made: list[T] = []
    for at in range(0, len(items), AT_ONCE):
        try:
            made += work(items[at : at + AT_ONCE])
        except LimitReached as error:
            return [*made, *items[at:]], error.stopped
    return made, None


def _improved(found: People | Comparison | Map, speaker: Speaker, stopped: Stopped | None) -> Improved:
    return Improved(
        found=replace(found, notice=joined([found.notice, _cut(stopped), speaker.told()])),
        model=speaker.model.name,
        usage=speaker.spent.usage,
        stopped=stopped,
    )


def _cut(stopped: Stopped | None) -> str | None:
    return None if stopped is None else f"The limit of {stopped} was reached: the rest is as it is without a model."
