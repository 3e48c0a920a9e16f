"""Tool calls for models that have none: asked for in words with examples, held to a JSON schema, read from the reply.

Small models on this machine often know no tool calls, or write them into their text. `always` asks in words from the
start; otherwise the model's own way is tried first, and calls that stand in its text are read all the same. A server
that says it has no tools, or a model that writes its calls into its text, is asked in words from then on.
"""

import json
import logging
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, cast

from pydantic_ai import RunContext
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from glossator.agent.steps import Called, Named, Reader, Said, Step
from glossator.agent.through import Through
from glossator.agent.words import in_words, schema, told

_NO_TOOLS = ("tool", "jinja", "function call", "functions")
_NO_SCHEMA = ("response_format", "json_schema", "grammar", "schema")

log = logging.getLogger(__name__)


class PromptedTools(WrapperModel):
    """A model whose tools are called in words where it has no other way."""

    def __init__(self, wrapped: Model, *, always: bool) -> None:
        super().__init__(wrapped)
        self._always = always
        self._by_schema = True

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the model's answer, with the calls that stand in its text as calls."""
        while True:
            asked = self._asked(messages, model_settings, model_request_parameters)
            try:
                answer = await self.wrapped.request(*asked)
            except ModelHTTPError as error:
                self._learn(error, model_request_parameters)
                continue
            read = _with_calls(answer, self._reader(model_request_parameters))
            if read is not answer and any(isinstance(p, ToolCallPart) for p in read.parts):
                self._wrote()
            return read

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Open the model's answer, with the calls that stand in its text as calls."""
        async with AsyncExitStack() as stack:
            while True:
                asked = self._asked(messages, model_settings, model_request_parameters)
                try:
                    inner = await stack.enter_async_context(self.wrapped.request_stream(*asked, run_context))
                except ModelHTTPError as error:
                    self._learn(error, model_request_parameters)
                    continue
                break
            reader = self._reader(model_request_parameters)
            yield _ReadStream(model_request_parameters, inner, reader, wrote=self._wrote)

    def _wrote(self) -> None:
        """Note that the model wrote a call into its text."""
        if not self._always:
            log.info("%s writes its calls as text; it is asked for them in words", self.model_name)
        self._always = True

    def _reader(self, parameters: ModelRequestParameters) -> Reader:
        return Reader([t.name for t in parameters.function_tools], strict=not self._always)

    def _learn(self, error: ModelHTTPError, parameters: ModelRequestParameters) -> None:
        """Note what the server cannot do, or raise the error when it is about something else."""
        said = str(error.body).lower()
        if error.status_code not in (400, 404, 422, 500, 501) or not parameters.function_tools:
            raise error
        if not self._always and any(word in said for word in _NO_TOOLS):
            log.info("%s has no tool calls; they are asked for in words", self.model_name)
            self._always = True
        elif self._always and self._by_schema and any(word in said for word in _NO_SCHEMA):
            log.info("%s takes no JSON schema; the form is asked for in words", self.model_name)
            self._by_schema = False
        else:
            raise error

    def _asked(
        self, messages: list[ModelMessage], settings: ModelSettings | None, parameters: ModelRequestParameters
    ) -> tuple[list[ModelMessage], ModelSettings | None, ModelRequestParameters]:
        """Return the request as the model understands it."""
        if not self._always:
            return messages, settings, parameters
        given: dict[str, Any] = dict(settings or {})
        offered = [] if given.pop("tool_choice", None) == "none" else parameters.function_tools
        instructions = [part.content for part in parameters.instruction_parts or []]
        if offered:
            instructions.append(told(offered))
            if self._by_schema:
                form = {"type": "json_schema", "json_schema": {"name": "step", "schema": schema(offered)}}
                given["extra_body"] = {**given.get("extra_body", {}), "response_format": form}
        whole = [InstructionPart(content="\n\n".join(instructions))] if instructions else []  # templates know one
        asked = replace(parameters, function_tools=[], instruction_parts=whole)
        return in_words(messages), cast(ModelSettings, given), asked


