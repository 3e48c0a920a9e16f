"""Mark words, add a thought, and print the note with its link as Markdown.

Usage: python examples/notes_to_markdown.py LIBRARY_FOLDER
"""

import sys
from pathlib import Path

import glossator

BOOK = Path(__file__).parent / "the-time-machine.epub"

with glossator.open(sys.argv[1]) as library:
    document = library.add(BOOK).documents[0]
    library.notes.add(document.id, quote="mere fatted cattle", body="The turn of the whole book.", tags=["turn"])
    for note in library.notes.list(docs=[document.id]).notes:
        print(f"> {note.quote}\n\n{note.body}\n")
        print(f"— {note.document.title}, tags: {', '.join(note.tags)}")
