"""The loop: ask the model, run what it calls, ask again, until it answers or a limit is reached.

    async for event in run(job): …        the last one is `Finished`

The loop knows no provider, no tool and no surface. It runs as a task of its own, so that leaving the iteration, or
`Stop.set()` from anywhere, ends it at once: the provider's connection is closed, and the turn is kept in a form that
every provider accepts. What was shown is what is stored.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from glossator.agent import one_request
from glossator.agent.compaction import compacted
from glossator.agent.context import Intent
from glossator.agent.events import Began, Changed, Closed, Event, Finished, Grew, Opened, Round, citation_part
from glossator.agent.job import Job, Stop
from glossator.agent.limits import REFUSED, Stopped, cut_in_words, grace, left, reached
from glossator.agent.listening import Heard, Listener
from glossator.agent.policy import Policy, Result
from glossator.agent.prompt import is_chinese
from glossator.agent.release import unchecked
from glossator.agent.request import Requests
from glossator.agent.research import (
    AGAIN,
    CHECK,
    CHECKS,
    PLAN,
    QUESTIONS,
    lines_of,
    missing_of,
    plan_in_words,
    to_check,
)
from glossator.agent.wording import Ending, abstains, language_in_words, nothing_written
from glossator.errors import GlossatorError
from glossator.library.findings import Answer, Citation, Step
from glossator.messages import Part, Progress, Record, Text
from glossator.messages import Tool as Call

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

__all__ = ["Job", "RunFailed", "Stop", "run"]

AT_ONCE = 4  # calls that run beside each other
log = logging.getLogger(__name__)


class RunFailed(GlossatorError):
    """The model could not be asked to the end; `answer` is what there is."""

    code = "model"

    def __init__(self, error: GlossatorError, answer: Answer) -> None:
        super().__init__(error.message, hint=error.hint)
        self.answer = answer


async def run(job: Job) -> AsyncGenerator[Event, None]:
    """Yield what happens in a run; the last event is `Finished`.

    Raises:
        RunFailed: the model could not be asked, or not to the end.
        GlossatorError: the session cannot be read or written.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    work = _Run(job, queue.put_nowait)
    task = loop.create_task(work.go())
    task.add_done_callback(lambda _: queue.put_nowait(None))
    job.stop.to(lambda: loop.call_soon_threadsafe(task.cancel))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError, GlossatorError):
                await task


