"""`fastembed:MODEL`: models that the `fastembed` package downloads, once, into the user's cache folder."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from glossator.embed.base import (
    Fingerprint,
    Notice,
    Vectors,
    address_hash,
    by_length,
    query_in_windows,
    threads_for,
    unit,
)
from glossator.embed.habits import habit_of
from glossator.errors import ModelError

log = logging.getLogger(__name__)


class FastEmbed:
    """A model of the `fastembed` package, downloaded once into the user's cache folder."""

    languages = ("*",)

    def __init__(
        self, model: str, *, threads: int | None, notice: Notice | None, count: Callable[[Sequence[str]], list[int]]
    ) -> None:
        """Load the model; a download is announced with its size before it starts.

        Raises:
            ModelError: the extra is missing, the model is unknown, or the download failed.
        """
        self.name = f"fastembed:{model}"
        self._habit = habit_of(model)
        self._count = count
        described = _describe(model)
        self._model: Any = _open_fastembed(model, described, threads_for(threads), notice or log.warning)
        self.fingerprint = Fingerprint(
            model=self.name,
            sha256=address_hash(model, str(described.get("sources"))),
            dimension=int(described["dim"]),
            rule=f"{self._habit.query!r}/{self._habit.passage!r} prefix, fastembed's pooling, unit length",
        )

    @property
    def max_tokens(self) -> int:
        """What is read whole: four fifths of the model's limit, since tokens are only estimated here."""
        return self._habit.max_tokens * 4 // 5

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return estimated tokens."""
        return self._count(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text."""
        prefix = self._habit.passage
        return by_length(texts, self.fingerprint.dimension, lambda batch: self._rows([prefix + t for t in batch]))

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector of a query."""
        prefix = self._habit.query
        return query_in_windows(text, self, lambda batch: self._rows([prefix + t for t in batch]))

    def _rows(self, texts: list[str]) -> Vectors:
        return unit(np.array(list(self._model.embed(texts)), np.float32))


def _describe(model: str) -> dict[str, Any]:
    try:
        from fastembed import TextEmbedding
    except ImportError as error:
        raise ModelError(
            f"fastembed:{model} needs the package fastembed",
            hint="install it: pip install 'glossator[fastembed]' (the built-in models need no network)",
        ) from error
    known = {m["model"].lower(): m for m in TextEmbedding.list_supported_models()}
    found = known.get(model.lower())
    if found is None:
        near = [m["model"] for name, m in known.items() if model.lower().rsplit("/", 1)[-1] in name][:5]
        some = ", ".join(near or ["BAAI/bge-small-en-v1.5", "BAAI/bge-small-zh-v1.5"])
        raise ModelError(f"fastembed has no model {model!r}", hint=f"models it has: {some}")
    return dict(found)


def _open_fastembed(model: str, described: dict[str, Any], threads: int, notice: Notice) -> Any:
    import platformdirs
    from fastembed import TextEmbedding

    cache = str(Path(platformdirs.user_cache_dir("glossator")) / "fastembed")
    options = {"model_name": described["model"], "cache_dir": cache, "threads": threads}
    try:
        return TextEmbedding(**options, local_files_only=True)
    except Exception:  # fastembed has no class of its own for "not in the cache"
        log.debug("fastembed: %s is not in %s", model, cache, exc_info=True)
    size = float(described.get("size_in_GB") or 0) * 1000
    notice(f"downloading {described['model']} ({size:.0f} MB) into {cache}")
    try:
        return TextEmbedding(**options)
    except Exception as error:  # a library's edge: network, disk and archive faults come as many classes
        raise ModelError(
            f"fastembed:{model} could not be downloaded: {error}",
            hint="check the connection and the free space, or use a built-in model ('glossator models')",
        ) from error
