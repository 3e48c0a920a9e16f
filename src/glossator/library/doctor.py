"""Is the library well? Each check says what it found and, where something is wrong, what to do."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from glossator.errors import GlossatorError
from glossator.library.originals import FOLDER
from glossator.library.prepare import Plan
from glossator.library.rebuild import original_of, stale, terms_of
from glossator.library.upkeep import Check
from glossator.store import documents as stored
from glossator.store import integrity
from glossator.store.chunks import pending_documents
from glossator.store.database import Database

REPAIR = "`glossator doctor --repair` makes it again"
HINTS = {
    "file": "copy the library folder away, then restore it from a backup; what reads well can be added again",
    "rows": REPAIR,
    "texts": f"{REPAIR}, from the files the documents were read from",
    "counts": REPAIR,
}
WHAT = {
    "file": "SQLite finds the file whole",
    "rows": "every row belongs to something",
    "texts": "every text is the one that positions count in",
    "counts": "chunks, postings and vectors are as many as noted",
}
LITTLE, TOO_LITTLE = 1 << 30, 100 << 20  # bytes of free space
NETWORK = {"nfs", "nfs4", "cifs", "smbfs", "smb3", "afpfs", "webdav", "fuse.sshfs", "fuse.rclone", "9p", "afs", "ceph"}
SYNCED = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "mobile documents": "iCloud Drive",
    "cloudstorage": "a cloud drive",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "syncthing": "Syncthing",
}
NAMED = 5


def examine(database: Database, plan: Plan) -> list[Check]:
    """Return all checks of a library, without changing anything."""
    checks = [_of_tables(database, name) for name in integrity.CHECKS]
    if checks[0].status == "failed":
        return [*checks, *_folder(database.folder)]
    checks += [_postings(database), _note_words(database), _originals(database), _leftovers(database)]
    checks += [_derived(database, plan), _vectors(database), *_models(database, plan)]
    return [*checks, *_folder(database.folder)]


def repaired(problems: Sequence[str]) -> Check:
    """Return what came of a repair."""
    if problems:
        return Check("repair", "warning", "; ".join(problems), "look at these documents, or add them again")
    return Check("repair", "ok", "derived data is made again where it was needed")


def broken(checks: Sequence[Check]) -> bool:
    """Tell whether derived data must be made again although nothing in it is out of date."""
    return any(c.name in ("rows", "counts", "postings") and c.status == "failed" for c in checks)


def _of_tables(database: Database, name: str) -> Check:
    try:
        with database.read() as c:
            found = integrity.CHECKS[name](c)
    except GlossatorError as error:
        return Check(name, "failed", error.message, error.hint)
    if found:
        return Check(name, "failed", "; ".join(found), HINTS[name])
    return Check(name, "ok", WHAT[name])


def _postings(database: Database) -> Check:
    """Count every term again: a second for about 2,000 passages."""
    from glossator.index.integrity import wrong_postings

    with database.read() as c:
        found = wrong_postings(c, terms_of)
    if found:
        return Check("postings", "failed", "; ".join(found[:NAMED]), REPAIR)
    return Check("postings", "ok", "the search index holds the words of the texts")


def _note_words(database: Database) -> Check:
    from glossator.index.annotations import wrong_words

    with database.read() as c:
        found = wrong_words(c)
    if found:
        return Check("notes", "failed", "; ".join(found), REPAIR)
    return Check("notes", "ok", "every note can be found by its words")


def _originals(database: Database) -> Check:
    """A missing original is no failure: the text stays searchable, but cannot be parsed again."""
    with database.read() as c:
        documents = stored.list_documents(c)
    gone = [d.title for d in documents if original_of(database, d) is None]
    if gone:
        return Check(
            "originals",
            "warning",
            f"{len(gone)} of {len(documents)} documents are not where they were read, or changed there: {_some(gone)}",
            "add them again from where they are now; until then their texts stay as they are",
        )
    return Check("originals", "ok", f"the files of all {len(documents)} documents are where they were read")


def _leftovers(database: Database) -> Check:
    with database.read() as c:
        known = {d.sha256 for d in stored.list_documents(c)}
    kept = database.folder / FOLDER
    extra = [p.name for p in sorted(kept.glob("*")) if p.name.split(".")[0] not in known] if kept.is_dir() else []
    if extra:
        return Check(
            "leftovers",
            "warning",
            f"{len(extra)} files in {kept} belong to no document: {_some(extra)}",
            "they may be deleted",
        )
    return Check("leftovers", "ok", "nothing lies in the library folder that belongs to no document")


def _derived(database: Database, plan: Plan) -> Check:
    old = [s.document.title for s in stale(database, plan)]
    if old:
        return Check(
            "derived",
            "warning",
            f"{len(old)} documents were read, cut or embedded by other settings: {_some(old)}",
            REPAIR,
        )
    return Check("derived", "ok", "texts, chunks and embedders are as this version and its settings make them")


def _vectors(database: Database) -> Check:
    with database.read() as c:
        waiting = pending_documents(c)
    if waiting:
        return Check(
            "vectors",
            "warning",
            f"{len(waiting)} documents wait for vectors and are found by words only",
            "`glossator doctor --repair` computes them, and so does the next `glossator add`",
        )
    return Check("vectors", "ok", "no document waits for vectors")


def _models(database: Database, plan: Plan) -> Iterator[Check]:
    with database.read() as c:
        used = {d.embedder for d in stored.list_documents(c) if d.embedder}
    wanted = {spec for language in ("en", None) if (spec := plan.choose(language))}
    for spec in sorted(used | wanted):
        try:
            plan.load(spec)
        except GlossatorError as error:
            yield Check(f"model {spec}", "failed" if spec in used else "warning", error.message, error.hint)
        else:
            yield Check(f"model {spec}", "ok", "its files are the pinned ones, and it loads")
    if not used | wanted and plan.setting == "none":
        yield Check("models", "ok", "search goes by words only, as it is set")
    elif not used | wanted:
        yield Check("models", "warning", "no embedder: search goes by words only", "pip install 'glossator[models]'")


def _folder(folder: Path) -> Iterator[Check]:
    yield _space(folder)
    for check in (_network, _synced):
        yield check(folder)


def _space(folder: Path) -> Check:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check("space", "warning", f"free space is not known ({error.strerror})", "look at the disk yourself")
    detail = f"{free / (1 << 30):.1f} GiB free"
    if free < TOO_LITTLE:
        return Check("space", "failed", detail, "free space on that disk before adding anything")
    return Check("space", "warning" if free < LITTLE else "ok", detail, "free some soon" if free < LITTLE else None)


def _network(folder: Path) -> Check:
    """SQLite's locks do not hold on most network file systems."""
    kind = file_system(folder)
    if kind in NETWORK:
        return Check(
            "file system",
            "warning",
            f"the library is on a network drive ({kind}), where two computers can damage it",
            "keep the library on a local disk; use it from one computer at a time until then",
        )
    return Check("file system", "ok", f"a local disk ({kind or 'of unknown kind'})")


def _synced(folder: Path) -> Check:
    service = synced_by(folder)
    if service:
        return Check(
            "sync",
            "warning",
            f"the library folder is synchronised by {service}, which may copy it in mid-write",
            "move the library to a folder that is not synchronised",
        )
    return Check("sync", "ok", "the folder is not synchronised by a known service")


def file_system(folder: Path) -> str:
    """Return the kind of file system a folder is on, "" when it cannot be told."""
    import psutil

    try:
        mounts = psutil.disk_partitions(all=True)
    except OSError:
        return ""
    resolved = folder.resolve()
    holding = [m for m in mounts if resolved.is_relative_to(m.mountpoint)]
    return max(holding, key=lambda m: len(m.mountpoint)).fstype.lower() if holding else ""


def synced_by(folder: PurePath) -> str | None:
    """Return the service that synchronises a folder, told by the names on its path."""
    for part in folder.parts:
        for name, service in SYNCED.items():
            if part.casefold() == name or part.casefold().startswith((name + " ", name + "-")):
                return service
    return None


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
