"""Keys: found in their places, stored where only their owner reads, shown nowhere."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest

from glossator import config
from glossator.agent import keys
from glossator.choice import choice_of
from glossator.errors import UsageError
from glossator.scrub import scrub

SECRET = "k-0123456789-abcdef"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(config, "user_config", lambda: tmp_path / "user" / "config.toml")
    return tmp_path / "user"


class Ring(keyring.backend.KeyringBackend):
    """A keyring in memory."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.held[service, username]


class Locked(Ring):
    """A keyring that says no."""

    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked(f"{service}/{username} is locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise keyring.errors.KeyringLocked(f"{service}/{username} takes no {len(password)} characters")


@pytest.fixture
def ring() -> Iterator[Ring]:
    before, made = keyring.get_keyring(), Ring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def test_the_environment_comes_first_then_the_keyring(ring: Ring) -> None:
    far = choice_of("deepseek:m", environment={})
    assert far
    assert keys.find(far, environment={}) is None
    assert keys.store("deepseek", SECRET + "\n").place == "keyring"
    found = keys.find(far, environment={})
    assert found
    assert (found.place, found.value) == ("keyring", SECRET)
    assert SECRET not in repr(found)
    assert SECRET not in scrub(f"it was {SECRET}", environment={})
    named = keys.find(far, environment={"DEEPSEEK_API_KEY": "other"})
    assert named
    assert (named.place, named.value) == ("environment", "other")
    assert keys.forget("deepseek").place == "keyring"
    assert ring.held == {}


@pytest.mark.parametrize("locked", [True, False])
def test_without_a_keyring_a_file_that_only_its_owner_reads_holds_it(locked: bool, folder: Path) -> None:
    before = keyring.get_keyring()
    if locked:
        keyring.set_keyring(Locked())
    try:
        assert keys.store("openai", SECRET).place == "file"
        path = folder / "keys.json"
        if os.name == "posix":
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        far = choice_of("openai-chat:m", environment={})
        assert far
        found = keys.find(far, environment={})
        assert found
        assert (found.place, found.value) == ("file", SECRET)
        assert keys.forget("openai").place == "file"
        assert json.loads(path.read_text()) == {}
    finally:
        keyring.set_keyring(before)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")
def test_a_file_that_others_can_read_is_not_used(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    keys.store("openai", SECRET)
    (folder / "keys.json").chmod(0o644)
    assert keys.stored("OPENAI_API_KEY") is None
    assert "chmod 600" in caplog.text
    assert SECRET not in caplog.text


def test_a_server_on_this_machine_is_given_a_stored_key_only_when_a_setting_names_it() -> None:
    keys.store("openai", SECRET)
    near = choice_of("openai-chat:m", base_url="http://127.0.0.1:8080/v1", environment={})
    named = choice_of("openai-chat:m", base_url="http://127.0.0.1:8080/v1", key_env="MY_SERVER", environment={})
    assert near
    assert named
    assert keys.find(near, environment={}) is None
    assert keys.find(named, environment={}) is None
    given = keys.find(named, environment={"MY_SERVER": SECRET})
    assert given


@pytest.mark.parametrize("value", ["", "  \n", "two words", "schlüssel", "a\x00b"])
def test_what_cannot_be_a_key_is_refused_and_not_repeated(value: str, folder: Path) -> None:
    with pytest.raises(UsageError) as error:
        keys.store("openai", value)
    assert not value.strip() or value not in error.value.message + error.value.hint
    assert not (folder / "keys.json").exists()


@pytest.mark.parametrize("provider", ["ollama", "gemini", ""])
def test_a_provider_without_keys_is_told_with_those_that_have_one(provider: str) -> None:
    with pytest.raises(UsageError) as error:
        keys.store(provider, SECRET)
    assert "anthropic" in error.value.hint
