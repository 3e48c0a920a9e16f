"""foliate-js's own viewer, from its package as it is, on a file: what opening a book costs there."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.common import ROOT

PACKAGE = ROOT / "web" / "node_modules" / "foliate-js"
READY = "() => !!window.__relocated"
PAGE = """<!doctype html><meta charset="utf-8"><title>peer</title>
<style>html, body, foliate-view { height: 100%; margin: 0; display: block }</style>
<script type="module">
import '/foliate/view.js'
const view = document.createElement('foliate-view')
document.body.append(view)
view.addEventListener('relocate', () => requestAnimationFrame(() => { window.__relocated = true }))
await view.open('/book.epub')
await view.goToFraction(Number(new URLSearchParams(location.search).get('fraction')))
</script>
"""


@contextmanager
def shown(book: Path) -> Iterator[str]:
    """Serve the viewer and a book from this machine while inside; gives the address."""

    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/":
                self._send(PAGE.encode(), "text/html")
            elif path == "/book.epub":
                self._send(book.read_bytes(), "application/epub+zip")
            else:
                self._file(path)

        def _file(self, path: str) -> None:
            found = (
                ROOT / "web" / "node_modules" / path.removeprefix("/").replace("foliate/", "foliate-js/", 1)
            ).resolve()
            if not found.is_file() or not found.is_relative_to(ROOT / "web" / "node_modules"):
                self.send_error(404)
                return
            self._send(found.read_bytes(), "text/javascript" if found.suffix in (".js", ".mjs") else "text/css")

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def middle(values: list[float]) -> float:
    """Return the median, rounded."""
    return round(median(values), 1)
