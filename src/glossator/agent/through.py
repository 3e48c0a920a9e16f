"""A stream over another one: what it does not read in its own way is the inner one's."""

from datetime import datetime

from pydantic_ai.models import ModelRequestParameters, StreamedResponse

MIRRORED = ("provider_response_id", "provider_details", "canonical_system", "finish_reason", "state")


class Through(StreamedResponse):
    """A stream that shows what `_inner` shows; who derives from it yields the events."""

    def __init__(self, parameters: ModelRequestParameters, inner: StreamedResponse) -> None:
        super().__init__(parameters)
        self._inner = inner

    def _mirror(self) -> None:
        """Take over what the inner stream knows of its answer by now."""
        for name in (*MIRRORED, "_usage", "_usage_received"):
            setattr(self, name, getattr(self._inner, name))

    async def close_stream(self) -> None:
        """Close the inner stream's connection."""
        await self._inner.cancel()

    @property
    def model_name(self) -> str:
        """The inner stream's model."""
        return self._inner.model_name

    @property
    def provider_name(self) -> str | None:
        """The inner stream's provider."""
        return self._inner.provider_name

    @property
    def provider_url(self) -> str | None:
        """The address that was asked."""
        return self._inner.provider_url

    @property
    def timestamp(self) -> datetime:
        """When the inner answer began."""
        return self._inner.timestamp
