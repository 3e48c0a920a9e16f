"""Embedders behind an HTTP endpoint: OpenAI's, Ollama's, any compatible server.

One protocol serves all of them: `POST {base}/embeddings`. Keys come from the environment, go into one header, and
are in no message. Requests are batched; transient faults are tried again after 1, 2 and 4 seconds.
"""

import json
import logging
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from glossator.embed.base import (
    Fingerprint,
    Vectors,
    address_hash,
    by_length,
    query_in_windows,
    unit,
)
from glossator.embed.habits import habit_of
from glossator.errors import ModelError

log = logging.getLogger(__name__)

TIMEOUT = 60.0  # seconds, of one request
WAITS = (1.0, 2.0, 4.0)
TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
REMOTE_BATCH = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where a provider's endpoint is when nobody says otherwise, and which variable holds its key."""

    base_url: str
    base_url_env: tuple[str, ...]
    key_env: str | None


PROVIDERS = {
    "openai": Provider(
        base_url="https://api.openai.com/v1",
        base_url_env=("GLOSSATOR_EMBEDDER_BASE_URL", "GLOSSATOR_BASE_URL", "OPENAI_BASE_URL"),
        key_env="OPENAI_API_KEY",
    ),
    "ollama": Provider(
        base_url="http://127.0.0.1:11434/v1",
        base_url_env=("GLOSSATOR_EMBEDDER_BASE_URL", "GLOSSATOR_BASE_URL"),
        key_env=None,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A server that embeds: its address, the model, the key if one is set."""

    provider: str
    model: str
    base_url: str
    key: str | None

    @property
    def host(self) -> str:
        """Return the server's name, for messages."""
        return urlsplit(self.base_url).hostname or self.base_url

    def embed(self, texts: Sequence[str], *, sleep: Callable[[float], None] = time.sleep) -> Vectors:
        """Return one row per text as the server gives them.

        Raises:
            ModelError: the server cannot be reached, refuses, or answers something else than vectors.
        """
        body = json.dumps({"model": self.model, "input": list(texts), "encoding_format": "float"}).encode()
        for wait in (*WAITS, None):
            try:
                return self._rows(self._post(body), len(texts))
            except _Transient as fault:
                if wait is None:
                    raise self._error(f"{fault} (tried {len(WAITS) + 1} times)") from fault
                log.info("%s: %s; trying again in %g s", self.host, fault, wait)
                sleep(max(wait, min(fault.retry_after, 30.0)))
        raise AssertionError("unreachable")

    def _post(self, body: bytes) -> Any:
        headers = {"Content-Type": "application/json", "User-Agent": "glossator"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(f"{self.base_url}/embeddings", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                reason = f"HTTP {error.code} {error.reason}"
                if error.code in TRANSIENT:
                    raise _Transient(reason, _seconds(error.headers.get("Retry-After"))) from error
                raise self._error(reason, self._hint(error.code)) from error
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            raise _Transient(str(getattr(error, "reason", error))) from error
        except ValueError as error:
            raise self._error("the answer is not JSON") from error

    def _rows(self, reply: Any, expected: int) -> Vectors:
        try:
            data = sorted(reply["data"], key=lambda item: item["index"])
            rows = np.array([item["embedding"] for item in data], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._error("the answer holds no embeddings") from error
        if rows.ndim != 2 or len(rows) != expected:
            raise self._error(f"{len(rows)} vectors came back for {expected} texts")
        return rows

    def _hint(self, status: int) -> str:
        if status in (401, 403):
            variable = PROVIDERS[self.provider].key_env
            return f"set a valid key in {variable}" if variable else "the server wants a key that Ollama does not use"
        if status == 404:
            return f"check the base URL (it ends in /v1) and that the server has the model {self.model!r}"
        return "check the model's name and the server's log"

    def _error(self, what: str, hint: str | None = None) -> ModelError:
        return ModelError(
            f"{self.provider}:{self.model} at {self.host}: {what}",
            hint=hint or "check that the server runs and is reachable, or choose another embedder ('glossator models')",
        )


class _Transient(Exception):
    """A fault that may pass: a step of the retry loop, never seen outside."""

    def __init__(self, reason: str, retry_after: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


def _seconds(value: str | None) -> float:
    return float(value) if value and value.replace(".", "", 1).isdigit() else 0.0


class Remote:
    """An embedder on a server. Its dimension is learned from the first answer."""

    languages = ("*",)

    def __init__(self, endpoint: Endpoint, count: Callable[[Sequence[str]], list[int]]) -> None:
        self.name = f"{endpoint.provider}:{endpoint.model}"
        self._endpoint = endpoint
        self._habit = habit_of(endpoint.model)
        self._count = count
        self._dimension: int | None = None

    @property
    def max_tokens(self) -> int:
        """What is sent whole: four fifths of the model's limit, since tokens are only estimated here."""
        return self._habit.max_tokens * 4 // 5

    @property
    def fingerprint(self) -> Fingerprint:
        """Return what names these vectors; asks the server once for the dimension."""
        habit, endpoint = self._habit, self._endpoint
        if self._dimension is None:
            self._dimension = self._endpoint.embed(["dimension"]).shape[1]
        return Fingerprint(
            model=self.name,
            sha256=address_hash(endpoint.base_url, endpoint.model),
            dimension=self._dimension,
            rule=f"{habit.query!r}/{habit.passage!r} prefix, unit length",
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return estimated tokens: the model's own tokenizer is on the server."""
        return self._count(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text."""
        prefix = self._habit.passage
        return by_length(
            texts,
            self.fingerprint.dimension,
            lambda batch: self._rows([prefix + t for t in batch]),
            batch=REMOTE_BATCH,
        )

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector of a query."""
        prefix = self._habit.query
        return query_in_windows(text, self, lambda batch: self._rows([prefix + t for t in batch]))

    def _rows(self, texts: list[str]) -> Vectors:
        # An empty input is an error to most servers; a space is not.
        return unit(self._endpoint.embed([t or " " for t in texts]))


def remote(provider: str, model: str, *, base_url: str | None, count: Callable[[Sequence[str]], list[int]]) -> Remote:
    """Return the embedder `provider:model`; nothing is sent yet.

    Raises:
        ModelError: the address is no http(s) URL.
    """
    known = PROVIDERS[provider]
    base = base_url or next((v for name in known.base_url_env if (v := os.environ.get(name))), known.base_url)
    if urlsplit(base).scheme not in ("http", "https"):
        raise ModelError(
            f"{base!r} is not an http or https address", hint="write the base URL in full: http://127.0.0.1:11434/v1"
        )
    key = os.environ.get(known.key_env) if known.key_env else None
    return Remote(Endpoint(provider=provider, model=model, base_url=base.rstrip("/"), key=key), count)
