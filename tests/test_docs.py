"""The documentation says what the program does: every command, option, setting and error, and no file that is gone."""

import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from glossator.cli.commands import COMMANDS, read
from glossator.config import KEYS
from glossator.errors import GlossatorError

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "AGENTS.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
FENCE = re.compile(r"^```(?:sh|console|bash)\n(.*?)^```", re.M | re.S)


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def command_lines(page: Path) -> list[str]:
    """Return the command lines of this program in a page's shell examples."""
    lines = [line.removeprefix("$ ") for block in FENCE.findall(page.read_text("utf-8")) for line in block.split("\n")]
    return [line for line in lines if line.startswith("glossator ")]


def test_the_reference_is_current() -> None:
    assert (DOCS / "cli.md").read_text("utf-8") == generator().reference(), "run `make docs`"


def test_every_command_and_option_is_in_the_reference() -> None:
    page = (DOCS / "cli.md").read_text("utf-8")
    for command in COMMANDS.values():
        assert f"### glossator {command.name}\n" in page
        section = page.split(f"### glossator {command.name}\n")[1].split("\n##")[0]
        for flag in command.parser().flags:
            assert flag in ("-h", "--help", "--library", "--json", "--verbose") or f"`{flag}" in section, (
                f"{command.name} {flag}"
            )


def test_every_setting_and_error_is_in_the_reference() -> None:
    page = (DOCS / "cli.md").read_text("utf-8")
    for key in KEYS:
        assert f"`{key.name}`" in page
    kinds = generator().errors()
    assert len({kind.code for kind in kinds}) == len(kinds), "two errors share a code"
    assert GlossatorError in kinds
    for kind in kinds:
        assert f"| `{kind.code}` | {kind.__name__} | {kind.__doc__.splitlines()[0]} |" in page


def test_the_readme_shows_command_lines_that_exist() -> None:
    shown = [(page, line) for page in PAGES for line in command_lines(page)]
    assert any(page.name == "README.md" for page, _ in shown)
    for page, line in shown:
        words = shlex.split(line.split(" | ")[0].split(" > ")[0], comments=True)
        try:
            read(words[1:])
        except GlossatorError as error:
            pytest.fail(f"{page.name}: {line}: {error}")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_and_named_files_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
    for named in re.findall(r"`((?:src|tests|docs|benchmarks|examples)/[\w./-]+\.\w+)(?:::\w+)?`", text):
        assert (ROOT / named).exists(), f"{page.name} names {named}"


def test_every_proof_in_the_requirements_is_a_test_or_a_benchmark_that_exists() -> None:
    text = (DOCS / "requirements.md").read_text("utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert named
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text("utf-8"), f"{file}::{test}"


def test_every_place_in_the_requirements_exists() -> None:
    text = (DOCS / "requirements.md").read_text("utf-8")
    for row in re.findall(r"^\| R[A-Z]-\d+ \|[^|]*\|([^|]*)\|", text, re.M):
        for place in re.findall(r"`([\w./]+(?:\.py|/))`", row):
            assert any((root / place).exists() for root in (ROOT / "src" / "glossator", ROOT)), place


def test_every_requirement_has_a_place_and_a_proof_or_says_that_it_is_not_done() -> None:
    rows = re.findall(r"^\| (R[A-Z]-\d+) \|(.*)\|$", (DOCS / "requirements.md").read_text("utf-8"), re.M)
    assert len({name for name, _ in rows}) == len(rows)
    for name, rest in rows:
        what, where, proof = (part.strip() for part in rest.split("|"))
        assert what, name
        assert where, name
        assert proof, name
