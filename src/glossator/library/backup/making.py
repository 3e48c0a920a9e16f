"""Making a backup: a copy of one moment, packed into one file, restored into a scratch place and compared.

The library may be written meanwhile: the copy is made inside one read transaction, for which no writer waits. The file
is made under another name and takes its own only when it is proven, so a former backup of that name stays whole and in
its place until then, whatever happens.
"""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from glossator.config import CONFIG_FILE
from glossator.errors import SourceError, StoreError
from glossator.library.backup import archive as archives
from glossator.library.backup.archive import Archive, Writer
from glossator.library.backup.places import beside, disk, durable, passing
from glossator.library.backup.receipt import Receipt
from glossator.library.backup.unpacking import unpack
from glossator.library.backup.watching import check, meter
from glossator.library.originals import FOLDER
from glossator.library.rebuild import original_of
from glossator.library.vectors import Hooks
from glossator.store import backup as stored
from glossator.store import documents as stored_documents
from glossator.store.backup import Contents
from glossator.store.database import LIBRARY_FILE, Database, now
from glossator.store.documents import StoredDocument

PROOF = " to prove the backup, which takes as much room as the library"
OWN = {LIBRARY_FILE, *(LIBRARY_FILE + end for end in ("-wal", "-shm", "-journal"))}
SHA = 64  # letters of a SHA-256 in a file's name


@dataclass(frozen=True, slots=True)
class _Moment:
    """What the library was at the moment of the backup; its file is copied to `copy`."""

    copy: Path
    contents: Contents
    files: dict[str, Path | None]  # by their name in the archive; None: as in the one before
    left_out: int
    with_files: bool


def make(
    database: Database, path: Path, *, incremental: bool = False, with_files: bool = False, hooks: Hooks
) -> Receipt:
    """Write a backup of the library to `path`, proven; return what is in it.

    `incremental` takes what did not change from the backup that is there; it keeps including files if that one did.

    Raises:
        DamagedFile: the backup to go on from is damaged; it stays as it is.
        SourceError: what stands at `path` is no backup, but a folder, a device, another file.
        StoreError: no space, or the place cannot be written.
        Cancelled: stopped; nothing was written.
    """
    target = Path(os.path.realpath(path))
    _may_replace(target, database.folder)
    with ExitStack() as stack:
        fresh = stack.enter_context(passing(beside(target, "making")))
        scratch = stack.enter_context(passing(_scratch(database, target)))
        goes_on = incremental and target.exists() and target.stat().st_size > 0
        older, known = _older(target, stack, hooks) if goes_on else (None, None)
        if known is not None:
            _same_library(database, known)
        with_files = with_files or bool(known and known.with_files)
        moment = _moment(database, scratch, with_files, known, hooks)
        with disk(target), fresh.open("xb") as file:
            _write(file, moment, known, older, hooks)
            file.flush()
            os.fsync(file.fileno())
        moment.copy.unlink()
        made = _proven(fresh, moment, scratch, hooks)
        if older is not None:
            older.close()
        with disk(target):
            os.replace(fresh, target)
            durable(target.parent)
    return Receipt(
        path=Path(os.path.abspath(path)),
        bytes=made.length,
        sha256=made.sha256,
        documents=made.contents.documents,
        notes=made.contents.notes,
        sessions=made.contents.sessions,
        left_out=moment.left_out,
    )


def _may_replace(target: Path, library: Path) -> None:
    if target.is_dir():
        raise SourceError(f"{target} is a folder", hint="name a file in it, such as library.backup")
    if target.exists() and not target.is_file():
        raise SourceError(f"{target} is no ordinary file", hint="name a file on a disk")
    if target.parent == Path(os.path.realpath(library)) and target.name in OWN:
        raise SourceError(f"{target} is the library itself", hint="name another file, best on another disk")
    if not target.parent.is_dir():
        raise StoreError(f"there is no folder {target.parent}", hint="make it, or connect the disk it is on")
    try:
        if target.exists() and target.stat().st_size and not archives.is_archive(target):
            raise SourceError(
                f"{target} is there, and is no backup", hint="name another file; this one was not touched"
            )
    except OSError as error:
        raise StoreError(f"{target} cannot be read: {error.strerror}", hint="check its permissions") from error


