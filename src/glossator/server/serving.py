"""One server from its first breath to its last: the socket, `server.json`, the loop, the end.

The socket listens before anything heavy is imported, and its address is told at once: who comes early waits a moment.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from glossator.errors import GlossatorError, UsageError
from glossator.library.running import Running, alone, announce, withdraw
from glossator.server.access import LOOPBACK, Access, is_loopback

if TYPE_CHECKING:
    from glossator.library.library import Library

PATIENCE = 3  # seconds that open streams have at the end
ALTOGETHER = 7.0  # seconds after which the process ends, whatever hangs
KEPT = 75  # seconds that a connection stays open between two requests
SWITCH = 0.001  # seconds a thread runs before others may: the loop must not wait long for searches
LOOKS = 2.0  # seconds between two looks at whether anybody is there
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where to listen. `exposed`: other machines may reach it. `idle`: seconds without a request that end it."""

    host: str = "127.0.0.1"
    port: int = 0
    exposed: bool = False
    idle: float | None = None


def serve(library: "Library", address: Address, *, told: Callable[[Running, Access], object]) -> None:
    """Serve a library until a signal or idleness ends it; `told` hears where, as soon as it listens.

    Raises:
        UsageError: the address reaches other machines, and nobody said that it shall.
        GlossatorError: the port is in use, or the address is not of this machine.
        LibraryBusy: another server serves this library.
    """
    if not is_loopback(address.host) and not address.exposed:
        raise UsageError(
            f"{address.host} can be reached by other machines",
            hint="if that is meant, say --expose; the connection is not encrypted",
        )
    folder = library.database.folder
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    with alone(folder), _listening(address) as listener:
        names = LOOPBACK if is_loopback(address.host) else (*LOOPBACK, address.host)
        access = Access(listener.getsockname()[1], names=names, exposed=not is_loopback(address.host))
        server = Running(url_of(address.host, listener.getsockname()[1]), access.token, os.getpid())
        announce(folder, server)
        try:
            told(server, access)
            _run(library, access, listener, address.idle, folder, server)
        finally:
            withdraw(folder, server)


def url_of(host: str, port: int) -> str:
    """Return the URL of a server that listens on a host; of one that listens everywhere, on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


@contextmanager
def _listening(address: Address) -> Iterator[socket.socket]:
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, where = found[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise GlossatorError(
            f"{address.host} is no address of this machine ({error})", hint="leave --host out"
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise GlossatorError(
            f"{address.host}:{address.port} cannot be listened on ({getattr(error, 'strerror', error)})",
            hint="another program uses it, perhaps; --port 0 takes a free one",
        ) from error
    try:
        yield listener
    finally:
        listener.close()


def _run(
    library: "Library", access: Access, listener: socket.socket, idle: float | None, folder: Path, told: Running
) -> None:
    import uvicorn

    from glossator.server.app import build
    from glossator.server.house import House
    from glossator.server.upkeep import EVERY, Upkeep

    house = House.of(library, access)

    class Server(uvicorn.Server):
        """Ends everything that is under way with the first signal."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
            log.info("ending (signal %d)", sig)
            self.should_exit = True
            house.leave()
            _end_for_sure(folder, told)

    sys.setswitchinterval(SWITCH)
    options: dict[str, Any] = {"lifespan": "on", "access_log": False, "log_config": None, "server_header": False}
    options["http"] = "h11"  # also where httptools is installed, which answers what it does not know by itself
    config = uvicorn.Config(
        build(house), timeout_graceful_shutdown=PATIENCE, timeout_keep_alive=KEPT, ws="none", **options
    )
    server = Server(config)

    async def keep_up() -> None:
        upkeep = Upkeep(library, house.jobs, house.settings)
        while not server.started:
            await asyncio.sleep(LOOKS)
        while True:
            await asyncio.to_thread(upkeep.look)
            await asyncio.sleep(EVERY)

    async def watch() -> None:
        while not server.should_exit:
            await asyncio.sleep(min(LOOKS, idle or LOOKS))
            if idle is not None and house.pulse.idle() > idle and not house.busy:
                server.should_exit = True

    async def run() -> None:
        beside = [asyncio.create_task(watch()), asyncio.create_task(keep_up())]
        await server.serve(sockets=[listener])
        for task in beside:
            task.cancel()

    asyncio.run(run())


def _leave(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise SystemExit(0)


def _end_for_sure(folder: Path, told: Running) -> None:
    """End the process after a while, whatever hangs: what is committed is whole, and the rest is done again."""

    def end() -> None:
        withdraw(folder, told)
        os._exit(0)

    timer = threading.Timer(ALTOGETHER, end)
    timer.daemon = True
    timer.start()
