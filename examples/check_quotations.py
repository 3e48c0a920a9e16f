"""Check a draft: which of its quotations stand in the book, word for word, and which do not.

Usage: python examples/check_quotations.py LIBRARY_FOLDER
"""

import sys
from pathlib import Path

import glossator

BOOK = Path(__file__).parent / "the-time-machine.epub"
DRAFT = [
    "These Eloi were mere fatted cattle, which the ant-like Morlocks preserved and preyed upon",
    "these eloi were mere fatted cattle, which the antlike Morlocks preserved",
    "The Eloi were never fatted cattle",
]

with glossator.open(sys.argv[1]) as library:
    library.add(BOOK)
    for quotation in DRAFT:
        found = library.locate(quotation)
        repairs = f" ({', '.join(found.repairs)})" if found.repairs else ""
        print(f"{found.status}{repairs}: {quotation[:60]}")
