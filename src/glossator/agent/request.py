"""Requests to the model of a run: what is sent with them, what they cost, what left the machine."""

import logging
import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from glossator.agent.job import Job
from glossator.agent.ledger import Entry
from glossator.agent.limits import Spent, Stopped, cut_in_words
from glossator.agent.prompt import last_word, written
from glossator.errors import GlossatorError, ModelError
from glossator.scrub import scrub

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse

log = logging.getLogger(__name__)


class Requests:
    """Asks the model of a job, and keeps account of it."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._passages, self._asked = 0, job.wire.asked
        self.answers = 0
        self.spent = Spent.begin()
        self.entries: list[Entry] = []

    @property
    def number(self) -> int:
        """Return the number of the next answer."""
        return self.answers + 1

    async def ask(
        self,
        messages: "Sequence[ModelMessage]",
        hear: Callable[[Any], None],
        *,
        stopped: Stopped | None,
        more: str = "",
    ) -> "ModelResponse":
        """Return the model's answer; `hear` takes each event. Once `stopped` no tools are offered.

        `more` is told after all else.

        Raises:
            ModelError: it cannot be had.
        """
        number = self.number
        settings, parameters = self._sent_along(stopped, more)
        log.debug("request %d: %s", number, messages)
        async with self._stream(messages, settings, parameters) as stream:
            async for event in stream:
                hear(event)
            response: ModelResponse = stream.get()
        self._account(response)
        return response

    async def aside(self, instructions: str, text: str, settings: Any = None) -> str:
        """Return what the model says to a text of its own, outside the conversation and without tools.

        Raises: as `ask`.
        """
        return (await self.likely(instructions, text, settings))[0]

    async def likely(self, instructions: str, text: str, settings: Any = None) -> tuple[str, dict[str, float]]:
        """Return the same as `aside`, and the probabilities of the likeliest first tokens where the server tells them.

        Raises: as `ask`.
        """
        from pydantic_ai.messages import InstructionPart, ModelRequest, TextPart, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters

        parameters = ModelRequestParameters(instruction_parts=[InstructionPart(instructions)])
        messages = [ModelRequest(parts=[UserPromptPart(text)])]
        async with self._stream(messages, settings, parameters) as stream:
            async for _ in stream:
                pass
            response = stream.get()
        self._account(response)
        said = "".join(p.content for p in response.parts if isinstance(p, TextPart)).strip()
        return said, _first_token(response.provider_details)

    def settle(self) -> None:
        """Enter what was sent for requests that were not answered."""
        if sent := self._sent():
            self.spent = self.spent.with_request(sent=sent)
        self._enter(self.answers, 0, 0, None)

    def _sent(self) -> int:
        """Return how many requests went to models since the last time."""
        before, self._asked = self._asked, self._job.wire.asked
        return self._asked - before

    @asynccontextmanager
    async def _stream(self, messages: "Sequence[ModelMessage]", settings: Any, parameters: Any) -> AsyncIterator[Any]:
        """Open an answer; what a provider's library makes of one that is none becomes an error of ours."""
        from pydantic_ai.direct import model_request_stream

        job = self._job
        try:
            async with model_request_stream(
                job.model, list(messages), model_settings=settings, model_request_parameters=parameters
            ) as stream:
                yield stream
        except (GlossatorError, TimeoutError):
            raise
        except Exception as error:
            log.debug("request %d failed", self.number, exc_info=True)
            said = scrub(f"{type(error).__name__}: {error}")
            raise ModelError(f"{job.name}: {said}", hint="try again, or choose another model with --model") from error

    def _sent_along(self, stopped: Stopped | None, more: str) -> tuple[Any, Any]:
        """Return settings and parameters of a request; the last one offers no tools."""
        from pydantic_ai.messages import InstructionPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.settings import ModelSettings
        from pydantic_ai.tools import ToolDefinition

        job = self._job
        rest = [written([p for p in job.prompt if not p.stable]), more]
        if stopped:
            rest.append(last_word(cut_in_words(stopped, job.limits, chinese=False).strip("()")))
        offered = [] if stopped and not job.keeps_tools else list(job.tools.values())
        settings = ModelSettings(tool_choice="none") if stopped and offered else ModelSettings()
        return settings, ModelRequestParameters(
            function_tools=[
                ToolDefinition(name=t.name, description=t.description, parameters_json_schema=t.parameters)
                for t in offered
            ],
            instruction_parts=[
                InstructionPart(written([p for p in job.prompt if p.stable])),
                InstructionPart("\n\n".join(r for r in rest if r), dynamic=True),
            ],
        )

    def _account(self, response: Any) -> None:
        """Add an answered request to what is spent and to the ledger."""
        used = response.usage
        cost = cost_of(response) if self._job.costs else 0.0
        tokens = used.input_tokens or 0, used.output_tokens or 0
        self.answers += 1
        self.spent = self.spent.with_request(
            input_tokens=tokens[0], output_tokens=tokens[1], cost=cost, sent=max(1, self._sent())
        )
        self._enter(self.answers, *tokens, cost)

    def _enter(self, number: int, input_tokens: int, output_tokens: int, cost: float | None) -> None:
        sent = self._job.wire.take()
        if not sent:
            return
        ids = {d.key: d.id for d in self._job.context.reader.documents()}
        fresh = self._job.context.passages.all()[self._passages :]
        self._passages += len(fresh)
        for host, remote, size, requests in sent:
            self.entries.append(
                Entry(
                    round=number,
                    host=host,
                    remote=remote,
                    bytes=size,
                    requests=requests,
                    passages=tuple((ids[d], a, b) for d, a, b in fresh if d in ids),
                    input_tokens=input_tokens,
                    output_tokens=output_tokens,
                    cost=cost,
                )
            )


def _first_token(details: Any) -> dict[str, float]:
    """Return the probabilities of the likeliest first tokens in a provider's details, by token."""
    told = (details or {}).get("logprobs") or [{}]
    return {t["token"]: math.exp(t["logprob"]) for t in told[0].get("top_logprobs") or []}


def cost_of(response: Any) -> float | None:
    """Return what an answer cost by the price list that comes with the package, or None for a model not in it."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None
