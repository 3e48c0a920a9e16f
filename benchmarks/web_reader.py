"""The web reader in the system's Chromium, on real books, papers and pages, with a scripted model.

    python -m benchmarks.web_reader [citations positions bundle speed shelf hostile]

- citations: a scripted model quotes sentences of seven documents in two languages; each citation is clicked in the
  chat beside the page, and what is marked then must be the words that were quoted.
- positions: the first sentence on the screen, after a reload, after another size of the letters, in a window of another
  width, must be on the screen again, and the place that is kept must be in it.
- bundle: the JavaScript of the first view, compressed.
- speed: the first view of the shelf; an EPUB of 3 MB opened at its place, beside foliate-js's own viewer on the same
  file at the same place, by turns; a page turned. Medians.
- shelf: 1,000 books scrolled and searched; the longest task.
- hostile: how many of the attempts of `tests/web/hostile.py` run or load something.
"""

import argparse
import gzip
import json
import re
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.common import ROOT, record
from benchmarks.web import material, peer
from playwright.sync_api import Browser, Page, sync_playwright
from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Reply, Turn
from tests.web.conftest import DESK, chromium

EACH = 14  # citations of a document
READY = "() => !!document.querySelector('[data-testid=reader-viewer]')?.dataset.start"
VIEWER = "[data-testid=reader-viewer]"
WIDTHS = ({"width": 900, "height": 860}, {"width": 390, "height": 844}, {"width": 1500, "height": 700})
Json = dict[str, Any]


class Visitor:
    """A browser that holds the token."""

    def __init__(self, browser: Browser, told: Json, *, size: Json = DESK) -> None:
        self.address: str = told["url"]
        self.context = browser.new_context(viewport=size, locale="en-GB")  # type: ignore[arg-type]
        self.context.set_extra_http_headers({"authorization": f"Bearer {told['token']}"})

    def page(self, path: str = "/") -> Page:
        """Return a page at a path of the reader."""
        made = self.context.new_page()
        made.goto(self.address + path)
        return made

    def get(self, path: str, **query: Any) -> Any:
        """Return a JSON answer of the server."""
        return self.context.request.get(self.address + path, params=query).json()


