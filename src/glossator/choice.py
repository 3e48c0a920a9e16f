"""Which language model answers: providers, the value that names a model, and the choice by settings and task.

    openai:MODEL        OpenAI, its Responses interface
    openai-chat:MODEL   any server with the chat interface: OpenAI, llama.cpp, vLLM, LM Studio
    anthropic:MODEL     Anthropic
    deepseek:MODEL      DeepSeek
    ollama:MODEL        a server on this machine
    none                no model: answers are the documents' own sentences

Nothing is imported, asked or sent here. A library may come from others, so what its own file says of models counts
only while the text stays on this machine.
"""

import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Literal, cast
from urllib.parse import urlsplit

from glossator.config import Setting, Settings, Source
from glossator.errors import ModelError

NONE = "none"
Task = Literal["question", "research", "book", "rewrite"]
TASKS: tuple[Task, ...] = ("question", "research", "book", "rewrite")
ToolCalls = Literal["auto", "native", "prompted"]
_CLOUD = re.compile(r"(?:^|[-:])cloud$")  # Ollama forwards models of such a name to its maker's servers

_BOOK = re.compile(
    r"chapter[ -]by[ -]chapter|section[ -]by[ -]section|(?:each|every|all(?: the)?) (?:chapters?|sections?)"
    r"|(?:whole|entire) (?:book|novel|document|paper)|逐章|逐节|每一?章|各章|全书|整本书|整部",
    re.IGNORECASE,
)

log = logging.getLogger(__name__)


def is_book(question: str) -> bool:
    """Return whether a question asks for work over a whole book, chapter by chapter."""
    return bool(_BOOK.search(question))


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider's address when nobody says otherwise, the variables that its own client reads, and what it is."""

    name: str
    what: str
    base_url: str
    base_url_env: str
    key_env: str | None


