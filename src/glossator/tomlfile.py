"""Small TOML files of settings: read with errors that name them, replaced as a whole."""

import os
from pathlib import Path
from typing import Any

from glossator.errors import StoreError, UsageError


def read_table(path: Path) -> dict[str, Any]:
    """Return what a file holds; a file that is not there holds nothing.

    Raises:
        UsageError: it is not valid TOML.
        StoreError: it is there but cannot be read.
    """
    try:
        return parse_table(path.read_bytes(), path)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error}", hint="repair the file, or move it away") from error


def parse_table(data: bytes, path: Path) -> dict[str, Any]:
    """Return what the bytes of the file at `path` hold.

    Raises:
        UsageError: they are not valid TOML.
        StoreError: they are no text.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StoreError(f"cannot read {path}: {error}", hint="repair the file, or move it away") from error
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            f"{path} is not valid TOML: {error}", hint="repair that line, or move the file away"
        ) from error


def write_table(path: Path, table: dict[str, Any]) -> None:
    """Replace a file, whole or not at all; its folder is made where it is not there.

    Raises:
        StoreError: it cannot be written.
    """
    import tomli_w

    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(tomli_w.dumps(table), "utf-8")
        os.replace(fresh, path)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error}", hint="check the folder's permissions and space") from error
