"""What `backup` and `restore` answer."""

from dataclasses import dataclass
from pathlib import Path

from glossator.library.results import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A backup that was restored and compared, and what is in it. `left_out`: files elsewhere that are not in it."""

    path: Path
    bytes: int
    sha256: str
    documents: int
    notes: int
    sessions: int
    left_out: int = 0

    def to_json(self) -> Json:
        """Return the JSON of `backup` and `restore`."""
        return {
            "path": str(self.path),
            "bytes": self.bytes,
            "sha256": self.sha256,
            "documents": self.documents,
            "notes": self.notes,
            "sessions": self.sessions,
            "verified": True,
        }
