"""The files that documents were read from: whether they are still there and still the same."""

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from glossator.errors import NotFound
from glossator.library.originals import FOLDER

if TYPE_CHECKING:
    from glossator.store.database import Database
    from glossator.store.documents import StoredDocument


def file_of(database: "Database", document: "StoredDocument") -> Path:
    """Return a file with exactly the bytes that a document was read from.

    Raises:
        NotFound: there is none any more, or it was changed.
    """
    for path in _candidates(database.folder, document):
        try:
            status = path.stat()
            if path.is_file() and _hash(path, status.st_mtime_ns, status.st_size) == document.sha256:
                return path
        except OSError:
            continue  # another one may be readable
    raise NotFound(
        f"the file of “{document.title}” is not there any more, or was changed",
        hint="its text is in the library; add the file again to have both",
    )


def _candidates(folder: Path, document: "StoredDocument") -> list[Path]:
    kept = sorted((folder / FOLDER).glob(f"{document.sha256}*"))
    local = [uri for uri in document.sources if "://" not in uri]
    return [*kept, *(Path(uri) for uri in local), *(Path(os.fsdecode(unquote_to_bytes(u))) for u in local if "%" in u)]


@lru_cache(maxsize=256)
def _hash(path: Path, changed: int, size: int) -> str:  # noqa: ARG001  they make the key
    from glossator.sources.files import sha256

    return sha256(path)
