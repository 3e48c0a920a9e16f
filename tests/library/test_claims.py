"""What a file claims: the quotations in it and the places they are attributed to."""

import json
from pathlib import Path

import pytest

from glossator.errors import NotFound, SourceError
from glossator.library.claims import Claim, claims_in, claims_of_file

LINK = "glossator://document/abcd1234?start=10&end=20&sha=ff00"


def test_a_markdown_quotation_claims_the_link_that_follows_it() -> None:
    text = f"As the book says: “the sea was calm that night” ([Title, 3]({LINK})), and so it was."
    assert claims_in(text) == [Claim("the sea was calm that night", "abcd1234", 10, "ff00")]


def test_each_link_belongs_to_the_nearest_quotation_before_it() -> None:
    text = f"“first words of the book” stand alone. “second words of the book” [x]({LINK}) end it."
    assert claims_in(text) == [
        Claim("first words of the book"),
        Claim("second words of the book", "abcd1234", 10, "ff00"),
    ]


def test_a_link_in_another_paragraph_claims_nothing() -> None:
    text = f"“some words of a book here”\n\nAnother paragraph.\n\n[x]({LINK})"
    assert claims_in(text) == [Claim("some words of a book here")]


def test_a_block_quotation_claims_the_link_under_it() -> None:
    text = f"> the sea was calm that night\n\n[Title]({LINK})\n"
    assert claims_in(text) == [Claim("the sea was calm that night", "abcd1234", 10, "ff00")]


def test_an_answer_as_json_claims_its_citations_and_what_else_it_quotes() -> None:
    answer = {
        "answer": "“the sea was calm” [1], and “nobody ever wrote this here”",
        "citations": [
            {
                "n": 1,
                "quote": "the sea was calm",
                "document": {"id": "abcd1234"},
                "locator": {"document": "abcd1234", "start": 10, "end": 26},
            }
        ],
        "rejected": [{"quote": "withheld", "status": "not_found"}],
    }
    assert claims_in(json.dumps(answer)) == [
        Claim("nobody ever wrote this here"),
        Claim("the sea was calm", "abcd1234", 10),
    ]


def test_hits_of_a_search_and_lines_of_a_batch_are_read() -> None:
    hit = {"hits": [{"text": "the sea was calm", "locator": {"document": "abcd1234", "start": 10}}]}
    lines = json.dumps({"id": 1, "result": hit}) + "\n" + json.dumps({"id": 2, "error": {"code": "usage"}})
    assert claims_in(lines) == [Claim("the sea was calm", "abcd1234", 10)]


def test_json_of_others_claims_nothing() -> None:
    assert claims_in('{"name": "glossator", "version": [1, 2, {"deep": {"text": "no locator"}}]}') == []


def test_json_nested_deeper_than_python_is_survived() -> None:
    assert claims_in("[" * 100_000 + "]" * 100_000) == []


@pytest.mark.parametrize(
    ("data", "error"), [(None, NotFound), (b"\xff\xfe\x00\xd8 \x80", SourceError)], ids=["missing", "no UTF-8"]
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, data: bytes | None, error: type[Exception]) -> None:
    path = tmp_path / "notes.md"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(error, match=r"notes\.md"):
        claims_of_file(path)


def test_what_stands_inside_a_citation_is_not_claimed_twice() -> None:
    answer = {
        "answer": "“Go,” he said, “and be quick.” [1]",
        "citations": [{"quote": "“Go,” he said, “and be quick.”", "locator": {"document": "abcd1234", "start": 3}}],
    }
    assert claims_in(json.dumps(answer)) == [Claim("“Go,” he said, “and be quick.”", "abcd1234", 3)]


@pytest.mark.parametrize(
    "broken", ['{"answer": "He said “no man', "He said “no man is an island” once.", '[1,\n{"a"}]']
)
def test_a_file_that_is_json_by_its_name_only_is_refused(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "answer.json"
    path.write_text(broken, "utf-8")
    with pytest.raises(SourceError, match="not valid JSON"):
        claims_of_file(path)
    plain = path.rename(tmp_path / "answer.txt")
    claims_of_file(plain)
