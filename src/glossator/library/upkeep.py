"""What the library answers about itself: models, checks, lines of a batch, figures. See `results`.

Apart from the other shapes because no search and no answer needs them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from glossator.library.results import Json, with_notice

CheckStatus = Literal["ok", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class ModelList:
    """The embedders that can be used here, and the language models (none are built in)."""

    embedders: tuple[Json, ...]
    models: tuple[Json, ...] = ()

    def to_json(self) -> Json:
        """Return the JSON of `models`."""
        return {"embedders": list(self.embedders), "models": list(self.models)}


@dataclass(frozen=True, slots=True)
class Check:
    """One finding of `doctor`; the hint says what to do about a warning or a failure."""

    name: str
    status: CheckStatus
    detail: str
    hint: str | None = None

    def to_json(self) -> Json:
        """Return the entry of `checks`."""
        return {"name": self.name, "status": self.status, "detail": self.detail, "hint": self.hint}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What `doctor` found."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Return False when a check failed; warnings do not count."""
        return all(c.status != "failed" for c in self.checks)

    def to_json(self) -> Json:
        """Return the JSON of `doctor`."""
        return {"ok": self.ok, "checks": [c.to_json() for c in self.checks]}


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """One answer line of `batch`: a result, or an error."""

    id: Any
    result: Json | None = None
    error: Json | None = None

    def to_json(self) -> Json:
        """Return the line: the id as it was given, and what came of it."""
        return {"id": self.id, "result": self.result} if self.error is None else {"id": self.id, "error": self.error}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Retrieval figures over some questions, each between 0 and 1."""

    queries: int
    recall_1: float
    recall_5: float
    mrr: float

    def to_json(self) -> Json:
        """Return the four figures."""
        return {
            "queries": self.queries,
            "recall@1": round(self.recall_1, 4),
            "recall@5": round(self.recall_5, 4),
            "mrr": round(self.mrr, 4),
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of `eval`, overall and by document, format, language and kind of question."""

    total: Scores
    by: Mapping[str, Mapping[str, Scores]] = field(default_factory=dict)
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `eval`."""
        by = {facet: {value: s.to_json() for value, s in values.items()} for facet, values in self.by.items()}
        return with_notice(self.total.to_json() | {"by": by}, self.notice)
