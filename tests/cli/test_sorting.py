"""Collections, tags and figures on the command line: the shapes of the contract, and what a person is shown."""

import json
from pathlib import Path

from tests.cli import contract
from tests.cli.books import BOOKS, write_books
from tests.cli.runner import Shell

KEEPER, BEES = "The Keeper of the Lantern", "Bees and the Weather"


def statuses(shell: Shell, *words: str) -> dict[str, str]:
    return {d["title"]: d["status"] for d in shell.json("list", *words)["documents"]}


def test_a_folder_is_a_collection_that_can_be_scanned_again(empty: Shell, tmp_path: Path) -> None:
    folder = write_books(tmp_path / "books")
    made = empty.json("collection", "create", "Notes", "--folder", folder, "--glob", "*.md", "--embedder", "none")
    contract.check(made, contract.SCAN)
    assert made["collections"] == [
        {"name": "Notes", "description": None, "documents": 2, "folder": str(folder), "glob": "*.md"}
    ]
    assert statuses(empty, "--collection", "Notes") == {KEEPER: "ready", BEES: "ready"}
    bees = folder / "bees.md"
    bees.unlink()
    (folder / "gulls.md").write_text("# Gulls\n\nA gull on a chimney sees the whole town.\n", "utf-8")
    (folder / "keeper.md").write_text(BOOKS["keeper.md"] + "\nAnd so it ended.\n", "utf-8")
    found = empty.json("collection", "scan", "Notes", "--embedder", "none")
    contract.check(found, contract.SCAN)
    assert {d["title"]: d["status"] for d in found["documents"]} == {"Gulls": "added", KEEPER: "updated"}
    assert [d["title"] for d in found["missing"]] == [BEES]
    assert statuses(empty, "--collection", "Notes") == {KEEPER: "ready", BEES: "missing", "Gulls": "ready"}
    assert empty.json("search", "honeybees", "--collection", "Notes")["hits"], "what is missing can be searched"
    assert "Missing: the file is gone" in empty("list").out
    again = empty.json("collection", "scan", "Notes", "--embedder", "none")
    assert (again["missing"], again["back"]) == ([], [])
    bees.write_text(BOOKS["bees.md"], "utf-8")
    shown = empty("collection", "scan", "Notes", "--embedder", "none")
    assert "back        Bees" in shown.out
    assert set(statuses(empty).values()) == {"ready"}


def test_a_folder_that_is_gone_changes_nothing(empty: Shell, tmp_path: Path) -> None:
    folder = write_books(tmp_path / "books")
    empty.json("collection", "create", "All", "--folder", folder, "--embedder", "none")
    folder.rename(tmp_path / "elsewhere")
    error = empty.json("collection", "scan", "All", code=1)["error"]
    assert str(folder) in error["message"]
    assert set(statuses(empty).values()) == {"ready"}
    empty.json("collection", "create", "Plain")
    assert empty("collection", "scan", "Plain").code == 2
    assert empty.json("collection", "create", "X", "--folder", folder, code=1)["error"]["code"] == "not_found"
    assert empty.json("collection", "scan", "Y", code=1)["error"]["code"] == "not_found"
    moved = empty.json("collection", "create", "All", "--folder", tmp_path / "elsewhere", "--embedder", "none")
    assert [d["status"] for d in moved["documents"]] == ["unchanged"] * 4
    assert moved["missing"] == []


def test_tags_are_given_listed_filtered_by_and_taken(own: Shell) -> None:
    for line, count in ((["add", "to  read", KEEPER, BEES], 2), (["remove", "to read", BEES], 1)):
        found = own.json("tag", *line)
        contract.check(found, contract.TAGS)
        assert found == {"tags": [{"name": "to read", "documents": count}]}
    own.json("tag", "add", "动物", BEES)
    assert own.json("tag", "list") == {
        "tags": [{"name": "to read", "documents": 1}, {"name": "动物", "documents": 1}],
    }
    entries = own.json("list", "--tag", "动物")["documents"]
    assert [(d["title"], d["tags"]) for d in entries] == [(BEES, ["动物"])]
    assert own.json("show", KEEPER)["tags"] == ["to read"]
    assert "动物" in own("show", BEES).out
    assert {h["document"]["title"] for h in own.json("search", "the", "--tag", "动物")["hits"]} <= {BEES}
    assert own.json("search", "lantern", "--tag", "动物", "--tag", "to read")["hits"]
    assert own.json("ask", "Who forged the letter?", "--tag", "动物")["abstained"]
    own.json("tag", "remove", "动物")
    assert own.json("tag", "list")["tags"] == [{"name": "to read", "documents": 1}]
    assert own.json("tag", "remove", "动物", code=1)["error"]["code"] == "not_found"
    assert own.json("list", "--tag", "动物") == {"documents": []}
    assert own.json("tag", "add", "x", "no such document", code=1)["error"]["code"] == "not_found"
    assert own("tag", "add", "  ", KEEPER).code == 2
    assert "to read" in own("tag", "list").out
    own.json("remove", KEEPER)
    assert own.json("tag", "list") == {"tags": []}


