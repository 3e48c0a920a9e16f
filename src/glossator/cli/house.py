"""Commands that keep house: many questions at once, models, health, settings."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glossator import config, project
from glossator.cli import show, telling
from glossator.cli.bringing import stoppable
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import EMBEDDER, WORDS_ONLY
from glossator.cli.parser import Parser, spec
from glossator.errors import GlossatorError, NotFound, SourceError, UsageError


@dataclass(frozen=True, slots=True)
class SettingList:
    """Settings in force, with where each comes from."""

    settings: tuple[config.Setting, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `config list`."""
        return {"settings": [s.to_json() for s in self.settings]}


@dataclass(frozen=True, slots=True)
class TrustList:
    """Folders whose settings are trusted; after `config trust`, the one that was."""

    trusted: tuple[project.Trusted, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `config trust`."""
        return {"trusted": [t.to_json() for t in self.trusted]}


def batch(call: Call) -> int:
    """Answer JSON lines of reading commands, one line each, in order."""
    given = call.arguments
    try:
        with call.library() as library:
            for answer in library.batch(_lines(given.file)):
                call.output.json(answer.to_json())
    except KeyboardInterrupt:  # each line printed is whole; there is nothing to add
        return 130
    return 0


def _lines(file: str) -> Iterator[str]:
    """Yield the lines of a file or of stdin; undecodable bytes become U+FFFD and fail their own line only."""
    try:
        if file == "-":
            yield from (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
        else:
            with Path(file).open(encoding="utf-8", errors="replace") as stream:
                yield from stream
    except FileNotFoundError as error:
        raise NotFound(f"{file}: no such file", hint="check the path, or use - for stdin") from error
    except OSError as error:
        raise SourceError(f"{file}: {error.strerror}", hint="check that it is a file you may read") from error


def doctor(call: Call) -> Answer:
    """Check the library; exit 1 when a check failed, 130 when a repair was stopped."""
    from glossator.library.backup import schedule_of
    from glossator.library.upkeep import Check, Diagnosis

    with stoppable() as stopped:
        try:
            with call.library() as library, call.output.progress() as progress:
                result = library.doctor(call.arguments.repair, progress=progress, cancel=stopped)
                result = Diagnosis((*result.checks, library.backups.check(schedule_of(call.settings))))
        except UsageError:
            raise
        except GlossatorError as error:
            result = Diagnosis((Check("library", "failed", error.message, error.hint),))
        interrupted = stopped()
    return Answer(result, show.diagnosis, 130 if interrupted else 0 if result.ok else 1)


def config_list(call: Call) -> Answer:
    """List all settings, and where each value comes from."""
    return Answer(SettingList(config.settings(call.arguments.library)[1]), show.settings)


def config_get(call: Call) -> Answer:
    """Show one setting."""
    config.lookup(call.arguments.key)
    found = config.settings(call.arguments.library)[1]
    return Answer(next(s for s in found if s.key.name == call.arguments.key), show.setting)


def config_set(call: Call) -> Answer:
    """Set one setting in the user's file, or in the library's."""
    given = call.arguments
    key = config.lookup(given.key)
    if given.this_library and key.user_only:
        raise UsageError(
            f"{key.name} is yours alone, not a library's",
            hint="leave out --this-library: a library may come from others",
        )
    path = call.settings.library / config.CONFIG_FILE if given.this_library else config.user_config()
    config.write(path, given.key, given.value)
    return config_get(call)


def config_trust(call: Call) -> Answer:
    """Trust the settings of a folder, or list what is trusted."""
    given = call.arguments
    if given.list:
        return Answer(TrustList(project.listed(config.user_config())), telling.trusted)
    return Answer(TrustList((project.trust(config.user_config(), given.folder),)), telling.trusted)


def config_untrust(call: Call) -> Answer:
    """Trust the settings of a folder no longer."""
    project.untrust(config.user_config(), call.arguments.folder)
    return Answer(TrustList(project.listed(config.user_config())), telling.trusted)


FOLDER = spec("folder", nargs="?", type=Path, metavar="DIR", help="the folder; else the nearest one that has some")
KEY = spec("key", metavar="KEY", help="a setting; `glossator config list` shows them all")


def _batch(parser: Parser) -> None:
    parser.add(spec("file", metavar="FILE", help="JSON Lines of requests; - reads stdin"), WORDS_ONLY)


def _config_set(parser: Parser) -> None:
    parser.add(
        KEY,
        spec("value", metavar="VALUE", help="its new value"),
        spec("--this-library", action="store_true", help="for this library only, in its own config.toml"),
    )


COMMANDS = (
    Command(name="batch", summary="Answer many requests, one JSON line each.", run=batch, options=_batch),
    Command(
        name="doctor",
        summary="Check the library, and repair what is derived.",
        run=doctor,
        options=lambda p: p.add(
            spec("--repair", action="store_true", help="rebuild what is derived from the documents"), EMBEDDER
        ),
    ),
    Command(name="config list", summary="List all settings.", run=config_list),
    Command(name="config get", summary="Show one setting.", run=config_get, options=lambda p: p.add(KEY)),
    Command(name="config set", summary="Change one setting.", run=config_set, options=_config_set),
    Command(
        name="config trust",
        summary="Let a folder's .glossator name the library used in it.",
        run=config_trust,
        options=lambda p: p.add(FOLDER, spec("--list", action="store_true", help="list the folders that are trusted")),
    ),
    Command(
        name="config untrust",
        summary="Take that back.",
        run=config_untrust,
        options=lambda p: p.add(FOLDER),
    ),
)