def _with_calls(answer: ModelResponse, reader: Reader) -> ModelResponse:
    if any(isinstance(p, ToolCallPart) for p in answer.parts):
        return answer
    text = "".join(p.content for p in answer.parts if isinstance(p, TextPart))
    steps = [*reader.feed(text), *reader.end()]
    said = "".join(s.text for s in steps if isinstance(s, Said))
    parts: list[ModelResponsePart] = [p for p in answer.parts if not isinstance(p, TextPart)]
    if said.strip():
        parts.append(TextPart(said))
    parts += [ToolCallPart(s.name, s.arguments, tool_call_id=_id()) for s in steps if isinstance(s, Called)]
    return replace(answer, parts=parts)


def _id() -> str:
    return f"call_{uuid.uuid4().hex[:12]}"


class _ReadStream(Through):
    """A stream whose text is read as steps; what the model calls or thinks in its own way passes as it is."""

    def __init__(
        self,
        parameters: ModelRequestParameters,
        inner: StreamedResponse,
        reader: Reader,
        *,
        wrote: Callable[[], None],
    ) -> None:
        super().__init__(parameters, inner)
        self._wrote = wrote
        self._reader = reader
        self._pending: str | None = None  # the id of a call whose name was told

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        async for event in self._inner:
            self._mirror()
            if text := _text_of(event):
                for step in self._reader.feed(text):
                    for made in self._events(step):
                        yield made
            else:
                for made in self._passed(event):
                    yield made
        for step in self._reader.end():
            for made in self._events(step):
                yield made
        self._mirror()

    def _events(self, step: Step) -> Iterator[ModelResponseStreamEvent]:
        manager = self._parts_manager
        if isinstance(step, Said):
            yield from manager.handle_text_delta(vendor_part_id="text", content=step.text)
        elif isinstance(step, Named):
            self._pending = _id()
            yield from manager.handle_tool_call_delta_events(
                vendor_part_id=self._pending, tool_name=step.name, tool_call_id=self._pending
            )
        else:
            self._wrote()
            made, self._pending = self._pending or _id(), None
            text = step.arguments if isinstance(step.arguments, str) else json.dumps(step.arguments, ensure_ascii=False)
            known = manager.get_part_by_vendor_id(made) is not None
            yield from manager.handle_tool_call_delta_events(
                vendor_part_id=made, tool_name=None if known else step.name, args=text, tool_call_id=made
            )

    def _passed(self, event: ModelResponseStreamEvent) -> Iterator[ModelResponseStreamEvent]:
        """Yield thinking and the model's own calls as they came."""
        manager = self._parts_manager
        if isinstance(event, PartStartEvent) and isinstance(event.part, ThinkingPart):
            part = event.part
            yield from manager.handle_thinking_delta(
                vendor_part_id=("thought", event.index),
                content=part.content or None,
                id=part.id,
                signature=part.signature,
                provider_name=part.provider_name,
            )
        elif isinstance(event, PartStartEvent) and isinstance(event.part, ToolCallPart):
            call = event.part
            yield from manager.handle_tool_call_delta_events(
                vendor_part_id=("call", event.index),
                tool_name=call.tool_name,
                args=cast(str | dict[str, Any] | None, call.args),
                tool_call_id=call.tool_call_id,
            )
        elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, ThinkingPartDelta):
            yield from manager.handle_thinking_delta(
                vendor_part_id=("thought", event.index),
                content=event.delta.content_delta,
                signature=event.delta.signature_delta,
                provider_name=event.delta.provider_name,
            )
        elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, ToolCallPartDelta):
            yield from manager.handle_tool_call_delta_events(
                vendor_part_id=("call", event.index), args=event.delta.args_delta
            )


def _text_of(event: ModelResponseStreamEvent) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta or ""
    return ""
