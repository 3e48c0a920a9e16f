"""Where a backup or a restore works before it is done, so that what a kill leaves behind is known and removed.

Temporary files and folders stand beside what they become and end in the number of the process that made them; those of
processes that are gone are swept away by the next one.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from glossator.errors import StoreError


def beside(target: Path, work: str) -> Path:
    """Return the temporary place of this process for `work` on `target`, after sweeping those of dead processes."""
    sweep(target, work)
    return target.with_name(f"{_prefix(target, work)}{os.getpid()}")


def sweep(target: Path, work: str) -> None:
    """Remove what processes that are gone left of such work on `target`."""
    import psutil

    prefix = _prefix(target, work)
    with suppress(OSError):  # a folder that is not there, or cannot be listed: the work itself will say so
        for left in target.parent.iterdir():
            number = left.name.removeprefix(prefix)
            ours = left.name.startswith(prefix) and number.isdecimal()
            if ours and (int(number) == os.getpid() or not psutil.pid_exists(int(number))):
                discard(left)


def discard(place: Path) -> None:
    """Remove a file, or a folder with all in it, as far as it can be."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        with suppress(OSError):
            place.unlink(missing_ok=True)


@contextmanager
def passing(place: Path) -> Iterator[Path]:
    """Give the place, and remove what is left there at the end, whatever the end is."""
    try:
        yield place
    finally:
        discard(place)


@contextmanager
def disk(place: Path, room: str = "") -> Iterator[None]:
    """Tell what the system says of the disk that `place` is on as a StoreError; `room` says what it is needed for."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{place} cannot be written{room}: {error.strerror or error}",
            hint="free space on that disk, or check the folder and its permissions; nothing was left half done",
        ) from error


def durable(path: Path) -> None:
    """Wait until a file, or the list of names of a folder, is on the disk."""
    if path.is_dir():
        with suppress(OSError):  # some file systems, and Windows, know no such thing for folders
            _sync(path, os.O_RDONLY)
    else:
        _sync(path, os.O_RDWR)


def _sync(path: Path, how: int) -> None:
    number = os.open(path, how)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _prefix(target: Path, work: str) -> str:
    return f".{target.name}.{work}-"
