"""Which words of a text are quotations."""

import pytest

from glossator.document.quoted import quotations_in, split_ellipsis


def quotes(text: str) -> list[str]:
    found = quotations_in(text)
    assert all(0 <= start < end <= len(text) for start, end, _ in found)
    return [quote for _, _, quote in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He said “go home” and left.", ["go home"]),
        ('He said "go home" and "stay".', ["go home", "stay"]),
        ("He said ‘go home’, didn’t he?", ["go home"]),
        ("Er sagte „geh heim“ und »bleib«.", ["geh heim", "bleib"]),
        ("Il dit « va » et ‹ reste ›.", [" va ", " reste "]),
        ("他说：“走吧。”又说「别走」。", ["走吧。", "别走"]),
        ("彼は『草枕』と言った。", ["草枕"]),
        ("“He said ‘no’ twice,” she said.", ["He said ‘no’ twice,"]),
        ("「外に「内」がある」", ["外に「内」がある"]),
        ("It’s the dogs’ dinner, isn't it?", []),
        ("rock 'n' roll", []),
        ('6" by 4" nails', []),
        ("an “unterminated quotation", []),
        ("“one paragraph\n\nanother”", []),
        ('code `say "hi"` is none', []),
        ('```\nprint("hello")\n```\nbut "this" is', ["this"]),
        ("“…”", []),
        ("", []),
    ],
)
def test_quotation_marks_of_many_languages_are_known(text: str, expected: list[str]) -> None:
    assert quotes(text) == expected


def test_the_span_is_what_stands_between_the_marks() -> None:
    text = "He said “go home” and left."
    start, end, quote = quotations_in(text)[0]
    assert text[start:end] == quote


def test_a_block_quote_is_a_quotation_without_markers_link_and_attribution() -> None:
    text = (
        "Before.\n\n"
        "> It was a dark\n"
        "> and stormy night. [1](glossator://document/abcd?start=1&end=2&sha=ff)\n"
        "> — Bulwer-Lytton, *Paul Clifford*\n\n"
        "After “this”."
    )
    assert quotes(text) == ["It was a dark\nand stormy night.", "this"]
    start, end, _ = quotations_in(text)[0]
    assert text[start:end].startswith("> It was")


def test_a_block_quote_in_quotation_marks_loses_them() -> None:
    assert quotes("> “It was a dark night.”\n") == ["It was a dark night."]


def test_a_quotation_is_split_at_its_ellipses() -> None:
    assert split_ellipsis("the first part … the second part [...] and the third") == [
        "the first part",
        "the second part",
        "and the third",
    ]
    assert split_ellipsis("却说那女娲氏……单单剩下一块") == ["却说那女娲氏", "单单剩下一块"]


def test_parts_of_a_word_or_two_are_too_little() -> None:
    assert split_ellipsis("I … you and me together") == []
