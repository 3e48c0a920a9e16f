"""A model that is asked again when a fault may pass, within a limit for the whole run.

A rate limit, a fault of the server, a connection cut in mid-stream: the request is sent again after 1, 2 and 4
seconds, or after what the provider asks for. A stream that begins anew repeats its parts from index 0, and each new
part replaces the old one, as the events of pydantic-ai have it.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2
from pydantic_ai import RunContext
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponseStreamEvent
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from glossator.agent.keys import Key
from glossator.agent.midturn import fitting
from glossator.agent.through import Through
from glossator.agent.trouble import explain, may_pass, reason_of, refused
from glossator.choice import ModelChoice
from glossator.errors import ModelError

T = TypeVar("T")
Make = Callable[[], tuple[Model, httpx2.AsyncClient]]
REFILL = 10  # answers after which a long run may have as many faults again

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often a request is sent again, in one step and in a run, and how long is waited between.

    With five rounds and a last answer, a run makes at most ten requests.
    """

    tries: int = 4
    again_in_run: int = 4
    waits: tuple[float, ...] = (1.0, 2.0, 4.0)
    longest: float = 60.0  # a provider that asks for more than this is not waited for


@dataclass(frozen=True, slots=True)
class Again:
    """A request that failed and is sent again: why, after which wait, and whether a stream begins anew by it."""

    model: str
    reason: str
    seconds: float
    anew: bool


class Budget:
    """How many requests a run may still send again; shared by all models of a chain."""

    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        self.begin()

    def begin(self) -> None:
        """Start a run."""
        self._left = self.patience.again_in_run
        self._answers = 0

    def answered(self) -> None:
        """Count an answer."""
        self._answers += 1
        if self._answers % REFILL == 0:
            self._left = self.patience.again_in_run

    def again(self) -> bool:
        """Return whether one more may be sent again, and count it."""
        self._left -= 1
        return self._left >= 0


class Steady(WrapperModel):
    """One provider's model. It may be used in one event loop after another; `close` it at the end of each."""

    def __init__(
        self,
        make: Make,
        choice: ModelChoice,
        key: Key | None,
        *,
        budget: Budget,
        retried: Callable[[Again], None] | None = None,
    ) -> None:
        model, self._client = make()
        super().__init__(model)
        self.choice = choice
        self._make = make
        self._key = key
        self._budget = budget
        self._retried = retried
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self) -> None:
        """Start a run: its requests are counted from here."""
        self._budget.begin()

    async def close(self) -> None:
        """Close the connections. The model may be used again."""
        if self._loop is asyncio.get_running_loop():
            await self._client.aclose()
            self.wrapped, self._client = self._make()
        self._loop = None

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the model's answer.

        Raises:
            ModelError: it cannot be had; what is wrong, and what to do.
        """
        settings = fitting(self.choice, messages, model_settings)

        async def once() -> ModelResponse:
            return await self.wrapped.request(messages, settings, model_request_parameters)

        answer = await self._patiently(once)
        self._budget.answered()
        return answer

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Open the model's answer as a stream.

        Raises: as `request`, here or while it is read.
        """
        settings = fitting(self.choice, messages, model_settings)
        async with AsyncExitStack() as stack:

            async def opened() -> StreamedResponse:
                await stack.aclose()
                stream = self.wrapped.request_stream(messages, settings, model_request_parameters, run_context)
                return await stack.enter_async_context(stream)

            yield _SteadyStream(model_request_parameters, self, opened, await self._patiently(opened))

    async def _patiently(self, once: Callable[[], Awaitable[T]]) -> T:
        self._in_this_loop()
        tries = 0
        while True:
            tries += 1
            try:
                return await once()
            except ModelAPIError as error:
                await self._wait(error, tries)

    def _in_this_loop(self) -> None:
        """Take a fresh client in a new event loop: connections belong to the loop that they were made in."""
        if self._key is None and not self.choice.loopback and self.choice.key_env:
            raise refused(self.choice, None, "")
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            self.wrapped, self._client = self._make()
        self._loop = loop

    async def _wait(self, error: ModelAPIError, tries: int, *, anew: bool = False) -> None:
        """Wait until the request may be sent again, or raise what a person is told."""
        patience = self._budget.patience
        asked = error.retry_after or 0.0
        hopeless = not may_pass(error, self.choice, tries) or asked > patience.longest
        if hopeless or tries >= patience.tries or not self._budget.again():
            told = explain(error, self.choice, self._key, tries)
            if asked > patience.longest:
                told = ModelError(f"{told.message}; it asks to wait {asked:.0f} s", hint=told.hint)
            raise told from error
        seconds = max(asked, patience.waits[min(tries, len(patience.waits)) - 1] if patience.waits else 0.0)
        log.info("%s: %s; sent again in %g s", self.choice.spec, reason_of(error), seconds)
        if self._retried:
            self._retried(Again(self.choice.spec, reason_of(error), seconds, anew))
        await asyncio.sleep(seconds)


class _SteadyStream(Through):
    """A stream that goes on in another one when it is cut; what it holds is always that of the latest."""

    def __init__(
        self,
        parameters: ModelRequestParameters,
        model: Steady,
        opened: Callable[[], Awaitable[StreamedResponse]],
        first: StreamedResponse,
    ) -> None:
        super().__init__(parameters, first)
        self._model = model
        self._opened = opened
        self._mirror()

    def __aiter__(self) -> AsyncIterator[ModelResponseStreamEvent]:
        if self._event_iterator is None:
            events = self._get_event_iterator()
            deadline = self._request_deadline
            self._event_iterator = deadline.iterate(events) if deadline else events
        return self._event_iterator

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        tries = 1
        while True:
            try:
                async for event in self._inner:
                    self._mirror()
                    yield event
            except ModelAPIError as error:
                if self._cancelled:
                    return
                await self._model._wait(error, tries, anew=True)
                tries += 1
                self._inner = await self._model._patiently(self._opened)
                self._mirror()
                continue
            self._mirror()
            self._model._budget.answered()
            return

    def _mirror(self) -> None:
        """Show what the inner stream shows."""
        super()._mirror()
        inner = self._inner
        self.__dict__["_parts_manager"] = inner._parts_manager
        for name in ("metadata", "failed_attempts", "final_result_event"):
            setattr(self, name, getattr(inner, name))
        self._finished = inner._finished
        self._first_chunk_monotonic = self._first_chunk_monotonic or inner._first_chunk_monotonic
