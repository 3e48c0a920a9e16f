"""What all tests share: a small library made through the front door, and a wall between tests and the network."""

import socket
from pathlib import Path
from typing import Any

import pytest

from glossator.cli import main
from tests.cli.books import write_books

PROVIDERS = ("OPENAI", "ANTHROPIC", "DEEPSEEK", "OLLAMA")


@pytest.fixture(scope="session")
def small_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of four small documents, by words only. Not to be changed: `cli.library` copies it for that."""
    folder = tmp_path_factory.mktemp("small")
    books, library = folder / "books", folder / "library"
    write_books(books)
    assert main(["--library", str(library), "add", str(books), "--embedder", "none", "--json"]) == 0
    return library


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test connect to this machine only."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else "local"
        if host not in ("127.0.0.1", "::1", "localhost", "local"):
            raise AssertionError(f"a test tried to reach {host}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the settings and libraries of whoever runs the tests out of them."""
    home = tmp_path_factory.getbasetemp() / "home"
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    for name in ("GLOSSATOR_LIBRARY", "GLOSSATOR_EMBEDDER", "GLOSSATOR_EMBEDDER_BASE_URL", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name in (
        "GLOSSATOR_MODEL",
        "GLOSSATOR_BASE_URL",
        *(f"{p}_{w}" for p in PROVIDERS for w in ("API_KEY", "BASE_URL")),
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
