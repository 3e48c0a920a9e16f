"""Web pages, fetched for reading: one GET, with guards against what a link can be made to do.

Only http and https; the host is resolved once, every address it has must be public, and the connection goes to the
address that was checked, so that a name cannot change its meaning in between (DNS rebinding). Each redirect passes the
same checks. Size and time are capped, the size before and after unpacking.

Known limits: proxies of the environment are not used, nor cookies, nor pages that need JavaScript. Looking up a name
takes as long as the system's resolver takes.
"""

import http.client
import re
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar
from urllib.parse import SplitResult, urljoin, urlunsplit

from glossator import __version__
from glossator.errors import LimitExceeded, NotFound, SourceError, UnsupportedFormat
from glossator.sources.files import SUFFIXES
from glossator.sources.guard import checked_addresses, checked_url

T = TypeVar("T")
_MIB = 1 << 20
_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")
REDIRECTS = {301, 302, 303, 307, 308}
_GONE = {404, 410}
_TEXT_SUFFIXES = (".html", ".txt", ".md")
_SUFFIX_OF_TYPE = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "application/epub+zip": ".epub",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/x-fictionbook+xml": ".fb2",
    "application/x-fictionbook": ".fb2",
}
# Types that servers give to what they do not know: the path's suffix tells more.
_VAGUE_TYPES = {"", "application/octet-stream", "binary/octet-stream", "application/zip", "text/plain", "text/xml"}
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """How much of a response is taken: bytes as sent and as unpacked, redirects, seconds for all of it."""

    size: int = 32 * _MIB
    redirects: int = 5
    seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What a URL gave. `suffix` is the one that its content type, else its path, stands for.

    `data` is unpacked. Text whose charset only the HTTP header names is recoded as UTF-8 with a byte order mark, since
    the header is gone once the data is a file.
    """

    url: str  # as asked for, without fragment
    final_url: str  # after redirects
    content_type: str  # lower case, without parameters
    suffix: str
    data: bytes


def is_url(source: str) -> bool:
    """Tell whether a source is an address and not a path; of another scheme than http it is refused when fetched."""
    return _ADDRESS.match(source) is not None


def fetch(url: str, *, limits: FetchLimits | None = None, allow_loopback: bool = False) -> Fetched:
    """Return what `url` gives. `allow_loopback` opens this machine's own servers, and nothing else.

    Raises:
        NotFound: the server knows no such page.
        UnsupportedFormat: what it sends is nothing that can be read here.
        LimitExceeded: it is too large, too slow, or redirected too often.
        SourceError: the address is not allowed, or the server cannot be reached or refuses.
    """
    limits = limits or FetchLimits()
    budget = Budget(url, limits, time.monotonic() + limits.seconds)
    first = at = checked_url(url)
    for _ in range(limits.redirects + 1):
        found = exchange(at, budget, partial(_page, url=at, budget=budget), allow_loopback=allow_loopback)
        if isinstance(found, Fetched):
            return replace(found, url=urlunsplit(first))
        at = checked_url(urljoin(urlunsplit(at), found))
    raise LimitExceeded(
        f"{url}: redirected more than {limits.redirects} times", hint="open it in a browser and add the final address"
    )


@dataclass(frozen=True, slots=True)
class Budget:
    """What is left of the limits of a fetch; `name` is what was asked for, for the messages."""

    name: str
    limits: FetchLimits
    deadline: float

    def left(self) -> float:
        """Return the seconds left, of which there must be some."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise LimitExceeded(
                f"{self.name}: not answered in {self.limits.seconds:g} s",
                hint="try again, or save the page and add the file",
            )
        return left

    def check_size(self, size: int) -> None:
        """Make sure that a response of that many bytes is taken."""
        if size > self.limits.size:
            raise LimitExceeded(
                f"{self.name}: larger than {self.limits.size / _MIB:g} MB", hint="download it and add the file"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What is sent to a server, besides the headers of every request."""

    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


GET = Sent()


def exchange(
    url: SplitResult,
    budget: Budget,
    answer: Callable[[http.client.HTTPResponse], T],
    *,
    sent: Sent = GET,
    allow_loopback: bool = False,
) -> T:
    """Return what `answer` makes of the response to one request to a checked URL.

    Raises:
        LimitExceeded: it takes too long.
        SourceError: the server cannot be reached, or the connection breaks.
    """
    line = _connect(url, budget, allow_loopback=allow_loopback)
    connection = http.client.HTTPConnection(url.netloc)
    connection.sock = line
    # A server that sends a byte a minute never meets a socket timeout: the line is cut at the deadline.
    cutter = threading.Timer(max(0.0, budget.deadline - time.monotonic()), _cut, (line,))
    cutter.daemon = True
    cutter.start()
    try:
        target = url.path + (f"?{url.query}" if url.query else "")
        connection.request(sent.method, target, body=sent.body, headers={**_headers(url), **sent.headers})
        with connection.getresponse() as response:
            return answer(response)
    except (OSError, http.client.HTTPException) as error:
        budget.left()
        raise SourceError(
            f"{budget.name}: the connection broke ({_reason(error)})",
            hint="try again, or save the page and add the file",
        ) from error
    finally:
        cutter.cancel()
        line.close()


def _connect(url: SplitResult, budget: Budget, *, allow_loopback: bool) -> socket.socket:
    host = url.hostname or ""
    port = url.port or (443 if url.scheme == "https" else 80)
    failure: OSError | None = None
    for address in checked_addresses(host, port, name=budget.name, allow_loopback=allow_loopback):
        try:
            line = socket.create_connection((str(address), port), timeout=budget.left())
            return line if url.scheme == "http" else _secured(line, host)
        except OSError as error:  # also a certificate that does not fit
            failure = error
    budget.left()
    raise SourceError(
        f"{budget.name}: {host} cannot be reached ({_reason(failure)})", hint="check the address and the network"
    ) from failure


def _secured(line: socket.socket, host: str) -> socket.socket:
    try:
        return ssl.create_default_context().wrap_socket(line, server_hostname=host)
    except OSError:
        line.close()
        raise


def _cut(line: socket.socket) -> None:
    try:
        # Not `line.shutdown`, which in an SSL socket takes the session away from under a waiting read.
        socket.socket.shutdown(line, socket.SHUT_RDWR)
    except OSError:
        return  # closed already


def _headers(url: SplitResult) -> dict[str, str]:
    host = url.hostname or ""
    host = f"[{host}]" if ":" in host else host.encode("idna").decode("ascii")
    return {
        "Host": host + (f":{url.port}" if url.port else ""),
        "User-Agent": f"glossator/{__version__}",
        "Accept": "text/html, application/xhtml+xml, application/pdf, application/epub+zip, text/plain, */*;q=0.5",
        "Accept-Encoding": "gzip",
        "Connection": "close",
    }


def _page(response: http.client.HTTPResponse, *, url: SplitResult, budget: Budget) -> Fetched | str:
    location = response.headers.get("Location")
    if response.status in REDIRECTS and location:
        return location
    if response.status != http.client.OK:
        meaning = http.client.responses.get(response.status, "")
        raise (NotFound if response.status in _GONE else SourceError)(
            f"{budget.name}: the server answered {response.status} {meaning}".rstrip(),
            hint="open it in a browser; a page that shows there can be saved and added as a file",
        )
    content_type = response.headers.get_content_type() if "Content-Type" in response.headers else ""
    suffix = _suffix(content_type, url.path, budget.name)
    data = received(response, budget)
    if suffix in _TEXT_SUFFIXES:
        data = _as_utf8(data, response.headers.get_content_charset())
    name = urlunsplit(url)
    return Fetched(url=name, final_url=name, content_type=content_type, suffix=suffix, data=data)


def received(response: http.client.HTTPResponse, budget: Budget) -> bytes:
    """Return the body of a response, unpacked.

    Raises:
        LimitExceeded: it is too large, or takes too long.
        SourceError: it is cut short, or cannot be unpacked.
    """
    return _unpacked(_body(response, budget), response.headers.get("Content-Encoding", ""), budget)


def _body(response: http.client.HTTPResponse, budget: Budget) -> bytes:
    data = bytearray()
    while piece := response.read1(65536):
        data += piece
        budget.left()
        budget.check_size(len(data))
    budget.left()
    if response.length:
        raise SourceError(f"{budget.name}: the answer was cut short", hint="try again")
    return bytes(data)


def _unpacked(data: bytes, encoding: str, budget: Budget) -> bytes:
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return data
    if encoding not in ("gzip", "x-gzip"):
        raise SourceError(
            f"{budget.name}: the answer is packed as {encoding!r}, which was not asked for",
            hint="save the page in a browser and add the file",
        )
    unpacker = zlib.decompressobj(wbits=31)
    try:
        plain = unpacker.decompress(data, budget.limits.size + 1)
    except zlib.error as error:
        raise SourceError(f"{budget.name}: the answer cannot be unpacked ({error})", hint="try again") from error
    budget.check_size(len(plain))
    if not unpacker.eof:
        raise SourceError(f"{budget.name}: the answer was cut short", hint="try again")
    return plain


def _suffix(content_type: str, path: str, name: str) -> str:
    known = next((s for s in sorted(SUFFIXES, key=len, reverse=True) if path.lower().endswith(s)), None)
    if content_type in _VAGUE_TYPES and known:
        return known
    found = _SUFFIX_OF_TYPE.get(content_type)
    if found is None:
        raise UnsupportedFormat(
            f"{name}: the server sends {content_type or 'something without a type'}, which is not read here",
            hint="what can be added are pages, PDF, EPUB, DOCX, FB2, Markdown and plain text",
        )
    return found


def _as_utf8(data: bytes, charset: str | None) -> bytes:
    """Recode text by the charset of its header, unless it tells its encoding itself."""
    if not charset or data.startswith(_MARKS):
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            return data.decode(charset).encode("utf-8-sig")
        except (LookupError, UnicodeError):
            return data  # a wrong header; the reader will find out
    return data


def _reason(error: BaseException | None) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
