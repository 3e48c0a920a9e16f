"""A server on the two small stories, one for each test that asks for it."""

from collections.abc import Iterator

import pytest

from glossator.library.library import Library
from tests.library.conftest import filled, island, library, shelf, stone
from tests.server.serving import Served, served

__all__ = ["filled", "island", "library", "shelf", "stone"]


@pytest.fixture
def web(shelf: Library) -> Iterator[Served]:
    """Give a server on the English and the Chinese story."""
    with served(shelf) as found:
        yield found
