"""What the agent wants to do and a person is asked about, in the stream of the answer, until they say or do not.

A tool waits in a thread of its own. Each question is a chunk `data-approval` that stays in the log, so that whoever
comes back sees it; the same chunk comes again with what was said.
"""

import secrets
import threading
from collections.abc import Callable
from typing import Any

from glossator.agent.context import Intent
from glossator.errors import NotFound

PATIENCE = 300.0  # seconds; who has not answered by then has refused
Json = dict[str, Any]


class Approvals:
    """The questions of one answer; for any number of threads."""

    def __init__(self, told: Callable[[Json], object]) -> None:
        """Tell the questions to `told`, from whatever thread asks."""
        self._told = told
        self._waiting: dict[str, tuple[threading.Event, list[bool]]] = {}
        self._lock = threading.Lock()
        self._over = False

    def ask(self, intent: Intent) -> bool:
        """Return whether the person allows something; it waits for them."""
        name = "a" + secrets.token_hex(6)
        answered, said = threading.Event(), [False]
        shape: Json = {"id": name, "tool": intent.tool, "args": dict(intent.args), "question": str(intent)}
        with self._lock:
            if self._over:
                return False
            self._waiting[name] = (answered, said)
        self._told({"type": "data-approval", "id": name, "data": {**shape, "allowed": None}})
        answered.wait(PATIENCE)
        with self._lock:
            self._waiting.pop(name, None)
            allowed = said[0]
        self._told({"type": "data-approval", "id": name, "data": {**shape, "allowed": allowed}})
        return allowed

    def answer(self, name: str, allow: bool) -> None:
        """Take what the person says to a question.

        Raises:
            NotFound: no such question waits: it was answered, or given up.
        """
        with self._lock:
            found = self._waiting.pop(name, None)
            if found is None:
                raise NotFound(f"no question {name!r} waits for an answer", hint="it was answered, or given up")
            found[1][0] = allow
        found[0].set()

    def end(self) -> None:
        """Refuse all that waits, and whatever is asked from now on."""
        with self._lock:
            self._over = True
            waiting, self._waiting = list(self._waiting.values()), {}
        for answered, _ in waiting:
            answered.set()
