"""How the server is reached: over stdio by the program that starts it, or over HTTP on this machine with a token."""

import secrets
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import anyio

from glossator.errors import UsageError
from glossator.mcp.app import Server, build

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from glossator.mcp.door import Door

HOST = "127.0.0.1"
PATH = "/mcp"


def over_stdio(door: "Door", *, for_hook: bool = False) -> None:
    """Serve one client over stdin and stdout, until it closes them. Nothing but the protocol goes to stdout."""
    anyio.run(build(door, for_hook=for_hook).run_stdio_async)


def over_http(door: "Door", *, port: int = 0, told: Callable[[str, str], None]) -> None:
    """Serve any number of clients on this machine until interrupted; `told` hears of address and token first.

    The token is asked for in the header `Authorization: Bearer …`, or as `?token=…` of the address. Foreign hosts and
    origins are refused.

    Raises:
        UsageError: the port is in use.
    """
    import uvicorn

    listening = _bound(port)
    token = secrets.token_urlsafe(32)
    application = Guarded(_application(build(door)), token)
    told(f"http://{HOST}:{listening.getsockname()[1]}{PATH}", token)
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning", access_log=False, lifespan="on"))
    server.run(sockets=[listening])


def _application(server: Server) -> "ASGIApp":
    return server.streamable_http_app(streamable_http_path=PATH, host=HOST)


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise UsageError(
            f"port {port} is in use ({error.strerror})", hint="leave --port out to take a free one"
        ) from error
    return listening


class Guarded:
    """Lets nobody through who does not know the token."""

    def __init__(self, application: "ASGIApp", token: str) -> None:
        """Guard an application."""
        self._application = application
        self._token = token.encode()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer 401, or pass the request on."""
        if scope["type"] == "http" and not self._knows(scope):
            head: dict[str, Any] = {"type": "http.response.start", "status": 401}
            kind = (b"content-type", b"application/problem+json")
            await send(head | {"headers": [kind, (b"www-authenticate", b"Bearer")]})
            body = b'{"title":"a token is needed","status":401,"hint":"send Authorization: Bearer TOKEN, as printed"}'
            await send({"type": "http.response.body", "body": body})
            return
        await self._application(scope, receive, send)

    def _knows(self, scope: "Scope") -> bool:
        given = [value.removeprefix(b"Bearer ") for name, value in scope["headers"] if name == b"authorization"]
        given += [v.encode() for v in parse_qs(scope["query_string"].decode("latin-1")).get("token", ())]
        return any(secrets.compare_digest(value, self._token) for value in given)
