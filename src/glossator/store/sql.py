"""Reading rows, typed: SQLite's values have no static type, so each caller states what its columns are."""

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

Row = tuple[Any, ...]
Values = Sequence[Any] | Mapping[str, Any]


def rows(c: apsw.Connection, sql: str, values: Values = ()) -> list[Row]:
    """Return all rows of a query."""
    return c.execute(sql, values).fetchall()


def row(c: apsw.Connection, sql: str, values: Values = ()) -> Row | None:
    """Return the first row of a query, or None."""
    return c.execute(sql, values).fetchone()


def value(c: apsw.Connection, sql: str, values: Values = ()) -> Any:
    """Return the first column of the first row of a query, or None if there is no row."""
    found = row(c, sql, values)
    return None if found is None else found[0]
