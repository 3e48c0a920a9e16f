"""Files that are made for a person: written whole or not at all, and never over what is there unasked."""

import os
import secrets
from pathlib import Path

from glossator.errors import StoreError, UsageError


def write_text(path: Path, content: str, *, force: bool = False) -> None:
    """Write a text file in UTF-8, atomically.

    Raises:
        UsageError: it is a folder.
        StoreError: it is there already and `force` is not given, or it cannot be written.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder", hint="name a file")
    if path.exists() and not force:
        raise StoreError(f"{path} is there already", hint="choose another name, or give --force to replace it")
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        with fresh.open("x", encoding="utf-8", newline="\n") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise StoreError(
            f"{path}: cannot be written ({error.strerror})", hint="check the folder, its permissions and the free space"
        ) from error
