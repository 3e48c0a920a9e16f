"""A page in the person's browser. What it takes is loaded when a page is opened."""

import os
import sys
from pathlib import Path

from glossator.errors import GlossatorError

WINDOWS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


def show(url: str) -> bool:
    """Open an address in the browser, and return whether there is one that opens windows: none takes the terminal."""
    import webbrowser

    if sys.platform not in ("darwin", "win32") and not any(os.environ.get(name) for name in WINDOWS):
        return False
    try:
        return webbrowser.open(url)
    except webbrowser.Error:
        return False


def show_in_reader(folder: Path, document: str, position: int) -> bool:
    """Open a document at a position in the web reader, and return whether that was done: a server with it must run."""
    if not (folder / "server.json").is_file():
        return False
    from glossator.library import running

    try:
        server = running.running(folder)
        if server is None:
            return False
        link = running.ask(server, "POST", "/api/link", {"path": f"/read/{document}?at={position}"})
    except GlossatorError:  # it ended just now, or is an older one: the passage is printed all the same
        return False
    return bool(link.get("reader")) and show(server.url + link["path"])
