"""A library made from a backup: built and compared in a scratch place, then put where it belongs in one step.

Where the folder is not there, or empty, the finished folder takes its name. Where other files are in it, or a library
without anything in it, the files of the backup move in first and the library file last: before that there is none.
A `config.toml` that is there stays. The restored library gets an id of its own.
"""

import os
from pathlib import Path

from glossator.config import CONFIG_FILE
from glossator.errors import StoreError
from glossator.library.backup import archive as archives
from glossator.library.backup.places import beside, disk, durable, passing
from glossator.library.backup.receipt import Receipt
from glossator.library.backup.unpacking import unpack
from glossator.library.backup.watching import check, meter
from glossator.library.vectors import Hooks
from glossator.store import backup as stored
from glossator.store.database import LIBRARY_FILE


def restore(path: Path, folder: Path, hooks: Hooks) -> Receipt:
    """Make the library in `folder` from the backup `path`; return what is in it.

    Raises:
        StoreError: the folder holds a library with something in it, or cannot be written.
        DamagedFile: the backup is damaged; nothing was written.
        NotFound: there is no such backup.
        UnsupportedFormat: the file is no backup, or one of a newer program.
        Cancelled: stopped; nothing was written.
    """
    folder = Path(os.path.realpath(folder))
    _may_fill(folder)
    path = Path(os.path.abspath(path))
    length = path.stat().st_size if path.is_file() else 0
    archive = archives.read(path, meter(hooks, path, "proving", length))
    with disk(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
    whole = _takes_whole(folder)
    with passing(beside(folder if whole else folder / LIBRARY_FILE, "restoring")) as scratch:
        with disk(folder):
            unpack(archive, scratch, meter(hooks, path, "restoring", sum(e.length for e in archive.entries)))
        stored.give_new_identity(scratch / LIBRARY_FILE)
        with disk(folder):
            for place in (*scratch.rglob("*"), scratch):
                durable(place)
            check(hooks)
            if whole:
                _name(scratch, folder)
            else:
                _move_in(scratch, folder)
    return Receipt(
        path=path,
        bytes=archive.length,
        sha256=archive.sha256,
        documents=archive.contents.documents,
        notes=archive.contents.notes,
        sessions=archive.contents.sessions,
    )


def _may_fill(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder} is a file", hint="name a folder with --library")
    library = folder / LIBRARY_FILE
    if library.exists():
        if not stored.is_empty_library(library):
            raise StoreError(
                f"the library {folder} is not empty; a backup is restored into an empty one only",
                hint="name a new folder with --library, or move this library away first",
            )
    elif any((folder / f"{LIBRARY_FILE}{end}").exists() for end in ("-wal", "-shm", "-journal")):
        raise StoreError(
            f"{folder} holds what is left of a library ({LIBRARY_FILE}-wal and the like)",
            hint="name a new folder with --library, or move these files away first",
        )


def _takes_whole(folder: Path) -> bool:
    """Say whether a finished folder can take the name of this one."""
    if folder.exists() and (any(folder.iterdir()) or os.path.ismount(folder)):
        return False
    return os.access(folder.parent, os.W_OK)


def _name(scratch: Path, folder: Path) -> None:
    if os.name == "nt" and folder.exists():
        folder.rmdir()
    os.rename(scratch, folder)  # over an empty folder this is one step, too
    durable(folder.parent)


def _move_in(scratch: Path, folder: Path) -> None:
    for place in sorted(scratch.iterdir()):
        if place.is_dir():
            (folder / place.name).mkdir(exist_ok=True)
            for file in place.iterdir():
                os.replace(file, folder / place.name / file.name)
            durable(folder / place.name)
    if (scratch / CONFIG_FILE).exists() and not (folder / CONFIG_FILE).exists():
        os.replace(scratch / CONFIG_FILE, folder / CONFIG_FILE)
    library = folder / LIBRARY_FILE
    if library.exists():
        stored.fill(library, scratch / LIBRARY_FILE)
    else:
        os.replace(scratch / LIBRARY_FILE, library)
    durable(folder)
