"""The hook as the host runs it, `glossator hook`: on a way of its own that loads little and fails open.

An exit code other than 0 could stop the person's prompt, so here every failure is silence; `glossator hook --explain`
goes the ordinary way and tells.
"""

import sys
import threading
from contextlib import suppress
from typing import TextIO


def quietly(out: TextIO) -> int:
    """Answer the event on stdin, or say nothing; return 0 in any case."""
    with suppress(BaseException):  # whatever it is, the prompt goes on without us
        _answer(out)
    return 0


def _answer(out: TextIO) -> None:
    import json
    import os

    from glossator import config
    from glossator.claude_code.hook import Wanted, run, start_server

    settings = config.load()
    if settings.hook_mode == "off" or os.environ.get("CLAUDE_PLUGIN_OPTION_AUTO_CONTEXT", "").lower() in ("false", "0"):
        return
    seconds = settings.hook_milliseconds / 1_000
    limit = threading.Timer(seconds, os._exit, (0,))  # nothing was printed yet
    limit.daemon = True
    limit.start()
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    output, _, asked = run(text, Wanted(library=settings.library, tokens=settings.hook_tokens, seconds=seconds))
    limit.cancel()
    if output is not None:
        out.write(json.dumps(output, ensure_ascii=False) + "\n")
        out.flush()
    if asked == "file" and settings.hook_server == "on":
        start_server(settings.library)
