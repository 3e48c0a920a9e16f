"""Files that come over the wire: written as they arrive, hashed on the way, kept whole or not at all."""

import hashlib
import os
import re
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from glossator.errors import StoreError, UsageError
from glossator.library.originals import keep_file

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile

PIECE = 1 << 20
_SUFFIX = re.compile(r"(\.[a-z0-9]{1,8}){1,2}")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was kept, and what its sender called it, without folders and suffix."""

    path: Path
    title: str


async def kept(folder: Path, name: str, pieces: AsyncIterator[bytes]) -> Upload:
    """Write pieces to a file in the library folder.

    Raises:
        UsageError: nothing came.
        StoreError: it cannot be written.
    """
    digest = hashlib.sha256()
    size = 0
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=".upload-")
    try:
        with open(descriptor, "wb") as file:
            async for piece in pieces:
                digest.update(piece)
                size += len(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        if not size:
            raise UsageError("no file came", hint="send it as multipart/form-data, or as the body with ?name=")
        plain = PurePath(name.replace("\\", "/")).name
        suffix = PurePath(plain).suffix.lower()
        suffix = suffix if _SUFFIX.fullmatch(suffix) else ""
        title = "".join(c for c in PurePath(plain).stem if c.isprintable()).strip()[:300]
        return Upload(keep_file(folder, Path(temporary), digest.hexdigest(), suffix), title)
    except OSError as error:
        raise StoreError(f"the upload cannot be written ({error.strerror})", hint="free space on that disk") from error
    finally:
        Path(temporary).unlink(missing_ok=True)


async def pieces_of(file: "UploadFile") -> AsyncIterator[bytes]:
    """Yield the bytes of a file of a form."""
    while piece := await file.read(PIECE):
        yield piece
