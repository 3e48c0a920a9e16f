"""The tools that reach beyond the library: files, system and data in an allowed folder, and nothing outside it."""

import os
import sqlite3
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from glossator.agent.reach import Reach
from glossator.library.results import Bound
from tests.agent.conftest import Bench
from tests.library import books

Reaching = Callable[..., Bench]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give the folder that the tools may use."""
    path = tmp_path / "work"
    path.mkdir()
    return path


@pytest.fixture
def reaching(bench: Bench, folder: Path) -> Bench:
    """Give the bench with everything allowed."""
    allow = frozenset(("files", "web", "shell", "system", "data"))
    return bench.under(options={"allow": allow, "approve": lambda _: True, "reach": Reach(folders=(folder,))})


# --- files


def test_a_file_is_read_a_hundred_lines_at_once_and_the_cut_is_said(reaching: Bench, folder: Path) -> None:
    (folder / "long.txt").write_text("\n".join(f"line {n}" for n in range(1, 251)) + "\n", "utf-8")
    text = reaching("read_file", path="long.txt")
    assert text.startswith("long.txt, lines 1-100 of 250:\nline 1\n")
    assert "line 100\n[cut: 150 more of its lines, read_file(path='long.txt', start=101)]" in text
    assert "line 250" in reaching("read_file", path="long.txt", start=201)
    assert reaching("read_file", path="long.txt", max_lines=2).count("\nline ") == 2
    assert "nothing from line 300" in reaching("read_file", path="long.txt", start=300)


def test_lines_without_end_are_cut_to_what_a_result_may_hold(reaching: Bench, folder: Path) -> None:
    (folder / "wide.txt").write_text("x" * 100_000, "utf-8")
    assert len(reaching("read_file", path="wide.txt")) <= 12_000


def test_what_is_missing_or_no_text_is_told(reaching: Bench, folder: Path) -> None:
    (folder / "bytes.bin").write_bytes(b"\xff\xfe\x00\x01" * 10)
    (folder / "large.txt").write_bytes(b"a" * (5 << 20))
    assert "there is no such file" in reaching("read_file", path="none.txt")
    assert "is no text in UTF-8" in reaching("read_file", path="bytes.bin")
    assert "larger than 4 MB" in reaching("read_file", path="large.txt")
    assert "is no regular file" in reaching("read_file", path=".")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_does_not_stall_a_run(reaching: Bench, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    start = time.monotonic()
    assert "is no regular file" in reaching("read_file", path="pipe")
    assert time.monotonic() - start < 3


@pytest.mark.parametrize("tool", ["read_file", "write_file", "list_files", "rag_ingest", "query_csv", "draw_chart"])
def test_nothing_outside_the_folder_is_reached(reaching: Bench, folder: Path, tool: str) -> None:
    outside = folder.parent / "outside.csv"
    outside.write_text("secret\n1\n", "utf-8")
    (folder / "link.csv").symlink_to(outside)
    (folder / "linked").symlink_to(folder.parent)
    (folder / ".env").write_text("KEY=secret", "utf-8")
    argument = "folder" if tool == "list_files" else "path"
    needed = {"write_file": {"text": "x", "mode": "replace"}, "draw_chart": {"labels": ["a"], "values": [1]}}
    more = needed.get(tool, {})
    for path in (
        "../outside.csv",
        str(outside),
        "link.csv",
        "linked/outside.csv",
        ".env",
        "a/../../x.csv",
        "\0",
        "~/x",
    ):
        text = reaching(tool, **{argument: path}, **more)
        assert text.startswith("Error:"), (path, text)
        assert "secret" not in text
    assert outside.read_text("utf-8") == "secret\n1\n"


def test_the_library_itself_is_no_file_to_read(reaching: Bench) -> None:
    library = reaching.library.database.folder
    inside = reaching.under(options={**reaching.options, "reach": Reach(folders=(library.parent,))})
    for path in (f"{library.name}/library.db", str(library / "library.db")):
        assert "belongs to the library" in inside("query_database", path=path, sql="select * from part")
        assert "belongs to the library" in inside("read_file", path=path)


def test_files_are_listed_without_hidden_ones(reaching: Bench, folder: Path) -> None:
    (folder / "a.md").write_text("aa", "utf-8")
    (folder / ".hidden").write_text("x", "utf-8")
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "b.csv").write_text("x", "utf-8")
    (folder / "broken").symlink_to(folder / "nowhere")
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "closed").mkdir(mode=0)
    text = reaching("list_files")
    assert "a.md (2 bytes)" in text
    assert "deep/" in text
    assert "hidden" not in text
    assert "deep/er/b.csv" in reaching("list_files", pattern="**/*.csv")
    assert "closed" in reaching("list_files", folder="closed")
    assert reaching("read_file", path="circle").startswith("Error: ")


def test_writing_is_asked_about_and_replaces_nothing_by_itself(reaching: Bench, folder: Path) -> None:
    asked: list[str] = []
    refusing = reaching.under(options={**reaching.options, "approve": lambda what: bool(asked.append(str(what)))})
    assert "did not allow write_file(path=" in refusing("write_file", path="a.md", text="one")
    assert len(asked) == 1
    assert not (folder / "a.md").exists()
    assert "3 characters written, new" in reaching("write_file", path="deep/a.md", text="one")
    assert "is there already" in reaching("write_file", path="deep/a.md", text="two")
    assert "appended to 3 bytes" in reaching("write_file", path="deep/a.md", text="two", mode="append")
    assert (folder / "deep" / "a.md").read_text("utf-8") == "onetwo"


def test_a_copy_of_a_book_is_shown_as_far_as_the_book_is(reaching: Bench, folder: Path) -> None:
    cap = reaching.library.text("The Island").text.index("The Betrayal")
    (folder / "copy.txt").write_text("My copy\n" + books.ISLAND.replace(". ", ".\n"), "utf-8")
    (folder / "same.md").write_text(books.ISLAND, "utf-8")
    (folder / "stone.txt").write_text(books.STONE, "utf-8")
    (folder / "mine.txt").write_text("The pilot of my plane was late, and I read a letter.\n", "utf-8")
    capped = reaching.under(bound=Bound(cap)).opened("The Island")
    copy = capped("read_file", path="copy.txt")
    assert "green wax" in copy
    assert "Thorne" not in copy
    assert "understood everything" not in copy
    assert "[left out: not read yet]" in copy
    assert all("Thorne" not in capped("read_file", path="copy.txt", start=n, max_lines=1) for n in range(1, 24))
    assert "is not read to its end yet" in capped("read_file", path="same.md")
    assert "My plane" not in capped("read_file", path="mine.txt")
    assert "pilot of my plane" in capped("read_file", path="mine.txt")
    assert "美猴王" in capped("read_file", path="stone.txt"), "that book is not hidden"
    assert "Thorne" in reaching("read_file", path="copy.txt")


# --- system


def test_a_command_runs_without_a_shell_in_the_folder(reaching: Bench, folder: Path) -> None:
    (folder / "a.txt").write_text("1\n2\n", "utf-8")
    assert reaching("run_command", command="wc -l a.txt").startswith("wc ended with code 0\n2 a.txt")
    assert "$HOME *" in reaching("run_command", command="echo '$HOME' '*'")
    assert "is for shells" in reaching("run_command", command="cat a.txt | wc")
    assert "there is no program" in reaching("run_command", command="no-such-program-here")
    assert "code 3" in reaching("run_command", command=f"{sys.executable} -c 'raise SystemExit(3)'")


def test_a_command_is_ended_with_all_that_it_started(reaching: Bench, folder: Path) -> None:
    code = "import subprocess,sys,time; p=subprocess.Popen(['sleep','60']); print(p.pid, flush=True); time.sleep(60)"
    (folder / "slow.py").write_text(code.replace("print(", "open('pid','w').write(str(p.pid)); print("), "utf-8")
    start = time.monotonic()
    assert "was ended after 2 seconds" in reaching("run_command", command=f"{sys.executable} slow.py", seconds=2)
    assert time.monotonic() - start < 10
    pid = int((folder / "pid").read_text("utf-8"))
    for _ in range(50):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text("utf-8").split()[2]:
            break
        time.sleep(0.05)
    else:
        pytest.fail("what the command started still runs")


def test_output_is_capped_and_secrets_of_the_environment_stay_out(
    reaching: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-secret-value")
    endless = reaching("run_command", command="yes glossator", seconds=20)
    assert "too much output" in endless
    assert len(endless) <= 4_000
    assert "sk-secret-value" not in reaching("run_command", command="env")


def test_no_command_runs_while_something_is_hidden(reaching: Bench) -> None:
    capped = reaching.under(bound=Bound(100)).opened("The Island")
    assert "no command is run while" in capped("run_command", command="echo hello")


def test_the_system_is_told_without_names(reaching: Bench) -> None:
    assert "processors: " in reaching("system_information")
    text = reaching("list_processes", name="python")
    assert "python" in text
    assert "pytest" not in text, "arguments may hold secrets"


# --- data


@pytest.fixture
def data(folder: Path) -> Path:
    """Lay a CSV file and a database into the folder."""
    (folder / "towns.csv").write_text("town;people;code\nRome;2800000;007\nOslo;700000;012\nParis;2100000;\n", "utf-8")
    database = sqlite3.connect(folder / "towns.db")
    database.execute("create table town(name text, people integer)")
    database.executemany("insert into town values (?,?)", [("Rome", 2_800_000), ("Oslo", 700_000)])
    database.commit()
    database.close()
    return folder


@pytest.mark.usefixtures("data")
def test_data_is_described_and_queried(reaching: Bench) -> None:
    assert "data: 3 rows; town, people, code" in reaching("describe_data", path="towns.csv")
    assert "town: 2 rows; name (text), people (integer)" in reaching("describe_data", path="towns.db")
    assert reaching("query_csv", path="towns.csv", sql="select sum(people) as all_of_them from data") == (
        "1 row: all_of_them\n5600000"
    )
    assert "Rome | 007" in reaching("query_csv", path="towns.csv", sql="select town, code from data")
    assert "Rome" in reaching("query_database", path="towns.db", sql="select name from town where people > 1000000")


@pytest.mark.parametrize(
    "sql",
    [
        "delete from town",
        "drop table town",
        "insert into town values ('x', 1)",
        "attach database 'other.db' as other",
        "pragma user_version = 3",
        "select load_extension('x')",
        "select 1; delete from town",
        "create table x(y)",
        "vacuum into 'copy.db'",
        "nonsense",
        "",
    ],
)
def test_a_query_only_reads(reaching: Bench, data: Path, sql: str) -> None:
    before = (data / "towns.db").read_bytes()
    text = reaching("query_database", path="towns.db", sql=sql)
    assert text.startswith(("Error:", "0 rows", "1 row")), text
    assert (data / "towns.db").read_bytes() == before
    assert sorted(p.name for p in data.iterdir()) == ["towns.csv", "towns.db"]


@pytest.mark.usefixtures("data")
def test_a_query_without_end_is_ended(reaching: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glossator.store.foreign.SECONDS", 0.5)
    endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n"
    assert "took longer than" in reaching("query_database", path="towns.db", sql=endless)
    assert reaching("query_database", path="towns.db", sql="select zeroblob(2000000000)").startswith("Error:")


def test_a_broken_file_is_told(reaching: Bench, folder: Path) -> None:
    (folder / "bad.db").write_bytes(b"SQLite format 3\0" + b"nonsense" * 200)
    (folder / "bad.csv").write_bytes(b"\x00\x01\x02")
    (folder / "empty.csv").write_text("", "utf-8")
    for path in ("bad.db", "bad.csv", "empty.csv"):
        assert reaching("describe_data", path=path).startswith("Error:")


def test_many_rows_are_cut_and_said(reaching: Bench, folder: Path) -> None:
    (folder / "many.csv").write_text("n,text\n" + "".join(f"{n},{'x' * 300}\n" for n in range(2_000)), "utf-8")
    text = reaching("query_csv", path="many.csv", sql="select * from data")
    assert len(text) <= 6_000
    assert "rows are left out" in text


def test_a_chart_is_an_image_with_labelled_axes(reaching: Bench, data: Path) -> None:
    text = reaching(
        "draw_chart",
        path="towns.svg",
        data="towns.csv",
        sql="select town, people from data",
        title="Towns <b>&",
        x_label="town",
        y_label="people",
    )
    assert "bar chart of 3 values written to towns.svg" in text
    image = ET.fromstring((data / "towns.svg").read_text("utf-8"))
    texts = ["".join(t.itertext()) for t in image.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Towns <b>&", "town", "people", "Rome", "Oslo", "Paris", "0", "3e+06"} <= set(texts)
    assert "is there already" in reaching("draw_chart", path="towns.svg", labels=["a"], values=[1])


@pytest.mark.parametrize("kind", ["bar", "line", "scatter"])
@pytest.mark.parametrize("values", [[0], [-3, 5], [1e9, 2.5, -4e-7], [1] * 60])
def test_any_values_can_be_drawn(reaching: Bench, folder: Path, kind: str, values: list[float]) -> None:
    labels = [f"a rather long label {n}" for n in range(len(values))]
    assert "written" in reaching("draw_chart", path="c.svg", kind=kind, labels=labels, values=values)
    ET.fromstring((folder / "c.svg").read_text("utf-8"))


def test_what_cannot_be_drawn_is_told(reaching: Bench, folder: Path) -> None:
    assert "no values" in reaching("draw_chart", path="c.svg")
    assert "2 labels, but 1 values" in reaching("draw_chart", path="c.svg", labels=["a", "b"], values=[1])
    assert reaching("draw_chart", path="c.svg", labels=["a"], values=["inf"]).startswith("Error:")
    assert "does not end in .svg" in reaching("draw_chart", path="c.py", labels=["a"], values=[1])
    assert not list(folder.iterdir())
