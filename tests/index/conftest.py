"""An empty library for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from glossator.store.database import Database
from tests.store.made import library


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = library(tmp_path)
    yield made
    made.close()
