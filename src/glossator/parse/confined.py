"""The child process that parses: `python -m glossator.parse.confined LIMITS`, started and watched by `worker.Pool`.

It reads one JSON request per line from standard input and writes one JSON reply per line to what was standard output;
whatever a library prints goes to standard error. It ends when standard input does, in the middle of a parse too, so it
never outlives the process that started it.

What it may not do: start processes, use sockets, change the file system (an audit hook, which Python code cannot take
away again); write to files by any way, dump core, use more memory or processor time than allowed (resource limits, on
POSIX). The hook sees what goes through Python; libraries in C are held by their own switches (`no_network`) and by the
limits.
"""

import json
import math
import os
import queue
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from glossator.errors import DamagedFile, GlossatorError, LimitExceeded

_OPEN_FILES = 256
_FORBIDDEN = (
    "socket.",
    "subprocess.",
    "pty.",
    "shutil.",
    *(f"os.{call}" for call in ("system", "exec", "fork", "posix_spawn", "startfile", "kill")),
    *(f"os.{call}" for call in ("remove", "rename", "mkdir", "rmdir", "link", "symlink", "truncate", "chmod", "chown")),
)
_HARMLESS = {"socket.gethostname"}


def main() -> None:
    """Serve requests until standard input ends."""
    limits: dict[str, int] = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    yield_more(0)
    _limit_resources(limits["memory_bytes"])
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(sys.stdin.buffer, requests), daemon=True).start()
    sys.addaudithook(_refuse)
    while True:
        request: dict[str, Any] = json.loads(requests.get())
        _limit_time(limits["cpu_seconds"])
        replies.write(_reply(request, limits["output_bytes"]) + b"\n")
        replies.flush()


def yield_more(steps: int) -> None:
    """Be nicer by so many steps, and let the session of this process be as nice as it is.

    Linux shares the cores among sessions first (`man 7 sched`, autogroups), so that being nice alone says nothing to
    other ones, and a process that is kept from Ctrl-C has a session of its own.
    """
    with suppress(AttributeError, OSError):  # Windows has neither, and other systems not the second
        nice = os.nice(steps)
        if nice > 0 and os.getsid(0) == os.getpid():
            Path("/proc/self/autogroup").write_text(str(nice), "ascii")


def _read_requests(source: BinaryIO, requests: "queue.SimpleQueue[bytes]") -> None:
    for line in source:
        requests.put(line)
    os._exit(0)


def _reply(request: dict[str, Any], most: int) -> bytes:
    from glossator.sources.files import shown

    name = shown(request["path"])
    try:
        reply = _document(request)
    except GlossatorError as error:
        return _failed(error)
    except MemoryError:
        hint = "split the file, or free it of what makes it large"
        return _failed(
            LimitExceeded(f"{name}: reading it needs more memory than a parse may take", hint=hint), spent=True
        )
    except Exception as fault:  # a fault of a parser is this document's error, with its traceback for the log
        hint = "the file is probably damaged; if other programs open it, report it with the output of --verbose"
        failure = DamagedFile(f"{name}: the reader failed on it ({type(fault).__name__}: {fault})", hint=hint)
        return _failed(failure, traceback=traceback.format_exc())
    if len(reply) > most:
        what = f"{name}: its text is larger than one document may be ({len(reply) >> 20} MB)"
        return _failed(LimitExceeded(what, hint="split the file into several"), spent=True)
    return reply


def _failed(error: GlossatorError, **more: Any) -> bytes:
    return json.dumps({"error": error.to_json(), **more}).encode()


def _document(request: dict[str, Any]) -> bytes:
    from glossator.document.codec import document_to_json
    from glossator.parse import parse

    if request.get("parts"):
        return _parts(request)
    if request.get("cover"):
        return _cover(request)
    document = parse(Path(request["path"]), format=request["format"], base_url=request["base_url"])
    return json.dumps({"document": document_to_json(document)}, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _parts(request: dict[str, Any]) -> bytes:
    from glossator.parse import read
    from glossator.parse.html import serialise
    from glossator.parse.publication import Reflowable

    found = read(Path(request["path"]), format=request["format"], base_url=request["base_url"])
    parts = found.parts if isinstance(found, Reflowable) else ()
    shapes = [{"href": p.href, "cfi": p.cfi, "xhtml": serialise(p.root).decode()} for p in parts]
    return json.dumps({"parts": shapes}, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _cover(request: dict[str, Any]) -> bytes:
    import base64

    from glossator.parse.cover import cover_of

    found = cover_of(Path(request["path"]), request["format"]) or b""
    return json.dumps({"cover": base64.b64encode(found).decode()}).encode()


def _refuse(event: str, details: tuple[Any, ...]) -> None:
    if event.startswith(_FORBIDDEN) and event not in _HARMLESS:
        raise PermissionError(f"a parse may not use {event}")
    if event == "open" and _is_writing(*details):
        raise PermissionError(f"a parse may not write {details[0]!r}")


def _is_writing(path: object, mode: str | None, flags: int) -> bool:
    if isinstance(path, int) or path == os.devnull:
        return False
    return any(c in mode for c in "wax+") if mode else bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def _limit_resources(memory: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: the pool's watchdog alone holds time and memory
        return
    _lower(resource.RLIMIT_AS, memory)
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _lower(resource.RLIMIT_FSIZE, 0)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, value: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):  # macOS refuses RLIMIT_AS; the watchdog holds memory there
        sys.stderr.write(f"resource limit {kind} could not be set to {value}\n")


def _limit_time(seconds: int) -> None:
    """Give this job its own processor time: the soft limit rises by it, counted from what is used already."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = math.ceil(time.process_time()) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


if __name__ == "__main__":
    main()
