"""Tools told in words: the rules of a step, its JSON schema, and a history that shows calls and results as text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.tools import ToolDefinition

from glossator.agent.steps import ANSWER

RULES = """\
You work in steps. Each reply is one JSON object and nothing else: either the call of a tool
{"action": "NAME OF THE TOOL", "args": {...}}
or, when you know enough, the whole answer
{"action": "answer", "text": "..."}
The result of a call comes back as the next message. Never invent a result. Do not repeat a call that was answered.

Tools:
"""
EXCHANGE = """\
An example, which is not about this conversation:
user: Who wrote the diary?
you: {call}
user: Result of {tool}: the diary is by Ann
you: {answer}"""
_KINDS = {"string": "diary", "integer": 3, "number": 1.5, "boolean": True, "array": ["diary"]}


def told(tools: list[ToolDefinition]) -> str:
    """Return the rules, the tools with their arguments, and a short exchange that shows each kind of step.

    The exchange has a question of its own: a small model copies the arguments of an example that has none.
    """
    lines = [f"- {t.name}: {' '.join((t.description or '').split())} args: {_arguments(t)}" for t in tools]
    call = {"action": tools[0].name, "args": _example(tools[0].parameters_json_schema)}
    answer = {"action": ANSWER, "text": "Ann wrote it: “the diary is by Ann”."}
    first, last = (json.dumps(step, ensure_ascii=False) for step in (call, answer))
    shown = EXCHANGE.format(call=first, tool=tools[0].name, answer=last)
    return RULES + "\n".join(lines) + "\n\n" + shown


def _arguments(tool: ToolDefinition) -> str:
    return json.dumps(tool.parameters_json_schema.get("properties", {}), ensure_ascii=False)


def _example(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as they might be, the required ones only."""
    example = {}
    for name in parameters.get("required", ()):
        kind = parameters["properties"].get(name, {})
        one = kind.get("examples") or kind.get("enum") or [kind.get("default")]
        example[name] = one[0] if one[0] is not None else _KINDS.get(str(kind.get("type")), {})
    return example


def schema(tools: list[ToolDefinition]) -> dict[str, Any]:
    """Return the JSON schema of a step: the call of one of the tools, or an answer."""

    def step(name: str, key: str, value: Mapping[str, Any]) -> dict[str, Any]:
        properties = {"action": {"type": "string", "const": name}, key: value}
        return {
            "type": "object",
            "properties": properties,
            "required": ["action", key],
            "additionalProperties": False,
        }

    plain = {"type": "object"}  # definitions of its own would lose their root
    calls = [
        step(t.name, "args", plain if "$defs" in t.parameters_json_schema else t.parameters_json_schema) for t in tools
    ]
    return {"anyOf": [*calls, step(ANSWER, "text", {"type": "string"})]}


def in_words(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Return a history without tool calls: calls and results are told as text, what was thought is left out."""
    return [
        replace(m, parts=_request_in_words(m.parts)) if isinstance(m, ModelRequest) else _response_in_words(m)
        for m in messages
    ]


def _request_in_words(parts: Sequence[ModelRequestPart]) -> list[ModelRequestPart]:
    """Return a request's parts with all that the user and the tools say in one, since templates want turns."""
    kept: list[ModelRequestPart] = []
    said: list[str] = []
    for part in parts:
        if isinstance(part, ToolReturnPart):
            said.append(f"Result of {part.tool_name}:\n{part.model_response_str()}")
        elif isinstance(part, RetryPromptPart):
            said.append(part.model_response())
        elif isinstance(part, UserPromptPart) and isinstance(part.content, str):
            said.append(part.content)
        else:
            kept.append(part)
    return [*kept, UserPromptPart("\n\n".join(said))] if said else kept


def _response_in_words(message: ModelResponse) -> ModelResponse:
    said: list[str] = []
    for part in message.parts:
        if isinstance(part, ToolCallPart):
            said.append(json.dumps({"action": part.tool_name, "args": _as_dict(part)}, ensure_ascii=False))
        elif isinstance(part, TextPart):
            said.append(part.content)
    return replace(message, parts=[TextPart("\n".join(said) or "…")])


def _as_dict(part: ToolCallPart) -> Any:
    try:
        return part.args_as_dict()
    except ValueError:
        return part.args
