import json
import threading
from pathlib import Path

import pytest
from lxml import etree

from glossator.library.batch import OPERATIONS
from tests.server.serving import Served


@pytest.mark.parametrize(
    ("operation", "options"),
    [
        ("list", {}),
        ("show", {"doc": "The Island"}),
        ("text", {"doc": "The Island", "up_to": 40}),
        ("read", {"doc": "The Island", "section": 1}),
        ("locate", {"quote": "the"}),
        ("people", {"doc": "The Island"}),
        ("stats", {}),
        ("note list", {}),
        ("collection list", {}),
        ("session list", {}),
        ("models", {}),
    ],
)
def test_a_route_answers_what_the_command_line_answers(web: Served, operation: str, options: dict[str, object]) -> None:
    path = "/api/" + operation.replace(" ", "/")
    (line,) = web.library.batch([json.dumps({"op": operation, **options})])
    wanted = line.to_json()["result"]
    for found in (web.get(path, **options).json, web.post(path, options).json):
        found.pop("configured", None)  # which model is set for what: of the settings, which a batch does not read
        if operation == "models":
            wanted = {**wanted, "models": found["models"]}
        assert found == wanted


def test_a_search_takes_the_options_of_the_command(web: Served) -> None:
    found = web.get("/api/search", query="island", k=1, doc="The Island").json
    assert [h["rank"] for h in found["hits"]] == [1]
    assert web.post("/api/search", {"query": "石猴", "doc": ["石猴记"]}).json["hits"]


def test_every_reading_command_has_its_routes_with_examples(web: Served) -> None:
    schema = web.get("/api/openapi.json").json
    for operation in OPERATIONS:
        path = "/api/" + operation.replace(" ", "/")
        assert {"get", "post"} <= set(schema["paths"][path]), operation
    assert schema["security"]
    for path, methods in schema["paths"].items():
        for method, route in methods.items():
            good = [v for k, v in route["responses"].items() if k.startswith("2")]
            assert good, (path, method)
            assert any(p.get("content") for p in good), (path, method)
            assert "application/problem+json" in route["responses"]["401"]["content"], (path, method)


def test_what_is_not_there_is_a_problem_with_a_hint(web: Served) -> None:
    missing = web.get("/api/show", doc="The Islnd")
    assert missing.status == 404
    assert "The Island" in missing.problem["hint"]


def test_a_section_is_well_formed_and_its_elements_stand_where_they_say(web: Served, island: str) -> None:
    text = web.get("/api/text", doc=island, uncapped=True).json["text"]
    for entry in web.get("/api/show", doc=island, uncapped=True).json["contents"]:
        page = web.get(f"/api/documents/{island}/sections/{entry['number']}", uncapped=True)
        assert page.headers["content-type"] == "application/xhtml+xml"
        root = etree.fromstring(page.body)
        placed = root.xpath("//*[@data-start]")
        assert placed
        for el in placed:
            said = text[int(el.get("data-start")) : int(el.get("data-end"))]
            assert "".join(el.itertext()) == said or el.tag.endswith(("table", "figure"))
    assert web.get(f"/api/documents/{island}/sections/999").problem["code"] == "not_found"


def test_content_that_a_client_has_is_not_sent_again(web: Served, island: str) -> None:
    for path in (f"/api/documents/{island}/sections/1", f"/api/documents/{island}/file"):
        first = web.get(path)
        assert first.status == 200
        again = web.also(if_none_match=first.headers["etag"]).get(path)
        assert (again.status, again.body) == (304, b"")
        assert web.also(if_none_match='"other"').get(path).status == 200


def test_a_file_is_sent_in_the_ranges_that_are_asked_for(web: Served, island: str) -> None:
    whole = web.get(f"/api/documents/{island}/file").body
    part = web.also(range="bytes=10-19").get(f"/api/documents/{island}/file")
    assert (part.status, part.body) == (206, whole[10:20])
    assert part.headers["content-range"] == f"bytes 10-19/{len(whole)}"
    assert web.also(range="bytes=-5").get(f"/api/documents/{island}/file").body == whole[-5:]
    assert web.also(range=f"bytes={len(whole)}-").get(f"/api/documents/{island}/file").status == 416


def test_what_is_not_read_yet_is_hidden_behind_every_route(web: Served, island: str) -> None:
    shown = web.get("/api/show", doc=island, uncapped=True).json["contents"]
    last, second = shown[-1], shown[1]
    assert web.post("/api/progress", {"doc": island, "section": 2, "spoilers": "hide"}).status == 200
    hidden = web.get("/api/text", doc=island, uncapped=True).json["text"][last["start"] : last["end"]]
    for path in (f"/api/documents/{island}/sections/{last['number']}", f"/api/documents/{island}/file"):
        refused = web.get(path)
        assert refused.status in (404, 422), path
        assert hidden.encode() not in refused.body
        assert web.get(path, uncapped=True).status == 200
    part = web.get(f"/api/documents/{island}/sections/1", up_to=second["start"])
    assert part.status == 200
    assert web.get(f"/api/documents/{island}").json["contents"][-1]["title"] is None


def test_progress_is_set_and_a_view_moves_the_position_only(web: Served, island: str) -> None:
    web.post("/api/progress", {"doc": island, "section": 2})
    at = web.get("/api/progress", doc=island).json
    assert at["position"] == at["read_to"] > 0
    looked = web.post("/api/progress", {"doc": island, "view": 0}).json
    assert (looked["position"], looked["read_to"]) == (0, at["read_to"])
    assert web.post("/api/progress", {"doc": island, "at": 10**12}).status == 404
    assert web.get("/api/progress", doc=island).json == looked


