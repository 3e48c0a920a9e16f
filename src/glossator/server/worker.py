"""The process that does long work: `python -m glossator.server.worker LIBRARY [EMBEDDER]`, started by `child.Child`.

It reads requests as JSON lines from standard input and writes events and one result for each to what was standard
output. Searches of the server that started it are not slowed by its work, and what goes wrong here ends nothing there.
It ends when standard input does, in the midst of work too, so that it never works beside the next server's.
"""

import json
import logging
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from glossator.errors import Cancelled, GlossatorError
from glossator.library.library import Library
from glossator.library.results import IngestEvent
from glossator.parse.confined import yield_more
from glossator.server.work import KINDS

NICE = 10  # of 19: what a person waits for comes first
Json = dict[str, Any]
log = logging.getLogger(__name__)


def main() -> None:
    """Do what is asked until standard input ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    yield_more(NICE)
    requests: queue.SimpleQueue[Json] = queue.SimpleQueue()
    cancelled = threading.Event()
    threading.Thread(target=_read, args=(sys.stdin.buffer, requests, cancelled), daemon=True).start()
    embedder = sys.argv[2] if len(sys.argv) > 2 else None
    with Library.open(Path(sys.argv[1]), create=False, embedder=embedder) as library:
        while True:
            request = requests.get()
            _write(replies, _done(library, request, replies, cancelled))


def _read(source: BinaryIO, requests: "queue.SimpleQueue[Json]", cancelled: threading.Event) -> None:
    for line in source:
        request = json.loads(line)
        if request.get("cancel"):
            cancelled.set()
        else:
            cancelled.clear()  # here, so that a cancellation that follows at once is not lost
            requests.put(request)
    os._exit(0)


def _done(library: Library, request: Json, replies: BinaryIO, cancelled: threading.Event) -> Json:
    """Return what came of a request; events are written on the way."""

    def tell(event: IngestEvent) -> None:
        told = {"file": event.file, "stage": event.stage, "done": event.done, "total": event.total}
        _write(replies, {"event": told})

    try:
        return {"result": KINDS[request["kind"]](library, request["arguments"], tell, cancelled.is_set)}
    except Cancelled:
        return {"cancelled": True}
    except GlossatorError as error:
        return {"error": error.to_json()}
    except Exception:  # the edge of a job: its cause goes to the log
        log.exception("work of the kind %s", request["kind"])
        return {"error": GlossatorError("this job met a defect", hint="see the server's log, and report it").to_json()}


def _write(replies: BinaryIO, reply: Json) -> None:
    replies.write(json.dumps(reply).encode() + b"\n")  # in ASCII: a path may hold stray bytes
    replies.flush()


if __name__ == "__main__":
    main()
