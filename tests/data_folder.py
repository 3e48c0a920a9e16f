"""Where the evaluation material is, for tests marked `data`; without it they are skipped, saying so."""

import os
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
_folder = Path(os.environ.get("GLOSSATOR_DATA") or ROOT.parent / "shared" / "data")
DATA: Path | None = _folder if _folder.is_dir() else None
_SKIP = pytest.mark.skipif(DATA is None, reason="no evaluation material: set GLOSSATOR_DATA to its folder")


def needs_data(test: T) -> T:
    """Mark a test (or a class of them) as one that needs the material."""
    return pytest.mark.data(_SKIP(test))
