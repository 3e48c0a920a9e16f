"""Answers in the making: each a task of its own with a log of its chunks, so that no window has to stay open for it.

Whoever watches reads the log; it begins at the first chunk for everyone, also for who comes back. What was said is in
the session as it comes, so that a killed server leaves whole rounds.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from glossator.agent.job import Stop
from glossator.agent.stream import Chunks, chunks_of
from glossator.config import Settings
from glossator.errors import GlossatorError, UsageError
from glossator.library.extracted import Extract, extracted
from glossator.server.approvals import Approvals
from glossator.server.asking import Asking, checked, model_of, powers_of, question_of
from glossator.server.log import Log

if TYPE_CHECKING:
    from glossator.agent.answering import Powers
    from glossator.choice import ModelChoice
    from glossator.library.library import Library

KEPT = 600.0  # seconds for which an answer that is complete can be heard again
Json = dict[str, Any]
log = logging.getLogger(__name__)


class Run:
    """One answer: its log, and how it is ended."""

    def __init__(self, session: str) -> None:
        self.id = "r" + secrets.token_hex(8)
        self.session = session
        self.log = Log()
        self.stop = Stop()
        self.approvals = Approvals(self._told_from_thread)
        self._loop = asyncio.get_running_loop()
        self.ended: float | None = None
        self.answer: Json | None = None
        self.error: GlossatorError | None = None
        self.task: asyncio.Task[None] | None = None

    def told(self, chunk: Json) -> None:
        """Take a chunk."""
        if chunk["type"] == "data-answer":
            self.answer = chunk["data"]
        self.log.add(chunk)

    def end(self) -> None:
        """End it now; what there is becomes the answer."""
        self.stop.set()
        self.approvals.end()

    def _told_from_thread(self, chunk: Json) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.told, chunk)


class Runs:
    """The answers in the making, one for a session at a time; lives on the event loop."""

    def __init__(self, library: "Library", settings: Callable[[], Settings]) -> None:
        """Answer questions about a library, by the settings of the moment."""
        self._library = library
        self._settings = settings
        self._runs: dict[str, Run] = {}
        self._names: dict[str, str] = {}  # what clients call a session

    @property
    def busy(self) -> bool:
        """Return whether an answer is in the making."""
        return any(run.ended is None for run in self._runs.values())

    def leave(self) -> None:
        """End all of them; what there is becomes their answers."""
        for run in self._runs.values():
            if run.ended is None:
                run.end()

    def find(self, session: str) -> Run | None:
        """Return the last run of a session, if it can still be heard."""
        self._forget()
        return self._runs.get(self._names.get(session, session))

    async def session(self, named: str | None, chat: str | None = None) -> str:
        """Return the session that a client names, or a new one; `chat` is what the client calls it from now on.

        Raises:
            NotFound: no session is named so.
        """
        if named is not None:
            return await asyncio.to_thread(self._known, named)
        if chat is not None and chat in self._names:
            return self._names[chat]
        if chat is not None:
            with suppress(GlossatorError):
                return await asyncio.to_thread(self._known, chat)
        made = (await asyncio.to_thread(self._library.sessions.start)).id
        if chat is not None:
            self._names[chat] = made
        return made

    async def begin(
        self, text: str, given: Asking, *, session: str | None = None, chat: str | None = None, asks: bool = False
    ) -> Run:
        """Begin to answer, and return the run; `asks`: a person is there who can be asked what tools may do.

        Raises:
            UsageError: nothing is asked, or an answer is in the making in that session.
            GlossatorError: it cannot be asked so: no such document, session, model.
        """
        settings = await asyncio.to_thread(self._settings)
        choice = model_of(settings, given)
        await asyncio.to_thread(checked, self._library, text, given)
        powers = None if choice is None else await asyncio.to_thread(powers_of, settings)
        run = Run(await self.session(session, chat))
        before = self._runs.get(run.session)
        if before is not None and before.ended is None:
            raise UsageError("an answer is in the making in this session", hint="stop it first, or wait for it")
        self._forget()
        self._runs[run.session] = run
        if asks and powers is not None:
            powers = replace(powers, approve=run.approvals.ask)
        model = None if choice is None or powers is None else (choice, powers)
        run.task = asyncio.create_task(self._answer(run, settings, model, (text, given)))
        return run

    async def _answer(
        self, run: Run, settings: Settings, model: "tuple[ModelChoice, Powers] | None", asked: tuple[str, Asking]
    ) -> None:
        chunks = Chunks(run.id)
        try:
            if model is None:
                await self._extract(run, *asked)
            else:
                await self._ask(run, settings, model, asked, chunks)
        except GlossatorError as error:
            self._failed(run, error, chunks)
        except Exception:  # the edge of a job
            log.exception("answering in session %s", run.session)
            defect = GlossatorError("answering met a defect", hint="see the server's log, and report it")
            self._failed(run, defect, chunks)
        finally:
            run.approvals.end()
            run.ended = time.monotonic()
            run.log.close()

    async def _extract(self, run: Run, text: str, given: Asking) -> None:
        extract = Extract(text=text, **given.names(), selection=given.span(), bound=given.bound())
        found = await asyncio.to_thread(extracted, self._library, extract, run.session)
        for chunk in chunks_of(replace(found, session=run.session)):
            run.told({**chunk, "messageId": run.id} if chunk["type"] == "start" else chunk)

    async def _ask(
        self,
        run: Run,
        settings: Settings,
        choice: "tuple[ModelChoice, Powers]",
        asked: tuple[str, Asking],
        chunks: Chunks,
    ) -> None:
        from glossator.agent.answering import answering
        from glossator.agent.answering import asked as asked_model

        text, given = asked
        model = await asyncio.to_thread(asked_model, choice[0])
        question = question_of(settings, text, given, run.session)
        try:
            events = answering(self._library, question, model, powers=choice[1], stop=run.stop)
            async for event in events:
                for chunk in chunks.of(event):
                    run.told(chunk)
        finally:
            if close := getattr(model.model, "close", None):
                await close()

    def _failed(self, run: Run, error: GlossatorError, chunks: Chunks) -> None:
        run.error = error
        answer = getattr(error, "answer", None)
        shape = {"error": GlossatorError(error.message, hint=error.hint).to_json() | {"code": error.code}}
        for chunk in chunks.end(None if answer is None else shape | answer.to_json(), error=error.message):
            run.told(chunk)

    def _known(self, session: str) -> str:
        from glossator.store.sessions import Page

        return self._library.sessions.show(session, page=Page(limit=0)).entry.id

    def forget(self, session: str) -> None:
        """Let go of the last run of a session, which cannot be heard again then."""
        self._runs.pop(session, None)

    def _forget(self) -> None:
        """Let go of what was complete some time ago."""
        now = time.monotonic()
        for session, run in list(self._runs.items()):
            if run.ended is not None and now - run.ended > KEPT:
                del self._runs[session]
