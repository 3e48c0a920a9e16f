"""Processes that answer reading commands beside the server's own, one for each core, while several clients ask at once.

Python holds one lock for all threads of a process, so a server alone answers one search at a time. The first of several
requests at once is answered here, as is every single one. Once `CROWD` requests within `WITHIN` seconds met others, the
processes are started; they end by themselves when they have not been asked for a while. Models are loaded here only;
each process has the search indexes in memory, and reads the same file. When one dies, its request is answered here.
"""

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections import deque
from typing import IO, TYPE_CHECKING, Any

from glossator.errors import from_json
from glossator.library.batch import answer
from glossator.server.reading import ANSWER, ERROR, MODEL, encoded, lend

if TYPE_CHECKING:
    from glossator.library.library import Library

MOST = 4  # processes
CROWD, WITHIN = 20, 2.0
PATIENCE = 0.5  # seconds that a request waits for a process before it is answered here
IDLE = 60.0  # seconds after which a process ends that is not asked
ROOM = 2  # times this process's memory that must be free for each of them
Json = dict[str, Any]
log = logging.getLogger(__name__)


class Readers:
    """Answers the reading commands of a library, here or in processes of its own. Used from several threads."""

    def __init__(self, library: "Library", *, most: int | None = None, idle: float = IDLE) -> None:
        """Answer from a library, with at most so many processes: None is one for each core, 0 none."""
        self._library = library
        self._most = min(MOST, cores()) if most is None else most
        self._idle = idle
        self._open = 0  # requests under way
        self._met: deque[float] = deque(maxlen=CROWD)  # when requests met others
        self._free: list[_Reader] = []
        self._all: list[_Reader] = []
        self._changed = threading.Condition()
        self._starting = self._closed = False

    def answer(self, operation: str, options: Json) -> bytes:
        """Return the JSON of an operation of `library.batch`.

        Raises: as the operation.
        """
        with self._changed:
            alone = self._open == 0
            self._open += 1
            reader = None if alone else self._taken()
        try:
            return self._here(operation, options) if reader is None else self._there(reader, operation, options)
        finally:
            with self._changed:
                self._open -= 1

    @property
    def processes(self) -> list[int]:
        """Return the ids of the processes that live."""
        with self._changed:
            return [r.process.pid for r in self._living()]

    def close(self) -> None:
        """End all processes; what they were asked is answered here."""
        with self._changed:
            self._closed = True
            ending, free, self._all, self._free = self._all, self._free, [], []
            self._changed.notify_all()
        for reader in ending:
            if reader in free:
                reader.end()
            else:
                reader.process.kill()  # a thread reads its pipes, and ends it

    def _here(self, operation: str, options: Json) -> bytes:
        return encoded(answer(self._library, operation, options))

    def _there(self, reader: "_Reader", operation: str, options: Json) -> bytes:
        try:
            kind, data = reader.ask(self._library, operation, options)
        except OSError as error:
            log.info("answered here: reading process %d ended (%s)", reader.process.pid, error)
            reader.end()
            return self._here(operation, options)
        with self._changed:
            closed = self._closed
            if not closed:
                self._free.append(reader)
                self._changed.notify()
        if closed:
            reader.end()
        if kind == ANSWER:
            return data
        if kind == ERROR:
            raise from_json(json.loads(data))
        raise RuntimeError(f"{operation} met a defect in reading process {reader.process.pid}, whose log tells it")

    def _taken(self) -> "_Reader | None":
        """Return a process that is free, waiting for one if there are any; start them when this is a crowd."""
        self._met.append(time.monotonic())
        end = self._met[-1] + PATIENCE
        while self._living() and (left := end - time.monotonic()) > 0:
            if self._free:
                return self._free.pop()
            self._changed.wait(left)
        if not self._all and len(self._met) == CROWD and self._met[-1] - self._met[0] <= WITHIN:
            self._met.clear()
            if self._most and not self._starting and not self._closed:
                self._starting = True
                threading.Thread(target=self._start, name="readers", daemon=True).start()
        return None

    def _living(self) -> "list[_Reader]":
        """Return the processes that live, and forget the others."""
        for reader in [r for r in self._all if not r.alive]:
            self._all.remove(reader)
            if reader in self._free:
                self._free.remove(reader)
                reader.end()
        return self._all

    def _start(self) -> None:
        """Start as many processes as there is room for; each is asked once, so that it has everything in memory."""
        try:
            for _ in range(min(self._most, rooms())):
                reader = _Reader(self._library, self._idle)
                reader.ask(self._library, "search", {"query": "a", "k": 1})
                with self._changed:
                    if self._closed:
                        reader.end()
                        return
                    self._all.append(reader)
                    self._free.append(reader)
                    self._changed.notify()
        except OSError as error:
            log.warning("no process beside this one can read: %s", error)
            self._most = 0
        finally:
            self._starting = False


class _Reader:
    """One process; asked by one thread at a time."""

    def __init__(self, library: "Library", idle: float) -> None:
        setting = library.embedder_setting
        words = [str(library.database.folder), str(idle), *([] if setting is None else [setting])]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "glossator.server.reading", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=sys.platform != "win32",
        )

    @property
    def alive(self) -> bool:
        """Return whether it runs."""
        return self.process.poll() is None

    def ask(self, library: "Library", operation: str, options: Json) -> tuple[bytes, bytes]:
        """Return the kind of an answer, and its JSON; what it needs of a model is made here meanwhile.

        Raises:
            OSError: it ended.
        """
        assert self.process.stdout is not None
        self._send({"operation": operation, "options": options})
        while (line := self.process.stdout.readline()).endswith(b"\n"):  # else it ended, in the midst of one perhaps
            kind, data = line[:1], line[1:-1]
            if kind != MODEL:
                return kind, data
            self._send(lend(library, json.loads(data)))
        raise BrokenPipeError("it said nothing")

    def end(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            _close(pipe)

    def _send(self, message: Json) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def rooms() -> int:
    """Return for how many processes there is memory: each needs at most what this one has, and half stays free."""
    import psutil

    return int(psutil.virtual_memory().available // (ROOM * psutil.Process().memory_info().rss))


def _close(pipe: IO[bytes] | None) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError as error:
        log.debug("closing a pipe of a reading process: %s", error)
