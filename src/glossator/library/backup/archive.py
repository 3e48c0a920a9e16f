r"""The file format of a backup: segments of files, an index of them, a hash over everything.

    "glossator backup 1\n"
    segments      pieces of the files, each as zlib packs it, or as it is where that is not smaller
    index         JSON, packed by zlib: what the library holds, and each file as a list of segments
    trailer       start and length of the index, the SHA-256 of all bytes before it, "\nglossator end\n"

A segment goes by the SHA-256 of its bytes and stands once, so an incremental backup takes over the packed segments of
the one before. Every byte is under a hash: `read` looks at the whole file before any of it is believed.
"""

import hashlib
import json
import os
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any, BinaryIO

from glossator.errors import DamagedFile, NotFound, SourceError, UnsupportedFormat
from glossator.store.backup import Contents

FORMAT = 1
MAGIC = f"glossator backup {FORMAT}\n".encode()
FAMILY = b"glossator backup "
END = b"\nglossator end\n"
TRAILER = struct.Struct("<QQ32s")
SEGMENT = 1 << 16  # bytes: a page that changed costs one of these
READ = 1 << 20
AT_ONCE, THREADS = 64, 4  # pieces packed or unpacked together; threads that do it
NAMES = re.compile(r"library\.db|config\.toml|originals/[0-9A-Za-z][0-9A-Za-z._-]*")
OTHER_BACKUP = "use another backup; of this one nothing was used"


@dataclass(frozen=True, slots=True)
class Segment:
    """Where a piece of a file stands in the archive; it is packed when it is shorter there."""

    sha256: str
    start: int
    stored: int
    length: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in the archive, by its path in the library folder."""

    name: str
    length: int
    sha256: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """An archive whose bytes are all as they were written. `sha256` is that of the whole file."""

    path: Path
    length: int
    sha256: str
    created: str
    with_files: bool
    contents: Contents
    entries: tuple[Entry, ...]

    def segments(self) -> Mapping[str, Segment]:
        """Return all segments by hash."""
        return {s.sha256: s for e in self.entries for s in e.segments}

    def pieces(self, entry: Entry, file: BinaryIO) -> Iterator[bytes]:
        """Yield the bytes of an entry, read from the open archive.

        Raises:
            DamagedFile: they are not what was written.
        """
        with ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1)) as pool:
            for at in range(0, len(entry.segments), AT_ONCE):
                some = entry.segments[at : at + AT_ONCE]
                yield from pool.map(unpacked, some, [packed(s, file) for s in some], repeat(self.path))


class Writer:
    """Writes an archive to a file, front to back. `known`: segments that can be taken from an older one."""

    def __init__(self, file: BinaryIO, *, known: Mapping[str, Segment], older: BinaryIO | None) -> None:
        self._file = file
        self._known = known
        self._older = older
        self._done: dict[str, Segment] = {}
        self._entries: list[Entry] = []
        self._hash = hashlib.sha256()
        self._at = 0
        self._put(MAGIC)

    def add(self, name: str, source: BinaryIO, step: Callable[[int], None]) -> None:
        """Write one file; `step` is told the bytes of each piece."""
        whole = hashlib.sha256()
        found: list[Segment] = []
        with ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1)) as pool:
            while pieces := [piece for _ in range(AT_ONCE) if (piece := source.read(SEGMENT))]:
                for piece, sha, small in pool.map(self._prepared, pieces):
                    whole.update(piece)
                    found.append(self._segment(sha, len(piece), small))
                    step(len(piece))
        self._entries.append(Entry(name, sum(s.length for s in found), whole.hexdigest(), tuple(found)))

    def take(self, entry: Entry) -> None:
        """Write a file as the older archive has it."""
        assert self._older is not None
        segments = tuple(self._done.get(s.sha256) or self._keep(s, packed(s, self._older)) for s in entry.segments)
        self._entries.append(Entry(entry.name, entry.length, entry.sha256, segments))

    def finish(self, contents: Contents, *, created: str, with_files: bool) -> tuple[int, str]:
        """Write index and trailer; return length and SHA-256 of the whole."""
        index = _index_to_json(contents, self._entries) | {"created": created, "with_files": with_files}
        data = zlib.compress(json.dumps(index, separators=(",", ":")).encode(), 6)
        start = self._at
        self._put(data)
        self._put(struct.pack("<QQ", start, len(data)))
        self._put(self._hash.digest() + END)
        return self._at, self._hash.hexdigest()

    def _prepared(self, piece: bytes) -> tuple[bytes, str, bytes]:
        """A piece, its hash, and what to store unless a segment of this hash is there."""
        sha = hashlib.sha256(piece).hexdigest()
        if sha in self._done or sha in self._known:
            return piece, sha, b""
        small = zlib.compress(piece, 1)
        return piece, sha, small if len(small) < len(piece) else piece

    def _segment(self, sha: str, length: int, small: bytes) -> Segment:
        if sha in self._done:
            return self._done[sha]
        old = self._known.get(sha)
        if old is not None and self._older is not None:
            return self._keep(old, packed(old, self._older))
        return self._keep(Segment(sha, 0, 0, length), small)

    def _keep(self, segment: Segment, data: bytes) -> Segment:
        kept = Segment(segment.sha256, self._at, len(data), segment.length)
        self._put(data)
        self._done[kept.sha256] = kept
        return kept

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)
        self._at += len(data)


def packed(segment: Segment, file: BinaryIO) -> bytes:
    """Return a segment as it stands in the open archive."""
    file.seek(segment.start)
    return file.read(segment.stored)


def unpacked(segment: Segment, data: bytes, path: Path) -> bytes:
    """Return the bytes that a segment was made of.

    Raises:
        DamagedFile: it holds other bytes than those.
    """
    try:
        piece = zlib.decompressobj().decompress(data, SEGMENT) if segment.stored < segment.length else data
    except zlib.error:
        piece = b""
    if len(piece) != segment.length or hashlib.sha256(piece).hexdigest() != segment.sha256:
        raise DamagedFile(f"the backup {path} is damaged: bytes from {segment.start} on changed", hint=OTHER_BACKUP)
    return piece


def is_archive(path: Path) -> bool:
    """Say whether a file begins or ends as backups do, whole or not."""
    with path.open("rb") as file:
        begins = file.read(len(FAMILY)) == FAMILY
        file.seek(max(0, path.stat().st_size - len(END)))
        return begins or file.read() == END


def read(path: Path, step: Callable[[int], None]) -> Archive:
    """Return a backup, after all its bytes were found to be as they were written.

    Raises:
        NotFound: it is not there.
        UnsupportedFormat: it is no backup, or one of a newer program.
        DamagedFile: a byte of it is another one, or some are missing.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise SourceError(f"{path} is no ordinary file", hint="name a file that `backup` made")
        with path.open("rb") as file:
            return _read(path, file, step)
    except FileNotFoundError as error:
        raise NotFound(f"there is no backup {path}", hint="check the path") from error
    except IsADirectoryError as error:
        raise SourceError(f"{path} is a folder", hint="name the backup file in it") from error
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}", hint="check the disk and permissions") from error


