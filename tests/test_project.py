"""A folder's own settings: without effect until they are trusted, and then as they were read."""

import os
import tomllib
from pathlib import Path

import pytest

from glossator import config, project
from glossator.errors import NotFound, UsageError
from tests.cli.runner import Shell, run


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "user" / "config.toml"
    monkeypatch.setattr(config, "user_config", lambda: path)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "thesis"
    (made / "chapters" / "one").mkdir(parents=True)
    monkeypatch.chdir(made / "chapters" / "one")
    return made


def says(folder: Path, text: str = 'library = "books"\n') -> Path:
    path = folder / ".glossator"
    path.write_text(text, "utf-8")
    return path


def library(**environment: str) -> Path:
    return config.load(environment=environment).library


@pytest.mark.parametrize("form", ["file", "folder"])
def test_a_trusted_folder_names_the_library_used_inside_it(user: Path, folder: Path, form: str) -> None:
    if form == "file":
        says(folder)
    else:
        (folder / ".glossator").mkdir()
        (folder / ".glossator" / "config.toml").write_text('library = "books"\n', "utf-8")
    config.write(user, "library", "/mine")
    assert library() == Path("/mine")
    untrusted = config.load(environment={}).untrusted
    assert untrusted is not None
    assert "config trust" in untrusted
    project.trust(user)
    assert library() == folder / "books"
    assert config.load(environment={}).untrusted is None
    assert library(GLOSSATOR_LIBRARY="/other") == Path("/other")
    assert config.load(Path("/given"), environment={}).library == Path("/given")
    found = {s.key.name: s for s in config.settings(environment={})[1]}
    assert found["library"].source == "project"
    assert tomllib.loads(user.read_text("utf-8"))["library"] == "/mine"
    config.write(user, "search.k", "3")
    assert library() == folder / "books", "setting something keeps what is trusted"
    project.untrust(user)
    assert library() == Path("/mine")


def test_what_changed_since_needs_trusting_again(user: Path, folder: Path) -> None:
    says(folder)
    project.trust(user)
    says(folder, 'library = "other"\n')
    assert library() == config.default_library()
    told = config.load(environment={}).untrusted
    assert told is not None
    assert "changed since" in told
    assert [t.current for t in project.listed(user)] == [False]
    project.trust(user)
    assert library() == folder / "other"
    assert [t.current for t in project.listed(user)] == [True]


@pytest.mark.parametrize("named", ["..", "../elsewhere", "/elsewhere", "a/../../elsewhere", "link/x", "a\\u0000b", " "])
def test_a_library_outside_of_the_folder_is_refused(user: Path, folder: Path, named: str) -> None:
    (folder / "link").symlink_to(folder.parent)
    says(folder, f'library = "{named}"\n')
    with pytest.raises(UsageError):
        project.trust(user)
    assert not user.exists()


def test_a_link_that_leads_out_later_is_refused_although_the_file_is_trusted(user: Path, folder: Path) -> None:
    says(folder)
    project.trust(user)
    (folder / "books").symlink_to(folder.parent)
    with pytest.raises(UsageError, match="not inside"):
        library()


def test_settings_that_are_a_link_or_no_file_are_none(user: Path, folder: Path) -> None:
    real = folder.parent / "real"
    real.mkdir()
    says(real)
    (folder / ".glossator").symlink_to(real / ".glossator")
    assert project.find() is None
    (folder / ".glossator").unlink()
    (real / "config.toml").write_text('library = "books"\n', "utf-8")
    (folder / ".glossator").symlink_to(real)
    assert project.find() is None
    (folder / ".glossator").unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / ".glossator")
        assert project.find() is None
        (folder / ".glossator").unlink()
    says(folder, "#" * (1 << 17))
    assert project.find() is None
    with pytest.raises(NotFound):
        project.trust(user)


def test_the_nearest_folder_counts_and_trust_does_not_go_down(user: Path, folder: Path) -> None:
    says(folder)
    project.trust(user)
    says(folder / "chapters")
    assert library() == config.default_library()
    assert config.load(environment={}).untrusted is not None


def test_a_file_that_came_with_a_trusted_one_cannot_trust_others(user: Path, folder: Path) -> None:
    says(folder, f'library = "books"\nembedder = "openai:x"\n[trusted]\n"{folder}" = "0"\n')
    project.trust(user)
    settings = config.load(environment={})
    assert (settings.library, settings.embedder) == (folder / "books", None)
    (folder / "books").mkdir()
    (folder / "books" / "config.toml").write_text(f'[trusted]\n"{folder.parent}" = "0"\n', "utf-8")
    assert config.load(environment={}).library == folder / "books"
    assert project.hashes(user).keys() == {str(folder)}


@pytest.mark.usefixtures("user")
def test_without_a_working_folder_there_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert project.find() is None
    assert library() == config.default_library()
    monkeypatch.chdir(tmp_path)


def test_the_command_line_says_once_that_a_folder_is_not_trusted(user: Path, folder: Path, small_library: Path) -> None:
    shell = Shell(small_library)
    says(folder)
    first = run("list", "--json")
    assert first.err.count("config trust") == 1
    assert run("config", "trust", "--json").json == {
        "trusted": [{"folder": str(folder), "sha256": project.hashes(user)[str(folder)], "current": True}]
    }
    assert str(folder / "books") in run("list", "--json").json["error"]["message"]
    assert run("config", "trust", "--list").out == f"{folder}\n"
    says(folder, 'library = "x"\n')
    assert "changed since" in run("config", "trust", "--list").out
    assert run("config", "untrust", str(folder), "--json").json == {"trusted": []}
    assert run("config", "untrust", "--json").code == 1
    assert run("config", "trust", str(folder.parent), "--json").json["error"]["code"] == "not_found"
    assert shell("list", "--json").err == "", "a library that was named needs no project"
