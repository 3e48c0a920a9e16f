"""A copy of the library file before its tables are changed to a newer version.

It lies beside the file, named with the version it holds and the time: `library.v1-20260131T120000Z.db`. To go back,
put it in the place of `library.db` (and remove `library.db-wal` and `-shm`), and use the program of that version.
"""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import apsw

from glossator.errors import StoreError

KEPT = 3  # copies that stay; older ones are removed


def keep_copy(path: Path, version: int) -> Path:
    """Copy the library at `path` as it was last committed, durably; return where to.

    Raises:
        StoreError: it cannot be copied; then the tables must stay as they are.
    """
    target = path.with_name(f"{path.stem}.v{version}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.db")
    fresh = path.with_name(f"{path.stem}.v{version}.new")  # one name: what a kill leaves is written over
    try:
        _copy(path, fresh)
        os.replace(fresh, target)
    except (apsw.Error, OSError) as error:
        for left in (fresh, fresh.with_name(fresh.name + "-journal")):
            with suppress(OSError):
                left.unlink(missing_ok=True)
        raise StoreError(
            f"the library {path} must be brought up to date, and no copy of it could be made first: {error}",
            hint=f"free {path.stat().st_size >> 20} MiB or more on that disk and try again; nothing was changed",
        ) from error
    for old in copies(path)[:-KEPT]:
        with suppress(OSError):
            old.unlink()
    return target


def copies(path: Path) -> list[Path]:
    """Return the copies that earlier upgrades of the library at `path` left, oldest first."""
    return sorted(path.parent.glob(f"{path.stem}.v*-*Z.db"), key=lambda p: (p.stat().st_mtime, p.name))


def _copy(path: Path, fresh: Path) -> None:
    fresh.unlink(missing_ok=True)
    source = apsw.Connection(path.as_uri(), flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    try:
        target = apsw.Connection(str(fresh))
        try:
            with target.backup("main", source, "main") as copying:
                while not copying.done:
                    copying.step(10_000)
        finally:
            target.close()
    finally:
        source.close()
    with fresh.open("rb+") as file:
        os.fsync(file.fileno())
