"""The chat interface: OpenAI's, DeepSeek's, Ollama's, and that of a server whose model knows no tools."""

import math
import re
import time
import uuid
from collections.abc import Iterator
from typing import Any

from tests.agent.fake_provider.script import Json, Reply, Turn

THINKING = {"deepseek": "reasoning_content", "ollama": "reasoning", "plain": None, "openai-chat": None}
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def problem(body: Json, flavour: str) -> str | None:
    """Return why the real server would answer 400, or None."""
    if not body.get("messages"):
        return "Invalid 'messages': empty array."
    tools = body.get("tools")
    if tools and flavour == "plain":
        return "this model does not support tools; start the server with a chat template that does"
    if tools is not None and not tools:
        return "Invalid 'tools': empty array. Expected an array with minimum length 1."
    names = [t["function"]["name"] for t in tools or ()]
    if any(not NAME.fullmatch(n) for n in names) or len(set(names)) != len(names):
        return "Invalid 'tools': names must be unique and match ^[a-zA-Z0-9_-]+$."
    if body.get("tool_choice") and not tools:
        return "'tool_choice' is only allowed when 'tools' are specified."
    return _pairing(body["messages"]) or (_deepseek(body) if flavour == "deepseek" else None)


def _pairing(messages: list[Json]) -> str | None:
    waiting: set[str] = set()
    for at, message in enumerate(messages):
        role = message.get("role")
        if role not in ("system", "developer", "user", "assistant", "tool"):
            return f"Invalid value: '{role}'. Supported: system, developer, user, assistant, tool."
        if role == "tool":
            if message.get("tool_call_id") not in waiting:
                return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
            waiting.discard(message["tool_call_id"])
            continue
        if waiting:
            return (
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
                f"'tool_call_id'. Missing: {', '.join(sorted(waiting))}"
            )
        if role == "assistant":
            calls = message.get("tool_calls")
            if calls is None and message.get("content") is None:
                return f"Invalid value for 'content' of messages[{at}]: expected a string, got null."
            if calls is not None and not calls:
                return f"Invalid 'messages[{at}].tool_calls': empty array."
            if any(not isinstance(c["function"]["arguments"], str) for c in calls or ()):
                return f"Invalid type for 'messages[{at}].tool_calls[0].function.arguments': expected a string."
            waiting = {c["id"] for c in calls or ()}
    return f"tool_calls without results: {', '.join(sorted(waiting))}" if waiting else None


def _deepseek(body: Json) -> str | None:
    if body.get("tool_choice") not in (None, "auto", "none"):
        return "Thinking mode does not support this tool_choice"
    if (body.get("response_format") or {}).get("type") == "json_schema":
        return "This response_format type is unavailable now"
    for message in body["messages"]:
        if message["role"] == "assistant" and not isinstance(message.get("reasoning_content"), str):
            return "The `reasoning_content` in the thinking mode must be passed back to the API."
    return None


def turn_of(body: Json, flavour: str, number: int) -> Turn:
    """Return the request in neutral words."""
    messages = body["messages"]
    last = max((i for i, m in enumerate(messages) if m["role"] == "user"), default=-1)
    return Turn(
        number=number,
        provider=flavour,
        user=text_of(messages[last]["content"]) if last >= 0 else "",
        system="\n".join(text_of(m["content"]) for m in messages if m["role"] in ("system", "developer")),
        results=tuple(text_of(m["content"]) for m in messages[last + 1 :] if m["role"] == "tool"),
        tools=tuple(t["function"]["name"] for t in body.get("tools") or ()),
        tool_choice=body.get("tool_choice"),
        stream=bool(body.get("stream")),
        body=body,
    )


def text_of(content: Any) -> str:
    """Return the text of a message's content, whatever form it has."""
    if isinstance(content, list):
        return " ".join(str(part.get("text", "")) for part in content)
    return content or ""


def error(reply: Reply, flavour: str) -> Json:
    """Return the body of an error."""
    kind = {401: "authentication_error", 429: "rate_limit_error"}.get(reply.status, "server_error")
    kind = "invalid_request_error" if reply.status in (400, 404) else kind
    code = reply.code or {401: "invalid_api_key", 404: "model_not_found"}.get(reply.status)
    said = f"{reply.message} ({flavour})"
    return {"error": {"message": said, "type": kind, "param": None, "code": code}}


def whole(reply: Reply, body: Json, flavour: str) -> Json:
    """Return the answer in one piece."""
    message: Json = {"role": "assistant", "content": reply.text or None}
    if (thinking := THINKING[flavour]) and reply.reasoning:
        message[thinking] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": _call_id(), "type": "function", "function": {"name": c.name, "arguments": c.text}}
            for c in reply.calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if reply.calls else "stop"}
    return _without(reply, {**_head(body, "chat.completion"), "choices": [choice], "usage": _usage(reply)})


def stream(reply: Reply, body: Json, flavour: str) -> Iterator[tuple[str | None, Json | str]]:
    """Yield the answer in pieces, as the provider sends them."""
    head = _head(body, "chat.completion.chunk")

    def piece(delta: Json, finish: str | None = None) -> tuple[None, Json]:
        return None, _without(
            reply, {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": None}
        )

    yield piece({"role": "assistant", "content": ""})
    if (thinking := THINKING[flavour]) and reply.reasoning:
        for part in parts(reply.reasoning, reply.piece):
            yield piece({thinking: part})
    for at, part in enumerate(parts(reply.text, reply.piece)):
        _, said = piece({"content": part})
        if reply.likely and body.get("logprobs") and at == 0:
            said["choices"][0]["logprobs"] = _likely(reply)
        yield None, said
    for at, call in enumerate(reply.calls):
        first: Json = {
            "index": at,
            "id": _call_id(),
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        }
        if flavour == "ollama":  # sends a call whole
            first["function"]["arguments"] = call.text
        yield piece({"tool_calls": [first]})
        for part in () if flavour == "ollama" else parts(call.text, reply.piece):
            yield piece({"tool_calls": [{"index": at, "function": {"arguments": part}}]})
    if "finish_reason" not in reply.without:
        yield piece({}, "tool_calls" if reply.calls else "stop")
    if (body.get("stream_options") or {}).get("include_usage") and "usage" not in reply.without:
        yield None, {**head, "choices": [], "usage": _usage(reply)}
    yield None, "[DONE]"


def _head(body: Json, kind: str) -> Json:
    made = f"chatcmpl-{uuid.uuid4().hex[:10]}"
    return {"id": made, "object": kind, "created": int(time.time()), "model": body.get("model", "fake")}


def _likely(reply: Reply) -> Json:
    """Return the probabilities of the first token as the server tells them."""
    tops = [{"token": t, "logprob": math.log(p), "bytes": list(t.encode())} for t, p in reply.likely.items()]
    return {"content": [{**tops[0], "top_logprobs": tops}], "refusal": None}


def _call_id() -> str:
    return f"call_{uuid.uuid4().hex[:10]}"


def _usage(reply: Reply) -> Json:
    read, written = reply.usage
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _without(reply: Reply, answer: Json) -> Json:
    for name in reply.without:
        answer.pop(name, None)
        for choice in answer.get("choices", ()):
            choice.pop(name, None)
    return answer


def parts(text: str, size: int) -> Iterator[str]:
    """Yield the text in pieces of a size."""
    for at in range(0, len(text), size):
        yield text[at : at + size]
