"""What search, ask, locate and verify answer, as values; `to_json()` is the shape that every surface prints."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from glossator.library.results import DocumentRef

if TYPE_CHECKING:
    from glossator.document.locator import Locator

Json = dict[str, Any]
Verdict = Literal["verified", "repaired", "not_found"]
CheckedStatus = Literal["verified", "repaired", "misattributed", "not_found", "document_missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A passage that answers a search. `score` falls with rank and means nothing between searches."""

    rank: int
    score: float
    document: DocumentRef
    text: str
    locator: "Locator"
    trace: Json | None = None

    def to_json(self) -> Json:
        """Return the entry of `hits`."""
        shape: Json = {
            "rank": self.rank,
            "score": round(self.score, 6),
            "document": self.document.to_json(),
            "text": self.text,
            "locator": self.locator.to_json(),
        }
        return shape if self.trace is None else shape | {"trace": self.trace}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Hits, best first. `why_not` explains what kept a named document out of them."""

    query: str
    hits: tuple[Hit, ...]
    took_ms: float
    notice: str | None = None
    why_not: Json | None = None

    def to_json(self) -> Json:
        """Return the JSON of `search`."""
        shape: Json = {
            "hits": [h.to_json() for h in self.hits],
            "took_ms": round(self.took_ms, 1),
            "notice": self.notice,
        }
        return shape if self.why_not is None else shape | {"why_not": self.why_not}


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A receipt: the source's own words and where they stand."""

    n: int
    status: Literal["verified", "repaired", "misattributed"]
    quote: str
    document: DocumentRef
    locator: "Locator"

    def to_json(self) -> Json:
        """Return the entry of `citations`."""
        return {
            "n": self.n,
            "status": self.status,
            "quote": self.quote,
            "document": self.document.to_json(),
            "locator": self.locator.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing done on the way to an answer."""

    tool: str
    args: Json
    state: Literal["completed", "failed", "stopped"]
    seconds: float
    summary: str

    def to_json(self) -> Json:
        """Return the entry of `steps`."""
        return {
            "tool": self.tool,
            "args": self.args,
            "state": self.state,
            "seconds": round(self.seconds, 3),
            "summary": self.summary,
        }


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model was asked for; all zero when none was."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0

    def to_json(self) -> Json:
        """Return the four figures."""
        return {
            "requests": self.requests,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": self.cost,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer with its receipts, or an abstention."""

    text: str
    abstained: bool
    citations: tuple[Citation, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()  # quotation, why it was withheld
    steps: tuple[Step, ...] = ()
    session: str | None = None
    model: str = "none"
    usage: Usage = field(default_factory=Usage)
    stopped: str | None = None
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `ask`."""
        shape: Json = {
            "answer": self.text,
            "abstained": self.abstained,
            "citations": [c.to_json() for c in self.citations],
            "rejected": [{"quote": quote, "status": status} for quote, status in self.rejected],
            "steps": [s.to_json() for s in self.steps],
            "session": self.session,
            "model": self.model,
            "usage": self.usage.to_json(),
            "stopped": self.stopped,
        }
        return shape if self.notice is None else shape | {"notice": self.notice}


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A passage close to a quotation that was not found; `score` between 0 and 1."""

    document: DocumentRef
    text: str
    score: float
    locator: "Locator"

    def to_json(self) -> Json:
        """Return the entry of `near`."""
        return {
            "document": self.document.id,
            "text": self.text,
            "score": round(self.score, 4),
            "locator": self.locator.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where a quotation stands. `occurrences` counts those in the scope; the locator addresses the first."""

    quote: str
    status: Verdict
    repairs: tuple[str, ...] = ()
    occurrences: int = 0
    document: DocumentRef | None = None
    locator: "Locator | None" = None
    near: tuple[Near, ...] = ()
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `locate`."""
        shape: Json = {
            "status": self.status,
            "repairs": list(self.repairs),
            "occurrences": self.occurrences,
            "document": None if self.document is None else self.document.id,
            "locator": None if self.locator is None else self.locator.to_json(),
            "near": [n.to_json() for n in self.near],
        }
        return shape if self.notice is None else shape | {"notice": self.notice}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuotation:
    """A quotation of a file, checked: `claimed` is the id it was attributed to, or None."""

    quote: str
    status: CheckedStatus
    claimed: str | None = None
    document: DocumentRef | None = None
    locator: "Locator | None" = None

    def to_json(self) -> Json:
        """Return the entry of `quotations`."""
        return {
            "quote": self.quote,
            "status": self.status,
            "claimed": self.claimed,
            "document": None if self.document is None else self.document.id,
            "locator": None if self.locator is None else self.locator.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """All quotations of a file, in order."""

    quotations: tuple[CheckedQuotation, ...]
    notice: str | None = None

    @property
    def ok(self) -> bool:
        """Return True when every quotation is verified or repaired."""
        return all(q.status in ("verified", "repaired") for q in self.quotations)

    def to_json(self) -> Json:
        """Return the JSON of `verify`."""
        shape: Json = {"ok": self.ok, "quotations": [q.to_json() for q in self.quotations]}
        return shape if self.notice is None else shape | {"notice": self.notice}
