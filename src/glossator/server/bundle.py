"""The built web reader: its page at every path that it routes itself, and the files that it loads.

Names that carry a hash of the content are kept by browsers for good; all others are asked for again each time.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from glossator.errors import NotFound
from glossator.server.pages import PAGE_POLICY, plain_page

# Written down, for what the system believes of suffixes differs (the registry of Windows), and nothing is sniffed.
TYPES: Mapping[str, str] = {
    ".bcmap": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".icc": "application/vnd.iccprofile",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".pfb": "application/octet-stream",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
FOR_GOOD = "private, max-age=31536000, immutable"
_HASHED = re.compile(r"-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$")
MISSING = (
    "The server of your library is running, but this installation has no web reader. Packages from the index have it; "
    "in a checkout, <code>make web</code> builds it. Programs use the HTTP interface all the same."
)


def folder() -> Path:
    """Return where the build puts the reader."""
    return Path(str(files("glossator.server"))) / "static"


def is_there() -> bool:
    """Return whether this installation has the reader."""
    return (folder() / "index.html").is_file()


def page(request: Request) -> Response:
    """Return the page of the reader, or one that says that it is missing."""
    index = folder() / "index.html"
    return _file(request, index) if index.is_file() else plain_page(200, "glossator", MISSING)


def asset(request: Request, path: str) -> Response:
    """Return a file that the page loads.

    Raises:
        NotFound: there is no such file.
    """
    root = folder().resolve() / "assets"
    found = (root / path).resolve() if "\0" not in path else root
    if not found.is_relative_to(root) or not found.is_file() or found.suffix not in TYPES:
        raise NotFound(f"{path}: there is no such file", hint="open / for the reader")
    return _file(request, found)


def _file(request: Request, path: Path) -> Response:
    status = path.stat()
    for_good = bool(_HASHED.search(path.name))
    packed = path.with_name(f"{path.name}.gz")
    zipped = "gzip" in request.headers.get("accept-encoding", "") and packed.is_file()
    tag = _tag(path, status.st_mtime_ns, status.st_size, zipped)
    headers = {
        "cache-control": FOR_GOOD if for_good else "private, no-cache",
        "content-security-policy": PAGE_POLICY,
        "etag": tag,
        "vary": "accept-encoding",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if zipped:
        headers["content-encoding"] = "gzip"
    return FileResponse(packed if zipped else path, media_type=TYPES[path.suffix], headers=headers)


@lru_cache(maxsize=1024)
def _tag(path: Path, changed: int, size: int, zipped: bool) -> str:  # noqa: ARG001  they make the key
    return f'"{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}{"-gzip" if zipped else ""}"'
