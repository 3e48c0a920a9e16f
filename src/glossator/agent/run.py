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
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from glossator.agent.compaction import compacted
from glossator.agent.context import ToolContext
from glossator.agent.conversation import Conversation
from glossator.agent.events import Began, Changed, Closed, Event, Finished, Grew, Opened, Round, citation_part
from glossator.agent.ledger import Entry, Wire
from glossator.agent.limits import REFUSED, Limits, Spent, Stopped, cut_in_words, grace, left, reached
from glossator.agent.listening import Heard, Listener
from glossator.agent.policy import Policy, Result
from glossator.agent.prompt import PromptPart, is_chinese, last_word, written
from glossator.agent.registry import Tool
from glossator.agent.release import Check, unchecked
from glossator.agent.wording import Ending, abstains, nothing_written
from glossator.errors import GlossatorError, ModelError
from glossator.library.findings import Answer, Citation, Step
from glossator.messages import Part, Record, Text
from glossator.messages import Tool as Call
from glossator.scrub import scrub

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model

AT_ONCE = 4  # calls that run beside each other
log = logging.getLogger(__name__)


class Stop:
    """Ends a run from outside, from any thread; what is done so far becomes the answer."""

    def __init__(self) -> None:
        self.asked = False
        self._cancel: Callable[[], Any] | None = None

    def set(self) -> None:
        """End the run now."""
        self.asked = True
        if self._cancel is not None:
            self._cancel()

    def to(self, cancel: Callable[[], Any]) -> None:
        """Tell how the run is ended."""
        self._cancel = cancel
        if self.asked:
            cancel()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """All that a run needs. `check` judges each sentence before it leaves, `mask` other words under a bound."""

    question: str
    context: ToolContext
    tools: Mapping[str, Tool]
    prompt: Sequence[PromptPart]
    model: "Model"
    name: str
    conversation: Conversation
    limits: Limits = field(default_factory=Limits)
    check: Check = unchecked
    closing: Callable[[], str] = str  # what must be said at the end about what was withheld
    mask: Callable[[str], str] | None = None
    hidden: str | None = None  # the bound in words
    wire: Wire = field(default_factory=Wire)
    costs: bool = True  # a model on this machine costs nothing
    keeps_tools: bool = False  # the provider wants the tools of earlier calls named in every request
    stop: Stop = field(default_factory=Stop)


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

        self.policy = Policy(job.tools, replace(job.context, emit=show))
        self.spent = Spent.begin()
        self.steps: list[Step] = []
        self.citations: list[Citation] = []
        self.rejected: list[tuple[str, str]] = []
        self.entries: list[Entry] = []
        self.text = ""
        self.refused = 0
        self._masks: dict[str, str] = {}
        self.sent_passages = 0
        self.listener: Listener | None = None
        self.running: dict[str, Call] = {}
        self.done: list[Call] = []
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
            self._keep_record(answer)
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
        while True:
            stopped = reached(self.job.limits, self.spent) or ("repeat" if self.refused >= REFUSED else None)
            try:
                async with asyncio.timeout(self._time(stopped)):
                    heard = await self._hear(stopped)
            except TimeoutError:
                parts, self.text = self.listener.partial() if self.listener else ([], "")
                await asyncio.to_thread(self.job.conversation.keep, parts)
                return stopped or "seconds"
            self.text = heard.text if stopped or not heard.calls else ""
            if stopped or not heard.calls:
                only_said = [p for p in heard.parts if not isinstance(p, Call)]
                await asyncio.to_thread(self.job.conversation.keep, only_said)
                return stopped
            self.spent = self.spent.with_round()
            await self._call(heard)

    def _time(self, stopped: Stopped | None) -> float | None:
        """Return how long the next request may take; the last answer has a little more than what is left."""
        rest = left(self.job.limits, self.spent)
        if stopped is None or rest is None:
            return rest
        return max(rest, grace(self.job.limits) or 0.0)

    async def _hear(self, stopped: Stopped | None) -> Heard:
        """Ask the model once, and hear it to the end."""
        from pydantic_ai.direct import model_request_stream

        job, number = self.job, self.spent.usage.requests + 1
        self.emit(Round(number))
        self.listener = Listener(number, self.emit, job.check, mask=job.mask)
        self.heard, self.done, self.running = None, [], {}
        messages = await asyncio.to_thread(self._messages)
        self.policy.next_round()
        settings, parameters = self._request(stopped)
        log.debug("request %d: %s", number, messages)
        try:
            async with model_request_stream(
                job.model, messages, model_settings=settings, model_request_parameters=parameters
            ) as stream:
                async for event in stream:
                    self.listener.hear(event)
                response = stream.get()
        except (GlossatorError, TimeoutError):
            raise
        except Exception as error:  # what a provider's library makes of an answer that is none
            log.debug("request %d failed", number, exc_info=True)
            said = scrub(f"{type(error).__name__}: {error}")
            raise ModelError(f"{job.name}: {said}", hint="try again, or choose another model with --model") from error
        heard = self.listener.heard(response)
        self._account(number, response)
        self.citations += heard.citations
        self.rejected += [r for r in heard.rejected if r not in self.rejected]
        self.heard = heard
        log.info("answer %d: %s %s", number, heard.text, [f"{c.name}({dict(c.args)})" for c in heard.calls])
        return heard

    def _messages(self) -> "list[ModelMessage]":
        return compacted(self.job.conversation.messages(), question=self.job.question)

    def _request(self, stopped: Stopped | None) -> tuple[Any, Any]:
        """Return settings and parameters of a request; the last one offers no tools."""
        from pydantic_ai.messages import InstructionPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.settings import ModelSettings
        from pydantic_ai.tools import ToolDefinition

        job = self.job
        stable = written([p for p in job.prompt if p.stable])
        rest = written([p for p in job.prompt if not p.stable])
        if stopped:
            rest = f"{rest}\n\n{last_word(cut_in_words(stopped, job.limits, chinese=False).strip('()'))}"
        offered = [] if stopped and not job.keeps_tools else list(job.tools.values())
        settings = ModelSettings(tool_choice="none") if stopped and offered else ModelSettings()
        return settings, ModelRequestParameters(
            function_tools=[
                ToolDefinition(name=t.name, description=t.description, parameters_json_schema=t.parameters)
                for t in offered
            ],
            instruction_parts=[InstructionPart(stable), InstructionPart(rest, dynamic=True)],
        )

    async def _call(self, heard: Heard) -> None:
        """Run what the model called, show it, and store the round."""
        calls = heard.calls
        self.running = {c.id: c for c in calls}
        changes = any(c.name in self.job.tools and self.job.tools[c.name].changes for c in calls)
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

    def _account(self, number: int, response: Any) -> None:
        """Add a request to what is spent and to the ledger."""
        used = response.usage
        cost = _cost(response) if self.job.costs else 0.0
        self.spent = self.spent.with_request(
            input_tokens=used.input_tokens or 0, output_tokens=used.output_tokens or 0, cost=cost
        )
        ids = {d.key: d.id for d in self.job.context.reader.documents()}
        fresh = self.job.context.passages.all()[self.sent_passages :]
        self.sent_passages += len(fresh)
        for host, remote, size, requests in self.job.wire.take():
            self.entries.append(
                Entry(
                    round=number,
                    host=host,
                    remote=remote,
                    bytes=size,
                    requests=requests,
                    passages=tuple((ids[d], a, b) for d, a, b in fresh if d in ids),
                    input_tokens=used.input_tokens or 0,
                    output_tokens=used.output_tokens or 0,
                    cost=cost,
                )
            )

    def _answer(self, stopped: Stopped | None, how: Ending | None = None) -> Answer:
        """Return the answer: what was written, and in words what was cut or withheld."""
        job = self.job
        chinese = is_chinese(job.question)
        text = self.text
        abstained = not self.citations and (not text or abstains(text))
        said = [text or nothing_written(how, chinese=chinese)]
        if closing := job.closing():
            said.append(closing)
        if stopped:
            said.append(cut_in_words(stopped, job.limits, chinese=chinese))
        return Answer(
            text="\n\n".join(said),
            abstained=abstained,
            citations=tuple(self.citations),
            rejected=tuple(self.rejected),
            steps=tuple(self.steps),
            session=job.conversation.session,
            model=job.name,
            usage=self.spent.usage,
            stopped=stopped,
            notice=job.hidden,
        )

    def _keep_record(self, answer: Answer) -> None:
        """Store what follows an answer: citations, what code added to the text, and the record of the run."""
        job = self.job
        record = Record(
            {
                "model": job.name,
                "question": job.question,
                "prompt": {p.name: p.text for p in job.prompt},
                "tools": list(job.tools),
                "limits": job.limits.to_json(),
                "usage": answer.usage.to_json(),
                "stopped": answer.stopped,
                "abstained": answer.abstained,
                "seconds": round(self.spent.seconds, 3),
                "ledger": [e.to_json() for e in self.entries],
            }
        )
        added = answer.text.removeprefix(self.text)
        parts: list[Part] = [citation_part(c) for c in answer.citations]
        if added:
            parts.append(Text(added, extra={"round": self.spent.usage.requests}))
        job.conversation.keep([*parts, record])


def _cost(response: Any) -> float | None:
    """Return what an answer cost by the price list that comes with the package, or None for a model not in it."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None


def _id(part: Part) -> str:
    return f"{part.kind}-{getattr(part, 'label', getattr(part, 'n', ''))}"
