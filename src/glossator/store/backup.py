"""What a backup asks of library files: a copy of one moment, what is in it to compare copies by, a new identity.

A library file that was copied and that nobody else holds is opened with `looked_at`, which leaves no file beside it.
"""

import errno
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from glossator.errors import LibraryTooNew, StoreError
from glossator.store import integrity
from glossator.store.database import LIBRARY_FILE, connect, told
from glossator.store.migrations import DERIVED_TABLES, MIGRATIONS, WORK_TABLES, version
from glossator.store.sql import rows, value

STEP = 2_000  # pages copied at a time
NO_DATA = {*DERIVED_TABLES, *WORK_TABLES, "meta", "migration"}  # all other tables are of the person
COUNTED = ("document", "annotation", "session")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a library holds, as a copy of it must: identity, counts, and a digest of each table of the person."""

    library: str
    lineage: str  # the library that it descends from through restored backups, else its own id
    version: int  # of its tables
    documents: int
    notes: int
    sessions: int
    tables: Mapping[str, str]

    def differences(self, other: "Contents") -> list[str]:
        """Return what the two hold otherwise: names of tables, or of facts."""
        facts = [
            n for n in ("library", "version", "documents", "notes", "sessions") if getattr(self, n) != getattr(other, n)
        ]
        tables = sorted({*self.tables, *other.tables})
        return facts + [n for n in tables if self.tables.get(n) != other.tables.get(n)]


def contents(c: apsw.Connection, path: Path) -> Contents:
    """Return what the library on `c` holds. A version without notes has none.

    Raises:
        StoreError: it is no library.
        LibraryTooNew: a newer version of this program wrote it.
    """
    at = version(c, path)
    if at > len(MIGRATIONS):
        raise LibraryTooNew(
            f"{path} holds a library of a newer glossator (version {at} of its tables; this one knows up to "
            f"{len(MIGRATIONS)})",
            hint="upgrade glossator",
        )
    if at == 0:
        raise StoreError(f"{path} holds no library", hint="use a backup that `glossator backup` made")
    tables = _tables(c)
    count = {t: int(value(c, f"select count(*) from {t}")) if t in tables else 0 for t in COUNTED}
    return Contents(
        library=value(c, "select value from meta where key = 'library'"),
        lineage=lineage(c),
        version=at,
        documents=count["document"],
        notes=count["annotation"],
        sessions=count["session"],
        tables={t: _digest(c, t) for t in tables},
    )


def lineage(c: apsw.Connection) -> str:
    """Return the id of the library that this one descends from through restored backups, else its own."""
    meta: dict[str, str] = dict(rows(c, "select key, value from meta where key in ('library', 'lineage')"))
    return str(meta.get("lineage", meta["library"]))


def is_empty(c: apsw.Connection) -> bool:
    """Say whether no table of the person has a row."""
    return all(value(c, f'select 1 from "{table}" limit 1') is None for table in _tables(c))


def is_empty_library(path: Path) -> bool:
    """Say whether the library at `path`, which others may hold, has no row of the person.

    Raises:
        StoreError: it cannot be read, or is no library.
    """
    try:
        c = connect(path, readonly=True)
        try:
            return version(c, path) == 0 or is_empty(c)
        finally:
            c.close()
    except apsw.Error as error:
        raise told(error, path) from error


def copy_library(c: apsw.Connection, target: Path, step: Callable[[int, int], None]) -> None:
    """Write what the transaction of `c` sees to the new file `target`; other processes may write on meanwhile.

    `step` is told the pages done and all pages.

    Raises:
        OSError: no space for it.
    """
    try:
        copy = apsw.Connection(str(target))
        try:
            copy.pragma("journal_mode", "off")
            copy.pragma("synchronous", "off")
            _move_pages(copy, c, step)
        finally:
            copy.close()
    except apsw.FullError as error:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error


def fill(empty: Path, source: Path) -> None:
    """Put the library file `source` into the place of an empty one that other processes may hold: all, or nothing.

    Raises:
        StoreError: it is not empty any more, in use, or the disk is full.
    """
    try:
        target = connect(empty, readonly=False)
        try:
            if not is_empty(target):
                raise StoreError(f"the library {empty.parent} is not empty", hint="choose a folder without a library")
            with looked_at(source) as c:
                _move_pages(target, c, lambda *_: None)
        finally:
            target.close()
    except (apsw.FullError, apsw.BusyError, apsw.LockedError, apsw.IOError, apsw.ReadOnlyError) as error:
        raise told(error, empty) from error


@contextmanager
def looked_at(path: Path) -> Iterator[apsw.Connection]:
    """Give a connection to a library file that nobody else holds and that nothing changes.

    Raises:
        StoreError: the file is damaged.
    """
    try:
        c = connect(path, readonly=True, immutable=True)
        try:
            yield c
        finally:
            c.close()
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.SQLError) as error:
        raise StoreError(f"{path} is no whole library file: {error}", hint="use another backup") from error


def problems(c: apsw.Connection) -> list[str]:
    """Return what SQLite finds wrong with a file of any version: broken pages, rows that belong to nothing."""
    broken = [text for (text,) in rows(c, "pragma integrity_check(20)") if text != "ok"]
    return [*broken, *integrity.orphan_rows(c)]


def give_new_identity(path: Path) -> None:
    """Give a restored library an id of its own, since what caches know of the old one may not hold for it.

    Raises:
        StoreError: the disk is full.
    """
    try:
        c = connect(path, readonly=False)
        try:
            c.execute("begin immediate")
            c.execute("insert or ignore into meta select 'lineage', value from meta where key = 'library'")
            c.execute("update meta set value = ? where key = 'library'", (secrets.token_hex(8),))
            c.execute("commit")
        finally:
            c.close()
    except apsw.Error as error:
        raise told(error, path) from error


def library_at(folder: Path) -> Path:
    """Return where the library file of a folder is."""
    return folder / LIBRARY_FILE


def _move_pages(target: apsw.Connection, source: apsw.Connection, step: Callable[[int, int], None]) -> None:
    with target.backup("main", source, "main") as copying:
        while not copying.done:
            copying.step(STEP)
            step(copying.page_count - copying.remaining, copying.page_count)


def _tables(c: apsw.Connection) -> list[str]:
    found = rows(
        c,
        "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'"
        " order by name",
    )
    return [name for (name,) in found if name not in NO_DATA]


def _digest(c: apsw.Connection, table: str) -> str:
    """The SHA-256 of all rows by primary key, as lines of JSON; the same on every machine and version."""
    keys = rows(c, "select name from pragma_table_info(?) where pk > 0 order by pk", (table,))
    order = ", ".join(f'"{name}"' for (name,) in keys) or "rowid"
    digest = hashlib.sha256()
    for found in c.execute(f'select * from "{table}" order by {order}'):
        digest.update(json.dumps(found, default=bytes.hex).encode() + b"\n")
    return digest.hexdigest()
