"""Reading in the browser: places that are kept, words that are marked, highlighted and found, in every format."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from glossator.library.library import Library
from tests.parse.pdf.make import Page as Sheet
from tests.parse.pdf.make import Pdf, column
from tests.server.serving import Served, served
from tests.web.conftest import DESK, PHONE, ROOT, Reader, violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIDEWAYS = (
    "The keeper wound the clock of the tower every seventh",
    "day. No ship had passed the narrows since the frost.",
    "A green lamp burned above the door of the chandler.",
)
WEB_PAGE = """<!doctype html><html lang="en"><head><title>The Lamp</title></head><body><article><h1>The Lamp</h1>
<p>The lamp was <em>lit at dusk</em> by the youngest of the brothers. Nobody had asked him to do it.</p>
<p>When the storm came, the light was seen from as far away as the islands of the north, and the boats turned home.</p>
</article></body></html>"""
SENTENCES = re.compile(r"[^.!?。！？\n]{12,200}[.!?。！？]")
READY = "() => !!document.querySelector('[data-testid=reader-viewer]')?.dataset.start"


@pytest.fixture(scope="session")
def stacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a library with an EPUB, a PDF of a turned page, a saved page and the Chinese text, once."""
    folder = tmp_path_factory.mktemp("stacked")
    sheets = tuple(Sheet(texts=column(72, 700, SIDEWAYS), rotate=turn) for turn in (0, 90, 270))
    Pdf(pages=sheets).write(folder / "tower.pdf")
    (folder / "lamp.html").write_text(WEB_PAGE, "utf-8")
    examples = [ROOT / "examples" / name for name in ("the-time-machine.epub", "journey-to-the-west.txt")]
    with Library.open(folder / "library", embedder="none") as opened:
        found = opened.add([*map(str, examples), str(folder / "tower.pdf"), str(folder / "lamp.html")])
    assert [d.status for d in found.documents] == ["added"] * 4, [d.to_json() for d in found.documents]
    return folder / "library"


@pytest.fixture
def books(stacked: Path, tmp_path: Path) -> Iterator[Library]:
    """Give a copy of that library."""
    shutil.copytree(stacked, tmp_path / "books")
    with Library.open(tmp_path / "books", embedder="none") as opened:
        yield opened


@pytest.fixture
def web(books: Library) -> Iterator[Served]:
    with served(books) as found:
        yield found


def of(library: Library, format: str) -> str:
    return next(d.id for d in library.documents().documents if d.format == format)


def opened(reader: Reader, document: str, query: str = "", **options: Any) -> "Page":
    page = reader.page(f"/read/{document}{query}", **options)
    page.wait_for_function(READY)
    return page


def start(page: "Page") -> int:
    return int(page.get_by_test_id("reader-viewer").get_attribute("data-start") or -1)


def shown(page: "Page", position: int) -> None:
    """Wait until a position is on the screen."""
    page.wait_for_function(
        "at => (({start, end}) => +start <= at && at < +end)"
        "(document.querySelector('[data-testid=reader-viewer]')?.dataset ?? {})",
        arg=position,
        timeout=15_000,
    )


def turned(page: "Page", key: str = "PageDown") -> int:
    """Turn a page by a key; return where it begins."""
    before = start(page)
    page.keyboard.press(key)
    page.wait_for_function(
        "before => document.querySelector('[data-testid=reader-viewer]').dataset.start !== before", arg=str(before)
    )
    page.wait_for_timeout(300)
    return start(page)


def kept(library: Library, document: str, position: int) -> None:
    """Wait until the place is kept on the server."""
    import time

    for _ in range(60):
        if library.progress(document).position == position:
            return
        time.sleep(0.1)
    assert library.progress(document).position == position


