"""Files and folders: which files an `add` means, under which name each is kept, and what its bytes hash to.

Nothing here opens a document or knows formats beyond their suffixes. A file or folder that cannot be read is a value,
`SourceProblem`, so that the others of the same call are still added.
"""

import fnmatch
import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from glossator.errors import NotFound, SourceError

SUFFIXES = (
    ".epub",
    ".pdf",
    ".docx",
    ".fb2",
    ".fb2.zip",
    ".html",
    ".htm",
    ".xhtml",
    ".md",
    ".markdown",
    ".mkd",
    ".txt",
    ".text",
)
Wanted = Callable[[tuple[str, ...]], bool]  # of the parts of a path below the named folder


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to be read. `uri` is the name it is kept under: see `uri_of`."""

    path: Path
    uri: str


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """What was asked for and cannot be read, and why."""

    uri: str
    error: SourceError | NotFound


def walk(
    paths: Iterable[str | os.PathLike[str]], *, glob: str | None = None, suffixes: tuple[str, ...] = SUFFIXES
) -> Iterator[SourceFile | SourceProblem]:
    """Yield the files that `paths` name, each once: a named file always, of a folder those worth trying.

    Folders are walked in name order, through symbolic links too, but each folder once, which ends loops. In them hidden
    files and folders are left out, and so is what does not end in one of `suffixes`. A `glob` takes the place of the
    suffixes: without a slash it is matched with file names, with one against the path below the named folder, where
    `**` stands for any folders. Named files are not filtered.
    """
    seen: set[str] = set()
    wanted = _by_glob(glob) if glob else _by_suffix(suffixes)
    for given in paths:
        if not os.fspath(given):  # an unset variable of a shell; as a path it would be the working folder
            yield SourceProblem("", NotFound("an empty path", hint="name a file or a folder; . is this folder"))
            continue
        for found in _named(Path(given), wanted):
            if found.uri not in seen:
                seen.add(found.uri)
                yield found


def uri_of(path: str | os.PathLike[str]) -> str:
    """Return the absolute path as text that can be stored and printed: undecodable bytes are percent-encoded.

    All other names stay as they are, so a file really named `a%FF` shares its name with one whose name ends in that
    byte; content hashes keep the two apart.
    """
    return shown(os.path.abspath(os.fspath(path)))


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path as it may be printed: like `uri_of`, but relative if it was given so."""
    return re.sub(r"[\ud800-\udfff]", _percent, os.fspath(path))


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes as 64 hexadecimal digits; the file is streamed.

    Raises:
        NotFound: there is no such file.
        SourceError: it cannot be read.
    """
    with readable(path), path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Return a context in which what the system says of the file at `path` becomes an error that names it.

    Raises:
        NotFound: there is no such file.
        SourceError: it cannot be read (permissions, a folder).
    """
    try:
        yield
    except FileNotFoundError as error:
        raise _missing(path) from error
    except OSError as error:
        raise _unreadable(path, error) from error


def _by_suffix(suffixes: tuple[str, ...]) -> Wanted:
    return lambda parts: parts[-1].lower().endswith(suffixes)


def _by_glob(glob: str) -> Wanted:
    pattern = tuple(p for p in glob.split("/") if p)
    if len(pattern) == 1 and pattern != ("**",):
        return lambda parts: fnmatch.fnmatchcase(parts[-1], pattern[0])
    return lambda parts: _fits(parts, pattern)


def _fits(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_fits(parts[i:], pattern[1:]) for i in range(len(parts) + 1)) or pattern == ("**",)
    return bool(parts) and fnmatch.fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])


def _named(path: Path, wanted: Wanted) -> Iterator[SourceFile | SourceProblem]:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        yield SourceProblem(uri_of(path), _missing(path))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        yield SourceProblem(uri_of(path), _unreadable(path, error))
    else:
        if stat.S_ISDIR(mode):
            yield from _folder(path, wanted)
        elif stat.S_ISREG(mode):
            yield SourceFile(path, uri_of(path))
        else:
            odd = SourceError(f"{shown(path)}: a device, pipe or socket", hint="name a regular file or a folder")
            yield SourceProblem(uri_of(path), odd)


def _folder(top: Path, wanted: Wanted) -> Iterator[SourceFile | SourceProblem]:
    """Walk with a stack of our own: a chain of folders may be deeper than Python's."""
    visited: set[tuple[int, int]] = set()
    stack: list[tuple[str, ...]] = [()]
    while stack:
        parts = stack.pop()
        path = top.joinpath(*parts)
        if parts and not path.is_dir():
            yield from _named(path, wanted)
            continue
        try:
            here = path.stat()
            if (here.st_dev, here.st_ino) in visited:
                continue
            visited.add((here.st_dev, here.st_ino))
            with os.scandir(path) as entries:
                children = [(*parts, e.name) for e in entries if _worth_a_look(e, (*parts, e.name), wanted)]
        except OSError as error:
            yield SourceProblem(uri_of(path), _unreadable(path, error))
            continue
        stack.extend(sorted(children, reverse=True))


def _worth_a_look(entry: os.DirEntry[str], parts: tuple[str, ...], wanted: Wanted) -> bool:
    """Tell folders and wanted files from the rest; a wanted link that leads nowhere is kept, to be named as such."""
    if entry.name.startswith("."):
        return False
    try:
        return entry.is_dir() or (wanted(parts) and (entry.is_file() or entry.is_symlink()))
    except OSError:  # a link that leads to itself
        return wanted(parts)


def _missing(path: Path) -> NotFound:
    if path.is_symlink():
        return NotFound(f"{shown(path)}: a link to a file that is gone", hint="mend or remove the link")
    return NotFound(f"{shown(path)}: no such file or folder", hint="check the spelling of the path")


def _unreadable(path: Path, error: Exception) -> SourceError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return SourceError(f"{shown(path)}: cannot be read ({reason})", hint="check its permissions and the path")


def _percent(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # PEP 383: the byte that did not decode
        return f"%{code - 0xDC00:02X}"
    return "".join(f"%{b:02X}" for b in match[0].encode("utf-8", "surrogatepass"))
