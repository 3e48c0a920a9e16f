"""What is known of a file from elsewhere when its document is written: earlier imports, and a `metadata.opf` beside it.

Called for every document that is added, so it costs a look into a table and one at the folder.
"""

import os
from collections.abc import Sequence

import apsw

from glossator.store.merging import awaited_facts


def describe(c: apsw.Connection, key: int, sha256: str, sources: Sequence[str]) -> None:
    """Give a document that was just written what is known of it; what a person corrected stays."""
    if awaited_facts(c, sha256) is not None:
        from glossator.library.exchange.merge import claim

        claim(c, key, sha256)
    for source in sources:
        if os.path.isfile(os.path.join(os.path.dirname(source), "metadata.opf")):
            from glossator.library.exchange.metadata import apply
            from glossator.library.exchange.opf import beside

            reference = beside(source)
            if reference is not None:
                apply(c, key, reference)
