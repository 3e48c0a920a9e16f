"""`open`: the passage that a document, a note or a locator names, with what stands around it.

a document        where it was read last, else its beginning
n-…               a note, as it stands now
ID:START-END      the form in which passages are shown on a terminal; ID:START is the block there
glossator://…     a citation as exports write it
{…}               a locator as `search`, `locate` and `read` print it; where the text has changed since, the
                  passage is found again, or said to be lost
"""

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from glossator.errors import NotFound, UsageError
from glossator.library.note_reading import seen
from glossator.library.note_views import Note, Passage
from glossator.library.results import Bound
from glossator.store.annotations import MARK
from glossator.store.documents import find_documents
from glossator.store.progress import get_progress

if TYPE_CHECKING:
    from glossator.document.locator import Locator
    from glossator.library.library import Library

SCHEME = "glossator"
_SPAN = re.compile(r"(?P<document>[0-9a-z]{4,}):(?P<start>\d+)(?:[-:](?P<end>\d+))?")
Place = tuple[str, int | None, int | None]  # a document, and the span in it; None: where it was read last, its block


def open_passage(library: "Library", target: str, *, context: int, bound: Bound) -> Passage:
    """Return the passage that `target` names, with `context` blocks on each side.

    Raises:
        NotFound: nothing is called so, the place is outside the text or past the bound, or the passage is lost.
        UsageError: a locator that is none, or a negative context.
    """
    if context < 0:
        raise UsageError(f"a context of {context} blocks", hint="give 0 or more")
    target = target.strip()
    with library.database.read():
        note = _note(library, target, bound)
        if note is not None:
            return replace(_passage(library, _place_of_note(note), context, bound), note=note)
        return _passage(library, _place(library, target), context, bound)


def _note(library: "Library", target: str, bound: Bound) -> Note | None:
    """Return the note that `target` names; None when it names none, as a title may begin like an id, too."""
    if not target.lower().startswith(MARK):
        return None
    general = Bound(None, bound.uncapped) if isinstance(bound.up_to, int) else bound
    try:
        return library.notes.show(target, bound=general)
    except NotFound:
        with library.database.read() as c:
            if find_documents(c, target):
                return None
        raise


def _place_of_note(note: Note) -> Place:
    if note.locator is None:
        raise NotFound(
            f"note {note.id} is lost: its words, “{note.quote[:120]}”, are not where it was made",
            hint=f"`glossator note attach {note.id} --quote …` says where it belongs",
        )
    return note.document.id, note.locator.start, note.locator.end


def _place(library: "Library", target: str) -> Place:
    if target.startswith("{"):
        return _place_of_locator(library, target)
    if target.startswith(f"{SCHEME}:"):
        return _place_of_link(target)
    spanned = _SPAN.fullmatch(target)
    if spanned:
        start, end = spanned["start"], spanned["end"]
        return spanned["document"], int(start), None if end is None else int(end)
    return target, None, None


def _place_of_link(target: str) -> Place:
    parts = urlsplit(target)
    name = unquote(parts.path.strip("/").split("/")[0])
    asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    start, end = asked.get("start"), asked.get("end")
    if parts.netloc != "document" or not name or any(x is not None and not x.isdecimal() for x in (start, end)):
        raise UsageError(
            f"{target!r} is no address of a passage", hint="it looks like glossator://document/ID?start=10&end=20"
        )
    return name, None if start is None else int(start), None if end is None else int(end)


def _place_of_locator(library: "Library", target: str) -> Place:
    from glossator.document.locator import Locator

    try:
        data = json.loads(target)
    except json.JSONDecodeError as error:
        raise UsageError(
            f"not a locator: {error}", hint="pass a `locator` as search, locate or read print it"
        ) from error
    locator = Locator.from_json(data)
    return _as_it_is_now(library, locator)


def _as_it_is_now(library: "Library", locator: "Locator") -> Place:
    """Return the place of a locator in the present text, looked for in the whole of it; what is shown is clipped."""
    from glossator.document.locator import resolve

    whole = library.scope([locator.document], bound=Bound(uncapped=True))
    document = whole.only
    if document.text_version == locator.text_version:
        return document.id, locator.start, locator.end
    blocks = whole.reader.body(document.key, 0, document.characters)
    found = resolve(locator, text=whole.reader.text(document.key), text_version=document.text_version, blocks=blocks)
    if found.start is None:
        raise NotFound(
            f"the passage is not in the present text of “{document.title}”",
            hint="`glossator locate QUOTE` looks for its words in all documents",
        )
    return document.id, found.start, found.end


def _passage(library: "Library", place: Place, context: int, bound: Bound) -> Passage:
    name, start, end = place
    sight = seen(library, [name], (), bound)
    if not sight.documents:
        raise NotFound(f"{name!r} is not in the library any more", hint="add its file again; its notes were kept")
    (key,), reader = sight.documents, sight.reader
    opened = reader.open(key)
    if start is None:
        with library.database.read() as c:
            progress = get_progress(c, key)
        start = min(progress.position if progress else 0, max(0, opened.end - 1))
    if end is None:
        block = reader.around(key, start, 0)[0]
        start, end = block.start or 0, block.end or 0
    elif not start < end <= opened.document.characters:
        raise NotFound(
            f"the span {start}:{end} is outside “{opened.document.title}”",
            hint=f"its text has the positions 0 to {opened.document.characters}",
        )
    around = reader.around(key, start, context) + (reader.around(key, min(end, opened.end) - 1, context))
    text, locator = reader.excerpt(opened, start, end)
    first, last = (around[0].start or 0), max(block.end or 0 for block in around)
    return Passage(
        document=opened.ref,
        locator=locator,
        text=text,
        before=reader.text(key, min(first, start), start),
        after=reader.text(key, locator.end, max(last, locator.end)),
        notice=sight.notice,
    )
