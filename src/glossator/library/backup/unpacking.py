"""Files out of an archive into a folder, compared byte by byte and table by table with what went in.

Both the proof of a new backup and a restore do exactly this.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

from glossator.errors import DamagedFile, GlossatorError
from glossator.library.backup.archive import OTHER_BACKUP, Archive, Entry
from glossator.store import backup as stored


def unpack(archive: Archive, folder: Path, step: Callable[[int], None]) -> None:
    """Write all files of an archive into `folder` and compare them.

    Raises:
        DamagedFile: a file, or a table of the library in it, is not what the archive says it holds.
        OSError: no space, or the folder cannot be written.
    """
    folder.mkdir(parents=True)
    with archive.path.open("rb") as file:
        for entry in archive.entries:
            target = folder / entry.name
            target.parent.mkdir(exist_ok=True)
            digest = hashlib.sha256()
            with target.open("xb") as out:
                for piece in archive.pieces(entry, file):
                    out.write(piece)
                    digest.update(piece)
                    step(len(piece))
            _same(archive, entry, digest.hexdigest())
    compare(archive, folder)


def compare(archive: Archive, folder: Path) -> None:
    """Make sure that the library in `folder` holds what the archive says.

    Raises:
        DamagedFile: it does not.
        LibraryTooNew: a newer version of this program wrote it.
    """
    library = stored.library_at(folder)
    try:
        with stored.looked_at(library) as c:
            found = stored.contents(c, archive.path)
            wrong = archive.contents.differences(found) + stored.problems(c)
    except (GlossatorError, OSError) as error:
        if isinstance(error, GlossatorError) and error.code == "too_new":
            raise
        raise DamagedFile(f"the backup {archive.path} holds no whole library: {error}", hint=OTHER_BACKUP) from error
    if wrong:
        raise DamagedFile(
            f"the backup {archive.path} does not hold what it says: {', '.join(wrong[:5])}", hint=OTHER_BACKUP
        )


def _same(archive: Archive, entry: Entry, sha256: str) -> None:
    if sha256 != entry.sha256:
        raise DamagedFile(f"the backup {archive.path} is damaged: {entry.name} is another file", hint=OTHER_BACKUP)
