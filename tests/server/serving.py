"""A real server on a port of this machine, and a client that sends what a test wants, header by header."""

import asyncio
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn

from glossator.library import running
from glossator.library.library import Library
from glossator.library.running import Running
from glossator.server.access import LOOPBACK, Access
from glossator.server.app import build
from glossator.server.house import House


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def problem(self) -> Any:
        """Return the problem that this is; it must be a whole one."""
        assert self.headers["content-type"] == "application/problem+json", (self.status, self.body)
        assert set(self.json) >= {"type", "title", "status", "detail", "hint", "code"}
        assert self.json["status"] == self.status
        assert self.json["hint"]
        return self.json

    @property
    def events(self) -> list[dict[str, Any]]:
        """Return the data of a stream of events, in order."""
        lines = [line[6:] for line in self.body.decode().splitlines() if line.startswith("data: ")]
        return [json.loads(line) for line in lines if line != "[DONE]"]


@dataclass(frozen=True, slots=True)
class Served:
    """A server, and how a client asks it."""

    port: int
    house: House
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def library(self) -> Library:
        return self.house.library

    def plain(self, **headers: str) -> "Served":
        """Return the same server, asked with these headers alone."""
        return Served(self.port, self.house, {name.replace("_", "-"): value for name, value in headers.items()})

    def also(self, **headers: str) -> "Served":
        """Return the same server, asked with these headers, too."""
        return Served(self.port, self.house, {**self.headers, **self.plain(**headers).headers})

    def ask(self, method: str, path: str, body: Any = None, /, **query: Any) -> Reply:
        """Return the answer; a body that is no bytes is sent as JSON."""
        headers = dict(self.headers)
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if data is not body:
            headers.setdefault("content-type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(
                method,
                path + (f"?{urlencode(query, doseq=True)}" if query else ""),
                skip_host="host" in headers,
                skip_accept_encoding="accept-encoding" in headers,
            )
            if data is not None:
                headers.setdefault("content-length", str(len(data)))
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders(data)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str, /, **query: Any) -> Reply:
        return self.ask("GET", path, **query)

    def post(self, path: str, body: Any = None, /, **query: Any) -> Reply:
        return self.ask("POST", path, {} if body is None else body, **query)


@contextmanager
def served(library: Library, *, exposed: bool = False) -> Iterator[Served]:
    """Serve a library in a thread while inside; the client holds the token."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        access = Access(port, names=LOOPBACK, exposed=exposed)
        house = House.of(library, access)
        options: dict[str, Any] = {"log_config": None, "server_header": False}
        server = uvicorn.Server(uvicorn.Config(build(house), timeout_graceful_shutdown=1, ws="none", **options))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
        thread.start()
        try:
            yield Served(port, house, {"authorization": f"Bearer {access.token}"})
        finally:
            house.leave()
            server.should_exit = True
            thread.join(10)


class Process:
    """`glossator serve` in a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [
            sys.executable,
            "-m",
            "glossator",
            "--library",
            str(folder),
            "serve",
            "--port",
            "0",
            "--json",
            *words,
        ]
        self.process = subprocess.Popen(
            [*command, "--embedder", "none"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdout is not None
        self.told: dict[str, Any] = json.loads(self.process.stdout.readline() or b"{}")

    @property
    def server(self) -> Running:
        return Running(**self.told)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        return running.ask(self.server, method, path, body, timeout=30)

    def end(self, number: int = signal.SIGTERM) -> float:
        begun = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(20)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        return time.monotonic() - begun
