"""The server's side of the process that does long work: asked, heard, cancelled, started again when it died."""

import json
import logging
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from glossator.errors import Cancelled, GlossatorError, from_json
from glossator.library.results import IngestEvent

LOOK = 0.1  # seconds between two looks at whether a job is cancelled
Json = dict[str, Any]
Tell = Callable[[IngestEvent], None]
log = logging.getLogger(__name__)


class Child:
    """A process that works on one job at a time; it is started when it is needed, and kept."""

    def __init__(self, folder: Path, embedder: str | None) -> None:
        """Work on the library in a folder."""
        self._words = [str(folder), *([] if embedder is None else [embedder])]
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def run(self, kind: str, arguments: Json, tell: Tell, cancelled: Callable[[], bool]) -> Json:
        """Return the result of a job.

        Raises:
            Cancelled: it was cancelled before there was a result.
            GlossatorError: it failed, or its process died.
        """
        process = self._started()
        self._send(process, {"kind": kind, "arguments": arguments})
        told = False
        while True:
            if cancelled() and not told:
                told = True
                self._send(process, {"cancel": True})
            try:
                line = self._replies.get(timeout=LOOK)
            except queue.Empty:
                continue
            if not line:
                self._process = None
                raise GlossatorError(
                    f"the process that worked on this ended with {process.wait()}",
                    hint="add its files one by one to see which; what was finished stays",
                )
            reply = json.loads(line)
            if "event" in reply:
                tell(IngestEvent(**reply["event"]))
            elif "cancelled" in reply:
                raise Cancelled
            elif "error" in reply:
                raise from_json(reply["error"])
            else:
                found: Json = reply["result"]
                return found

    def close(self) -> None:
        """End the process, whatever it is doing; what it committed is whole."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                _close(pipe)

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "glossator.server.worker", *self._words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=sys.platform != "win32",
            )
            self._replies = queue.SimpleQueue()
            threading.Thread(target=_read, args=(self._process.stdout, self._replies), daemon=True).start()
        return self._process

    def _send(self, process: "subprocess.Popen[bytes]", request: Json) -> None:
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except OSError as error:  # it died; the end of its output says so
            log.info("asking the working process: %s", error)


def _read(source: IO[bytes], replies: "queue.SimpleQueue[bytes]") -> None:
    try:
        for line in source:
            replies.put(line)
    except ValueError as error:  # closed while reading: the server ends
        log.debug("reading from the working process: %s", error)
    replies.put(b"")


def _close(pipe: IO[bytes] | None) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError as error:
        log.debug("closing a pipe of the working process: %s", error)
