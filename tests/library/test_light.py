"""What is loaded, and what is opened, by a search; and that nothing leaves the machine."""

import subprocess
import sys
from pathlib import Path

import pytest

from glossator.library.library import Library

HEAVY = (
    "lxml",
    "pypdfium2",
    "trafilatura",
    "html5lib",
    "markdown_it",
    "onnxruntime",
    "tokenizers",
    "glossator.parse",
    "glossator.sources.web",
    "glossator.cli",
    "typer",
    "rich",
)
SEARCH = """
import sys
from pathlib import Path
from glossator.library.library import Library
with Library.open(Path(sys.argv[1]), create=False) as library:
    assert library.search("green wax", mode="lexical").hits
    library.documents(); library.show("The Island"); library.read("The Island", section=2)
    library.text("石猴记"); library.progress("The Island"); library.locate("green wax")
print(" ".join(m for m in sys.argv[2:] if m in sys.modules))
"""
OFFLINE = """
import socket, sys
from pathlib import Path
from glossator.library.library import Library
def audit(event, args):
    if event == "socket.connect":
        address = args[1]
        if not isinstance(address, tuple) or address[0] not in ("127.0.0.1", "::1"):
            print("CONNECT", address, flush=True)
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        print("LOOKUP", args, flush=True)
sys.addaudithook(audit)
with Library.open(Path(sys.argv[1])) as library:
    assert library.add([sys.argv[2]]).documents[0].status == "added"
    assert library.search("green wax").hits
    assert not library.ask("Who hid the letter in her glove?").abstained
    library.locate("sealed with green wax"); library.models(); library.doctor()
print("done")
"""


def run(code: str, *arguments: str) -> str:
    """Return what a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_searching_and_reading_load_no_parser_no_model_and_no_surface(shelf: Library) -> None:
    assert run(SEARCH, str(shelf.database.folder), *HEAVY) == ""


@pytest.mark.models
def test_adding_searching_and_asking_open_no_socket_to_another_machine(tmp_path: Path) -> None:
    from tests.library import books

    assert run(OFFLINE, str(tmp_path / "library"), str(books.island(tmp_path))) == "done"


@pytest.mark.models
def test_with_embedders_switched_off_a_library_with_vectors_answers_by_words_and_loads_no_model(tmp_path: Path) -> None:
    from tests.library import books

    with Library.open(tmp_path / "library") as made:
        assert made.add([str(books.island(tmp_path))]).documents[0].vectors == "ready"
    code = """
import sys
from pathlib import Path
from glossator.library.library import Library
with Library.open(Path(sys.argv[1]), embedder="none") as library:
    assert library.search("green wax").hits
    assert not library.ask("Who hid the letter in her glove?").abstained
print(" ".join(m for m in sys.argv[2:] if m in sys.modules))
"""
    assert run(code, str(tmp_path / "library"), *HEAVY) == ""
