"""No secret stands in what is shown or logged."""

import logging
import sys

import pytest

from glossator.scrub import ScrubbedFormatter, remember, scrub


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdefgh1234.",
        "Incorrect API key provided: sk-proj-********1234.",
        "{'Authorization': 'Bearer abcdefgh1234'}",
        "{'x-api-key': 'abcdefgh1234'}",
        "https://user:abcdefgh1234@host/v1",
    ],
)
def test_what_looks_like_a_key_is_taken_out(text: str) -> None:
    assert "1234" not in scrub(text, environment={})


def test_what_is_known_to_be_a_key_is_taken_out_whatever_it_looks_like() -> None:
    remember("correct horse battery")
    assert scrub("it was correct horse battery!", environment={}) == "it was [key]!"
    assert scrub("plainvalue99", environment={"WORK_API_KEY": "plainvalue99"}) == "[key]"


def test_ordinary_text_stays() -> None:
    text = "Ask-me-anything at https://host:80/v1: a task, skies, 请核实 sk-8."
    assert scrub(text, environment={"HOME": "/home/a", "API_KEY": "ask"}) == text


def test_a_logged_traceback_holds_no_key() -> None:
    try:
        raise ValueError("refused sk-abcdefgh1234")
    except ValueError:
        record = logging.LogRecord("glossator", logging.ERROR, "", 0, "failed", None, sys.exc_info())
    line = ScrubbedFormatter("%(message)s").format(record)
    assert "ValueError: refused [key]" in line
