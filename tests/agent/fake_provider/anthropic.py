"""Anthropic's messages interface, with its rules for system text, tool results and signed thinking."""

import re
import uuid
from collections.abc import Iterator

from tests.agent.fake_provider.chat import parts, text_of
from tests.agent.fake_provider.script import Json, Reply, Turn

SIGNATURE = "SIGNED-BY-THE-FAKE-PROVIDER=="
THOUGHT = ("thinking", "redacted_thinking")


def problem(body: Json) -> str | None:
    """Return why the real server would answer 400, or None."""
    if "max_tokens" not in body:
        return "max_tokens: Field required"
    messages = body.get("messages")
    if not messages or messages[0]["role"] != "user":
        return 'messages: first message must use the "user" role'
    thinking = thinks(body)
    if thinking and (body.get("tool_choice") or {}).get("type") in ("any", "tool"):
        return "Thinking may not be enabled when tool_choice forces tool use."
    budget = (body.get("thinking") or {}).get("budget_tokens")
    if budget is not None and (budget < 1024 or budget >= body["max_tokens"]):
        return "`max_tokens` must be greater than `thinking.budget_tokens`, which must be at least 1024"
    for at, message in enumerate(messages):
        if found := _message(at, message, messages):
            return found
    return _turn(messages) if thinking else None


