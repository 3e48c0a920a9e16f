"""The threat table of docs/security.md, row by row."""

import logging
from pathlib import Path

import pytest

from glossator.errors import UsageError
from glossator.library.library import Library
from glossator.server.serving import Address, serve
from tests.server.serving import Served, served

PROTECTED = ("/api/list", "/api/documents", "/api/jobs", "/api/settings", "/", "/api/openapi.json", "/nowhere")


@pytest.mark.parametrize("path", PROTECTED)
def test_nothing_but_health_is_told_without_the_token(web: Served, path: str) -> None:
    refused = web.plain().get(path)
    assert refused.status == 401
    assert refused.problem["code"] == "token"
    assert set(web.plain().get("/api/health").json) == {"ok", "pid", "version"}


@pytest.mark.parametrize(
    "value", ["Bearer wrong", "Bearer ", "Basic {token}", "{token}", "bearer{token}", "Bearer {token}x"]
)
def test_a_wrong_token_opens_nothing(web: Served, value: str) -> None:
    given = value.replace("{token}", web.house.access.token)
    assert web.plain(authorization=given).get("/api/list").status == 401


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example:{port}", "10.0.0.1",
     "192.168.1.5:{port}", "0.0.0.0:{port}", "[::2]:{port}", "127.0.0.1:x", "[127.0.0.1", "", "user@127.0.0.1"],
)  # fmt: skip
def test_a_foreign_host_name_is_refused(web: Served, host: str) -> None:
    refused = web.also(host=host.replace("{port}", str(web.port))).get("/api/list")
    assert refused.status in (400, 421)
    assert refused.status == 400 or refused.problem["code"] == "host"


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST", "[::1]:{port}", "127.0.0.1"])
def test_its_own_names_are_answered_to(web: Served, host: str) -> None:
    assert web.also(host=host.replace("{port}", str(web.port))).get("/api/list").status == 200


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://evil.example", "null", "http://127.0.0.1:1", "http://localhost:{other}",
     "file://", "http://127.0.0.1:{port}.evil.example", "chrome-extension://abc", ""],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_foreign_origin_is_refused_even_with_the_token(web: Served, origin: str, method: str) -> None:
    given = origin.replace("{port}", str(web.port)).replace("{other}", str(web.port + 1))
    assert web.also(origin=given).ask(method, "/api/list", {} if method == "POST" else None).status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_a_browser_that_comes_from_another_site_is_refused(web: Served, site: str) -> None:
    assert web.also(sec_fetch_site=site).post("/api/list").status == 403
    assert web.also(sec_fetch_site=site).get("/api/list").status == 403


def test_our_own_pages_may_ask(web: Served) -> None:
    ours = web.also(origin=f"http://127.0.0.1:{web.port}", sec_fetch_site="same-origin")
    assert ours.post("/api/list").status == 200


def test_a_link_works_once_and_gives_a_cookie_that_scripts_cannot_read(web: Served) -> None:
    path = web.post("/api/link").json["path"]
    given = web.plain().get(path)
    assert given.status == 303
    assert given.headers["location"] == "/"
    cookie, *attributes = given.headers["set-cookie"].split("; ")
    assert {a.lower() for a in attributes} == {"httponly", "path=/", "samesite=strict"}
    assert web.house.access.token not in cookie
    assert web.plain(cookie=cookie).get("/api/list").status == 200
    assert web.plain().get(path).status == 401
    assert web.plain(cookie=cookie + "x").get("/api/list").status == 401
    assert web.plain(cookie=cookie, origin="https://evil.example").post("/api/list").status == 403


def test_a_link_leads_to_any_view_and_never_to_another_host(web: Served) -> None:
    path = web.post("/api/link", {"path": "/read/d4k7q2?at=12"}).json["path"]
    given = web.plain().get(path)
    assert (given.status, given.headers["location"]) == (303, "/read/d4k7q2?at=12")
    cookie = given.headers["set-cookie"].partition(";")[0]
    again = web.plain(cookie=cookie).get(path)  # from the history of a browser that was let in
    assert (again.status, again.headers["location"]) == (303, "/read/d4k7q2?at=12")
    assert "set-cookie" not in again.headers
    for elsewhere in ("//evil.example/", "/\\evil.example", "https://evil.example/", "read", "/\n/evil"):
        assert web.post("/api/link", {"path": elsewhere}).status == 422
    for spoilt in ("//evil.example", "/\\evil.example", "/%5Cevil.example"):
        code = web.house.access.link()
        assert web.plain().get(f"{spoilt}/x?token={code}").headers["location"] == "/evil.example/x"
    code = web.house.access.link()
    assert web.plain().get(f"/api/list?token={code}").status == 401


