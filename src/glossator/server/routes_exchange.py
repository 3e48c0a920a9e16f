"""What leaves a library as a file, and what comes in: exports, conversations, imports, backups."""

import asyncio
import io
import tempfile
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from glossator.errors import GlossatorError, StoreError, UsageError
from glossator.library.backup import schedule_of
from glossator.server import uploads
from glossator.server.answers import answer, described, problems
from glossator.server.house import House
from glossator.server.options import Name
from glossator.server.routes_documents import UPLOAD, WHOLE, Uncapped, UpTo, bound_of

if TYPE_CHECKING:
    from glossator.library.exchange.results import Imported

Json = dict[str, Any]
Format = Literal["markdown", "json", "obsidian", "w3c", "csv", "bibtex"]
KINDS: Mapping[str, tuple[str, str]] = {
    "markdown": ("text/markdown; charset=utf-8", "md"),
    "json": ("application/json", "json"),
    "obsidian": ("application/zip", "zip"),
    "w3c": ("application/ld+json", "jsonld"),
    "csv": ("text/csv; charset=utf-8", "csv"),
    "bibtex": ("text/x-bibtex; charset=utf-8", "bib"),
}
COUNTS: Json = {"added": 2, "updated": 0, "unchanged": 1, "removed": 0, "failed": 0}
IMPORTED: Json = {"format": "json", "notes": COUNTS, "links": {"added": 0}, "documents": {}, "skipped": {}}
BACKUP: Json = {"path": "/disk/glossator-x-20260102T030405Z.backup", "bytes": 4_711, "made": "2026-01-02T03:04:05Z"}
Names = Annotated[list[Name], Query(max_length=1_000)]
FILE: dict[int | str, Json] = {200: {"description": "The file", "content": WHOLE}, **problems(404, 409)}


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api")
    _add_export(made, house)
    _add_session(made, house)
    _add_import(made, house)
    _add_backups(made, house)
    return made


def _add_export(made: APIRouter, house: House) -> None:
    library = house.library

    @made.get("/export/file", tags=["notes"], operation_id="export_file", response_class=Response, responses=FILE)
    def export(
        format: Annotated[Format, Query()] = "markdown",
        doc: Names = [],  # noqa: B006
        collection: Names = [],  # noqa: B006
        tag: Names = [],  # noqa: B006
        up_to: UpTo = None,
        uncapped: Uncapped = False,
    ) -> Response:
        """Return notes as a file to keep; for Obsidian a ZIP archive with a page for each document."""
        wanted: Json = {"docs": doc, "collections": collection, "tags": tag, "bound": bound_of(up_to, uncapped)}
        kind, suffix = KINDS[format]
        if format == "obsidian":
            data = _packed(house, wanted)
        else:
            data = (library.exchange.export(format, **wanted).content or "").encode("utf-8", "surrogatepass")
        return _download(data, kind, f"glossator-notes.{suffix}")


def _packed(house: House, wanted: Json) -> bytes:
    """Return the pages of an Obsidian export as an archive."""
    with tempfile.TemporaryDirectory(prefix="glossator-") as name:
        folder = FilePath(name) / "glossator"
        house.library.exchange.write(folder, "obsidian", **wanted)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for page in sorted(folder.rglob("*.md")):
                archive.write(page, page.relative_to(folder.parent).as_posix())
    return packed.getvalue()


def _add_session(made: APIRouter, house: House) -> None:
    @made.get(
        "/sessions/{session}/export", tags=["chat"], operation_id="export_session", response_class=Response,
        responses=FILE,
    )  # fmt: skip
    def export(
        session: Annotated[str, Path(max_length=1_000)],
        format: Annotated[Literal["json", "markdown"], Query()] = "json",
        doc: Names = [],  # noqa: B006
        up_to: UpTo = None,
        uncapped: Uncapped = False,
    ) -> Response:
        """Return a session with all of its messages as a file to keep."""
        bound = bound_of(up_to, uncapped)
        made_ = house.library.sessions.export(session, form=format, docs=doc, bound=bound)
        kind, suffix = KINDS[format]
        return _download((made_.content or "").encode("utf-8", "surrogatepass"), kind, f"glossator-session.{suffix}")


def _add_import(made: APIRouter, house: House) -> None:
    @made.post(
        "/import",
        tags=["notes"],
        operation_id="import",
        response_class=Response,
        openapi_extra=UPLOAD,
        responses=described((*IMPORTED, "problems"), {**IMPORTED, "problems": []}, errors=(415, 503)),
    )
    async def take_in(
        request: Request,
        name: Annotated[Name | None, Query(description="The file's name, where the body is the file.")] = None,
    ) -> Response:
        """Take in notes of this or another program, or metadata: all of a file, or on an error nothing."""
        with tempfile.TemporaryDirectory(prefix="glossator-") as folder:
            async with uploads.sent(request, name) as files:
                if len(files) != 1:
                    raise UsageError("one file is taken in at a time", hint="send them one after another")
                called, pieces = files[0]
                came = FilePath(folder) / (uploads.plain_name(called) or "import")
                size = 0
                with came.open("wb") as file:
                    async for piece in pieces:
                        size += file.write(piece)
            if not size:
                raise UsageError("no file came", hint="send it as multipart/form-data, or as the body with ?name=")
            found = await asyncio.to_thread(_loaded, house, came)
        return answer(found.to_json())


def _loaded(house: House, path: FilePath) -> "Imported":
    """Take a file in; what is said of it calls it by its name."""
    try:
        return house.library.exchange.load(path)
    except GlossatorError as error:
        error.message = error.message.replace(str(path), path.name)
        raise


def _add_backups(made: APIRouter, house: House) -> None:
    @made.get(
        "/backups",
        tags=["server"],
        operation_id="backups",
        response_class=Response,
        responses=described(
            ("path", "backups", "problem"),
            {"path": "/disk", "backups": [{**BACKUP, "verified": "2026-01-02T03:04:09Z"}], "problem": None},
        ),
    )
    def backups() -> Response:
        """Return the backups in the folder that is set, the newest first; none counts that was not proven."""
        schedule = schedule_of(house.settings())
        told: Json = {"path": None if schedule.folder is None else str(schedule.folder), "backups": [], "problem": None}
        if schedule.folder is not None:
            try:
                told["backups"] = [_backup(p) for p in reversed(house.library.backups.made(schedule))]
            except StoreError as error:
                told["problem"] = error.to_json()
        return answer(told)


def _backup(path: FilePath) -> Json:
    from glossator.library.backup.schedule import made_at

    status = path.stat()
    proven = datetime.fromtimestamp(status.st_mtime, UTC)
    return {"path": str(path), "bytes": status.st_size, "made": _time(made_at(path)), "verified": _time(proven)}


def _time(when: datetime) -> str:
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"


def _download(data: bytes, kind: str, name: str) -> Response:
    return Response(data, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
