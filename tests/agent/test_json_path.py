"""The cheap path for small models: what they reply is read generously and believed only as far as the passage goes."""

from collections.abc import Iterator

import pytest

from glossator.agent.json_path import PASSAGES, Reply, bears, check, parse, request, retrieve, schema, shown
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library import books

OPEN = Bound(uncapped=True)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("json")
    with Library.open(folder / "library", embedder="none") as library:
        library.add([str(books.island(folder)), str(books.stone(folder))])
        yield library


@pytest.mark.parametrize(
    "text",
    [
        '{"passage": 1, "quote": "q", "answer": "a"}',
        'Sure!\n```json\n{"passage": 1, "quote": "q", "answer": "a"}\n```',
        '{"passage": "1", "quote": "q", "answer": "a"} and more',
    ],
)
def test_a_reply_is_found_in_what_a_model_writes(text: str) -> None:
    assert parse(text) == Reply(1, "q", "a")


@pytest.mark.parametrize(
    "text", ["", "I think so.", '{"passage": "one"}', "[1, 2]", '{"passage": true}', '{"passage": 1']
)
def test_what_is_no_reply_is_none(text: str) -> None:
    assert parse(text) is None


def test_the_schema_knows_how_many_passages_there_are() -> None:
    assert schema(2)["properties"]["passage"]["maximum"] == 2
    assert schema(PASSAGES)["required"] == ["passage", "quote", "answer"]


def test_passages_are_numbered_and_on_one_line_each() -> None:
    assert request(" Who? ", ["a\nb", "c"]) == "[1] a b\n[2] c\n\nQuestion: Who?"


@pytest.mark.parametrize(
    ("question", "worth_it"),
    [
        ("What did Eleanor find under the third stair?", True),
        ("What happened because Eleanor found the letter under the third stair?", True),
        ("How do enzymes lower activation energy?", False),
        ("What did Eleanor do with the elephant in Vienna?", False),
        ("酶怎样降低反应的活化能？", False),
    ],
)
def test_only_a_question_that_is_held_by_what_was_found_is_asked(shelf: Library, question: str, worth_it: bool) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = shown(reader, question, retrieve(reader, question).passages)
    assert bears(reader, question, passages) is worth_it
    assert not bears(reader, question, [])


def test_a_small_model_is_shown_whole_sentences_around_the_likeliest_and_not_much(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    question = "What did Eleanor find under the third stair?"
    found = retrieve(reader, question).passages
    windows = shown(reader, question, found)
    assert 0 < len(windows) <= PASSAGES
    assert "letter sealed with green wax" in reader.text(*windows[0])
    assert all(any(d == k and a <= s and e <= b for k, a, b in found) for d, s, e in windows)
    assert all(a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1] for n, a in enumerate(windows) for b in windows[:n])


def test_a_good_reply_is_shown_with_its_receipt(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = retrieve(reader, "What did Eleanor find under the third stair?", PASSAGES).passages
    found = check(Reply(1, "Eleanor found a letter sealed with green wax", "A letter."), passages, reader)
    assert found is not None
    assert found.text == "A letter. “Eleanor found a letter sealed with green wax” [1]"
    assert found.citations[0].status == "verified"


def test_an_invented_quotation_gives_way_to_the_sentence_that_bears_the_answer_out(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = retrieve(reader, "What did Eleanor find under the third stair?", PASSAGES).passages
    found = check(Reply(1, "Eleanor found a golden crown", "Eleanor found a letter sealed with wax."), passages, reader)
    assert found is not None
    assert "crown" not in found.text
    assert found.citations[0].quote.startswith("Under the third stair")


def test_a_reply_that_nothing_bears_out_is_none(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = retrieve(reader, "What did Eleanor find under the third stair?", PASSAGES).passages
    assert check(Reply(1, "the moon is made of cheese", "Cheese of the moon."), passages, reader) is None
    assert check(Reply(0, "", ""), passages, reader) is None
    assert check(Reply(9, "x", "y"), passages, reader) is None


def test_a_number_that_the_passage_does_not_have_is_not_passed_on(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = retrieve(reader, "What did Eleanor find under the third stair?", PASSAGES).passages
    found = check(Reply(1, "a letter sealed with green wax", "It was found in 1999."), passages, reader)
    assert found is not None
    assert "1999" not in found.text
