"""No tool, whatever a model asks of it, tells a word that stands past the bound.

Every word of the documents occurs once, so a word in a result says where it was read. The tools are all of those that
are registered, with all permissions given, and copies of the documents lie in the folder that the tools may read.
"""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.agent.context import ReadingState
from glossator.agent.reach import Reach
from glossator.agent.registry import Tool, built_in
from glossator.agent.tools.memory import in_prompt
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.agent.conftest import Bench
from tests.library.books import unique_words

TOOLS = {t.name: t for t in built_in()}
NETWORK = ("fetch_page", "call_api", "api_login", "web_search")  # no test touches a network
CHARACTERS = (
    "峰岭溪谷云雾松竹梅兰菊荷桃李杏枣桑麻麦稻粟豆瓜果蔬茶酒醋盐糖油酱牛羊马鹿狼虎豹熊猿猴鹤雁燕鹰鸽鸦鹊蛙蛇龟鱼虾蟹蚌贝"
)
WORD = re.compile("[A-Za-z][a-z]{6}o|[" + CHARACTERS + "]{4}")
TITLES = ("Latin", "Han", "Other")


def chinese(sections: int) -> str:
    """Return Markdown of Chinese words of four characters, each of which occurs once."""
    letters, n, parts = len(CHARACTERS), 0, []

    def some(count: int) -> str:
        nonlocal n
        made = []
        for _ in range(count):
            digits = [(n * 7 + k * 13 + n // letters) % letters for k in range(3)]
            made.append(CHARACTERS[n % letters] + "".join(CHARACTERS[d] for d in digits))
            n += 1
        return "".join(made)

    for _ in range(sections):
        parts.append(f"## {some(1)}")
        parts += [f"{some(5)}，{some(5)}。{some(6)}。" for _ in range(3)]
    return "# Han\n\n" + "\n\n".join(parts) + "\n"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, Path]]:
    """Give a library with three documents, notes all over them, memories, and a folder with copies of them."""
    home = tmp_path_factory.mktemp("world")
    folder = home / "work"
    folder.mkdir()
    texts = {
        "Latin": "# Latin\n\n" + unique_words(8),
        "Han": chinese(6),
        "Other": "# Other\n\nA plain page of ships.\n",
    }
    for name, text in texts.items():
        (folder / f"{name.lower()}.md").write_text(text, "utf-8")
        (folder / f"copy of {name.lower()}.txt").write_text(f"A copy.\n\n{text}", "utf-8")
        (folder / f"{name.lower()}.csv").write_text("line\n" + text.replace(",", " ").replace("\n\n", "\n"), "utf-8")
    database = sqlite3.connect(folder / "copy.db")
    database.execute("create table line(number, text)")
    database.executemany("insert into line values (?,?)", enumerate("\n".join(texts.values()).splitlines()))
    database.commit()
    database.close()
    with Library.open(home / "library", embedder="none") as library:
        library.add([str(folder / f"{name.lower()}.md") for name in texts])
        for name in TITLES[:2]:
            text = library.text(name).text
            for at in range(20, len(text) - 40, max(40, len(text) // 12)):
                library.notes.add(name, span=(at, at + 12), body=f"on {text[at : at + 12]}", tags=["all"])
            library.memory.keep(f"it says {text[-60:-1]}", doc=name)
            library.memory.keep(f"wants to hear of {text[-40:-20]}", kind="preference")
        yield library, folder


def hidden_words(library: Library, name: str, cap: int) -> set[str]:
    """Return the words of a document that begin at the cap or later, or are cut by it."""
    text = library.text(name, bound=Bound(uncapped=True)).text
    found = {m[0].casefold() for m in WORD.finditer(text) if m.end() > cap}
    assert len(found) >= (len(text) - cap) // 40 - 1
    return found


hostile = st.one_of(
    st.none(),
    st.integers(-(10**9), 10**9),
    st.sampled_from(["", "null", "0", "-1", "99999999", "*", "..", "/", "%", "\0", "' or 1=1 --", *TITLES]),
    st.text(max_size=12),
)


def arguments(tool: Tool, draw: Any, library: Library) -> dict[str, Any]:
    """Return arguments as a model may write them: fitting ones, ones meant to break out, and nonsense."""
    ids = [d.id for d in library.documents().documents]
    notes = [n.id for n in library.notes.list(bound=Bound(uncapped=True)).notes][:6]
    last = library.text("Latin", bound=Bound(uncapped=True)).text[-60:]
    fitting: dict[str, list[Any]] = {
        "document": [None, *TITLES, *ids],
        "documents": [[*TITLES], [ids[0]], []],
        "other_document": [None, *TITLES],
        "source": [*TITLES, *ids, "latin.md"],
        "query": [last[:20], "ship", '"' + last[-10:], "石", ""],
        "claim": [last[:30], "ships sail"],
        "quote": [last, last[5:25], "A plain page"],
        "path": [
            "latin.md",
            "copy of latin.txt",
            "copy of han.txt",
            "latin.csv",
            "han.csv",
            "copy.db",
            "../library/library.db",
        ],
        "data": ["latin.csv", "copy.db"],
        "sql": [
            "select * from data limit 500",
            "select text from line limit 500",
            "select line, 1 from data",
        ],
        "folder": [".", "..", "/"],
        "command": ["cat latin.md", "cat 'copy of latin.txt'"],
        "note": notes,
        "other": notes,
        "section": [None, 1, 3, 9, -4, 10**9],
        "number": [1, 5, 9, -4],
        "position": [0, 500, 10**7, -4],
        "start": [None, 0, 1, 7, 10**7],
        "url": ["https://example.org/"],
        "text": [last, "A text of its own."],
    }
    made: dict[str, Any] = {}
    for argument in tool.arguments:
        if not argument.required and draw(st.integers(0, 2)) == 0:
            continue
        choices = list(get_args(argument.type)) or fitting.get(argument.name)
        usual = st.sampled_from(choices) if choices and not isinstance(choices[0], type) else hostile
        made[argument.name] = draw(st.one_of(usual, usual, usual, hostile))
    for extra in ("up_to", "uncapped", "bound"):
        if draw(st.integers(0, 9)) == 0:
            made[extra] = draw(st.sampled_from([None, True, 10**9]))
    return made


@given(st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_result_of_any_tool_holds_a_word_past_the_bound(world: tuple[Library, Path], data: st.DataObject) -> None:
    library, folder = world
    name = data.draw(st.sampled_from(TITLES[:2]))
    length = library.show(name).characters
    cap = data.draw(st.integers(0, length))
    hidden = hidden_words(library, name, cap)
    options = {
        "allow": frozenset(("files", "web", "shell", "system", "data")),
        "approve": lambda _: False,  # what changes something is tried below
        "reach": Reach(folders=(folder,)),
    }
    at = data.draw(st.integers(0, length))
    bench = Bench(library, bound=Bound(cap), options=options).opened(name, position=at)
    if data.draw(st.booleans()):
        bench = bench.under(state=ReadingState())
    assert not said(hidden, "\n".join(in_prompt(bench.context, "what does it say")))
    for tool in data.draw(st.lists(st.sampled_from(sorted(TOOLS.keys() - set(NETWORK))), min_size=4, max_size=8)):
        given_arguments = arguments(TOOLS[tool], data.draw, library)
        result = bench.result(tool, TOOLS, **given_arguments)
        echoed = hidden - said(hidden, repr(given_arguments))  # a model may say what it knows already
        assert not said(echoed, result.text), (tool, given_arguments, result.text)
        assert len(result.text) <= max(TOOLS[tool].result_limit, 2_000)


def said(words: set[str], text: str) -> set[str]:
    """Return which of the words stand in a text, also within others."""
    folded = text.casefold()
    return {w for w in words if w in folded}


CHANGING = {
    "rag_ingest": [{"path": "copy of latin.txt"}, {"path": "latin.md"}],
    "run_command": [{"command": "cat latin.md"}, {"command": "tail -c 200 'copy of latin.txt'"}],
    "add_note": [{"quote": "{hidden}"}, {"quote": "{hidden}", "document": "Latin"}],
    "add_citation": [{"quote": "{hidden}"}],
    "draw_chart": [{"path": "out.svg", "data": "latin.csv", "sql": "select line, 1 from data"}],
}


@pytest.mark.parametrize("name", CHANGING)
def test_what_a_person_allows_does_not_lift_the_bound(world: tuple[Library, Path], name: str, tmp_path: Path) -> None:
    library, folder = world
    copy = tmp_path / "work"
    shutil.copytree(folder, copy)
    cap = library.show("Latin").characters // 2
    hidden = hidden_words(library, "Latin", cap)
    options = {
        "allow": frozenset(("files", "web", "shell", "system", "data")),
        "approve": lambda _: True,
        "reach": Reach(folders=(copy,)),
    }
    bench = Bench(library, bound=Bound(cap), options=options).opened("Latin")
    last = sorted(hidden)[-1]
    before = {d.id for d in library.documents().documents}
    for given_arguments in CHANGING[name]:
        filled = {k: v.replace("{hidden}", last) for k, v in given_arguments.items()}
        result = bench.result(name, TOOLS, **filled)
        assert not said(hidden - {last}, result.text)
        image = copy / "out.svg"
        assert not image.exists() or not said(hidden, image.read_text("utf-8"))
    assert {d.id for d in library.documents().documents} == before, "a copy of what is hidden was brought in"