PROVIDERS = {
    p.name: p
    for p in (
        Provider(
            name="openai",
            what="OpenAI (Responses)",
            base_url="https://api.openai.com/v1",
            base_url_env="OPENAI_BASE_URL",
            key_env="OPENAI_API_KEY",
        ),
        Provider(
            name="openai-chat",
            what="any server with the chat interface: OpenAI, llama.cpp, vLLM, LM Studio",
            base_url="https://api.openai.com/v1",
            base_url_env="OPENAI_BASE_URL",
            key_env="OPENAI_API_KEY",
        ),
        Provider(
            name="anthropic",
            what="Anthropic",
            base_url="https://api.anthropic.com",
            base_url_env="ANTHROPIC_BASE_URL",
            key_env="ANTHROPIC_API_KEY",
        ),
        Provider(
            name="deepseek",
            what="DeepSeek",
            base_url="https://api.deepseek.com",
            base_url_env="DEEPSEEK_BASE_URL",
            key_env="DEEPSEEK_API_KEY",
        ),
        Provider(
            name="ollama",
            what="a server on this machine",
            base_url="http://127.0.0.1:11434/v1",
            base_url_env="OLLAMA_BASE_URL",
            key_env=None,
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model, the address it is asked at, and the variable of its key. `fallback`: asked in turn when it fails."""

    provider: str
    model: str
    base_url: str
    key_env: str | None = None
    tools: ToolCalls = "auto"
    thinking: str | None = None
    fallback: tuple["ModelChoice", ...] = ()

    @property
    def spec(self) -> str:
        """Return `provider:model`."""
        return f"{self.provider}:{self.model}"

    @property
    def host(self) -> str:
        """Return the server's name, for messages and the ledger."""
        return urlsplit(self.base_url).hostname or self.base_url

    @property
    def loopback(self) -> bool:
        """Return whether the address is this machine's own; such a server needs no key."""
        host = self.host
        try:
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            return False

    @property
    def remote(self) -> bool:
        """Return whether text leaves this machine: another host, or a model that Ollama forwards."""
        forwarded = self.provider == "ollama" and bool(_CLOUD.search(self.model))
        return forwarded or not self.loopback


def choice_of(
    spec: str,
    *,
    base_url: str | None = None,
    key_env: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> ModelChoice | None:
    """Return the choice that `provider:model` names, or None for `none`.

    `base_url` is the value that the provider's own client takes; else the variable of that client, else the
    provider's address.

    Raises:
        ModelError: the provider is not known, the model has no name, or the address is none.
    """
    name, _, model = spec.strip().partition(":")
    if name == NONE and not model:
        return None
    if name not in PROVIDERS or not model:
        said = "has no model after the colon" if name in PROVIDERS else "names no provider that is known here"
        raise ModelError(f"{spec!r} {said}", hint=f"provider:model, with one of {', '.join(PROVIDERS)}; or none")
    provider = PROVIDERS[name]
    address = base_url or environment.get(provider.base_url_env) or provider.base_url
    return ModelChoice(
        provider=name, model=model, base_url=_address(address, provider), key_env=key_env or provider.key_env
    )


def _address(given: str, provider: Provider) -> str:
    """Return a base URL as the provider's client needs it."""
    try:
        parts = urlsplit(given.strip())
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # no IPv6 address, no port
        whole = False
    if not whole or re.search(r"[\s\x00-\x1f]", given.strip()):
        raise ModelError(f"{given!r} is not an http or https address", hint=f"write it in full, as {provider.base_url}")
    if parts.username or parts.password:
        raise ModelError(
            f"the address of {parts.hostname} holds a user name or password",
            hint=f"leave them out; a key goes into {provider.key_env or 'a variable'}",
        )
    path = parts.path.rstrip("/")
    if provider.name == "anthropic":
        path = path.removesuffix("/v1")  # its client adds that itself
    elif provider.name == "ollama" and not path:
        path = "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}"


def choose(
    settings: Settings,
    task: Task = "question",
    *,
    model: str | None = None,
    base_url: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> ModelChoice | None:
    """Return the model for a kind of task, or None: no model.

    `model` and `base_url` are those of the command line. They or the variables decide for every task; else
    `model.use.TASK` says `local` or `remote`; else the main model; else the local one. A remote model is never taken
    because it is merely configured.

    Raises:
        ModelError: as `choice_of`, or `local` or `remote` was asked for and is not configured.
    """
    given = _Given(settings, environment, model, base_url)
    named = given.override()
    if named in ("local", "remote"):
        return given.complete(given.configured(named), strict=named)
    if named:
        return given.complete(given.main())
    used = given.value(f"use.{task}")
    if used in ("local", "remote") and (wanted := given.configured(used)):
        return given.complete(wanted)
    return given.complete(given.main() or (None if given.says_none() else given.configured("local")))


def proposal(settings: Settings, *, environment: Mapping[str, str] = os.environ) -> ModelChoice | None:
    """Return the remote model to propose where the local one abstained, or None. It is used only when asked for.

    Raises: as `choice_of`.
    """
    given = _Given(settings, environment, None, None)
    return given.complete(given.configured("remote"))


def configured(settings: Settings, *, environment: Mapping[str, str] = os.environ) -> dict[str, ModelChoice]:
    """Return the models that the settings name, as `main`, `local` and `remote`, each without those that stand in.

    Raises: as `choice_of`.
    """
    given = _Given(settings, environment, None, None)
    found = {"main": given.main(), "local": given.configured("local"), "remote": given.configured("remote")}
    return {name: choice for name, choice in found.items() if choice is not None}


class _Given:
    """The settings of models, read with regard to where each comes from."""

    def __init__(
        self, settings: Settings, environment: Mapping[str, str], model: str | None, base_url: str | None
    ) -> None:
        self._found: dict[str, Setting] = {s.key.name.removeprefix("model."): s for s in settings.model}
        self._environment = environment
        self._model = model
        self._base_url = base_url

    def value(self, name: str) -> str | None:
        found = self._found.get(name)
        return None if found is None or found.value is None else str(found.value)

    def _source(self, name: str) -> Source:
        return self._found[name].source if name in self._found else "default"

    def override(self) -> str | None:
        """Return what the command line or the variable names, which no file outweighs."""
        return self._model or (self.value("model") if self._source("model") == "environment" else None)

    def says_none(self) -> bool:
        return self._main_spec() == NONE

    def _main_spec(self) -> str | None:
        if named := self.override():
            return named
        model, provider = self.value("model"), self.value("provider")
        if self._source("model") == "library":
            return model
        if model and provider and provider not in (NONE, model.partition(":")[0]):
            return f"{provider}:{model}"
        return NONE if provider == NONE else model

    def main(self) -> ModelChoice | None:
        spec = self._main_spec()
        if not spec:
            return None
        provider = spec.partition(":")[0]
        address = self._base_url or self._of("base_url", provider)
        key_env = self._of("api_key_env", provider)
        found = choice_of(spec, base_url=address, key_env=key_env, environment=self._environment)
        if found and found.remote and not self.override() and self._source("model") == "library":
            log.warning("a library cannot choose %s, which sends text to %s; it is ignored", found.spec, found.host)
            return None
        return found

    def _of(self, name: str, provider: str) -> str | None:
        """Return an address or a key's variable of the main model; those in a file belong to that file's provider."""
        value = self.value(name)
        if value is None or self._source(name) == "environment":
            return value
        theirs = self.value("provider") or (self.value("model") or "").partition(":")[0]
        from_file = self._source("model") != "environment" or self.value("provider") is not None
        return value if theirs == provider and from_file else None

    def configured(self, which: str) -> ModelChoice | None:
        """Return the model of `[model.local]` or `[model.remote]`."""
        model, provider = self.value(f"{which}.model"), self.value(f"{which}.provider")
        if not model:
            return None
        spec = f"{provider}:{model}" if provider and provider != model.partition(":")[0] else model
        return choice_of(
            spec,
            base_url=self.value(f"{which}.base_url"),
            key_env=self.value(f"{which}.api_key_env"),
            environment=self._environment,
        )

    def complete(self, chosen: ModelChoice | None, *, strict: str | None = None) -> ModelChoice | None:
        """Return the choice with how tools are called, how much is thought, and who stands in for it."""
        if chosen is None:
            if strict:
                raise ModelError(
                    f"no {strict} model is configured",
                    hint=f"`glossator config set model.{strict}.model provider:model`",
                )
            return None
        tools, thinking = cast(ToolCalls, self.value("tools") or "auto"), self.value("thinking")
        names = [n.strip() for n in (self.value("fallback") or "").split(",") if n.strip()]
        others = [choice_of(n, environment=self._environment) for n in names]
        stays = bool(self.override()) and not chosen.remote  # who names a local model gets no remote one in its place
        fallback = [
            replace(o, tools=tools, thinking=thinking)
            for o in others
            if o and o.spec != chosen.spec and not (stays and o.remote)
        ]
        return replace(chosen, tools=tools, thinking=thinking, fallback=tuple(fallback))
