"""`ask` with a language model through the server: receipts, steps as progress, faults in words, an end on demand."""

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from glossator.choice import choice_of
from glossator.mcp.app import build
from glossator.mcp.door import Here
from mcp import Client
from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Call, Reply, Turn, in_turn
from tests.library.conftest import filled, island, shelf, stone

__all__ = ["filled", "island", "shelf", "stone"]
QUOTE = "Under the third stair Eleanor found a letter sealed with green wax."
LOOKS = Reply(calls=(Call("search", {"query": "letter sealed with green wax"}),))


def door_of(folder: Path, fake: FakeProvider) -> Here:
    """Return a library that is answered for by a model of a server on this machine."""
    choice = choice_of("openai-chat:fake", base_url=fake.url("openai-chat"), environment={"OPENAI_API_KEY": "sk-dummy"})
    return Here(folder, embedder="none", choice=choice)


@pytest.fixture
def folder(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-dummy")
    return Path(shutil.copytree(filled, tmp_path / "library"))


def test_an_answer_of_a_model_has_receipts_and_tells_its_steps(folder: Path) -> None:
    told: list[str] = []

    async def hear(_: float, total: float | None, message: str | None) -> None:  # noqa: ARG001
        told.append(str(message))

    async def conversation(fake: FakeProvider) -> dict[str, Any]:
        async with Client(build(door_of(folder, fake))) as client:
            question = {"question": "Who found the letter?"}
            found = await client.call_tool("ask", question, progress_callback=hear)
            await asyncio.sleep(0.05)
            assert not found.is_error, found.content
            return dict(found.structured_content)

    with FakeProvider(in_turn([LOOKS, Reply(text=f'In the book: "{QUOTE}" [1]')])) as fake:
        answer = asyncio.run(conversation(fake))
    assert answer["model"] == "openai-chat:fake"
    assert [(c["status"], c["quote"]) for c in answer["citations"]] == [("verified", QUOTE)]
    assert answer["session"]
    assert "search" in told


def test_a_provider_that_fails_is_told_in_words(folder: Path) -> None:
    async def conversation(fake: FakeProvider) -> Any:
        async with Client(build(door_of(folder, fake))) as client:
            return await client.call_tool("ask", {"question": "Who found the letter?"})

    with FakeProvider(lambda _: Reply(status=401)) as fake:
        found = asyncio.run(conversation(fake))
    assert found.is_error
    assert "sk-dummy" not in found.content[0].text


def test_a_cancelled_answer_ends_the_run(folder: Path) -> None:
    asked = []

    def silent(_: Turn) -> Reply:
        asked.append(time.monotonic())
        return Reply(text="…", silent=30)

    async def conversation(fake: FakeProvider) -> float:
        async with Client(build(door_of(folder, fake))) as client:
            asking = asyncio.create_task(client.call_tool("ask", {"question": "Who found the letter?"}))
            while not asked:
                await asyncio.sleep(0.02)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            begun = time.monotonic()
            assert (await client.call_tool("rag_status", {})).structured_content["exists"]
            return time.monotonic() - begun

    with FakeProvider(silent) as fake:
        assert asyncio.run(conversation(fake)) < 5