def test_a_tag_of_a_note_outlives_that_of_its_document(own: Shell) -> None:
    note = own.json("note", "add", KEEPER, "--quote", "the lantern is cold", "--tag", "light")
    own.json("tag", "add", "light", KEEPER)
    own.json("tag", "remove", "light")
    assert own.json("note", "show", note["id"])["tags"] == ["light"]
    assert own.json("tag", "list") == {"tags": []}


def test_stats_count_and_tell(own: Shell) -> None:
    own.json("progress", KEEPER, "--finished")
    own.json("progress", BEES, "--at", "50")
    own.json("note", "add", KEEPER, "--quote", "the lantern is cold")
    found = own.json("stats")
    contract.check(found, contract.STATS)
    assert (found["documents"], found["notes"]) == (4, 1)
    assert (found["reading"]["finished"], found["reading"]["in_progress"], found["reading"]["streak"]) == (1, 1, 1)
    of_one = own.json("stats", "--doc", BEES)
    contract.check(of_one, contract.STATS)
    assert [s["read_to"] for s in of_one["history"]] == [50]
    told = own("stats").out
    for words in ("4 documents", "1 finished, 1 begun, 2 not begun", "streak       1 day", "▇"):
        assert words in told
    assert "read at 50, read to 50" in own("stats", "--doc", BEES).out
    own.json("collection", "create", "Empty")
    assert own.json("stats", "--collection", "Empty")["documents"] == 0


def test_a_share_is_rounded_down(own: Shell) -> None:
    length = own.json("progress", BEES, "--finished")["position"]
    shown = own.json("progress", BEES, "--at", str(length - 1))
    assert shown["fraction"] == (length - 1) / length
    assert "99%" in own("progress", BEES).out
    assert "99%" in own("list").out


def test_batch_answers_for_shelves_figures_and_health(own: Shell) -> None:
    own.json("tag", "add", "wings", BEES)
    session = {"op": "session show", "session": "none"}
    requests = [
        {"op": "collection list"},
        {"op": "tag list"},
        {"op": "stats", "doc": BEES},
        {"op": "session list"},
        {"op": "list", "tag": "wings"},
        {"op": "search", "query": "lantern", "tag": "wings"},
        {"op": "doctor"},
        {"op": "read", "doc": BEES, "context": 3},
        session,
    ]
    run = own("batch", "-", stdin="\n".join(map(json.dumps, requests)))
    answers = [json.loads(line) for line in run.out.splitlines()]
    shapes = (contract.COLLECTIONS, contract.TAGS, contract.STATS, contract.SESSIONS, contract.LIST, contract.SEARCH)
    for answer, shape in zip(answers, (*shapes, contract.DOCTOR), strict=False):
        contract.check(answer, {"id": None, "result": shape})
    assert answers[5]["result"]["hits"] == []
    assert [a["error"]["code"] for a in answers[7:]] == ["usage", "not_found"]


def test_a_name_stands_on_one_line_and_a_description_can_be_changed(own: Shell) -> None:
    made = own.json("collection", "create", " sea\n birds ", "--description", "wings")["collections"]
    assert [(c["name"], c["description"]) for c in made] == [("sea birds", "wings")]
    own.json("collection", "add", "sea  birds", BEES)
    again = own.json("collection", "create", "sea birds", "--description", "feathers")["collections"]
    assert [(c["description"], c["documents"]) for c in again] == [("feathers", 1)]
    assert own.json("collection", "create", "sea birds")["collections"][0]["description"] == "feathers"
    assert own.json("edit", BEES, "--title", "All\n of them")["title"] == "All of them"
