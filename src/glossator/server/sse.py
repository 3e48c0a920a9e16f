"""Server-sent events: logs and chunks as `text/event-stream`, with numbers by which a client comes back."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.responses import StreamingResponse

from glossator.server.log import Log

MEDIA_TYPE = "text/event-stream"
BEAT = 15.0  # seconds between two signs of life, so that a client that is gone is noticed
HEADERS: Mapping[str, str] = {"cache-control": "no-cache", "x-accel-buffering": "no"}


def event(data: Any, *, name: str | None = None, number: int | None = None) -> bytes:
    """Return one event; data is JSON, or a text as it stands."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    lines = [] if number is None else [f"id: {number}"]
    lines += [] if name is None else [f"event: {name}"]
    return ("\n".join([*lines, f"data: {text}"]) + "\n\n").encode("utf-8", "backslashreplace")


async def following(log: Log, start: int, *, named: bool = False, end: bytes = b"") -> AsyncIterator[bytes]:
    """Yield the events of a log from `start` on; `named`: each under its own `event`, its data without that."""
    async for part in _beating(log.follow(start)):
        if part is None:
            yield b": still here\n\n"
            continue
        number, data = part
        if named:
            rest = {k: v for k, v in data.items() if k != "event"}
            yield event(rest, name=data["event"], number=number)
        else:
            yield event(data, number=number)
    if end:
        yield end


def response(body: AsyncIterator[bytes], headers: Mapping[str, str] | None = None) -> StreamingResponse:
    """Return a stream of events as a response."""
    return StreamingResponse(body, media_type=MEDIA_TYPE, headers={**HEADERS, **(headers or {})})


def after(last_event_id: str | None) -> int:
    """Return the number of the first event that a client which comes back has not seen."""
    return int(last_event_id) + 1 if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else 0


async def _beating(events: AsyncIterator[tuple[int, Any]]) -> AsyncIterator[tuple[int, Any] | None]:
    """Yield the events, and None when none came for a while."""
    following: asyncio.Future[tuple[int, Any]] | None = None
    try:
        while True:
            following = following or asyncio.ensure_future(anext(events))
            done, _ = await asyncio.wait({following}, timeout=BEAT)
            if not done:
                yield None
                continue
            try:
                part = following.result()
            except StopAsyncIteration:
                return
            finally:
                following = None
            yield part
    finally:
        if following is not None:
            following.cancel()
