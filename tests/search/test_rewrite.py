"""Rewriting a query: what a model writes is read generously, searched beside the query, and shown in the trace."""

import pytest

from glossator.errors import ModelError
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.search.query import Query
from glossator.search.rewrite import METHODS, PROMPTS, parse, rewrite
from tests.library import books


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("rewrite")
    library = Library.open(folder / "library", embedder="none")
    library.add([str(books.island(folder)), str(books.stone(folder))])
    return library


@pytest.mark.parametrize(
    ("method", "reply", "texts"),
    [
        ("expansion", "boat, vessel，船\nship", ("sea boat vessel 船 ship",)),
        ("expansion", "Sure, here are some terms:\n- boat\n- the sea", ("sea boat the sea",)),
        ("expansion", "sea", ()),
        ("hyde", "```\nThe waves rose.\nThe ship sank.\n```", ("The waves rose. The ship sank.",)),
        ("hyde", "  \n", ()),
        ("multi_query", "1. What is the sea?\n2) Where is it?\n\n- sea\n3. Why?\n4. Too many?", None),
        ("multi_query", "", ()),
    ],
)
def test_a_reply_is_read_without_talk_and_bullets(method: str, reply: str, texts: tuple[str, ...] | None) -> None:
    wanted = ("What is the sea?", "Where is it?", "Why?") if texts is None else texts
    assert parse(reply, "sea", method) == wanted  # type: ignore[arg-type]


def test_each_method_has_a_prompt_and_the_model_gets_the_query() -> None:
    assert set(PROMPTS) == set(METHODS) - {"none"}
    heard: list[tuple[str, str]] = []
    rewrite(Query(text="who hid it"), "hyde", lambda i, t: heard.append((i, t)) or "He hid it.")  # type: ignore[func-returns-value]
    assert heard == [(PROMPTS["hyde"], "who hid it")]


def test_a_reply_with_nothing_in_it_is_an_error_of_the_model() -> None:
    with pytest.raises(ModelError):
        rewrite(Query(text="who hid it"), "multi_query", lambda *_: "…")


@pytest.mark.parametrize("method", ["expansion", "hyde", "multi_query"])
def test_words_of_a_rewriting_find_what_the_query_does_not(shelf: Library, method: str) -> None:
    plain = shelf.search("epistle")
    assert not plain.hits
    found = shelf.search(
        "epistle",
        rewrite=method,
        say=lambda *_: "letter sealed with green wax",
        explain=True,  # type: ignore[arg-type]
    )
    assert "green wax" in found.hits[0].text
    trace = found.hits[0].trace
    assert trace is not None
    assert trace["rewrite"]["method"] == method
    assert "letter" in trace["rewrite"]["queries"][0]
    assert set(trace) >= {"arms", "fusion", "rerank", "filtered"}


def test_scores_fall_with_rank_and_the_querys_own_first_hit_stays_above_a_bad_rewriting(shelf: Library) -> None:
    plain = shelf.search("letter sealed with green wax")
    found = shelf.search("letter sealed with green wax", rewrite="multi_query", say=lambda *_: "lighthouse\nkeeper")
    assert found.hits[0].text == plain.hits[0].text
    scores = [h.score for h in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert len({(h.document.id, h.locator.start) for h in found.hits}) == len(found.hits)


def test_what_a_query_insists_on_holds_for_its_rewritings(shelf: Library) -> None:
    found = shelf.search("letter -wax", rewrite="multi_query", say=lambda *_: "letter sealed with green wax")
    assert found.hits
    assert not any("wax" in h.text for h in found.hits)


def test_a_rewriting_finds_nothing_past_the_bound(shelf: Library) -> None:
    doc = shelf.search("letter sealed with green wax").hits[0].document.id
    start = shelf.locate("letter sealed with green wax").locator.start  # type: ignore[union-attr]
    found = shelf.search(
        "Eleanor", docs=[doc], rewrite="hyde", say=lambda *_: "a letter sealed with green wax", bound=Bound(up_to=start)
    )
    assert not any("green wax" in h.text for h in found.hits)


def test_without_a_model_or_with_one_that_fails_the_query_is_searched_as_it_is_and_that_is_said(
    shelf: Library,
) -> None:
    def fails(*_: str) -> str:
        raise ModelError("no answer", hint="none")

    plain = shelf.search("green wax")
    for say in (None, fails):
        found = shelf.search("green wax", rewrite="expansion", say=say)
        assert [h.text for h in found.hits] == [h.text for h in plain.hits]
        assert found.notice is not None
        assert "as it is" in found.notice
    (line,) = shelf.batch(['{"op": "search", "query": "green wax", "rewrite": "hyde"}'])
    assert "as it is" in line.to_json()["result"]["notice"]
