"""Libraries for the tests of this folder: real ones, in a temporary folder, without vectors unless a test asks."""

import shutil
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


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with the English and the Chinese story in a library, once; tests work on copies of it."""
    folder = tmp_path_factory.mktemp("shelf")
    with Library.open(folder / "library", embedder="none") as opened:
        result = opened.add([str(books.island(folder)), str(books.stone(folder))])
    assert [d.status for d in result.documents] == ["added", "added"]
    return folder / "library"


@pytest.fixture
def shelf(filled: Path, tmp_path: Path) -> Iterator[Library]:
    """Give a library with the English and the Chinese story, in this order."""
    shutil.copytree(filled, tmp_path / "shelf")
    with Library.open(tmp_path / "shelf", embedder="none") as opened:
        yield opened


@pytest.fixture
def island(shelf: Library) -> str:
    """Give the id of the English story."""
    return shelf.identify("The Island")


@pytest.fixture
def stone(shelf: Library) -> str:
    """Give the id of the Chinese story."""
    return shelf.identify("石猴记")
