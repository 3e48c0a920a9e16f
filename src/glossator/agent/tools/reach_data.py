"""Tools for data files in the allowed folders: what a table holds, and queries of it. Off until `data` is allowed."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from glossator.agent.context import ToolContext
from glossator.agent.reach import readable
from glossator.agent.registry import LIMITS, Outcome, tool
from glossator.agent.tools.fences import fitting, inert, many
from glossator.errors import UsageError
from glossator.store.foreign import ForeignRows, ForeignTable, ForeignTables, open_tables

WIDE = LIMITS["search"]
CELL = 200  # characters of a value
CSV, DATABASES = (".csv", ".tsv"), (".db", ".sqlite", ".sqlite3")


@tool(
    toolset="reach",
    needs=("data",),
    words="data table columns schema csv database describe 数据 表格 列 字段 数据库 结构",
)
def describe_data(ctx: ToolContext, path: str) -> Outcome:
    """Tell the tables, columns and number of rows of a CSV, TSV or SQLite file. Use it before a query.

    Args:
        path: from the allowed folder on
    """
    with _opened(ctx, path) as tables:
        found = tables.list()
    lines = [_described(t) for t in found]
    shown, left = fitting((inert(line) for line in lines), 1_700)
    head = f"{Path(path).name}: {many(len(found), 'table')}"
    return Outcome("\n".join([head, *shown, f"{left} more" if left else ""]).rstrip(), head)


@tool(
    toolset="reach",
    needs=("data",),
    result_limit=WIDE,
    words="csv table rows filter data query 表格 数据 行 查询 筛选",
)
def query_csv(ctx: ToolContext, path: str, sql: str = "select * from data limit 20") -> Outcome:
    """Query a CSV or TSV file with SQL; its rows are the table `data`. Use it to count, filter, group or add up.

    The file is read only, and nothing is changed. `describe_data` tells the columns.

    Args:
        path: from the allowed folder on
        sql: one select, SQLite's SQL
    """
    return _queried(ctx, path, sql, CSV)


@tool(
    toolset="reach",
    needs=("data",),
    result_limit=WIDE,
    words="sql database sqlite query select 数据库 查询 语句",
)
def query_database(ctx: ToolContext, path: str, sql: str) -> Outcome:
    """Query a SQLite database with SQL. Use it for files that end in .db or .sqlite.

    It is opened read-only: only select works. `describe_data` tells tables and columns.

    Args:
        path: from the allowed folder on
        sql: one select
    """
    return _queried(ctx, path, sql, DATABASES)


def table_of(ctx: ToolContext, path: str, sql: str, *, most: int) -> ForeignRows:
    """Return what a query of a data file gives, at most so many rows.

    Raises:
        UsageError: the file holds no tables, or the query is no select, or takes too long.
    """
    with _opened(ctx, path) as tables:
        return tables.select(sql, most=most, stopped=ctx.stopped)


def _queried(ctx: ToolContext, path: str, sql: str, suffixes: Sequence[str]) -> Outcome:
    at = _data(ctx, path)
    if at.suffix.lower() not in suffixes:
        other = "query_database" if suffixes == CSV else "query_csv"
        raise UsageError(f"{path} is no {' or '.join(suffixes)} file", hint=f"use {other}, or another file")
    found = table_of(ctx, path, sql, most=500)
    lines = [" | ".join(map(_cell, row)) for row in found.rows]
    shown, left = fitting((inert(line) for line in lines), WIDE - 700)
    head = f"{many(len(found.rows), 'row')}{' (there are more)' if found.more else ''}: {' | '.join(found.columns)}"
    rest = f"{left} rows are left out; ask for fewer with limit and offset, or add them up" if left else ""
    return Outcome("\n".join([inert(head)[:600], *shown, rest]).rstrip(), head, rest)


def _opened(ctx: ToolContext, path: str) -> AbstractContextManager[ForeignTables]:
    """Return the tables of a file, without what is hidden of the library's documents."""
    return open_tables(_data(ctx, path), filtered=ctx.library.veil.over if ctx.library.veil.active else None)


def _data(ctx: ToolContext, path: str) -> Path:
    at = readable(ctx.reach, ctx.library, path)
    if at.suffix.lower() not in CSV + DATABASES:
        raise UsageError(f"{path} is no data file", hint=f"one of {', '.join(CSV + DATABASES)}")
    return at


def _described(table: ForeignTable) -> str:
    columns = ", ".join(f"{c.name} ({c.kind})" if c.kind else c.name for c in table.columns)
    return f"{table.name}: {many(table.rows, 'row')}; {columns}"[:600]


def _cell(value: Any) -> str:
    text = (
        "" if value is None else f"({len(value)} bytes)" if isinstance(value, bytes) else " ".join(str(value).split())
    )
    return text if len(text) <= CELL else f"{text[:CELL]}…"
