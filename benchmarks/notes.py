"""How fast notes are listed and searched: `python benchmarks/notes.py [notes]`, 100,000 over 50 documents.

An EPUB and a text of `examples/` and made-up documents with sections, a third of them Chinese; each note marks a
stretch of 40 to 300 characters, half have a body of words from elsewhere. Figures are milliseconds of wall time of the
façade with the JSON of a page of 50 notes: the median, in brackets the 90th percentile, then the CPU time, which is the
one to compare where other programs were busy. The baselines do the same in the same run with a scan: `like` over
quotation and body, and a filter over all rows.
"""

import hashlib
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

import apsw

from common import ROOT, record, summary, timed
from glossator.document.model import Section
from glossator.index.annotations import index_annotations
from glossator.library.library import Library
from glossator.store.annotations import Anchoring, Annotation, insert_annotation, new_id, set_anchor
from glossator.store.chunks import insert_chunks
from glossator.store.documents import full_text, insert_document, list_documents
from glossator.store.editions import edition_of
from glossator.store.links import Link, set_link
from made_library import documents

DOCUMENTS = 50
PAGE = 50
TIMES = 60
EACH = 6  # queries from each document
COMMON = 100  # most frequent words of a document that nobody looks for; the made-up texts have no stop words
COLORS = ("yellow", "green", "blue", "red", "purple")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rng = Random(11)
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder), embedder="none") as library:
        fill(library)
        start = perf_counter()
        queries = annotate(library, count // DOCUMENTS, rng)
        figures: dict[str, object] = {
            "notes": count,
            "documents": DOCUMENTS,
            "written, notes a second": round(count / (perf_counter() - start)),
            "file, MB": round(library.database.path.stat().st_size / 1e6, 1),
        }
        listing(library, rng, figures)
        searching(library, queries, rng, figures)
        record("notes", figures)


def fill(library: Library) -> None:
    """Add two real documents and made-up ones with a section for every second chunk."""
    library.add([str(ROOT / "examples" / "the-time-machine.epub"), str(ROOT / "examples" / "journey-to-the-west.txt")])
    for n, made in enumerate(documents(DOCUMENTS - 2)):
        points = [c.start for c in made.chunks][::2]
        ends = [*points[1:], len(made.document.text)]
        sections = tuple(
            Section(number=i, level=1, title=f"Section {i}", path=(f"Section {i}",), start=a, end=b)
            for i, (a, b) in enumerate(zip(points, ends, strict=True), 1)
        )
        sha = hashlib.sha256(str(n).encode()).hexdigest()
        with library.database.write() as c:
            key = insert_document(c, replace(made.document, sections=sections), sha256=sha, sources=[f"/books/{n}"])
            insert_chunks(c, key, made.chunks, made.segment())


def annotate(library: Library, each: int, rng: Random) -> list[tuple[int, str]]:
    """Write the notes, a document in one transaction; return queries with the document they are from."""
    queries: list[tuple[int, str]] = []
    with library.database.read() as c:
        texts = {d.key: full_text(c, d.key) for d in list_documents(c)}
    everything = list(texts.values())
    for key, text in texts.items():
        with library.database.write() as c:
            keys = [note(c, key, text, rng, everything) for _ in range(each)]
            index_annotations(c, keys)
            for one, other in zip(keys[::10], keys[5::10], strict=False):
                set_link(c, Link(one, other, "related", "2026-01-01T00:00:00Z"))
        queries += [(key, query) for query in asked_of(text, rng)]
    return queries


def asked_of(text: str, rng: Random) -> list[str]:
    """Return what a person may look for: one to three words that stand close together, or two to five characters."""
    common = {word for word, _ in Counter(text.lower().split()).most_common(COMMON)}
    found: list[str] = []
    while len(found) < EACH:
        at = rng.randrange(len(text) - 400)
        stretch = text[at : at + 300]
        if sum(c > "\u2e7f" for c in stretch) > 100:
            run = re.search("[\u4e00-\u9fff]{2,5}", stretch[rng.randrange(200) :])
            found += [run[0]] if run else []
        else:
            words = [w for w in re.findall(r"[^\W\d_]+", stretch)[1:-1] if w.lower() not in common]
            found.append(" ".join(words[: rng.randrange(1, 4)]))
    return [query for query in found if query]


def note(c: apsw.Connection, document: int, text: str, rng: Random, others: list[str]) -> int:
    start = rng.randrange(len(text) - 310)
    end = start + rng.randrange(40, 300)
    other = rng.choice(others)
    at = rng.randrange(len(other) - 200)
    body = other[at : at + rng.randrange(40, 200)] if rng.random() < 0.5 else ""
    home = edition_of(c, document)
    time = f"2026-{rng.randrange(1, 12):02}-{rng.randrange(1, 28):02}T12:00:00Z"
    made = Annotation(
        id=new_id(),
        home=home,
        quote=text[start:end],
        before=text[max(0, start - 256) : start],
        after=text[end : end + 256],
        locator={"start": start, "end": end, "quote": {"exact": text[start:end], "prefix": "", "suffix": ""}},
        body=body,
        color=rng.choice(COLORS),
        tags=(f"tag {rng.randrange(40)}",),
        created=time,
        updated=time,
    )
    key = insert_annotation(c, made)
    set_anchor(
        c, key, home, Anchoring(state="exact", score=1.0, start=start, end=end, text_version=version(c, document))
    )
    return key


def version(c: apsw.Connection, document: int) -> str:
    return str(c.execute("select text_version from content where document = ?", (document,)).fetchall()[0][0])


def listing(library: Library, rng: Random, figures: dict[str, object]) -> None:
    ids = [d.id for d in library.documents().documents]
    epub = library.identify("The Time Machine")
    notes = library.notes

    def page(doc: str, **options: object) -> str:
        return json.dumps(notes.list(docs=[doc], limit=PAGE, **options).to_json(), ensure_ascii=False)  # type: ignore[arg-type]

    figures["list by document"] = ms(lambda: page(rng.choice(ids)))
    figures["list by document, an EPUB with its CFIs"] = ms(lambda: page(epub))
    figures["list by document and tag"] = ms(lambda: page(rng.choice(ids), tags=["tag 7"]))
    figures["list by document, page 20"] = ms(lambda: page(rng.choice(ids), offset=950))
    figures["the newest of the library"] = ms(lambda: json.dumps(notes.list(limit=PAGE).to_json()))
    figures["a note by its id"] = ms(lambda: notes.show(notes.list(limit=1, offset=rng.randrange(5_000)).notes[0].id))
    figures["all notes of one document"] = ms(lambda: json.dumps(notes.list(docs=[rng.choice(ids)]).to_json()), 5)
    figures["all notes of the library"] = ms(lambda: json.dumps(notes.list().to_json()), 1, 0)
    figures["baseline: list by document, all rows filtered"] = ms(lambda: scan(library, rng.choice(ids)), 10)


def scan(library: Library, doc: str) -> list[tuple[object, ...]]:
    """A listing as without any index: every row is looked at, sorted in Python."""
    with library.database.read() as c:
        found = c.execute(
            "select a.*, e.id, n.start from annotation a join anchor n on n.annotation = a.key"
            " join edition e on e.key = +n.edition where +e.id = ?",
            (doc,),
        ).fetchall()
    return sorted(found, key=lambda row: int(str(row[-1])))[:PAGE]


def searching(library: Library, queries: list[tuple[int, str]], rng: Random, figures: dict[str, object]) -> None:
    with library.database.read() as c:
        ids = {d.key: d.id for d in list_documents(c)}

    def inside(found: tuple[int, str]) -> str:
        return asked(found[1], (ids[found[0]],))

    def asked(query: str, docs: tuple[str, ...] = ()) -> str:
        return json.dumps(library.notes.list(query=query, docs=docs, limit=PAGE).to_json(), ensure_ascii=False)

    def like(query: str) -> list[tuple[object, ...]]:
        with library.database.read() as c:
            tests = " and ".join("(quote like ? or body like ?)" for _ in query.split())
            values = [f"%{word}%" for word in query.split() for _ in range(2)]
            return c.execute(
                f"select * from annotation where {tests} order by created desc limit 50", values
            ).fetchall()

    figures["search"] = ms(lambda: asked(rng.choice(queries)[1]), 3 * TIMES)
    figures["search in one document"] = ms(lambda: inside(rng.choice(queries)), 3 * TIMES)
    figures["search for one Chinese character"] = ms(lambda: asked("石"))
    figures["baseline: search by like"] = ms(lambda: like(rng.choice(queries)[1]), 20)


def ms(run: Callable[[], object], times: int = TIMES, warm: int = 3) -> str:
    """Return median and 90th percentile of wall time, and the median of the CPU time of this process."""
    used: list[float] = []

    def counted() -> None:
        start = process_time()
        run()
        used.append(process_time() - start)

    took = summary(timed(counted, times=times, warm=warm))
    return f"{took['median'] * 1e3:.2f} ({took['p90'] * 1e3:.2f}), CPU {median(used) * 1e3:.2f}"


if __name__ == "__main__":
    main()
