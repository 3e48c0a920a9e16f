"""What is said in a conversation, as values: messages of typed parts, and how far each of them may reach.

The agent makes them, sessions keep them, every surface shows them. Each part is kept with the version of its shape.
What a newer version of this program wrote is not lost by an older one: fields it does not know come back out of
`extra`, a kind it does not know is a `Foreign` part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, TypeVar

from glossator.document.model import clean

Json = dict[str, Any]
Role = Literal["user", "assistant", "tool"]
ToolState = Literal["pending", "running", "completed", "failed", "stopped"]
VERSION = 1  # of the shapes below
TOOL_STATES = ("pending", "running", "completed", "failed", "stopped")
OWN = ("version", "extra")

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Versioned:
    version: int = VERSION
    extra: Mapping[str, Any] = field(default_factory=dict)  # fields of a newer version

    kind: ClassVar[str]

    def to_json(self) -> Json:
        """Return kind, version and fields; a field that is None is left out."""
        named = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in OWN}
        known = {name: value for name, value in named.items() if value is not None}
        return {"kind": self.kind, "version": self.version, **known, **self.extra}


@dataclass(frozen=True, slots=True)
class Text(_Versioned):
    """Words that are shown."""

    text: str

    kind: ClassVar[str] = "text"


@dataclass(frozen=True, slots=True)
class Reasoning(_Versioned):
    """What a model thought before it answered."""

    text: str

    kind: ClassVar[str] = "reasoning"


@dataclass(frozen=True, slots=True)
class Tool(_Versioned):
    """A call of a tool with its arguments; `result` and `seconds` once it ended, `summary` one line of it."""

    id: str
    name: str
    args: Mapping[str, Any]
    state: ToolState
    result: Any = None
    seconds: float | None = None
    summary: str | None = None

    kind: ClassVar[str] = "tool"


@dataclass(frozen=True, slots=True)
class Citation(_Versioned):
    """Number `n` of an answer: the words, the verdict on them, and where they stand."""

    n: int
    status: str
    quote: str
    document: Mapping[str, Any] | None = None  # id, title, source
    locator: Mapping[str, Any] | None = None

    kind: ClassVar[str] = "citation"


@dataclass(frozen=True, slots=True)
class Progress(_Versioned):
    """How far long work came; `total` is None where it is not known."""

    label: str
    done: int
    total: int | None = None

    kind: ClassVar[str] = "progress"


@dataclass(frozen=True, slots=True)
class Record(_Versioned):
    """How an answer was made: model, prompt, tools, limits, usage, and what left the machine."""

    data: Mapping[str, Any]

    kind: ClassVar[str] = "record"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A part that this version does not know, kept as it came."""

    data: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """Return the kind that its writer gave it."""
        return str(self.data.get("kind", "unknown"))

    @property
    def version(self) -> int:
        """Return the version of its shape; 0 where it has none."""
        version = self.data.get("version")
        return version if isinstance(version, int) else 0

    def to_json(self) -> Json:
        """Return it as it came."""
        return dict(self.data)


Part = Text | Reasoning | Tool | Citation | Progress | Record | Foreign
Known = type[Text] | type[Reasoning] | type[Tool] | type[Citation] | type[Progress] | type[Record]

