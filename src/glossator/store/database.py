"""The library file: one SQLite database in WAL mode, its connections and its transactions.

One connection per thread and direction: `read()` gives one snapshot, `write()` the single writer's transaction. Readers
never wait. A writer waits for another one up to `BUSY_SECONDS`, also one of another process. What SQLite reports about
the file or the disk becomes a `StoreError` with a hint; errors in our own SQL stay what they are.

On a medium that cannot be written the library opens read-only by itself. Limit: a library that was copied there with
unmerged changes (a `library.db-wal` beside it that is not empty) is refused, since its newest part would be missing.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from weakref import WeakSet

import apsw

from glossator.errors import LibraryBusy, NotFound, StoreError
from glossator.store.migrations import check_version, migrate
from glossator.store.sql import row, value
from glossator.store.upgrade import keep_copy

LIBRARY_FILE = "library.db"
BUSY_SECONDS = 30
CACHE_KIB = 16_384  # page cache of one connection
WAL_LIMIT = 64 << 20  # bytes the write-ahead log keeps after a large addition

_ON_DISK = (apsw.IOError, apsw.FullError, apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError)
_BROKEN = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)
_BUSY = (apsw.BusyError, apsw.LockedError)
_OPERATIONAL = (*_ON_DISK, *_BROKEN, *_BUSY)


class Database:
    """An open library file. Safe to share between threads; made by `open_database`."""

    def __init__(self, folder: Path, *, readonly: bool, immutable: bool = False) -> None:
        self.folder = folder
        self.path = folder / LIBRARY_FILE
        self.readonly = readonly
        self.library_id = ""
        self._immutable = immutable
        self._local = threading.local()
        self._open: WeakSet[apsw.Connection] = WeakSet()
        self._lock = threading.Lock()

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """Give a connection that sees one snapshot for the whole block; a nested call gives the same snapshot.

        It does not see what an open `write()` of the same thread has done: use the writer's connection there.

        Raises:
            StoreError: the file is damaged, or the disk cannot be read.
        """
        with self._errors():
            c = self._connection("reader")
            if c.in_transaction:
                yield c
                return
            c.execute("begin")
            try:
                yield c
            finally:
                _roll_back(c)

    @contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """Give the writer's connection inside one transaction: committed at the end, rolled back by any exception.

        Raises:
            LibraryBusy: another writer held the library for longer than `BUSY_SECONDS`.
            StoreError: the disk is full, the library is read-only, or the file is damaged.
        """
        if self.readonly:
            raise StoreError(
                f"the library {self.folder} is read-only",
                hint="copy it to a place where you may write, or choose another one with --library",
            )
        with self._errors():
            c = self._connection("writer")
            c.execute("begin immediate")
            try:
                yield c
                c.execute("commit")
            except BaseException:
                _roll_back(c)
                raise

    def generation(self, c: apsw.Connection) -> int:
        """Return the number of the newest change that `c` sees; 0 before the first one."""
        return generation(c)

    def close(self) -> None:
        """Close the connections of all threads, writers last: the last one merges the write-ahead log."""
        with self._lock:
            for c in sorted(self._open, key=lambda c: not c.readonly("main")):
                c.close()
            self._open.clear()
            self._local = threading.local()

    def _connection(self, role: str) -> apsw.Connection:
        found: apsw.Connection | None = getattr(self._local, role, None)
        if found is None:
            found = connect(self.path, readonly=role == "reader", immutable=self._immutable)
            setattr(self._local, role, found)
            with self._lock:
                self._open.add(found)
        return found

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except _OPERATIONAL as error:
            raise told(error, self.path) from error


def open_database(folder: Path, *, create: bool = True, readonly: bool = False) -> Database:
    """Return the library in `folder`, migrated to this version; made if it is not there and `create` is true.

    A library that cannot be written is opened read-only, as `Database.readonly` then says.

    Raises:
        NotFound: there is no library, and none is to be made.
        LibraryTooNew: a newer version of this program wrote it.
        StoreError: the file is damaged, is not a library, or cannot be reached.
    """
    folder = Path(os.path.abspath(folder))
    path = folder / LIBRARY_FILE
    if not path.exists():
        if readonly or not create:
            raise NotFound(f"there is no library in {folder}", hint="`glossator add PATH` makes one; or give --library")
        _make_folder(folder)
    try:
        if not readonly and not _writable(folder, path):
            readonly = True
        database = Database(folder, readonly=readonly, immutable=readonly and _needs_immutable(path))
        if not readonly:
            _prepare(database)
        with database.read() as c:
            check_version(c, path)
            database.library_id = value(c, "select value from meta where key = 'library'")
        return database
    except _OPERATIONAL as error:
        raise told(error, path) from error


def connect(path: Path, *, readonly: bool, immutable: bool = False) -> apsw.Connection:
    """Return a connection for one thread. Only `Database` and checks that look at a file from outside need it."""
    flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOMUTEX
    flags |= apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    c = apsw.Connection(path.as_uri() + ("?immutable=1" if immutable else ""), flags=flags)
    c.set_busy_timeout(int(BUSY_SECONDS * 1_000))
    c.pragma("cache_size", -CACHE_KIB)
    c.pragma("foreign_keys", True)
    if not readonly:
        c.pragma("synchronous", "full")  # what was acknowledged outlives a power cut, too
        c.pragma("journal_size_limit", WAL_LIMIT)
    return c


def generation(c: apsw.Connection) -> int:
    """Return the number of the newest change that `c` sees; 0 before the first one."""
    return int(value(c, "select coalesce(max(generation), 0) from change"))


def now() -> str:
    """Return the present time as RFC 3339 in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def told(error: Exception, path: Path) -> StoreError:
    """Return what to tell the person about an operational error of SQLite on the library at `path`."""
    if isinstance(error, _BUSY):
        return LibraryBusy(
            f"another process has been writing to the library {path} for {BUSY_SECONDS} seconds",
            hint="wait until it is done, or stop it, then try again",
        )
    if isinstance(error, _BROKEN):
        return StoreError(
            f"the library file {path} is damaged: {error}",
            hint="put a copy of it back, or move it away and add the documents again: their files are untouched",
        )
    if isinstance(error, apsw.FullError):
        return StoreError(
            f"no space left for the library {path}; nothing of this step was kept",
            hint="free space on that disk and try again; what was added before is whole",
        )
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError):
        return StoreError(
            f"the library {path} cannot be written: {error}",
            hint="check the permissions of the file and its folder, or choose another library with --library",
        )
    return StoreError(
        f"the library {path} cannot be read or written: {error}",
        hint="check that the disk is connected and healthy, then run `glossator doctor`",
    )