def test_the_token_itself_is_a_link_once(web: Served) -> None:
    assert web.plain().get("/", token=web.house.access.token).status == 303
    assert web.plain().get("/", token=web.house.access.token).status == 401
    assert web.plain().get("/api/list", token=web.house.access.token).status == 401


def test_every_answer_forbids_scripts_of_others_sniffing_and_framing(web: Served) -> None:
    browser = web.also(accept="text/html")
    for reply in (web.get("/"), web.get("/api/list"), web.plain().get("/api/list"), browser.get("/nowhere")):
        policy = reply.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert policy.partition("script-src")[2].partition(";")[0] in ("", " 'self' 'wasm-unsafe-eval'")
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in reply.headers


def test_the_content_of_a_book_can_run_nothing(web: Served, island: str) -> None:
    for path in (f"/api/documents/{island}/sections/1", f"/api/documents/{island}/file"):
        reply = web.get(path)
        assert reply.status == 200
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "sandbox" in reply.headers["content-security-policy"]
        assert "script-src" not in reply.headers["content-security-policy"]
        assert "allow-scripts" not in reply.headers["content-security-policy"]


def test_a_body_over_the_limit_is_refused_whether_it_says_so_or_not(web: Served) -> None:
    told = web.also(content_type="application/json", content_length=str(1 << 40)).ask("POST", "/api/search", b"{")
    assert (told.status, told.problem["code"]) == (413, "too_large")
    sent = web.also(content_type="application/json").ask(
        "POST", "/api/search", b'{"query": "' + b"x" * (5 << 20) + b'"}'
    )
    assert (sent.status, sent.problem["code"]) == (413, "too_large")
    assert chunked(web, 5 << 20) == 413


def chunked(web: Served, size: int) -> int:
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=30)
    pieces = (b"x" * (1 << 16) for _ in range(size >> 16))
    headers = {**web.headers, "content-type": "application/json", "transfer-encoding": "chunked"}
    try:
        connection.request("POST", "/api/search", pieces, headers, encode_chunked=True)
        return connection.getresponse().status
    except (BrokenPipeError, ConnectionResetError):
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize(
    "path",
    [
        "../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
        "....//etc/passwd", "..\\..\\windows\\win.ini", "%00", "a%00.png",
        "OEBPS/../../../etc/passwd.png", "//etc/passwd.png", "~/.ssh/id_rsa",
        "file:///etc/passwd.png", "META-INF/container.xml",
    ],
)  # fmt: skip
def test_no_path_in_a_url_leads_out_of_a_book(web: Served, island: str, path: str) -> None:
    for place in (f"/api/documents/{island}/resources/", "/assets/", f"/api/documents/{island}/"):
        reply = web.get(place + path)
        assert reply.status in (404, 405, 400)
        assert b"root:" not in reply.body


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "/proc/self/environ", "/etc/../etc/shadow", "etc/passwd", "../x.md",
     "/root/.ssh/id_rsa", "~/.bashrc",
     "/dev/zero", "/sys/kernel/notes", "\0", "/tmp/\0x", "/var/log/syslog", "~nobody0/x"],
)  # fmt: skip
def test_files_of_the_system_and_hidden_ones_are_not_taken(web: Served, path: str) -> None:
    refused = web.post("/api/jobs", {"kind": "add", "paths": [path]})
    assert refused.status in (404, 422)
    assert refused.problem
    assert web.post("/api/verify", {"file": path}).status in (404, 422)


def test_a_link_that_leads_to_a_system_file_is_followed_before_it_is_judged(web: Served, tmp_path: Path) -> None:
    (tmp_path / "harmless.txt").symlink_to("/etc/passwd")
    refused = web.post("/api/jobs", {"kind": "add", "paths": [str(tmp_path / "harmless.txt")]})
    assert (refused.status, refused.problem["code"]) == (422, "usage")
    own = web.library.database.folder / "library.db"
    assert web.post("/api/jobs", {"kind": "add", "paths": [str(own)]}).status == 422


