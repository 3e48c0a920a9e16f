"""Conversations in the browser: with and without a model, beside a book, in two windows, stopped, asked back."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from glossator.library.library import Library
from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Call, Reply, Script, in_turn
from tests.web.conftest import DESK, PHONE, Reader, violations

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

QUOTE = "Under the third stair Eleanor found a letter sealed with green wax."
LOOKS = Reply(calls=(Call("search", {"query": "letter sealed with green wax"}),))
INVENTED = "The pilot was a werewolf from Mars and ate the moon."
ANSWER = Reply(text=f'She found it: "{QUOTE}" [1] Then it says "{INVENTED}" <b onclick="x()">Bold</b>')
SLOW = Reply(text=" ".join(f"Sentence number {n} is here." for n in range(600)), pace=0.05, piece=8)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Script], FakeProvider]]:
    """Give what makes a script the model that is set."""
    with ExitStack() as ends:

        def speaks(script: Script) -> FakeProvider:
            provider = ends.enter_context(FakeProvider(script))
            monkeypatch.setenv("GLOSSATOR_MODEL", "openai-chat:fake")
            monkeypatch.setenv("GLOSSATOR_BASE_URL", provider.url("openai-chat"))
            return provider

        yield speaks


def ask(page: "Page", question: str) -> None:
    page.get_by_test_id("chat-input").fill(question)
    page.keyboard.press("Enter")


def answer(page: "Page", state: str) -> "Locator":
    """Return the last answer, once it is in that state."""
    found = page.locator(f"[data-testid=chat-message][data-role=assistant][data-state={state}]").last
    found.wait_for()
    return found


def marked(page: "Page", words: str) -> None:
    """Wait until exactly these words are marked in the document."""
    page.wait_for_function(
        "words => document.querySelector('[data-testid=reader-viewer]')?.dataset.marked === words", arg=words
    )


def test_without_a_model_every_citation_leads_to_the_words_that_it_quotes(
    reader: Reader, shelf: Library, island: str, stone: str
) -> None:
    page = reader.page("/chat")
    page.get_by_test_id("chat-no-model").wait_for()
    ask(page, "Who found a letter sealed with green wax?")
    answer(page, "done")
    page.wait_for_url("**/chat/*")
    session = page.url
    texts = {name: shelf.text(name).text for name in (island, stone)}
    count = page.get_by_test_id("chat-citation").count()
    assert count > 0
    for n in range(count):
        page.goto(session)
        cited = page.get_by_test_id("chat-citation").nth(n)
        cited.wait_for()
        document = texts[cited.get_attribute("data-document") or ""]
        words = document[int(cited.get_attribute("data-start") or 0) : int(cited.get_attribute("data-end") or 0)]
        assert cited.get_attribute("data-status") == "verified"
        cited.click()
        marked(page, words)


def test_beside_a_book_tools_and_verdicts_are_shown_and_a_click_marks_in_place(
    reader: Reader, island: str, model: Callable[[Script], FakeProvider]
) -> None:
    model(in_turn([LOOKS, ANSWER]))
    page = reader.page(f"/read/{island}")
    page.get_by_role("button", name="Ask about the book").click()
    ask(page, "Who found the letter?")
    said = answer(page, "done")
    assert page.get_by_test_id("tool-card").get_attribute("data-state") == "completed"
    assert said.locator("b").count() == 0  # HTML of a model is text
    assert "werewolf" not in said.inner_text()
    said.get_by_test_id("chat-rejected").get_by_role("button").click()
    assert f"Not found in the text: “{INVENTED}" in said.get_by_test_id("chat-rejected").inner_text()
    said.get_by_test_id("chat-details").get_by_role("button").click()
    said.get_by_text("Nothing left this machine.").wait_for()
    said.get_by_test_id("chat-citation").click()
    marked(page, QUOTE)
    assert f"/read/{island}" in page.url
    assert page.get_by_test_id("chat-panel").is_visible()


def test_an_answer_goes_on_over_a_reload_and_is_stopped_from_another_window(
    reader: Reader, model: Callable[[Script], FakeProvider]
) -> None:
    model(in_turn([SLOW]))
    page = reader.page("/chat")
    ask(page, "Tell me more")
    page.wait_for_url("**/chat/*")
    page.get_by_text("Sentence number 3").wait_for()
    page.reload()
    answer(page, "running").get_by_text("Sentence number 4").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    answer(other, "running").get_by_text("Sentence number 9").wait_for()
    other.get_by_test_id("chat-stop").click()
    assert answer(other, "stopped").text_content() == answer(page, "stopped").text_content()
    page.reload()
    assert "Sentence number 3" in (answer(page, "stopped").text_content() or "")


def test_what_would_change_something_is_asked_about_also_after_a_reload(
    reader: Reader, shelf: Library, model: Callable[[Script], FakeProvider]
) -> None:
    call = Call("classify_documents", {"collection": "Letters", "documents": ["The Island"]})
    model(in_turn([Reply(calls=(call,)), Reply(text="It is done.")]))
    page = reader.page("/chat")
    ask(page, "Put The Island into the collection Letters")
    page.get_by_test_id("chat-approval").wait_for()
    page.wait_for_url("**/chat/*")
    page.reload()
    page.get_by_role("button", name="Allow", exact=True).click()
    answer(page, "done").get_by_text("You allowed it").wait_for()
    assert "Letters" in {c.name for c in shelf.shelves.collections().collections}


def test_a_failed_answer_says_why_and_is_asked_again(reader: Reader, model: Callable[[Script], FakeProvider]) -> None:
    model(in_turn([Reply(status=401), Reply(text="Here I am.")]))
    page = reader.page("/chat")
    ask(page, "Who?")
    failed = answer(page, "failed")
    assert "OPENAI_API_KEY" in failed.get_by_test_id("chat-error").inner_text()
    failed.get_by_role("button", name="Ask again").click()
    assert "Here I am." in answer(page, "done").inner_text()


def test_the_spoiler_switch_shows_the_bound_and_lifts_it(reader: Reader, shelf: Library, island: str) -> None:
    shelf.progress(island, at=shelf.text(island).text.index("The Betrayal"))
    page = reader.page(f"/chat?doc={island}")
    switch = page.get_by_role("switch")
    switch.get_by_text("up to").wait_for()
    ask(page, "Who cut the anchor rope at midnight?")
    assert "Gregory Thorne" not in answer(page, "done").inner_text()
    page.get_by_test_id("chat-notice").wait_for()
    switch.click()
    assert switch.get_attribute("aria-checked") == "false"
    with page.expect_request("**/api/chat") as request:
        ask(page, "Who cut the anchor rope at midnight?")
    assert request.value.post_data_json["uncapped"] is True
    page.get_by_text("Gregory Thorne").first.wait_for()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_a_conversation_is_accessible(
    reader: Reader, model: Callable[[Script], FakeProvider], size: dict[str, int], locale: str
) -> None:
    model(in_turn([LOOKS, ANSWER]))
    page = reader.page("/chat", size=size, locale=locale)
    ask(page, "Who found the letter?")
    answer(page, "done")
    for theme in ("light", "sepia", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
