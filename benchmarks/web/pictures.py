"""Take the pictures of the guide: every view of the web reader in light and dark, on a desk and on a phone.

python -m benchmarks.web.pictures
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.common import ROOT
from benchmarks.web import material
from benchmarks.web_reader import READY, VIEWER, Visitor
from playwright.sync_api import Page, sync_playwright
from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Call, Reply, Turn
from tests.web.conftest import DESK, PHONE, chromium

TARGET = ROOT / "docs" / "img"
QUOTE = "These Eloi were mere fatted cattle, which the ant-like Morlocks preserved and preyed upon"
SAID = (
    f'The Time Traveller concludes that they were kept as food: "{QUOTE}" [1]. He had met the first of them only days '
    'before: "I felt a peculiar shrinking from those pallid bodies." [2]'
)


def main() -> None:
    """Write them into `docs/img/`."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        library = Path(folder) / "library"
        documents = material.added(library, material.documents())
        book = next(d for d in documents if d["title"] == "The Time Machine")["id"]
        paper = next(d for d in documents if d["format"] == "pdf")["id"]
        with FakeProvider(_said) as provider:
            model = {"GLOSSATOR_MODEL": "openai-chat:demo", "GLOSSATOR_BASE_URL": provider.url("openai-chat")}
            with material.serving(library, **model) as told:
                for size, device in ((DESK, ""), (PHONE, "-phone")):
                    for theme in ("light", "dark"):
                        visitor = Visitor(browser, told, size=size)
                        for name, view in views(book, paper).items():
                            _taken(visitor, theme, view, TARGET / f"{name}-{theme}{device}.png")


def _said(turn: Turn) -> Reply:
    if not turn.results:
        return Reply(calls=(Call("search", {"query": "Morlocks Eloi fatted cattle"}),))
    return Reply(text=SAID, piece=400)


def views(book: str, paper: str) -> dict[str, tuple[str, Callable[[Page], None]]]:
    """Return each view: its address, and what is done there before the picture."""
    return {
        "shelf": ("/", _nothing),
        "read": (f"/read/{book}?at=60000", _read),
        "pdf": (f"/read/{paper}?at=9000", _read),
        "ask": (f"/read/{book}?at=60000", _ask),
        "search": ("/search?q=Why+did+the+Morlocks+keep+the+Eloi", _nothing),
        "map": (f"/map/{book}", _nothing),
        "document": (f"/document/{book}", _nothing),
        "notes": ("/notes", _nothing),
        "settings": ("/settings", _nothing),
    }


def _taken(visitor: Visitor, theme: str, view: tuple[str, Callable[[Page], None]], path: Path) -> None:
    page = visitor.page("/")
    page.evaluate("theme => localStorage.setItem('glossator', JSON.stringify({theme}))", theme)
    page.goto(visitor.address + view[0])
    page.wait_for_load_state("networkidle")
    view[1](page)
    page.wait_for_timeout(1_200)
    page.screenshot(path=path, type="png")
    page.close()


def _nothing(page: Page) -> None:
    page.wait_for_timeout(300)


def _read(page: Page) -> None:
    page.wait_for_function(READY)


def _ask(page: Page) -> None:
    page.wait_for_function(READY)
    page.get_by_role("button", name="Ask about the book").first.click()
    page.get_by_test_id("chat-input").fill("Why did the Morlocks keep the Eloi?")
    page.get_by_test_id("chat-send").click()
    page.wait_for_function("() => document.querySelector('[data-testid=chat-message][data-state=done]')")
    page.wait_for_timeout(500)
    if (page.viewport_size or DESK)["width"] > 600:
        page.get_by_test_id("chat-citation").first.click()
        page.wait_for_function(f"() => document.querySelector('{VIEWER}').dataset.marked")


if __name__ == "__main__":
    main()
