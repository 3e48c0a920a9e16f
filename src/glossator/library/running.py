"""The server of a library, as other programs find it: `server.json` in the library's folder.

`attached` is what a program calls that wants one: the running one, or a new one in the background. A file that a killed
server left behind is told by its process and by asking its address. Nothing heavy is imported here.

Limit: two programs that start a server at the same moment are kept apart by a lock of the file system, which network
folders may not have.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from glossator.errors import GlossatorError, LibraryBusy, StoreError, from_json

FILE = "server.json"
LOCK = "server.lock"
LOG = "server.log"
WAIT = 10.0  # seconds for a server to begin
ANSWER = 2.0  # seconds for a running one to say that it is
IDLE = 1_800  # seconds after which a server in the background ends when nobody asks it


@dataclass(frozen=True, slots=True)
class Running:
    """A server: where it is, what it wants to be shown, its process."""

    url: str
    token: str
    pid: int

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `serve`, which is that of `server.json`."""
        return {"url": self.url, "token": self.token, "pid": self.pid}


def running(folder: Path) -> Running | None:
    """Return the server of a library, or None when none answers."""
    found = _read(folder)
    return found if found is not None and _alive(found.pid) and _answers(found) else None


def attached(folder: Path, *, wait: float = WAIT) -> Running:
    """Return the server of a library, started in the background if there is none.

    Raises:
        GlossatorError: it did not begin in time; the message says why, where it told.
    """
    return running(folder) or start(folder, wait=wait)


def start(folder: Path, *, wait: float = WAIT, options: tuple[str, ...] = ()) -> Running:
    """Start a server in the background, which ends when idle, and return it; another one that began is as good.

    Raises: as `attached`.
    """
    words = [sys.executable, "-m", "glossator", "--library", str(folder), "serve", "--json", "--idle", str(IDLE)]
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / LOG, "ab") as log:
        os.chmod(folder / LOG, 0o600)
        process = subprocess.Popen(
            [*words, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=os.name != "nt",
            creationflags=0x208 if os.name == "nt" else 0,  # CREATE_NEW_PROCESS_GROUP | DETACHED_PROCESS
        )
    threading.Thread(target=process.wait, daemon=True).start()  # so that it leaves no zombie behind when it ends
    deadline = time.monotonic() + wait
    while time.monotonic() < deadline:
        if (found := running(folder)) is not None:
            return found
        if process.returncode not in (None, 0) and _read(folder) is None:
            break
        time.sleep(0.05)
    raise GlossatorError(
        f"the server of {folder} did not begin: {_last_line(folder / LOG)}", hint="run `glossator serve` to see why"
    )


def announce(folder: Path, server: Running) -> None:
    """Write `server.json`, whole or not at all, for its owner alone.

    Raises:
        StoreError: it cannot be written.
    """
    try:
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".server-")  # mode 0600
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(server.to_json(), file)
        os.replace(name, folder / FILE)
    except OSError as error:
        raise StoreError(
            f"{folder / FILE}: cannot be written ({error.strerror})", hint="check the permissions of the folder"
        ) from error


def withdraw(folder: Path, server: Running) -> None:
    """Remove `server.json`, unless it names another server by now."""
    if _read(folder) == server:
        (folder / FILE).unlink(missing_ok=True)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the place of the one server of a library while inside.

    Raises:
        LibraryBusy: another server holds it.
    """
    with open(folder / LOCK, "a", encoding="utf-8") as file:
        os.chmod(folder / LOCK, 0o600)
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows: `running` alone keeps two servers apart
            pass
        except OSError as error:
            raise LibraryBusy(
                f"another server serves the library {folder}", hint="`glossator serve` tells its address once it began"
            ) from error
        yield


def ask(server: Running, method: str, path: str, body: Any = None, *, timeout: float = ANSWER) -> Any:
    """Return the JSON that a server answers.

    Raises:
        GlossatorError: it does not answer, or not with what was asked for.
    """
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)
    try:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        answer = json.loads(response.read() or b"null")
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise GlossatorError(f"{server.url} does not answer ({error})", hint="start it again") from error
    finally:
        connection.close()
    if response.status >= 400:
        told = answer if isinstance(answer, dict) else {}
        detail, hint = str(told.get("detail", response.reason)), str(told.get("hint", ""))
        raise from_json({"code": str(told.get("code")), "message": detail, "hint": hint})
    return answer


def _read(folder: Path) -> Running | None:
    try:
        found = json.loads((folder / FILE).read_text("utf-8"))
        return Running(str(found["url"]), str(found["token"]), int(found["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _alive(pid: int) -> bool:
    import psutil

    return pid > 0 and psutil.pid_exists(pid)


def _answers(server: Running) -> bool:
    with suppress(GlossatorError):
        found = ask(server, "GET", "/api/health")
        return isinstance(found, dict) and found.get("pid") == server.pid
    return False


def _last_line(path: Path) -> str:
    try:
        lines = path.read_text("utf-8", "replace").strip().splitlines()
    except OSError:
        lines = []
    return lines[-1] if lines else "it said nothing"