def _read(path: Path, file: BinaryIO, step: Callable[[int], None]) -> Archive:
    length = path.stat().st_size
    if not is_archive(path):
        raise UnsupportedFormat(f"{path} is no backup of this program", hint="name a file that `backup` made")
    if length < len(MAGIC) + TRAILER.size + len(END):
        raise DamagedFile(f"the backup {path} is damaged: it is cut off", hint=OTHER_BACKUP)
    file.seek(-TRAILER.size - len(END), 2)
    trailer = file.read()
    start, size, digest = TRAILER.unpack(trailer[: TRAILER.size])
    if trailer[TRAILER.size :] != END:
        raise DamagedFile(f"the backup {path} is damaged: its end is cut off or changed", hint=OTHER_BACKUP)
    hashed = _hash(file, length - 32 - len(END), step)
    if hashed.digest() != digest:
        raise DamagedFile(
            f"the backup {path} is damaged: its bytes are not those that were written (SHA-256)", hint=OTHER_BACKUP
        )
    hashed.update(digest + END)
    file.seek(0)
    if file.read(len(MAGIC)) != MAGIC:
        raise UnsupportedFormat(f"the backup {path} is of another version of glossator", hint="upgrade glossator")
    file.seek(start)
    try:
        index = json.loads(zlib.decompress(file.read(size)))
        return _archive(path, length, hashed.hexdigest(), index)
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise DamagedFile(f"the backup {path} is damaged: its index cannot be read", hint=OTHER_BACKUP) from error


def _hash(file: BinaryIO, length: int, step: Callable[[int], None]) -> "hashlib._Hash":
    digest = hashlib.sha256()
    file.seek(0)
    while length > 0 and (piece := file.read(min(READ, length))):
        digest.update(piece)
        length -= len(piece)
        step(len(piece))
    return digest


def _index_to_json(contents: Contents, entries: list[Entry]) -> dict[str, Any]:
    return {
        "library": contents.library,
        "lineage": contents.lineage,
        "version": contents.version,
        "documents": contents.documents,
        "notes": contents.notes,
        "sessions": contents.sessions,
        "tables": dict(contents.tables),
        "files": [
            {
                "name": e.name,
                "bytes": e.length,
                "sha256": e.sha256,
                "segments": [[s.sha256, s.start, s.stored, s.length] for s in e.segments],
            }
            for e in entries
        ],
    }


def _archive(path: Path, length: int, sha256: str, index: Mapping[str, Any]) -> Archive:
    entries = tuple(
        Entry(f["name"], f["bytes"], f["sha256"], tuple(Segment(*s) for s in f["segments"])) for f in index["files"]
    )
    for entry in entries:
        within = all(0 <= s.start <= length - s.stored and 0 < s.length <= SEGMENT for s in entry.segments)
        if not (NAMES.fullmatch(entry.name) and within):
            raise ValueError(entry.name)
    contents = Contents(
        library=index["library"],
        lineage=index["lineage"],
        version=index["version"],
        documents=index["documents"],
        notes=index["notes"],
        sessions=index["sessions"],
        tables=index["tables"],
    )
    return Archive(
        path=path,
        length=length,
        sha256=sha256,
        created=index["created"],
        with_files=index["with_files"],
        contents=contents,
        entries=entries,
    )
