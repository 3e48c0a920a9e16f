"""What an `add` means: files, folders and web addresses, each as one item to read.

Local files are referenced where they are, never copied. What comes from the web is kept as it came, under
`originals/SHA256.suffix` in the library folder, because the page may be another one tomorrow.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glossator.errors import GlossatorError, StoreError
from glossator.sources.files import SourceProblem, walk

FOLDER = "originals"


@dataclass(frozen=True, slots=True)
class Item:
    """A file to read, and the name its document goes by: an absolute path, or the URL it came from."""

    path: Path
    uri: str
    base_url: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What was asked for and cannot be read."""

    uri: str
    error: GlossatorError


@dataclass(frozen=True, slots=True)
class Page:
    """A web address that is still to be fetched."""

    url: str


def items_of(paths: Sequence[str | Item], *, glob: str | None = None) -> Iterator[Item | Page | Problem]:
    """Yield what `paths` name, in their order, each file once. An item is itself: a file under a name of its own."""
    from glossator.sources.web import is_url

    seen: set[str] = set()
    for path in paths:
        if isinstance(path, Item):
            yield path
            continue
        if is_url(path):
            yield Page(path)
            continue
        for found in walk([path], glob=glob):
            if found.uri not in seen:
                seen.add(found.uri)
                yield (
                    Problem(found.uri, found.error) if isinstance(found, SourceProblem) else Item(found.path, found.uri)
                )


def fetched(page: Page, folder: Path) -> Item:
    """Fetch a page, keep its bytes in the library folder, and return the item to read.

    Raises:
        SourceError: as `sources.web.fetch`.
        StoreError: the bytes cannot be written.
    """
    from glossator.sources.web import fetch

    response = fetch(page.url)
    return Item(keep(folder, response.data, response.suffix), response.url, response.final_url)


def keep(folder: Path, data: bytes, suffix: str) -> Path:
    """Write bytes under their hash, whole or not at all; return the path.

    Raises:
        StoreError: the disk is full, or the folder cannot be written.
    """
    target = folder / FOLDER / (hashlib.sha256(data).hexdigest() + suffix)
    if target.exists():
        return target
    try:
        target.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, target)
    except OSError as error:
        raise StoreError(
            f"{target}: cannot be written ({error.strerror})", hint="free space, or check the folder's permissions"
        ) from error
    return target


def keep_file(folder: Path, written: Path, sha256: str, suffix: str) -> Path:
    """Keep a file that was written in the library folder under its hash; return its new path.

    Raises:
        StoreError: the folder cannot be written.
    """
    target = folder / FOLDER / (sha256 + suffix)
    try:
        target.parent.mkdir(exist_ok=True)
        os.replace(written, target)
    except OSError as error:
        raise StoreError(
            f"{target}: cannot be written ({error.strerror})", hint="free space, or check the folder's permissions"
        ) from error
    return target
