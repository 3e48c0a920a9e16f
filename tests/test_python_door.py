"""The door for Python programs: the page about it is true, the names are what they say, the examples run."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import glossator
from glossator.library import door
from tests.cli.books import LIGHTHOUSE

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = sorted((ROOT / "examples").glob("*.py"))


def test_every_example_of_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOSSATOR_EMBEDDER", "none")
    keeper = tmp_path / "keeper.md"
    keeper.write_text(LIGHTHOUSE, "utf-8")
    names = {"folder": tmp_path / "library", "keeper": keeper}
    failed, tried = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, globs=names)
    assert tried > 20
    assert failed == 0


def test_the_doctest_of_open_is_true() -> None:
    assert doctest.testmod(door) == doctest.TestResults(failed=0, attempted=2)


def test_all_public_names_are_there_and_nothing_heavy_is_loaded_before() -> None:
    script = (
        "import sys, glossator\n"
        "assert not {'apsw', 'numpy', 'glossator.library', 'glossator.agent'} & set(sys.modules)\n"
        "assert all(getattr(glossator, name) is not None for name in glossator.__all__)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with pytest.raises(AttributeError):
        _ = glossator.nothing


def test_there_are_five_programs() -> None:
    assert len(PROGRAMS) == 5


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_an_example_program_runs(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOSSATOR_EMBEDDER", "none")
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path / "library")],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
