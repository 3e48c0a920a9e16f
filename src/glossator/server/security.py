"""The guard at the door, as plain ASGI (so that streams pass unbuffered): host, origin, token, size, headers.

In this order, for every request: the Host header names this server (against DNS rebinding); a browser says that the
request comes from our own pages (against forged requests); the token or the cookie is there; the body is within its
limit. What goes out carries a strict content security policy and is never sniffed, framed elsewhere or cached by
others.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response

from glossator.errors import GlossatorError
from glossator.server.access import Access
from glossator.server.pages import DATA_POLICY, NOT_LET_IN, is_view, plain_page
from glossator.server.problems import of_defect, of_error, problem

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

MIB = 1 << 20
JSON_LIMIT = 4 * MIB
UPLOAD_LIMIT = 512 * MIB
DRAINED = 64 * MIB  # of a body that is refused
PAUSE = 1.0  # seconds
UPLOADS = ("/api/documents", "/api/import")
OPEN = ("/api/health",)
HEADERS: Mapping[str, str] = {
    "content-security-policy": DATA_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "private, no-cache",
}
log = logging.getLogger(__name__)


class Pulse:
    """When the server was last used, and how many requests are open: an idle one may end."""

    def __init__(self) -> None:
        self.open = 0
        self.last = time.monotonic()

    def begin(self) -> None:
        """Note that a request began."""
        self.open += 1
        self.last = time.monotonic()

    def end(self) -> None:
        """Note that a request ended."""
        self.open -= 1
        self.last = time.monotonic()

    def idle(self) -> float:
        """Return for how many seconds nothing was asked."""
        return 0.0 if self.open else time.monotonic() - self.last


class Guard:
    """Lets through what may pass, and answers everything else itself."""

    def __init__(self, app: Application, access: Access, pulse: Pulse) -> None:
        """Stand before `app`."""
        self._app = app
        self._access = access
        self._pulse = pulse

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            self._pulse.begin()
            try:
                await self._request(scope, receive, send)
            finally:
                self._pulse.end()
        else:  # no web sockets are served
            await send({"type": "websocket.close", "code": 1008})

    async def _request(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        outgoing = _Outgoing(send)
        refusal = self._refusal(scope)
        if refusal is not None:
            if refusal.status_code == 413:
                await drained(receive)
            await refusal(scope, receive, outgoing)
            return
        body = _Incoming(receive, limit_of(scope["path"]))
        outgoing.incoming = body
        path = scope["path"]
        try:
            await self._app(scope, body, outgoing)
        except GlossatorError as error:
            await self._answer(of_error(error, path), scope, receive, outgoing)
        except ClientDisconnect:
            if body.over:
                await self._answer(too_large(path), scope, receive, outgoing)
        except Exception:  # the outermost edge: the cause goes to the log, never to the client
            log.exception("%s %s met a defect", scope["method"], path)
            await self._answer(of_defect(path), scope, receive, outgoing)

    async def _answer(
        self, answer: Response, scope: MutableMapping[str, Any], receive: Receive, outgoing: "_Outgoing"
    ) -> None:
        if not outgoing.started:
            await answer(scope, receive, outgoing)

    def _refusal(self, scope: MutableMapping[str, Any]) -> Response | None:
        """Return the answer to what may not pass, or to a link that is good once; None lets a request pass."""
        path: str = scope["path"]
        headers = _headers(scope)
        hosts = headers.get("host", [])
        if len(hosts) != 1 or not self._access.answers_to(hosts[0]):
            return problem(421, "host", "this server does not answer to that host name", "use the address it printed")
        if (reason := foreign(headers, hosts[0])) is not None:
            return problem(403, "origin", reason, "only pages of this server itself may ask it", path=path)
        if path in OPEN:
            return None
        person = scope["method"] == "GET" and is_view(path)
        if person and (link := self._link(scope, headers)) is not None:
            return link
        if person and not self._admits(headers) and "text/html" in _first(headers, "accept"):
            return plain_page(401, "This browser is not let in", NOT_LET_IN)
        return self._unknown(path, headers)

    def _admits(self, headers: Mapping[str, list[str]]) -> bool:
        return self._access.admits(_first(headers, "authorization"), "; ".join(headers.get("cookie", [])))

    def _unknown(self, path: str, headers: Mapping[str, list[str]]) -> Response | None:
        """Return the answer to who does not hold the token, or sends too much; None to all others."""
        if not self._admits(headers):
            hint = "send the token as `Authorization: Bearer …`, or open a new link from `glossator serve`"
            challenge = {"www-authenticate": 'Bearer realm="glossator"'}
            return problem(401, "token", "the token is missing or wrong", hint, path=path, headers=challenge)
        declared = _first(headers, "content-length")
        if declared.isdigit() and int(declared) > limit_of(path):
            return too_large(path)
        return None

    def _link(self, scope: MutableMapping[str, Any], headers: Mapping[str, list[str]]) -> Response | None:
        """Return the answer to a one-time link: the cookie, and the same page without the code.

        A link that was used opens the page for a browser that was let in before.
        """
        given = parse_qsl(scope.get("query_string", b"").decode("latin1"), keep_blank_values=True)
        code = next((value for name, value in given if name == "token"), None)
        if code is None:
            return None
        good = self._access.spend(code)
        if not good and not self._admits(headers):
            if "text/html" in _first(headers, "accept"):
                return plain_page(401, "This link was used already", NOT_LET_IN)
            return problem(401, "token", "this link was used already", "`glossator serve` prints a new one")
        rest = urlencode([(n, v) for n, v in given if n != "token"])
        view = "/" + quote(scope["path"].lstrip("/\\"))  # two slashes would lead to another host
        answer = RedirectResponse(view + (f"?{rest}" if rest else ""), status_code=303)
        if good:
            answer.set_cookie(self._access.cookie_name, self._access.cookie, httponly=True, samesite="strict", path="/")
        return answer


class _Incoming:
    """The body of a request, counted as it comes."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._left = limit
        self.over = False

    async def __call__(self) -> Message:
        if self.over:
            return {"type": "http.disconnect"}
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                self.over = True
                await drained(self._receive)
                return {"type": "http.disconnect"}
        return message


