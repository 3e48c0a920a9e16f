"""What is built: a wheel carries the web reader, and needs no Node when its sources carry it, too."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = ("__pycache__", "node_modules", "static")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Give a copy of what a source distribution holds, with a bundle that is up to date."""
    folder = tmp_path / "sources"
    for name in ("src", "web"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    static = folder / "src" / "glossator" / "server" / "static"
    static.mkdir()
    (static / "index.html").write_text("<!doctype html><title>glossator</title>", "utf-8")
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import hatch_build, pathlib; "
    code += f"print(hatch_build.digest(pathlib.Path({str(folder / 'web')!r})), end='')"
    stamp = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    (static / ".stamp").write_text(stamp, "utf-8")
    return folder


def built(sources: Path, target: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    return subprocess.run(command, cwd=sources, env=environment, capture_output=True, text=True, check=False)


def test_a_wheel_carries_the_reader_and_is_made_without_node(sources: Path, tmp_path: Path) -> None:
    done = built(sources, tmp_path / "dist", PATH="")
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as found:
        names = found.namelist()
    assert "glossator/server/static/index.html" in names
    assert not [n for n in names if "node_modules" in n or n.startswith("web/")]


def test_a_reader_older_than_its_sources_is_not_shipped(sources: Path, tmp_path: Path) -> None:
    (sources / "web" / "index.html").write_text("changed", "utf-8")
    done = built(sources, tmp_path / "dist", PATH="")
    assert done.returncode != 0
    assert not list((tmp_path / "dist").glob("*.whl"))
    assert "Node 20.19 or newer is not here" in done.stdout + done.stderr


def test_a_wheel_is_made_without_the_reader_where_that_is_asked_for(sources: Path, tmp_path: Path) -> None:
    shutil.rmtree(sources / "src" / "glossator" / "server" / "static")
    done = built(sources, tmp_path / "dist", PATH="", GLOSSATOR_NO_WEB="1")
    assert done.returncode == 0, done.stderr
