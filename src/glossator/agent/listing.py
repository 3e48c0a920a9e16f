"""Which language models there are: those that the settings name, and every provider that can be chosen."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from glossator.agent.keys import Key, find, stored
from glossator.choice import NONE, PROVIDERS, TASKS, ModelChoice, Provider, choose, configured, proposal
from glossator.config import Settings
from glossator.errors import ModelError

_EXTRA = "pip install 'glossator[agent]'"


def language_models(settings: Settings, *, environment: Mapping[str, str] = os.environ) -> tuple[dict[str, Any], ...]:
    """Return what `glossator models` lists of language models. Nothing is asked or sent, and no key is shown."""
    rows = [*_configured(settings, environment), *(_provider(p, environment) for p in PROVIDERS.values())]
    nothing = {"installed": True, "network": False, "what": "answers are verbatim sentences", "hint": None}
    return (*rows, {"name": NONE, "role": None, "key": None, **nothing})


def configured_models(settings: Settings, *, environment: Mapping[str, str] = os.environ) -> list[dict[str, Any]]:
    """Return the models that the settings name: what each is called there, where it is, and which tasks it answers."""
    try:
        named = configured(settings, environment=environment)
        answering = {task: choose(settings, task, environment=environment) for task in TASKS}
    except ModelError:  # `language_models` says what is wrong
        return []
    return [
        {
            "name": name,
            "model": choice.spec,
            "remote": choice.remote,
            "host": choice.host,
            "key": find(choice, environment=environment) is not None,
            "uses": [task for task, used in answering.items() if used is not None and _same(used, choice)],
        }
        for name, choice in named.items()
    ]


def _same(one: ModelChoice, other: ModelChoice) -> bool:
    return (one.spec, one.base_url) == (other.spec, other.base_url)


def _configured(settings: Settings, environment: Mapping[str, str]) -> list[dict[str, Any]]:
    rows = []
    for role in ("in use", "proposed"):
        try:
            asked = choose if role == "in use" else proposal
            choice = asked(settings, environment=environment)
        except ModelError as error:
            rows.append(_row(error.message, role, installed=False, network=False, hint=error.hint))
            continue
        if choice is not None:
            rows.append(_chosen(choice, role, environment))
            if role == "in use":
                rows += [_chosen(other, "stands in", environment) for other in choice.fallback]
    return rows


def _chosen(choice: ModelChoice, role: str, environment: Mapping[str, str]) -> dict[str, Any]:
    here = _installed(choice.provider)
    key = find(choice, environment=environment)
    lacking = None if here else _EXTRA
    if here and choice.key_env and key is None and not choice.loopback:
        lacking = f"set {choice.key_env}, or `glossator config set-key {choice.provider}`"
    row = _row(choice.spec, role, installed=here, network=choice.remote, hint=lacking)
    return {**row, "key": _place(key), "what": choice.host}


def _provider(provider: Provider, environment: Mapping[str, str]) -> dict[str, Any]:
    here = _installed(provider.name)
    key = _key(provider, environment)
    hint = None if here else _EXTRA
    if here and provider.key_env and key is None:
        hint = f"set {provider.key_env}, or `glossator config set-key {provider.name}`"
    row = _row(f"{provider.name}:MODEL", None, installed=here, network=provider.key_env is not None, hint=hint)
    return {**row, "key": _place(key), "what": provider.what}


def _key(provider: Provider, environment: Mapping[str, str]) -> Key | None:
    variable = provider.key_env
    if variable is None:
        return None
    value = environment.get(variable)
    return Key(variable, "environment", value) if value else stored(variable)


def _row(name: str, role: str | None, *, installed: bool, network: bool, hint: str | None) -> dict[str, Any]:
    return {"name": name, "role": role, "installed": installed, "network": network, "key": None, "hint": hint}


def _place(key: Key | None) -> str | None:
    return key.place if key else None


def _installed(provider: str) -> bool:
    needed = ("pydantic_ai", "anthropic" if provider == "anthropic" else "openai")
    return all(find_spec(name) is not None for name in needed)
