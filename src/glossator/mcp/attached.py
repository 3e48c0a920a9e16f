"""The library behind a running server: models and indexes are in memory once, however many clients there are.

The server named in `server.json` is asked, else one is started in the background, which ends when idle. What changes
the library, and an answer of a language model, happens in this process, on the same file. Where no server can be had,
everything does.
"""

import logging
import threading
import time
from importlib.util import find_spec
from typing import Any

from glossator.errors import GlossatorError
from glossator.library import running
from glossator.library.running import Running
from glossator.mcp.door import Here

Json = dict[str, Any]
ANSWER = 120.0  # seconds for an answer of the server
AGAIN = 60.0  # seconds before another server is started, after one did not begin
NEEDED = ("fastapi", "uvicorn")

log = logging.getLogger(__name__)


class Attached(Here):
    """The library through its server, which is found or started when it is first needed."""

    def __init__(self, *words: Any, **options: Any) -> None:
        """Take what `Here` takes."""
        super().__init__(*words, **options)
        self._server: Running | None = None
        self._failed: float | None = None
        self._finding = threading.Lock()

    def warm(self) -> None:
        """Find the server, or start it."""
        if self._found() is None:
            super().warm()

    def perform(self, operation: str, options: Json) -> Json:
        """Return the server's answer; without one, that of the file."""
        for _ in range(2):  # a server may have ended since it was last asked
            server = self._found()
            if server is None:
                break
            try:
                path = "/api/" + operation.replace(" ", "/")
                found = running.ask(server, "POST", path, self.bounded(operation, options), timeout=ANSWER)
                return dict(found)
            except GlossatorError as error:
                if type(error) is not GlossatorError:  # its own answer: there is no such document, and the like
                    raise
                log.info("the server is passed over: %s", error.message)
                self._server = None
        return super().perform(operation, options)

    def _found(self) -> Running | None:
        """Return the server, found or started; None where there is none to be had."""
        with self._finding:
            if self._server is not None or not self.exists():
                return self._server
            self._server = running.running(self.folder)
            lately = self._failed is not None and time.monotonic() - self._failed < AGAIN
            if self._server is None and not lately and all(find_spec(name) for name in NEEDED):
                try:
                    self._server = running.attached(self.folder)
                except GlossatorError as error:
                    self._failed = time.monotonic()
                    log.warning("no server could be started; the library is opened here: %s", error.message)
            return self._server
