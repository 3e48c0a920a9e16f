"""The map of a document, its summaries and names, the palette: in the browser."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.web.conftest import DESK, PHONE, Reader, violations


def test_a_node_of_the_map_leads_to_its_place(reader: Reader, island: str) -> None:
    page = reader.page(f"/map/{island}")
    page.get_by_test_id("map-view").get_by_text("The Betrayal", exact=True).click()
    page.wait_for_url("**/read/**at=398**")
    page.locator("[data-testid=reader-viewer][data-marked='The Betrayal']").wait_for()


def test_the_map_is_walked_and_unfolded_by_keyboard(reader: Reader, island: str) -> None:
    page = reader.page(f"/map/{island}")
    root = page.get_by_role("treeitem", name="The Island", exact=True).first
    root.wait_for()
    root.focus()
    here = "() => document.activeElement.getAttribute('data-path')"
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.activeElement.getAttribute('aria-expanded') === 'false'")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.activeElement.getAttribute('aria-expanded') === 'true'")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(here) == "0.0"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(here) == "0.0"
    page.keyboard.press("Enter")
    page.wait_for_url("**/read/**")


@pytest.mark.parametrize("form", ["SVG", "PNG", "Markdown"])
def test_the_whole_map_is_saved_as_a_file(reader: Reader, island: str, form: str, tmp_path: Path) -> None:
    page = reader.page(f"/map/{island}", size=PHONE)
    page.get_by_role("button", name="Save the map").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=form).click()
    path = tmp_path / "map"
    download.value.save_as(path)
    data = path.read_bytes()
    if form == "PNG":
        assert data.startswith(b"\x89PNG")
        return
    text = data.decode()
    assert all(title in text for title in ("Arrival", "The Letter", "The Betrayal"))
    if form == "SVG":
        assert ElementTree.fromstring(text).tag.endswith("svg")


def test_chapters_are_summed_up_one_after_another_with_coverage(reader: Reader, island: str) -> None:
    page = reader.page(f"/map/{island}?view=summaries")
    page.get_by_test_id("summary-point").first.wait_for()
    page.get_by_role("button", name="Summarise all").click()
    page.get_by_role("button", name="The Betrayal Hide").wait_for()
    point = page.get_by_test_id("summary-point").last
    point.wait_for()
    text = point.inner_text()
    assert page.get_by_role("img", name="was read for this").count() > 1
    point.click()
    page.locator("[data-testid=reader-viewer][data-marked]:not([data-marked=''])").wait_for()
    marked = page.get_by_test_id("reader-viewer").get_attribute("data-marked") or ""
    assert " ".join(marked.split()) == text


def test_names_lead_to_where_they_are_first_met(reader: Reader, island: str) -> None:
    page = reader.page(f"/map/{island}?view=people")
    page.get_by_test_id("person").filter(has_text="Eleanor").click()
    page.locator("[data-testid=reader-viewer][data-marked='Eleanor']").wait_for()


def test_nothing_past_what_was_read_is_in_any_of_these_views(reader: Reader, island: str) -> None:
    assert reader.web.post("/api/progress", {"doc": island, "at": 212}).status == 200
    page = reader.page(f"/map/{island}")
    for view, seen in (("map", "Arrival"), ("summaries", "The story so far"), ("people", "read up to")):
        page.goto(f"{reader.address}/map/{island}?view={view}")
        page.get_by_text(seen).first.wait_for()
        page.wait_for_load_state("networkidle")
        assert not {"Betrayal", "Eleanor", "Thorne", "wax"} & set(page.content().replace(".", " ").split()), view
        assert page.get_by_label("Also what I have not read yet").is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_view_of_a_document_has_a_serious_fault_of_access(
    reader: Reader, island: str, size: dict[str, int], theme: str
) -> None:
    page = reader.page("/", size=size, color_scheme=theme)
    found = {}
    for view, seen in (("map", "map-node"), ("summaries", "summary-point"), ("people", "person")):
        page.goto(f"{reader.address}/map/{island}?view={view}")
        page.get_by_test_id(seen).first.wait_for()
        found[view] = violations(page)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), view
    assert not any(found.values()), found


def test_the_palette_goes_to_a_document_and_the_keys_are_listed(reader: Reader, island: str) -> None:
    page = reader.page("/notes")
    page.get_by_role("navigation").first.wait_for()
    page.keyboard.press("Control+k")
    page.get_by_test_id("palette").wait_for()
    page.keyboard.type("isl")
    page.get_by_role("option", name="The Island").wait_for()
    assert not violations(page)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/read/{island}")
    page.goto(f"{reader.address}/search")
    page.get_by_role("link", name="Search").first.focus()
    page.keyboard.press("?")
    page.get_by_test_id("shortcuts").wait_for()
    assert not violations(page)
    page.keyboard.press("Escape")
    page.get_by_test_id("shortcuts").wait_for(state="hidden")
