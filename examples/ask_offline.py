"""Ask a question; the answer is made of the book's own sentences, each checked, and needs no language model.

Usage: python examples/ask_offline.py LIBRARY_FOLDER
"""

import sys
from pathlib import Path

import glossator

TEXT = Path(__file__).parent / "journey-to-the-west.txt"

with glossator.open(sys.argv[1]) as library:
    library.add(TEXT)
    answer = library.ask("如意金箍棒有多重？")
    print(answer.text)
    for citation in answer.citations:
        print(citation.n, citation.status, citation.locator.start, citation.locator.end)
