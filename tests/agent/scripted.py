"""Models that say what a test has written down, round by round."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel

Say = str | tuple[str, dict[str, Any]] | Callable[[list[ModelMessage]], Any]


@dataclass
class Script:
    """A script: each entry is a round, a list of texts and of `(tool, arguments)`; the last one is said again."""

    rounds: Sequence[Any]
    pause: float = 0.0
    requests: list[tuple[list[ModelMessage], AgentInfo]] = field(default_factory=list)

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(stream_function=self._stream, model_name="scripted")

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        self.requests.append((messages, info))
        entry = self.rounds[min(len(self.requests), len(self.rounds)) - 1]
        if callable(entry):
            entry = entry(messages, info)
        if isinstance(entry, BaseException):
            raise entry
        for index, said in enumerate([entry] if isinstance(entry, str | tuple) else entry):
            if isinstance(said, float):
                await asyncio.sleep(said)
            elif isinstance(said, str) and said.startswith("think:"):
                yield {index: DeltaThinkingPart(content=said[6:], signature="SIG")}
            elif isinstance(said, str):
                for word in said.split(" "):
                    await asyncio.sleep(self.pause)
                    yield word if word is said.split(" ")[-1] else word + " "
            else:
                name, arguments = said
                text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
                identifier = f"call_{len(self.requests)}_{index}"
                yield {index: DeltaToolCall(name=name, json_args="", tool_call_id=identifier)}
                await asyncio.sleep(self.pause)
                for at in range(0, len(text), 7):
                    yield {index: DeltaToolCall(json_args=text[at : at + 7], tool_call_id=identifier)}
