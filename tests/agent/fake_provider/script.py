"""What a fake provider answers: a list of replies, rules on what was asked, or by the words of the question."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

Cut = Literal["reset", "end"]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that the model makes. Arguments as a text are sent as they are, broken JSON and all."""

    name: str
    arguments: Json | str = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer of the server, with all that can go wrong on its way."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    status: int = 200  # an error when it is another
    message: str = "the fake provider was told to fail"
    code: str | None = None
    retry_after: float | str | None = None
    silent: float = 0.0  # seconds before the first byte
    pace: float = 0.0  # seconds between two pieces
    piece: int = 5  # characters in a piece
    cut_after: int | None = None  # pieces of a stream, after which the connection ends
    cut: Cut = "reset"  # how it ends: torn, or closed as if all were said
    error_after: int | None = None  # pieces of a stream, after which it reports an error in the stream
    without: tuple[str, ...] = ()  # fields left out: usage, id, created, model, index, finish_reason, reasoning
    usage: tuple[int, int] = (50, 20)
    likely: Mapping[str, float] = field(default_factory=dict)  # probabilities of the first token, told when asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A request, in words that do not depend on the provider."""

    number: int  # of all requests to this server, from 1
    provider: str
    user: str  # the last text of the user
    system: str
    results: tuple[str, ...]  # of tools, since that text
    tools: tuple[str, ...]
    tool_choice: Any
    stream: bool
    body: Json


Script = Callable[[Turn], Reply]


def spoken(turn: Turn) -> Reply:
    """Answer by the first words of the question; the behaviour when no script was given.

    tool:NAME:{json}  calls that tool once, then answers    par      two calls at once, then answers
    loop              calls the first tool for ever         broken   a call whose arguments are no JSON
    missing           calls a tool that does not exist      slow     a long text, 50 ms a piece
    silent            says nothing for ten minutes          cut      is cut in mid-stream, every time
    failNNN           that HTTP status                      repeat:N is cut N times, then answers
    """
    said = turn.user.strip()
    word = re.match(r"\w*", said)
    name, _, rest = said.partition(":")
    first = turn.tools[0] if turn.tools else "search"
    think = "" if turn.results else "先想一想。"
    answer = Reply(text=f"Answer ({turn.provider}): {said[:40]}", reasoning=think)
    if failing := re.match(r"fail(\d{3})", said):
        return Reply(status=int(failing[1]))
    if name == "tool" and turn.tools and not turn.results:
        called, _, arguments = rest.partition(":")
        return Reply(calls=(Call(called or first, arguments or {"query": "量子"}),), reasoning=think)
    if name == "repeat":
        return Reply(text="half a sent", cut_after=2) if turn.number <= int(rest or 1) else answer
    match word[0] if word else "":
        case "loop" if turn.tools:
            return Reply(calls=(Call(first, {"query": "same"}),))
        case "par" if turn.tools and not turn.results:
            return Reply(calls=(Call(first, {"query": "量子"}), Call(turn.tools[-1], {"query": "Katze"})))
        case "broken" if turn.tools and not turn.results:
            return Reply(calls=(Call(first, '{"query": "unfin'),))
        case "missing" if turn.tools and not turn.results:
            return Reply(calls=(Call("no_such_tool", {"query": "x"}),))
        case "slow":
            return Reply(text="tok " * 400, pace=0.05, piece=4)
        case "silent":
            return Reply(silent=600)
        case "cut":
            return Reply(text="This sentence is whole. This one is not", cut_after=4)
    return answer


def in_turn(replies: Iterable[Reply], *, repeat_last: bool = True) -> Script:
    """Answer with one reply after the other; then with the last one again, or with an error."""
    left = list(replies)

    def script(_: Turn) -> Reply:
        if not left:
            return Reply(status=500, message="the script of the fake provider has ended")
        return left[0] if len(left) == 1 and repeat_last else left.pop(0)

    return script


def by_rules(rules: Iterable[tuple[Mapping[str, Any], Reply]], otherwise: Script = spoken) -> Script:
    """Answer with the reply of the first rule whose conditions all hold: user and system (patterns), results (how
    many), provider, tools (a name offered, or false for none), number (of the request)."""
    kept = list(rules)

    def script(turn: Turn) -> Reply:
        return next((reply for when, reply in kept if _holds(when, turn)), None) or otherwise(turn)

    return script


def _holds(when: Mapping[str, Any], turn: Turn) -> bool:
    for name, wanted in when.items():
        if name in ("user", "system"):
            held = bool(re.search(wanted, getattr(turn, name), re.S))
        elif name == "results":
            held = len(turn.results) == wanted
        elif name == "tools":
            held = wanted in turn.tools if isinstance(wanted, str) else bool(turn.tools) == bool(wanted)
        else:
            held = getattr(turn, name) == wanted
        if not held:
            return False
    return True


def reply_of(value: Json) -> Reply:
    """Return the reply that a JSON object describes; `calls` are objects of `name` and `arguments`."""
    known = {f.name for f in fields(Reply)}
    if unknown := value.keys() - known:
        raise ValueError(f"unknown in a reply: {', '.join(sorted(unknown))}; known: {', '.join(sorted(known))}")
    given = dict(value)
    given["calls"] = tuple(Call(c["name"], c.get("arguments", {})) for c in value.get("calls", ()))
    for name in ("without", "usage"):
        if name in given:
            given[name] = tuple(given[name])
    return Reply(**given)


def script_of(value: Any) -> Script:
    """Return the script of JSON: a list of replies, or `{"rules": [{"when", "reply"}], "replies": [..]}`."""
    if isinstance(value, list):
        return in_turn(map(reply_of, value))
    after = in_turn(map(reply_of, value["replies"])) if value.get("replies") else spoken
    return by_rules([(rule.get("when", {}), reply_of(rule["reply"])) for rule in value.get("rules", ())], after)


def script_from(path: str | Path) -> Script:
    """Return the script that a JSON file holds."""
    return script_of(json.loads(Path(path).read_text("utf-8")))
