"""Reading JSON that others may have written or cut: every value is checked, and an error says where it stands."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from glossator.document.model import clean
from glossator.errors import DamagedFile

Json = dict[str, Any]
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_NOTE = re.compile(r"n-[0-9a-z]{4,64}")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Fields:
    """An object of a JSON file, and the words for its place in it."""

    data: Json
    where: str

    def wrong(self, name: str, wanted: str) -> DamagedFile:
        """Return the error that a value is not what it should be."""
        return DamagedFile(
            f"{self.where}: {name!r} is not {wanted}",
            hint="nothing was changed; take the file as it was exported, or export it again",
        )

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; without a default it must be there."""
        found = self.data.get(name, default)
        if not isinstance(found, str):
            raise self.wrong(name, "a text")
        return clean(found)

    def optional(self, name: str) -> str | None:
        """Return a text, or None where there is none."""
        return None if self.data.get(name) is None else self.text(name)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Return one of some words."""
        found = self.text(name)
        if found not in choices:
            raise self.wrong(name, f"one of {', '.join(choices)}")
        return found

    def hash(self, name: str) -> str:
        """Return a SHA-256 as 64 hexadecimal digits."""
        found = self.text(name)
        if not _HASH.fullmatch(found):
            raise self.wrong(name, "a SHA-256 of 64 hexadecimal digits")
        return found

    def note(self, name: str, *, prefix: str = "") -> str:
        """Return the id of a note, which may stand behind a prefix."""
        found = self.text(name).removeprefix(prefix)
        if not _NOTE.fullmatch(found):
            raise self.wrong(name, f"the id of a note, such as {prefix}n-0123456789")
        return found

    def time(self, name: str) -> str:
        """Return a time (RFC 3339) in UTC, to the second, so that times can be compared."""
        found = self.text(name)
        told = utc(found, "") if _TIME.fullmatch(found) else ""
        if not told:
            raise self.wrong(name, "a time such as 2026-11-30T12:00:00Z")
        return told

    def integer(self, name: str) -> int:
        """Return a number that is not negative and whole."""
        found = self.data.get(name)
        if not isinstance(found, int) or isinstance(found, bool) or found < 0:
            raise self.wrong(name, "a whole number")
        return found

    def number(self, name: str) -> float:
        """Return a number."""
        found = self.data.get(name)
        if not isinstance(found, int | float) or isinstance(found, bool):
            raise self.wrong(name, "a number")
        return float(found)

    def flag(self, name: str) -> bool:
        """Return a truth value."""
        found = self.data.get(name)
        if not isinstance(found, bool):
            raise self.wrong(name, "true or false")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; none where it is not there."""
        found = self.data.get(name, [])
        if not isinstance(found, list) or not all(isinstance(x, str) for x in found):
            raise self.wrong(name, "a list of texts")
        return tuple(clean(x) for x in found)

    def mapping(self, name: str) -> Json:
        """Return an object as it is; an empty one where it is not there."""
        found = self.data.get(name, {})
        if not isinstance(found, dict):
            raise self.wrong(name, "an object")
        return found

    def inner(self, name: str) -> "Fields":
        """Return an object that must be there."""
        if not isinstance(self.data.get(name), dict):
            raise self.wrong(name, "an object")
        return Fields(self.data[name], f"{self.where}, {name}")

    def objects(self, name: str) -> "Iterator[Fields]":
        """Yield the objects of a list; none where it is not there."""
        found = self.data.get(name, [])
        if not isinstance(found, list) or not all(isinstance(x, dict) for x in found):
            raise self.wrong(name, "a list of objects")
        for n, x in enumerate(found):
            yield Fields(x, f"{self.where}, {name}[{n}]")


def utc(text: str | None, default: str) -> str:
    """Return a time of another program in UTC to the second; the default where there is none that can be read."""
    try:
        found = datetime.fromisoformat((text or "").strip().replace("Z", "+00:00"))
        found = (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return default
    return found.replace(microsecond=0, tzinfo=None).isoformat() + "Z"
