"""Searching in the browser: words marked, hits opened by keyboard, claims and quotations held against the library."""

import pytest

from tests.web.conftest import DESK, PHONE, Reader, violations

LETTER = "Under the third stair Eleanor found a letter sealed with green wax."


def test_what_is_typed_is_found_marked_and_kept_in_the_address(reader: Reader) -> None:
    page = reader.page("/search")
    page.get_by_test_id("search-input").fill("letters")
    hit = page.get_by_test_id("search-hit").first
    hit.wait_for()
    assert page.url.endswith("/search?q=letters")
    assert set(hit.locator("mark").all_inner_texts()) <= {"letter", "Letter"}
    page.reload()
    page.get_by_test_id("search-hit").first.wait_for()
    assert page.get_by_test_id("search-input").input_value() == "letters"


def test_a_query_in_traditional_characters_marks_the_simplified_ones(reader: Reader) -> None:
    page = reader.page("/search?q=石猴稱王", locale="zh-CN")
    marks = page.get_by_test_id("search-hit").locator("mark")
    marks.first.wait_for()
    assert "石猴" in marks.all_inner_texts()


def test_hits_are_opened_by_keyboard_alone_and_the_passage_is_marked(reader: Reader) -> None:
    page = reader.page("/search")
    page.get_by_test_id("search-input").fill("sealed with green wax")
    hit = page.get_by_test_id("search-hit").first
    hit.wait_for()
    start = hit.get_attribute("data-start")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/read/**")
    page.locator("[data-testid=reader-viewer][data-marked]:not([data-marked=''])").wait_for()
    marked = page.get_by_test_id("reader-viewer").get_attribute("data-marked") or ""
    assert LETTER in " ".join(marked.split())
    page.go_back()
    page.get_by_test_id("search-hit").first.wait_for()
    assert page.get_by_test_id("search-hit").first.get_attribute("data-start") == start


def test_how_a_passage_was_found_and_why_a_document_was_not_is_told(reader: Reader, stone: str) -> None:
    page = reader.page(f"/search?q=letter&explain=true&why_not={stone}")
    page.get_by_test_id("search-trace").first.wait_for()
    assert "By words" in page.get_by_test_id("search-trace").first.inner_text()
    page.get_by_text("No passage of it that may be shown fits the words.").wait_for()


def test_a_claim_is_held_against_all_documents(reader: Reader) -> None:
    page = reader.page("/search?claim=Eleanor+found+a+letter.")
    row = page.get_by_test_id("compare-table").get_by_role("row").nth(1)
    row.wait_for()
    assert "Says so" in row.inner_text()
    assert LETTER in row.inner_text()


@pytest.mark.parametrize(
    ("quote", "status", "told"),
    [
        (LETTER, "verified", "Found word for word"),
        (LETTER.lower(), "repaired", "capital letters"),
        ("Eleanor burned the map at noon.", "not_found", "Not found"),
    ],
)
def test_a_quotation_is_judged_and_its_place_shown(reader: Reader, quote: str, status: str, told: str) -> None:
    page = reader.page("/search?quote=")
    page.get_by_test_id("quote-input").fill(quote)
    page.keyboard.press("Enter")
    verdict = page.get_by_test_id("quote-verdict")
    verdict.wait_for()
    assert verdict.get_attribute("data-status") == status
    assert told in verdict.inner_text()
    assert (verdict.locator("mark").all_inner_texts() == [LETTER]) is (status != "not_found")


def test_what_was_not_read_yet_is_found_only_when_it_is_asked_for(reader: Reader, island: str) -> None:
    assert reader.web.post("/api/progress", {"doc": island, "at": 212}).status == 200
    page = reader.page("/search?q=wax")
    page.get_by_text("What comes later is hidden.").wait_for()
    assert page.get_by_test_id("search-hit").count() == 0
    assert "--uncapped" not in page.locator("main").inner_text()
    page.get_by_label("Also what I have not read yet").check()
    page.get_by_test_id("search-hit").first.wait_for()


def test_searches_are_remembered_in_this_browser_and_forgotten_on_request(reader: Reader) -> None:
    page = reader.page("/search")
    page.get_by_test_id("search-input").fill("lantern")
    page.keyboard.press("Enter")
    page.get_by_test_id("search-hit").first.wait_for()
    page.goto(f"{reader.address}/search")
    page.get_by_role("button", name="lantern").click()
    page.wait_for_url("**/search?q=lantern")
    page.goto(f"{reader.address}/search")
    page.get_by_role("button", name="Clear the list").click()
    assert page.get_by_role("button", name="lantern").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_way_of_searching_has_a_serious_fault_of_access(reader: Reader, size: dict[str, int], theme: str) -> None:
    page = reader.page("/search", size=size, color_scheme=theme)
    found = {}
    for query, seen in (
        ("q=letter&explain=true", "search-trace"),
        ("claim=Eleanor+found+a+letter.", "compare-table"),
        (f"quote={LETTER}", "quote-verdict"),
    ):
        page.goto(f"{reader.address}/search?{query}")
        page.get_by_test_id(seen).first.wait_for()
        found[query] = violations(page)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), query
    assert not any(found.values()), found
