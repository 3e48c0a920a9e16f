"""`note` and `open` as scripts and people use them."""

import json
from typing import Any

import pytest

from tests.cli.contract import ERROR, LOCATOR, REFERENCE, TEXT, WHOLE, check
from tests.cli.runner import Shell

NOTE = {
    "id": str,
    "document": {"id": str, "title": str},
    "kind": {"note", "highlight"},
    "quote": str,
    "body": str,
    "color": {"yellow", "green", "blue", "red", "purple"},
    "tags": [str],
    "locator": (LOCATOR, None),
    "state": {"exact", "moved", "lost"},
    "score": (int, float),
    "links": [
        {
            "id": str,
            "relation": {"related", "supports", "contradicts"},
            "direction": {"out", "in"},
            "document?": {"id": str, "title": str},
            "quote?": str,
        }
    ],
    "origin": str,
    "author?": TEXT,
    "created": str,
    "updated": str,
    "occurrence?": WHOLE,
    "occurrences?": WHOLE,
    "repairs?": [str],
    "removed?": str,
    "notice?": str,
}
NOTES = {"notes": [NOTE], "total": int, "notice?": str}
END = {"id": str, "document": {"id": str, "title": str}, "quote": str}
LINKS = {
    "links": [
        {"source": END, "target": END, "relation": {"related", "supports", "contradicts"}, "created": str},
    ],
    "notice?": str,
}
PASSAGE = {
    "document": REFERENCE,
    "locator": LOCATOR,
    "text": str,
    "before": str,
    "after": str,
    "note?": NOTE,
    "notice?": str,
}


def noted(own: Shell, doc: str, quote: str, *options: object) -> dict[str, Any]:
    made: dict[str, Any] = own.json("note", "add", doc, "--quote", quote, *options)
    check(made, NOTE)
    return made


def test_a_note_is_added_listed_shown_edited_and_removed(own: Shell) -> None:
    made = noted(own, "Bees", "4,812 flights", "--body", "-- so *many*", "--tag", "numbers", "--tag", "bees")
    assert made["tags"] == ["bees", "numbers"]
    listed = own.json("note", "list", "--doc", "Bees")
    check(listed, NOTES)
    assert ([n["id"] for n in listed["notes"]], listed["total"]) == ([made["id"]], 1)
    shown = own.json("note", "show", made["id"])
    check(shown, NOTE)
    assert shown["locator"] == made["locator"]
    edited = own.json("note", "edit", made["id"], "--color", "purple", "--tag", "one")
    assert (edited["color"], edited["tags"], edited["body"]) == ("purple", ["one"], "-- so *many*")
    assert own.json("note", "edit", made["id"], "--no-tags")["tags"] == []
    gone = own.json("note", "remove", made["id"])
    check(gone, NOTE)
    assert gone["removed"] == made["id"]
    assert own.json("note", "list") == {"notes": [], "total": 0}


def test_a_span_and_an_occurrence_say_where(own: Shell) -> None:
    text = own.json("text", "Bees")["text"]
    start = text.index("the")
    made = own.json("note", "add", "Bees", "--span", f"{start}:{start + 3}")
    assert (made["quote"], made["kind"], made["color"]) == ("the", "highlight", "yellow")
    second = noted(own, "The Keeper", "the keeper", "--occurrence", 2)
    assert second["occurrences"] > 1


@pytest.mark.parametrize("filters", [("--tag", "t"), ("--query", "hive"), ("--state", "exact"), ("--color", "red")])
def test_list_narrows_by_each_filter(own: Shell, filters: tuple[str, str]) -> None:
    wanted = noted(own, "Bees", "Honeybees stay in the hive", "--tag", "t", "--color", "red")
    other = noted(own, "The Keeper", "brass lantern") if filters[0] != "--state" else None
    found = own.json("note", "list", *filters)
    check(found, NOTES)
    assert [n["id"] for n in found["notes"]] == [wanted["id"]]
    assert other is None or other["id"] != wanted["id"]


def test_links_show_at_both_ends_and_in_a_table(own: Shell) -> None:
    one, two = noted(own, "Bees", "4,812 flights"), noted(own, "monkey", "花果山")
    linked = own.json("note", "link", one["id"], two["id"], "--relation", "supports")
    check(linked, NOTE)
    assert [(x["id"], x["relation"], x["direction"]) for x in linked["links"]] == [(two["id"], "supports", "out")]
    back = own.json("note", "show", two["id"])["links"]
    assert [(x["id"], x["direction"], x["quote"]) for x in back] == [(one["id"], "in", "4,812 flights")]
    table = own.json("note", "links")
    check(table, LINKS)
    assert len(table["links"]) == 1
    assert own.json("note", "unlink", two["id"], one["id"])["links"] == []


@pytest.mark.parametrize(
    "words",
    [
        ("add", "Bees", "--quote", "words that stand nowhere in it"),
        ("add", "Bees", "--span", "0:99999"),
        ("add", "Nothing", "--quote", "x"),
        ("add", "Bees", "--quote", "4,812", "--occurrence", "3"),
        ("show", "n-0000000000"),
        ("link", "n-0000000000", "n-1111111111"),
        ("list", "--doc", "Nothing"),
    ],
)
def test_what_cannot_be_met_ends_with_1_and_a_hint(own: Shell, words: tuple[str, ...]) -> None:
    error = own.json("note", *words, code=1)
    check(error, ERROR)
    assert error["error"]["hint"]
    assert own.json("note", "list")["total"] == 0