@pytest.mark.parametrize("format", ["epub", "text", "pdf", "html"])
def test_citations_mark_exactly_the_words_they_quote(reader: Reader, books: Library, format: str) -> None:
    document = of(books, format)
    text = books.text(document).text
    drawn = {"image"}  # its words are not on the page
    blocks = [b for b in books.read(document).blocks if b.kind not in drawn and b.start is not None]
    found = [m for b in blocks for m in SENTENCES.finditer(text, b.start, b.end)]
    step = max(1, len(found) // 6)
    page = opened(reader, document)
    for sentence in found[::step][:8]:
        words = sentence[0].strip()
        at = text.index(words, sentence.start())
        page.goto(f"{reader.address}/read/{document}?at={at}&end={at + len(words)}")
        page.wait_for_function(
            "words => (document.querySelector('[data-testid=reader-viewer]')?.dataset.marked ?? '')"
            ".replace(/\\s+/g, '') === words",
            arg=re.sub(r"\s+", "", words),
            timeout=10_000,
        )
        shown(page, at)


@pytest.mark.parametrize("format", ["epub", "pdf"])
def test_a_reload_shows_the_sentence_that_was_read(reader: Reader, books: Library, format: str) -> None:
    document = of(books, format)
    page = opened(reader, document, "" if format == "pdf" else f"?at={len(books.text(document).text) // 3}")
    for _ in range(1 if format == "pdf" else 3):
        first = turned(page)
    kept(books, document, first)
    page.reload()
    shown(page, first)
    assert books.progress(document).position == first


def test_the_place_is_kept_when_the_page_is_left_at_once(reader: Reader, books: Library) -> None:
    document = of(books, "epub")
    page = opened(reader, document, "?at=20000")
    first = turned(page)
    page.goto(reader.address + "/settings")
    kept(books, document, first)


def test_larger_letters_and_a_narrow_window_keep_the_sentence_on_the_screen(reader: Reader, books: Library) -> None:
    text = books.text(of(books, "epub")).text
    at = text.index("Time Traveller", 60_000)
    page = opened(reader, of(books, "epub"), f"?at={at}")
    page.evaluate("() => localStorage.setItem('glossator', JSON.stringify({reading: {size: 26}}))")
    page.reload()
    shown(page, at)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.wait_for_timeout(900)
    shown(page, at)


def test_selected_words_become_a_highlight_that_opens_its_note(reader: Reader, books: Library) -> None:
    document = of(books, "epub")
    text = books.text(document).text
    at = text.index("The Time Traveller")
    page = opened(reader, document, f"?at={at}")
    frame = next(f for f in page.frames if f.query_selector("p") is not None and f != page.main_frame)
    box = frame.evaluate(
        """() => {
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
            while (walk.nextNode()) {
                const found = walk.currentNode.data.indexOf('The Time Traveller')
                if (found < 0) continue
                const range = document.createRange()
                range.setStart(walk.currentNode, found)
                range.setEnd(walk.currentNode, found + 18)
                const selection = getSelection()
                selection.removeAllRanges()
                selection.addRange(range)
                return range.toString()
            }
        }"""
    )
    assert box == "The Time Traveller"
    page.get_by_role("button", name="Highlight in green").click()
    for _ in range(50):
        notes = books.notes.list(docs=[document]).notes
        if notes:
            break
        page.wait_for_timeout(100)
    assert notes[0].quote == "The Time Traveller"
    assert notes[0].color == "green"
    page.get_by_role("button", name="Notes").first.click()
    page.get_by_test_id("notes-panel").get_by_text("The Time Traveller").first.wait_for()


def test_words_are_found_in_the_book_one_after_another(reader: Reader, books: Library) -> None:
    page = opened(reader, of(books, "epub"))
    page.get_by_role("button", name="Find in the book").first.click()
    page.get_by_label("Words to find").fill("Weena")
    panel = page.get_by_test_id("find-panel")
    panel.get_by_text(re.compile(r"\d+ (of|matches)")).first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => /^weena$/i.test(document.querySelector('[data-testid=reader-viewer]').dataset.marked ?? '')"
    )


def test_titles_ahead_are_hidden_while_spoilers_are(reader: Reader, books: Library) -> None:
    document = of(books, "text")
    contents = books.show(document).contents
    middle = contents[len(contents) // 2]
    books.progress(document, at=middle.start, spoilers="hide")
    page = opened(reader, document)
    page.get_by_role("button", name="Contents").first.click()
    panel = page.get_by_test_id("contents-panel")
    panel.wait_for()
    last = contents[-1]
    panel.get_by_text(f"Section {last.number}, not read yet").wait_for()
    assert last.title not in panel.inner_text()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("theme", ["light", "sepia", "dark"])
def test_the_reader_has_no_serious_fault_of_access(
    reader: Reader, books: Library, size: dict[str, int], theme: str
) -> None:
    page = opened(reader, of(books, "epub"), "?at=9000", size=size)
    page.evaluate("theme => localStorage.setItem('glossator', JSON.stringify({theme}))", theme)
    page.reload()
    page.wait_for_function(READY)
    page.wait_for_timeout(300)
    assert violations(page) == []


def test_a_book_is_read_by_keyboard_alone(reader: Reader, books: Library) -> None:
    page = opened(reader, of(books, "epub"), "?at=20000")
    page.keyboard.press("Tab")
    forward = turned(page, "ArrowRight")
    assert turned(page, "ArrowLeft") < forward


def test_a_chinese_reader_is_spoken_to_in_chinese(reader: Reader, books: Library) -> None:
    page = opened(reader, of(books, "text"), locale="zh-CN")
    assert page.locator("html").get_attribute("lang") == "zh"
    page.get_by_role("button", name="目录").first.wait_for()
