"""The cheap path for small models: what they reply is read generously and believed only as far as the passage goes."""

from collections.abc import Iterator

import pytest

from glossator.agent.json_path import PASSAGES, Reply, check, parse, request, retrieve, schema
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


def test_a_question_that_nothing_answers_is_not_asked(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    assert retrieve(reader, "What did Eleanor find under the third stair?").relevant
    assert not retrieve(reader, "How do enzymes lower activation energy?").relevant


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
