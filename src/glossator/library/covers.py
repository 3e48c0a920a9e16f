"""The pictures that documents are known by, for a shelf: found in the limited child process, kept as files.

They stand under `covers` in the library's folder, named by the hash of the document's file: derived data, which may be
removed at any time. An empty file says that there is none. No bound hides a cover: it is what a book shows unopened.
"""

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.errors import NotFound, SourceError
from glossator.library.filed import file_of
from glossator.parse.cover import kind_of

if TYPE_CHECKING:
    from glossator.parse.worker import Pool
    from glossator.store.database import Database
    from glossator.store.documents import StoredDocument

FOLDER = "covers"
KEPT = 256 << 20  # bytes, above which the oldest go
AT_ONCE = 2  # are looked for; the others wait


class Covers:
    """The covers of a library; for any number of threads. The child processes end when nobody looks for one."""

    def __init__(self, database: "Database") -> None:
        """Keep them in the folder of the library."""
        self._database = database
        self._folder = database.folder / FOLDER
        self._turn = threading.Semaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._users = 0

    def cover(self, document: "StoredDocument") -> tuple[bytes, str]:
        """Return a cover and its media type.

        Raises:
            NotFound: the document has none, or its file is not there any more.
        """
        kept = self._folder / document.sha256
        try:
            data = kept.read_bytes()
        except OSError:
            data = self._found(document)
            self._keep(kept, data)
        kind = kind_of(data)
        if kind is None:
            raise NotFound(f"“{document.title}” has no cover", hint="show its title instead")
        return data, kind

    def _found(self, document: "StoredDocument") -> bytes:
        path = file_of(self._database, document)
        try:
            with self._turn, self._children() as pool:
                return pool.cover(path, format=document.format) or b""
        except SourceError:  # what is damaged has no cover, and is not looked at again
            return b""

    @contextmanager
    def _children(self) -> "Iterator[Pool]":
        from glossator.parse.worker import Pool

        with self._lock:
            self._users += 1
            pool = self._pool = self._pool or Pool(recycle_after=200)
        try:
            yield pool
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._pool = None
                    pool.close()

    def _keep(self, path: Path, data: bytes) -> None:
        """Keep a cover; where that cannot be done it is found again next time."""
        try:
            self._folder.mkdir(exist_ok=True, mode=0o700)
            descriptor, name = tempfile.mkstemp(dir=self._folder, prefix=".")
            with open(descriptor, "wb") as file:
                file.write(data)
            os.replace(name, path)
            self._forget_oldest()
        except OSError:
            return

    def _forget_oldest(self) -> None:
        files = [(entry.stat(), entry.path) for entry in os.scandir(self._folder)]
        size = sum(status.st_size for status, _ in files)
        for status, path in sorted(files, key=lambda f: f[0].st_mtime_ns):
            if size <= KEPT:
                return
            os.unlink(path)
            size -= status.st_size
