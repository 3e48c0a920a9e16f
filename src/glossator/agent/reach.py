"""How far tools reach beyond the library: folders, addresses, log-ins, skills; all by the person's own settings.

A path that a model names is resolved first, links and all, and must then lie in one of the folders. Hidden files and
the library's own folder are never reached, nor is a file that is a document of which something is hidden.
"""

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from glossator.agent.skills import Skill, skills_in
from glossator.config import Settings, several
from glossator.errors import NotFound, UsageError

if TYPE_CHECKING:
    from glossator.agent.desk import Desk

PERMISSIONS = ("files", "web", "shell", "system", "data")
QUERY = "{query}"  # where the words stand in the address of a search engine
_ADDRESS = re.compile(r"https?://[^\s<>\"“”）)\]}，。；、]+", re.IGNORECASE)
_LOGIN = re.compile(r"(https?://\S+)\s+([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Login:
    """Where a log-in is asked for: its address, and the variable that holds what is sent there."""

    url: str
    variable: str

    @property
    def host(self) -> str:
        """Return the host that it opens."""
        return host_of(self.url)


class Keys:
    """What log-ins of a run gave: headers by host. No tool shows them."""

    def __init__(self) -> None:
        self._headers: dict[str, Mapping[str, str]] = {}
        self._lock = threading.Lock()

    def open(self, host: str, headers: Mapping[str, str]) -> None:
        """Keep the headers that open a host."""
        with self._lock:
            self._headers[host] = dict(headers)

    def headers(self, host: str) -> Mapping[str, str] | None:
        """Return the headers that open a host, or None before the log-in."""
        with self._lock:
            return self._headers.get(host)


class Known:
    """The addresses that came up in a run, from the person, a search or a page: none that a model made up."""

    def __init__(self) -> None:
        self._addresses: set[str] = set()
        self._lock = threading.Lock()

    def add(self, text: str) -> None:
        """Take the addresses out of a text."""
        with self._lock:
            self._addresses.update(_plain(url) for url in _ADDRESS.findall(text))

    def holds(self, url: str) -> bool:
        """Return whether an address came up, whatever part of the page it leads to."""
        with self._lock:
            return _plain(url) in self._addresses


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What the settings name. `engine` is an address with `{query}`; `apis` may be called on this machine, too."""

    folders: tuple[Path, ...] = ()
    engine: str | None = None
    apis: tuple[str, ...] = ()
    logins: tuple[Login, ...] = ()
    skills: tuple[Skill, ...] = ()
    keys: Keys = field(default_factory=Keys)
    known: Known = field(default_factory=Known)

    def login_for(self, url: str) -> Login | None:
        """Return the log-in that an address needs, or None."""
        host = host_of(url)
        return next((login for login in self.logins if login.host == host), None)

    def may_be_local(self, url: str) -> bool:
        """Return whether the person named this server: only then may it be one of this machine."""
        named = [*self.apis, *(login.url for login in self.logins), *([self.engine] if self.engine else [])]
        return host_of(url) in {host_of(n) for n in named}


def permitted(settings: Settings) -> frozenset[str]:
    """Return what the settings permit tools to reach.

    Raises:
        UsageError: a permission that there is none of.
    """
    allowed = several(settings.tools_allow)
    for name in allowed:
        if name not in PERMISSIONS:
            raise UsageError(f"tools.allow: there is no {name!r}", hint="one or more of " + ", ".join(PERMISSIONS))
    return frozenset(allowed)


def reach_of(settings: Settings, *, folders: tuple[Path, ...] = ()) -> tuple[Reach, list[str]]:
    """Return the folders, addresses and skills that the settings name, and what is wrong with skills.

    `folders` are taken when the settings name none.

    Raises:
        UsageError: an address of a search engine or a log-in that is none.
    """
    engine = settings.tools_web_search
    if engine is not None and (QUERY not in engine or not engine.startswith(("http://", "https://"))):
        raise UsageError(f"tools.web_search: {engine!r} is no address with {QUERY} in it", hint="set it again")
    skills, problems = skills_in(Path(settings.tools_skills).expanduser()) if settings.tools_skills else ([], [])
    reach = Reach(
        folders=tuple(Path(f).expanduser().absolute() for f in several(settings.tools_folders)) or folders,
        engine=engine,
        apis=tuple(several(settings.tools_apis)),
        logins=tuple(login_of(text) for text in several(settings.tools_logins)),
        skills=tuple(skills),
    )
    return reach, problems


def _plain(url: str) -> str:
    return url.strip().partition("#")[0].rstrip("/.,;:!?'\"").casefold()


def host_of(url: str) -> str:
    """Return scheme, host and port of an address, by which servers are told apart."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
        return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}"
    except ValueError:
        return ""


def login_of(text: str) -> Login:
    """Return a log-in as settings write it: `URL VARIABLE`.

    Raises:
        UsageError: it is not written so.
    """
    match = _LOGIN.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"tools.logins: {text!r} is not an address and a variable",
            hint="such as 'https://api.example.org/login EXAMPLE_LOGIN'; the variable holds the body that is sent",
        )
    return Login(match[1], match[2])


def inside(reach: Reach, desk: "Desk", path: str) -> Path:
    """Return the path that a model names, resolved; it need not exist.

    Raises:
        UsageError: it lies outside the folders, is hidden, or belongs to the library.
    """
    folders = [folder.resolve() for folder in reach.folders]
    if not folders:
        raise UsageError("no folder is open to tools", hint="tell the person")
    try:
        asked = Path(path).expanduser()
        found = (asked if asked.is_absolute() else folders[0] / asked).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a link in a circle, a zero byte
        raise UsageError(f"{path!r} is no path ({error})", hint="give one inside the folder") from error
    home = next((folder for folder in folders if found.is_relative_to(folder)), None)
    if home is None:
        raise UsageError(f"{path} is outside the folders that may be used", hint="list_files shows what is there")
    if any(part.startswith(".") for part in found.relative_to(home).parts):
        raise UsageError(f"{path} is hidden; hidden files are left alone", hint="use another file")
    if found.is_relative_to(desk.folder.resolve()):
        raise UsageError(f"{path} belongs to the library", hint="use `search` and `read_section` for what is in it")
    return found


def readable(reach: Reach, desk: "Desk", path: str) -> Path:
    """Return the path of a regular file that may be read.

    Raises:
        NotFound: there is no such file.
        UsageError: as `inside`, or it is no regular file, or a document of which something is hidden.
    """
    found = inside(reach, desk, path)
    if not found.exists():
        raise NotFound(f"{path}: there is no such file", hint="list_files shows what is there")
    if not found.is_file():
        raise UsageError(f"{path} is no regular file", hint="list_files shows what is in a folder")
    if desk.veil.active:
        from glossator.sources.files import sha256

        if desk.veil.covers(sha256(found)):
            raise UsageError(
                f"{path} is a document that is not read to its end yet", hint="read it with `read_section`"
            )
    return found


def shown(reach: Reach, path: Path) -> str:
    """Return a path as a model is told it: from its folder on."""
    for folder in reach.folders:
        if path.is_relative_to(folder.resolve()):
            return str(path.relative_to(folder.resolve())) or "."
    return path.name
