"""Each command through the real door on a real library: the JSON of the contract, and nothing else on stdout."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import contract
from tests.cli.books import BOOKS, PAGE, write_books
from tests.cli.runner import Shell

KEEPER = "The Keeper of the Lantern"


def texts(found: dict[str, Any]) -> list[str]:
    return [hit["text"] for hit in found["hits"]]


def test_add_tells_what_became_of_each_file(own: Shell, tmp_path: Path) -> None:
    books = write_books(tmp_path / "again")
    (books / "new.md").write_text("# Nothing\n\nA gull on a chimney.\n")
    found = own.json("add", books, "--embedder", "none")
    contract.check(found, contract.ADDED)
    status = {Path(d["source"]).name: d["status"] for d in found["documents"]}
    assert status == {**dict.fromkeys(BOOKS, "unchanged"), "new.md": "added"}


def test_a_changed_file_is_updated_and_keeps_its_id(own: Shell, tmp_path: Path) -> None:
    path = tmp_path / "n.md"
    path.write_text("# Gulls\n\n" + "A gull on a chimney sees the sea. " * 20)
    before = own.json("add", path, "--embedder", "none")["documents"][0]
    path.write_text("# Gulls\n\n" + "A gull on a chimney sees the sea. " * 20 + "\n\nIt flew away.\n")
    after = own.json("add", path, "--embedder", "none")["documents"][0]
    assert (after["status"], after["id"]) == ("updated", before["id"])
    assert "flew away" in own.json("text", before["id"])["text"]


def test_list(shell: Shell) -> None:
    found = shell.json("list")
    contract.check(found, contract.LIST)
    assert {d["title"] for d in found["documents"]} >= {KEEPER, "How to Tie a Bowline"}
    assert len(found["documents"]) == len(BOOKS)


def test_show(shell: Shell) -> None:
    found = shell.json("show", KEEPER)
    contract.check(found, contract.SHOW)
    assert [e["number"] for e in found["contents"]] == list(range(1, len(found["contents"]) + 1))
    assert "Chapter 2: The Long Watch" in [e["title"] for e in found["contents"]]
    assert found["coverage"]["indexed_characters"] == found["coverage"]["characters"]


def test_a_document_is_named_by_id_prefix_path_and_title(shell: Shell) -> None:
    entry = next(d for d in shell.json("list")["documents"] if d["title"] == KEEPER)
    for name in (entry["id"], entry["id"][:4], entry["source"], KEEPER, "The Keep"):
        assert shell.json("show", name)["id"] == entry["id"], name


def test_an_ambiguous_name_ends_with_1_and_names_the_candidates(own: Shell, tmp_path: Path) -> None:
    (tmp_path / "k.md").write_text("# The Keeper of Bees\n\nHoney in March.\n")
    own.json("add", tmp_path / "k.md", "--embedder", "none")
    found = own.json("show", "The Keeper of", code=1)
    contract.check(found, contract.ERROR)
    assert found["error"]["code"] == "ambiguous"
    assert "The Keeper of Bees" in found["error"]["hint"]
    assert KEEPER in found["error"]["hint"]


def test_text_and_read_agree_on_positions(shell: Shell) -> None:
    whole = shell.json("text", KEEPER)
    contract.check(whole, contract.READING)
    found = shell.json("read", KEEPER)
    contract.check(found, contract.BLOCKS)
    for block in found["blocks"]:
        if block["start"] is not None:
            assert whole["text"][block["start"] : block["end"]] == block["text"]
    assert "\n\n".join(b["text"] for b in found["blocks"] if b["start"] is not None) == whole["text"]


def test_a_table_has_rows(shell: Shell) -> None:
    tables = [b for b in shell.json("read", "Bees and the Weather")["blocks"] if b["kind"] == "table"]
    assert [t["rows"][0] for t in tables] == [["day", "flights", "pressure"]]
    assert tables[0]["text"].split("\n")[1] == "1\t611\t1021"


def test_read_takes_a_section_or_a_position(shell: Shell) -> None:
    contents = shell.json("show", KEEPER)["contents"]
    watch = next(e for e in contents if "Watch" in (e["title"] or ""))
    by_section = shell.json("read", KEEPER, "--section", watch["number"])["blocks"]
    assert by_section[0]["text"] == "Chapter 2: The Long Watch"
    assert "forged" not in json.dumps(by_section)
    around = shell.json("read", KEEPER, "--at", by_section[1]["start"], "--context", "1")["blocks"]
    assert [b["text"] for b in around][1] == by_section[1]["text"]
    assert len(around) == 3


@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
def test_search(shell: Shell, mode: str) -> None:
    found = shell.json("search", "brass lantern", "--mode", mode, "--explain")
    contract.check(found, contract.SEARCH)
    best = found["hits"][0]
    assert best["document"]["title"] == KEEPER
    assert best["locator"]["section"]["path"][-1] == "Chapter 1: Arrival"
    whole = shell.json("text", KEEPER)["text"]
    assert whole[best["locator"]["start"] : best["locator"]["end"]] == best["text"] == best["locator"]["quote"]["exact"]
    assert best["trace"]["arms"]["lexical"]["rank"] == 1
    assert [h["score"] for h in found["hits"]] == sorted((h["score"] for h in found["hits"]), reverse=True)


@pytest.mark.parametrize("query", ["石猴", "瀑布", "猴", "石猴是从哪里来的", "玉皇大帝"])
def test_chinese_is_found_down_to_one_character(shell: Shell, query: str) -> None:
    found = shell.json("search", query)
    assert found["hits"], query
    assert found["hits"][0]["document"]["source"].endswith("monkey.txt")


def test_why_not_says_what_kept_a_document_out(shell: Shell) -> None:
    found = shell.json("search", "lantern", "--why-not", "How to Tie a Bowline")
    contract.check(found, contract.SEARCH)
    assert "fits" in found["why_not"]["reason"]
    assert found["why_not"]["reason"] in shell("search", "lantern", "--why-not", "How to Tie a Bowline").out


def test_search_keeps_to_documents_and_collections(own: Shell) -> None:
    own.json("collection", "add", "Knots", "How to Tie a Bowline")
    for scope in (("--doc", "How to Tie a Bowline"), ("--collection", "Knots")):
        found = own.json("search", "the", "loop", "night", *scope)
        assert {h["document"]["title"] for h in found["hits"]} == {"How to Tie a Bowline"}


def test_a_phrase_and_an_excluded_word(shell: Shell) -> None:
    assert all("trim the wick" in t for t in texts(shell.json("search", '"trim the wick"')))
    assert not any("storm" in t for t in texts(shell.json("search", "lantern", "keeper", "-storm")))


def test_no_hits_are_no_error(shell: Shell) -> None:
    found = shell.json("search", "xylophone", "--mode", "lexical")
    contract.check(found, contract.SEARCH)
    assert found["hits"] == []


@pytest.mark.parametrize(
    "query",
    [
        "don't use agents",
        "C++",
        "--error",
        "NEAR(x)",
        '"unterminated',
        "“",
        "a AND (b",
        "*",
        "猴",
        " ",
        "",
        "-",
        "\\",
        "%_",
    ],
)
def test_any_text_is_a_legal_query(shell: Shell, query: str) -> None:
    contract.check(shell.json("search", query), contract.SEARCH)


def test_ask_answers_in_the_words_of_the_text_with_receipts(shell: Shell) -> None:
    found = shell.json("ask", "Who forged the letter?")
    contract.check(found, contract.ASK)
    assert not found["abstained"]
    cited = found["citations"][0]
    assert "forged the letter himself" in cited["quote"]
    assert cited["quote"] in found["answer"]
    assert cited["locator"]["section"]["path"][-1] == "Chapter 3: The Secret"
    whole = shell.json("text", KEEPER)["text"]
    assert whole[cited["locator"]["start"] : cited["locator"]["end"]] == cited["quote"]


def test_ask_answers_in_chinese(shell: Shell) -> None:
    found = shell.json("ask", "众猴为什么拜石猴为王？")
    contract.check(found, contract.ASK)
    assert "拜他为王" in found["answer"]


def test_ask_abstains_when_nothing_relevant_is_there(shell: Shell) -> None:
    found = shell.json("ask", "What does quantum chromodynamics predict?")
    contract.check(found, contract.ASK)
    assert found["abstained"]
    assert found["citations"] == []


def test_locate(shell: Shell) -> None:
    found = shell.json("locate", "the lantern is cold")
    contract.check(found, contract.LOCATE)
    assert (found["status"], found["occurrences"]) == ("verified", 1)
    found = shell.json("locate", "THE LANTERN  is cold", "--doc", KEEPER)
    assert found["status"] == "repaired"
    assert found["repairs"]
    assert found["locator"]["quote"]["exact"] == "the lantern is cold"
    found = shell.json("locate", "the lantern is not cold")
    contract.check(found, contract.LOCATE)
    assert (found["status"], found["document"]) == ("not_found", None)


def test_verify_holds_every_quotation_against_the_library(shell: Shell, tmp_path: Path) -> None:
    good = tmp_path / "good.md"
    good.write_text("The keeper said “You are late” and meant it.\n", "utf-8")
    found = shell.json("verify", good)
    contract.check(found, contract.VERIFY)
    assert [q["status"] for q in found["quotations"]] == ["verified"]
    bad = tmp_path / "bad.md"
    bad.write_text("He said “You are never late, my friend” to her.\n", "utf-8")
    found = shell.json("verify", bad, code=1)
    contract.check(found, contract.VERIFY)
    assert [q["status"] for q in found["quotations"]] == ["not_found"]


def test_what_ask_printed_is_verified_later(shell: Shell, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(shell("ask", "Who forged the letter?", "--json").out, "utf-8")
    found = shell.json("verify", answer)
    assert found["ok"]
    assert found["quotations"]


def test_verify_of_a_file_that_is_not_there_prints_its_own_shape(shell: Shell) -> None:
    found = shell.json("verify", "/no/such/file.md", code=1)
    contract.check(found, contract.VERIFY)
    assert not found["ok"]
    assert "/no/such/file.md" in found["error"]["message"]


def test_progress_and_the_wall_it_builds(own: Shell) -> None:
    found = own.json("progress", KEEPER)
    contract.check(found, contract.PROGRESS)
    assert (found["position"], found["finished"]) == (0, False)
    secret = next(e for e in own.json("show", KEEPER)["contents"] if "Secret" in e["title"])
    found = own.json("progress", KEEPER, "--section", secret["number"])
    assert found["position"] == found["read_to"] == secret["start"]
    for command in (
        ["search", "letter secret"],
        ["ask", "What did the keeper tell her on the last night?"],
        ["text", KEEPER],
    ):
        assert "forged" not in own(*command, "--json").out, command
        assert "forged" in own(*command, "--uncapped", "--json").out, command
    masked = own.json("show", KEEPER)["contents"][-1]
    assert (masked["number"], masked["title"], masked["start"]) == (secret["number"], None, None)


def test_a_position_out_of_range_changes_nothing(own: Shell) -> None:
    own.json("progress", KEEPER, "--at", "40")
    assert own("progress", KEEPER, "--at", "99999999", "--json").code in (1, 2)
    assert own("progress", KEEPER, "--page", "3", "--json").code in (1, 2)
    assert own.json("progress", KEEPER)["position"] == 40


def test_a_bound_as_a_number_needs_exactly_one_document(shell: Shell) -> None:
    for line in (["search", "x"], ["ask", "x"], ["locate", "x"], ["verify", "x"]):
        run = shell(*line, "--up-to", "10", "--json")
        assert (run.code, run.out) == (2, ""), line
    found = shell.json("search", "letter", "--doc", KEEPER, "--up-to", "150")
    assert all(hit["locator"]["end"] <= 150 for hit in found["hits"])
    assert len(shell.json("text", KEEPER, "--up-to", "50")["text"]) == 50


def test_collections_are_made_filled_emptied_and_removed(own: Shell) -> None:
    for line, expected in (
        (["create", "Sea", "--description", "Salt"], ("Sea", "Salt", 0)),
        (["add", "Sea", KEEPER, "How to Tie a Bowline"], ("Sea", "Salt", 2)),
        (["remove", "Sea", KEEPER], ("Sea", "Salt", 1)),
    ):
        found = own.json("collection", *line)
        contract.check(found, contract.COLLECTIONS)
        assert expected in [(c["name"], c["description"], c["documents"]) for c in found["collections"]], line
    assert [d["title"] for d in own.json("list", "--collection", "Sea")["documents"]] == ["How to Tie a Bowline"]
    own.json("collection", "remove", "Sea")
    assert own.json("collection", "list") == {"collections": []}
    assert len(own.json("list")["documents"]) == len(BOOKS)


def test_edit_changes_what_is_given_and_keeps_the_rest(own: Shell) -> None:
    found = own.json("edit", KEEPER, "--title", "Lantern", "--author", "M. Gull", "--author", "O. Tern")
    assert (found["metadata"]["title"], found["metadata"]["authors"]) == ("Lantern", ["M. Gull", "O. Tern"])
    own.json("edit", "Lantern", "--language", "en-GB")
    entry = next(d for d in own.json("list")["documents"] if d["title"] == "Lantern")
    assert (entry["authors"], entry["language"]) == (["M. Gull", "O. Tern"], "en-GB")
    assert own("edit", "Lantern", "--json").code == 2


def test_remove_takes_the_document_and_leaves_the_file(own: Shell) -> None:
    entry = next(d for d in own.json("list")["documents"] if d["title"] == KEEPER)
    found = own.json("remove", KEEPER)
    contract.check(found, contract.REMOVED)
    assert found["removed"] == entry["id"]
    assert Path(entry["source"]).exists()
    assert not any("lantern" in t for t in texts(own.json("search", "lantern")))
    assert own.json("show", entry["id"], code=1)["error"]["code"] == "not_found"


def test_eval_makes_questions_of_ones_own_documents(shell: Shell) -> None:
    found = shell.json("eval")
    contract.check(found, contract.EVAL)
    for values in found["by"].values():
        for scores in values.values():
            contract.check(scores, contract.SCORES)


def test_batch_answers_each_line_in_order(shell: Shell) -> None:
    requests = [
        {"id": 1, "op": "search", "query": "lantern", "k": 2},
        {"id": "b", "op": "show", "doc": KEEPER},
        {"op": "locate", "quote": "the lantern is cold"},
        {"id": 4, "op": "dance"},
        {"id": 5, "op": "text", "doc": "no such document"},
        {"id": 6, "op": "ask", "question": "Who forged the letter?"},
    ]
    lines = [json.dumps(r, ensure_ascii=False) for r in requests]
    run = shell("batch", "-", "--json", stdin="\n".join([*lines, "{not json", ""]))
    assert run.code == 0
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert [a["id"] for a in answers] == [1, "b", None, 4, 5, 6, None]
    for answer, shape in zip(answers, (contract.SEARCH, contract.SHOW, contract.LOCATE), strict=False):
        contract.check(answer, {"id": object, "result": shape})
    contract.check(answers[5], {"id": int, "result": contract.ASK})
    for answer in (answers[3], answers[4], answers[6]):
        contract.check(answer, {"id": object, **contract.ERROR})


def test_a_batch_answers_without_a_model_and_says_so_when_one_is_named(shell: Shell) -> None:
    line = json.dumps({"id": 1, "op": "ask", "question": "Who forged the letter?", "model": "openai:gpt-x"})
    answer = json.loads(shell("batch", "-", "--json", stdin=line).out)
    contract.check(answer, {"id": int, **contract.ERROR})
    assert "no model 'openai:gpt-x' is used here" in answer["error"]["message"]


def test_a_batch_that_cannot_be_read_ends_with_1(shell: Shell) -> None:
    contract.check(shell.json("batch", "/no/such/file", code=1), contract.ERROR)


def test_models_need_no_library(empty: Shell) -> None:
    found = empty.json("models")
    contract.check(found, contract.MODELS)
    assert {"builtin:minilm", "none"} <= {e["name"] for e in found["embedders"]}
    assert not empty.library.exists()


def test_doctor_finds_a_sound_library_sound(shell: Shell) -> None:
    found = shell.json("doctor")
    contract.check(found, contract.DOCTOR)
    assert found["ok"]
    assert found["checks"]


def test_doctor_prints_its_own_shape_for_a_library_that_cannot_be_opened(own: Shell) -> None:
    (own.library / "library.db").write_bytes(b"this is no database, but it is long enough to look like one" * 100)
    found = own.json("doctor", code=1)
    contract.check(found, contract.DOCTOR)
    assert not found["ok"]
    assert next(c["hint"] for c in found["checks"] if c["status"] == "failed")


def test_settings_are_listed_read_and_set(empty: Shell) -> None:
    found = empty.json("config", "list")
    contract.check(found, contract.SETTINGS)
    contract.check(empty.json("config", "set", "search.k", "4"), contract.SETTING)
    found = empty.json("config", "get", "search.k")
    assert (found["value"], found["source"]) == (4, "user")
    assert empty("config", "get", "search.k").out == "4\n"
    run = empty("config", "get", "serch.k", "--json")
    assert (run.code, run.out) == (2, "")
    assert "search.k" in run.err


def test_a_missing_library_is_an_error_with_a_hint_and_is_not_made(empty: Shell) -> None:
    for line in (["list"], ["search", "x"], ["ask", "x"], ["show", "x"], ["progress", "x"], ["collection", "list"]):
        found = empty.json(*line, code=1)
        contract.check(found, contract.ERROR)
        assert str(empty.library) in found["error"]["message"]
        assert "glossator add" in found["error"]["hint"]
    assert not empty.library.exists()


def test_a_web_page_is_read_without_its_navigation(shell: Shell) -> None:
    text = shell.json("text", "How to Tie a Bowline")["text"]
    assert "All knots" in PAGE
    assert "All knots" not in text
    assert "king of knots" in text


def test_json_is_utf8_and_unescaped_whatever_the_locale(shell: Shell) -> None:
    out = shell("search", "石猴", "--json").out
    assert "石猴" in out
    assert out.count("\n") == 1