class _Outgoing:
    """The response, with the headers that every one carries; 413 takes its place when the body was too large."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False
        self.incoming: _Incoming | None = None
        self._replaced = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if self.incoming is not None and self.incoming.over and not self._replaced:
                self._replaced = True
                await too_large("")({"type": "http", "method": "POST"}, _nothing, self._plain)
                return
            self.started = True
            message = {**message, "headers": _with_defaults(message.get("headers", []))}
        elif self._replaced:
            return
        await self._send(message)

    async def _plain(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            message = {**message, "headers": _with_defaults(message.get("headers", []))}
        await self._send(message)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


async def drained(receive: Receive) -> None:
    """Read what a client still sends, so that it hears the answer instead of a broken connection; not for ever."""
    left = DRAINED
    with suppress(TimeoutError):
        while left > 0:
            message = await asyncio.wait_for(receive(), PAUSE)
            left -= len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body", False):
                return


def limit_of(path: str) -> int:
    """Return how many bytes the body of a request to that path may have."""
    return UPLOAD_LIMIT if path in UPLOADS else JSON_LIMIT


def too_large(path: str) -> Response:
    """Return the answer to a body that is over its limit."""
    hint = f"up to {JSON_LIMIT // MIB} MB; documents up to {UPLOAD_LIMIT // MIB} MB, or add them by their path"
    return problem(413, "too_large", "the body is too large", hint, path=path, headers={"connection": "close"})


def foreign(headers: Mapping[str, list[str]], host: str) -> str | None:
    """Return why a request comes from a page that is not ours, or None.

    `same-site` is foreign, too: another port of this machine is another program.
    """
    site = _first(headers, "sec-fetch-site").lower()
    if site not in ("", "same-origin", "none"):
        return f"the request comes from another site ({site})"
    origins = headers.get("origin", [])
    for origin in origins:
        if urlsplit(origin).netloc.lower() != host.lower() or not origin.startswith(("http://", "https://")):
            return "the request comes from another origin"
    return None


def _headers(scope: MutableMapping[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin1").lower(), []).append(value.decode("latin1"))
    return found


def _first(headers: Mapping[str, list[str]], name: str) -> str:
    values = headers.get(name, [])
    return values[0] if len(values) == 1 else ""


def _with_defaults(headers: Any) -> list[tuple[bytes, bytes]]:
    given = list(headers)
    names = {name.lower() for name, _ in given}
    more = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in names]
    return [*given, *more]
