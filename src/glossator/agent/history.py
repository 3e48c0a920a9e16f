"""From what a session keeps to what a model is sent, and back: no stored message is ever rewritten.

A run is two messages: the question, and the answer with its parts in order (reasoning, text, calls with results), each
with the round it belongs to. Read back, calls and results stand in pairs whatever happened: a call that was
interrupted has a result that says so, a question that was never answered has an answer that says so. What a provider
wants back of its own (signatures, ids) lies in `extra["provider"]` of the part it came with.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from glossator.messages import Message, Part, Reasoning, Text, Tool, text_of

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse

Json = dict[str, Any]
INTERRUPTED = "Error: this call was interrupted and has no result."
UNANSWERED = "(This question was not answered: the run was interrupted.)"
GO_ON = "(go on)"
WITHHELD = "(This answer was withheld.)"
_OWN = ("id", "signature", "provider_name", "provider_details")  # of a part, for its provider alone


def model_messages(
    messages: Sequence[Message], *, exact: "Mapping[str, Sequence[ModelMessage]] | None" = None
) -> "list[ModelMessage]":
    """Return stored messages as a model is sent them; those in `exact` (by id) as they were in this process.

    Whatever the sessions hold, the result begins with a request, has each call followed by its result, and never
    two answers in a row.
    """
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    found: list[ModelMessage] = []
    for message in messages:
        if message.role == "user":
            said: Iterable[ModelMessage] = [ModelRequest(parts=[UserPromptPart(text_of(message.parts) or "(nothing)")])]
        else:
            said = (exact or {}).get(message.id) or _answer(message)
        for one in said if message.role == "user" or found else ():
            if found and found[-1].kind == one.kind:
                filler = ModelResponse(parts=[TextPart(UNANSWERED)])
                found.append(filler if one.kind == "request" else ModelRequest(parts=[UserPromptPart(GO_ON)]))
            found.append(one)
    return found


def _answer(message: Message) -> "Iterator[ModelMessage]":
    """Yield the rounds of a stored answer: what the model said, then the results of what it called."""
    from pydantic_ai.messages import ModelResponse, TextPart

    rounds = _rounds(message.parts)
    for number, parts in enumerate(rounds, 1):
        response = response_of(parts)
        results = results_of([p for p in parts if isinstance(p, Tool)])
        if response is not None:
            yield response
        if results is not None:
            yield results
            if number == len(rounds):  # it was interrupted before the model saw them
                yield ModelResponse(parts=[TextPart(UNANSWERED)])


def _rounds(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the parts of an answer round by round; without numbers a round ends with its calls."""
    rounds: list[list[Part]] = []
    last: Any = None
    called = False
    for part in parts:
        if not isinstance(part, Reasoning | Text | Tool):
            continue
        number = part.extra.get("round")
        fresh = number != last if number is not None else called and not isinstance(part, Tool)
        if not rounds or fresh:
            rounds.append([])
        rounds[-1].append(part)
        last, called = number, isinstance(part, Tool)
    return rounds


def response_of(parts: Sequence[Part]) -> "ModelResponse | None":
    """Return what a model said in a round, or None when that is nothing a provider would take."""
    from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart, ToolCallPart

    said: list[Any] = []
    for part in parts:
        own = {k: v for k, v in dict(getattr(part, "extra", {}).get("provider") or {}).items() if k in _OWN}
        if isinstance(part, Reasoning):
            said.append(ThinkingPart(part.text, **own))
        elif isinstance(part, Text):
            own.pop("signature", None)
            said.append(TextPart(part.text or WITHHELD, **own))
        elif isinstance(part, Tool):
            own.pop("signature", None)
            said.append(ToolCallPart(part.name, dict(part.args), part.id, **own))
    if not any(isinstance(p, TextPart | ToolCallPart) for p in said):
        if not said:
            return None
        said.append(TextPart(WITHHELD))
    return ModelResponse(parts=said)


def results_of(calls: Sequence[Tool]) -> "ModelRequest | None":
    """Return the results of calls as a model is sent them, or None without calls."""
    from pydantic_ai.messages import ModelRequest, ToolReturnPart

    if not calls:
        return None
    returns = []
    for call in calls:
        done = call.state in ("completed", "failed", "stopped") and call.result is not None
        text = str(call.result) if done else INTERRUPTED
        returns.append(
            ToolReturnPart(call.name, text, call.id, metadata={"args": dict(call.args), "summary": call.summary or ""})
        )
    return ModelRequest(parts=returns)


def provider_of(part: Any) -> Json:
    """Return what a provider wants back of a part of its answer, as JSON; nothing where it wants nothing."""
    kept = {name: getattr(part, name, None) for name in _OWN}
    return {name: value for name, value in kept.items() if value is not None}