@pytest.mark.parametrize(
    "words",
    [
        ("add", "Bees"),
        ("add", "Bees", "--quote", "hive", "--span", "1:2"),
        ("add", "Bees", "--span", "five"),
        ("add", "Bees", "--span", "9:2"),
        ("add", "Bees", "--quote", "hive", "--color", "pink"),
        ("list", "--state", "gone"),
        ("edit", "n-0", "--tag", "a", "--no-tags"),
        ("frobnicate",),
    ],
)
def test_a_wrong_call_ends_with_2_and_an_empty_stdout(own: Shell, words: tuple[str, ...]) -> None:
    run = own("note", *words, "--json")
    assert (run.code, run.out) == (2, "")
    assert "hint:" in run.err


def test_words_that_are_not_there_name_the_nearest_passages(own: Shell) -> None:
    run = own("note", "add", "Bees", "--quote", "Honeybees stay at the hive when the pressure falls")
    assert run.code == 1
    assert "hint: nearest: “" in run.err
    assert "Honeybees stay in the hive when" in run.err


def test_notes_keep_to_the_wall_of_their_document(own: Shell) -> None:
    secret = noted(own, "The Keeper", "forged the letter")
    own.json("progress", "The Keeper", "--section", 3)
    listed = own.json("note", "list")
    check(listed, NOTES)
    assert (listed["notes"], listed["total"]) == ([], 0)
    assert "read up to" in listed["notice"]
    assert own.json("note", "list", "--uncapped")["notes"][0]["id"] == secret["id"]
    assert own.json("note", "list", "--doc", "The Keeper", "--up-to", 99_999)["total"] == 1
    assert own("note", "list", "--up-to", 5).code == 2
    check(own.json("note", "show", secret["id"], code=1), ERROR)


def test_open_prints_the_passage_with_its_context(own: Shell) -> None:
    made = noted(own, "The Keeper", "brass lantern")
    opened = own.json("open", made["id"])
    check(opened, PASSAGE)
    assert opened["text"] == "brass lantern"
    assert opened["note"]["id"] == made["id"]
    for target in (json.dumps(made["locator"]), f"{made['document']['id']}:{made['locator']['start']}"):
        other = own.json("open", target, "--context", 0)
        check(other, PASSAGE)
        assert other["before"].startswith("Mara rowed") or other["text"].startswith("Mara rowed")
    check(own.json("open", "Bees"), PASSAGE)
    check(own.json("open", "n-0000000000", code=1), ERROR)
    assert own("open").code == 2


def test_batch_answers_for_notes_and_passages(own: Shell) -> None:
    made = noted(own, "Bees", "4,812 flights", "--tag", "x")
    lines = [
        {"id": 1, "op": "note list", "doc": "Bees", "tag": ["x"]},
        {"id": 2, "op": "note show", "note": made["id"]},
        {"id": 3, "op": "open", "target": made["locator"]},
        {"id": 4, "op": "note links"},
        {"id": 5, "op": "note list", "colour": "red"},
    ]
    run = own("batch", "-", stdin="\n".join(map(json.dumps, lines)))
    answers = [json.loads(line) for line in run.out.splitlines()]
    check(answers[0]["result"], NOTES)
    check(answers[1]["result"], NOTE)
    check(answers[2]["result"], PASSAGE)
    check(answers[3]["result"], LINKS)
    assert [a["id"] for a in answers] == [1, 2, 3, 4, 5]
    assert "colour" in answers[4]["error"]["message"]


def test_remove_says_what_becomes_of_the_notes(own: Shell) -> None:
    noted(own, "Bees", "4,812 flights")
    noted(own, "The Keeper", "brass lantern")
    assert own.json("remove", "Bees")["notes"] == "kept"
    assert [n["state"] for n in own.json("note", "list", "--doc", "Bees and the Weather")["notes"]] == ["lost"]
    assert own.json("remove", "The Keeper", "--notes", "delete")["notes"] == "deleted"
    assert own.json("note", "list")["total"] == 1


def test_a_person_sees_the_first_notes_and_how_many_there_are(own: Shell) -> None:
    for start in range(60):
        own("note", "add", "The Keeper", "--span", f"{start * 3}:{start * 3 + 9}")
    shown = own("note", "list")
    assert "50 of 60 notes" in shown.out
    assert own("note", "list", "--limit", 2, terminal=True).out.count("“") == 2
    assert len(own.json("note", "list")["notes"]) == 60


def test_a_person_sees_words_places_and_both_directions(own: Shell) -> None:
    one, two = noted(own, "Bees", "4,812 flights", "--body", "So many"), noted(own, "monkey", "花果山")
    own("note", "link", one["id"], two["id"], "--relation", "contradicts")
    assert "contradicts" in own("note", "show", one["id"]).out
    shown = own("note", "show", two["id"]).out
    assert "contradicted by" in shown
    assert "“4,812 flights”" in shown
    assert "occurrence 1 of" in own("note", "add", "Bees", "--quote", "the").out
    assert "So many" in own("note", "list", "--query", "many").out
    assert "花果山上有一块仙石" in own("open", two["id"]).out
    assert "contradicts" in own("note", "links").out
