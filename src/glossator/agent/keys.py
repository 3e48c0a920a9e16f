"""Keys of providers: from the environment, else the system's keyring, else a file that only its owner can read.

A key is named by the variable that would hold it. It is never in a library, a log, a message or a setting. The file is
used where there is no keyring (a machine without a desktop); one that others could read is refused.
"""

import logging
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from glossator import config, scrub
from glossator.choice import PROVIDERS, ModelChoice
from glossator.errors import StoreError, UsageError

RING = "glossator"  # the name under which a keyring holds our keys
FILE = "keys.json"
Place = Literal["environment", "keyring", "file"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Key:
    """A key, and where it was found. Its value is in no text that shows this."""

    variable: str
    place: Place
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a key was stored or removed; never the key."""

    provider: str
    variable: str
    place: Place | None

    def to_json(self) -> dict[str, Any]:
        """Return provider, variable, place."""
        return {"provider": self.provider, "variable": self.variable, "place": self.place}


def find(choice: ModelChoice, *, environment: Mapping[str, str] = os.environ) -> Key | None:
    """Return the key for a model, or None.

    A server on this machine is given a stored key only where a setting names its variable: it needs none by itself.
    """
    variable = choice.key_env
    if variable is None:
        return None
    if value := environment.get(variable, "").strip():
        return _noted(Key(variable, "environment", value))
    default = PROVIDERS[choice.provider].key_env
    if choice.loopback and variable == default:
        return None
    return stored(variable)


def stored(variable: str) -> Key | None:
    """Return the key that is kept under that name, or None."""
    if value := _from_keyring(variable):
        return _noted(Key(variable, "keyring", value))
    if value := _read_file().get(variable):
        return _noted(Key(variable, "file", value))
    return None


def store(provider: str, value: str) -> Kept:
    """Keep a provider's key in the keyring, or in the file where there is none, and return where.

    Raises:
        UsageError: the provider is unknown or needs no key, or the value cannot be one.
        StoreError: the file cannot be written.
    """
    variable = _variable(provider)
    value = value.strip()
    if not value or any(c.isspace() or not c.isprintable() for c in value) or not value.isascii():
        raise UsageError("that is not a key: it is empty, or holds white space or foreign characters", hint=_HOW)
    scrub.remember(value)
    if _to_keyring(variable, value):
        _write_file({k: v for k, v in _read_file().items() if k != variable})
        return Kept(provider, variable, "keyring")
    _write_file(_read_file() | {variable: value})
    return Kept(provider, variable, "file")


def forget(provider: str) -> Kept:
    """Remove a provider's key from keyring and file, and return where it was.

    Raises: as `store`.
    """
    variable = _variable(provider)
    found = stored(variable)
    _from_keyring(variable, delete=True)
    _write_file({k: v for k, v in _read_file().items() if k != variable})
    return Kept(provider, variable, found.place if found else None)


_HOW = "`glossator config set-key PROVIDER` reads one line from the terminal or from stdin"


def _variable(provider: str) -> str:
    known = {name: p.key_env for name, p in PROVIDERS.items() if p.key_env}
    if provider not in known:
        said = "needs no key" if provider in PROVIDERS else "is no provider that is known here"
        raise UsageError(f"{provider} {said}", hint=f"one of {', '.join(known)}")
    return known[provider]


def _noted(key: Key) -> Key:
    scrub.remember(key.value)
    return key


def _from_keyring(variable: str, *, delete: bool = False) -> str | None:
    """Return a key from the keyring, or None; with `delete`, remove it first."""
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return None
    try:
        if delete and keyring.get_password(RING, variable) is not None:
            keyring.delete_password(RING, variable)
        return keyring.get_password(RING, variable)
    except keyring.errors.KeyringError as error:  # none is there, or it is locked
        log.debug("no keyring: %s", error)
        return None


def _to_keyring(variable: str, value: str) -> bool:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return False
    try:
        keyring.set_password(RING, variable, value)
        return keyring.get_password(RING, variable) == value  # a backend may take it and keep nothing
    except keyring.errors.KeyringError as error:
        log.debug("no keyring: %s", error)
        return False


def _path() -> Path:
    return config.user_config().with_name(FILE)


def _read_file() -> dict[str, str]:
    import json

    path = _path()
    try:
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            log.warning("%s can be read by others and is not used: chmod 600 it", path)
            return {}
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        log.warning("%s cannot be read: %s", path, type(error).__name__)
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def _write_file(keys: Mapping[str, str]) -> None:
    import json

    path = _path()
    if not keys and not path.exists():
        return
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
            json.dump(dict(keys), stream)
        os.replace(fresh, path)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}", hint="check the folder's permissions") from error
