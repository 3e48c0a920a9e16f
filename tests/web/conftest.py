"""The web reader in the system's Chromium, against a real server.

They need the built bundle (`make web`) and a Chromium; without one of them they skip and say which.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from glossator.library.library import Library
from tests.library.conftest import filled, island, library, shelf, stone
from tests.server.serving import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["filled", "island", "library", "shelf", "stone"]

ROOT = Path(__file__).resolve().parent.parent.parent
BUNDLE = ROOT / "src" / "glossator" / "server" / "static" / "index.html"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 860}


def chromium() -> str | None:
    """Return the path of the system's Chromium."""
    named = os.environ.get("GLOSSATOR_CHROMIUM")
    return named or next((p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n))), None)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Give one browser for all tests of a worker."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium()
    if path is None:
        pytest.skip("no Chromium is here: install it, or name it in GLOSSATOR_CHROMIUM")
    if not BUNDLE.is_file():
        pytest.skip("the web reader is not built: make web")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


class Reader:
    """A person at the web reader of one server: pages, and what went wrong in them unseen."""

    def __init__(self, browser: "Browser", web: Served) -> None:
        self.web = web
        self.address = f"http://127.0.0.1:{web.port}"
        self._browser = browser
        self._contexts: list[Any] = []
        self.errors: list[str] = []
        self.foreign: list[str] = []

    def page(self, path: str = "/", *, size: dict[str, int] | None = None, **options: Any) -> "Page":
        """Return a page of a new visitor, let in by the cookie, at a path of the reader."""
        context = self._browser.new_context(viewport=size or DESK, locale=options.pop("locale", "en-GB"), **options)
        self._contexts.append(context)
        access = self.web.house.access
        context.add_cookies([{"name": access.cookie_name, "value": access.cookie, "domain": "127.0.0.1", "path": "/"}])
        made = context.new_page()
        made.on("pageerror", lambda error: self.errors.append(f"{error}\n{error.stack}"))
        made.on("response", lambda response: self._seen(response.url))
        made.goto(self.address + path)
        return made

    def _seen(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:", "about:")):
            self.foreign.append(url)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def web(shelf: Library) -> Iterator[Served]:
    """Give a server on the English and the Chinese story."""
    with served(shelf) as found:
        yield found


@pytest.fixture
def reader(browser: "Browser", web: Served) -> Iterator[Reader]:
    """Give a person at the reader; no page may have met an error or asked another host."""
    made = Reader(browser, web)
    yield made
    errors = list(made.errors)  # what a page meets while it is torn down is nobody's trouble
    made.close()
    assert not errors
    assert not made.foreign


def violations(page: "Page") -> list[str]:
    """Return the serious and critical faults that axe finds on a page, each with where it is."""
    page.emulate_media(reduced_motion="reduce")  # colours that are still changing have any contrast
    page.evaluate("() => Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']}: {node['html'][:160]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
