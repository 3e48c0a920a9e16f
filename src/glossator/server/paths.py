"""Which files of this machine a client may name.

Whoever holds the token is the person at this machine, so their own files are open; the system's folders and hidden
files never are. Where `tools.folders` names folders, nothing outside them is. Links are resolved first.
"""

from pathlib import Path

from glossator.config import Settings
from glossator.errors import NotFound, UsageError

CLOSED = ("/etc", "/proc", "/sys", "/dev", "/boot", "/run", "/var/lib", "/var/log", "/usr", "/bin", "/sbin", "/lib")
HINT = "copy it into a folder of yours, or add it with `glossator add`"


def checked(settings: Settings, path: str) -> Path:
    """Return the path that a client names, resolved.

    Raises:
        UsageError: it is relative, hidden, the library's own, or outside the folders that may be used.
        NotFound: nothing is there.
    """
    try:
        asked = Path(path).expanduser()
        if not asked.is_absolute():
            raise UsageError(f"{path!r} is not an absolute path", hint="give it from the root on")
        found = asked.resolve()
        there = found.exists()
    except (OSError, ValueError, RuntimeError) as error:  # a link in a circle, a zero byte, an unreadable folder
        raise UsageError(f"{path!r} is no path that can be used", hint="check it") from error
    folders = [Path(f.strip()).expanduser().resolve() for f in (settings.tools_folders or "").split(",") if f.strip()]
    home = next((f for f in folders if found.is_relative_to(f)), None)
    if folders and home is None:
        raise UsageError(f"{path!r} is outside the folders of tools.folders", hint=HINT)
    if home is None and any(found.is_relative_to(closed) for closed in CLOSED):
        raise UsageError(f"{path!r} belongs to the system", hint=HINT)
    if any(part.startswith(".") for part in found.relative_to(home or found.anchor).parts):
        raise UsageError(f"{path!r} is hidden", hint=HINT)
    if found.is_relative_to(settings.library.resolve()):
        raise UsageError(f"{path!r} belongs to the library", hint="its documents are there already")
    if not there:
        raise NotFound(f"{path}: there is no such file", hint="check the spelling of the path")
    return found


def to_write(settings: Settings, path: str) -> Path:
    """Return the path of a file that a client wants written, resolved; its folder must be there.

    Raises: as `checked`, of the folder.
    """
    given = Path(path)
    if given.name.startswith(".") or not given.name:
        raise UsageError(f"{path!r} is hidden, or no file", hint="name a file")
    folder = checked(settings, str(given.parent))
    if not folder.is_dir() or (folder / given.name).is_dir():
        raise UsageError(f"{path!r} is no path of a file", hint="name a file in a folder that is there")
    return folder / given.name
