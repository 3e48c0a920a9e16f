"""Settings: the user's file, then the library's, then the environment."""

import logging
from pathlib import Path

import pytest

from glossator import config
from glossator.errors import StoreError, UsageError


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "user" / "config.toml"
    monkeypatch.setattr(config, "user_config", lambda: path)
    return path


def test_without_any_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = config.load(tmp_path / "library", environment={})
    assert (settings.library, settings.embedder, settings.search_k) == (tmp_path / "library", None, 10)


def test_the_later_source_wins(user: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    config.write(user, "search.k", "3")
    assert config.load(library, environment={}).search_k == 3
    config.write(library / "config.toml", "search.k", "5")
    assert config.load(library, environment={}).search_k == 5
    config.write(library / "config.toml", "embedder", "builtin:use")
    assert config.load(library, environment={"GLOSSATOR_EMBEDDER": "none"}).embedder == "none"


def test_the_library_is_named_by_the_call_then_the_variable_then_the_user(user: Path, tmp_path: Path) -> None:
    config.write(user, "library", str(tmp_path / "a"))
    assert config.load(environment={}).library == tmp_path / "a"
    assert config.load(environment={"GLOSSATOR_LIBRARY": str(tmp_path / "b")}).library == tmp_path / "b"
    named = config.load(tmp_path / "c", environment={"GLOSSATOR_LIBRARY": str(tmp_path / "b")})
    assert named.library == tmp_path / "c"


def test_a_foreign_library_can_neither_send_text_away_nor_name_another_library(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "config.toml").write_text('embedder = "openai:x"\nlibrary = "/elsewhere"\n')
    with caplog.at_level(logging.WARNING, "glossator"):
        settings = config.load(library, environment={})
    assert (settings.embedder, settings.library) == (None, library)
    assert "openai:x" in caplog.text


def test_an_unknown_name_in_a_file_is_a_warning_and_one_to_set_an_error(
    user: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    user.parent.mkdir()
    user.write_text("[weather]\nwind = 3\n")
    with caplog.at_level(logging.WARNING, "glossator"):
        config.load(tmp_path, environment={})
    assert "weather.wind" in caplog.text
    with pytest.raises(UsageError) as error:
        config.write(user, "serch.k", "3")
    assert "search.k" in error.value.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [("search.k", "0"), ("search.k", "ten"), ("search.mode", "psychic"), ("embedder", " "), ("add.profile", "novel")],
)
def test_a_value_that_cannot_be_is_refused_and_nothing_is_written(user: Path, name: str, value: str) -> None:
    with pytest.raises(UsageError):
        config.write(user, name, value)
    assert not user.exists()


def test_setting_keeps_what_else_is_in_the_file(user: Path) -> None:
    user.parent.mkdir()
    user.write_text("[weather]\nwind = 3\n[search]\nk = 4\n")
    config.write(user, "search.mode", "lexical")
    assert config.read_file(user) == {"search.k": 4, "search.mode": "lexical"}
    assert "wind = 3" in user.read_text()


@pytest.mark.parametrize("content", [b"search = [", b"[search]\nk = true\n", b"[search]\nk = 0\n"])
def test_a_broken_file_is_named(user: Path, content: bytes, tmp_path: Path) -> None:
    user.parent.mkdir()
    user.write_bytes(content)
    with pytest.raises(UsageError) as error:
        config.load(tmp_path, environment={})
    assert str(user) in error.value.message


def test_a_file_that_is_no_text_is_an_error_with_its_name(user: Path, tmp_path: Path) -> None:
    user.parent.mkdir()
    user.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StoreError) as error:
        config.load(tmp_path, environment={})
    assert str(user) in error.value.message


def test_a_variable_that_cannot_be_is_named() -> None:
    with pytest.raises(UsageError) as error:
        config.load(environment={"GLOSSATOR_EMBEDDER": "  "})
    assert "GLOSSATOR_EMBEDDER" in error.value.message
