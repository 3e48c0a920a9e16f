"""Summaries, names, comparisons and maps at the command line: the JSON of the contract, and pages for people."""

import json
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from tests.cli import contract
from tests.cli.runner import Shell

KEEPER = "The Keeper of the Lantern"


def test_summary(shell: Shell) -> None:
    found = shell.json("summary", KEEPER)
    contract.check(found, contract.SUMMARY)
    text = shell.json("text", KEEPER)["text"]
    assert found["points"]
    assert all(text[p["locator"]["start"] : p["locator"]["end"]] == p["text"] for p in found["points"])


def test_summary_of_a_section(shell: Shell) -> None:
    contents = shell.json("show", KEEPER)["contents"]
    number = next(e["number"] for e in contents if e["title"] == "Chapter 2: The Long Watch")
    found = shell.json("summary", KEEPER, "--section", number)
    contract.check(found, contract.SUMMARY)
    assert "forged" not in found["summary"]


def test_the_story_so_far_does_not_tell_the_secret(shell: Shell) -> None:
    cap = shell.json("text", KEEPER)["text"].index("On the last night")
    found = shell.json("summary", KEEPER, "--up-to", cap)
    contract.check(found, contract.SUMMARY)
    assert "forged" not in json.dumps(found)
    assert found["notice"]


def test_people(shell: Shell) -> None:
    found = shell.json("people", KEEPER)
    contract.check(found, contract.PEOPLE)
    assert "Mara" in [n["name"] for n in found["names"]]


def test_compare(shell: Shell) -> None:
    found = shell.json("compare", "Honeybees do not stay in the hive when the air pressure falls.")
    contract.check(found, contract.COMPARE)
    assert found["passages"][0]["stance"] == "contradicts"
    assert found["passages"][0]["document"]["title"] == "Bees and the Weather"


def test_map(shell: Shell) -> None:
    found = shell.json("map", KEEPER)
    contract.check(found, contract.MAP)

    def check(node: dict[str, Any]) -> int:
        contract.check(node, contract.MAP)
        return 1 + sum(check(child) for child in node["children"])

    assert check(found) > 3
    assert json.loads(shell("map", KEEPER, "--format", "json").out) == found


def test_a_map_comes_as_markdown_and_as_a_picture(shell: Shell) -> None:
    assert shell("map", KEEPER, "--format", "markdown").out.startswith(f"# {KEEPER}\n")
    ElementTree.fromstring(shell("map", KEEPER, "--format", "svg").out)


@pytest.mark.parametrize("command", ["summary", "people", "map"])
def test_each_is_shown_to_people(shell: Shell, command: str) -> None:
    for terminal in (False, True):
        run = shell(command, KEEPER, terminal=terminal)
        assert run.code == 0, run.err
        assert KEEPER in run.out


def test_a_comparison_is_shown_to_people(shell: Shell) -> None:
    run = shell("compare", "Honeybees stay in the hive when the air pressure falls.")
    assert "Supports" in run.out
    assert "Bees and the Weather" in run.out
    assert shell("compare", "zzz qqq").out == "No passage has to do with it.\n"


def test_all_are_answered_in_batch(shell: Shell) -> None:
    lines = [
        {"op": "summary", "doc": KEEPER, "section": 2},
        {"op": "people", "doc": KEEPER},
        {"op": "compare", "claim": "Honeybees stay in the hive."},
        {"op": "map", "doc": KEEPER, "model": "none"},
        {"op": "map", "doc": KEEPER, "model": "other:thing"},
    ]
    run = shell("batch", "-", stdin="\n".join(map(json.dumps, lines)))
    answers = [json.loads(line) for line in run.out.splitlines()]
    for answer, shape in zip(
        answers, (contract.SUMMARY, contract.PEOPLE, contract.COMPARE, contract.MAP), strict=False
    ):
        contract.check(answer["result"], shape)
    assert answers[4]["error"]["code"] == "usage"


def test_a_document_that_is_not_there_is_an_error(shell: Shell) -> None:
    assert shell.json("summary", "nowhere", code=1)["error"]["code"] == "not_found"
    assert shell("compare").code == 2