def thinks(body: Json) -> bool:
    """Return whether the request asks for extended thinking."""
    return (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")


def _blocks(message: Json) -> list[Json]:
    content = message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _message(at: int, message: Json, messages: list[Json]) -> str | None:
    if message["role"] not in ("user", "assistant"):
        return f'messages.{at}: unexpected role "{message["role"]}": system text is a top-level parameter'
    blocks = _blocks(message)
    if any(b["type"] == "text" and not b["text"].strip() for b in blocks):
        return f"messages.{at}: text content blocks must be non-empty"
    if any(b["type"] == "thinking" and b.get("signature") != SIGNATURE for b in blocks):
        return f"messages.{at}.content: Invalid `signature` in `thinking` block"
    results = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
    before = _blocks(messages[at - 1]) if at and messages[at - 1]["role"] == "assistant" else []
    called = {b["id"] for b in before if b["type"] == "tool_use"}
    if message["role"] == "user":
        if missing := called - set(results):
            return f"messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {missing}"
        if set(results) - called:
            return f"messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks"
        if results and any(b["type"] == "tool_result" for b in blocks[len(results) :]):
            return f"messages.{at}: tool_result blocks must come first"
    elif called:
        return f"messages.{at}: `tool_use` without `tool_result`"
    elif any(b["type"] == "tool_use" and not isinstance(b["input"], dict) for b in blocks):
        return f"messages.{at}: tool_use.input: Input should be a valid dictionary"
    elif at == len(messages) - 1 and any(b["type"] == "tool_use" for b in blocks):
        return f"messages.{at}: `tool_use` ids were found without `tool_result` blocks"
    return None


def _turn(messages: list[Json]) -> str | None:
    """With thinking on, the assistant messages of a turn that calls tools begin with what was thought."""
    asked = _asked(messages)
    for message in messages[asked + 1 :]:
        blocks = _blocks(message)
        calls = any(b["type"] == "tool_use" for b in blocks)
        if message["role"] == "assistant" and calls and blocks[0]["type"] not in THOUGHT:
            return (
                f"Expected `thinking` or `redacted_thinking`, but found `{blocks[0]['type']}`. When `thinking` is "
                "enabled, a final `assistant` message must start with a thinking block."
            )
    return None


def _asked(messages: list[Json]) -> int:
    """Return the index of the last message that is a person's, not a tool's result."""
    return max(
        (
            i
            for i, m in enumerate(messages)
            if m["role"] == "user" and not any(b["type"] == "tool_result" for b in _blocks(m))
        ),
        default=0,
    )


def turn_of(body: Json, number: int) -> Turn:
    """Return the request in neutral words."""
    messages = body["messages"]
    asked = _asked(messages)
    results = [b for m in messages[asked + 1 :] for b in _blocks(m) if b["type"] == "tool_result"]
    return Turn(
        number=number,
        provider="anthropic",
        user=text_of([b for b in _blocks(messages[asked]) if b["type"] == "text"]),
        system=text_of(body.get("system")),
        results=tuple(text_of(b.get("content")) for b in results),
        tools=tuple(t["name"] for t in body.get("tools") or ()),
        tool_choice=(body.get("tool_choice") or {}).get("type"),
        stream=bool(body.get("stream")),
        body=body,
    )


def error(reply: Reply) -> Json:
    """Return the body of an error."""
    kinds = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
    kind = reply.code or kinds.get(reply.status, "overloaded_error" if reply.status == 529 else "api_error")
    return {"type": "error", "error": {"type": kind, "message": reply.message}}


def _content(reply: Reply, body: Json) -> list[Json]:
    content: list[Json] = []
    if thinks(body):
        thought = reply.reasoning or "Let me see."
        content.append({"type": "thinking", "thinking": thought, "signature": SIGNATURE})
    if reply.text:
        content.append({"type": "text", "text": reply.text})
    content += [{"type": "tool_use", "id": f"toolu_{_hex()}", "name": c.name, "input": c} for c in reply.calls]
    return content


def _hex() -> str:
    return uuid.uuid4().hex[:10]


def whole(reply: Reply, body: Json) -> Json:
    """Return the answer in one piece."""
    import json

    content = _content(reply, body)
    for block in content:
        if block["type"] == "tool_use":
            block["input"] = json.loads(re.sub(r"^(?!\{.*\}$).*$", "{}", block["input"].text, flags=re.S))
    return {**_head(body), "content": content, "stop_reason": _stop(reply), "usage": _usage(reply)}


def _head(body: Json) -> Json:
    return {
        "id": f"msg_{_hex()}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "fake"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _stop(reply: Reply) -> str:
    return "tool_use" if reply.calls else "end_turn"


def _usage(reply: Reply) -> Json:
    read, written = reply.usage
    return {
        "input_tokens": read,
        "output_tokens": written,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }


def stream(reply: Reply, body: Json) -> Iterator[tuple[str | None, Json | str]]:
    """Yield the answer in pieces, as the provider sends them."""

    def event(kind: str, **rest: object) -> tuple[str, Json]:
        return kind, {"type": kind, **rest}

    yield event("message_start", message={**_head(body), "usage": {**_usage(reply), "output_tokens": 1}})
    for at, block in enumerate(_content(reply, body)):
        yield from _block(reply, at, block)
    if "finish_reason" not in reply.without:
        delta = {"stop_reason": _stop(reply), "stop_sequence": None}
        yield event("message_delta", delta=delta, usage={"output_tokens": reply.usage[1]})
        yield event("message_stop")


def _block(reply: Reply, at: int, block: Json) -> Iterator[tuple[str, Json]]:
    kind = block["type"]
    empty = {
        "thinking": {"type": kind, "thinking": "", "signature": ""},
        "text": {"type": kind, "text": ""},
        "tool_use": {**block, "input": {}},
    }[kind]
    deltas: list[Json] = []
    if kind == "thinking":
        deltas = [{"type": "thinking_delta", "thinking": p} for p in parts(block["thinking"], reply.piece)]
        deltas.append({"type": "signature_delta", "signature": SIGNATURE})
    elif kind == "text":
        deltas = [{"type": "text_delta", "text": p} for p in parts(block["text"], reply.piece)]
    else:
        deltas = [{"type": "input_json_delta", "partial_json": p} for p in parts(block["input"].text, reply.piece)]
    yield "content_block_start", {"type": "content_block_start", "index": at, "content_block": empty}
    for delta in deltas:
        yield "content_block_delta", {"type": "content_block_delta", "index": at, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": at}
