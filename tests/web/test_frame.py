"""The frame: it opens, goes everywhere by keyboard, and no view has a serious fault of access."""

import pytest

from tests.web.conftest import DESK, PHONE, Reader, violations

VIEWS = ("/", "/search", "/chat", "/notes", "/settings", "/nowhere")


@pytest.mark.parametrize("theme", ["light", "sepia", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_view_has_a_serious_fault_of_access(reader: Reader, size: dict[str, int], theme: str) -> None:
    page = reader.page("/", size=size)
    page.evaluate("theme => localStorage.setItem('glossator', JSON.stringify({theme}))", theme)
    found = {}
    for view in VIEWS:
        page.goto(reader.address + view)
        page.wait_for_load_state("networkidle")
        found[view] = violations(page)
    assert not any(found.values()), found


def test_the_frame_speaks_the_language_of_the_browser(reader: Reader) -> None:
    page = reader.page("/", locale="zh-CN")
    page.get_by_role("link", name="书库").wait_for()
    assert page.locator("html").get_attribute("lang") == "zh"


def test_every_place_is_reached_by_keyboard_alone(reader: Reader) -> None:
    page = reader.page("/")
    link = page.get_by_role("navigation").get_by_role("link", name="Search")
    link.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if link.evaluate("e => e === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/search")
