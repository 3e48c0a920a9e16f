"""The connection to a provider: its limits, what is sent along, and an account of what left the machine.

Only what a request needs is sent: the tellings of the SDKs about platform and versions are taken out. Redirects are
not followed, for a key must not go where nobody sent it.
"""

import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import httpx2

from glossator import __version__
from glossator.choice import ModelChoice

_TELLING = ("x-stainless-",)
_OPENAI = "api.openai.com"  # only there it means something which organisation one belongs to
_KEYS = ("authorization", "x-api-key")
_ENDS = re.compile(
    rb'data: ?\[DONE\]|"(?:finish_reason|stop_reason)": ?"|event: ?(?:message_stop|error)'
    rb'|"type": ?"(?:message_stop|error|response\.(?:completed|incomplete|failed|cancelled))"|data: ?\{"error"'
)
_LONGEST = 64  # bytes of any of these


@dataclass(frozen=True, slots=True)
class Sent:
    """One request that went out: to which host and path, how many bytes, and whether it left this machine."""

    host: str
    path: str
    bytes: int
    remote: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLimits:
    """How long to wait: for a connection, and for the next byte of a provider or of a model on this machine."""

    connect: float = 10.0
    silence: float = 120.0
    silence_here: float = 600.0  # a small machine reads a long prompt for minutes before it says a word


class _Client(httpx2.AsyncClient):
    """A client that sends our headers only, and tells what it sends."""

    def __init__(self, choice: ModelChoice, key: str | None, told: Callable[[Sent], None] | None, **options: Any):
        super().__init__(**options)
        self._choice, self._key, self._told = choice, key, told

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        telling = _TELLING if request.url.host == _OPENAI else (*_TELLING, "openai-")
        for name in [n for n in request.headers if n.lower().startswith(telling)]:
            del request.headers[name]
        if self._key is None:
            for name in _KEYS:
                request.headers.pop(name, None)
        request.headers["user-agent"] = f"glossator/{__version__}"
        request.headers["accept-encoding"] = "identity"  # so that the end of a stream can be seen
        if self._choice.provider == "deepseek" and request.method == "POST":
            request = self._with_reasoning(request)
        if self._told:
            size = len(request.content)
            self._told(Sent(request.url.host, request.url.path, size, self._choice.remote))
        response = await super().send(request, **options)
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            response.stream = _Watched(response.stream)
        return response

    def _with_reasoning(self, request: httpx2.Request) -> httpx2.Request:
        """Return the request with reasoning on every past answer: DeepSeek wants it also on those of other models."""
        body = json.loads(request.content)
        for message in body.get("messages", ()):
            if message.get("role") == "assistant":
                message.setdefault("reasoning_content", "")
        headers = {n: v for n, v in request.headers.items() if n.lower() not in ("content-length", "transfer-encoding")}
        content = json.dumps(body, ensure_ascii=False).encode()
        return httpx2.Request(
            request.method, request.url, headers=headers, content=content, extensions=request.extensions
        )


class _Watched(httpx2.AsyncByteStream):
    """A stream of events that is an error when it ends before it said so: some servers just close it when they fail."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        ended, tail = False, b""
        async for chunk in self._stream:
            ended = ended or bool(_ENDS.search(tail + chunk))
            tail = (tail + chunk)[-_LONGEST:]
            yield chunk
        if not ended:
            raise httpx2.RemoteProtocolError("the stream ended before the answer was complete")

    async def aclose(self) -> None:
        await self._stream.aclose()


def client(
    choice: ModelChoice,
    key: str | None,
    *,
    limits: HttpLimits,
    told: Callable[[Sent], None] | None = None,
) -> httpx2.AsyncClient:
    """Return a client for one provider and one event loop; `told` hears of each request before it is sent."""
    silence = limits.silence_here if choice.loopback else limits.silence
    return _Client(
        choice,
        key,
        told,
        timeout=httpx2.Timeout(silence, connect=limits.connect, pool=limits.connect),
        follow_redirects=False,
        trust_env=not choice.loopback,  # a proxy has no business between two programs on one machine
        verify=not choice.base_url.startswith("http://"),  # reading the certificates takes longer than a request
    )
