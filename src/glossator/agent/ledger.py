"""What left the machine for an answer: host, bytes, passages, cost, request by request."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glossator.messages import Record

if TYPE_CHECKING:
    from glossator.library.conversations import SessionView

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
class Ledger:
    """What was sent for the answers of a session: (message id, model, entry), in order."""

    session: str
    entries: tuple[tuple[str, str, Entry], ...]

    def to_json(self) -> Json:
        """Return the JSON of `ledger`: by host what left this machine, and every entry."""
        told = [e.to_json() | {"message": message, "model": model} for message, model, e in self.entries]
        return {"session": self.session, "hosts": totals(e for _, _, e in self.entries), "entries": told}


def ledger_of(shown: "SessionView") -> Ledger:
    """Return what was sent for the answers of a session, as far as its messages are shown."""
    found = []
    for message in shown.messages:
        for part in message.parts:
            if isinstance(part, Record):
                entries = part.data.get("ledger") or ()
                found += [(message.id, str(part.data.get("model")), _entry(e)) for e in entries]
    return Ledger(shown.entry.id, tuple(found))


@dataclass(frozen=True, slots=True)
class Sending:
    """A request that a tool made: to which host, how many bytes, and whether it left this machine."""

    host: str
    bytes: int
    remote: bool


class Wire:
    """Counts what goes out, as connections (`agent.wire.Sent`) and tools tell it; read and emptied once a round.

    `asked` is how many requests went to models so far, answered or not.
    """

    def __init__(self) -> None:
        self._sent: list[Any] = []
        self.asked = 0

    def told(self, sent: Any) -> None:
        """Note a request that goes out."""
        self._sent.append(sent)
        self.asked += not isinstance(sent, Sending)

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


def _entry(told: Mapping[str, Any]) -> Entry:
    """Return an entry as a session keeps it; what an older version did not write is left at nothing."""
    return Entry(
        round=int(told.get("round", 0)),
        host=str(told.get("host", "")),
        remote=bool(told.get("remote", False)),
        bytes=int(told.get("bytes", 0)),
        requests=int(told.get("requests", 1)),
        passages=tuple((str(p["document"]), int(p["start"]), int(p["end"])) for p in told.get("passages") or ()),
        input_tokens=int(told.get("input_tokens", 0)),
        output_tokens=int(told.get("output_tokens", 0)),
        cost=told.get("cost"),
    )
