"""The web reader as it is served: its page, its files, and what is said where it is missing."""

import gzip
import os
import sys
from pathlib import Path

import pytest

from glossator.library import running
from glossator.server import bundle
from tests.cli.runner import Shell
from tests.server.serving import Served

PAGE = "<!doctype html><title>reader</title>"
HTML = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "static"
    (folder / "assets" / "pdfjs").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "assets" / "main-Ab3_x9Zq.js").write_text("hello()")
    (folder / "assets" / "main-Ab3_x9Zq.js.gz").write_bytes(gzip.compress(b"hello()"))
    (folder / "assets" / "theme.js").write_text("theme()")
    for name in ("a.mjs", "a.wasm", "a.css", "a.json", "a.svg", "a.woff2", "a.bcmap", "a.exe"):
        (folder / "assets" / "pdfjs" / name).write_bytes(b"x")
    monkeypatch.setattr(bundle, "folder", lambda: folder)
    return folder


@pytest.mark.usefixtures("built")
def test_every_view_of_the_reader_is_its_page_and_nothing_else_is(web: Served) -> None:
    browser = web.also(accept=HTML)
    for path in ("/", "/library", "/read/d4k7q2?at=120", "/nowhere"):
        reply = browser.get(path)
        assert (reply.status, reply.body.decode()) == (200, PAGE)
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        assert reply.headers["cache-control"] == "private, no-cache"
        assert "'wasm-unsafe-eval'" in reply.headers["content-security-policy"]
        assert browser.also(if_none_match=reply.headers["etag"]).get(path).status == 304
    for path in ("/api/nowhere", "/v1/nowhere", "/assets/nowhere.js", "/favicon.ico", "/agent/x"):
        assert browser.get(path).problem["status"] == 404
    assert web.get("/nowhere").problem["status"] == 404
    assert browser.post("/nowhere").problem["status"] in (404, 405)
    assert web.post("/api/link").json["reader"] is True


@pytest.mark.usefixtures("built")
def test_files_with_a_hash_in_their_name_are_kept_for_good_and_packed_ones_sent_packed(web: Served) -> None:
    plain = web.get("/assets/main-Ab3_x9Zq.js")
    assert (plain.body, plain.headers["content-type"]) == (b"hello()", "text/javascript; charset=utf-8")
    assert "immutable" in plain.headers["cache-control"]
    packed = web.also(accept_encoding="gzip, br").get("/assets/main-Ab3_x9Zq.js")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == b"hello()"
    assert packed.headers["content-type"] == plain.headers["content-type"]
    assert packed.headers["etag"] != plain.headers["etag"]
    assert web.get("/assets/theme.js").headers["cache-control"] == "private, no-cache"


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.mjs", "text/javascript; charset=utf-8"),
        ("a.wasm", "application/wasm"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.json", "application/json"),
        ("a.svg", "image/svg+xml"),
        ("a.woff2", "font/woff2"),
        ("a.bcmap", "application/octet-stream"),
    ],
)
def test_every_file_says_its_type_whatever_the_system_believes(web: Served, name: str, kind: str) -> None:
    reply = web.get(f"/assets/pdfjs/{name}")
    assert (reply.headers["content-type"], reply.headers["x-content-type-options"]) == (kind, "nosniff")


@pytest.mark.usefixtures("built")
def test_a_file_of_no_known_type_or_outside_is_not_served(web: Served, built: Path) -> None:
    (built / "secret.js").write_text("x")
    (built / "assets" / "out.js").symlink_to(built / "secret.js")
    for name in ("pdfjs/a.exe", "../secret.js", "%2e%2e/secret.js", "out.js", "pdfjs", "main-Ab3_x9Zq.js.gz", ""):
        assert web.get(f"/assets/{name}").status == 404, name


def test_a_missing_reader_is_said_with_what_to_do(web: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "folder", lambda: tmp_path)
    reply = web.also(accept=HTML).get("/read/d4k7q2")
    assert reply.status == 200
    assert b"make web" in reply.body
    assert web.post("/api/link").json["reader"] is False


def test_a_browser_that_is_not_let_in_is_told_how_on_a_page(web: Served) -> None:
    browser = web.plain(accept=HTML)
    for path in ("/", "/read/d4k7q2", "/?token=old"):
        refused = browser.get(path)
        assert refused.status == 401
        assert refused.headers["content-type"].startswith("text/html")
        assert b"glossator serve" in refused.body
    assert browser.get("/api/list").problem["code"] == "token"
    assert browser.get("/assets/theme.js").problem["code"] == "token"
    assert web.plain(accept="application/json").get("/").problem["code"] == "token"


@pytest.mark.usefixtures("built")
def test_open_shows_the_passage_in_the_reader_of_a_running_server(
    web: Served, island: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = web.library.database.folder
    opened: list[str] = []
    monkeypatch.setenv("BROWSER", "true")
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    shell = Shell(folder)
    assert shell("open", f"{island}:12").code == 0
    assert opened == []  # no server is told of
    address = f"http://127.0.0.1:{web.port}"
    running.announce(folder, running.Running(address, web.house.access.token, os.getpid()))
    said = shell("open", f"{island}:12")
    assert "Opened in the web reader" in said.err
    (link,) = opened
    assert link.startswith(f"{address}/read/{island}?at=12&token=")
    path = link.removeprefix(address)
    assert web.plain().get(path).headers["location"] == f"/read/{island}?at=12"
    assert shell("open", f"{island}:12", "--json").code == 0
    assert len(opened) == 1
    monkeypatch.delenv("BROWSER")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if sys.platform == "linux":
        assert "Opened" not in shell("open", island).err
