"""The language model of a choice, ready to be asked: `build`.

    choice = choose(settings, "question")
    model = build(choice)            # a model of pydantic-ai
    model.begin()                    # at the start of each run: its failing requests are counted from here
    ...
    await model.close()              # before the event loop ends

Nothing is sent before the first request. Only the SDK of the provider is imported. SDKs neither retry nor follow
redirects; `steady.py` does the first, by our limits. No price list and no telemetry is fetched or sent.
"""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from glossator.choice import PROVIDERS, ModelChoice, choice_of, choose, proposal
from glossator.errors import ModelError

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.settings import ModelSettings

    from glossator.agent.fallback import LanguageModel
    from glossator.agent.keys import Key
    from glossator.agent.steady import Again, Patience
    from glossator.agent.wire import HttpLimits, Sent

__all__ = ["ModelChoice", "build", "choice_of", "choose", "proposal"]

_UNSET = "no-key"  # the SDKs want one; without a key of ours the header is taken out again


def build(
    choice: ModelChoice,
    *,
    limits: "HttpLimits | None" = None,
    patience: "Patience | None" = None,
    sent: "Callable[[Sent], None] | None" = None,
    retried: "Callable[[Again], None] | None" = None,
    environment: Mapping[str, str] = os.environ,
) -> "LanguageModel":
    """Return the model of a choice, with those that stand in for it.

    `sent` is told of each request before it leaves; `retried` of each that failed and is sent again.

    Raises:
        ModelError: the packages for language models are not installed.
    """
    try:
        from glossator.agent.fallback import Chain
        from glossator.agent.keys import find
        from glossator.agent.steady import Budget, Patience, Steady
        from glossator.agent.wire import HttpLimits, client
    except ImportError as error:
        raise _missing(error) from error

    budget = Budget(patience or Patience())
    wait = limits or HttpLimits()

    def one(choice: ModelChoice) -> Steady:
        key = find(choice, environment=environment)

        def make() -> "tuple[Model, httpx2.AsyncClient]":
            http = client(choice, key.value if key else None, limits=wait, told=sent)
            return _model(choice, key, http), http

        try:
            return Steady(make, choice, key, budget=budget, retried=retried)
        except ImportError as error:
            raise _missing(error) from error

    models = [one(c) for c in (choice, *choice.fallback)]
    return models[0] if len(models) == 1 else Chain(models)


def _missing(error: ImportError) -> ModelError:
    return ModelError(
        f"language models need a package that is not here: {error.name}", hint="pip install 'glossator[agent]'"
    )


def _model(choice: ModelChoice, key: "Key | None", http: "httpx2.AsyncClient") -> "Model":
    value = key.value if key else _UNSET
    if choice.provider == "anthropic":
        return _anthropic(choice, value, http)
    from openai import AsyncOpenAI

    sdk = AsyncOpenAI(base_url=choice.base_url, api_key=value, max_retries=0, http_client=http)
    settings = _settings(choice)
    if choice.provider == "openai":
        from pydantic_ai.models.openai import OpenAIResponsesModel, OpenAIResponsesModelSettings
        from pydantic_ai.providers.openai import OpenAIProvider

        kept: OpenAIResponsesModelSettings = {**settings, "openai_store": False}  # type: ignore[typeddict-item]
        return OpenAIResponsesModel(choice.model, provider=OpenAIProvider(openai_client=sdk), settings=kept)
    if choice.provider == "deepseek":
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.deepseek import DeepSeekProvider

        return OpenAIChatModel(choice.model, provider=DeepSeekProvider(openai_client=sdk), settings=settings)
    return _compatible(choice, sdk, settings)


def _anthropic(choice: ModelChoice, key: str, http: "httpx2.AsyncClient") -> "Model":
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    sdk = AsyncAnthropic(base_url=choice.base_url, api_key=key, max_retries=0, http_client=http)
    provider = AnthropicProvider(anthropic_client=sdk)
    return AnthropicModel(choice.model, provider=provider, settings=_settings(choice))


def _settings(choice: ModelChoice) -> "ModelSettings":
    from pydantic_ai.settings import ModelSettings

    if choice.thinking is None:
        return ModelSettings()
    return ModelSettings(thinking=False if choice.thinking == "off" else choice.thinking)  # type: ignore[typeddict-item]


def _compatible(choice: ModelChoice, sdk: "AsyncOpenAI", settings: "ModelSettings") -> "Model":
    """Return the model of a server with the chat interface, with prompted tool calls where it knows none."""
    from pydantic_ai.models.openai import OpenAIChatModel

    from glossator.agent.prompted import PromptedTools

    official = urlsplit(PROVIDERS["openai-chat"].base_url).hostname
    if choice.provider == "ollama":
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.providers.ollama import OllamaProvider

        model: Model = OllamaModel(choice.model, provider=OllamaProvider(openai_client=sdk), settings=settings)
    else:
        from pydantic_ai.providers.openai import OpenAIProvider

        profile = None if choice.host == official else _any_server()
        provider = OpenAIProvider(openai_client=sdk)
        model = OpenAIChatModel(choice.model, provider=provider, profile=profile, settings=settings)
    if choice.tools == "native" or (choice.tools == "auto" and choice.host == official):
        return model
    return PromptedTools(model, always=choice.tools == "prompted")


def _any_server() -> "OpenAIModelProfile":
    """Return what may be expected of any server with the chat interface."""
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    return OpenAIModelProfile(
        openai_supports_strict_tool_definition=False,
        openai_chat_supports_max_completion_tokens=False,
        supports_thinking=True,
        supports_json_schema_output=True,
        supports_json_object_output=True,
    )