def _scratch(database: Database, target: Path) -> Path:
    """A folder on the library's own disk, or beside the backup where the library cannot be written."""
    writable = not database.readonly and os.access(database.folder, os.W_OK)
    return beside(database.path if writable else target, "proving")


def _older(target: Path, stack: ExitStack, hooks: Hooks) -> tuple[BinaryIO, Archive]:
    known = archives.read(target, meter(hooks, target, "proving", target.stat().st_size))
    return stack.enter_context(target.open("rb")), known


def _same_library(database: Database, known: Archive) -> None:
    with database.read() as c:
        lineage = stored.lineage(c)
    if known.contents.lineage != lineage:
        raise StoreError(
            f"{known.path} is a backup of another library", hint="name another file, or leave out --incremental"
        )


def _moment(database: Database, scratch: Path, with_files: bool, known: Archive | None, hooks: Hooks) -> _Moment:
    copy = scratch / LIBRARY_FILE
    with disk(scratch.parent, PROOF), database.read() as c:
        scratch.mkdir()
        contents = stored.contents(c, database.path)
        documents = stored_documents.list_documents(c)
        check(hooks)
        stored.copy_library(c, copy, lambda *_: check(hooks))
    before = {e.name for e in known.entries} if known and with_files else set()
    files = _originals(database, documents, with_files, before)
    there = {name.removeprefix(f"{FOLDER}/")[:SHA] for name in files}
    config = database.folder / CONFIG_FILE
    if config.is_file():
        files[CONFIG_FILE] = config
    left_out = sum(d.sha256 not in there for d in documents)
    return _Moment(copy, contents, files, left_out, with_files)


def _originals(
    database: Database, documents: list[StoredDocument], with_files: bool, before: set[str]
) -> dict[str, Path | None]:
    """The files of documents by name in the archive: those in the library folder, else also those elsewhere."""
    files: dict[str, Path | None] = {}
    by_hash = {name.removeprefix(f"{FOLDER}/")[:SHA]: name for name in before}
    there: dict[str, list[Path]] = {}
    for path in sorted((database.folder / FOLDER).glob("*")):
        there.setdefault(path.name[:SHA], []).append(path)
    for d in documents:
        kept = there.get(d.sha256, [])
        files |= {f"{FOLDER}/{path.name}": path for path in kept}
        if not kept and d.sha256 in by_hash:
            files[by_hash[d.sha256]] = None
        elif not kept and with_files and (outside := original_of(database, d)):
            files[f"{FOLDER}/{d.sha256}{outside.suffix.lower()}"] = outside
    return {name: path for name, path in files.items() if archives.NAMES.fullmatch(name)}


def _write(file: BinaryIO, moment: _Moment, known: Archive | None, older: BinaryIO | None, hooks: Hooks) -> None:
    writer = Writer(file, known=known.segments() if known else {}, older=older)
    kept = {e.name: e for e in known.entries} if known else {}
    total = moment.copy.stat().st_size
    step = meter(hooks, moment.copy, "packing", total)
    for name, path in [(LIBRARY_FILE, moment.copy), *sorted(moment.files.items())]:
        if path is None or (name.startswith(FOLDER) and name in kept):  # named by its hash: it is the same
            writer.take(kept[name])
            continue
        try:
            with path.open("rb") as source:
                writer.add(name, source, step)
        except FileNotFoundError:  # removed together with its document, since the copy was made
            continue
    writer.finish(moment.contents, created=now(), with_files=moment.with_files)


def _proven(fresh: Path, moment: _Moment, scratch: Path, hooks: Hooks) -> Archive:
    """Restore the new archive into the scratch place and compare it with the library as it was at that moment."""
    made = archives.read(fresh, meter(hooks, fresh, "proving", fresh.stat().st_size))
    total = sum(e.length for e in made.entries)
    with disk(scratch.parent, PROOF):
        unpack(made, scratch / "restored", meter(hooks, fresh, "proving", total))
    wrong = moment.contents.differences(made.contents)
    if wrong:
        raise StoreError(f"the backup does not hold what the library does: {', '.join(wrong)}", hint="try again")
    return made
