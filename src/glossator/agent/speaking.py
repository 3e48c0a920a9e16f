"""Asking a model for one text after another, outside a conversation: to rewrite a query, to read a book part by part.

    with Speaker(asked(choice), limits) as speaker:
        said = speaker.say("Sum up this part.", part)

For callers that are not coroutines. One event loop serves all requests, since a connection belongs to its loop; Ctrl-C
closes the connection at once.
"""

import asyncio
import logging
from types import TracebackType
from typing import TYPE_CHECKING, Self

from glossator.agent.ledger import Entry
from glossator.agent.limits import Limits, Spent, Stopped, grace, left, limits_of, reached
from glossator.agent.request import cost_of
from glossator.errors import GlossatorError, ModelError
from glossator.scrub import scrub

if TYPE_CHECKING:
    from glossator.agent.answering import Asked
    from glossator.choice import ModelChoice
    from glossator.search.rewrite import Say

log = logging.getLogger(__name__)


class LimitReached(GlossatorError):
    """No further request is made: a limit is reached."""

    code = "model"

    def __init__(self, stopped: Stopped) -> None:
        super().__init__(f"the limit of {stopped} was reached", hint="raise it with --max-rounds, or in [limits]")
        self.stopped = stopped


class Speaker:
    """A model that says one text after another, within limits; `spent` and `entries` keep account."""

    def __init__(self, model: "Asked", limits: Limits) -> None:
        self.model = model
        self.limits = limits
        self.spent = Spent.begin()
        self.entries: list[Entry] = []
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        if begin := getattr(self.model.model, "begin", None):
            begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        close = getattr(self.model.model, "close", None)
        try:
            if close is not None:
                self._runner.run(close())
        finally:
            self._runner.close()

    def say(self, instructions: str, text: str, *, last: bool = False) -> str:
        """Return what the model says; the `last` thing may be asked although a limit is reached.

        Raises:
            LimitReached: nothing more may be asked.
            ModelError: it cannot be asked.
        """
        stopped = reached(self.limits, self.spent)
        if stopped and not last:
            raise LimitReached(stopped)
        return self._runner.run(self._say(instructions, text, grace(self.limits) if stopped else None))

    async def _say(self, instructions: str, text: str, seconds: float | None) -> str:
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import InstructionPart, ModelRequest, TextPart, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters

        asked = [ModelRequest(parts=[UserPromptPart(text)])]
        parameters = ModelRequestParameters(instruction_parts=[InstructionPart(instructions)])
        self.spent, before = self.spent.with_round(), self.model.wire.asked
        try:
            async with asyncio.timeout(seconds or left(self.limits, self.spent)):
                response = await model_request(self.model.model, list(asked), model_request_parameters=parameters)
        except TimeoutError:
            raise LimitReached("seconds") from None
        except GlossatorError:
            raise
        except Exception as error:
            log.debug("request failed", exc_info=True)
            said = scrub(f"{type(error).__name__}: {error}")
            raise ModelError(f"{self.model.name}: {said}", hint="try again, or choose another with --model") from error
        finally:
            sent = self.model.wire.take()
            counted = self.model.wire.asked - before
            self.spent = self.spent.with_request(sent=counted)
        used = response.usage
        tokens = used.input_tokens or 0, used.output_tokens or 0
        cost = cost_of(response) if self.model.remote else 0.0
        self.spent = self.spent.with_request(
            input_tokens=tokens[0], output_tokens=tokens[1], cost=cost, sent=0 if counted else 1
        )
        self.entries += [
            Entry(
                round=self.spent.rounds,
                host=host,
                remote=remote,
                bytes=size,
                requests=requests,
                input_tokens=tokens[0],
                output_tokens=tokens[1],
                cost=cost,
            )
            for host, remote, size, requests in sent
        ]
        return "".join(p.content for p in response.parts if isinstance(p, TextPart)).strip()

    def told(self) -> str | None:
        """Return what left the machine, in words; None when nothing did."""
        away = [e for e in self.entries if e.remote]
        if not away:
            return None
        hosts = ", ".join(sorted({e.host for e in away}))
        size, count = sum(e.bytes for e in away), sum(e.requests for e in away)
        return f"Sent to {hosts}: {size:,} bytes in {count} request{'' if count == 1 else 's'}."


def rewriter(choice: "ModelChoice") -> "Say":
    """Return the model of a choice as a function that rewrites a query; it is asked anew each time."""
    from glossator.agent.answering import asked

    def say(instructions: str, text: str) -> str:
        with Speaker(asked(choice), limits_of("rewrite")) as speaker:
            return speaker.say(instructions, text)

    return say
