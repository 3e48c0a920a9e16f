"""Settings: read once at an edge, passed on as one frozen value.

The user's file, then the library's, then the environment; the later one wins. A folder that the person trusts may name
the library that is used inside it (`project`). The table `KEYS` is the whole list: what is not in it is not a setting,
and nothing is in it that no code reads. Plain `tomllib` and a dataclass, because a validation library costs a third of
the time that a cold search may take (docs/adr/0009-the-command-line.md).

A library may come from elsewhere, so its file can neither name another library nor an embedder or a model that sends
text away. Keys of servers are no settings: they stand in the environment or the keyring, and are in no file of ours.
"""

import logging
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from glossator import project
from glossator.errors import UsageError
from glossator.tomlfile import read_table, write_table

CONFIG_FILE = "config.toml"
SENDING = ("openai",)  # embedders that send text off this machine unless told otherwise
_STAYING = re.compile(r"none|ollama:(?!.*[-:]cloud$).+")  # language models that a library's file may name
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
Source = Literal["default", "user", "library", "project", "environment", "command line"]
Value = str | int | float

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One setting: its dotted name in `config.toml`, its variable, what it may be."""

    name: str
    help: str
    default: Value | None = None
    variable: str | None = None
    choices: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None  # an integer within, both ends included
    names_variable: bool = False  # the name of an environment variable, never its value
    listed: bool = False  # several, in a file a list, elsewhere separated by commas
    amount: bool = False  # a number above 0, with decimals
    user_only: bool = False  # never taken from a library's file


_MODEL = (
    Key(
        name="model.provider",
        help="The provider of `model.model`, where that does not begin with one.",
        user_only=True,
    ),
    Key(
        name="model.model",
        variable="GLOSSATOR_MODEL",
        help="The language model that answers, as `provider:model`; `none`: no model. In the variable also `local` "
        "or `remote`, the ones configured below. A library's own file may only name `none` or an `ollama:` model.",
    ),
    Key(
        name="model.base_url",
        variable="GLOSSATOR_BASE_URL",
        help="The address of its server, as the provider's own client takes it.",
        user_only=True,
    ),
    Key(
        name="model.api_key_env",
        names_variable=True,
        help="The variable that holds its key; the provider's own when unset.",
        user_only=True,
    ),
    Key(
        name="model.way",
        choices=("tools", "passages"),
        default="tools",
        help="`tools`: the model looks things up by itself. `passages`: it judges the likeliest, and replies "
        "about one; for small models.",
        user_only=True,
    ),
    Key(
        name="model.tools",
        choices=("auto", "native", "prompted"),
        default="auto",
        help="How tools are called: the model's own way, or asked for in words with examples; `auto` finds out.",
        user_only=True,
    ),
    Key(
        name="model.thinking",
        choices=("off", "low", "medium", "high"),
        help="How much the model thinks before it answers; the provider's own habit when unset.",
        user_only=True,
    ),
    Key(
        name="model.fallback",
        listed=True,
        help="Models that are asked in turn when the chosen one fails, as `provider:model`.",
        user_only=True,
    ),
)
_LOCAL_AND_REMOTE = tuple(
    Key(name=f"model.{which}.{part}", help=told, names_variable=part == "api_key_env", user_only=True)
    for which, told_of in (("local", "the local model"), ("remote", "the remote model"))
    for part, told in (
        ("provider", f"The provider of {told_of}."),
        ("model", f"Names {told_of}, as `provider:model`."),
        ("base_url", f"The address of {told_of}."),
        ("api_key_env", f"The variable that holds the key of {told_of}."),
    )
)
_USES = tuple(
    Key(
        name=f"model.use.{task}",
        choices=("local", "remote"),
        help=f"Which of the two {does}; the main model when unset.",
        user_only=True,
    )
    for task, does in (
        ("question", "answers a question"),
        ("research", "does research"),
        ("book", "works through a whole book"),
        ("rewrite", "rewrites a query"),
    )
)

_LIMITS = (
    Key(
        name="limits.rounds",
        bounds=(1, 1000),
        user_only=True,
        help="In how many rounds a model may call tools; 5 for a question, 12 for research, 200 for a whole book when "
        "unset.",
    ),
    Key(name="limits.tokens", bounds=(1, 1_000_000_000), user_only=True, help="How many tokens an answer may take."),
    Key(name="limits.cost", amount=True, user_only=True, help="What an answer may cost, in US dollars."),
    Key(
        name="limits.seconds",
        bounds=(1, 1_000_000),
        user_only=True,
        help="How long an answer may take; 300 for a question, 900 for research, 7200 for a whole book when unset.",
    ),
)
_TOOLS = (
    Key(
        name="tools.files",
        listed=True,
        user_only=True,
        help="Python files with tools of your own (`from glossator import tool`). They are run.",
    ),
    Key(
        name="tools.allow",
        listed=True,
        user_only=True,
        help="What the agent's tools may reach without `--allow`: files, web, shell, system, data.",
    ),
    Key(
        name="tools.folders",
        listed=True,
        user_only=True,
        help="Folders whose files the tools may read and, asked each time, write; the working folder when unset.",
    ),
    Key(
        name="tools.skills",
        user_only=True,
        help="A folder with skills: Markdown files with instructions of your own for the agent.",
    ),
    Key(
        name="tools.web_search",
        user_only=True,
        help="The address of a search engine, with `{query}` where the words stand; JSON or a page comes back.",
    ),
    Key(
        name="tools.apis",
        listed=True,
        user_only=True,
        help="Addresses of servers that tools may call although they run on this machine.",
    ),
    Key(
        name="tools.logins",
        listed=True,
        user_only=True,
        help="Log-ins for APIs, each `URL VARIABLE`: the variable holds the body that is sent to that address.",
    ),
)

KEYS: tuple[Key, ...] = (
    Key(
        name="library",
        variable="GLOSSATOR_LIBRARY",
        user_only=True,
        help="The folder that holds the library; the platform's data folder when unset.",
    ),
    Key(
        name="embedder",
        variable="GLOSSATOR_EMBEDDER",
        help="What turns text into vectors, as `provider:model`; `none` searches by words only. "
        "Unset: by the document's language, from the built-in models that are installed.",
    ),
    Key(name="add.profile", default="auto", choices=("auto", "book", "paper"), help="How new documents are cut."),
    Key(name="search.k", default=10, bounds=(1, 1000), help="How many passages `search` returns."),
    Key(
        name="search.mode",
        default="hybrid",
        choices=("hybrid", "lexical", "vector"),
        help="How `search` looks: by words, by meaning, or both.",
    ),
    Key(
        name="backup.path",
        user_only=True,
        help="The folder (an absolute path) for backups that are not given a file: those of `backup` alone, and those "
        "made by themselves.",
    ),
    Key(
        name="backup.schedule",
        default="off",
        choices=("off", "on"),
        user_only=True,
        help="`on`: a full backup a day, brought up to date after each `add` that changed something, and "
        "every three hours while `serve` or `watch` run.",
    ),
    Key(
        name="backup.keep",
        default=7,
        bounds=(1, 1000),
        user_only=True,
        help="How many backups of a library stay in that folder; the oldest go.",
    ),
    Key(
        name="hook.mode",
        variable="GLOSSATOR_HOOK",
        default="auto",
        choices=("auto", "off"),
        user_only=True,
        help="Whether `hook` puts passages beside prompts that the library fits; `off`: never.",
    ),
    Key(
        name="hook.server",
        variable="GLOSSATOR_HOOK_SERVER",
        default="on",
        choices=("on", "off"),
        user_only=True,
        help="Whether `hook` starts the library's server in the background, for the next prompt, where none runs.",
    ),
    Key(
        name="hook.tokens", default=1200, bounds=(50, 2500), user_only=True, help="How much `hook` puts there, at most."
    ),
    Key(
        name="hook.milliseconds",
        default=2000,
        bounds=(50, 30_000),
        user_only=True,
        help="How long `hook` may take; then it says nothing.",
    ),
    *_MODEL,
    *_LOCAL_AND_REMOTE,
    *_USES,
    *_LIMITS,
    *_TOOLS,
)
_BY_NAME = {key.name: key for key in KEYS}


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting in force, and where it comes from."""

    key: Key
    value: Value | None
    source: Source

    def to_json(self) -> dict[str, Any]:
        """Return key, value, source, help."""
        return {"key": self.key.name, "value": self.value, "source": self.source, "help": self.key.help}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings in force. `library` is absolute; `untrusted` says of a folder's own settings why they are not."""

    library: Path
    untrusted: str | None = None
    embedder: str | None = None
    add_profile: Literal["auto", "book", "paper"] = "auto"
    search_k: int = 10
    search_mode: Literal["hybrid", "lexical", "vector"] = "hybrid"
    backup_path: str | None = None
    backup_schedule: Literal["off", "on"] = "off"
    backup_keep: int = 7
    hook_mode: Literal["auto", "off"] = "auto"
    hook_server: Literal["on", "off"] = "on"
    hook_tokens: int = 1200
    hook_milliseconds: int = 2000
    limits_rounds: int | None = None
    limits_tokens: int | None = None
    limits_cost: float | None = None
    limits_seconds: int | None = None
    tools_files: str | None = None
    tools_allow: str | None = None
    tools_folders: str | None = None
    tools_skills: str | None = None
    tools_web_search: str | None = None
    tools_apis: str | None = None
    tools_logins: str | None = None
    model: tuple[Setting, ...] = ()  # the settings under `model.`, with their sources: see `glossator.choice`


