"""A shell on the small library, and one on a copy that may be changed."""

import shutil
from pathlib import Path

import pytest

from tests.cli.runner import Shell


@pytest.fixture
def shell(small_library: Path) -> Shell:
    return Shell(small_library)


@pytest.fixture
def own(small_library: Path, tmp_path: Path) -> Shell:
    return Shell(Path(shutil.copytree(small_library, tmp_path / "library")))


@pytest.fixture
def empty(tmp_path: Path) -> Shell:
    """A shell where there is no library yet."""
    return Shell(tmp_path / "none")
