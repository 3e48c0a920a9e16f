"""What goes wrong between this program and a provider: which of it may pass, and how a person is told."""

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
)

from glossator.agent.keys import Key
from glossator.choice import PROVIDERS, ModelChoice
from glossator.errors import ModelError
from glossator.scrub import scrub

SHOWN = 300  # characters of a provider's own words
_PASSING = frozenset({408, 409, 425})  # statuses that say "not now"


def may_pass(error: ModelAPIError, choice: ModelChoice, tries: int) -> bool:
    """Return whether the same request may succeed when it is sent again, after so many tries."""
    if isinstance(error, ModelTimeoutError) and error.phase != "connect":
        return False  # it was silent for as long as may be
    if isinstance(error, ModelConnectionError) and error.phase in ("connect", "pool"):
        return not choice.loopback and tries < 2  # nothing listens here; a second try helps against a hiccup only
    if isinstance(error, ModelHTTPError) and error.status_code in _PASSING:
        return True
    return type(error) is ModelAPIError or isinstance(
        error, ModelRateLimitError | ModelUnavailableError | ModelServerError | ModelConnectionError
    )


def reason_of(error: ModelAPIError) -> str:
    """Return in a few words why a request failed, without any key."""
    if isinstance(error, ModelHTTPError):
        said = _said(error.body)
        return f"HTTP {error.status_code}" + (f": {said}" if said else "")
    if isinstance(error, ModelTimeoutError | ModelRequestTimeout):
        return "no answer came in time"
    if isinstance(error, ModelConnectionError) and error.phase in ("connect", "pool"):
        return "the server cannot be reached"
    if isinstance(error, ModelConnectionError):
        return "the connection was cut"
    return _short(error.message)


def explain(error: ModelAPIError, choice: ModelChoice, key: Key | None, tries: int) -> ModelError:
    """Return the error that a person is shown: the model, its host, what happened, what to do."""
    if isinstance(error, ModelAuthenticationError):
        return refused(choice, key, reason_of(error))
    what = reason_of(error) + (f" (tried {tries} times)" if tries > 1 else "")
    return ModelError(f"{choice.spec} at {choice.host}: {what}", hint=_hint(error, choice))


def refused(choice: ModelChoice, key: Key | None, what: str) -> ModelError:
    """Return the error for a key that is missing or wrong. It names the variable, never the key."""
    variable = choice.key_env or "a key"
    if key is None:
        said = f"{variable} is not set, and no key is stored for it"
    elif key.place == "environment":
        said = f"the key in {variable} was refused"
    else:
        said = f"the key stored for {variable} was refused"
    again = "" if key is None and not what else f" ({what})" if what else ""
    provider = choice.provider if PROVIDERS[choice.provider].key_env else "PROVIDER"
    return ModelError(
        f"{choice.spec} at {choice.host}: {said}{again}",
        hint=f"set {variable}, or keep a key with `glossator config set-key {provider}`",
    )


def _hint(error: ModelAPIError, choice: ModelChoice) -> str:
    if isinstance(error, ModelConnectionError) and choice.loopback and error.phase in ("connect", "pool"):
        start = "`ollama serve`" if choice.provider == "ollama" else "start it"
        return f"nothing listens at {choice.base_url}: {start}, or name another address with --base-url"
    if isinstance(error, ModelNotFoundError):
        pulled = f"`ollama pull {choice.model}`" if choice.provider == "ollama" else "check the model's name"
        return f"{pulled}; the base URL is {choice.base_url}"
    return next((hint for kinds, hint in _HINTS if isinstance(error, kinds)), _OTHERWISE)


_HINTS: tuple[tuple[tuple[type[ModelAPIError], ...], str], ...] = (
    (
        (ModelContextWindowExceededError,),
        "the conversation is longer than this model reads: begin a new session, or take a model with more context",
    ),
    ((ModelQuotaExceededError,), "the account has no credit left: top it up, or choose another model"),
    ((ModelRateLimitError,), "the provider asks for fewer requests: wait a little, or choose another model"),
    ((ModelTimeoutError, ModelRequestTimeout), "try again, or choose a faster model"),
)
_OTHERWISE = "try again, or choose another model with --model; `--model none` answers without one"


def _said(body: object) -> str:
    """Return the provider's own words out of an error's body."""
    for name in ("error", "message", "detail"):
        if isinstance(body, dict) and name in body:
            body = body[name]
    if isinstance(body, dict):
        body = body.get("message", "")
    return _short(body if isinstance(body, str) else "")


def _short(text: str) -> str:
    text = " ".join(scrub(text).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
