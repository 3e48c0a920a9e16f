"""Models that stand in for each other: the first that answers is taken."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import FallbackExceptionGroup
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.settings import ModelSettings

from glossator.agent.steady import Steady
from glossator.errors import ModelError


class Chain(FallbackModel):
    """Models asked in turn. A stream falls back until its first piece has come; from then on it is that model's."""

    def __init__(self, models: Sequence[Steady]) -> None:
        super().__init__(models[0], *models[1:], fallback_on=(ModelError,))
        self._steady = tuple(models)
        self.choice = models[0].choice

    def begin(self) -> None:
        """Start a run: its requests are counted from here."""
        self._steady[0].begin()

    async def close(self) -> None:
        """Close the connections. The models may be used again."""
        for model in self._steady:
            await model.close()

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the answer of the first model that gives one.

        Raises:
            ModelError: none does; what each said.
        """
        try:
            return await super().request(messages, model_settings, model_request_parameters)
        except FallbackExceptionGroup as group:
            raise _none(group) from group

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Open the answer of the first model that begins one.

        Raises: as `request`.
        """
        opened = super().request_stream(messages, model_settings, model_request_parameters, run_context)
        try:
            async with opened as stream:
                yield stream
        except FallbackExceptionGroup as group:
            raise _none(group) from group


LanguageModel = Steady | Chain


def _none(group: FallbackExceptionGroup) -> ModelError:
    errors = [e for e in group.exceptions if isinstance(e, ModelError)]
    if not errors:
        return ModelError(f"no model answered: {group}", hint="`--model none` answers without one")
    return ModelError("no model answered: " + "; ".join(e.message for e in errors), hint=errors[0].hint)
