"""`export` and `import` through the real door: shapes, exit codes, files."""

import json
from pathlib import Path

import pytest

from tests.cli.runner import Shell

KEEPER = "The Keeper of the Lantern"
CLIPPINGS = """\
The Keeper of the Lantern
- Your Highlight on Location 3-4 | Added on Sunday, May 5, 2019 3:04:05 PM

For forty nights they kept the light together.
==========
A Book of Nobody (Nobody)
- Your Highlight on Location 3-4 | Added on Sunday, May 5, 2019 3:04:05 PM

nowhere
==========
"""


@pytest.fixture
def noted(own: Shell) -> Shell:
    own.json("note", "add", KEEPER, "--quote", "a brass lantern", "--body", "bright", "--tag", "light")
    own.json("note", "add", "monkey", "--quote", "花果山上有一块仙石")
    return own


def test_export_tells_path_and_number(noted: Shell, tmp_path: Path) -> None:
    for name in ("n.json", "n.md", "n.csv", "n.bib", "n.jsonld"):
        found = noted.json("export", "--output", tmp_path / name)
        assert (found["path"], found["notes"]) == (str(tmp_path / name), 2)
        assert "content" not in found
    assert json.loads((tmp_path / "n.json").read_text("utf-8"))["format"] == "glossator notes"
    assert json.loads((tmp_path / "n.jsonld").read_text("utf-8"))["type"] == "AnnotationPage"
    assert noted.json("export", "--format", "obsidian", "--output", tmp_path / "vault")["notes"] == 2


def test_without_a_path_the_export_itself_is_the_answer(noted: Shell) -> None:
    found = noted.json("export", "--format", "w3c")
    assert (found["path"], found["notes"]) == (None, 2)
    assert noted("export", "--format", "w3c").out == found["content"]
    assert "> a brass lantern" in noted("export", "--doc", KEEPER).out
    assert noted.json("export", "--tag", "light")["notes"] == 1
    assert noted.json("export", "--doc", "monkey")["notes"] == 1


def test_what_is_hidden_is_said_beside_the_export(noted: Shell) -> None:
    run = noted("export", "--doc", KEEPER, "--up-to", "20")
    assert run.code == 0
    assert "lantern" not in run.out.partition("\n")[2].lower()
    assert "read up to" in run.err


def test_an_export_over_a_file_needs_force(noted: Shell, tmp_path: Path) -> None:
    (tmp_path / "n.md").write_text("mine")
    found = noted.json("export", "--output", tmp_path / "n.md", code=1)
    assert found["error"]["code"] == "store"
    assert "--force" in found["error"]["hint"]
    assert (tmp_path / "n.md").read_text() == "mine"
    assert noted.json("export", "--output", tmp_path / "n.md", "--force")["notes"] == 2


def test_export_verifies(noted: Shell, tmp_path: Path) -> None:
    noted("export", "--output", tmp_path / "n.md")
    checked = noted.json("verify", tmp_path / "n.md")
    assert [q["status"] for q in checked["quotations"]] == ["verified", "verified"]


def test_import_tells_what_it_changed(noted: Shell, empty: Shell, tmp_path: Path) -> None:
    noted("export", "--output", tmp_path / "n.json")
    found = empty.json("import", tmp_path / "n.json")
    assert {k: found["notes"][k] for k in ("added", "unchanged", "failed")} == {"added": 2, "unchanged": 0, "failed": 0}
    assert all(set(p) == {"line", "message"} for p in found["problems"])
    found = empty.json("import", tmp_path / "n.json")
    assert {k: found["notes"][k] for k in ("added", "unchanged", "failed")} == {"added": 0, "unchanged": 2, "failed": 0}
    assert empty.json("export", "--format", "json")["content"] == (tmp_path / "n.json").read_text("utf-8")


def test_clippings_are_imported_and_what_did_not_fit_is_listed(own: Shell, tmp_path: Path) -> None:
    (tmp_path / "My Clippings.txt").write_text("\ufeff" + CLIPPINGS, "utf-8")
    found = own.json("import", tmp_path / "My Clippings.txt")
    assert (found["notes"]["added"], found["notes"]["failed"]) == (1, 1)
    assert found["problems"][0]["line"] == 6
    shown = own("import", tmp_path / "My Clippings.txt").out
    assert "1 unchanged" in shown
    assert "line 6: " in shown


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("My Clippings.txt", CLIPPINGS.replace("nowhere", "石猴").encode("gb18030")),
        ("n.json", b'{"format": "glossator notes", "version": 1, "notes": [{"id"'),
        ("n.json", b'{"some": "thing"}'),
        ("r.bib", b"@book{a, title={The Keeper of the Lantern}"),
    ],
)
def test_a_file_that_cannot_be_imported_ends_with_1_and_names_it(
    own: Shell, tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    before = own.json("list")
    found = own.json("import", tmp_path / name, code=1)
    assert str(tmp_path / name) in found["error"]["message"]
    assert found["error"]["hint"]
    assert own.json("note", "list")["notes"] == []
    assert own.json("list") == before


def test_wrong_usage(noted: Shell, tmp_path: Path) -> None:
    assert noted("export", "--format", "obsidian").code == 2
    assert noted("export", "--links").code == 2
    assert noted("export", "--format", "epub").code == 2
    assert noted("export", "--output", tmp_path).code == 2
    assert noted("export", "--up-to", "5").code == 2
    assert noted("import").code == 2
    assert noted("import", tmp_path / "none.json").code == 1


def test_the_table_of_links(noted: Shell) -> None:
    ids = [n["id"] for n in noted.json("note", "list")["notes"]]
    noted.json("note", "link", *ids, "--relation", "supports")
    content = noted.json("export", "--format", "csv", "--links")["content"]
    header, row = content.splitlines()
    assert header.startswith("source,")
    assert f"{ids[0]}," in row
    assert "supports" in row


def test_a_batch_exports_like_the_command(noted: Shell) -> None:
    line = json.dumps({"op": "export", "format": "json", "tag": "light"})
    (answer,) = (json.loads(x) for x in noted("batch", "-", stdin=line).out.splitlines())
    assert answer["result"] == noted.json("export", "--format", "json", "--tag", "light")
    (answer,) = (json.loads(x) for x in noted("batch", "-", stdin='{"op": "export", "format": "pdf"}').out.splitlines())
    assert "there is no format 'pdf'" in answer["error"]["message"]
