"""Less of what was read long ago, on the way to the model: the stored conversation stays as it is.

Results of old rounds become one line each: what was called, how much came, and of each passage its place and what
has most to do with the question. They do so five rounds at a time, so that between two of these steps
the beginning of the request, and with it the provider's cache, does not change. When the whole is still too long,
earlier questions keep their answers only, and then the newest results are cut. A call and its result are kept or
dropped together.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from glossator.agent.shorten import likeliest
from glossator.document.tokens import estimate_tokens
from glossator.library.answer import asked as terms_of
from glossator.library.answer import is_chinese

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

EVERY = 5  # rounds that become short together
MUCH = 5_000  # tokens of results that become short together, be they of fewer rounds
WHOLE = 2  # of the newest rounds whose results are never shortened, unless the limit leaves no choice
TOKENS = 24_000  # of all messages, beyond which more is given up
SHORT = 300  # characters; a result of no more stays as it is
KEPT = (800, 400, 240, 120)  # characters of the passages of a result that are kept, by rank
FEW, FEWEST = (240, 120), (120,)  # … where all of a conversation would still be too long
DENSE = 2  # a Chinese character counts as so many: it says more, and costs more
LONG, PARTS, LEAD = 3_000, 3, 300  # a passage is long from there; in how many parts it is looked at; each one's room
_PASSAGE = re.compile(r'<passage n="(\d+)" ([^>]*)>\n(.*?)\n</passage>', re.DOTALL)
_AT = re.compile(r'document="([^"]*)".*?at="([^"]*)"')
EARLIER = "[Earlier in this conversation, for the question before: {}]"


def compacted(messages: "Sequence[ModelMessage]", *, question: str, limit: int = TOKENS) -> "list[ModelMessage]":
    """Return messages of which the old results are short, of at most `limit` estimated tokens where that can be.

    `question` is what is being answered: what has to do with it is kept.
    """
    turns = _turns(messages)
    if not turns:
        return list(messages)
    old = [_shortened(t, len(_calls(t)), question) for t in turns[:-1]]
    now = turns[-1]
    rounds, usual = len(_calls(now)), _shortened(now, _steps(now), question)
    steps: list[Callable[[], tuple[list[Any], Any]]] = [
        lambda: (old, usual),
        lambda: ([_merged(t) for t in old], usual),
        lambda: ([_merged(t) for t in old], _shortened(now, max(0, rounds - WHOLE), question)),
        lambda: ([_merged(t) for t in old[-2:]], _shortened(now, max(0, rounds - WHOLE), question)),
        lambda: ([_merged(t) for t in old[-1:]], _shortened(now, max(0, rounds - WHOLE), question, FEW)),
        lambda: ([_merged(t) for t in old[-1:]], _shortened(now, max(0, rounds - 1), question, FEW)),
        lambda: ([], _shortened(now, rounds, question, FEW)),
        lambda: ([], _shortened(now, rounds, question, FEWEST)),
    ]
    made: list[ModelMessage] = []
    for step in steps:
        before, last = step()
        made = [m for turn in (*before, last) for m in turn]
        if tokens_of(made) <= limit:
            break
    return made


def _steps(turn: "Sequence[ModelMessage]") -> int:
    """Return how many rounds of a turn are to be short: it grows by steps, and nothing that comes after changes it."""
    sizes = [tokens_of([turn[i]]) for i in _calls(turn)]
    short = waiting = 0
    for n in range(len(sizes) - WHOLE):
        waiting += sizes[n]
        if n + 1 - short >= EVERY or waiting >= MUCH:
            short, waiting = n + 1, 0
    return short


def tokens_of(messages: "Iterable[ModelMessage]") -> int:
    """Return about how many tokens messages have."""
    return sum(_tokens(_text(part)) + 4 for message in messages for part in message.parts)


def digest(text: str, question: str, told: set[str] | None = None, rooms: Sequence[int] = KEPT) -> str:
    """Return a result in one line; of passages the place and the sentence that has most to do with the question.

    `told` is what earlier lines told of passages, and grows: of what stands there only the number is repeated. `rooms`
    are the characters for each passage, by rank.
    """
    told = set() if told is None else told
    passages = _PASSAGE.findall(text)
    if not passages:
        line = " ".join(text.split())
        return line if len(line) <= SHORT else line[: SHORT - 1] + "…"
    asked = frozenset(terms_of(question))
    kept = []
    for (number, place, body), room in zip(passages, rooms, strict=False):
        best = _best(body, asked, room // DENSE if is_chinese(body) else room)
        if any(best in known for known in told):
            kept.append(f"[{number}]")
            continue
        told.add(best)
        at = _AT.search(place)
        kept.append(f"[{number}]{f' ({at[1]} at {at[2]})' if at else ''} “{best}”")
    more = f" and {len(passages) - len(rooms)} more" if len(passages) > len(rooms) else ""
    return "; ".join(kept) + more


@lru_cache(maxsize=2_048)
def _best(body: str, asked: frozenset[str], room: int) -> str:
    """Return what of a passage has most to do with the question; of a long one its beginning, and some of each part."""
    if len(body) <= LONG:
        return likeliest(body, asked, room)
    part = len(body) // PARTS + 1
    pieces = [body[:LEAD], *(body[i : i + part] for i in range(0, len(body), part))]
    return " … ".join(likeliest(p, asked, min(room, room * LEAD // KEPT[0])) for p in pieces)


def _turns(messages: "Sequence[ModelMessage]") -> "list[list[ModelMessage]]":
    """Return the messages question by question."""
    from pydantic_ai.messages import UserPromptPart

    turns: list[list[ModelMessage]] = []
    for message in messages:
        if not turns or (message.kind == "request" and any(isinstance(p, UserPromptPart) for p in message.parts)):
            turns.append([])
        turns[-1].append(message)
    return turns


def _calls(turn: "Sequence[ModelMessage]") -> list[int]:
    """Return where in a turn the results of a round stand."""
    from pydantic_ai.messages import ToolReturnPart

    return [i for i, m in enumerate(turn) if any(isinstance(p, ToolReturnPart) for p in m.parts)]


def _shortened(
    turn: "Sequence[ModelMessage]", rounds: int, question: str, rooms: Sequence[int] = KEPT
) -> "list[ModelMessage]":
    """Return a turn whose first `rounds` rounds of results are one line each."""
    places, told = set(_calls(turn)[:rounds]), set[str]()
    return [_short(m, question, told, rooms) if i in places else m for i, m in enumerate(turn)]


def _short(message: Any, question: str, told: set[str], rooms: Sequence[int]) -> Any:
    from pydantic_ai.messages import ToolReturnPart

    parts = []
    for part in message.parts:
        if isinstance(part, ToolReturnPart) and len(str(part.content)) > SHORT:
            metadata = part.metadata if isinstance(part.metadata, dict) else {}
            words = " ".join(v for v in (metadata.get("args") or {}).values() if isinstance(v, str)) or question
            head = f"{metadata['summary']}: " if metadata.get("summary") else ""
            parts.append(replace(part, content=f"[shortened] {head}{digest(str(part.content), words, told, rooms)}"))
        else:
            parts.append(part)
    return replace(message, parts=parts)


def _merged(turn: "Sequence[ModelMessage]") -> "list[ModelMessage]":
    """Return an earlier turn as question and answer, with one line on what was looked up for it."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolReturnPart, UserPromptPart

    done: list[str] = []
    said = ""
    asked: list[Any] = []
    for message in turn:
        for part in message.parts:
            if isinstance(part, ToolReturnPart):
                metadata = part.metadata if isinstance(part.metadata, dict) else {}
                done.append(str(metadata.get("summary") or part.tool_name))
            elif isinstance(part, UserPromptPart):
                asked.append(part)
        if isinstance(message, ModelResponse):
            said = "".join(p.content for p in message.parts if isinstance(p, TextPart)) or said
    if not done:
        return list(turn)
    note = EARLIER.format("; ".join(done)[:SHORT])
    return [ModelRequest(parts=asked), ModelResponse(parts=[TextPart(f"{said}\n\n{note}".strip())])]


def _text(part: Any) -> str:
    content = getattr(part, "content", None)
    return content if isinstance(content, str) else str(getattr(part, "args", content) or "")


@lru_cache(maxsize=4_096)
def _tokens(text: str) -> int:
    return estimate_tokens([text])[0]