def test_notes_are_made_found_changed_linked_and_removed(web: Served, island: str) -> None:
    text = web.get("/api/text", doc=island).json["text"]
    one = web.post("/api/notes", {"doc": island, "span": [0, 10], "body": "first", "tags": ["a"]})
    assert one.status == 201
    assert one.json["quote"] == text[:10]
    two = web.post("/api/notes", {"doc": island, "span": [11, 20]}).json
    identifier = one.json["id"]
    assert web.get("/api/notes", doc=island).json["total"] == 2
    assert len(web.get("/api/notes", doc=island, limit=1, offset=1).json["notes"]) == 1
    assert web.ask("PATCH", f"/api/notes/{identifier}", {"body": "changed"}).json["body"] == "changed"
    linked = web.post(f"/api/notes/{identifier}/links", {"note": two["id"], "relation": "supports"}).json
    assert [link["id"] for link in linked["links"]] == [two["id"]]
    assert web.ask("DELETE", f"/api/notes/{identifier}/links/{two['id']}").json["links"] == []
    assert web.ask("DELETE", f"/api/notes/{identifier}").json["removed"] == identifier
    assert web.get(f"/api/notes/{identifier}").problem["code"] == "not_found"
    assert web.post("/api/notes", {"doc": island, "quote": "words that are not there"}).problem["hint"]


def test_collections_and_tags_hold_documents(web: Served, island: str, stone: str) -> None:
    made = web.post("/api/collections", {"name": "Stories", "docs": [island, stone]}).json
    assert made["collections"][0]["documents"] == 2
    assert web.get("/api/documents", collection="Stories", limit=1).json["total"] == 2
    assert web.ask("DELETE", f"/api/collections/Stories/documents/{stone}").json["collections"][0]["documents"] == 1
    web.post("/api/tags/sea/documents", {"docs": [island]})
    assert web.get("/api/list", tag="sea").json["documents"][0]["id"] == island
    web.ask("DELETE", "/api/collections/Stories")
    assert web.get("/api/collections").json == {"collections": []}


def test_an_upload_becomes_a_document_under_its_own_name(web: Served) -> None:
    sent = web.also(content_type="application/octet-stream").ask(
        "POST", "/api/documents", b"A zeppelin hung by the door, and nobody had lit it.", name="The Lantern.txt"
    )
    assert sent.status == 201
    (document,) = sent.json["documents"]
    assert document["title"] == "The Lantern"
    assert web.get("/api/search", query="zeppelin").json["hits"][0]["document"]["id"] == document["id"]
    assert web.ask("DELETE", f"/api/documents/{document['id']}").json == {"removed": document["id"], "notes": "kept"}
    assert web.get("/api/search", query="zeppelin").json["hits"] == []


def test_an_upload_as_a_form_works_too_and_an_empty_one_is_refused(web: Served) -> None:
    mark = "xxBOUNDARYxx"
    form = (
        f'--{mark}\r\ncontent-disposition: form-data; name="file"; filename="../../evil.md"\r\n\r\n'
        f"# Kites\n\nKites need wind.\r\n--{mark}--\r\n"
    ).encode()
    sent = web.also(content_type=f"multipart/form-data; boundary={mark}").ask("POST", "/api/documents", form)
    assert sent.status == 201
    source = Path(sent.json["documents"][0]["source"])
    assert source.parent == web.library.database.folder / "originals"
    assert web.also(content_type="application/octet-stream").ask("POST", "/api/documents", b"").status == 422


def test_an_upload_that_is_no_document_leaves_nothing_behind(web: Served) -> None:
    folder = web.library.database.folder
    before = sorted(p.name for p in folder.rglob("*") if not p.name.startswith("library.db"))
    refused = web.also(content_type="application/octet-stream").ask(
        "POST", "/api/documents", bytes(range(256)) * 40, name="noise.epub"
    )
    assert refused.status in (415, 422)
    assert refused.problem["hint"]
    after = sorted(p.name for p in folder.rglob("*") if not p.name.startswith("library.db") and p.name != "originals")
    assert after == [n for n in before if n != "originals"]


def test_a_setting_is_told_with_its_source_and_changed(web: Served) -> None:
    assert web.ask("PUT", "/api/settings", {"key": "search.k", "value": "7"}).json["value"] == 7
    told = {s["key"]: s for s in web.get("/api/settings").json["settings"]}
    assert told["search.k"]["source"] == "user"
    assert told["search.k"]["writable"]
    assert not told["tools.files"]["writable"]
    assert web.ask("PUT", "/api/settings", {"key": "search.k", "value": "many"}).status == 422


def test_searches_beside_each_other_all_get_their_own_answer(web: Served) -> None:
    words = ["island", "sea", "石", "the"] * 4
    alone = {w: [h["text"] for h in web.get("/api/search", query=w).json["hits"]] for w in set(words)}
    found: list[tuple[str, list[str]]] = []

    def ask(word: str) -> None:
        found.append((word, [h["text"] for h in web.get("/api/search", query=word).json["hits"]]))

    threads = [threading.Thread(target=ask, args=(w,)) for w in words]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == len(words)
    assert all(alone[word] == texts for word, texts in found)
