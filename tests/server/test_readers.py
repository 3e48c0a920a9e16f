"""Several clients at once: processes that read beside the server's, and that nobody can tell from it."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from glossator.errors import NotFound, UsageError
from glossator.library.library import Library
from glossator.server import readers as readers_module
from glossator.server.readers import Readers
from tests.server.serving import Process, Served

Json = dict[str, Any]


@pytest.fixture
def readers(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> Iterator[Readers]:
    """Give readers that take any two requests at once for a crowd."""
    monkeypatch.setattr(readers_module, "CROWD", 2)
    made = Readers(shelf, most=2)
    yield made
    made.close()


def until(true: Callable[[], object], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def at_once(readers: Readers, operation: str, options: Json, *, clients: int = 6) -> list[Json]:
    """Return what many clients were answered that asked the same together."""
    together = threading.Barrier(clients)

    def ask() -> bytes:
        together.wait()
        return readers.answer(operation, options)

    with ThreadPoolExecutor(clients) as pool:
        asked = [pool.submit(ask) for _ in range(clients)]
    return [json.loads(a.result()) for a in asked]


def crowded(readers: Readers, processes: int = 2) -> list[int]:
    """Return the processes that were started because many asked at once."""

    def there() -> bool:
        at_once(readers, "list", {})
        return len(readers.processes) == processes

    until(there)
    return readers.processes


def untimed(found: Json) -> Json:
    return {key: value for key, value in found.items() if key != "took_ms"}


def test_requests_one_after_another_start_no_process(readers: Readers) -> None:
    for _ in range(50):
        readers.answer("list", {})
    assert readers.processes == []


def test_a_crowd_is_answered_by_processes_as_by_the_server_itself(readers: Readers, shelf: Library) -> None:
    crowded(readers)
    here = untimed(shelf.search("the lantern", k=3).to_json())
    assert here["hits"]
    assert [untimed(found) for found in at_once(readers, "search", {"query": "the lantern", "k": 3})] == [here] * 6


def test_what_was_added_is_found_by_every_process_at_once(readers: Readers, shelf: Library, tmp_path: Path) -> None:
    crowded(readers)
    (tmp_path / "new.txt").write_text("The quagga grazed behind the observatory.", "utf-8")
    shelf.add(tmp_path / "new.txt")
    for found in at_once(readers, "search", {"query": "quagga"}, clients=12):
        assert [hit["text"] for hit in found["hits"]] == ["The quagga grazed behind the observatory."]


def test_a_bound_holds_in_every_process(readers: Readers, shelf: Library, island: str) -> None:
    crowded(readers)
    shelf.progress(island, at=100)
    for found in at_once(readers, "text", {"doc": island, "up_to": "progress"}):
        assert len(found["text"]) == 100


def test_errors_are_those_of_the_operation(readers: Readers) -> None:
    crowded(readers)
    with pytest.raises(NotFound) as missing:
        at_once(readers, "show", {"doc": "Middlemarch"})
    assert missing.value.hint
    with pytest.raises(UsageError):
        at_once(readers, "search", {"query": "x", "k": 0})
    assert len(readers.processes) == 2


def test_what_a_process_that_died_was_asked_is_answered_all_the_same(readers: Readers) -> None:
    first, second = crowded(readers)
    os.kill(first, signal.SIGKILL)
    assert all(found["documents"] for found in at_once(readers, "list", {}))
    os.kill(second, signal.SIGSTOP)  # it holds what it is asked, until it is killed
    threading.Timer(0.3, os.kill, (second, signal.SIGKILL)).start()
    assert all(found["documents"] for found in at_once(readers, "list", {}))
    assert set(crowded(readers)).isdisjoint({first, second})


def test_what_is_under_way_when_all_processes_are_ended_is_answered(readers: Readers) -> None:
    processes = crowded(readers)
    closing = threading.Timer(0.05, readers.close)
    closing.start()
    while not closing.finished.is_set():
        assert all(found["documents"] for found in at_once(readers, "list", {}))
    closing.join()
    assert readers.processes == []
    until(lambda: not any(psutil.pid_exists(p) for p in processes))


def test_processes_end_when_nobody_asks_them(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers_module, "CROWD", 2)
    readers = Readers(shelf, most=1, idle=0.5)
    (started,) = crowded(readers, 1)
    until(lambda: not readers.processes)
    assert not psutil.pid_exists(started)
    assert json.loads(readers.answer("list", {}))["documents"]
    readers.close()


def test_none_is_started_where_there_is_no_memory_for_it(readers: Readers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers_module, "rooms", lambda: 0)
    for _ in range(5):
        at_once(readers, "list", {})
    until(lambda: not any(t.name == "readers" for t in threading.enumerate()))
    assert readers.processes == []


def test_vectors_are_searched_with_the_model_of_the_server_alone(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers_module, "CROWD", 2)
    folder = library.database.folder
    (tmp_path / "bees.txt").write_text("Wax is made by young bees.\n\nThe harbour froze in March.", "utf-8")
    with Library.open(folder, embedder="builtin:minilm") as opened:
        opened.add(tmp_path / "bees.txt")
        readers = Readers(opened, most=1)
        (process,) = crowded(readers, 1)
        here = untimed(opened.search("insects", mode="vector").to_json())
        assert here["hits"]
        found = at_once(readers, "search", {"query": "insects", "mode": "vector"})
        assert [untimed(f) for f in found] == [here] * 6
        assert not any("onnxruntime" in m.path for m in psutil.Process(process).memory_maps())
        readers.close()


def test_a_server_under_load_reads_in_processes_that_end_with_it(shelf: Library) -> None:
    server = Process(shelf.database.folder)
    try:
        me = psutil.Process(server.server.pid)

        def asked() -> list[psutil.Process]:
            with ThreadPoolExecutor(8) as pool:
                list(pool.map(lambda _: server.ask("POST", "/api/search", {"query": "lantern"}), range(40)))
            return [c for c in me.children() if "glossator.server.reading" in c.cmdline()]

        until(asked)
        reading = asked()
    finally:
        server.end()
    until(lambda: not any(p.is_running() for p in reading))


def test_a_read_over_http_is_the_same_under_load(web: Served) -> None:
    alone = untimed(web.post("/api/search", {"query": "the lantern"}).json)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: web.post("/api/search", {"query": "the lantern"}), range(120)))
    assert {reply.status for reply in found} == {200}
    assert all(untimed(reply.json) == alone for reply in found)
