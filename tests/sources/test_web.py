import gzip
import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from glossator.errors import LimitExceeded, NotFound, SourceError, UnsupportedFormat
from glossator.sources.guard import checked_url, is_public
from glossator.sources.web import FetchLimits, fetch, is_url

PAGE = "<p>Wörter</p>"


class Handler(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        name, _, rest = self.path.lstrip("/").partition("/")
        getattr(self, f"give_{name}")(rest)

    def give(self, data: bytes, kind: str = "text/html; charset=utf-8", *, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def give_page(self, _: str) -> None:
        self.give(PAGE.encode())

    def give_packed(self, _: str) -> None:
        self.give(gzip.compress(PAGE.encode()), Content_Encoding="gzip")

    def give_bomb(self, _: str) -> None:
        self.give(gzip.compress(b"0" * 10_000_000), Content_Encoding="gzip")

    def give_brotli(self, _: str) -> None:
        self.give(b"\x0b\x02\x80", Content_Encoding="br")

    def give_large(self, _: str) -> None:
        self.give(b"x" * 2_000_000)

    def give_latin(self, _: str) -> None:
        self.give(PAGE.encode("latin-1"), "text/html; charset=iso-8859-1")

    def give_type(self, rest: str) -> None:
        kind, _, _ = rest.rpartition("/")
        self.give(b"data", kind)

    def give_hop(self, rest: str) -> None:
        n = int(rest)
        self.give(b"", status=302, Location=f"/hop/{n - 1}" if n else "/page")

    def give_to(self, rest: str) -> None:
        self.give(b"", status=301, Location=rest)

    def give_status(self, rest: str) -> None:
        self.give(b"no", status=int(rest))

    def give_drip(self, _: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        try:
            for _ in range(100):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.1)
        except OSError:
            return

    def give_cut(self, _: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"only this")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def get(url: str, **limits: float):
    return fetch(url, limits=FetchLimits(**limits), allow_loopback=True)  # type: ignore[arg-type]


def test_a_page_is_fetched_with_its_type_and_suffix(site: str) -> None:
    found = get(f"{site}/page/a b?q=ü#part")
    assert (found.data.decode(), found.content_type, found.suffix) == (PAGE, "text/html", ".html")
    assert found.url == f"{site}/page/a%20b?q=%C3%BC"
    assert Handler.asked[-1] == "/page/a%20b?q=%C3%BC"


def test_a_packed_answer_is_unpacked(site: str) -> None:
    assert get(f"{site}/packed").data.decode() == PAGE


def test_a_charset_that_only_the_header_names_is_not_lost(site: str) -> None:
    assert get(f"{site}/latin").data.decode("utf-8-sig") == PAGE


def test_redirects_are_followed_up_to_the_limit(site: str) -> None:
    found = get(f"{site}/hop/4")
    assert found.final_url == f"{site}/page"
    assert found.url == f"{site}/hop/4"
    with pytest.raises(LimitExceeded, match="redirected more than 5 times"):
        get(f"{site}/hop/5")


@pytest.mark.parametrize(
    "target", ["http://10.0.0.1/", "http://169.254.169.254/latest", "file:///etc/passwd", "ftp://a/"]
)
def test_a_redirect_to_a_forbidden_address_is_refused(site: str, target: str) -> None:
    with pytest.raises(SourceError, match=r"not a public address|not an http or https address"):
        get(f"{site}/to/{target}")


def test_this_machine_is_not_reached_unless_allowed(site: str) -> None:
    before = len(Handler.asked)
    for host in ("127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]"):
        with pytest.raises(SourceError, match=r"not a public address|no host"):
            fetch(site.replace("127.0.0.1", host))
    assert len(Handler.asked) == before


def test_a_host_with_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def lookup(_: str, port: int, **__: object) -> list[object]:
        return [(2, 1, 6, "", (a, port)) for a in ("93.184.216.34", "192.168.1.1")]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with pytest.raises(SourceError, match=r"example\.org is at 192\.168\.1\.1"):
        fetch("http://example.org/")


def test_the_connection_goes_to_the_address_that_was_checked(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    port = int(site.rsplit(":", 1)[1])
    real = socket.getaddrinfo
    answers = iter(["127.0.0.1", "10.0.0.1"])

    def lookup(host: str, *args: object, **options: object) -> list[object]:
        return real(next(answers) if host == "rebind.test" else host, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    assert get(f"http://rebind.test:{port}/page").data.decode() == PAGE
    assert next(answers) == "10.0.0.1"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.0.1",
        "169.254.1.1",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "240.0.0.1",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "2002:0a00:0001::",
        "64:ff9b::a00:1",
    ],
)
def test_addresses_that_are_not_public_are_told(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8"])
def test_public_addresses_are_told(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url", ["ftp://host/a", "file:///etc/passwd", "http://", "http://[::1", "host/a", "http://a:x/"]
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(SourceError, match=r"not a web address|not an http or https address"):
        checked_url(url)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(SourceError) as error:
        checked_url("https://me:hunter2@example.org/")
    assert "hunter2" not in error.value.message


def test_too_much_is_refused_packed_or_not(site: str) -> None:
    for path in ("large", "bomb"):
        with pytest.raises(LimitExceeded, match="larger than"):
            get(f"{site}/{path}", size=1_000_000)


def test_a_server_that_drips_is_left_at_the_deadline(site: str) -> None:
    start = time.monotonic()
    with pytest.raises(LimitExceeded, match=r"not answered in 0\.3 s"):
        get(f"{site}/drip", seconds=0.3)
    assert time.monotonic() - start < 2


def test_an_answer_cut_short_is_no_document(site: str) -> None:
    with pytest.raises(SourceError, match=r"cut short|broke"):
        get(f"{site}/cut")


@pytest.mark.parametrize(("status", "kind"), [(404, NotFound), (410, NotFound), (403, SourceError), (500, SourceError)])
def test_an_error_of_the_server_is_named(site: str, status: int, kind: type[SourceError]) -> None:
    with pytest.raises(kind, match=f"answered {status}"):
        get(f"{site}/status/{status}")


def test_an_encoding_that_was_not_asked_for_is_refused(site: str) -> None:
    with pytest.raises(SourceError, match="packed as 'br'"):
        get(f"{site}/brotli")


@pytest.mark.parametrize(
    ("path", "suffix"),
    [
        ("application/pdf/x", ".pdf"),
        ("application/octet-stream/book.epub", ".epub"),
        ("text/plain/notes.md", ".md"),
        ("text/plain/notes", ".txt"),
        ("application/zip/book.fb2.zip", ".fb2.zip"),
    ],
)
def test_the_suffix_is_that_of_the_type_or_of_the_path(site: str, path: str, suffix: str) -> None:
    assert get(f"{site}/type/{path}").suffix == suffix


def test_an_image_is_refused_before_it_is_downloaded(site: str) -> None:
    with pytest.raises(UnsupportedFormat, match="image/png"):
        get(f"{site}/type/image/png/x")


def test_a_port_nobody_listens_on_is_a_clear_error() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SourceError, match="cannot be reached"):
        get(f"http://127.0.0.1:{port}/")


def test_addresses_and_paths_are_told_apart() -> None:
    assert is_url("HTTPS://example.org/a")
    assert not is_url("https.txt")
    assert is_url("ftp://example.org/a")  # refused by its scheme, not looked for among the files
