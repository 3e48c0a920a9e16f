"""The kinds of long work that a client can ask for, by name: what each does with the library."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.library.results import IngestEvent
from glossator.server.analysing import ANALYSES, analysing

if TYPE_CHECKING:
    from glossator.library.library import Library

Json = dict[str, Any]
Tell = Callable[[IngestEvent], None]
Work = Callable[["Library", Json, Tell, Callable[[], bool]], Json]


def add(library: "Library", given: Json, tell: Tell, cancelled: Callable[[], bool]) -> Json:
    """Read files, folders, pages and kept texts into the library; `names` are what uploaded files are called."""
    from glossator.library.originals import Item

    options = {k: given[k] for k in ("collection", "profile", "glob", "wait") if given.get(k) is not None}
    items = [Item(Path(i["path"]), i["source"]) for i in given.get("items", [])]
    result = library.add([*given.get("paths", []), *items], progress=tell, cancel=cancelled, **options)
    names = given.get("names", {})
    told = result.to_json()
    for entry in told["documents"]:
        title = names.get(entry["source"])
        if title is not None and entry["status"] == "failed":
            Path(entry["source"]).unlink(missing_ok=True)  # an upload that is no document is not kept
        if title and entry["id"] and entry["status"] in ("added", "updated", "quarantined"):
            stem = Path(entry["source"]).stem
            nameless = not entry["title"] or entry["title"].casefold().replace(" ", "") == stem.casefold()
            if nameless or entry["source"].startswith(TEXT):
                entry["title"] = library.edit(entry["id"], title=title).view.entry.title
    return told


def scan(library: "Library", given: Json, tell: Tell, cancelled: Callable[[], bool]) -> Json:
    """Add what is new in the folder of a collection."""
    return library.shelves.scan(given["collection"], progress=tell, cancel=cancelled).to_json()


def repair(library: "Library", given: Json, tell: Tell, cancelled: Callable[[], bool]) -> Json:  # noqa: ARG001
    """Check the library, and rebuild what is derived."""
    return library.doctor(repair=True, progress=tell, cancel=cancelled).to_json()


def backup(library: "Library", given: Json, tell: Tell, cancelled: Callable[[], bool]) -> Json:
    """Make a backup: of a file that is named, else in the folder that is set; `changed`: only if one is still due."""
    from glossator import config
    from glossator.library.backup import schedule_of

    schedule = schedule_of(config.load(library.database.folder))
    if given.get("changed") is not None:
        due = library.backups.keep_up(schedule, changed=given["changed"], progress=tell, cancel=cancelled)
        return {"backup": None if due is None else due.to_json()}
    paths = given.get("paths")
    made = (
        library.backups.make(Path(paths[0]), progress=tell, cancel=cancelled)
        if paths
        else library.backups.into_folder(schedule, progress=tell, cancel=cancelled)
    )
    return {"backup": made.to_json()}


TEXT = "text://"
ASKING: Mapping[str, Work] = {kind: analysing(kind) for kind in ANALYSES}
KINDS: Mapping[str, Work] = {"add": add, "scan": scan, "repair": repair, "backup": backup, **ASKING}
