"""The command that serves a library over HTTP."""

from typing import TYPE_CHECKING

from glossator.cli import browser
from glossator.cli.command import Call, Command
from glossator.cli.options import EMBEDDER
from glossator.cli.page import Text
from glossator.cli.parser import Parser, spec, whole
from glossator.errors import GlossatorError

if TYPE_CHECKING:
    from glossator.library.running import Running
    from glossator.server.access import Access


def serve(call: Call) -> int:
    """Serve the library until it is stopped; with a server running already, tell where that one is."""
    from glossator.library import running

    given = call.arguments
    folder = call.settings.library
    found = running.running(folder)
    if found is not None:
        if given.port and not found.url.endswith(f":{given.port}"):
            raise GlossatorError(
                f"the library is served at {found.url} already (process {found.pid})", hint="end that server first"
            )
    elif given.background:
        found = running.start(folder, options=_options(call))
    if found is not None:
        _tell(call, found, running.ask(found, "POST", "/api/link")["path"])
        return 0
    return _serve(call)


def _options(call: Call) -> tuple[str, ...]:
    given = call.arguments
    embedder = ("--embedder", given.embedder) if given.embedder else ()
    idle = () if given.idle is None else ("--idle", str(given.idle))
    return ("--host", given.host, "--port", str(given.port), *(("--expose",) if given.expose else ()), *embedder, *idle)


def _serve(call: Call) -> int:
    from glossator.cli.failure import need

    need("fastapi", "uvicorn")
    from glossator.server.serving import Address, serve

    given = call.arguments
    address = Address(host=given.host, port=given.port, exposed=given.expose, idle=given.idle)

    def told(server: "Running", access: "Access") -> None:
        _tell(call, server, f"/?token={access.link()}")

    with call.library(create=True) as library:
        serve(library, address, told=told)
    return 0


def _tell(call: Call, server: "Running", path: str) -> None:
    if call.output.as_json:
        call.output.json(server.to_json())
    else:
        call.output.page([Text(server.url + path)])
        call.output.note("Open it in a browser; the link works once. Ctrl-C ends the server.")
    if call.arguments.open and not browser.show(server.url + path):
        call.output.note("No browser was found here: open the link yourself.")


def _serving(parser: Parser) -> None:
    parser.add(
        spec(
            "--host", default="127.0.0.1", metavar="H", help="the address to listen on; this machine's own by default"
        ),
        spec("--port", type=whole(0, 65_535), default=0, metavar="P", help="the port; 0 takes a free one"),
        spec("--open", action="store_true", help="open it in the browser"),
        spec("--background", action="store_true", help="start it and return; it ends when nobody uses it"),
        spec("--expose", action="store_true", help="allow a --host that other machines can reach, unencrypted"),
        spec("--idle", type=whole(1, 10_000_000), metavar="S", help="end after that many seconds without a request"),
        EMBEDDER,
    )


COMMANDS = (Command(name="serve", summary="Serve the library over HTTP.", run=serve, options=_serving),)
