"""Tables of other people's files, to look into: CSV read into memory, SQLite opened read-only. Nothing is written.

Whoever writes the query may be anybody: only what reads is allowed, a query is stopped after `SECONDS`, and no value
may be larger than `VALUE`.
"""

import csv
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from glossator.errors import DamagedFile, UsageError
from glossator.store.sql import rows, value

LARGEST = 64 << 20  # bytes of a CSV file
SECONDS = 10.0
VALUE = 8 << 20  # bytes
LISTED = 200  # tables of a database
_STEPS = 20_000  # of SQLite's machine, between two looks at the clock
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(\.\d+)?(?:[eE][+-]?\d{1,3})?")
_READING = {apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE}
_MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class ForeignColumn:
    """A column and the type it was declared with."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class ForeignTable:
    """A table or a view, and how many rows it has."""

    name: str
    rows: int
    columns: tuple[ForeignColumn, ...]


@dataclass(frozen=True, slots=True)
class ForeignRows:
    """What a query gave; `more`: there were further rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: bool


class ForeignTables:
    """The tables of a file that is not ours, on an open connection; made by `open_tables`."""

    def __init__(self, c: apsw.Connection) -> None:
        self._c = c

    def list(self) -> list[ForeignTable]:
        """Return the tables and views.

        Raises:
            DamagedFile: the file is broken.
        """
        with _timed(self._c, None):
            names = rows(
                self._c,
                "select name from pragma_table_list where schema = 'main' and type in ('table', 'view', 'virtual')"
                " and name not like 'sqlite\\_%' escape '\\' order by name limit ?",
                (LISTED,),
            )
            return [self._table(name) for (name,) in names]

    def select(self, sql: str, *, most: int, stopped: Callable[[], bool] | None = None) -> ForeignRows:
        """Return the first rows of a query that only reads.

        Raises:
            UsageError: it is no query, does more than read, takes too long, or names what is not there.
            DamagedFile: the file is broken.
        """
        self._c.authorizer = _only_reading
        try:
            with _timed(self._c, stopped):
                cursor = self._c.execute(sql, prepare_flags=0)
                columns = tuple(name for name, *_ in cursor.get_description()) if cursor.expanded_sql else ()
                found = [tuple(r) for r, _ in zip(cursor, range(most + 1), strict=False)]
                cursor.close(True)
        except (apsw.ExecutionCompleteError, StopIteration):
            return ForeignRows((), (), more=False)
        finally:
            self._c.authorizer = None
        return ForeignRows(columns, tuple(found[:most]), more=len(found) > most)

    def _table(self, name: str) -> ForeignTable:
        quoted = '"' + name.replace('"', '""') + '"'
        columns = rows(self._c, "select name, type from pragma_table_info(?)", (name,))
        count = int(value(self._c, f"select count(*) from {quoted}"))
        return ForeignTable(name, count, tuple(ForeignColumn(n, t.lower()) for n, t in columns))


@contextmanager
def open_tables(path: Path, *, filtered: Callable[[str], str] | None = None) -> Iterator[ForeignTables]:
    """Give the tables of a CSV, TSV or SQLite file.

    `filtered` takes out of a text what may not be seen. Since a query can take words apart, it is asked before there
    are queries: a CSV file is filtered as a whole, a database in which it would take anything out is refused.

    Raises:
        UsageError: it is too large, no table, or no text; or it holds what may not be seen.
        DamagedFile: it is broken.
    """
    is_database = _is_database(path)
    c = _database(path) if is_database else apsw.Connection(":memory:")
    try:
        c.limit(apsw.SQLITE_LIMIT_LENGTH, VALUE)
        c.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
        c.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        if not is_database:
            _fill(c, path, filtered)
        elif filtered is not None:
            _check(c, filtered)
        c.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        yield ForeignTables(c)
    finally:
        c.close(True)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _database(path: Path) -> apsw.Connection:
    """Return a connection that makes no file beside the database, unless another program is writing to it."""
    wal = path.with_name(path.name + "-wal")
    still = not (wal.exists() and wal.stat().st_size)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"{path.as_uri()}?{'immutable=1' if still else 'mode=ro'}", flags=flags)