def main() -> None:
    """Measure what is asked for, and record it beside what was measured before."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    given = parser.parse_args()
    figures: Json = {}
    kept = ROOT / "benchmarks" / "results" / "web_reader.json"
    if kept.is_file() and set(given.parts) != set(PARTS):
        figures = json.loads(kept.read_text("utf-8"))["figures"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name in given.parts:
            with tempfile.TemporaryDirectory() as folder:
                figures[name] = PARTS[name](browser, Path(folder))
            print(name, json.dumps(figures[name], ensure_ascii=False), flush=True)
    record("web_reader", figures)


# --- citations ------------------------------------------------------------------------------------------------------


def citations(browser: Browser, folder: Path) -> Json:
    """Return how many citations that were clicked marked exactly the words quoted, by format."""
    library = folder / "library"
    documents = material.added(library, material.documents())
    found: dict[str, list[bool]] = {}
    wrong: list[Json] = []
    quoted: list[str] = []
    with FakeProvider(partial(_quoting, quoted)) as provider:
        model = {"GLOSSATOR_MODEL": "openai-chat:fake", "GLOSSATOR_BASE_URL": provider.url("openai-chat")}
        with material.serving(library, **model) as told:
            visitor = Visitor(browser, told)
            for document in documents:
                text = visitor.get("/api/text", doc=document["id"], uncapped=True)["text"]
                quoted[:] = material.sentences(text, EACH, seed=3)
                page = visitor.page(f"/read/{document['id']}")
                results, bad = _clicked(page, text, document)
                language = "zh" if re.search(r"[\u4e00-\u9fff]{4}", text[:20_000]) else "en"
                found.setdefault(f"{document['format']} {language}", []).extend(results)
                wrong += bad
                page.close()
    return {
        "clicked": sum(map(len, found.values())),
        "exact": sum(map(sum, found.values())),
        "by": {name: f"{sum(r)} of {len(r)}" for name, r in sorted(found.items())},
        "wrong": wrong[:5],
    }


def _quoting(quoted: list[str], _: Turn) -> Reply:
    return Reply(text="\n\n".join(f'As the text says: "{q}" [{n}]' for n, q in enumerate(quoted, start=1)), piece=200)


def _clicked(page: Page, text: str, document: Json) -> tuple[list[bool], list[Json]]:
    page.wait_for_function(READY, timeout=60_000)
    page.get_by_role("button", name=re.compile("^Ask")).first.click()
    page.get_by_test_id("chat-input").fill("What does it say?")
    page.get_by_test_id("chat-send").click()
    chips = page.locator("[data-testid=chat-citation]")
    page.locator("[data-testid=chat-message][data-role=assistant][data-state=done]").last.wait_for(timeout=60_000)
    results, wrong, seen = [], [], set()
    for chip in chips.all():
        start, end = int(chip.get_attribute("data-start") or 0), int(chip.get_attribute("data-end") or 0)
        if (start, end) in seen:
            continue
        seen.add((start, end))
        chip.click()
        marked = _settled(page, text[start:end])
        right = _plain(marked) == _plain(text[start:end]) and _in_sight(page, start)
        results.append(right)
        if not right:
            wrong.append({"document": document["title"], "quoted": text[start:end], "marked": marked})
    return results, wrong


def _settled(page: Page, wanted: str) -> str:
    """Return what is marked, once it is what is wanted, or after some seconds."""
    marked = ""
    for _ in range(40):
        marked = page.get_attribute(VIEWER, "data-marked") or ""
        if _plain(marked) == _plain(wanted):
            page.wait_for_timeout(300)
            break
        page.wait_for_timeout(100)
    return marked


def _in_sight(page: Page, at: int) -> bool:
    """Return whether a position is on the screen."""
    start, end = (int(page.get_attribute(VIEWER, f"data-{edge}") or -1) for edge in ("start", "end"))
    return start <= at <= end


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text)


# --- positions ------------------------------------------------------------------------------------------------------


def positions(browser: Browser, folder: Path) -> Json:
    """Return how often the sentence that was first on the screen is there again."""
    documents = material.added(folder / "library", material.documents())[:6]
    kept = {"reload": [0, 0], "letters": [0, 0], "width": [0, 0]}
    wrong: list[Json] = []
    with material.serving(folder / "library") as told:
        visitor = Visitor(browser, told)
        for n, document in enumerate(documents):
            text = visitor.get("/api/text", doc=document["id"], uncapped=True)["text"]
            for turn in range(5):
                at = int(len(text) * (0.07 + 0.17 * turn + 0.013 * n))
                for way, again in AGAIN.items():
                    right, told_wrong = _returned(visitor, document, text, at, again)
                    kept[way][0] += right
                    kept[way][1] += 1
                    wrong += [{"way": way, "document": document["title"], **w} for w in told_wrong]
    return {way: f"{right} of {tried}" for way, (right, tried) in kept.items()} | {"wrong": wrong[:5]}


def _returned(
    visitor: Visitor, document: Json, text: str, at: int, again: Callable[[Page], None]
) -> tuple[bool, list[Json]]:
    page = visitor.page(f"/read/{document['id']}?at={at}")
    page.wait_for_function(READY, timeout=60_000)
    page.wait_for_timeout(400)
    page.locator(VIEWER).press("PageDown")
    page.wait_for_timeout(1_600)  # the place is kept a second after the last turn
    first = int(page.get_attribute(VIEWER, "data-start") or -1)
    page.goto(visitor.address + f"/read/{document['id']}")
    page.wait_for_function(READY, timeout=60_000)
    again(page)
    page.wait_for_timeout(900)
    start = int(page.get_attribute(VIEWER, "data-start") or -1)
    end = int(page.get_attribute(VIEWER, "data-end") or -1)
    position = visitor.get("/api/progress", doc=document["id"])["position"]
    page.close()
    low, high = _sentence(text, first)
    seen = start < high and low < end
    held = low <= position < high or position == first
    right = seen and held
    return right, [] if right else [{"first": first, "shown": [start, end], "kept": position}]


def _sentence(text: str, at: int) -> tuple[int, int]:
    low = max((text.rfind(mark, 0, at) for mark in ".!?。！？\n"), default=-1) + 1
    ends = [p for mark in ".!?。！？\n" if (p := text.find(mark, at)) >= 0]
    return low, min(ends, default=len(text)) + 1


def _letters(page: Page) -> None:
    code = """size => {
        const kept = JSON.parse(localStorage.getItem('glossator') || '{}')
        kept.reading = {...kept.reading, size}
        localStorage.setItem('glossator', JSON.stringify(kept))
    }"""
    size = (
        26 if page.evaluate("() => JSON.parse(localStorage.getItem('glossator') || '{}').reading?.size") != 26 else 15
    )
    page.evaluate(code, size)
    page.reload()
    page.wait_for_function(READY, timeout=60_000)


def _width(page: Page) -> None:
    size = page.viewport_size or DESK
    at = next((n for n, w in enumerate(WIDTHS) if w == size), -1)
    page.set_viewport_size(WIDTHS[(at + 1) % len(WIDTHS)])  # type: ignore[arg-type]


AGAIN: dict[str, Callable[[Page], None]] = {"reload": lambda _: None, "letters": _letters, "width": _width}


# --- bundle, speed, shelf, hostile ----------------------------------------------------------------------------------


def bundle(browser: Browser, folder: Path) -> Json:
    """Return the compressed size of all the JavaScript that the first view loads."""
    material.added(folder / "library", material.documents()[:1])
    sizes: dict[str, int] = {}

    def weigh(response: Any) -> None:
        if response.url.endswith(".js"):
            sizes[response.url.rsplit("/", 1)[-1]] = len(gzip.compress(response.body(), 9))

    with material.serving(folder / "library") as told:
        visitor = Visitor(browser, told)
        page = visitor.context.new_page()
        page.on("response", weigh)
        page.goto(told["url"] + "/")
        page.wait_for_load_state("networkidle")
    return {"kB": round(sum(sizes.values()) / 1_000, 1), "files": len(sizes)}


def speed(browser: Browser, folder: Path) -> Json:
    """Return medians in milliseconds: first view, opening beside the peer, turning."""
    book = material.long_epub(folder / "long.epub")
    documents = material.added(folder / "library", [book, ROOT / "examples" / "the-time-machine.epub"])
    long = next(d for d in documents if "Journey" in d["title"])
    with material.serving(folder / "library") as told, peer.shown(book) as address:
        visitor = Visitor(browser, told)
        text = visitor.get("/api/text", doc=long["id"], uncapped=True)["text"]
        at = len(text) * 6 // 10
        first = [_first_view(browser, told) for _ in range(9)]
        ours, theirs = [], []
        for _ in range(9):
            ours.append(_opened(browser, told, f"/read/{long['id']}?at={at}", READY))
            theirs.append(_opened(browser, {"url": address, "token": ""}, "/?fraction=0.6", peer.READY))
        turns = _turned(visitor, long["id"], at)
    middle = peer.middle
    return {
        "first view": middle(first),
        "open 3 MB EPUB": middle(ours),
        "foliate-js's own viewer": middle(theirs),
        "ratio": round(middle(ours) / middle(theirs), 2),
        "turn a page": middle(turns),
    }


def _first_view(browser: Browser, told: Json) -> float:
    return _opened(browser, told, "/", "() => !!document.querySelector('main a[href*=\"/read/\"]')")


def _opened(browser: Browser, told: Json, path: str, ready: str) -> float:
    visitor = Visitor(browser, told)
    page = visitor.context.new_page()
    begun = time.perf_counter()
    page.goto(told["url"] + path, wait_until="commit")
    page.wait_for_function(ready, polling="raf", timeout=60_000)
    taken = (time.perf_counter() - begun) * 1_000
    visitor.context.close()
    return taken


def _turned(visitor: Visitor, document: str, at: int) -> list[float]:
    page = visitor.page(f"/read/{document}?at={at}")
    page.wait_for_function(READY, timeout=60_000)
    page.wait_for_timeout(1_000)
    code = """() => new Promise(done => {
        const viewer = document.querySelector('[data-testid=reader-viewer]')
        const before = viewer.dataset.start, begun = performance.now()
        const look = () =>
            viewer.dataset.start !== before ? done(performance.now() - begun) : requestAnimationFrame(look)
        window.dispatchEvent(new KeyboardEvent('keydown', {key: 'PageDown', code: 'PageDown', bubbles: true}))
        requestAnimationFrame(look)
    })"""
    page.locator(VIEWER).focus()
    return [float(page.evaluate(code)) for _ in range(25)]


def shelf(browser: Browser, folder: Path) -> Json:
    """Return the longest task, in milliseconds, while 1,000 books are scrolled and searched."""
    (folder / "books").mkdir()
    count = len(material.added(folder / "library", material.full_shelf(folder / "books")))
    watch = """() => {
        window.__long = []
        const note = list => window.__long.push(...list.getEntries().map(e => e.duration))
        new PerformanceObserver(note).observe({type: 'longtask'})
    }"""
    with material.serving(folder / "library") as told:
        page = Visitor(browser, told).page("/")
        page.locator("main a[href*='/read/']").first.wait_for()
        page.wait_for_timeout(1_000)
        page.evaluate(watch)
        page.mouse.move(600, 500)
        for _ in range(40):
            page.mouse.wheel(0, 900)
            page.wait_for_timeout(40)
        scrolled = page.evaluate("() => window.__long.splice(0)")
        page.get_by_role("searchbox").first.press_sequentially("orchard of glass", delay=60)
        page.wait_for_timeout(1_500)
        searched = page.evaluate("() => window.__long.splice(0)")
    return {
        "books": count,
        "longest scrolling": max(scrolled, default=0),
        "longest searching": max(searched, default=0),
    }


def hostile(browser: Browser, folder: Path) -> Json:
    """Return how many attempts of a hostile book ran or loaded something."""
    from tests.web.hostile import hostile_book
    from tests.web.test_hostile import Trap

    trap = Trap()
    made = hostile_book(folder / "poison.epub", trap.address)
    (document,) = material.added(folder / "library", [folder / "poison.epub"])
    ran: list[int] = []
    with material.serving(folder / "library") as told:
        visitor = Visitor(browser, told)
        contents = visitor.get("/api/show", doc=document["id"], uncapped=True)["contents"]
        for n in made:
            page = visitor.page(f"/read/{document['id']}?at={contents[n - 1]['start']}")
            page.wait_for_function(READY, timeout=60_000)
            for frame in page.frames:
                if (target := frame.query_selector("#click")) is not None:
                    target.dispatch_event("click")
            page.mouse.move(300, 300)
            page.mouse.move(400, 420)
            ran += page.evaluate("() => window.__ran || []")
            page.close()
    trap.server.shutdown()
    return {"attempts": len(made), "ran": len(set(ran)), "loaded": len(set(trap.asked))}


PARTS: dict[str, Callable[[Browser, Path], Json]] = {
    "citations": citations,
    "positions": positions,
    "bundle": bundle,
    "speed": speed,
    "shelf": shelf,
    "hostile": hostile,
}

if __name__ == "__main__":
    main()
