"""Parsing in limited child processes: a file that hangs, crashes or fills the memory is that document's error.

The child (`confined`) holds itself to resource limits where the system has them; this side watches wall time and
memory everywhere, kills what goes over, and starts another child for the next file. Results cross as JSON, never as
pickles, so a parser that a hostile file took over can return a wrong text and nothing worse.
"""

import base64
import json
import logging
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, cast

from glossator.document.codec import document_from_json
from glossator.document.model import Document
from glossator.errors import Cancelled, DamagedFile, GlossatorError, LimitExceeded, SourceError, from_json
from glossator.sources.files import shown

log = logging.getLogger(__name__)

_GIB = 1 << 30
_WATCH_EVERY = 0.1  # seconds
_NEAR = 0.8  # of the memory allowed: a crash above this is put down to memory
_SECRET = re.compile(r"(?:_KEY|_TOKEN|_SECRET|_PASSWORD)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one parse may take. Memory is the child's address space on POSIX, and its resident memory everywhere."""

    memory_bytes: int = 4 * _GIB
    cpu_seconds: int = 120
    wall_seconds: int = 180
    output_bytes: int = 512 << 20


class Pool:
    """Child processes that parse, for use by any number of threads; a context manager that ends them all.

    Each call of `parse` has a child to itself: an idle one, or a new one. A child is replaced after `recycle_after`
    documents, and when a parse left it large.
    """

    def __init__(self, limits: Limits | None = None, recycle_after: int = 50) -> None:
        self._limits = limits or Limits()
        self._recycle_after = recycle_after
        self._idle: list[_Child] = []
        self._lock = threading.Lock()

    def parse(
        self,
        path: Path,
        *,
        format: str | None = None,
        base_url: str | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Document:
        """Return the document in a file; like `glossator.parse.parse`, but confined.

        Raises:
            SourceError: of any kind; `LimitExceeded` and `DamagedFile` also stand for a child that had to be killed,
                or died, over this file.
            NotFound: there is no such file.
            Cancelled: `cancel` said so; it is asked ten times a second.
        """
        request = {"path": os.fspath(path), "format": format, "base_url": base_url}
        reply = self._ask(request, shown(path), cancel)
        if "error" in reply:
            if "traceback" in reply:
                log.info("the reader failed on %s\n%s", shown(path), reply["traceback"])
            raise from_json(reply["error"])
        try:
            return document_from_json(reply["document"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise DamagedFile(
                f"{shown(path)}: its reader returned no document ({type(error).__name__}: {error})",
                hint="the file is damaged or hostile; it was not added",
            ) from error

    def parts(self, path: Path, *, format: str | None = None, base_url: str | None = None) -> list[dict[str, str]]:
        """Return the canonical XHTML of a file part by part (`href`, `cfi`, `xhtml`); none of a paged one.

        Raises: as `parse`.
        """
        request = {"path": os.fspath(path), "format": format, "base_url": base_url, "parts": True}
        reply = self._ask(request, shown(path), None)
        if "error" in reply:
            raise from_json(reply["error"])
        return [{name: str(part[name]) for name in ("href", "cfi", "xhtml")} for part in reply["parts"]]

    def cover(self, path: Path, *, format: str) -> bytes | None:
        """Return the picture that a file is known by, as `cover.cover_of`; None: it has none.

        Raises: as `parse`.
        """
        request = {"path": os.fspath(path), "format": format, "cover": True}
        reply = self._ask(request, shown(path), None)
        if "error" in reply:
            raise from_json(reply["error"])
        return base64.b64decode(reply["cover"]) or None

    def close(self) -> None:
        """End all children."""
        with self._lock:
            children, self._idle = self._idle, []
        for child in children:
            child.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask(self, request: dict[str, Any], name: str, cancel: Callable[[], bool] | None) -> dict[str, Any]:
        while True:
            child, is_new = self._take()
            try:
                reply = child.ask(request, name, cancel)
            except _NeverBegan:
                child.kill()
                if is_new:
                    raise SourceError(
                        f"{name}: the parsing process does not start: {child.last_words()}",
                        hint="run `glossator doctor`; the installation is incomplete",
                    ) from None
                continue  # an idle child died of something else; the file deserves a fresh one
            except BaseException:
                child.kill()
                raise
            if reply.get("spent") or child.served >= self._recycle_after or child.is_large():
                child.kill()
            else:
                with self._lock:
                    self._idle.append(child)
            return reply

    def _take(self) -> tuple["_Child", bool]:
        with self._lock:
            if self._idle:
                return self._idle.pop(), False
        return _Child(self._limits), True


class _NeverBegan(Exception):
    """The child was dead before it could read the request."""


class _Child:
    """A running child process, its reply queue, and the watch over it."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.served = 0
        self._peak = 0
        self._errors: deque[bytes] = deque(maxlen=20)
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._process = _start(limits)
        self._requests = cast(IO[bytes], self._process.stdin)
        for target, stream in ((self._read_replies, self._process.stdout), (self._read_errors, self._process.stderr)):
            threading.Thread(target=target, args=(stream,), daemon=True).start()

    def ask(self, request: dict[str, Any], name: str, cancel: Callable[[], bool] | None) -> dict[str, Any]:
        """Return the child's reply to a request, or raise what happened to it instead."""
        try:
            self._requests.write(json.dumps(request).encode() + b"\n")
            self._requests.flush()
        except OSError as error:
            raise _NeverBegan from error
        deadline = time.monotonic() + self.limits.wall_seconds
        while True:
            try:
                line = self._replies.get(timeout=_WATCH_EVERY)
            except queue.Empty:
                self._watch(name, deadline, cancel)
                continue
            self.served += 1
            return self._read(line, name)

    def is_large(self) -> bool:
        """Tell whether the child kept so much memory that the next document would suffer from it."""
        return self._memory() > self.limits.memory_bytes // 4

    def last_words(self) -> str:
        """Return the last line that the child wrote to its standard error."""
        lines = b"".join(self._errors).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with {self._process.poll()}"

    def kill(self) -> None:
        """End the child, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        try:
            self._requests.close()
        except OSError as error:  # what was still to be written has nobody to go to
            log.debug("closing the pipe to a parsing process: %s", error)

    def _read(self, line: bytes, name: str) -> dict[str, Any]:
        if not line:
            raise self._cause_of_death(name)
        if not line.endswith(b"\n"):
            raise LimitExceeded(f"{name}: its reader returned too much", hint="split the file into several")
        try:
            reply: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise DamagedFile(
                f"{name}: its reader returned no valid reply", hint="the file is damaged or hostile; it was not added"
            ) from error
        return reply

    def _watch(self, name: str, deadline: float, cancel: Callable[[], bool] | None) -> None:
        """Raise when the parse has to stop; the pool then kills this child."""
        if cancel is not None and cancel():
            raise Cancelled
        if time.monotonic() > deadline:
            raise LimitExceeded(
                f"{name}: reading it takes more than {self.limits.wall_seconds} seconds",
                hint="split the file, or convert it to another format",
            )
        self._peak = max(self._peak, self._memory(virtual=True))
        if self._memory() > self.limits.memory_bytes:
            raise self._too_much_memory(name)

    def _cause_of_death(self, name: str) -> GlossatorError:
        code = self._process.wait()
        log.info("the parsing process ended with %s over %s: %s", code, name, self.last_words())
        if code > 0 and self.served == 0 and b"Error" in b"".join(self._errors):
            return SourceError(
                f"{name}: the parsing process does not run: {self.last_words()}",
                hint="run `glossator doctor`; the installation is incomplete",
            )
        cause = _signal_name(code)
        if cause == "SIGXCPU":
            return LimitExceeded(
                f"{name}: reading it takes more than {self.limits.cpu_seconds} seconds of processor time",
                hint="split the file, or convert it to another format",
            )
        if cause == "SIGKILL" or self._peak > _NEAR * self.limits.memory_bytes:
            return self._too_much_memory(name)
        return DamagedFile(
            f"{name}: its reader crashed ({cause})",
            hint="the file is damaged or made to do harm; try to save it anew with the program that opens it",
        )

    def _too_much_memory(self, name: str) -> LimitExceeded:
        return LimitExceeded(
            f"{name}: reading it needs more than {self.limits.memory_bytes / _GIB:g} GB of memory",
            hint="split the file, or free it of what makes it large",
        )

    def _memory(self, *, virtual: bool = False) -> int:
        import psutil

        try:
            info = psutil.Process(self._process.pid).memory_info()
        except psutil.Error:  # it ended in between; the reply queue says how
            return 0
        return int(info.vms if virtual else info.rss)

    def _read_replies(self, stream: IO[bytes]) -> None:
        most = self.limits.output_bytes + 2
        with stream:
            while line := stream.readline(most):
                self._replies.put(line)
                if not line.endswith(b"\n"):
                    return
        self._replies.put(b"")

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(4096):
                self._errors.append(line)


def _start(limits: Limits) -> "subprocess.Popen[bytes]":
    """Start a child in a process group of its own, so that Ctrl-C reaches only this side, which then ends it.

    It gets no secrets from the environment, and no modules from the current folder (-P).
    """
    windows = sys.platform == "win32"
    return subprocess.Popen(
        [sys.executable, "-P", "-B", "-m", "glossator.parse.confined", json.dumps(asdict(limits))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if not _SECRET.search(name.upper())},
        start_new_session=not windows,
        creationflags=0x200 if windows else 0,  # CREATE_NEW_PROCESS_GROUP
    )


def _signal_name(code: int) -> str:
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"exit code {code}"
