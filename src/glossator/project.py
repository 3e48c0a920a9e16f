"""A folder's own settings, `.glossator`: which library is used inside it, once the person trusts them.

Whoever sends a folder could put such a file into it, so it says nothing until `glossator config trust` lists it in the
user's own `config.toml`, with the hash of what it said then. What changed since needs trusting again. Only `library` is
read of it, a path that stays inside the folder, links resolved; the file itself may be no link.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glossator.errors import NotFound, UsageError
from glossator.tomlfile import parse_table, read_table, write_table

NAME = ".glossator"  # a file, or a folder with `config.toml` in it
INSIDE = "config.toml"
TABLE = "trusted"  # of the user's file: folder = hash
LARGEST = 1 << 16  # bytes of such a file


@dataclass(frozen=True, slots=True)
class Project:
    """The settings found in a folder, as bytes that are hashed and read once."""

    folder: Path  # links resolved
    file: Path
    data: bytes

    @property
    def sha256(self) -> str:
        """Return the hash of what the file says."""
        import hashlib

        return hashlib.sha256(self.data).hexdigest()

    @property
    def library(self) -> Path:
        """Return the folder of the library that it names.

        Raises:
            UsageError: it names none, or one that is not inside the project's folder.
        """
        named = parse_table(self.data, self.file).get("library")
        if not isinstance(named, str) or not named.strip() or "\0" in named:
            raise UsageError(f"{self.file} names no library", hint='it says: library = "a path in this folder"')
        wanted = Path(os.path.realpath(self.folder / named))
        if Path(named).is_absolute() or not wanted.is_relative_to(self.folder):
            raise UsageError(
                f"{self.file}: the library {named!r} is not inside {self.folder}",
                hint="name a path in that folder; a library elsewhere is chosen with --library",
            )
        return wanted


@dataclass(frozen=True, slots=True)
class Trusted:
    """A folder that is trusted; `current` says whether its file still says what it said then."""

    folder: str
    sha256: str
    current: bool

    def to_json(self) -> dict[str, Any]:
        """Return the entry of `trusted`."""
        return {"folder": self.folder, "sha256": self.sha256, "current": self.current}


def find(start: Path | None = None) -> Project | None:
    """Return the settings of the nearest folder that has some, from `start` (the working folder) upward, or None."""
    try:
        here = Path(os.path.realpath(start or Path.cwd()))
    except OSError:  # the working folder is gone
        return None
    return next((found for folder in (here, *here.parents) if (found := read(folder))), None)


def read(folder: Path) -> Project | None:
    """Return the settings that a folder (links resolved) itself has, or None; links and oversized files are none."""
    file = folder / NAME
    if file.is_dir() and not file.is_symlink():
        file = file / INSIDE
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        regular = not file.is_symlink() and Path(file).is_file()
        data = stream.read(LARGEST + 1) if regular else b""
    return Project(folder, file, data) if regular and len(data) <= LARGEST else None


def in_force(config: Path) -> tuple[Project | None, str | None]:
    """Return the settings in force in the working folder, and else what to say of some that are not trusted.

    `config` is the user's own file.
    """
    found = find()
    if found is None:
        return None, None
    trusted = hashes(config).get(str(found.folder))
    if trusted == found.sha256:
        return found, None
    why = "changed since it was trusted" if trusted else "is not trusted"
    return None, f"{found.file} {why} and says nothing; `glossator config trust` in {found.folder} trusts it"


def hashes(config: Path) -> dict[str, str]:
    """Return what the user trusts: by folder, the hash of what its file said then."""
    table = read_table(config).get(TABLE)
    found = table.items() if isinstance(table, dict) else ()
    return {folder: sha256 for folder, sha256 in found if isinstance(sha256, str)}


def listed(config: Path) -> tuple[Trusted, ...]:
    """Return all folders that are trusted."""
    return tuple(_trusted(folder, sha256) for folder, sha256 in sorted(hashes(config).items()))


def trust(config: Path, folder: Path | None = None) -> Trusted:
    """Trust the settings of a folder, or of the nearest one that has some, as they are now.

    Raises:
        NotFound: there are none.
        UsageError: they name no library inside their folder.
    """
    found = find() if folder is None else read(Path(os.path.realpath(folder)))
    if found is None:
        raise NotFound(
            f"no {NAME} is in {folder or 'this folder or above it'}",
            hint=f'a {NAME} file says: library = "a path in its folder"; it may be no link',
        )
    _ = found.library
    write_table(config, _changed(config, str(found.folder), found.sha256))
    return Trusted(str(found.folder), found.sha256, True)


def untrust(config: Path, folder: Path | None = None) -> Trusted:
    """Trust the settings of a folder no longer, whether it is there or not.

    Raises:
        NotFound: it was not trusted.
    """
    found = find() if folder is None else None
    name = str(found.folder) if found else os.path.realpath(folder or Path.cwd())
    sha256 = hashes(config).get(name)
    if sha256 is None:
        raise NotFound(f"{name} is not trusted", hint="`glossator config trust --list` shows what is")
    write_table(config, _changed(config, name, None))
    return _trusted(name, sha256)


def _trusted(folder: str, sha256: str) -> Trusted:
    found = read(Path(folder))
    return Trusted(folder, sha256, found is not None and found.sha256 == sha256)


def _changed(config: Path, folder: str, sha256: str | None) -> dict[str, Any]:
    table = read_table(config)
    kept = {name: value for name, value in hashes(config).items() if name != folder}
    return {**table, TABLE: kept if sha256 is None else {**kept, folder: sha256}}
