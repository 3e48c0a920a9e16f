"""OpenAI's Responses interface: items, paired outputs of calls, reasoning that only comes back encrypted."""

import re
import time
import uuid
from collections.abc import Iterator

from tests.agent.fake_provider.chat import parts, text_of
from tests.agent.fake_provider.script import Json, Reply, Turn

SEALED = "gAAAA-sealed-by-the-fake-provider-"
PREFIX = {"reasoning": "rs_", "function_call": "fc_", "message": "msg_"}


def _items(body: Json) -> list[Json]:
    given = body.get("input") or []
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def problem(body: Json) -> str | None:
    """Return why the real server would answer 400, or None."""
    items = _items(body)
    waiting: dict[str, str] = {}
    for at, item in enumerate(items):
        kind = item.get("type", "message")
        given = item.get("id")
        if given and kind in PREFIX and not str(given).startswith(PREFIX[kind]):
            return f"Invalid 'input[{at}].id': '{given}'. Expected an ID that begins with '{PREFIX[kind][:-1]}'."
        if kind == "reasoning" and (found := _reasoning(at, item, items)):
            return found
        if kind == "function_call":
            if not re.fullmatch(r"[\w-]{1,64}", item["call_id"]):
                return f"Invalid 'input[{at}].call_id': '{item['call_id']}'."
            waiting[item["call_id"]] = item["name"]
        elif kind == "function_call_output":
            if waiting.pop(item["call_id"], None) is None:
                return f"No tool call found for function call output with call_id {item['call_id']}."
        elif kind == "message" and item.get("role") == "user" and waiting:
            break
    if waiting:
        return f"No tool output found for function call {next(iter(waiting))}."
    if body.get("tool_choice") not in (None, "auto", "none") and not body.get("tools"):
        return "Tool choice is specified, but no tools are."
    return None


def _reasoning(at: int, item: Json, items: list[Json]) -> str | None:
    sealed = item.get("encrypted_content")
    if not sealed:
        return f"Item with id '{item.get('id')}' not found. Items are not persisted when `store` is set to false."
    if not str(sealed).startswith(SEALED):
        return f"The encrypted content for item {item.get('id')} could not be verified. (invalid_encrypted_content)"
    if at + 1 == len(items):
        return f"Item '{item.get('id')}' of type 'reasoning' was provided without its required following item."
    return None


def turn_of(body: Json, number: int) -> Turn:
    """Return the request in neutral words."""
    items = _items(body)
    asked = max((i for i, m in enumerate(items) if m.get("role") == "user"), default=-1)
    outputs = [i for i in items[asked + 1 :] if i.get("type") == "function_call_output"]
    system = [text_of(i["content"]) for i in items if i.get("role") in ("system", "developer")]
    return Turn(
        number=number,
        provider="openai",
        user=text_of(items[asked]["content"]) if asked >= 0 else "",
        system="\n".join([body.get("instructions") or "", *system]).strip(),
        results=tuple(text_of(i.get("output")) for i in outputs),
        tools=tuple(t["name"] for t in body.get("tools") or () if t.get("type") == "function"),
        tool_choice=body.get("tool_choice"),
        stream=bool(body.get("stream")),
        body=body,
    )


def _output(reply: Reply, body: Json) -> list[Json]:
    items: list[Json] = []
    if reply.reasoning:
        summary = [{"type": "summary_text", "text": reply.reasoning}]
        item: Json = {"id": f"rs_{_hex()}", "type": "reasoning", "summary": summary, "status": "completed"}
        if "reasoning.encrypted_content" in (body.get("include") or ()):
            item["encrypted_content"] = SEALED + _hex()
        items.append(item)
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}]
        items.append(
            {"id": f"msg_{_hex()}", "type": "message", "role": "assistant", "status": "completed", "content": content}
        )
    for call in reply.calls:
        made = {"id": f"fc_{_hex()}", "type": "function_call", "call_id": f"call_{_hex()}", "status": "completed"}
        items.append({**made, "name": call.name, "arguments": call.text})
    return items


def _hex() -> str:
    return uuid.uuid4().hex[:10]


def whole(reply: Reply, body: Json) -> Json:
    """Return the answer in one piece."""
    read, written = reply.usage
    usage = {
        "input_tokens": read,
        "output_tokens": written,
        "total_tokens": read + written,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": f"resp_{_hex()}",
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "model": body.get("model", "fake"),
        "output": _output(reply, body),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "usage": None if "usage" in reply.without else usage,
    }


def stream(reply: Reply, body: Json) -> Iterator[tuple[str | None, Json | str]]:
    """Yield the answer in pieces, as the provider sends them."""
    done = whole(reply, body)
    number = 0

    def event(kind: str, **rest: object) -> tuple[str, Json]:
        nonlocal number
        number += 1
        return kind, {"type": kind, "sequence_number": number, **rest}

    yield event("response.created", response={**done, "output": [], "status": "in_progress", "usage": None})
    for at, item in enumerate(done["output"]):
        for kind, rest in _item(reply, item):
            yield event(kind, output_index=at, **rest)
    if "finish_reason" not in reply.without:
        yield event("response.completed", response=done)


def _item(reply: Reply, item: Json) -> Iterator[tuple[str, Json]]:
    named: Json = {"item_id": item["id"]}
    empty: Json = {"reasoning": {"summary": []}, "message": {"content": []}, "function_call": {"arguments": ""}}
    started = {**item, **empty[item["type"]], "status": "in_progress"}
    yield "response.output_item.added", {"item": started}
    if item["type"] == "reasoning":
        part = {**named, "summary_index": 0}
        yield "response.reasoning_summary_part.added", {**part, "part": {"type": "summary_text", "text": ""}}
        for piece in parts(reply.reasoning, reply.piece):
            yield "response.reasoning_summary_text.delta", {**part, "delta": piece}
    elif item["type"] == "message":
        part = {**named, "content_index": 0}
        opened = {"type": "output_text", "text": "", "annotations": []}
        yield "response.content_part.added", {**part, "part": opened}
        for piece in parts(reply.text, reply.piece):
            yield "response.output_text.delta", {**part, "delta": piece, "logprobs": []}
        yield "response.output_text.done", {**part, "text": reply.text, "logprobs": []}
    else:
        for piece in parts(item["arguments"], reply.piece):
            yield "response.function_call_arguments.delta", {**named, "delta": piece}
        yield "response.function_call_arguments.done", {**named, "arguments": item["arguments"], "name": item["name"]}
    yield "response.output_item.done", {"item": item}
