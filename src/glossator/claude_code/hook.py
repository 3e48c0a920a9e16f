"""UserPromptSubmit: what a hook reads, asks and prints. It fails open: whatever goes wrong, it says nothing.

With a server of the library running, that one is asked, by words and meaning. Else the library file is opened here and
searched by words, which loads no model. Everything is imported as late as it can be, since a person waits.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from glossator.errors import GlossatorError

Json = dict[str, Any]
EVENT = "UserPromptSubmit"
NOT_TYPED = ("system", "loop_wakeup", "schedule_wakeup")  # prompts that no person wrote
LONGEST = 20_000  # characters of a prompt that are looked at
AWAY = "no library is there"
CONNECT = 0.2  # seconds for a server on this machine to take a call
SHARE = 0.4  # of the time there is, for it to answer; one that has just begun may not, and the file is opened instead


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the settings say: the library, how many tokens, how long it may take."""

    library: Path
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Decision:
    """The JSON of `consult`, and who was asked."""

    consultation: Json
    asked: str

    @property
    def output(self) -> Json | None:
        """Return what the host is told, or None when there is nothing to say."""
        context = self.consultation.get("context")
        if not context:
            return None
        reason = f"Why: {self.consultation['reason']}."
        said = context.replace("</library_passages>", f"{reason}\n</library_passages>")
        return {
            "hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": said},
            "suppressOutput": True,
        }

    def to_json(self) -> Json:
        """Return the JSON of `hook --explain`."""
        shown = {key: value for key, value in self.consultation.items() if key != "hits"}
        places = [
            {"document": h["document"], "start": h["locator"]["start"], "end": h["locator"]["end"]}
            for h in self.consultation.get("hits", ())
        ]
        return {"inject": self.output is not None, **shown, "passages": places, "asked": self.asked}


def prompt_of(text: str) -> str | None:
    """Return the prompt of an event as the host writes it, or a text that is no event; None: there is none to judge."""
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return text[:LONGEST] or None
    if not isinstance(event, dict):
        return text[:LONGEST]
    prompt = event.get("prompt")
    if event.get("hook_event_name", EVENT) != EVENT or event.get("source") in NOT_TYPED or not isinstance(prompt, str):
        return None
    return prompt[:LONGEST] or None


def decide(prompt: str, wanted: Wanted) -> Decision:
    """Return what goes beside a prompt, or why nothing does.

    Raises:
        GlossatorError: the library cannot be read.
    """
    options: Json = {"prompt": prompt, "tokens": wanted.tokens}
    server = _server(wanted.library)
    found = None if server is None else _of_server(server, options, SHARE * wanted.seconds)
    if found is not None:
        return Decision(found, "server")
    found = _of_file(wanted, prompt)
    return Decision(found, "file" if "share" in found else "nobody")


def _of_file(wanted: Wanted, prompt: str) -> Json:
    from glossator.library import gate

    asked = gate.asks(prompt)
    if not asked.texts:  # code only, talk: no library is opened
        return {"relevant": False, "reason": asked.reason, "context": ""}
    from glossator.store.database import LIBRARY_FILE

    if not (wanted.library / LIBRARY_FILE).is_file():
        return {"relevant": False, "reason": AWAY, "context": ""}
    from glossator.library.consult import consult
    from glossator.library.library import Library
    from glossator.library.results import Bound

    with Library.open(wanted.library, create=False, embedder="none", readonly=True) as library:
        shown = library.scope((), bound=Bound())
        return consult(shown, prompt, tokens=wanted.tokens, words_only=True).to_json()


def _server(folder: Path) -> Json | None:
    """Return what `server.json` says, without asking whether it is true: a call that fails tells."""
    try:
        found = json.loads((folder / "server.json").read_bytes())
        return found if isinstance(found, dict) and found.get("url") and found.get("token") else None
    except (OSError, ValueError):
        return None


def _of_server(server: Json, options: Json, seconds: float) -> Json | None:
    """Return the server's answer, or None where none comes in time. A socket will do: an HTTP client loads slowly."""
    import socket

    parts = urlsplit(server["url"])
    body = json.dumps(options).encode()
    head = (
        f"POST /api/consult HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer {server['token']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=CONNECT) as connection:
            connection.settimeout(seconds)
            connection.sendall(head.encode() + body)
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        header, _, content = answer.partition(b"\r\n\r\n")
        if b" 200 " not in header.split(b"\r\n")[0] + b" " or b"chunked" in header.lower():
            return None
        found = json.loads(content)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and "reason" in found else None


def run(text: str, wanted: Wanted) -> tuple[Json | None, str, str]:
    """Return what the host is told for an event, or None; the reason in one line; who was asked. It raises nothing."""
    try:
        prompt = prompt_of(text)
        if prompt is None:
            return None, "no prompt of a person", "nobody"
        decision = decide(prompt, wanted)
        return decision.output, str(decision.consultation["reason"]), decision.asked
    except GlossatorError as error:
        return None, error.message, "nobody"
    except Exception as error:  # the outermost edge: a hook that fails must not stop anybody's prompt
        return None, f"{type(error).__name__}: {error}", "nobody"


def start_server(folder: Path) -> None:
    """Start the server of a library in the background, for the next prompt; it ends when idle. Nothing is waited for.

    Only where its packages are installed, and nothing says that one runs.
    """
    from importlib.util import find_spec

    if (folder / "server.json").exists() or not all(find_spec(name) for name in ("fastapi", "uvicorn")):
        return
    from contextlib import suppress

    from glossator.library import running

    with suppress(GlossatorError):  # it did not begin within no time at all
        running.start(folder, wait=0)