SSRF = (
    "http://127.0.0.1/", "http://localhost/", "http://127.1/", "http://2130706433/", "http://0x7f000001/",
    "http://0177.0.0.1/", "http://0/", "http://0.0.0.0/", "http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/", "http://10.0.0.1/", "http://10.255.255.255/", "http://172.16.0.1/", "http://172.31.255.1/",
    "http://192.168.0.1/", "http://192.168.1.1:8080/", "http://169.254.169.254/latest/meta-data/", "http://169.254.0.1/",
    "http://100.64.0.1/", "http://224.0.0.1/", "http://255.255.255.255/", "http://240.0.0.1/", "http://[fc00::1]/",
    "http://[fd12:3456::1]/", "http://[fe80::1]/", "http://[ff02::1]/", "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/", "http://[::127.0.0.1]/", "http://192.0.2.1/", "http://198.18.0.1/", "http://203.0.113.7/",
    "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:70/_", "dict://127.0.0.1:11211/", "http://user:pw@127.0.0.1/",
    "http://127.0.0.1:22/", "http://localhost:{port}/api/list", "jar:http://127.0.0.1!/", "http://", "http://[::1",
)  # fmt: skip


def test_addresses_of_this_machine_and_of_private_networks_are_never_fetched(web: Served) -> None:
    assert len(SSRF) >= 40
    for url in SSRF:
        asked = web.post("/api/jobs", {"kind": "add", "paths": [url.replace("{port}", str(web.port))]})
        if asked.status == 202:
            ended = web.get(f"/api/jobs/{asked.json['id']}/events").events[-1]
            (document,) = ended["result"]["documents"]
            assert document["status"] == "failed", url
            assert document["error"]["code"] in ("source", "not_found"), (url, document["error"])
        else:
            assert asked.status in (404, 422), url
            assert asked.problem


def test_answers_and_logs_hold_neither_the_token_nor_a_key(
    web: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-verysecret-0123456789")
    caplog.set_level(logging.DEBUG)
    said = [
        web.get("/api/settings"),
        web.get("/api/show", doc="sk-verysecret-0123456789"),
        web.plain(authorization="Bearer sk-verysecret-0123456789").get("/api/list"),
        web.get("/api/models"),
    ]
    for reply in said:
        assert b"verysecret" not in reply.body
        assert web.house.access.token.encode() not in reply.body
    assert web.house.access.token not in caplog.text


@pytest.mark.parametrize(
    "key", ["tools.files", "tools.allow", "library", "model.base_url", "model.api_key_env", "backup.path"]
)
def test_settings_that_open_this_machine_are_not_set_from_a_page(web: Served, key: str) -> None:
    refused = web.ask("PUT", "/api/settings", {"key": key, "value": "x"})
    assert refused.status == 422
    assert "config set" in refused.problem["hint"]


def test_other_machines_are_served_only_when_that_is_said(library: Library) -> None:
    for host in ("0.0.0.0", "192.168.1.5", "::", "example.org"):
        with pytest.raises(UsageError, match="other machines"):
            serve(library, Address(host=host), told=lambda *_: None)
    with served(library, exposed=True) as web:
        assert web.also(host="192.168.1.5").get("/api/list").status == 200
        assert web.also(host="evil.example").get("/api/list").status == 421
        assert web.plain(host="192.168.1.5").get("/api/list").status == 401


def test_malformed_requests_are_problems(web: Served) -> None:
    as_json = web.also(content_type="application/json")
    assert as_json.ask("POST", "/api/search", b"{").problem["code"] == "malformed"
    assert as_json.ask("POST", "/api/search", b"[]").status == 422
    assert as_json.ask("POST", "/api/search", b"\xff\xfe").status in (400, 422)
    assert as_json.ask("POST", "/api/search", b'{"query": "\\ud800"}').status == 422
    assert web.post("/api/search", {"query": "wax", "nonsense": 1}).problem["code"] == "usage"
    assert web.post("/api/search", {}).status == 422
    assert web.ask("BREW", "/api/search").status == 405
    assert web.get("/api/nothing").problem["status"] == 404
