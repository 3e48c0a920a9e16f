"""What happened, kept so that whoever comes late or comes back reads it from the beginning, or from where they were.

Lives on the event loop: other threads add through `call_soon_threadsafe`.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

Json = dict[str, Any]


class Log:
    """Events in order, until it is closed. Any number of readers follow it, each at its own pace."""

    def __init__(self) -> None:
        self.events: list[Json] = []
        self.closed = False
        self._news = asyncio.Event()

    def add(self, event: Json) -> None:
        """Add an event at the end; after the end nothing is added."""
        if not self.closed:
            self.events.append(event)
            self._wake()

    def close(self) -> None:
        """Say that nothing more comes."""
        self.closed = True
        self._wake()

    async def follow(self, start: int = 0) -> AsyncIterator[tuple[int, Json]]:
        """Yield events with their numbers (from 0) as they come, from `start` on, until the log is closed."""
        at = max(0, start)
        while True:
            news = self._news
            while at < len(self.events):
                yield at, self.events[at]
                at += 1
            if self.closed:
                return
            await news.wait()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
