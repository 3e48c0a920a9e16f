"""Which backup is due, what it is called, and which ones go. Times are UTC, so a day has no gaps."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from glossator.errors import StoreError, UsageError
from glossator.library.upkeep import Check

if TYPE_CHECKING:
    from glossator.config import Settings

STAMP = "%Y%m%dT%H%M%SZ"
LATE = timedelta(days=2)  # after so long without a backup that was to be daily, something is wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How backups are to be made by themselves: where, whether, and how many stay."""

    folder: Path | None = None
    scheduled: bool = False
    keep: int = 7


def schedule_of(settings: "Settings") -> Schedule:
    """Return how backups are to be made by themselves, as it is set."""
    folder = Path(settings.backup_path).expanduser() if settings.backup_path else None
    return Schedule(folder=folder, scheduled=settings.backup_schedule == "on", keep=settings.backup_keep)


def place_of(schedule: Schedule) -> Path:
    """Return the folder for backups.

    Raises:
        UsageError: none is set.
        StoreError: it is not there, or its path is not absolute.
    """
    if schedule.folder is None:
        raise UsageError(
            "no folder for backups is set", hint="name a file, or set one: `glossator config set backup.path FOLDER`"
        )
    if not schedule.folder.is_absolute():
        raise StoreError(
            f"backup.path is {str(schedule.folder)!r}, and not an absolute path",
            hint="`glossator config set backup.path` with the whole path, so that it is one place from everywhere",
        )
    if not schedule.folder.is_dir():
        raise StoreError(
            f"the folder for backups {schedule.folder} is not there",
            hint="connect the disk it is on, or make the folder",
        )
    return schedule.folder


def name_of(library: str, now: datetime) -> str:
    """Return the file name of a backup made now."""
    return f"glossator-{library}-{now:{STAMP}}.backup"


def backups_in(folder: Path, library: str) -> list[Path]:
    """Return the backups of one library in a folder, oldest first."""
    form = re.compile(rf"glossator-{re.escape(library)}-\d{{8}}T\d{{6}}Z\.backup")
    return sorted(p for p in folder.iterdir() if form.fullmatch(p.name))


def made_at(path: Path) -> datetime:
    """Return when a backup was begun, as its name says; an incremental one keeps the name of its first day."""
    return datetime.strptime(path.stem.rpartition("-")[2], STAMP).replace(tzinfo=UTC)


def due(made: Sequence[Path], now: datetime, *, changed: bool) -> Literal["full", "incremental"] | None:
    """Return what is due: a full backup once a day, after that an incremental one when something changed."""
    if not made or made_at(made[-1]).date() != now.date():
        return "full"
    return "incremental" if changed else None


def beyond(made: Sequence[Path], keep: int) -> list[Path]:
    """Return those that go when the newest `keep` stay."""
    return list(made[: max(0, len(made) - keep)])


def check(schedule: Schedule, library: str, now: datetime) -> Check:
    """Return what `doctor` says of the backups of a library."""
    if schedule.folder is None:
        return Check("backup", "ok", "no folder for backups is set; `glossator backup PATH` makes one at any time")
    try:
        made = backups_in(place_of(schedule), library)
    except (StoreError, OSError) as error:
        hint = error.hint if isinstance(error, StoreError) else "check the disk and its permissions"
        return Check("backup", "warning", str(error), hint)
    if not made:
        return Check(
            "backup", "warning", f"no backup of this library in {schedule.folder}", "`glossator backup` makes one"
        )
    age = now - datetime.fromtimestamp(made[-1].stat().st_mtime, UTC)
    detail = f"{len(made)} in {schedule.folder}, the newest from {_ago(age)}"
    if schedule.scheduled and age > LATE:
        return Check("backup", "warning", detail, "`glossator backup` makes one now; see what `glossator add` warns of")
    return Check("backup", "ok", detail)


def _ago(age: timedelta) -> str:
    hours = max(0, int(age.total_seconds() // 3600))
    return "this hour" if hours == 0 else f"{hours} hours ago" if hours < 48 else f"{hours // 24} days ago"
