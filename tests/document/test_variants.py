"""The browser's table of simplified characters is the one that the index folds with."""

from pathlib import Path

import pytest

from glossator.document.fold import simplify

TABLE = Path(__file__).parents[2] / "web/src/search/variants.txt"


@pytest.mark.skipif(not TABLE.exists(), reason="the web reader's sources are not here")
def test_the_browsers_table_holds_every_character_that_is_simplified() -> None:
    characters = "".join(chr(c) for c in range(0x2E80, 0x323B0) if not 0xD800 <= c < 0xE000)
    pairs = "".join(c + s for c, s in zip(characters, simplify(characters), strict=True) if c != s)
    assert TABLE.read_text(encoding="utf-8").strip() == pairs