def user_config() -> Path:
    """Return where the user's own file is (it need not exist)."""
    from platformdirs import user_config_path

    return user_config_path("glossator", appauthor=False) / CONFIG_FILE


def default_library() -> Path:
    """Return the platform's data folder for this program."""
    from platformdirs import user_data_path

    return user_data_path("glossator", appauthor=False)


def load(library: Path | None = None, *, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings in force for a library; `library` (from the command line) wins over all else.

    Raises:
        UsageError: a file or a variable holds a value that the setting cannot have.
        StoreError: a file is there but cannot be read.
    """
    chosen = library or environment.get("GLOSSATOR_LIBRARY")
    untrusted = None if chosen else project.in_force(user_config())[1]
    folder, found = settings(library, environment=environment)
    of_models = tuple(s for s in found if s.key.name.startswith("model."))
    values = {s.key.name.replace(".", "_"): s.value for s in found if s.key.name != "library" and s not in of_models}
    return Settings(library=folder, untrusted=untrusted, model=of_models, **values)  # type: ignore[arg-type]


def settings(
    library: Path | None = None, *, environment: Mapping[str, str] = os.environ
) -> tuple[Path, tuple[Setting, ...]]:
    """Return the library's folder and every setting in force with its source, in the order of `KEYS`.

    Raises: as `load`.
    """
    user = read_file(user_config())
    variables = _from_environment(environment)
    within = None if library or "library" in variables else project.in_force(user_config())[0]
    of_project = {"library": str(within.library)} if within else {}
    named = library or (user | of_project | variables).get("library") or default_library()
    folder = Path(os.path.abspath(os.path.expanduser(str(named))))
    layers: tuple[tuple[Source, Mapping[str, Value]], ...] = (
        ("environment", variables),
        ("project", of_project),
        ("library", _harmless(folder / CONFIG_FILE)),
        ("user", user),
    )
    found = {key.name: _in_force(key, layers) for key in KEYS}
    source = "command line" if library else found["library"].source
    found["library"] = Setting(_BY_NAME["library"], str(folder), source)
    return folder, tuple(found.values())


def _harmless(path: Path) -> dict[str, Value]:
    """Return what a library's file sets, without what only the person at the keyboard may decide."""
    found = read_file(path)
    for name, value in list(found.items()):
        sends = name == "embedder" and str(value).partition(":")[0] in SENDING
        sends = sends or (name == "model.model" and not _STAYING.fullmatch(str(value)))
        if _BY_NAME[name].user_only or sends:
            log.warning("%s: %s = %r is ignored; set it with `glossator config set` or a variable", path, name, value)
            del found[name]
    return found


def _in_force(key: Key, layers: Iterable[tuple[Source, Mapping[str, Value]]]) -> Setting:
    for source, values in layers:
        if key.name in values:
            return Setting(key, values[key.name], source)
    return Setting(key, key.default, "default")


def lookup(name: str) -> Key:
    """Return the setting of that name.

    Raises:
        UsageError: there is none; the hint names those there are.
    """
    if name not in _BY_NAME:
        raise UsageError(f"no setting is called {name!r}", hint="known settings: " + ", ".join(_BY_NAME))
    return _BY_NAME[name]


def read_file(path: Path) -> dict[str, Value]:
    """Return the settings of one file by dotted name; a file that is not there holds none.

    Names that are no settings are logged as a warning and left out: a newer version may have written them.

    Raises: as `load`.
    """
    flat = dict(_flatten({name: value for name, value in read_table(path).items() if name != project.TABLE}))
    for name in flat.keys() - _BY_NAME.keys():
        log.warning("%s: %r is not a setting of this version; known: %s", path, name, ", ".join(_BY_NAME))
    return {n: check(_BY_NAME[n], v, where=str(path)) for n, v in flat.items() if n in _BY_NAME}


def check(key: Key, value: object, *, where: str) -> Value:
    """Return `value` as the setting holds it.

    Raises:
        UsageError: it cannot have that value; the hint says which it can.
    """
    if key.bounds:
        low, high = key.bounds
        try:
            number = int(str(value))
        except ValueError:
            number = low - 1
        if isinstance(value, bool) or not low <= number <= high:
            raise UsageError(f"{where}: {key.name} cannot be {value!r}", hint=f"a whole number from {low} to {high}")
        return number
    if key.amount:
        return _amount(key, value, where)
    if key.listed and isinstance(value, list):
        value = ", ".join(map(str, value))
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{where}: {key.name} cannot be {value!r}", hint="a text between quotation marks")
    if key.names_variable and not _VARIABLE.fullmatch(value):  # perhaps the key itself, so it is not repeated
        raise UsageError(f"{where}: {key.name} is not the name of a variable", hint="its name, never the key itself")
    if key.choices and value not in key.choices:
        raise UsageError(f"{where}: {key.name} cannot be {value!r}", hint="one of " + ", ".join(key.choices))
    return value


def _amount(key: Key, value: object, where: str) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = 0.0
    if isinstance(value, bool) or not 0 < number < float("inf"):
        raise UsageError(f"{where}: {key.name} cannot be {value!r}", hint="a number above 0")
    return number


def several(value: str | None) -> list[str]:
    """Return the values of a setting that holds several, with commas between them."""
    return [v.strip() for v in (value or "").split(",") if v.strip()]


def write(path: Path, name: str, value: str) -> None:
    """Set one setting in a file, which is replaced as a whole; comments in it are lost.

    Raises:
        UsageError: no such setting, or not such a value.
        StoreError: the file cannot be written.
    """
    key = lookup(name)
    checked = check(key, value, where="config set")
    read_file(path)  # a broken file is reported, never overwritten
    table = read_table(path)
    *outer, last = name.split(".")
    inner = table
    for part in outer:
        inner = inner.setdefault(part, {})
    inner[last] = checked
    write_table(path, table)


def _from_environment(environment: Mapping[str, str]) -> dict[str, Value]:
    return {
        key.name: check(key, environment[key.variable], where=key.variable)
        for key in KEYS
        if key.variable and environment.get(key.variable)
    }


def _flatten(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    for name, value in table.items():
        pairs += _flatten(value, f"{prefix}{name}.") if isinstance(value, dict) else [(prefix + name, value)]
    return pairs
