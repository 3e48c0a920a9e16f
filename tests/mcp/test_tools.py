"""The MCP server through the official client: every tool with good and bad arguments, in both protocol revisions."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp.shared.exceptions import MCPError

from glossator.mcp.app import INSTRUCTIONS, build
from glossator.mcp.door import Course, Here
from mcp import Client

TOOLS = {
    "rag_retrieve",
    "rag_ingest",
    "rag_status",
    "rag_list_sources",
    "rag_delete_source",
    "read",
    "contents",
    "locate",
    "notes_search",
    "note_add",
    "ask",
}
Work = Callable[[Client], Awaitable[Any]]


@pytest.fixture
def door(small_library: Path, tmp_path: Path) -> Here:
    """A library that may be changed, its files allowed from one folder."""
    folder = Path(shutil.copytree(small_library, tmp_path / "library"))
    (tmp_path / "inbox").mkdir()
    return Here(folder, embedder="none", folders=[tmp_path / "inbox"])


@pytest.fixture(params=["legacy", "2026-07-28"])
def talk(request: pytest.FixtureRequest, door: Here) -> Callable[[Work], Any]:
    """Run a conversation with the server, in each revision of the protocol."""

    def run(work: Work) -> Any:
        async def conversation() -> Any:
            async with Client(build(door), mode=request.param) as client:
                return await work(client)

        return asyncio.run(conversation())

    return run


def call(talk: Callable[[Work], Any], name: str, **arguments: Any) -> Any:
    """Return what a tool answers."""
    result = talk(lambda client: client.call_tool(name, arguments))
    assert not result.is_error, result.content
    return result.structured_content


def refused(talk: Callable[[Work], Any], name: str, **arguments: Any) -> str:
    """Return the words with which a tool refuses."""
    result = talk(lambda client: client.call_tool(name, arguments))
    assert result.is_error
    return str(result.content[0].text)


def test_every_tool_says_when_to_use_it_has_an_output_schema_and_tells_what_it_changes(
    talk: Callable[[Work], Any],
) -> None:
    tools = {t.name: t for t in talk(lambda c: c.list_tools()).tools}
    assert set(tools) == TOOLS
    for tool in tools.values():
        assert len((tool.description or "").encode()) < 2_000
        assert "Use " in (tool.description or ""), tool.name
        assert tool.output_schema
    reading = TOOLS - {"rag_ingest", "rag_delete_source", "note_add"}
    assert all(bool(tools[name].annotations.read_only_hint) == (name in reading) for name in TOOLS)
    assert tools["rag_delete_source"].annotations.destructive_hint
    assert len(INSTRUCTIONS.encode()) < 2_000


def test_passages_come_word_for_word_with_a_place_that_reads_the_same_words(talk: Callable[[Work], Any]) -> None:
    hit = call(talk, "rag_retrieve", query="lantern", limit=3)["hits"][0]
    assert "lantern" in hit["text"].lower()
    around = call(talk, "read", document=hit["document"]["id"], at=hit["locator"]["start"])
    assert hit["text"].split("\n")[0] in around["text"]
    assert hit["locator"]["link"].startswith(f"glossator://document/{hit['document']['id']}?start=")


def test_a_search_may_be_limited_to_a_document(talk: Callable[[Work], Any]) -> None:
    sources = call(talk, "rag_list_sources")["sources"]
    one = sources[0]["id"]
    hits = call(talk, "rag_retrieve", query="the", document=one)["hits"]
    assert {h["document"]["id"] for h in hits} <= {one}
    assert "no document is called" in refused(talk, "rag_retrieve", query="the", document="Nowhere")
    assert "collection" in refused(talk, "rag_retrieve", query="the", collection="Nowhere")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("rag_retrieve", {}),
        ("rag_retrieve", {"query": ""}),
        ("rag_retrieve", {"query": "x", "limit": 0}),
        ("rag_retrieve", {"query": "x", "limit": "many"}),
        ("read", {"document": "Bees", "section": 1, "page": 1}),
        ("read", {"document": "Bees", "section": 10_000}),
        ("read", {"document": "Bees", "at": 10_000_000}),
        ("contents", {"document": "Nowhere"}),
        ("locate", {"quote": ""}),
        ("ask", {"question": ""}),
        ("notes_search", {"query": 7}),
        ("note_add", {"document": "Bees", "quote": "words that stand nowhere in it"}),
        ("rag_ingest", {}),
        ("rag_ingest", {"text": "a", "url": "https://example.org"}),
        ("rag_ingest", {"text": "   "}),
        ("rag_ingest", {"path": "/etc/passwd"}),
        ("rag_ingest", {"path": "../library/library.db"}),
        ("rag_ingest", {"url": "http://127.0.0.1:9/page"}),
        ("rag_ingest", {"url": "http://169.254.169.254/latest"}),
        ("rag_ingest", {"url": "file:///etc/passwd"}),
        ("rag_delete_source", {"source": "Nowhere"}),
        ("rag_list_sources", {"collection": "Nowhere"}),
        ("no_such_tool", {}),
    ],
)
def test_bad_arguments_are_told_in_words(talk: Callable[[Work], Any], name: str, arguments: dict[str, Any]) -> None:
    def work(client: Client) -> Any:
        return client.call_tool(name, arguments)

    result = talk(work)
    assert result.is_error
    said = result.content[0].text
    assert len(said.removeprefix(f"Error executing tool {name}")) > 10, said
    assert "Traceback" not in said


def test_a_text_is_kept_found_skipped_the_second_time_and_deleted(talk: Callable[[Work], Any]) -> None:
    text = "The spring tide at Varn carried the zephyrine buoy beyond the mole."
    first = call(talk, "rag_ingest", text=text, source="Harbour log")
    assert (first["status"], first["message"]) == ("added", "added, 1 chunk indexed")
    assert call(talk, "rag_ingest", text=text, source="Harbour log")["message"] == "unchanged, skipped"
    assert call(talk, "rag_retrieve", query="zephyrine buoy")["hits"][0]["document"]["id"] == first["document"]
    gone = call(talk, "rag_delete_source", source=first["document"])
    assert gone["removed"] == first["document"]
    assert "1 passages" in gone["message"]
    assert call(talk, "rag_retrieve", query="zephyrine buoy")["hits"] == []


def test_a_file_of_an_allowed_folder_is_added(talk: Callable[[Work], Any], tmp_path: Path) -> None:
    file = tmp_path / "inbox" / "kiln.md"
    file.write_text("# Kiln\n\nThe cobalt kiln cooled for nine days.\n", "utf-8")
    assert call(talk, "rag_ingest", path=str(file))["status"] == "added"
    assert call(talk, "rag_delete_source", source=str(file))["title"] == "Kiln"
    assert file.exists()


def test_contents_sections_and_the_rest_of_a_long_text(talk: Callable[[Work], Any]) -> None:
    for source in call(talk, "rag_list_sources")["sources"]:
        known = call(talk, "contents", document=source["id"])
        whole, at = "", None
        for _ in range(50):
            piece = call(talk, "read", document=source["id"], **({} if at is None else {"at": at}))
            whole += piece["text"] + "\n\n"
            at = piece["next"]
            if at is None:
                break
        for entry in known["contents"]:
            section = call(talk, "read", document=source["id"], section=entry["number"])
            assert section["text"].split("\n\n")[0] in whole


def test_a_quotation_is_verified_or_not_found(talk: Callable[[Work], Any]) -> None:
    hit = call(talk, "rag_retrieve", query="lantern")["hits"][0]
    words = hit["text"].split("\n")[-1][:60]
    assert call(talk, "locate", quote=words)["status"] == "verified"
    assert call(talk, "locate", quote="Nobody ever wrote these words about zinc")["status"] == "not_found"


def test_an_answer_cites_and_abstains(talk: Callable[[Work], Any]) -> None:
    found = call(talk, "ask", question="Who forged the letter?")
    assert found["model"] == "none"
    assert found["citations"]
    nothing = call(talk, "ask", question="What is the boiling point of tungsten hexafluoride?")
    assert nothing["abstained"]
    assert nothing["citations"] == []


def test_a_note_is_made_and_found(talk: Callable[[Work], Any]) -> None:
    hit = call(talk, "rag_retrieve", query="lantern")["hits"][0]
    words = " ".join(hit["text"].split("\n")[-1].split()[:5])
    made = call(talk, "note_add", document=hit["document"]["id"], quote=words, body="a **light** of its own")
    found = call(talk, "notes_search", query="light")
    assert [n["id"] for n in found["notes"]] == [made["id"]]


def test_what_is_not_read_yet_stays_hidden(door: Here, talk: Callable[[Work], Any]) -> None:
    hit = call(talk, "rag_retrieve", query="lantern")["hits"][0]
    document = hit["document"]["id"]
    door.library().progress(document, at=0)
    door.library().progress(document, spoilers="hide")
    assert all(h["document"]["id"] != document for h in call(talk, "rag_retrieve", query="lantern")["hits"])
    said = str(call(talk, "rag_retrieve", query="lantern")["notice"])
    assert "nothing of it is read yet" in said
    assert "--uncapped" not in said


def test_documents_and_sections_are_resources(talk: Callable[[Work], Any]) -> None:
    listed = talk(lambda c: c.list_resources()).resources
    assert listed
    uri = str(listed[0].uri)
    whole = talk(lambda c: c.read_resource(uri)).contents[0].text
    section = talk(lambda c: c.read_resource(f"{uri}/section/1")).contents[0].text
    assert section.split("\n\n")[0] in whole
    assert {t.uri_template for t in talk(lambda c: c.list_resource_templates()).resource_templates} == {
        "glossator://document/{id}",
        "glossator://document/{id}/section/{n}",
    }
    for wrong in (f"{uri}/section/10000", f"{uri}/section/x", "glossator://document/nowhere"):

        async def work(client: Client, wrong: str = wrong) -> None:
            with pytest.raises(MCPError):
                await client.read_resource(wrong)

        talk(work)


def test_answers_keep_to_their_schemas(talk: Callable[[Work], Any]) -> None:
    schemas = {t.name: t.output_schema for t in talk(lambda c: c.list_tools()).tools}
    answers = {
        "rag_status": {},
        "rag_list_sources": {},
        "rag_retrieve": {"query": "lantern"},
        "contents": {"document": "Bees"},
        "read": {"document": "Bees"},
        "locate": {"quote": "lantern"},
        "ask": {"question": "Who forged the letter?"},
        "notes_search": {"query": "bees"},
    }
    for name, arguments in answers.items():
        jsonschema.validate(call(talk, name, **arguments), schemas[name])


def test_where_there_is_no_library_the_state_says_so_and_bringing_in_makes_one(tmp_path: Path) -> None:
    door = Here(tmp_path / "none", embedder="none")

    async def conversation() -> None:
        async with Client(build(door)) as client:
            state = (await client.call_tool("rag_status", {})).structured_content
            assert (state["exists"], state["documents"]) == (False, 0)
            assert (await client.call_tool("rag_list_sources", {})).structured_content["sources"] == []
            assert (await client.call_tool("rag_retrieve", {"query": "x"})).is_error
            assert (await client.list_resources()).resources == []
            assert not door.exists()
            assert not (await client.call_tool("rag_ingest", {"text": "Some words.", "source": "A"})).is_error
            assert door.exists()

    asyncio.run(conversation())


def test_a_prompt_hook_of_the_host_may_call_a_tool_instead(door: Here) -> None:
    async def conversation() -> None:
        async with Client(build(door, for_hook=True)) as client:
            asked = {"prompt": "Who carried a brass lantern and a letter with a broken seal?"}
            told = json.loads((await client.call_tool("prompt_context", asked)).content[0].text)
            assert "a brass lantern" in told["hookSpecificOutput"]["additionalContext"]
            silent = await client.call_tool("prompt_context", {"prompt": "fix the failing build"})
            assert silent.content[0].text == ""

    asyncio.run(conversation())


def test_progress_is_reported_while_a_file_is_added(talk: Callable[[Work], Any], tmp_path: Path) -> None:
    (tmp_path / "inbox" / "long.md").write_text("\n\n".join(f"Paragraph {n} about quartz." for n in range(50)), "utf-8")
    told: list[str] = []

    async def hear(_: float, total: float | None, message: str | None) -> None:  # noqa: ARG001
        told.append(str(message))

    async def work(client: Client) -> Any:
        found = await client.call_tool("rag_ingest", {"path": "long.md"}, progress_callback=hear)
        await asyncio.sleep(0.05)
        return found

    assert not talk(work).is_error
    assert any("long.md" in message for message in told)


def test_a_call_that_nobody_waits_for_is_stopped(door: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    courses: list[Course] = []

    def endless(options: dict[str, Any], course: Course) -> dict[str, Any]:
        courses.append(course)
        assert course.stopped.wait(20)
        raise AssertionError(json.dumps(options))

    monkeypatch.setattr(door, "ask", endless)

    async def conversation() -> None:
        async with Client(build(door)) as client:
            asking = asyncio.create_task(client.call_tool("ask", {"question": "Who?"}))
            while not courses:
                await asyncio.sleep(0.01)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            async with asyncio.timeout(5):
                while not courses[0].stopped.is_set():
                    await asyncio.sleep(0.01)
            assert (await client.call_tool("rag_status", {})).structured_content["exists"]

    asyncio.run(conversation())
