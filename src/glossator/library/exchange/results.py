"""What an export and an import answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was exported: to a path, or as `content`."""

    path: str | None
    notes: int
    content: str | None = None
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the contract's shape; `content` only where nothing was written."""
        content = {} if self.content is None else {"content": self.content}
        return {"path": self.path, "notes": self.notes, **content, "notice": self.notice}


@dataclass(frozen=True, slots=True)
class Problem:
    """What of a file could not be taken in, and in which of its lines it stands."""

    line: int | None
    message: str

    def to_json(self) -> Json:
        """Return the contract's shape."""
        return {"line": self.line, "message": self.message}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What became of the notes of a file. Every one is counted once, links and documents apart."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import changed. `documents` are those whose facts the file tells: updated, unchanged, unmatched."""

    format: str
    notes: Counts = Counts()
    documents: tuple[int, int, int] = (0, 0, 0)
    links: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)  # what is no note of its own, by kind
    problems: tuple[Problem, ...] = ()

    def to_json(self) -> Json:
        """Return the contract's shape."""
        n = self.notes
        return {
            "format": self.format,
            "notes": {
                "added": n.added,
                "updated": n.updated,
                "unchanged": n.unchanged,
                "removed": n.removed,
                "failed": n.failed,
            },
            "links": {"added": self.links},
            "documents": dict(zip(("updated", "unchanged", "unmatched"), self.documents, strict=True)),
            "skipped": dict(self.skipped),
            "problems": [p.to_json() for p in self.problems],
        }
