"""The server as a client starts it: a process over stdio, a port with a token over HTTP; many clients, one library."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mcp import Client, StdioServerParameters

REVISIONS = ("legacy", "2026-07-28")


@pytest.fixture
def folder(small_library: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_library, tmp_path / "library"))


def started(folder: Path, *options: str, attached: bool = False) -> StdioServerParameters:
    """Return how a client starts the server for a library."""
    names = ("PATH", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "SYSTEMROOT")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "glossator", *options, "mcp", *([] if attached else ["--alone"])],
        env={**kept, "GLOSSATOR_LIBRARY": str(folder), "GLOSSATOR_EMBEDDER": "none"},
    )


@pytest.mark.parametrize("mode", REVISIONS)
def test_over_stdio_a_client_finds_reads_and_keeps(folder: Path, mode: Any) -> None:
    async def conversation() -> None:
        async with Client(started(folder, "--verbose", "--verbose"), mode=mode) as client:
            assert len((await client.list_tools()).tools) == 11
            found = await client.call_tool("rag_retrieve", {"query": "lantern"})
            assert found.structured_content["hits"]
            added = await client.call_tool(
                "rag_ingest", {"text": "A marlinspike opens the strands.", "source": "Knots"}
            )
            assert added.structured_content["status"] == "added"
            assert (await client.call_tool("read", {"document": "Nowhere"})).is_error

    asyncio.run(conversation())


def test_two_clients_share_a_library(folder: Path) -> None:
    async def conversation() -> None:
        async with Client(started(folder)) as one, Client(started(folder)) as other:
            texts = [f"The {word} was kept." for word in ("sextant", "astrolabe", "quadrant", "octant")]
            await asyncio.gather(
                *(
                    client.call_tool("rag_ingest", {"text": text, "source": text})
                    for client, text in zip((one, other, one, other), texts, strict=True)
                )
            )
            for client in (one, other):
                found = await client.call_tool("rag_retrieve", {"query": "sextant"})
                assert found.structured_content["hits"]
                state = await client.call_tool("rag_status", {})
                assert state.structured_content["documents"] == 8

    asyncio.run(conversation())


@pytest.fixture
def address(folder: Path) -> Iterator[dict[str, Any]]:
    """The printed address and token of a server over HTTP."""
    words = [sys.executable, "-m", "glossator", "--library", str(folder), "--json", "mcp", "--http", "--alone"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env={**os.environ, "GLOSSATOR_EMBEDDER": "none"}) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
            process.wait(10)


def test_over_http_clients_of_both_revisions_with_the_token_and_none_without(address: dict[str, Any]) -> None:
    import httpx2

    async def conversation(mode: Any) -> None:
        async with Client(f"{address['url']}?token={address['token']}", mode=mode) as client:
            assert len((await client.list_tools()).tools) == 11
            found = await client.call_tool("rag_retrieve", {"query": "lantern"})
            assert found.structured_content["hits"]
            assert (await client.call_tool("rag_retrieve", {"query": ""})).is_error

    for mode in REVISIONS:
        asyncio.run(conversation(mode))
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"Accept": "application/json, text/event-stream"}
    known = {"Authorization": f"Bearer {address['token']}"}
    assert httpx2.post(address["url"], json=body, headers=accept).status_code == 401
    assert httpx2.post(address["url"], json=body, headers=accept | {"Authorization": "Bearer x"}).status_code == 401
    foreign = {"Host": "evil.example"}, {"Origin": "https://evil.example"}
    assert [httpx2.post(address["url"], json=body, headers=accept | known | f).status_code for f in foreign] == [
        421,
        403,
    ]


def test_a_port_without_http_is_wrong_usage(folder: Path) -> None:
    words = [sys.executable, "-m", "glossator", "--library", str(folder), "mcp", "--port", "9000"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--http" in done.stderr


def test_clients_share_one_server_which_they_start_and_outlive(folder: Path) -> None:
    file = folder / "server.json"

    async def conversation() -> None:
        async with (
            Client(started(folder, attached=True)) as one,
            Client(started(folder, attached=True)) as other,
        ):
            for client in (one, other):
                await client.list_tools()
                found = await client.call_tool("rag_retrieve", {"query": "lantern"})
                assert found.structured_content["hits"]
                assert (await client.call_tool("read", {"document": "Nowhere"})).is_error
            os.kill(json.loads(file.read_text("utf-8"))["pid"], signal.SIGKILL)
            found = await one.call_tool("rag_retrieve", {"query": "lantern"})
            assert found.structured_content["hits"]

    try:
        asyncio.run(conversation())
    finally:
        if file.exists():
            with suppress(ProcessLookupError):
                os.kill(json.loads(file.read_text("utf-8"))["pid"], signal.SIGTERM)
