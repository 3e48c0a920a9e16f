"""Which tools are registered, and which of many are put before a model."""

from collections.abc import Sequence

import pytest

from glossator.agent.registry import built_in, tool, tool_of
from glossator.agent.toolsets import MOST, chosen, facts_of, registered, relevance, why_not
from tests.agent.conftest import Bench


@tool(toolset="data", words="csv table rows columns 表格 数据")
def read_csv(path: str) -> str:
    """Read rows of a CSV file."""
    return path


@tool(toolset="data", words="chart plot draw graph 图表 画图")
def draw_chart(path: str) -> str:
    """Draw a chart as SVG."""
    return path


@tool(toolset="notes", words="note write remember highlight 笔记 标注 记下")
def add_note(text: str) -> str:
    """Make a note."""
    return text


FILLER = []
for number in range(12):

    def _filler(text: str) -> str:
        """Do something that nobody asks for."""
        return text

    _filler.__name__ = f"filler_{number}"
    FILLER.append(tool_of(tool(toolset="filler", words=f"zzz{number} 填充{number}")(_filler)))
MANY = list({t.name: t for t in (*built_in(), *map(tool_of, (read_csv, draw_chart, add_note)), *FILLER)}.values())


def names(tools: Sequence[object]) -> list[str]:
    return [t.name for t in tools]  # type: ignore[attr-defined]


def test_nothing_is_left_out_of_a_few() -> None:
    few = list(built_in())[:6]
    assert chosen(few, "anything") == few


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ("Draw a chart of the sales", "draw_chart"),
        ("How many rows has the CSV table?", "read_csv"),
        ("请把这句话记下来做个笔记", "add_note"),
        ("把数据画成图表", "draw_chart"),
    ],
)
def test_a_request_finds_its_tool_among_many_in_either_language(request_: str, wanted: str) -> None:
    picked = names(chosen(MANY, request_))
    assert wanted in picked
    assert 5 <= len(picked) <= MOST


def test_what_always_helps_is_always_there() -> None:
    assert {"search", "contents", "read_section"} <= set(names(chosen(MANY, "Hello")))


def test_a_session_keeps_its_tools_in_their_order_and_adds_at_the_end() -> None:
    first = names(chosen(MANY, "Draw a chart of the sales"))
    second = names(chosen(MANY, "请把这句话记下来做个笔记", kept=first))
    assert second[: len(first)] == first
    assert "add_note" in second
    assert names(chosen(MANY, "Hello", kept=second)) == second


def test_meaning_counts_where_an_embedder_is_at_hand() -> None:
    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] if "SVG" in t or t == texts[0] else [0.0, 1.0] for t in texts]

    few = [*map(tool_of, (read_csv, draw_chart, add_note)), *FILLER]
    scores = relevance(few, "Show it to me as a picture", embed=embed)
    assert max(scores, key=lambda n: scores[n]) == "draw_chart"


def test_state_decides_what_is_registered(bench: Bench) -> None:
    closed = registered(built_in(), facts_of(bench.context))
    opened = registered(built_in(), facts_of(bench.opened("The Island").context))
    marked = registered(built_in(), facts_of(bench.opened("The Island", selection=(0, 5)).context))
    assert "current_chapter" not in names(closed)
    assert "current_chapter" in names(opened)
    assert "selection" not in names(opened)
    assert "selection" in names(marked)


def test_what_is_missing_is_said() -> None:
    search = next(t for t in built_in() if t.name == "search")
    assert why_not(search, frozenset()) == "nothing is indexed"
    assert why_not(search, frozenset({"index"})) is None


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ("Which books do I have?", "list_documents"),
        ("我有哪些书？", "list_documents"),
        ("Tag these two books as classics", "tag_documents"),
        ("给这本书打标签", "tag_documents"),
        ("把这些书分类整理一下", "classify_documents"),
        ("How much did I read this week?", "reading_statistics"),
        ("我这个月的阅读统计", "reading_statistics"),
        ("Search my notes about whales", "search_notes"),
        ("Summarise this chapter", "summarise"),
        ("概括一下主要内容", "summarise"),
        ("Who are the main characters?", "people_and_concepts"),
        ("书里有哪些人物？", "people_and_concepts"),
        ("What are the arguments and the evidence?", "argument_structure"),
        ("论点和论据是什么", "argument_structure"),
        ("Find memorable quotes", "memorable_quotations"),
        ("找几句金句", "memorable_quotations"),
        ("Compare these two sections", "compare_sections"),
        ("Do other books support or contradict this claim?", "same_claim"),
        ("画一张思维导图", "mind_map"),
        ("What did I just highlight?", "recent_highlights"),
        ("Remember that I prefer short answers", "remember"),
        ("记住我喜欢简短的回答", "remember"),
        ("Read the file plan.txt", "read_file"),
        ("读取这个文件", "read_file"),
        ("Search the web for reviews", "web_search"),
        ("打开这个网页", "fetch_page"),
        ("Run the command ls", "run_command"),
        ("Count the rows of the csv table", "query_csv"),
        ("查询数据库", "query_database"),
        ("Add this file to the index", "rag_ingest"),
        ("删除这个来源", "rag_delete_source"),
    ],
)
def test_a_request_finds_each_tool_among_all_that_are_built_in(request_: str, wanted: str) -> None:
    assert wanted in names(chosen(built_in(), request_))
