"""What a request needs when its turn was begun by another provider."""

from typing import cast

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ThinkingPart, ToolCallPart, UserPromptPart
from pydantic_ai.settings import ModelSettings

from glossator.choice import ModelChoice


def fitting(choice: ModelChoice, messages: list[ModelMessage], settings: ModelSettings | None) -> ModelSettings | None:
    """Return the settings with which a provider takes these messages.

    Anthropic wants every tool call of the running turn to follow signed thinking while thinking is on. Calls that
    another provider made have none, so the rest of that turn goes without.
    """
    if choice.provider != "anthropic" or not _foreign_calls(messages):
        return settings
    return cast(ModelSettings, {**(settings or {}), "thinking": False, "anthropic_thinking": {"type": "disabled"}})


def _foreign_calls(messages: list[ModelMessage]) -> bool:
    """Return whether the running turn calls tools without thinking that Anthropic signed."""
    for message in reversed(messages):
        if isinstance(message, ModelRequest) and any(isinstance(p, UserPromptPart) for p in message.parts):
            return False
        if isinstance(message, ModelResponse) and any(isinstance(p, ToolCallPart) for p in message.parts):
            signed = any(isinstance(p, ThinkingPart) and p.signature for p in message.parts)
            if message.provider_name != "anthropic" or not signed:
                return True
    return False
