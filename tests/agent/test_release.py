"""Text leaves sentence by sentence, whole, and none is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.agent.release import Release, split, unchecked

ANSWER = (
    'She hid it. The book says "She hid it in her glove. She said nothing." [1] Then Dr. Smith left!\n\n'
    "石猴出世。书中说：“一日迸裂，产一石卵。化作一个石猴。”[2] 好。"
)


def released(text: str, size: int) -> list[str]:
    release = Release(unchecked)
    found = [c.text for at in range(0, len(text), size) for c in release.feed(text[at : at + size])]
    return found + [c.text for c in release.finish()]


@pytest.mark.parametrize("size", [1, 2, 7, 1_000])
def test_a_quotation_and_its_number_stay_with_their_sentence_however_the_text_comes(size: int) -> None:
    pieces = released(ANSWER, size)
    assert "".join(released(ANSWER, size)) == ANSWER
    assert any('She hid it in her glove. She said nothing." [1]' in p for p in pieces)
    assert any("一日迸裂，产一石卵。化作一个石猴。”[2]" in p for p in pieces)


def test_a_sentence_leaves_when_the_next_one_begins() -> None:
    release = Release(unchecked)
    assert [c.text for c in release.feed("She hid it in her glove.")] == []
    assert [c.text for c in release.feed(" Then")] == ["She hid it in her glove. "]


def test_a_quotation_mark_that_is_never_closed_holds_nothing_back_for_ever() -> None:
    text = 'He said "and ' + "so it went on. " * 400
    release = Release(unchecked)
    assert "".join(c.text for c in release.feed(text))


@given(st.text(alphabet='ab.。!?"“”「」[1] \n', max_size=80), st.integers(1, 9))
def test_nothing_is_lost_or_changed(text: str, size: int) -> None:
    assert "".join(released(text, size)) == text.rstrip() or "".join(released(text, size)).rstrip() == text.rstrip()
    assert "".join(split(text)) == text
