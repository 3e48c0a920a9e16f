"""What the analyses answer, as values; `to_json()` is the shape that every surface prints."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from glossator.library.analysis.names import Kind
from glossator.library.results import DocumentRef

if TYPE_CHECKING:
    from glossator.document.locator import Locator

Json = dict[str, Any]
Span = tuple[int, int]
Stance = Literal["supports", "contradicts", "mentions"]
Role = Literal["claim", "reason", "evidence", "contrast", "conclusion"]


@dataclass(frozen=True, slots=True)
class Point:
    """A sentence of a document, word for word, and its place."""

    text: str
    locator: "Locator"

    def to_json(self) -> Json:
        """Return text and locator."""
        return {"text": self.text, "locator": self.locator.to_json()}


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which spans of a document were read, and which were not."""

    read: tuple[Span, ...]
    missing: tuple[Span, ...]

    @property
    def share(self) -> float:
        """Return the part of the document that was read: 0 to 1."""
        read, missing = (sum(b - a for a, b in spans) for spans in (self.read, self.missing))
        return read / (read + missing) if read + missing else 0.0

    def to_json(self) -> Json:
        """Return both lists of spans."""
        return {"read": [list(s) for s in self.read], "missing": [list(s) for s in self.missing]}


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a summary: who is in it and where it plays, as far as names tell, and the numbers of its points."""

    title: str
    who: tuple[str, ...]
    where: tuple[str, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A document, or a section of it, in its own sentences. `chapters` says which points belong together."""

    document: DocumentRef
    text: str
    points: tuple[Point, ...]
    coverage: Coverage
    chapters: tuple[Chapter, ...] = ()
    stopped: str | None = None  # the last sentence that was read, under a bound
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `summary`."""
        shape: Json = {
            "summary": self.text,
            "points": [p.to_json() for p in self.points],
            "coverage": self.coverage.to_json(),
        }
        return shape if self.notice is None else shape | {"notice": self.notice}


@dataclass(frozen=True, slots=True)
class Named:
    """A name or a concept, how often it stands in the part that may be shown, and where it is first met."""

    name: str
    kind: Kind
    count: int
    first: "Locator"
    forms: tuple[str, ...] = ()

    def to_json(self) -> Json:
        """Return the entry of `names`."""
        return {"name": self.name, "kind": self.kind, "count": self.count, "first": self.first.to_json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """The names of a document, those met most often first."""

    document: DocumentRef
    names: tuple[Named, ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `people`."""
        shape: Json = {"names": [n.to_json() for n in self.names]}
        return shape if self.notice is None else shape | {"notice": self.notice}


@dataclass(frozen=True, slots=True)
class Stand:
    """A passage that has to do with a claim, and how it stands to it."""

    stance: Stance
    document: DocumentRef
    text: str
    locator: "Locator"

    def to_json(self) -> Json:
        """Return the entry of `passages`."""
        return {
            "stance": self.stance,
            "document": self.document.to_json(),
            "text": self.text,
            "locator": self.locator.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the documents of a scope say to a claim, the nearest first."""

    claim: str
    passages: tuple[Stand, ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `compare`."""
        shape: Json = {"passages": [p.to_json() for p in self.passages]}
        return shape if self.notice is None else shape | {"notice": self.notice}


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a map: a section with its subsections, or a point (`is_point`) below one."""

    title: str
    locator: "Locator"
    children: tuple["Node", ...] = ()
    is_point: bool = False

    def to_json(self) -> Json:
        """Return title, locator and children."""
        return {
            "title": self.title,
            "locator": self.locator.to_json(),
            "children": [c.to_json() for c in self.children],
        }

    def walk(self, depth: int = 0) -> Iterator[tuple[int, "Node"]]:
        """Yield every node with its depth, from the top down."""
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """A document as a tree of its contents and key points."""

    document: DocumentRef
    root: Node
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `map`."""
        shape = self.root.to_json()
        return shape if self.notice is None else shape | {"notice": self.notice}


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence of an argument, and the part it plays, as its connectives tell."""

    role: Role
    point: Point

    def to_json(self) -> Json:
        """Return role, text and locator."""
        return {"role": self.role, **self.point.to_json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """How a text argues: its claims, reasons, examples, objections and conclusions, in order."""

    document: DocumentRef
    steps: tuple[Step, ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the steps."""
        shape: Json = {"steps": [s.to_json() for s in self.steps]}
        return shape if self.notice is None else shape | {"notice": self.notice}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotations:
    """Sentences worth remembering, best first."""

    document: DocumentRef
    points: tuple[Point, ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the quotations."""
        shape: Json = {"quotations": [p.to_json() for p in self.points]}
        return shape if self.notice is None else shape | {"notice": self.notice}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Two sections side by side: terms of both, of either alone, and sentences of the two that are alike."""

    titles: tuple[str, str]
    shared: tuple[str, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]
    pairs: tuple[tuple[Point, Point], ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the comparison of two sections."""
        shape: Json = {
            "sections": list(self.titles),
            "shared": list(self.shared),
            "only": [list(terms) for terms in self.only],
            "pairs": [[a.to_json(), b.to_json()] for a, b in self.pairs],
        }
        return shape if self.notice is None else shape | {"notice": self.notice}
