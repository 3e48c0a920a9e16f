"""A book runs nothing and loads nothing from elsewhere, whatever is written in it."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from glossator.library.library import Library
from tests.server.serving import served
from tests.web.conftest import Reader
from tests.web.hostile import hostile_book


class Trap:
    """A server of another port that notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(204)
                self.end_headers()

            do_POST = do_GET

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def trap() -> Iterator[Trap]:
    made = Trap()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_the_reader_runs_and_loads_nothing_that_a_book_brings(
    browser: object, library: Library, trap: Trap, tmp_path: Path
) -> None:
    made = hostile_book(tmp_path / "poison.epub", trap.address)
    assert len(made) >= 30
    added = library.add([str(tmp_path / "poison.epub")]).documents[0]
    assert added.status == "added", added.to_json()
    with served(library) as web:
        reader = Reader(browser, web)  # type: ignore[arg-type]
        page = reader.page("/")
        ran: list[object] = []
        for n in made:
            start = library.show(added.id).contents[n - 1].start
            page.goto(f"{reader.address}/read/{added.id}?at={start}")
            page.get_by_test_id("reader-viewer").wait_for()
            page.wait_for_function("() => document.querySelector('[data-testid=reader-viewer]').dataset.start")
            for frame in page.frames:
                if (target := frame.query_selector("#click")) is not None:
                    target.dispatch_event("click")
            page.mouse.move(300, 300)
            page.mouse.move(400, 420)
            ran += page.evaluate("() => window.__ran || []")
        page.wait_for_timeout(300)
        reader.close()
        assert ran == []
        assert trap.asked == []


def test_a_part_that_is_opened_as_a_page_of_its_own_runs_nothing_either(
    browser: object, library: Library, trap: Trap, tmp_path: Path
) -> None:
    made = hostile_book(tmp_path / "poison.epub", trap.address)
    added = library.add([str(tmp_path / "poison.epub")]).documents[0]
    with served(library) as web:
        reader = Reader(browser, web)  # type: ignore[arg-type]
        page = reader.page("/")
        ran: list[object] = []
        for n in made:
            page.goto(f"{reader.address}/api/documents/{added.id}/parts/{n}?uncapped=true")
            page.mouse.move(200, 200)
            ran += page.evaluate("() => window.__ran || []")
        reader.close()
        assert ran == []
        assert trap.asked == []
