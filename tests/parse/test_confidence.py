from hypothesis import given
from hypothesis import strategies as st

from glossator.parse.confidence import QUARANTINE_BELOW, assess


def test_a_clean_text_is_trusted_without_reasons() -> None:
    assert assess("All is well. 一切都好。\n\tЯ.") == (1.0, ())


def test_no_text_is_no_document() -> None:
    assert assess(" \n\t ") == (0.0, ("there is no text",))


def test_half_a_page_of_unmapped_glyphs_is_quarantined_with_the_reason() -> None:
    confidence, reasons = assess("ab\ufffd\ue000" * 50)
    assert confidence < QUARANTINE_BELOW
    assert reasons == (
        "25.0% of the characters could not be decoded",
        "25.0% of the characters are private glyphs without a meaning",
    )


def test_a_stray_control_character_costs_nothing() -> None:
    assert assess("word " * 1000 + "\x01") == (1.0, ())


def test_bytes_that_left_no_trace_in_the_text_count_too() -> None:
    assert assess("x" * 100, undecodable=15)[0] < QUARANTINE_BELOW


def test_empty_pages_take_their_share() -> None:
    assert assess("text", pages=(4, 0, 0, 0)) == (0.25, ("3 of 4 pages have no text",))


@given(st.text(), st.integers(0, 100), st.lists(st.integers(0, 9)))
def test_confidence_is_a_share(text: str, undecodable: int, pages: list[int]) -> None:
    confidence, reasons = assess(text, undecodable=undecodable, pages=pages)
    assert 0.0 <= confidence <= 1.0
    assert bool(reasons) == (confidence < 1.0)
