"""What a model says in one round, heard as it comes: parts open at once, text leaves when it was checked.

A tool is shown as soon as its name is known, before its arguments. Under a bound the arguments and the reasoning are
shown only as far as the wall lets them, like any other words of the model. When a stream was cut and begins anew, what
it repeats is not shown twice.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from pydantic_ai.messages import (
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartEndEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)

from glossator.agent.events import Changed, Closed, Event, Grew, Opened, citation_part
from glossator.agent.history import provider_of
from glossator.agent.release import Check, Release
from glossator.agent.signature import INVALID
from glossator.library.findings import Citation
from glossator.messages import Part, Reasoning, Text, Tool

Json = dict[str, Any]
Mask = Callable[[str], str]
_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A round as it was heard: the answer for the provider, the parts for the session, what the checks found."""

    response: ModelResponse
    parts: tuple[Part, ...]
    calls: tuple[Tool, ...]
    text: str
    citations: tuple[Citation, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Open:
    """A part that is being written."""

    id: str
    shown: str = ""
    release: Release | None = None  # of a text
    tool: str = ""  # the name of a call
    skip: str = ""  # of a stream that begins anew: what was shown already and comes again
    closed: bool = False


@dataclass(slots=True)
class _Found:
    citations: list[Citation] = field(default_factory=list)
    rejected: list[tuple[str, str]] = field(default_factory=list)


class Listener:
    """Hears one round."""

    def __init__(self, number: int, emit: Callable[[Event], None], check: Check, *, mask: Mask | None = None) -> None:
        """Tell `emit` of parts, `check` each sentence; `mask` is what the wall makes of other words, None: no wall."""
        self._number = number
        self._emit = emit
        self._check = check
        self._mask = mask
        self._open: dict[int, _Open] = {}
        self._found = _Found()
        self._again = 0
        self._before: dict[int, _Open] = {}  # of a stream that was cut

    def hear(self, event: ModelResponseStreamEvent) -> None:
        """Take an event of the provider's stream."""
        if isinstance(event, PartStartEvent):
            if event.index in self._open:
                self._anew()
            self._start(event.index, event.part)
        elif isinstance(event, PartDeltaEvent):
            self._delta(event.index, event.delta)
        elif isinstance(event, PartEndEvent):
            self._end(event.index)

    def heard(self, response: ModelResponse) -> Heard:
        """Return the round as a whole; what was still held back is checked and shown first."""
        for index in list(self._open):
            self._end(index)
        parts: list[Part] = []
        kept: list[Any] = []
        calls: list[Tool] = []
        texts: list[str] = []
        seen: set[str] = set()
        for index, part in enumerate(response.parts):
            extra: Json = {"round": self._number} | ({"provider": own} if (own := provider_of(part)) else {})
            shown = self._open.get(index)
            if isinstance(part, TextPart):
                texts.append(shown.shown if shown else "")
                parts.append(Text(texts[-1], extra=extra))
                kept.append(replace(part, content=texts[-1]) if texts[-1] else part)
            elif isinstance(part, ThinkingPart):
                parts.append(self._reasoning(part, shown, extra))
                kept.append(part)
            elif isinstance(part, ToolCallPart):
                call, sent = self._call(part, seen, extra)
                calls.append(call)
                parts.append(call)
                kept.append(sent)
        text = "".join(texts).strip()
        found = self._found
        return Heard(
            response=replace(response, parts=kept),
            parts=tuple(p for p in parts if not (isinstance(p, Text | Reasoning) and not p.text)),
            calls=tuple(calls),
            text=text,
            citations=tuple(found.citations),
            rejected=tuple(found.rejected),
        )

    def partial(self) -> tuple[list[Part], str]:
        """Return what was shown of a round that was broken off: its parts but the calls, and its text."""
        parts: list[Part] = []
        for index in list(self._open):
            self._end(index, broken=True)
            shown = self._open[index]
            if shown.release is not None and shown.shown:
                parts.append(Text(shown.shown, extra={"round": self._number}))
        return parts, "".join(p.text for p in parts if isinstance(p, Text)).strip()

    def said(self, text: str) -> Heard:
        """Return a whole text as it is heard: checked and shown."""
        part = TextPart(text)
        self._start(0, part)
        return self.heard(ModelResponse(parts=[part]))

    @property
    def citations(self) -> list[Citation]:
        """Return the citations found so far."""
        return self._found.citations

    def _start(self, index: int, part: Any) -> None:
        name = f"{self._number}.{index}" + (f".{self._again}" if self._again else "")
        if isinstance(part, TextPart):
            before = self._before.pop(index, None)
            if before is not None and before.release is not None:
                self._open[index] = replace(before, release=Release(self._check), skip=before.shown)
            else:
                self._open[index] = _Open(name, release=Release(self._check))
                self._emit(Opened(name, Text("")))
            self._text(index, part.content)
        elif isinstance(part, ThinkingPart):
            self._open[index] = _Open(name)
            self._emit(Opened(name, Reasoning("")))
            self._thought(index, part.content)
        elif isinstance(part, ToolCallPart):
            self._open[index] = _Open(part.tool_call_id or name, tool=part.tool_name)
            self._emit(Opened(self._open[index].id, Tool(self._open[index].id, part.tool_name, {}, "pending")))
            if part.args and self._mask is None:
                self._emit(Grew(self._open[index].id, part.args_as_json_str()))

    def _delta(self, index: int, delta: Any) -> None:
        if index not in self._open:
            return
        if isinstance(delta, TextPartDelta):
            self._text(index, delta.content_delta)
        elif isinstance(delta, ThinkingPartDelta):
            self._thought(index, delta.content_delta or "")
        elif isinstance(delta, ToolCallPartDelta) and delta.args_delta and self._mask is None:
            said = delta.args_delta
            self._emit(Grew(self._open[index].id, said if isinstance(said, str) else json.dumps(said)))

    def _text(self, index: int, text: str) -> None:
        part = self._open[index]
        if part.release is not None and text:
            for checked in part.release.feed(text):
                self._show(part, checked)

    def _thought(self, index: int, text: str) -> None:
        part = self._open[index]
        part.shown += text
        if text and self._mask is None:
            self._emit(Grew(part.id, text))

    def _show(self, part: _Open, checked: Any) -> None:
        found = self._found
        found.rejected += [r for r in checked.rejected if r not in found.rejected]
        if checked.text and part.skip.startswith(checked.text):
            part.skip = part.skip[len(checked.text) :]
        elif checked.text:
            if part.skip:  # it says something else than before it was cut
                self._emit(Closed(part.id, Text(part.shown)))
                part.id, part.shown, part.skip = f"{part.id}.{self._again}", "", ""
                self._emit(Opened(part.id, Text("")))
            part.shown += checked.text
            self._emit(Grew(part.id, checked.text))
        for citation in checked.citations:
            if citation.n not in {c.n for c in found.citations}:
                found.citations.append(citation)
                self._emit(Opened(f"cite-{citation.n}", citation_part(citation)))

    def _end(self, index: int, *, broken: bool = False) -> None:
        part = self._open.get(index)
        if part is None or part.closed:
            return
        if part.release is not None:
            if not broken:
                for checked in part.release.finish():
                    self._show(part, checked)
            if part.skip and not broken:
                part.shown = part.shown[: len(part.shown) - len(part.skip)]
            part.closed = True
            self._emit(Closed(part.id, Text(part.shown)))

    def _reasoning(self, part: ThinkingPart, shown: _Open | None, extra: Json) -> Reasoning:
        text = part.content if self._mask is None else self._mask(part.content)
        if self._mask is not None and text != part.content:
            extra = {k: v for k, v in extra.items() if k != "provider"}  # its signature is of other words
        if shown:
            if self._mask is not None and text:
                self._emit(Grew(shown.id, text))
            self._emit(Closed(shown.id, Reasoning(text)))
        return Reasoning(text, extra=extra)

    def _call(self, part: ToolCallPart, seen: set[str], extra: Json) -> tuple[Tool, ToolCallPart]:
        """Return a call for the session, and as it can be sent back: with a name and arguments that servers take."""
        identifier = part.tool_call_id
        if not identifier or identifier in seen:
            identifier = f"call_{uuid4().hex[:12]}"
        seen.add(identifier)
        args = read_arguments(part.args)
        name = _NAME.sub("_", part.tool_name)[:64] or "unknown"
        call = Tool(identifier, name, args, "pending", extra=extra)
        return call, replace(part, tool_name=name, args=args, tool_call_id=identifier)

    def _anew(self) -> None:
        """Take back the calls that a stream made before it was cut; its texts go on where they repeat themselves."""
        self._again += 1
        for part in self._open.values():
            if part.tool:
                stopped = Tool(part.id, part.tool, {}, "stopped", summary="the connection was cut; it is asked again")
                self._emit(Changed(part.id, stopped))
        self._before, self._open = self._open, {}


def read_arguments(args: str | Mapping[str, Any] | None) -> Json:
    """Return a call's arguments as an object; what is none is kept under `INVALID_JSON`."""
    if isinstance(args, str):
        try:
            read = json.loads(args or "{}", strict=False)
        except ValueError:
            read = None
        return read if isinstance(read, dict) else {INVALID: args}
    return dict(args or {})
