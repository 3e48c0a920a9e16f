import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.parse.encoding import declared_encoding, decode

ENGLISH = "The quick brown fox — “jumps” over the café’s lazy dog, and then it sleeps until the evening. "
CHINESE = "盖闻天地之数，有十二万九千六百岁为一元。将一元分为十二会，乃子、丑、寅、卯、辰、巳之十二支也。"
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で泣いていた。"
RUSSIAN = (
    "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Всё смешалось в доме."
)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\x1b\ufeff")))
def test_utf8_is_read_as_it_was_written(text: str) -> None:
    assert decode(text.encode()).text == text or text.isascii()
    assert decode(codecs.BOM_UTF8 + text.encode()).text == text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_a_byte_order_mark_decides_and_is_no_text(encoding: str) -> None:
    assert decode(ENGLISH.encode(encoding), "iso-8859-1").text == ENGLISH


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [ENGLISH, JAPANESE + "A\n" * 12])
def test_wide_encodings_without_a_mark_are_told_by_their_zeros(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "gb18030"),
        (CHINESE, "gbk"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "cp1251"),
        (ENGLISH, "cp1252"),
    ],
)
def test_legacy_text_is_recognised(text: str, encoding: str) -> None:
    found = decode((text * 3).encode(encoding))
    assert (found.text, found.undecodable) == (text * 3, 0)


def test_a_character_cut_off_at_the_end_leaves_the_rest_utf8() -> None:
    found = decode(CHINESE.encode()[:-1])
    assert found.text == CHINESE[:-1] + "\ufffd"
    assert (found.encoding, found.undecodable) == ("utf-8", 2)


def test_a_latin_text_that_ends_in_an_accent_is_not_a_cut_utf8() -> None:
    assert decode(b"un caf\xe9").text == "un café"


def test_a_few_broken_bytes_in_utf8_are_counted_and_cost_nothing_else() -> None:
    found = decode((CHINESE * 10).encode() + b"\xff" + CHINESE.encode())
    assert found.encoding == "utf-8"
    assert found.undecodable == 1
    assert found.text.replace("\ufffd", "") == CHINESE * 11


def test_a_declaration_is_honoured_when_the_bytes_allow_it() -> None:
    data = "Příliš žluťoučký kůň".encode("cp1250")
    assert decode(data, "windows-1250").text == "Příliš žluťoučký kůň"
    assert decode(CHINESE.encode(), "iso-8859-1").text == CHINESE
    assert decode(CHINESE.encode("gb18030"), "no-such-encoding").text == CHINESE
    assert decode(CHINESE.encode("gb18030"), "rot13").text == CHINESE


def test_subsets_are_read_as_what_is_used_in_practice() -> None:
    assert decode("“smart” €".encode("cp1252"), "iso-8859-1").text == "“smart” €"
    assert decode("镕基".encode("gbk"), "gb2312").text == "镕基"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b'<?xml version="1.0" encoding="windows-1251"?><a/>', "windows-1251"),
        (b"<html><head><meta charset=gbk>", "gbk"),
        (b'<META http-equiv="Content-Type" content="text/html; charset=Big5">', "Big5"),
        (b"<html><body>charset=latin1", None),
    ],
)
def test_a_document_names_its_encoding(head: bytes, name: str | None) -> None:
    assert declared_encoding(head) == name


def test_nothing_is_an_empty_text() -> None:
    assert decode(b"").text == ""