class _Run:
    """The state of one run."""

    def __init__(self, job: Job, emit: Callable[[Event], None]) -> None:
        self.job = job
        self.emit = emit
        loop = asyncio.get_running_loop()

        def show(part: Part) -> None:
            loop.call_soon_threadsafe(emit, Opened(_id(part), part))

        def approve(intent: Intent) -> bool:
            began = monotonic()
            try:
                return job.context.approve(intent)
            finally:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(self._waited, monotonic() - began)

        self.policy = Policy({**job.others, **job.tools}, replace(job.context, emit=show, approve=approve))
        self.asks = Requests(job)
        self.steps: list[Step] = []
        self.citations: list[Citation] = []
        self.rejected: list[tuple[str, str]] = []
        self.plan = ""  # of research, in words
        self.checked = 0  # drafts
        self.results: list[str] = []
        self.text = ""
        self.refused = 0
        self._masks: dict[str, str] = {}
        self.listener: Listener | None = None
        self.running: dict[str, Call] = {}
        self.heard: Heard | None = None

    async def go(self) -> None:
        job = self.job
        try:
            self.emit(Began(job.conversation.session, job.name))
            await asyncio.to_thread(self._ask)
            stopped = await self._loop()
        except asyncio.CancelledError:
            answer = await asyncio.shield(asyncio.to_thread(self._broken, "interrupted"))
            if not job.stop.asked:
                raise
            self.emit(Finished(answer, interrupted=True))
        except GlossatorError as error:
            raise RunFailed(error, await asyncio.to_thread(self._broken, "failed")) from error
        else:
            answer = self._answer(stopped)
            self._add(answer)
            await asyncio.to_thread(self._keep_record, answer)
            self.emit(Finished(answer))

    def _broken(self, how: Ending) -> Answer:
        """Store what was shown of a run that was broken off; return the answer that it makes."""
        try:
            self._keep_broken()
            answer = self._answer(None, how)
            self._keep_record(answer, how)
        except GlossatorError as error:  # the session itself may be what failed
            log.warning("the session could not be written: %s", error.message)
            answer = self._answer(None, how)
        return answer

    def _add(self, answer: Answer) -> None:
        """Show what code added to the text."""
        added = answer.text.removeprefix(self.text)
        if added:
            self.emit(Opened("added", Text("")))
            self.emit(Grew("added", added))
            self.emit(Closed("added", Text(added)))

    def _ask(self) -> None:
        log.info("question: %s", self.job.question)
        self.job.conversation.ask(self.job.question, {"tools": list(self.job.tools), "model": self.job.name})

    async def _loop(self) -> Stopped | None:
        """Go round until there is an answer; return the limit that ended it, or None."""
        if self.job.way == "passages":
            return await self._from_passages()
        if self.job.research:
            await self._plan()
        while True:
            stopped = reached(self.job.limits, self.asks.spent) or ("repeat" if self.refused >= REFUSED else None)
            held = self.job.research and stopped is None and self.checked < CHECKS
            try:
                async with asyncio.timeout(self._time(stopped)):
                    heard = await self._hear(stopped, held=held)
                    if held and not heard.calls:
                        if await self._must_go_on(heard):
                            continue
                        heard = self._publish(heard)
            except TimeoutError:
                parts, self.text = self.listener.partial() if self.listener else ([], "")
                await asyncio.to_thread(self.job.conversation.keep, parts)
                return stopped or "seconds"
            self._take(heard)
            self.text = heard.text if stopped or not heard.calls else ""
            if stopped or not heard.calls:
                only_said = [p for p in heard.parts if not isinstance(p, Call)]
                await asyncio.to_thread(self.job.conversation.keep, only_said)
                return stopped
            self.asks.spent = self.asks.spent.with_round()
            await self._call(heard)

    def _time(self, stopped: Stopped | None) -> float | None:
        """Return how long the next request may take; the last answer has a little more than what is left."""
        rest = left(self.job.limits, self.asks.spent)
        if stopped is None or rest is None:
            return rest
        return max(rest, grace(self.job.limits) or 0.0)

    async def _hear(self, stopped: Stopped | None, *, held: bool) -> Heard:
        """Ask the model once, and hear it to the end; what is `held` is not shown yet, nor checked."""
        job, number = self.job, self.asks.number
        self.emit(Round(number))
        show, check = (_without_text(self.emit), unchecked) if held else (self.emit, job.check)
        self.listener = Listener(number, show, check, mask=job.mask)
        self.heard, self.running = None, {}
        messages = await asyncio.to_thread(self._messages)
        self.policy.next_round()
        response = await self.asks.ask(messages, self.listener.hear, stopped=stopped, more=self.plan)
        heard = self.listener.heard(response)
        if held:
            heard = replace(heard, parts=tuple(p for p in heard.parts if not isinstance(p, Text)))
        self.heard = heard
        log.info("answer %d: %s %s", number, heard.text, [f"{c.name}({dict(c.args)})" for c in heard.calls])
        return heard

    def _take(self, heard: Heard) -> None:
        self.citations += [c for c in heard.citations if c.n not in {known.n for known in self.citations}]
        self.rejected += [r for r in heard.rejected if r not in self.rejected]

    def _messages(self) -> "list[ModelMessage]":
        return compacted(self.job.conversation.messages(), question=self.job.question)

    # -- one request

    async def _from_passages(self) -> Stopped | None:
        """Look up the likeliest passages, ask about them, and show the reply as it was checked."""
        job = self.job
        self.emit(Round(1))
        call = Call("search-1", "search", {"query": job.question}, "running", extra={"round": 1})
        self._show(call)
        start = perf_counter()
        before = await asyncio.to_thread(one_request.looked_up, job.context, job.question)
        self._settle(call, Result(text=before.summary, summary=before.summary, seconds=perf_counter() - start))
        heard = one_request.Heard()
        if before.texts:
            try:
                async with asyncio.timeout(self._time(None)):
                    heard = await one_request.asked(self.asks, before, job.question, job.provider)
            except TimeoutError:
                return "seconds"
        found = await asyncio.to_thread(one_request.answered, job.context, heard, before, job.question)
        self.text, self.citations, self.rejected = found.text, list(found.citations), list(found.rejected)
        self.emit(Opened("answer", Text("")))
        self.emit(Grew("answer", found.text))
        for citation in found.citations:
            self.emit(Opened(f"cite-{citation.n}", citation_part(citation)))
        self.emit(Closed("answer", Text(found.text)))
        parts: list[Part] = [self.running[call.id], Text(found.text, extra={"round": 2})]
        await asyncio.to_thread(job.conversation.keep, parts)
        return None

    # -- research

    async def _plan(self) -> None:
        """Let the model split the question, show the plan, and put it before the loop."""
        async with asyncio.timeout(self._time(None)):
            said = await self.asks.aside(PLAN, self.job.question)
        questions = [self._masked(q) for q in lines_of(said, QUESTIONS)]
        if len(questions) > 1:
            self.plan = plan_in_words(questions)
            await asyncio.to_thread(self._note, [f"Plan {n}: {q}" for n, q in enumerate(questions, 1)])

    async def _must_go_on(self, heard: Heard) -> bool:
        """Let the draft be checked; return whether something is still to be looked up, of which the model is told."""
        from pydantic_ai.messages import ModelRequest, UserPromptPart

        self.checked += 1
        verdict = await self.asks.aside(CHECK, to_check(self.job.question, heard.text, self.results))
        missing = [self._masked(m) for m in missing_of(verdict)]
        if not missing or reached(self.job.limits, self.asks.spent):
            return False
        again = ModelRequest(parts=[UserPromptPart(AGAIN.format("\n".join(f"- {m}" for m in missing)))])
        self.heard = None
        self.asks.spent = self.asks.spent.with_round()
        noted = [f"Still to be looked up: {m}" for m in missing]
        await asyncio.to_thread(self._note, noted, [heard.response, again])
        return True

    def _publish(self, heard: Heard) -> Heard:
        """Check and show a draft that was held back."""
        number = self.asks.answers
        listener = Listener(number, self.emit, self.job.check, mask=self.job.mask)
        shown = listener.said(heard.text)
        return replace(shown, response=heard.response, parts=(*heard.parts, *shown.parts))

    def _note(self, labels: Sequence[str], exact: "Sequence[ModelMessage]" = ()) -> None:
        """Show and store what the planner or the checker said."""
        notes = [Progress(label=label, done=n, total=len(labels)) for n, label in enumerate(labels, 1)]
        for note in notes:
            self.emit(Opened(_id(note), note))
        self.job.conversation.keep(notes, exact)

    # -- tools

    def _waited(self, seconds: float) -> None:
        """Note that the person was waited for, which is none of the run's time."""
        self.asks.spent = self.asks.spent.without(seconds)

    async def _call(self, heard: Heard) -> None:
        """Run what the model called, show it, and store the round."""
        calls = heard.calls
        self.running = {c.id: c for c in calls}
        changes = any(c.name in self.policy.tools and self.policy.tools[c.name].changes for c in calls)
        room = asyncio.Semaphore(1 if changes else AT_ONCE)

        async def one(call: Call) -> Result:
            async with room:
                running = replace(call, state="running")
                self.running[call.id] = running
                self._show(running)
                result = await self.policy.call(call.name, dict(call.args), seconds=self._time(None))
                self._settle(running, result)
                return result

        results = await asyncio.gather(*(one(c) for c in calls))
        self.refused = self.refused + 1 if all(r.refused for r in results) else 0
        await asyncio.to_thread(self._keep_round, heard)

    def _settle(self, call: Call, result: Result) -> None:
        """Note and show how a call ended."""
        times = {"started": result.started, "ended": result.ended}
        summary = self._masked(result.summary)
        ended = replace(
            call,
            state=result.state,
            result=self._masked(result.text),  # it may repeat the model's own words
            seconds=round(result.seconds, 3),
            summary=summary,
            extra={**call.extra, **times},
        )
        self.running[call.id] = ended
        self.results.append(str(ended.result))
        self.steps.append(
            Step(
                tool=call.name,
                args=self._shown(call.args),
                state=result.state,
                seconds=result.seconds,
                summary=summary,
            )
        )
        self._show(ended)

    def _show(self, call: Call) -> None:
        """Show how a call stands now."""
        self.emit(Changed(call.id, replace(call, args=self._shown(call.args))))

    def _shown(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments as they may be shown: under a bound, what a model wrote goes through the wall."""
        return {k: self._masked(v) if isinstance(v, str) else v for k, v in args.items()}

    def _masked(self, text: str) -> str:
        if self.job.mask is None:
            return text
        if text not in self._masks:
            self._masks[text] = self.job.mask(text)
        return self._masks[text]

    def _keep_round(self, heard: Heard) -> None:
        from glossator.agent.history import results_of

        ended = [self.running[c.id] for c in heard.calls]
        by_id = {c.id: replace(c, args=self._shown(c.args)) for c in ended}
        parts = [by_id[p.id] if isinstance(p, Call) else p for p in heard.parts]
        results = results_of(ended)
        self.job.conversation.keep(parts, [heard.response, results] if results is not None else [heard.response])
        self.heard = None

    def _keep_broken(self) -> None:
        """Store what was shown of a round that was broken off, its calls as stopped."""
        if self.heard is not None:
            for call in self.heard.calls:
                now = self.running.get(call.id, call)
                if now.state in ("pending", "running"):
                    text = "Error: the person stopped this call."
                    self.running[call.id] = stopped = replace(now, state="stopped", result=text, summary="stopped")
                    step = Step(tool=call.name, args=self._shown(call.args), state="stopped", seconds=0.0, summary="")
                    self.steps.append(step)
                    self._show(stopped)
                else:
                    self.running[call.id] = now
            self._keep_round(self.heard)
        elif self.listener is not None:
            parts, text = self.listener.partial()
            self.citations += [c for c in self.listener.citations if c not in self.citations]
            self.text = text or self.text
            if parts:
                self.job.conversation.keep(parts)
        self.listener = None

    def _answer(self, stopped: Stopped | None, how: Ending | None = None) -> Answer:
        """Return the answer: what was written, and in words what was cut or withheld."""
        job = self.job
        chinese = is_chinese(job.question)
        text = self.text
        abstained = not self.citations and (not text or abstains(text) or job.way == "passages")
        said = [text or nothing_written(how, chinese=chinese)]
        if closing := job.closing():
            said.append(closing)
        if stopped:
            said.append(cut_in_words(stopped, job.limits, chinese=chinese))
        self.asks.settle()
        return Answer(
            text="\n\n".join(said),
            abstained=abstained,
            citations=tuple(self.citations),
            rejected=tuple(self.rejected),
            steps=tuple(self.steps),
            session=job.conversation.session,
            model=job.name,
            usage=self.asks.spent.usage,
            stopped=stopped,
            notice=" ".join(n for n in (job.hidden, language_in_words(job.question, text)) if n) or None,
        )

    def _keep_record(self, answer: Answer, how: Ending | None = None) -> None:
        """Store what follows an answer: citations, what code added to the text, and the record of the run."""
        job = self.job
        self.asks.settle()
        record = Record(
            {
                "model": job.name,
                "question": job.question,
                "prompt": {p.name: p.text for p in job.prompt},
                "tools": list(job.tools),
                "limits": job.limits.to_json(),
                "usage": answer.usage.to_json(),
                "stopped": answer.stopped,
                "ended": how,
                "abstained": answer.abstained,
                "rejected": [{"quote": quote, "status": status} for quote, status in answer.rejected],
                "notice": answer.notice,
                "seconds": round(self.asks.spent.seconds, 3),
                "ledger": [e.to_json() for e in self.asks.entries],
            }
        )
        added = answer.text.removeprefix(self.text)
        parts: list[Part] = [citation_part(c) for c in answer.citations]
        if added:
            parts.append(Text(added, extra={"round": self.asks.answers}))
        job.conversation.keep([*parts, record])


def _id(part: Part) -> str:
    return f"{part.kind}-{getattr(part, 'label', getattr(part, 'n', ''))}"


def _without_text(emit: Callable[[Event], None]) -> Callable[[Event], None]:
    """Return what shows everything but texts."""
    texts: set[str] = set()

    def show(event: Event) -> None:
        if isinstance(event, Opened) and isinstance(event.part, Text):
            texts.add(event.id)
        if getattr(event, "id", None) not in texts:
            emit(event)

    return show
