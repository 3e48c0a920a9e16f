"""A server on this machine that behaves as the providers do: strict about what it is sent, scripted in what it says.

    http://127.0.0.1:PORT/openai/v1       chat and Responses       .../deepseek/v1
    http://127.0.0.1:PORT/anthropic       messages                 .../ollama/v1
    http://127.0.0.1:PORT/plain/v1        chat with a model that knows no tools; honours a JSON schema

`GET /__log` tells what was asked and which connections were closed early; `POST /__script` gives another script.
"""

import json
import select
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.agent.fake_provider import anthropic, chat, responses
from tests.agent.fake_provider.script import Json, Reply, Script, Turn, script_of, spoken

PATHS = {
    "openai": "/openai/v1",
    "openai-chat": "/openai/v1",
    "anthropic": "/anthropic",
    "deepseek": "/deepseek/v1",
    "ollama": "/ollama/v1",
    "plain": "/plain/v1",
}


@dataclass(slots=True)
class Seen:
    """A request that came in, and what became of it."""

    path: str
    body: Json
    headers: dict[str, str]
    at: float
    status: int = 0
    closed_early: bool = False
    turn: Turn | None = field(default=None, repr=False)
    sent: list[tuple[float, str]] = field(default_factory=list, repr=False)  # of a stream: when (perf_counter), what

    def to_json(self) -> Json:
        return {
            "path": self.path,
            "body": self.body,
            "headers": self.headers,
            "at": self.at,
            "status": self.status,
            "closed_early": self.closed_early,
        }


class FakeProvider:
    """The server, running in a thread of its own while inside. `key`: what it lets in, when it asks for one."""

    def __init__(self, script: Script = spoken, *, key: str | None = None, port: int = 0) -> None:
        self.script = script
        self.key = key
        self.seen: list[Seen] = []
        self.lock = threading.Lock()
        self.ending = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True

    @property
    def address(self) -> str:
        """Return the address without a provider's path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def url(self, provider: str) -> str:
        """Return the base URL that the client of a provider takes."""
        return self.address + PATHS[provider]

    @property
    def bodies(self) -> list[Json]:
        """Return what was asked, in order."""
        return [seen.body for seen in self.seen]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.ending.set()
        self._server.shutdown()
        self._server.server_close()

    def wait_closed_early(self, seconds: float = 5.0) -> bool:
        """Return whether a client closed its connection before the answer was whole, waiting for it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if any(seen.closed_early for seen in self.seen):
                return True
            time.sleep(0.02)
        return False


class _Gone(Exception):
    """The client has closed the connection."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    provider: FakeProvider

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        if self.path == "/__log":
            self._json(200, {"requests": [seen.to_json() for seen in self.provider.seen]})
        elif self.path.endswith("/models"):
            self._json(200, {"object": "list", "data": [{"id": "fake", "object": "model"}]})
        else:
            self._json(404, {"error": {"message": f"no such path: {self.path}"}})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body = json.loads(raw or b"{}")
        if self.path == "/__script":
            self.provider.script = script_of(body)
            self._json(200, {})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.path, body, headers, time.time())
        with self.provider.lock:
            self.provider.seen.append(seen)
            number = len(self.provider.seen)
        try:
            self._answer(seen, number)
        except (_Gone, BrokenPipeError, ConnectionResetError):
            seen.closed_early = True
            self.close_connection = True

    def _answer(self, seen: Seen, number: int) -> None:
        interface: Any = chat
        parts = seen.path.partition("?")[0].strip("/").split("/")
        flavour = {"openai": "openai-chat"}.get(parts[0], parts[0] if parts[0] in PATHS else "openai-chat")
        if parts[-1] == "messages":
            flavour, interface = "anthropic", anthropic
        elif parts[-1] == "responses":
            flavour, interface = "openai", responses
        elif parts[-2:] != ["chat", "completions"]:
            self._refuse(seen, Reply(status=404, message=f"no such path: {seen.path}"), flavour)
            return
        if (key := self.provider.key) and key not in _keys(seen.headers):
            self._refuse(
                seen, Reply(status=401, message=f"Incorrect API key provided: {_keys(seen.headers)[0]}"), flavour
            )
            return
        by_flavour = (flavour,) if interface is chat else ()
        if found := interface.problem(seen.body, *by_flavour):
            self._refuse(seen, Reply(status=400, message=found), flavour)
            return
        seen.turn = interface.turn_of(seen.body, *by_flavour, number=number)
        reply = self.provider.script(seen.turn)
        self._wait(reply.silent)
        if reply.status != 200:
            self._refuse(seen, reply, flavour)
            return
        seen.status = 200
        if seen.turn.stream:
            self._stream(seen, reply, interface.stream(reply, seen.body, *by_flavour), flavour)
        else:
            if reply.cut_after is not None:
                self._tear()
                return
            self._json(200, interface.whole(reply, seen.body, *by_flavour))

    def _refuse(self, seen: Seen, reply: Reply, flavour: str) -> None:
        seen.status = reply.status
        error = anthropic.error(reply) if flavour == "anthropic" else chat.error(reply, flavour)
        wait = {"retry-after": str(reply.retry_after)} if reply.retry_after is not None else {}
        self._json(reply.status, error, wait)

    def _stream(self, seen: Seen, reply: Reply, events: Any, flavour: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for at, (event, data) in enumerate(events):
            if at == reply.cut_after:
                if reply.cut == "reset":
                    self._tear()
                    return
                break
            if at == reply.error_after:
                failed = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
                self._event("error" if flavour in ("anthropic", "openai") else None, failed)
                break
            seen.sent.append((time.perf_counter(), data if isinstance(data, str) else json.dumps(data)))
            self._event(event, data)
            self._wait(reply.pace)
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _event(self, event: str | None, data: Json | str) -> None:
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        line = ((f"event: {event}\n" if event else "") + f"data: {text}\n\n").encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        self.wfile.flush()

    def _wait(self, seconds: float) -> None:
        """Wait, and notice meanwhile when the client goes away."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.provider.ending.is_set():
            ready, _, _ = select.select([self.connection], [], [], min(left, 0.05))
            if ready and not self.connection.recv(1, socket.MSG_PEEK):
                raise _Gone

    def _tear(self) -> None:
        """End the connection as a crash does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _json(self, status: int, value: Json, headers: dict[str, str] | None = None) -> None:
        raw = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(raw)


def _keys(headers: dict[str, str]) -> list[str]:
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    return [k for k in (headers.get("x-api-key"), bearer) if k] or [""]


def _handler(provider: FakeProvider) -> type[_Handler]:
    return type("Handler", (_Handler,), {"provider": provider})
