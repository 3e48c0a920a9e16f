"""Libraries for the tests of this folder: real ones, in a temporary folder, without vectors unless a test asks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from glossator.library.library import Library
from tests.library import books


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Give an empty library that searches by words only."""
    with Library.open(tmp_path / "library", embedder="none") as opened:
        yield opened


@pytest.fixture
def shelf(library: Library, tmp_path: Path) -> Library:
    """Give a library with the English and the Chinese story."""
    files = tmp_path / "files"
    files.mkdir()
    result = library.add([str(books.island(files)), str(books.stone(files))])
    assert [d.status for d in result.documents] == ["added", "added"]
    return library
