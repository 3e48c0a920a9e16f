"""Markdown that verifies, a vault that keeps what people write, tables and bibliographies that other programs read."""

import csv
import io
from pathlib import Path

import pytest

from glossator.errors import SourceError, StoreError, UsageError
from glossator.library.exchange.bibtex_entries import entries_of
from glossator.library.exchange.bibtex_reader import plain_text
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library import books

ALL = Bound(uncapped=True)


def content(library: Library, format: str) -> str:
    made = library.exchange.export(format, bound=ALL).content  # type: ignore[arg-type]
    assert made is not None
    return made


# --- Markdown -------------------------------------------------------------------------------------------------------


def test_every_quotation_of_a_markdown_export_verifies(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    note = shelf.notes.add(island, quote="A lantern burned in the tower", body='I say "quite another thing" <!-- x -->')
    shelf.notes.add(island, span=(100, 330), tags=["sea and sky"], color="red")
    other = shelf.notes.add(stone, quote="名曰傲来国", body="「不在书里的话」")
    shelf.notes.link(note.id, other.id, relation="supports")
    shelf.edit(island, title='The "Island" [1] of *Stars*')
    path = tmp_path / "notes.md"
    assert shelf.exchange.write(path, bound=ALL).notes == 3
    checked = shelf.verify(path, bound=ALL)
    assert [q.status for q in checked.quotations] == ["verified"] * 3
    text = path.read_text("utf-8")
    assert "#sea-and-sky" in text
    assert f"supports → {other.id}" in text
    path.write_text(text.replace("A lantern burned", "A candle burned"), "utf-8")
    assert shelf.verify(path, bound=ALL).quotations[0].status == "not_found"


# --- files ----------------------------------------------------------------------------------------------------------


def test_a_file_that_is_there_is_replaced_only_by_force(shelf: Library, island: str, tmp_path: Path) -> None:
    shelf.notes.add(island, quote="green wax")
    path = tmp_path / "notes.json"
    path.write_text("mine")
    with pytest.raises(StoreError, match="there already") as error:
        shelf.exchange.write(path, "json")
    assert "--force" in error.value.hint
    assert path.read_text() == "mine"
    shelf.exchange.write(path, "json", force=True)
    assert "green wax" in path.read_text("utf-8")
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_a_file_export_into_a_folder_and_a_folder_export_onto_a_file_are_refused(
    shelf: Library, island: str, tmp_path: Path
) -> None:
    shelf.notes.add(island, quote="green wax")
    with pytest.raises(UsageError, match="is a folder"):
        shelf.exchange.write(tmp_path, "json")
    (tmp_path / "f").write_text("x")
    with pytest.raises(UsageError, match="is a file"):
        shelf.exchange.write(tmp_path / "f", "obsidian")
    with pytest.raises(StoreError, match="cannot be written"):
        shelf.exchange.write(tmp_path / "no" / "such" / "n.json", "json")


# --- Obsidian -------------------------------------------------------------------------------------------------------


def test_a_second_export_keeps_what_people_wrote(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    shelf.notes.add(island, quote="green wax", body="first %% glossator:end %% end")
    shelf.notes.add(stone, quote="名曰傲来国")
    vault = tmp_path / "vault"
    shelf.exchange.write(vault, "obsidian", bound=ALL)
    page = vault / "The Island.md"
    assert sorted(p.name for p in vault.iterdir()) == ["The Island.md", "石猴记.md"]
    first = page.read_bytes()
    shelf.exchange.write(vault, "obsidian", bound=ALL)
    assert page.read_bytes() == first

    mine_before, mine_after = "---\nstatus: read\n---\n\nMy words. \r\n\n", "\n\n## Mine\r\n\ttext without end"
    begin, end = first.index(b"%% glossator:begin"), first.rindex(b"%% glossator:end %%")
    page.write_bytes(mine_before.encode() + first[begin : end + 19] + mine_after.encode())
    moved = vault / "Sea" / "Renamed.md"
    moved.parent.mkdir()
    page.rename(moved)
    shelf.notes.add(island, quote="the great storm", body="second")
    shelf.edit(island, title="Another Title")
    shelf.exchange.write(vault, "obsidian", bound=ALL)
    text = moved.read_bytes().decode()
    assert text.startswith(mine_before)
    assert text.endswith("%% glossator:end %%" + mine_after)
    assert "second" in text
    assert not page.exists()


def test_lines_written_between_the_notes_stay_with_their_note(shelf: Library, island: str, tmp_path: Path) -> None:
    wax = shelf.notes.add(island, quote="green wax", body="seal\n\n# not a heading", tags=["t"])
    shelf.notes.add(island, quote="the great storm")
    shelf.exchange.write(tmp_path, "obsidian", bound=ALL)
    page = tmp_path / "The Island.md"
    text = page.read_text("utf-8")
    made = text.replace("# The Island\n", "# The Island\n\nmine above\n", 1)
    made = made.replace("Tags: #t\n", "Tags: #t\nmine below\n\n  mine, too\n", 1).replace(
        "seal\n", "seal\nmine within\n", 1
    )
    page.write_text(made, "utf-8")
    shelf.notes.edit(wax.id, color="red")
    shelf.notes.add(island, quote="a letter", body="between")
    shelf.exchange.write(tmp_path, "obsidian", bound=ALL)
    once = page.read_text("utf-8")
    for line in ("mine above", "mine below", "  mine, too", "mine within"):
        assert once.count(f"\n{line}\n") == 1, line
    assert (
        once.index("mine above") < once.index("the great storm") < once.index("green wax") < once.index("mine within")
    )
    assert once.count(f"^{wax.id}\n") == 1
    shelf.exchange.write(tmp_path, "obsidian", bound=ALL)
    assert page.read_text("utf-8") == once
    shelf.notes.remove(wax.id)
    shelf.exchange.write(tmp_path, "obsidian", bound=ALL)
    text = page.read_text("utf-8")
    assert "green wax" not in text
    assert text.index("%% glossator:end %%") < text.index("mine below") < text.index("  mine, too")


def test_links_lead_from_page_to_page(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    a = shelf.notes.add(island, quote="green wax")
    b = shelf.notes.add(stone, quote="名曰傲来国")
    shelf.notes.link(a.id, b.id, relation="supports")
    shelf.exchange.write(tmp_path, "obsidian", bound=ALL)
    assert f"supports → [[石猴记#^{b.id}|{b.id}]]" in (tmp_path / "The Island.md").read_text("utf-8")
    page = (tmp_path / "石猴记.md").read_text("utf-8")
    assert f"supports ← [[The Island#^{a.id}|{a.id}]]" in page
    assert f" ^{b.id}\n" in page


def test_a_page_without_its_end_line_is_left_and_named(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    shelf.notes.add(island, quote="green wax")
    shelf.exchange.write(tmp_path / "v", "obsidian", bound=ALL)
    page = tmp_path / "v" / "The Island.md"
    broken = page.read_text("utf-8").replace("%% glossator:end %%", "")
    page.write_text(broken, "utf-8")
    shelf.notes.add(stone, quote="名曰傲来国")
    with pytest.raises(SourceError, match="The Island"):
        shelf.exchange.write(tmp_path / "v", "obsidian", bound=ALL)
    assert page.read_text("utf-8") == broken
    assert not (tmp_path / "v" / "石猴记.md").exists()


def test_file_names_are_safe_and_two_books_of_one_title_have_two_pages(library: Library, tmp_path: Path) -> None:
    for n, title in enumerate(["a/b: c?", "A/B: c?", "..", "con"]):
        (tmp_path / f"{n}.md").write_text(f"# {title}\n\nThe words of number {n}.\n")
        (document,) = library.add([str(tmp_path / f"{n}.md")]).documents
        library.edit(document.id or "", title=title)
        library.notes.add(document.id or "", quote=f"number {n}")
    library.exchange.write(tmp_path / "v", "obsidian")
    names = {p.name for p in (tmp_path / "v").iterdir()}
    assert len(names) == 4
    assert {"_.md", "_con.md"} <= names
    assert all(":" not in n and "?" not in n for n in names)


def test_a_page_of_someone_else_with_the_same_name_is_left_alone(shelf: Library, island: str, tmp_path: Path) -> None:
    (tmp_path / "The Island.md").write_text("mine")
    shelf.notes.add(island, quote="green wax")
    shelf.exchange.write(tmp_path, "obsidian", bound=ALL)
    assert (tmp_path / "The Island.md").read_text() == "mine"
    assert "green wax" in (tmp_path / f"The Island ({island}).md").read_text("utf-8")


# --- CSV ------------------------------------------------------------------------------------------------------------


def test_a_table_holds_every_note_and_no_formula(shelf: Library, island: str, stone: str) -> None:
    a = shelf.notes.add(island, quote="green wax", body='=HYPERLINK("x"),\nline "two"', tags=["-x"])
    b = shelf.notes.add(stone, quote="名曰傲来国", body="@sum")
    shelf.notes.link(a.id, b.id)
    rows = {r["id"]: r for r in csv.DictReader(io.StringIO(content(shelf, "csv")))}
    assert rows[a.id]["body"] == '\'=HYPERLINK("x"),\nline "two"'
    assert rows[a.id]["tags"] == "'-x"
    assert rows[b.id]["body"] == "'@sum"
    assert rows[a.id]["section"] == "The Island › The Letter"
    (link,) = csv.DictReader(io.StringIO(shelf.exchange.links(bound=ALL).content or ""))
    assert (link["source"], link["target"], link["relation"]) == (a.id, b.id, "related")
    assert (link["source_quote"], link["target_title"]) == ("green wax", "石猴记")


# --- BibTeX ---------------------------------------------------------------------------------------------------------


def test_an_entry_for_each_document_with_its_notes(shelf: Library, island: str, stone: str) -> None:
    body = r"100 % of {braces} \ & $5_a ~ ^ # unbalanced }"
    shelf.notes.add(island, quote="green wax", body=body)
    shelf.notes.add(stone, quote="名曰傲来国")
    shelf.edit(island, authors=["Zoë von Müller", "Barnes and Noble"], published="1871-03", title="On the {Island}")
    entries = {e.key: e for e in entries_of(content(shelf, "bibtex"), "notes.bib")}
    entry = entries["Muller1871Island"]
    assert plain_text(entry.fields["title"]) == "On the {Island}"
    assert entry.fields["author"] == "Zoë von Müller and {Barnes and Noble}"
    assert entry.fields["year"] == "1871"
    annotation = plain_text(entry.fields["annote"])
    assert "The Letter: “green wax”" in annotation
    assert body in annotation
    assert "石猴记" in entries


def test_keys_that_would_be_equal_are_told_apart(library: Library, tmp_path: Path) -> None:
    for n in range(2):
        (tmp_path / f"{n}.md").write_text(f"# Same\n\nThe words of number {n}.\n")
        (document,) = library.add([str(tmp_path / f"{n}.md")]).documents
        library.notes.add(document.id or "", quote=f"number {n}")
    keys = [e.key for e in entries_of(content(library, "bibtex"), "n.bib")]
    assert len(set(keys)) == 2
    assert all(k.startswith("Same-") for k in keys)


def test_an_export_without_notes_is_an_empty_page(library: Library, tmp_path: Path) -> None:
    library.add([str(books.island(tmp_path))])
    for format in ("markdown", "csv", "bibtex", "json", "w3c"):
        assert library.exchange.export(format).notes == 0  # type: ignore[arg-type]
