"""The shelf in the browser: found, added, sorted, removed; the page of a document; settings."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from glossator.library.library import Library
from tests.web.conftest import DESK, PHONE, Reader, violations

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

WAX = "# Wax\n\nWax is made by young bees in summer, and cells are built of it.\n"


def books(page: "Page") -> "Locator":
    return page.get_by_test_id("shelf-document")


def add(page: "Page", *files: Path) -> None:
    page.get_by_test_id("add-button").click()
    page.get_by_test_id("add-files").set_input_files([str(f) for f in files])
    page.locator("[data-testid=tray-item]").nth(len(files) - 1).wait_for()
    page.wait_for_function(
        "() => [...document.querySelectorAll('[data-testid=tray-item]')]"
        ".every(item => ['done', 'failed'].includes(item.dataset.state))",
        timeout=60_000,
    )


def test_titles_and_passages_are_found_as_one_types(reader: Reader, stone: str) -> None:
    page = reader.page("/")
    books(page).nth(1).wait_for()
    page.get_by_test_id("shelf-search").fill("石猴")
    page.wait_for_function("() => document.querySelectorAll('[data-testid=shelf-document]').length === 1")
    assert books(page).get_attribute("data-document") == stone
    page.get_by_test_id("shelf-search").fill("green wax")
    page.get_by_test_id("shelf-hit").locator("mark").get_by_text("wax", exact=True).first.wait_for()
    assert books(page).count() == 0


def test_a_book_is_reached_and_opened_by_arrows_alone(reader: Reader) -> None:
    page = reader.page("/")
    books(page).nth(1).wait_for()
    page.locator("[data-open]").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.activeElement.closest('[data-index]')?.dataset.index === '1'")
    second = books(page).nth(1).get_attribute("data-document")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/read/{second}")


def test_files_are_added_and_a_damaged_one_says_what_to_do(reader: Reader, shelf: Library, tmp_path: Path) -> None:
    (tmp_path / "wax.md").write_text(WAX, "utf-8")
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    page = reader.page("/")
    books(page).first.wait_for()
    add(page, tmp_path / "wax.md", tmp_path / "torn.pdf")
    good, bad = page.get_by_test_id("tray-item").all()
    assert "Added" in good.inner_text()
    assert bad.get_attribute("data-state") == "failed"
    assert "download it again" in bad.inner_text()
    assert "originals" not in bad.inner_text()
    books(page).filter(has_text="Wax").wait_for()
    assert len(shelf.documents().documents) == 3


def test_files_dropped_anywhere_are_added_and_followed_after_a_reload(reader: Reader, shelf: Library) -> None:
    page = reader.page("/settings")
    page.get_by_role("heading", name="Settings", exact=True).wait_for()
    dropped = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'wax.md')); return data }", WAX
    )
    page.dispatch_event("main", "dragenter", {"dataTransfer": dropped})
    page.get_by_text("Drop to add to the library").wait_for()
    page.dispatch_event("main", "drop", {"dataTransfer": dropped})
    page.get_by_test_id("tray-item").wait_for()
    page.reload()
    page.goto(f"{reader.address}/")
    books(page).filter(has_text="Wax").wait_for(timeout=60_000)
    assert len(shelf.documents().documents) == 3


def test_documents_are_sorted_into_a_new_collection_and_shown_by_it(reader: Reader, shelf: Library, stone: str) -> None:
    page = reader.page("/")
    books(page).nth(1).wait_for()
    card = page.locator(f"[data-document='{stone}']")
    card.get_by_role("button").click()
    page.get_by_role("menuitem", name="Collections").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("New collection").fill("Old tales")
    dialog.get_by_role("button", name="Add").click()
    dialog.get_by_role("checkbox", name="Old tales").wait_for()
    page.keyboard.press("Escape")
    page.get_by_label("Collection", exact=True).select_option("Old tales")
    page.wait_for_function("() => document.querySelectorAll('[data-testid=shelf-document]').length === 1")
    assert [d.id for d in shelf.documents("Old tales").documents] == [stone]


def test_a_removed_document_leaves_its_notes_unless_they_are_to_go(reader: Reader, shelf: Library, island: str) -> None:
    shelf.notes.add(island, quote="sealed with green wax", body="whose seal?")
    page = reader.page("/")
    page.locator(f"[data-document='{island}']").get_by_role("button").click()
    page.get_by_role("menuitem", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    page.get_by_text("One document removed").wait_for()
    page.locator(f"[data-document='{island}']").wait_for(state="detached")
    assert [n.body for n in shelf.notes.list().notes] == ["whose seal?"]


def test_the_page_of_a_document_hides_what_comes_later_until_it_is_asked_not_to(
    reader: Reader, shelf: Library, island: str
) -> None:
    shelf.progress(island, at=300)
    page = reader.page(f"/document/{island}")
    switch = page.get_by_role("switch", name="Hide what comes later")
    switch.wait_for()
    assert switch.get_attribute("aria-checked") == "true"
    page.get_by_text("hidden until you get there").wait_for()
    switch.click()
    page.get_by_text("hidden until you get there").wait_for(state="detached")
    assert shelf.progress(island).spoilers == "show"


def test_metadata_are_corrected_and_the_shelf_shows_it(reader: Reader, shelf: Library, island: str) -> None:
    page = reader.page(f"/document/{island}")
    page.get_by_label("Edit details").click()
    page.get_by_label("Title", exact=True).fill("The Long Island")
    page.get_by_label("Authors").fill("Ada Hale; Wen Zhang")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="The Long Island").wait_for()
    found = next(d for d in shelf.documents().documents if d.id == island)
    assert (found.title, found.authors) == ("The Long Island", ("Ada Hale", "Wen Zhang"))


def test_settings_speak_the_other_language_at_once_and_after_a_reload(reader: Reader) -> None:
    page = reader.page("/settings")
    page.get_by_role("button", name="中文").click()
    page.get_by_role("heading", name="外观").wait_for()
    page.reload()
    page.get_by_role("heading", name="外观").wait_for()


def test_a_model_that_is_named_is_checked_and_its_trouble_told(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOSSATOR_MODEL", "ollama:nothing")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    page = reader.page("/settings")
    page.get_by_role("button", name="Check ollama:nothing").click()
    page.locator("#models .text-bad").wait_for(timeout=60_000)


def test_the_place_on_the_shelf_is_kept_when_one_comes_back(reader: Reader, shelf: Library, tmp_path: Path) -> None:
    for n in range(24):
        (tmp_path / f"{n}.md").write_text(f"# Volume {n}\n\nBees of year {n}.\n", "utf-8")
    shelf.add([str(tmp_path / f"{n}.md") for n in range(24)])
    page = reader.page("/", size=PHONE)
    books(page).first.wait_for()
    page.evaluate("() => { document.getElementById('main').scrollTop = 700 }")
    page.wait_for_timeout(300)
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("heading", name="Appearance").wait_for()
    page.go_back()
    books(page).first.wait_for()
    page.wait_for_function("() => document.getElementById('main').scrollTop === 700")


@pytest.mark.parametrize("theme", ["light", "sepia", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_library_and_settings_are_accessible_and_fit_the_screen(
    reader: Reader, shelf: Library, island: str, theme: str, size: dict[str, int]
) -> None:
    shelf.progress(island, at=300)
    page = reader.page("/", size=size)
    page.evaluate("theme => localStorage.setItem('glossator', JSON.stringify({theme}))", theme)
    for path in ("/", f"/document/{island}", "/collections", "/statistics", "/settings"):
        page.goto(reader.address + path)
        page.get_by_role("heading", level=1).first.wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        page.evaluate("() => document.querySelectorAll('main details').forEach(one => { one.open = true })")
        page.wait_for_load_state("networkidle")
        assert violations(page) == []
        wider = "() => { const m = document.getElementById('main'); return m.scrollWidth - m.clientWidth }"
        assert page.evaluate(wider) <= 0
