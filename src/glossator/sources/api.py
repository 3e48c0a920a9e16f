"""Calls of web interfaces: one request, any method, text or JSON back, behind the same guards as a fetched page.

Redirects are followed for GET only, and what opens one server (a token, a cookie) is not sent on to another.
"""

import http.client
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import SplitResult, urljoin, urlunsplit

from glossator.errors import LimitExceeded, SourceError
from glossator.sources.guard import checked_url
from glossator.sources.web import REDIRECTS, Budget, FetchLimits, Sent, exchange, received

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
LIMITS = FetchLimits(size=2 << 20, seconds=25.0)
_NOT_OURS = ("host", "content-length", "connection", "transfer-encoding", "accept-encoding")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is asked of a web interface. `secret` headers open its server, and go nowhere else."""

    url: str
    method: Method = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    secret: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a server answered: the status, its type, the cookies it sets, and the body as text."""

    url: str
    status: int
    content_type: str
    text: str
    cookies: tuple[str, ...] = ()
    location: str | None = None

    @property
    def ok(self) -> bool:
        """Return whether the server did what was asked."""
        return 200 <= self.status < 300


def call(asked: Call, *, limits: FetchLimits = LIMITS, allow_loopback: bool = False) -> Reply:
    """Return what a web interface answers, whatever its status is.

    Raises:
        LimitExceeded: it is too large, too slow, or redirected too often.
        SourceError: the address is not allowed, the headers are none, or the server cannot be reached.
    """
    budget = Budget(asked.url, limits, time.monotonic() + limits.seconds)
    at = first = checked_url(asked.url)
    for _ in range(limits.redirects + 1):
        home = _server(at) == _server(first)
        secret = asked.secret if home else {}
        body = None if asked.body is None else asked.body.encode()
        sent = Sent(method=asked.method, headers=_checked({**asked.headers, **secret}), body=body)
        reply = replace(_sent(at, budget, sent, allow_loopback=allow_loopback and home), url=urlunsplit(at))
        if asked.method != "GET" or reply.location is None:
            return reply
        at = checked_url(urljoin(urlunsplit(at), reply.location))
    raise LimitExceeded(f"{asked.url}: redirected more than {limits.redirects} times", hint="ask the final address")


def _sent(url: SplitResult, budget: Budget, sent: Sent, *, allow_loopback: bool) -> Reply:
    def answer(response: http.client.HTTPResponse) -> Reply:
        data = received(response, budget)
        location = response.headers.get("Location") if response.status in REDIRECTS else None
        return Reply(
            url="",
            status=response.status,
            content_type=response.headers.get_content_type() if "Content-Type" in response.headers else "",
            text=_decoded(data, response.headers.get_content_charset()),
            cookies=tuple(c.partition(";")[0] for c in response.headers.get_all("Set-Cookie") or ()),
            location=location,
        )

    return exchange(url, budget, answer, sent=sent, allow_loopback=allow_loopback)


def _decoded(data: bytes, charset: str | None) -> str:
    try:
        return data.decode(charset or "utf-8")
    except (LookupError, UnicodeDecodeError):
        return data.decode("utf-8", "replace")


def _checked(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers without those that are ours to set.

    Raises:
        SourceError: one cannot stand in a request.
    """
    for name, value in headers.items():
        if not name.isascii() or not name.replace("-", "").isalnum() or any(c in value for c in "\r\n\0"):
            raise SourceError(f"{name!r} is no header", hint="letters, digits and hyphens; a value on one line")
        if not all(ord(c) < 256 for c in value):
            raise SourceError(f"the header {name!r} holds characters that none may", hint="percent-encode them")
    return {n: v for n, v in headers.items() if n.lower() not in _NOT_OURS}


def _server(url: SplitResult) -> tuple[str, str, int]:
    return url.scheme, (url.hostname or "").lower(), url.port or (443 if url.scheme == "https" else 80)
