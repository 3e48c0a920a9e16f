"""ZIP containers (EPUB, DOCX, FB2.ZIP), opened with limits so that a crafted file cannot fill the memory.

Nothing is ever written to disk, so a name like `../../x` is only a name. Limits are checked where they cost something:
the directory before it is parsed, an entry when it is read, since an unread bomb is harmless and a book may carry a
film that nobody asks for. Declared sizes are not trusted: reading stops at the cap whatever the header says.
"""

import os
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from glossator.errors import DamagedFile, EncryptedFile, LimitExceeded
from glossator.sources.files import readable, shown

_MIB = 1 << 20
_END = b"PK\x05\x06"  # end of central directory record, APPNOTE.TXT section 4.3.16
_END_SIZE = 22
_ENCRYPTED = 0x1  # general purpose bit 0, APPNOTE.TXT section 4.4.4


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLimits:
    """How much of an archive is read. `ratio` (unpacked : packed) counts for entries above `ratio_from` bytes."""

    entries: int = 20_000
    entry_bytes: int = 64 * _MIB
    total_bytes: int = 1024 * _MIB
    directory_bytes: int = 16 * _MIB
    ratio: int = 200
    ratio_from: int = _MIB


class Archive:
    """An open archive. `names` are its files, in directory order; `read` returns one of them, within the limits."""

    def __init__(self, source: zipfile.ZipFile, path: Path, limits: ArchiveLimits) -> None:
        self._source = source
        self._path = path
        self._limits = limits
        self._read = 0
        self._entries = {e.filename: e for e in source.infolist() if not e.is_dir()}
        self._folded: dict[str, str] = {}
        for name in self._entries:
            self._folded.setdefault(name.casefold(), name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all files in the archive, in directory order."""
        return tuple(self._entries)

    def find(self, name: str) -> str | None:
        """Return the entry of that name, else the first that differs by case only, else None."""
        return name if name in self._entries else self._folded.get(name.casefold())

    def read(self, name: str) -> bytes:
        """Return the unpacked bytes of an entry.

        Raises:
            DamagedFile: there is no such entry, or it cannot be unpacked.
            EncryptedFile: the entry is locked by a ZIP password.
            LimitExceeded: it is larger, or packed tighter, than the limits allow.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise DamagedFile(
                f"{shown(self._path)}: the archive has no {name!r}", hint="get a complete copy of the file"
            )
        if entry.flag_bits & _ENCRYPTED:
            raise EncryptedFile(
                f"{shown(self._path)}: {name!r} is locked by a ZIP password",
                hint="unpack it with the password and add the unlocked file",
            )
        self._check(name, entry.file_size, entry.compress_size)
        cap = min(self._limits.entry_bytes, self._limits.total_bytes - self._read)
        try:
            with self._source.open(entry) as stream:
                data = stream.read(cap + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise DamagedFile(
                f"{shown(self._path)}: {name!r} cannot be unpacked ({error or type(error).__name__})",
                hint="the file is cut short or damaged; get a new copy",
            ) from error
        self._check(name, len(data), entry.compress_size)
        self._read += len(data)
        return data

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _check(self, name: str, unpacked: int, packed: int) -> None:
        limits = self._limits
        if unpacked > limits.entry_bytes:
            raise _too_large(self._path, f"{name!r} unpacks to more than {limits.entry_bytes // _MIB} MB")
        if unpacked > limits.ratio_from and unpacked > limits.ratio * max(packed, 1):
            raise _too_large(self._path, f"{name!r} unpacks to over {limits.ratio} times its size, as ZIP bombs do")
        if self._read + unpacked > limits.total_bytes:
            raise _too_large(self._path, f"its parts unpack to more than {limits.total_bytes // _MIB} MB together")


def open_archive(path: Path, *, limits: ArchiveLimits | None = None) -> Archive:
    """Open a ZIP file for reading; use it as a context manager.

    Raises:
        NotFound: there is no such file.
        SourceError: the file cannot be opened (permissions, a folder).
        DamagedFile: it is no ZIP file, or its directory is broken.
        LimitExceeded: its directory is larger than the limits allow.
    """
    limits = limits or ArchiveLimits()
    try:
        with readable(path):
            _check_directory(path, limits)
            source = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
        raise DamagedFile(
            f"{shown(path)}: not a whole ZIP archive ({error})",
            hint="the file is cut short, damaged or of another kind; get a new copy",
        ) from error
    if len(source.infolist()) > limits.entries:
        source.close()
        raise _too_large(path, f"it holds more than {limits.entries:,} files")
    return Archive(source, path, limits)


def _check_directory(path: Path, limits: ArchiveLimits) -> None:
    """Refuse a directory that is too large before `zipfile` makes an object of each of its entries."""
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - _END_SIZE - 0xFFFF))
        tail = stream.read()
    at = tail.rfind(_END)
    if at < 0 or at + _END_SIZE > len(tail):
        return  # zipfile says what is wrong with it
    (directory,) = struct.unpack_from("<I", tail, at + 12)
    if min(directory, size) > limits.directory_bytes:
        raise _too_large(path, f"its directory alone has more than {limits.directory_bytes // _MIB} MB")


def _too_large(path: Path, what: str) -> LimitExceeded:
    return LimitExceeded(
        f"{shown(path)}: {what}", hint="if you trust the file, unpack it yourself and add the documents inside"
    )
