"""What is not read yet, kept out of texts from elsewhere."""

import random
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.agent.veil import LEFT_OUT, RUN, Veil, runs
from glossator.library.results import Bound
from tests.agent.conftest import Bench
from tests.library import books


def veil(bench: Bench, name: str, words: str) -> Veil:
    """Return the veil of a run in which a document is read up to some words."""
    cap = bench.library.text(name).text.index(words)
    return bench.under(bound=Bound(cap)).opened(name).context.library.veil


def test_nothing_is_left_out_when_nothing_is_hidden(bench: Bench) -> None:
    open_veil = bench.context.library.veil
    assert not open_veil.active
    assert open_veil.over(books.ISLAND) == books.ISLAND


@pytest.mark.parametrize(
    "copy",
    [
        books.ISLAND,
        books.ISLAND.upper(),
        books.ISLAND.replace(" ", "\n"),
        books.ISLAND.replace("\n", " "),
        books.ISLAND.replace(" ", "_"),
        "".join(f"<p>{line}</p>" for line in books.ISLAND.splitlines()),
        books.ISLAND.replace(",", "").replace(".", ";"),
    ],
    ids=["same", "capitals", "word by word", "one line", "underscores", "markup", "other marks"],
)
def test_a_copy_in_another_form_is_known(bench: Bench, copy: str) -> None:
    shown = veil(bench, "The Island", "The Betrayal").over(copy)
    for word in ("thorne", "shoals", "survivors"):
        assert word not in shown.casefold()
    assert LEFT_OUT in shown


def test_a_chinese_copy_in_traditional_characters_is_known(bench: Bench) -> None:
    copy = "石猴跳過瀑布，發現一座鐵板橋，橋那邊是一座天造地設的石房，名叫水簾洞。\n\n別的書裡也有猴子。"
    shown = veil(bench, "石猴记", "第二回").over(copy)
    assert "鐵板橋" not in shown
    assert "別的書裡也有猴子" in shown


def test_what_was_read_and_what_is_anothers_stays(bench: Bench) -> None:
    over = veil(bench, "The Island", "The Betrayal").over
    read = books.ISLAND[: books.ISLAND.index("## The Betrayal")]
    assert over(read) == read
    other = "At midnight the pilot cut his engine. Nobody understood everything at last year's meeting."
    assert over(other) == other


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_no_run_of_hidden_words_is_left_wherever_it_stands(data: st.DataObject) -> None:
    words = [f"w{n}" for n in range(60)]
    start = data.draw(st.integers(0, 40))
    inner = words[start : start + data.draw(st.integers(RUN, 20))]
    before, after = data.draw(st.text("ab \n", max_size=30)), data.draw(st.text("ab \n", max_size=30))
    hidden = _Fake(" ".join(words))
    shown = hidden.over(f"{before} {' '.join(inner)} {after}")
    assert not any(f" {w} " in f" {shown} " for w in inner)


class _Fake(Veil):
    """A veil over a text that is all hidden."""

    def __init__(self, text: str) -> None:
        self._capped = [None]  # type: ignore[list-item]
        self._hidden = np.unique(runs(text))


def test_a_long_book_is_veiled_within_the_time_of_a_file_tool() -> None:
    chosen = random.Random(1)
    text = " ".join(f"word{chosen.randrange(9_000)}" for _ in range(180_000))
    start = perf_counter()
    assert LEFT_OUT in _Fake(text).over(text[-100_000:])
    assert perf_counter() - start < 4
