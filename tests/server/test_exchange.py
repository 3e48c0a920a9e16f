"""Files that leave a library and come in: exports, conversations, imports, backups."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from glossator import config
from tests.server.serving import Served

QUOTE = "Under the third stair Eleanor found a letter sealed with green wax."


@pytest.fixture
def noted(web: Served, island: str) -> Served:
    web.library.notes.add(island, quote=QUOTE, body="who sealed it?", tags=["wax"])
    return web


@pytest.mark.parametrize(
    ("format", "kind", "suffix"),
    [
        ("markdown", "text/markdown; charset=utf-8", "md"),
        ("json", "application/json", "json"),
        ("w3c", "application/ld+json", "jsonld"),
        ("csv", "text/csv; charset=utf-8", "csv"),
        ("bibtex", "text/x-bibtex; charset=utf-8", "bib"),
    ],
)
def test_notes_are_taken_away_as_a_file(noted: Served, format: str, kind: str, suffix: str) -> None:
    reply = noted.get("/api/export/file", format=format)
    assert reply.headers["content-type"] == kind
    assert reply.headers["content-disposition"] == f'attachment; filename="glossator-notes.{suffix}"'
    assert reply.body.decode() == noted.get("/api/export", format=format).json["content"]


def test_an_obsidian_vault_is_taken_away_as_an_archive(noted: Served) -> None:
    reply = noted.get("/api/export/file", format="obsidian")
    with zipfile.ZipFile(io.BytesIO(reply.body)) as archive:
        (name,) = archive.namelist()
        assert QUOTE in archive.read(name).decode()
    assert noted.get("/api/export/file", format="nothing").status == 422


def test_an_export_keeps_to_the_bound(noted: Served, island: str) -> None:
    for format in ("markdown", "obsidian", "json"):
        reply = noted.get("/api/export/file", format=format, doc=island, up_to=10)
        assert reply.status == 200
        assert b"sealed" not in reply.body
        assert b"letter" not in reply.body


def test_a_conversation_is_taken_away_as_a_file(web: Served) -> None:
    session = web.post("/api/ask", {"question": QUOTE, "session": web.library.sessions.start().id}).json["session"]
    reply = web.get(f"/api/sessions/{session}/export")
    assert json.loads(reply.body)["id"] == session
    assert reply.headers["content-disposition"].endswith('.json"')
    assert QUOTE in web.get(f"/api/sessions/{session}/export", format="markdown").body.decode()
    assert web.get("/api/sessions/nothing/export").problem["code"] == "not_found"


def test_notes_come_in_as_a_form_or_as_the_body(noted: Served) -> None:
    (note,) = noted.get("/api/notes").json["notes"]
    other = note["id"][:-1] + ("2" if note["id"][-1] != "2" else "3")
    exported = noted.get("/api/export/file", format="json").body.replace(note["id"].encode(), other.encode())
    line = b'--x\r\ncontent-disposition: form-data; name="file"; filename="../notes.json"\r\n\r\n'
    form = noted.also(content_type="multipart/form-data; boundary=x")
    first = form.post("/api/import", line + exported + b"\r\n--x--\r\n").json
    assert first["notes"]["added"] == 1
    assert first["problems"] == []
    again = noted.also(content_type="application/octet-stream").post("/api/import", exported, name="notes.json").json
    assert again["notes"]["unchanged"] == 1
    assert {n["id"] for n in noted.get("/api/notes").json["notes"]} == {note["id"], other}


def test_what_cannot_be_taken_in_is_a_problem_that_calls_it_by_its_name(web: Served) -> None:
    body = web.also(content_type="application/octet-stream")
    refused = body.post("/api/import", b"nothing of the kind", name="odd.txt").problem
    assert refused["detail"].startswith("odd.txt: ")
    assert refused["code"] == "unsupported_format"
    assert body.post("/api/import", b"{", name="broken.json").problem["code"] == "damaged"
    assert body.post("/api/import", b"").problem["code"] == "usage"
    form = web.also(content_type="multipart/form-data; boundary=x")
    assert form.post("/api/import", b"--x--\r\n").problem["code"] == "usage"


def test_a_backup_is_made_as_a_job_and_listed(web: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    assert web.get("/api/backups").json == {"path": None, "backups": [], "problem": None}
    assert web.post("/api/jobs", {"kind": "backup"}).problem["code"] == "usage"
    folder = tmp_path / "backups"
    config.write(config.user_config(), "backup.path", str(folder))
    assert web.get("/api/backups").json["problem"]["hint"]
    folder.mkdir()
    job = web.post("/api/jobs", {"kind": "backup"}).json
    ended = web.get(f"/api/jobs/{job['id']}/events").events[-1]
    receipt = ended["result"]["backup"]
    assert receipt["verified"]
    assert receipt["documents"] == 2
    told = web.get("/api/backups").json
    assert told["path"] == str(folder)
    assert [b["path"] for b in told["backups"]] == [receipt["path"]]
    assert told["backups"][0]["bytes"] == receipt["bytes"]
    assert told["backups"][0]["verified"] >= told["backups"][0]["made"]


def test_a_backup_goes_to_the_file_that_is_named_if_it_may(web: Served, tmp_path: Path) -> None:
    wanted = tmp_path / "mine.backup"
    job = web.post("/api/jobs", {"kind": "backup", "paths": [str(wanted)]}).json
    assert web.get(f"/api/jobs/{job['id']}/events").events[-1]["state"] == "done"
    assert wanted.is_file()
    for path in ("/etc/x.backup", "relative.backup", str(tmp_path / ".hidden"), str(tmp_path), "/nowhere/at/all"):
        assert web.post("/api/jobs", {"kind": "backup", "paths": [path]}).status in (404, 422), path
    assert web.post("/api/jobs", {"kind": "backup", "paths": ["/tmp/a", "/tmp/b"]}).status == 422
