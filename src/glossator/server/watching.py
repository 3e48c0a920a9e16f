"""Runs that end with their client: waited for, or streamed, and stopped when nobody listens any more."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request

from glossator.errors import Cancelled, GlossatorError
from glossator.server.runs import Run

LOOK = 0.5  # seconds between two looks at whether the client is there
Json = dict[str, Any]


async def until_ended(run: Run, request: Request) -> Json:
    """Return the answer of a run; the run is stopped when its client goes.

    Raises:
        GlossatorError: it failed before there was anything to answer.
    """
    assert run.task is not None
    while not run.task.done():
        await asyncio.wait({run.task}, timeout=LOOK)
        if not run.task.done() and await request.is_disconnected():
            run.end()
            raise Cancelled
    if run.answer is None:
        raise run.error or GlossatorError("there is no answer", hint="ask again")
    return run.answer


async def while_heard(run: Run) -> AsyncIterator[Json]:
    """Yield the chunks of a run; it is stopped when they are not taken any more."""
    try:
        async for _, chunk in run.log.follow():
            yield chunk
    finally:
        if run.ended is None:
            run.end()
