"""Long work: done in processes of its own, told as events, written down, so that no client stays.

Work on the library is done one after another, and beside it, one after another, what asks a language model: a summary
of a whole book keeps nobody from adding another one.

A job that a killed server left is done again when the next one starts; what it had finished is skipped, because a known
file is `unchanged`. One that ended a server `TRIES` times is given up.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from glossator.errors import Cancelled, GlossatorError, UsageError
from glossator.library.results import IngestEvent
from glossator.server.child import Child
from glossator.server.log import Log
from glossator.server.work import ASKING, KINDS
from glossator.store import jobs as stored
from glossator.store.jobs import Job

if TYPE_CHECKING:
    from glossator.library.library import Library

TRIES = 3
EVERY = 0.1  # seconds between two events of progress
Json = dict[str, Any]
log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Lane:
    """Jobs that wait for each other, and the process that does them."""

    child: Child
    waiting: "queue.SimpleQueue[str | None]" = field(default_factory=queue.SimpleQueue)
    current: str | None = None
    told: float = 0.0
    thread: threading.Thread | None = None


class Jobs:
    """The jobs of a library: begun, followed and cancelled from the event loop, run in threads of their own."""

    def __init__(self, library: "Library") -> None:
        """Work on a library."""
        self._library = library
        self._lanes = {
            asks: _Lane(Child(library.database.folder, library.embedder_setting)) for asks in (False, True)
        }  # by whether a language model is asked
        self._cancelled: set[str] = set()
        self._logs: dict[str, Log] = {}
        self._leaving = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def busy(self) -> bool:
        """Return whether a job runs or waits."""
        return any(lane.current is not None or not lane.waiting.empty() for lane in self._lanes.values())

    def open(self) -> None:
        """Begin to work, first on what was left undone; to be called on the event loop."""
        self._loop = asyncio.get_running_loop()
        if self._library.database.readonly:
            return
        with self._library.database.read() as c:
            left = stored.unfinished_jobs(c)
        for job in left:
            self._logs[job.id] = Log()
            self._lane(job.kind).waiting.put(job.id)
        for lane in self._lanes.values():
            lane.thread = threading.Thread(target=self._work, args=(lane,), name="jobs", daemon=True)
            lane.thread.start()

    def leave(self) -> None:
        """Stop working as soon as can be; what runs is left for the next start."""
        self._leaving.set()
        for lane in self._lanes.values():
            lane.waiting.put(None)

    def close(self, seconds: float) -> None:
        """Stop working, and wait for that at most so long."""
        self.leave()
        deadline = time.monotonic() + seconds
        for lane in self._lanes.values():
            if lane.thread is not None:
                lane.thread.join(max(0.0, deadline - time.monotonic()))
            lane.child.close()

    def begin(self, kind: str, arguments: Json) -> Job:
        """Write a job down and return it; it runs when those before it are done.

        Raises:
            UsageError: there is no such kind of work.
        """
        if kind not in KINDS:
            raise UsageError(f"there is no work {kind!r}", hint="one of " + ", ".join(KINDS))
        with self._library.database.write() as c:
            job = stored.insert_job(c, kind, arguments)
        self._on_loop(lambda: self._logs.setdefault(job.id, Log()))
        self._lane(kind).waiting.put(job.id)
        return job

    def list(self, *, limit: int, offset: int) -> list[Job]:
        """Return jobs, the newest first."""
        with self._library.database.read() as c:
            return stored.list_jobs(c, limit=limit, offset=offset)

    def get(self, identifier: str) -> Job:
        """Return a job as it stands.

        Raises:
            NotFound: there is none.
        """
        with self._library.database.read() as c:
            return stored.get_job(c, identifier)

    def cancel(self, identifier: str) -> Job:
        """Cancel a job, and return it; one that ended stays as it is."""
        job = self.get(identifier)
        if job.ended:
            return job
        self._cancelled.add(identifier)
        if self._lane(job.kind).current != identifier:
            return self._settle(identifier, "cancelled")
        return job

    async def events(self, identifier: str) -> Log:
        """Return the events of a job; of one that ended before this server began, its end alone."""
        job = await asyncio.to_thread(self.get, identifier)
        found = self._logs.get(identifier)
        if found is None:
            found = Log()
            found.add({"event": job.state, **job.to_json()})
            found.close()
        return found

    async def ended(self, identifier: str) -> Job:
        """Return a job when it has ended."""
        async for _ in (await self.events(identifier)).follow():
            pass
        return await asyncio.to_thread(self.get, identifier)

    def _lane(self, kind: str) -> _Lane:
        return self._lanes[kind in ASKING]

    # -- in the threads

    def _work(self, lane: _Lane) -> None:
        while (identifier := lane.waiting.get()) is not None and not self._leaving.is_set():
            lane.current = identifier
            try:
                self._run(lane, identifier)
            except Exception:  # the edge of a job: one that cannot even be noted must not end the others
                log.exception("job %s", identifier)
            finally:
                lane.current = None

    def _run(self, lane: _Lane, identifier: str) -> None:
        with self._library.database.write() as c:
            job = stored.get_job(c, identifier)
            if job.ended:
                return
            job = stored.start_job(c, identifier)
        if job.tries > TRIES:
            error = GlossatorError(f"it ended the server {TRIES} times", hint="add its files one by one to see which")
            self._settle(identifier, "failed", error=error.to_json())
            return
        self._tell(identifier, {"event": "running", **job.to_json()})
        try:
            result = lane.child.run(
                job.kind,
                job.arguments,
                lambda event: self._progress(lane, identifier, event),
                lambda: identifier in self._cancelled or self._leaving.is_set(),
            )
        except Cancelled:
            self._stopped(identifier)
        except GlossatorError as error:
            self._settle(identifier, "failed", error=error.to_json())
        except Exception:  # the edge of a job
            log.exception("job %s (%s)", identifier, job.kind)
            defect = GlossatorError("this job met a defect", hint="see the server's log, and report it")
            self._settle(identifier, "failed", error=defect.to_json())
        else:
            if identifier in self._cancelled or self._leaving.is_set():
                self._stopped(identifier, result)
            else:
                self._settle(identifier, "done", result=result)

    def _stopped(self, identifier: str, result: Json | None = None) -> None:
        """Note that a job was cancelled; one that the end of the server broke off stays to be done."""
        if identifier in self._cancelled:
            self._settle(identifier, "cancelled", result=result)

    def _progress(self, lane: _Lane, identifier: str, event: IngestEvent) -> None:
        if time.monotonic() - lane.told >= EVERY or event.done == event.total:
            lane.told = time.monotonic()
            told = {"stage": event.stage, "file": event.file, "done": event.done, "total": event.total}
            self._tell(identifier, {"event": "progress", **told})

    def _settle(self, identifier: str, state: stored.State, **what: Any) -> Job:
        with self._library.database.write() as c:
            job = stored.settle_job(c, identifier, state, **what)
        self._tell(identifier, {"event": state, **job.to_json()}, last=True)
        return job

    def _tell(self, identifier: str, event: Json, *, last: bool = False) -> None:
        def tell() -> None:
            found = self._logs.setdefault(identifier, Log())
            found.add(event)
            if last:
                found.close()

        self._on_loop(tell)

    def _on_loop(self, call: Callable[[], object]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)
