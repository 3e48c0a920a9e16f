"""What left the machine for an answer: host, bytes, passages, cost, request by request."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One round's requests: to which host, how many bytes, which passages for the first time, what it cost."""

    round: int
    host: str
    remote: bool
    bytes: int
    requests: int = 1
    passages: tuple[tuple[str, int, int], ...] = ()  # document id, start, end
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def to_json(self) -> Json:
        """Return the entry as it is exported."""
        return {
            "round": self.round,
            "host": self.host,
            "remote": self.remote,
            "bytes": self.bytes,
            "requests": self.requests,
            "passages": [{"document": d, "start": a, "end": b} for d, a, b in self.passages],
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": self.cost,
        }


@dataclass(frozen=True, slots=True)
class Sending:
    """A request that a tool made: to which host, how many bytes, and whether it left this machine."""

    host: str
    bytes: int
    remote: bool


class Wire:
    """Counts what goes out, as connections (`agent.wire.Sent`) and tools tell it; read and emptied once a round."""

    def __init__(self) -> None:
        self._sent: list[Any] = []

    def told(self, sent: Any) -> None:
        """Note a request that goes out."""
        self._sent.append(sent)

    def take(self) -> list[tuple[str, bool, int, int]]:
        """Return host, whether it left this machine, bytes and number of requests since the last time."""
        by_host: dict[tuple[str, bool], list[int]] = {}
        for sent in self._sent:
            by_host.setdefault((sent.host, sent.remote), []).append(sent.bytes)
        self._sent = []
        return [(host, remote, sum(sizes), len(sizes)) for (host, remote), sizes in by_host.items()]


def totals(entries: Iterable[Entry]) -> Json:
    """Return by host what left the machine; a server on this machine is none that it leaves to."""
    found: dict[str, Json] = {}
    for entry in entries:
        if not entry.remote:
            continue
        total = found.setdefault(entry.host, {"requests": 0, "bytes": 0, "passages": 0, "cost": None})
        total["requests"] += entry.requests
        total["bytes"] += entry.bytes
        total["passages"] += len(entry.passages)
        if entry.cost is not None:
            total["cost"] = (total["cost"] or 0.0) + entry.cost
    return found
