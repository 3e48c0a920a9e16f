"""Files that come over the wire: written as they arrive, hashed on the way, kept whole or not at all."""

import hashlib
import os
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from glossator.errors import StoreError, UsageError
from glossator.library.originals import keep_file

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile
    from starlette.requests import Request

PIECE = 1 << 20
Sent = tuple[str, AsyncIterator[bytes]]  # what it is called, and its bytes
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


@asynccontextmanager
async def sent(request: "Request", name: str | None) -> "AsyncIterator[list[Sent]]":
    """Give the files of a request while inside: those of a form, or its body under a name.

    Raises:
        UsageError: a form without a file.
    """
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        yield [(name or "", _body(request))]
        return
    from starlette.datastructures import UploadFile

    async with request.form(max_files=100, max_fields=100) as form:
        files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
        if not files:
            raise UsageError("no file came", hint="send it as the part `file` of a form")
        yield [(f.filename or "", pieces_of(f)) for f in files]


def plain_name(name: str) -> str:
    """Return what a sender called a file, without folders and signs that no file name may hold; it may be empty."""
    plain = PurePath(name.replace("\\", "/")).name
    return "".join(c for c in plain if c.isprintable() and c not in '<>:"|?*').strip(" .")[:200]


async def _body(request: "Request") -> "AsyncIterator[bytes]":
    async for piece in request.stream():
        if piece:
            yield piece


async def pieces_of(file: "UploadFile") -> AsyncIterator[bytes]:
    """Yield the bytes of a file of a form."""
    while piece := await file.read(PIECE):
        yield piece