def _roll_back(c: apsw.Connection) -> None:
    if c.in_transaction:  # SQLite itself rolls back on some errors
        with suppress(*_OPERATIONAL):  # of two errors, the first is the one to tell
            c.execute("rollback")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the library folder {folder} cannot be made: {error.strerror or error}",
            hint="choose another folder with --library, or check its permissions",
        ) from error


def _writable(folder: Path, path: Path) -> bool:
    return os.access(folder, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def _needs_immutable(path: Path) -> bool:
    """Say whether `path` can only be read as a file that never changes: no shared memory can be made beside it."""
    try:
        probe = connect(path, readonly=True)
        try:
            probe.execute("select count(*) from sqlite_schema").fetchone()
        finally:
            probe.close()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        wal = path.with_name(path.name + "-wal")
        if wal.exists() and wal.stat().st_size:
            raise StoreError(
                f"the library {path} has changes that were not merged, and cannot be written to merge them",
                hint="copy its folder to a place where you may write and open it there",
            ) from None
        return True
    return False


def _prepare(database: Database) -> None:
    """Make or migrate the tables (after a copy of them was kept), and switch to WAL, which the file remembers."""
    c = database._connection("writer")
    if row(c, "select 1 from sqlite_schema limit 1") is None or c.pragma("journal_mode") != "wal":
        c.pragma("journal_mode", "wal")
    migrate(c, database.path, before=lambda at: keep_copy(database.path, at))
