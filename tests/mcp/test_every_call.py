"""Every tool with good and bad arguments, in both revisions of the protocol, over stdio and HTTP: one session each."""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mcp import Client, StdioServerParameters
from tests.mcp.test_serving import REVISIONS, started
from tests.mcp.test_tools import TOOLS

WORDS = "A marlinspike opens the strands of a rope."
GOOD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("rag_status", {}),
    ("rag_list_sources", {}),
    ("rag_list_sources", {"collection": "Shelf"}),
    ("rag_ingest", {"path": "inbox/rope.txt"}),
    ("rag_ingest", {"text": "The sextant was kept in oil.", "source": "Tools"}),
    ("rag_ingest", {"text": "The sextant was kept in oil.", "source": "Tools"}),
    ("rag_retrieve", {"query": "marlinspike"}),
    ("rag_retrieve", {"query": "lantern", "document": "Bees", "limit": 20}),
    ("rag_retrieve", {"query": "lantern", "collection": "Shelf"}),
    ("read", {"document": "rope"}),
    ("read", {"document": "Bees", "section": 1}),
    ("read", {"document": "Bees", "at": 0}),
    ("contents", {"document": "Bees"}),
    ("locate", {"quote": WORDS}),
    ("locate", {"quote": "words that stand nowhere in it", "document": "rope"}),
    ("ask", {"question": "What opens the strands of a rope?"}),
    ("ask", {"question": "What opens the strands of a rope?", "document": "rope"}),
    ("ask", {"question": "Who painted the ceiling of the chapel?", "collection": "Shelf"}),
    ("note_add", {"document": "rope", "quote": WORDS, "body": "To be tried."}),
    ("note_add", {"document": "rope", "quote": "marlinspike"}),
    ("notes_search", {"query": "tried"}),
    ("rag_delete_source", {"source": "rope"}),
    ("rag_delete_source", {"source": "Tools"}),
)
BAD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("rag_status", {"nonsense": 1}),
    ("rag_list_sources", {"collection": "Nowhere"}),
    ("rag_list_sources", {"collection": 7}),
    ("rag_retrieve", {}),
    ("rag_retrieve", {"query": ""}),
    ("rag_retrieve", {"query": None}),
    ("rag_retrieve", {"query": "x", "limit": 0}),
    ("rag_retrieve", {"query": "x", "limit": 21}),
    ("rag_retrieve", {"query": "x", "limit": "many"}),
    ("rag_retrieve", {"query": "x", "document": "Nowhere"}),
    ("rag_retrieve", {"query": "x", "collection": "Nowhere"}),
    ("rag_retrieve", {"query": "x", "top_k": 3}),
    ("read", {}),
    ("read", {"document": "Nowhere"}),
    ("read", {"document": "Bees", "section": 1, "page": 1}),
    ("read", {"document": "Bees", "section": 10_000}),
    ("read", {"document": "Bees", "section": 0}),
    ("read", {"document": "Bees", "at": -1}),
    ("read", {"document": "Bees", "at": 10_000_000}),
    ("read", {"document": "Bees", "page": 1}),
    ("contents", {}),
    ("contents", {"document": "Nowhere"}),
    ("contents", {"document": ["Bees"]}),
    ("locate", {}),
    ("locate", {"quote": ""}),
    ("locate", {"quote": "x", "document": "Nowhere"}),
    ("ask", {}),
    ("ask", {"question": ""}),
    ("ask", {"question": "Who?", "document": "Nowhere"}),
    ("notes_search", {}),
    ("notes_search", {"query": ""}),
    ("notes_search", {"query": 7}),
    ("note_add", {"document": "Bees"}),
    ("note_add", {"document": "Nowhere", "quote": "bees"}),
    ("note_add", {"document": "Bees", "quote": "words that stand nowhere in it"}),
    ("rag_ingest", {}),
    ("rag_ingest", {"text": "a", "url": "https://example.org"}),
    ("rag_ingest", {"text": "   "}),
    ("rag_ingest", {"path": "inbox/nowhere.txt"}),
    ("rag_ingest", {"path": "/etc/passwd"}),
    ("rag_ingest", {"path": "../library/library.db"}),
    ("rag_ingest", {"url": "http://127.0.0.1:9/page"}),
    ("rag_ingest", {"url": "http://169.254.169.254/latest"}),
    ("rag_ingest", {"url": "file:///etc/passwd"}),
    ("rag_delete_source", {}),
    ("rag_delete_source", {"source": ""}),
    ("rag_delete_source", {"source": "Nowhere"}),
    ("no_such_tool", {}),
)


@pytest.fixture
def place(small_library: Path, tmp_path: Path) -> Path:
    """Make a folder to work in: a library that may be changed, and a file that may be brought in."""
    library = Path(shutil.copytree(small_library, tmp_path / "library"))
    (tmp_path / "work" / "inbox").mkdir(parents=True)
    (tmp_path / "work" / "inbox" / "rope.txt").write_text(WORDS, "utf-8")
    words = [sys.executable, "-m", "glossator", "--library", str(library), "collection"]
    subprocess.run([*words, "create", "Shelf"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*words, "add", "Shelf", "Bees"], check=True, stdout=subprocess.DEVNULL)
    return tmp_path


@asynccontextmanager
async def over_stdio(place: Path, mode: Any) -> AsyncIterator[Client]:
    how = started(place / "library")
    how = StdioServerParameters(command=how.command, args=how.args, env=how.env, cwd=place / "work")
    async with Client(how, mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(place: Path, mode: Any) -> AsyncIterator[Client]:
    how = started(place / "library")
    words = [how.command, *how.args, "--http", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=how.env, cwd=place / "work") as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            async with Client(f"{told['url']}?token={told['token']}", mode=mode) as client:
                yield client
        finally:
            process.terminate()
            process.wait(10)


@pytest.mark.parametrize("mode", REVISIONS)
@pytest.mark.parametrize("transport", [over_stdio, over_http])
def test_every_tool_answers_good_arguments_and_refuses_bad_ones_in_words(
    place: Path, transport: Any, mode: str
) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = []

    async def conversation() -> None:
        async with transport(place, mode) as client:
            schemas = {t.name: t.output_schema for t in (await client.list_tools()).tools}
            assert set(schemas) == TOOLS == {name for name, _ in GOOD} == {name for name, _ in BAD} - {"no_such_tool"}
            for name, arguments in BAD:
                result = await client.call_tool(name, arguments)
                said = result.content[0].text if result.content else ""
                told = said.removeprefix(f"Error executing tool {name}")
                if not result.is_error or len(told) <= 10 or "Traceback" in said:
                    wrong.append((name, arguments, said))
            for name, arguments in GOOD:
                result = await client.call_tool(name, arguments)
                if result.is_error:
                    wrong.append((name, arguments, result.content[0].text))
                else:
                    jsonschema.validate(result.structured_content, schemas[name])
            state = (await client.call_tool("rag_status", {})).structured_content
            assert state["documents"] == 4, "what was brought in was taken out again, and nothing else came"

    asyncio.run(conversation())
    assert wrong == []
