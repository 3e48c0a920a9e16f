"""Words so common that they are no one's name. The lists are counted by `benchmarks/common_words.py`."""

from functools import cache
from importlib.resources import files

from glossator.index.tokens import STOP, stem


def is_common(word: str) -> bool:
    """Return whether an English word, in any form, is an ordinary one."""
    word = word.casefold()
    return word in STOP or stem(word) in _english()


def is_common_pair(pair: str) -> bool:
    """Return whether two Chinese characters, simplified, stand together in ordinary modern prose."""
    return pair in _chinese()


@cache
def _english() -> frozenset[str]:
    return frozenset(_read("common_en.txt").split())


@cache
def _chinese() -> frozenset[str]:
    return frozenset(line[0] + second for line in _read("common_zh.txt").splitlines() for second in line[1:])


def _read(name: str) -> str:
    return files(__package__ or __name__).joinpath(name).read_text("utf-8")