_FIELDS: Mapping[Known, Mapping[str, tuple[type, ...]]] = {
    Text: {"text": (str,)},
    Reasoning: {"text": (str,)},
    Tool: {
        "id": (str,),
        "name": (str,),
        "args": (dict,),
        "state": (str,),
        "result": (object,),
        "seconds": (int, float, type(None)),
        "summary": (str, type(None)),
    },
    Citation: {
        "n": (int,),
        "status": (str,),
        "quote": (str,),
        "document": (dict, type(None)),
        "locator": (dict, type(None)),
    },
    Progress: {"label": (str,), "done": (int,), "total": (int, type(None))},
    Record: {"data": (dict,)},
}
_OPTIONAL = ("result", "seconds", "summary", "document", "locator", "total")
KINDS: Mapping[str, Known] = {known.kind: known for known in _FIELDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The first position of a document that could not be seen, in the text of that version."""

    end: int
    text_version: str

    def to_json(self) -> Json:
        """Return end and text_version."""
        return {"end": self.end, "text_version": self.text_version}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a message can have been made from: the bound it was made under.

    `documents` are ids; None means the whole library. `limits` says of some how far they could be seen; the others
    were open to their end. `NOTHING` is the reach of words that no document had a part in.
    """

    documents: tuple[str, ...] | None = None
    limits: Mapping[str, Limit] = field(default_factory=dict)

    def within(self, present: Mapping[str, Limit]) -> bool:
        """Tell whether all of it may be seen when `present` says which documents are limited now, and how far.

        A limit in another text of the same document cannot be compared and counts as larger.
        """
        for document, limit in present.items():
            if self.documents is not None and document not in self.documents:
                continue
            made = self.limits.get(document)
            if made is None or made.text_version != limit.text_version or made.end > limit.end:
                return False
        return True

    def to_json(self) -> Json:
        """Return documents and limits."""
        documents = None if self.documents is None else list(self.documents)
        return {"documents": documents, "limits": {name: limit.to_json() for name, limit in self.limits.items()}}

    @classmethod
    def from_json(cls, data: Any) -> "Reach":
        """Return the reach; where the data says it in no way that is known, the whole library."""
        if not isinstance(data, dict):
            return WHOLE
        documents, limits = data.get("documents"), data.get("limits")
        named = isinstance(documents, list) and all(isinstance(d, str) for d in documents)
        known = {
            name: Limit(end=limit["end"], text_version=limit["text_version"])
            for name, limit in (limits if isinstance(limits, dict) else {}).items()
            if isinstance(limit, dict) and _is(limit.get("end"), int) and isinstance(limit.get("text_version"), str)
        }
        return cls(documents=tuple(documents or ()) if named else None, limits=known)


WHOLE = Reach()
NOTHING = Reach(documents=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Something said: who said it, when, in which parts, and what it can have been made from."""

    id: str
    role: Role
    created: str
    parts: tuple[Part, ...]
    reach: Reach = WHOLE
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the words of its text parts."""
        return text_of(self.parts)

    def to_json(self) -> Json:
        """Return the entry of a session's `messages`: all of it, tool results too."""
        return {
            "id": self.id,
            "role": self.role,
            "created": self.created,
            "text": self.text,
            "parts": [part.to_json() for part in self.parts],
            "bound": self.reach.to_json(),
            "metadata": dict(self.metadata),
        }


def text_of(parts: Sequence[Part]) -> str:
    """Return the words of text parts, joined."""
    return "".join(part.text for part in parts if isinstance(part, Text))


def part_from_json(data: Mapping[str, Any]) -> Part:
    """Return the part; one whose kind or fields this version does not know is `Foreign`."""
    known = KINDS.get(str(data.get("kind")))
    version = data.get("version", VERSION)
    if known is None or not _is(version, int):
        return Foreign(data)
    shape = _FIELDS[known]
    for name, types in shape.items():
        if name not in data and name not in _OPTIONAL:
            return Foreign(data)
        if name in data and not any(_is(data[name], t) for t in types):
            return Foreign(data)
    if known is Tool and data["state"] not in TOOL_STATES:
        return Foreign(data)
    values = {name: data[name] for name in shape if name in data}
    extra = {name: value for name, value in data.items() if name not in (*shape, "kind", "version")}
    return known(**values, version=version, extra=extra)


def cleaned(value: T) -> T:
    """Return JSON whose texts hold nothing that the store cannot: no NUL, no lone surrogate."""
    made: Any = value
    if isinstance(value, str):
        made = clean(value)
    elif isinstance(value, Mapping):
        made = {clean(str(name)): cleaned(item) for name, item in value.items()}
    elif isinstance(value, list | tuple):
        made = [cleaned(item) for item in value]
    return made  # type: ignore[no-any-return]


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not (kind in (int, float) and isinstance(value, bool))
