import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from glossator.library import running
from glossator.library.library import Library
from glossator.library.running import Running
from glossator.store import jobs as stored
from tests.library import books
from tests.server.serving import Process, Served, served


def named(web: Served, job: str) -> list[str]:
    body = web.get(f"/api/jobs/{job}/events").body.decode()
    return [line[7:] for line in body.splitlines() if line.startswith("event: ")]


def many(folder: Path, count: int) -> list[str]:
    folder.mkdir()
    paths = []
    for n in range(count):
        path = folder / f"book{n}.txt"
        path.write_text("\n\n".join(f"Paragraph {i} of book {n} tells of wax and honey." for i in range(60)), "utf-8")
        paths.append(str(path))
    return paths


def test_a_job_tells_how_far_it_is_and_what_came_of_it(web: Served, tmp_path: Path) -> None:
    begun = web.post("/api/jobs", {"kind": "add", "paths": many(tmp_path / "b", 3)})
    assert begun.status == 202
    job = begun.json["id"]
    assert begun.headers["location"] == f"/api/jobs/{job}"
    names = named(web, job)
    assert names[0] == "running"
    assert names[-1] == "done"
    assert "progress" in names
    ended = web.get(f"/api/jobs/{job}").json
    assert [d["status"] for d in ended["result"]["documents"]] == ["added"] * 3
    assert web.get("/api/jobs").json["jobs"][0] == ended


def test_a_client_that_comes_back_hears_the_rest_and_one_that_is_late_hears_all(web: Served, tmp_path: Path) -> None:
    job = web.post("/api/jobs", {"kind": "add", "paths": many(tmp_path / "b", 1)}).json["id"]
    whole = named(web, job)
    again = web.also(last_event_id="0").get(f"/api/jobs/{job}/events")
    assert len(again.events) == len(whole) - 1
    assert again.body.startswith(b"id: 1\n")


def test_two_watchers_of_a_job_hear_the_same(web: Served, tmp_path: Path) -> None:
    job = web.post("/api/jobs", {"kind": "add", "paths": many(tmp_path / "b", 4)}).json["id"]
    heard: list[list[str]] = []
    threads = [threading.Thread(target=lambda: heard.append(named(web, job))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert heard[0] == heard[1]


def test_a_job_is_cancelled_and_what_it_finished_stays(web: Served, tmp_path: Path) -> None:
    job = web.post("/api/jobs", {"kind": "add", "paths": many(tmp_path / "b", 60)}).json["id"]
    waiting = web.post("/api/jobs", {"kind": "repair"}).json["id"]
    assert web.ask("DELETE", f"/api/jobs/{waiting}").json["state"] == "cancelled"
    web.ask("DELETE", f"/api/jobs/{job}")
    assert named(web, job)[-1] == "cancelled"
    assert web.get(f"/api/jobs/{job}").json["state"] == "cancelled"
    assert len(web.get("/api/list").json["documents"]) < 62
    assert web.ask("DELETE", "/api/jobs/nothing").problem["code"] == "not_found"


def test_work_that_was_left_undone_is_done_at_the_next_start(shelf: Library, tmp_path: Path) -> None:
    with shelf.database.write() as c:
        left = stored.insert_job(c, "add", {"paths": many(tmp_path / "b", 2)})
        stored.start_job(c, left.id)
    with served(shelf) as web:
        assert named(web, left.id)[-1] == "done"
        assert len(web.get("/api/list").json["documents"]) == 4


def test_work_that_ends_the_server_again_and_again_is_given_up(shelf: Library) -> None:
    with shelf.database.write() as c:
        left = stored.insert_job(c, "repair", {})
        for _ in range(3):
            stored.start_job(c, left.id)
    with served(shelf) as web:
        assert named(web, left.id)[-1] == "failed"
        assert web.get(f"/api/jobs/{left.id}").json["error"]["hint"]


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_server_tells_where_it_is_is_found_and_goes_quietly(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    serving = Process(folder)
    try:
        assert set(serving.told) == {"url", "token", "pid"}
        file = folder / "server.json"
        assert json.loads(file.read_text("utf-8")) == serving.told
        assert file.stat().st_mode & 0o777 == 0o600
        assert serving.ask("GET", "/api/list") == {"documents": []}
        assert running.running(folder) == serving.server
        second = Process(folder)
        assert second.told == serving.told
        assert second.process.wait(20) == 0
        second.end(0)
    finally:
        seconds = serving.end()
    assert serving.process.returncode == 0
    assert seconds < 8
    assert not file.exists()
    assert running.running(folder) is None


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_server_that_is_killed_in_the_midst_of_work_goes_on_with_it_when_it_is_back(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    paths = many(tmp_path / "b", 40)
    serving = Process(folder)
    job = serving.ask("POST", "/api/jobs", {"kind": "add", "paths": paths})["id"]
    while not serving.ask("GET", "/api/list")["documents"]:
        time.sleep(0.02)
    serving.end(signal.SIGKILL)
    assert (folder / "server.json").exists()
    assert running.running(folder) is None
    again = Process(folder)
    try:
        deadline = time.monotonic() + 60
        while (found := again.ask("GET", f"/api/jobs/{job}"))["state"] != "done" and time.monotonic() < deadline:
            time.sleep(0.1)
        statuses = {d["status"] for d in found["result"]["documents"]}
        assert statuses == {"added", "unchanged"}
        assert len(again.ask("GET", "/api/list")["documents"]) == 40
        assert again.ask("GET", "/api/doctor")["ok"]
    finally:
        again.end()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_server_in_the_background_is_found_by_all_and_ends_when_nobody_asks(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with Library.open(folder, embedder="none") as library:
        library.add([str(books.island(tmp_path))])
    first = running.start(folder, options=("--idle", "1", "--embedder", "none"))
    assert running.attached(folder) == first
    assert running.ask(first, "GET", "/api/list")["documents"]
    deadline = time.monotonic() + 20
    while (folder / "server.json").exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert running.running(folder) is None


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_port_that_is_taken_is_an_error_with_a_hint(tmp_path: Path) -> None:
    serving = Process(tmp_path / "one")
    try:
        port = serving.told["url"].rpartition(":")[2]
        words = [
            sys.executable,
            "-m",
            "glossator",
            "--library",
            str(tmp_path / "two"),
            "serve",
            "--port",
            port,
            "--json",
        ]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 1
        assert json.loads(done.stdout)["error"]["hint"]
        assert not (tmp_path / "two" / "server.json").exists()
    finally:
        serving.end()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_file_that_another_process_left_behind_is_not_believed(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    running.announce(folder, Running("http://127.0.0.1:9", "x", os.getpid()))
    assert running.running(folder) is None
    (folder / "server.json").write_text("{broken", "utf-8")
    assert running.running(folder) is None