def _check(c: apsw.Connection, filtered: Callable[[str], str]) -> None:
    """Refuse a database that holds what may not be seen, or too much to look through."""
    size = 0
    with _timed(c, None):
        names = rows(c, "select name from pragma_table_list where schema = 'main' and type <> 'view'")
        for (name,) in names:
            quoted = '"' + name.replace('"', '""') + '"'
            texts = (v for found in c.execute(f"select * from {quoted}") for v in found if isinstance(v, str | bytes))
            text = "\n".join(v if isinstance(v, str) else v.decode("utf-8", "replace") for v in texts)
            size += len(text)
            if size > LARGEST or filtered(text) != text:
                raise UsageError("the database holds text that may not be shown now", hint="go on without it")


def _fill(c: apsw.Connection, path: Path, filtered: Callable[[str], str] | None) -> None:
    """Read a CSV file into the table `data`."""
    text = _text_of(path)
    found = _rows_of(text if filtered is None else filtered(text), path)
    header = next(found, None)
    if not header:
        raise UsageError(f"{path.name} is empty", hint="choose another file")
    names = _names(header)
    quoted = ", ".join('"' + n.replace('"', '""') + '"' for n in names)
    c.execute(f"create table data({quoted})")
    marks = ",".join("?" * len(names))
    with c:
        c.executemany(
            f"insert into data values ({marks})",
            (tuple(_typed(v) for v in (*row, *[""] * len(names))[: len(names)]) for row in found if row),
        )


def _text_of(path: Path) -> str:
    from chardet import detect

    if path.stat().st_size > LARGEST:
        raise UsageError(f"{path.name} is larger than {LARGEST >> 20} MB", hint="split it, or make a database of it")
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            text = data.decode(detect(data[: 1 << 16]).get("encoding") or "utf-8")
        except (LookupError, UnicodeDecodeError):
            raise UsageError(f"{path.name} is no text", hint="choose a CSV, TSV or SQLite file") from None
    if "\0" in text:
        raise UsageError(f"{path.name} is no text", hint="choose a CSV, TSV or SQLite file")
    return text


def _rows_of(text: str, path: Path) -> Iterator[list[str]]:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(text[: 1 << 14])
    try:
        yield from csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    except csv.Error as error:
        raise UsageError(f"{path.name} is no CSV ({error})", hint="choose another file") from error


def _delimiter(sample: str) -> str:
    try:
        return csv.Sniffer().sniff(sample, delimiters=",;\t|").delimiter
    except csv.Error:
        return ","


def _names(header: Sequence[str]) -> list[str]:
    """Return names for columns: none empty, none twice, also not in other letters."""
    made: list[str] = []
    taken: set[str] = set()
    for n, title in enumerate(header[:500], 1):
        name = base = " ".join(title.split()) or f"column {n}"
        again = 2
        while name.casefold() in taken:
            name = f"{base} {again}"
            again += 1
        taken.add(name.casefold())
        made.append(name)
    return made


def _typed(text: str) -> str | int | float | None:
    """Return a value as a number where it is written as one; a code such as 007 stays as it is."""
    text = text.strip()
    if not text:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None:
        return text
    return float(text) if match[1] or "e" in text.lower() else int(text)


def _only_reading(operation: int, *of: str | None) -> int:
    if operation == apsw.SQLITE_FUNCTION and (of[1] or "").lower() in ("load_extension", "readfile", "writefile"):
        return apsw.SQLITE_DENY
    return apsw.SQLITE_OK if operation in _READING else apsw.SQLITE_DENY


@contextmanager
def _timed(c: apsw.Connection, stopped: Callable[[], bool] | None) -> Iterator[None]:
    deadline = time.monotonic() + SECONDS
    c.set_progress_handler(lambda: time.monotonic() > deadline or bool(stopped and stopped()), _STEPS)
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise DamagedFile(f"the database is damaged: {error}", hint="choose another file") from error
    except apsw.InterruptError:
        raise UsageError(f"the query took longer than {SECONDS:g} seconds", hint="ask for less") from None
    except apsw.AuthError:
        raise UsageError("only queries that read are run", hint="write one select") from None
    except apsw.Error as error:
        raise UsageError(f"SQLite says: {error}", hint="`describe_data` shows tables and columns") from error
    finally:
        c.set_progress_handler(None)
