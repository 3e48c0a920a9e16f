"""A process that answers reading commands: `python -m glossator.server.reading LIBRARY IDLE [EMBEDDER]`; see `readers`.

It reads requests as JSON lines from standard input and writes one line for each to what was standard output: a letter
that says what it is, and JSON. It loads no embedding model: while it answers it may ask for what a model makes
(`MODEL`), and the next line of standard input is the reply. Every request is a transaction of its own, so that it sees
whatever was committed before. It ends when standard input does, or when nothing was asked for IDLE seconds.
"""

import base64
import json
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from glossator.errors import GlossatorError, from_json
from glossator.library.batch import answer
from glossator.library.library import Library

if TYPE_CHECKING:
    from glossator.embed.base import Embedder, Vectors

ANSWER, ERROR, DEFECT, MODEL = b"A", b"E", b"D", b"M"
Json = dict[str, Any]
Asked = Callable[[Json], Json]
log = logging.getLogger(__name__)


def main() -> None:
    """Answer until nobody asks any more."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, lines), daemon=True).start()

    def asked(question: Json) -> Json:
        _write(replies, MODEL, json.dumps(question).encode())
        reply: Json = json.loads(lines.get())
        if "error" in reply:
            raise from_json(reply["error"])
        return reply

    folder, idle, embedder = (*sys.argv[1:], None)[:3]
    with Borrowing.open(Path(str(folder)), create=False, embedder=embedder) as library:
        library.asked = asked
        while True:
            try:
                request = json.loads(lines.get(timeout=float(str(idle))))
            except queue.Empty:
                break
            _write(replies, *_answered(library, request))
    os._exit(0)  # a thread that waits for standard input would hold the interpreter's own end up


def encoded(value: Any) -> bytes:
    """Return a value as the JSON that is sent, on one line, a stray byte of a path as its escape."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _read(source: BinaryIO, lines: "queue.SimpleQueue[bytes]") -> None:
    for line in source:
        lines.put(line)
    os._exit(0)


def _answered(library: Library, request: Json) -> tuple[bytes, bytes]:
    try:
        return ANSWER, encoded(answer(library, request["operation"], request["options"]))
    except GlossatorError as error:
        return ERROR, json.dumps(error.to_json()).encode()
    except Exception:  # the edge of a process: its cause goes to the log
        log.exception("reading %s", request["operation"])
        return DEFECT, b"{}"


def _write(replies: BinaryIO, kind: bytes, data: bytes) -> None:
    replies.write(kind + data + b"\n")
    replies.flush()


class Borrowing(Library):
    """A library whose embedders are those of the process that asks."""

    asked: Asked

    def embedder(self, spec: str) -> "Embedder":
        """Return an embedder that is loaded elsewhere.

        Raises:
            ModelError: it cannot be used there.
        """
        with self._lock:
            if spec not in self._embedders:
                self._embedders[spec] = _Borrowed(spec, self.asked)
            return self._embedders[spec]


class _Borrowed:
    """An embedder in another process."""

    def __init__(self, name: str, asked: Asked) -> None:
        from glossator.embed.base import Fingerprint

        about = asked({"spec": name, "what": "about"})
        self.name = name
        self.fingerprint: Fingerprint = Fingerprint(**about["fingerprint"])
        self.max_tokens: int | None = about["max_tokens"]
        self.languages: tuple[str, ...] = tuple(about["languages"])
        self._asked = asked

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        found: list[int] = self._asked({"spec": self.name, "what": "tokens", "texts": list(texts)})["tokens"]
        return found

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """Return one unit row per text, (n, dimension)."""
        return self._vectors({"what": "passages", "texts": list(texts)}).reshape(len(texts), -1)

    def embed_query(self, text: str) -> "Vectors":
        """Return the unit vector of a query, (dimension,)."""
        return self._vectors({"what": "query", "texts": [text]})

    def _vectors(self, question: Json) -> "Vectors":
        import numpy as np

        data = self._asked({"spec": self.name, **question})["vectors"]
        return np.frombuffer(base64.b64decode(data), np.float32)


def lend(library: Library, question: Json) -> Json:
    """Return what a reading process asked of an embedder of `library`, or the error."""
    try:
        embedder = library.embedder(question["spec"])
        if question["what"] == "about":
            made = embedder.fingerprint
            told = {"model": made.model, "sha256": made.sha256, "dimension": made.dimension, "rule": made.rule}
            return {"fingerprint": told, "max_tokens": embedder.max_tokens, "languages": embedder.languages}
        texts: list[str] = question["texts"]
        if question["what"] == "tokens":
            return {"tokens": embedder.count_tokens(texts)}
        single = question["what"] == "query"
        vectors = embedder.embed_query(texts[0]) if single else embedder.embed_passages(texts)
        return {"vectors": base64.b64encode(vectors.astype("<f4").tobytes()).decode()}
    except GlossatorError as error:
        return {"error": error.to_json()}


if __name__ == "__main__":
    main()
