"""Which language model answers: by name, by settings, by task; and that a library sends no text away."""

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator import config
from glossator.choice import PROVIDERS, ModelChoice, Task, choice_of, choose, proposal
from glossator.errors import ModelError, UsageError


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "user" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setattr(config, "user_config", lambda: path)
    return path


def chosen(
    folder: Path, task: Task = "question", *, model: str | None = None, base_url: str | None = None, **environment: str
) -> ModelChoice | None:
    settings = config.load(folder / "library", environment=environment)
    return choose(settings, task, model=model, base_url=base_url, environment=environment)


def spec(choice: ModelChoice | None) -> str | None:
    return choice.spec if choice else None


def test_without_a_setting_no_model_is_used(tmp_path: Path) -> None:
    assert chosen(tmp_path) is None
    assert chosen(tmp_path, GLOSSATOR_BASE_URL="http://127.0.0.1:1/v1") is None


def test_one_variable_switches_and_the_command_line_outweighs_it(tmp_path: Path) -> None:
    assert spec(chosen(tmp_path, GLOSSATOR_MODEL="ollama:qwen3:4b")) == "ollama:qwen3:4b"
    assert spec(chosen(tmp_path, model="anthropic:claude", GLOSSATOR_MODEL="ollama:qwen3")) == "anthropic:claude"
    assert chosen(tmp_path, model="none", GLOSSATOR_MODEL="ollama:qwen3") is None


def test_an_unknown_provider_names_the_known_ones(tmp_path: Path) -> None:
    for name in ("gemini:x", "openai", "openai:", "x", "none:x", ":"):
        with pytest.raises(ModelError) as error:
            chosen(tmp_path, model=name)
        assert all(provider in error.value.hint for provider in PROVIDERS)


@pytest.mark.parametrize(
    ("name", "given", "used"),
    [
        ("anthropic:m", "http://127.0.0.1:9/v1/", "http://127.0.0.1:9"),
        ("anthropic:m", "http://127.0.0.1:9/anthropic", "http://127.0.0.1:9/anthropic"),
        ("ollama:m", "http://box:11434", "http://box:11434/v1"),
        ("openai-chat:m", "http://127.0.0.1:9/v1/", "http://127.0.0.1:9/v1"),
        ("deepseek:m", None, "https://api.deepseek.com"),
    ],
)
def test_a_base_url_is_what_the_providers_client_takes(name: str, given: str | None, used: str) -> None:
    choice = choice_of(name, base_url=given, environment={})
    assert choice
    assert choice.base_url == used


@pytest.mark.parametrize(
    "address", ["box:11434", "ftp://box/v1", "http://", "file:///etc", "http://[", "http://a b/v1", "http://a:x/v1"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ModelError):
        choice_of("openai:m", base_url=address, environment={})


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ModelError) as error:
        choice_of("openai:m", base_url="https://me:hunter22@box/v1", environment={})
    assert "hunter22" not in error.value.message + error.value.hint


@pytest.mark.parametrize(
    ("name", "address", "remote"),
    [
        ("ollama:qwen3", None, False),
        ("ollama:gpt-oss:120b-cloud", None, True),
        ("ollama:kimi:cloud", None, True),
        ("ollama:qwen3", "http://192.168.1.5:11434/v1", True),
        ("openai-chat:m", "http://localhost:8080/v1", False),
        ("openai-chat:m", "http://[::1]:8080/v1", False),
        ("openai-chat:m", None, True),
    ],
)
def test_remote_is_what_lets_text_leave_this_machine(name: str, address: str | None, remote: bool) -> None:
    choice = choice_of(name, base_url=address, environment={})
    assert choice
    assert choice.remote == remote


def test_a_file_names_provider_and_model_apart_or_together(user: Path, tmp_path: Path) -> None:
    user.write_text('[model]\nprovider = "ollama"\nmodel = "qwen3:4b"\n')
    assert spec(chosen(tmp_path)) == "ollama:qwen3:4b"
    user.write_text('[model]\nmodel = "ollama:qwen3:4b"\n')
    assert spec(chosen(tmp_path)) == "ollama:qwen3:4b"
    user.write_text('[model]\nprovider = "ollama"\nmodel = "ollama:qwen3:4b"\n')
    assert spec(chosen(tmp_path)) == "ollama:qwen3:4b"


