"""How long an assistant waits for the MCP server: from its start to the tools, to the first search, and for another.

Through the official client over stdio, cold, on a library of the two example texts, by words; the server opens the
library itself (`--alone`). Asked: ready within 2 s. The baseline in the same run is a server of the same library that
has one tool and does nothing. `processor` is what the server's process spent up to the first search, which hardly
depends on what else the machine does.

    python benchmarks/mcp_ready.py [--times N]
"""

import argparse
import asyncio
import os
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from common import ROOT, record, summary
from glossator.library.library import Library

EXAMPLES = [ROOT / "examples" / name for name in ("the-time-machine.epub", "journey-to-the-west.txt")]
EMPTY = """
import anyio
from mcp.server import MCPServer
server = MCPServer("empty", log_level="WARNING")
@server.tool()
def nothing() -> str: return ""
anyio.run(server.run_stdio_async)
"""


def main() -> None:
    """Start both servers some times, and record the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder), embedder="none") as library:
            library.add([str(path) for path in EXAMPLES])
        environment = {**os.environ, "GLOSSATOR_LIBRARY": folder, "GLOSSATOR_EMBEDDER": "none"}
        empty = [asyncio.run(waited(["-c", EMPTY], environment, None)) for _ in range(times)]
        before = spent()
        ours = [
            asyncio.run(waited(["-m", "glossator", "mcp", "--alone"], environment, "Morlocks")) for _ in range(times)
        ]
        processor = (spent() - before) / times
    figures: dict[str, Any] = {"baseline: a server with one tool, to its tools": summary(sorted(e[0] for e in empty))}
    for n, name in enumerate(("to the tools", "from there to the first search", "another search")):
        figures[name] = summary(sorted(o[n] for o in ours))
    figures["to the tools"] |= {"asked": 2.0, "met": figures["to the tools"]["median"] <= 2.0}
    record("mcp_ready", figures | {"processor, seconds": round(processor, 3)})


async def waited(words: list[str], environment: dict[str, str], query: str | None) -> list[float]:
    """Return how long the tools took, and two searches after them."""
    from mcp import Client, StdioServerParameters

    start = perf_counter()
    taken: list[float] = []
    async with Client(StdioServerParameters(command=sys.executable, args=words, env=environment)) as client:
        await client.list_tools()
        taken.append(perf_counter() - start)
        for _ in range(0 if query is None else 2):
            start = perf_counter()
            found = await client.call_tool("rag_retrieve", {"query": query})
            assert found.structured_content["hits"]
            taken.append(perf_counter() - start)
    return taken


def spent() -> float:
    """Return the processor seconds of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
