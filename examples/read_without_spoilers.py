"""Read a book chapter by chapter; what comes later stays out of every answer.

Usage: python examples/read_without_spoilers.py LIBRARY_FOLDER
"""

import sys
from pathlib import Path

import glossator

BOOK = Path(__file__).parent / "the-time-machine.epub"
QUESTION = "Why did the Morlocks keep the Eloi?"

with glossator.open(sys.argv[1]) as library:
    book = library.add(BOOK).documents[0].id
    for section in (5, 15):
        progress = library.progress(book, section=section)
        answer = library.ask(QUESTION, docs=[book])
        said = "nothing yet" if answer.abstained else answer.citations[0].quote
        print(f"read {progress.fraction:.0%}: {said}")