def test_an_address_and_a_key_in_a_file_belong_to_that_files_provider(user: Path, tmp_path: Path) -> None:
    user.write_text('[model]\nprovider = "openai-chat"\nmodel = "m"\nbase_url = "https://a/v1"\napi_key_env = "MINE"\n')
    mine = chosen(tmp_path)
    assert mine
    assert (mine.base_url, mine.key_env) == ("https://a/v1", "MINE")
    other = chosen(tmp_path, GLOSSATOR_MODEL="anthropic:claude")
    assert other
    assert (other.base_url, other.key_env) == ("https://api.anthropic.com", "ANTHROPIC_API_KEY")
    same = chosen(tmp_path, GLOSSATOR_MODEL="openai-chat:other")
    assert same
    assert same.base_url == "https://a/v1"


TWO = """
[model]
fallback = ["ollama:small", "deepseek:chat"]
[model.local]
model = "ollama:qwen3"
[model.remote]
provider = "anthropic"
model = "claude"
api_key_env = "WORK_KEY"
[model.use]
research = "remote"
"""


def test_a_task_takes_the_model_that_the_settings_give_it_and_local_comes_first(user: Path, tmp_path: Path) -> None:
    user.write_text(TWO)
    assert spec(chosen(tmp_path)) == "ollama:qwen3"
    research = chosen(tmp_path, "research")
    assert research
    assert (research.spec, research.key_env) == ("anthropic:claude", "WORK_KEY")
    assert spec(chosen(tmp_path, GLOSSATOR_MODEL="remote")) == "anthropic:claude"
    assert spec(chosen(tmp_path, "research", GLOSSATOR_MODEL="local")) == "ollama:qwen3"
    assert spec(chosen(tmp_path, "research", model="ollama:other")) == "ollama:other"


def test_a_remote_model_that_is_merely_configured_is_proposed_and_not_used(user: Path, tmp_path: Path) -> None:
    user.write_text('[model.remote]\nmodel = "anthropic:claude"\n')
    assert chosen(tmp_path) is None
    assert spec(proposal(config.load(tmp_path, environment={}), environment={})) == "anthropic:claude"


def test_asking_for_a_model_that_is_not_configured_says_how_to(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as error:
        chosen(tmp_path, GLOSSATOR_MODEL="remote")
    assert "model.remote.model" in error.value.hint


def test_others_stand_in_but_none_that_sends_text_away_for_a_local_model_asked_for_by_name(
    user: Path, tmp_path: Path
) -> None:
    user.write_text(TWO)
    by_settings, by_name = chosen(tmp_path), chosen(tmp_path, model="local")
    assert by_settings
    assert by_name
    assert [c.spec for c in by_settings.fallback] == ["ollama:small", "deepseek:chat"]
    assert [c.spec for c in by_name.fallback] == ["ollama:small"]


@pytest.mark.parametrize(
    "content",
    [
        '[model]\nmodel = "openai:gpt"\n',
        '[model]\nprovider = "openai"\nmodel = "gpt"\n',
        '[model]\nmodel = "ollama:gpt-oss:120b-cloud"\n',
        '[model]\nbase_url = "http://evil/v1"\nmodel = "ollama:x"\n',
        '[model]\nfallback = ["openai:gpt"]\n',
        '[model.local]\nmodel = "openai:gpt"\n',
        '[model.remote]\nmodel = "openai:gpt"\n[model.use]\nquestion = "remote"\n',
    ],
)
def test_a_foreign_library_cannot_choose_a_model_that_sends_text_away(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "config.toml").write_text(content)
    with caplog.at_level(logging.WARNING, "glossator"):
        choice = chosen(tmp_path)
    assert choice is None or not choice.remote
    assert "is ignored" in caplog.text


def test_a_foreign_library_cannot_turn_a_variable_of_an_address_into_a_model(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "config.toml").write_text('[model]\nmodel = "ollama:x"\n')
    assert spec(chosen(tmp_path)) == "ollama:x"
    assert chosen(tmp_path, GLOSSATOR_BASE_URL="https://far.example/v1") is None


def test_a_key_in_place_of_its_variables_name_is_refused_and_not_repeated(user: Path) -> None:
    with pytest.raises(UsageError) as error:
        config.write(user, "model.api_key_env", "sk-live-0123456789")
    assert "0123456789" not in error.value.message + error.value.hint


@given(st.text(max_size=40), st.one_of(st.none(), st.text(max_size=40)))
def test_any_name_and_address_give_a_choice_or_an_error_with_a_hint(name: str, address: str | None) -> None:
    try:
        choice = choice_of(name, base_url=address, environment={})
    except ModelError as error:
        assert error.hint  # noqa: PT017 (either outcome will do)
    else:
        assert choice is None or choice_of(choice.spec, base_url=choice.base_url, environment={}) == choice
