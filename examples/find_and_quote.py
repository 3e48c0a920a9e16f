"""Find a passage, and quote it with a link that `glossator verify` can check later.

Usage: python examples/find_and_quote.py LIBRARY_FOLDER
"""

import sys
from pathlib import Path

import glossator

BOOK = Path(__file__).parent / "the-time-machine.epub"

with glossator.open(sys.argv[1]) as library:
    library.add(BOOK)
    for hit in library.search("fatted cattle", k=2).hits:
        place = hit.locator
        print(f"{hit.document.title}, {' › '.join(place.section_path)}")
        print(f"“{hit.text[:160]}…”")
        print(f"(glossator://document/{hit.document.id}?start={place.start}&end={place.end})\n")
