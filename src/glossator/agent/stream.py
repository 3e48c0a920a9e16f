"""Events as chunks of the AI SDK's UI message stream (version 7), one JSON object each.

Tool pending      tool-input-start, then tool-input-delta as the arguments are written
Tool running      tool-input-available
Tool completed    tool-output-available
Tool failed       tool-output-error, stopped alike
Text              text-start, text-delta, text-end
Reasoning         reasoning-start, reasoning-delta, reasoning-end
Citation          data-citation
Progress          data-progress
the answer        data-answer, after finish: the JSON of `ask`
"""

from collections.abc import Iterator
from typing import Any

from glossator.agent.events import Began, Changed, Closed, Event, Finished, Grew, Opened, Round, citation_part
from glossator.library.findings import Answer
from glossator.messages import Citation, Part, Progress, Reasoning, Text, Tool

Json = dict[str, Any]
_NAMES = {Text: "text", Reasoning: "reasoning"}


class Chunks:
    """Turns the events of one run into chunks."""

    def __init__(self, message: str = "") -> None:
        """Begin a message with that id, if it has one."""
        self._message = message
        self._kinds: dict[str, str] = {}  # of the parts that are open: text, reasoning, tool
        self._available: set[str] = set()
        self._in_step = False

    def of(self, event: Event) -> Iterator[Json]:
        """Yield the chunks of an event."""
        match event:
            case Began(session=session, model=model):
                start: Json = {"type": "start", "messageMetadata": {"session": session, "model": model}}
                yield start | ({"messageId": self._message} if self._message else {})
            case Round():
                yield from self._step()
                self._in_step = True
                yield {"type": "start-step"}
            case Opened(id=identifier, part=part):
                yield from self._opened(identifier, part)
            case Grew(id=identifier, text=text):
                yield from self._grew(identifier, text)
            case Changed(id=identifier, part=part):
                yield from self._changed(identifier, part)
            case Closed(id=identifier):
                kind = self._kinds.pop(identifier, None)
                if kind:
                    yield {"type": f"{kind}-end", "id": identifier}
            case Finished(answer=answer, interrupted=interrupted):
                yield from self.end(answer.to_json(), interrupted=interrupted)

    def end(self, answer: Json | None, *, interrupted: bool = False, error: str | None = None) -> Iterator[Json]:
        """Yield what ends the stream; `error` says why a run failed."""
        for identifier, kind in list(self._kinds.items()):
            if kind != "tool":
                yield {"type": f"{kind}-end", "id": identifier}
        self._kinds.clear()
        yield from self._step()
        if interrupted:
            yield {"type": "abort"}
        if error is not None:
            yield {"type": "error", "errorText": error}
        else:
            yield {"type": "finish"}
        if answer is not None:
            yield {"type": "data-answer", "data": answer}

    def _step(self) -> Iterator[Json]:
        if self._in_step:
            self._in_step = False
            yield {"type": "finish-step"}

    def _opened(self, identifier: str, part: Part) -> Iterator[Json]:
        match part:
            case Text() | Reasoning():
                self._kinds[identifier] = _NAMES[type(part)]
                yield {"type": f"{_NAMES[type(part)]}-start", "id": identifier}
            case Tool():
                self._kinds[identifier] = "tool"
                yield {"type": "tool-input-start", "toolCallId": identifier, "toolName": part.name}
            case Citation():
                data = {k: v for k, v in part.to_json().items() if k not in ("kind", "version")}
                yield {"type": "data-citation", "id": identifier, "data": data}
            case Progress():
                told = {"label": part.label, "done": part.done, "total": part.total}
                yield {"type": "data-progress", "id": identifier, "data": told, "transient": True}

    def _grew(self, identifier: str, text: str) -> Iterator[Json]:
        kind = self._kinds.get(identifier)
        if kind == "tool":
            yield {"type": "tool-input-delta", "toolCallId": identifier, "inputTextDelta": text}
        elif kind:
            yield {"type": f"{kind}-delta", "id": identifier, "delta": text}

    def _changed(self, identifier: str, part: Part) -> Iterator[Json]:
        if not isinstance(part, Tool):
            return
        if identifier not in self._kinds:
            yield from self._opened(identifier, part)
        if identifier not in self._available and part.state != "pending":
            self._available.add(identifier)
            yield {
                "type": "tool-input-available",
                "toolCallId": identifier,
                "toolName": part.name,
                "input": dict(part.args),
            }
        if part.state == "completed":
            yield {"type": "tool-output-available", "toolCallId": identifier, "output": part.result}
        elif part.state in ("failed", "stopped"):
            text = str(part.result or part.summary or "stopped")
            yield {"type": "tool-output-error", "toolCallId": identifier, "errorText": text}


def chunks_of(answer: Answer) -> Iterator[Json]:
    """Yield an answer that no model was asked for as a stream: its text, its citations, itself."""
    chunks = Chunks()
    events: list[Event] = [Began(answer.session, answer.model), Round(1)]
    events += [Opened("answer", Text("")), Grew("answer", answer.text), Closed("answer", Text(answer.text))]
    events += [Opened(f"cite-{c.n}", citation_part(c)) for c in answer.citations]
    for event in (*events, Finished(answer)):
        yield from chunks.of(event)
