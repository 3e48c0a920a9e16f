"""Re-checking quotations that left the library: each one is found again, or said not to be.

verified, repaired   the words stand in the document they are attributed to, or in any when nothing is claimed
misattributed        they stand in another document than claimed
not_found            they stand nowhere in the scope
document_missing     the document claimed is not in this library (any more), and the words are nowhere else
"""

from collections.abc import Sequence

import apsw

from glossator.library.claims import Claim
from glossator.library.findings import CheckedQuotation, CheckedStatus, Verdict
from glossator.library.locate import Place, find_in, locate
from glossator.library.reader import Reader
from glossator.store import documents as stored
from glossator.store.documents import StoredDocument


def check(reader: Reader, claims: Sequence[Claim]) -> list[CheckedQuotation]:
    """Return what became of each claim, in order."""
    with reader.database.read() as c:
        return [_check(reader, claim, _claimed(c, claim)) for claim in claims]


def _claimed(c: apsw.Connection, claim: Claim) -> StoredDocument | None:
    """Return the document that a claim names: by id, else by the hash of its file."""
    named = stored.find_documents(c, claim.document) if claim.document else []
    exact = next((d for d in named if d.id == claim.document), None)
    return exact or (stored.by_sha256(c, claim.sha) if claim.sha else None)


def _check(reader: Reader, claim: Claim, claimed: StoredDocument | None) -> CheckedQuotation:
    if claimed is not None:
        place = find_in(reader, claimed.key, claim.quote, near=claim.start)
        if place is not None:
            status: CheckedStatus = "repaired" if place.match.verdict == "repaired" else "verified"
            return _at(reader, claim, status, place)
    found = locate(reader, claim.quote)
    return CheckedQuotation(
        quote=claim.quote,
        status=_elsewhere(claim, claimed, found.status),
        claimed=claim.document,
        document=found.document,
        locator=found.locator,
    )


def _elsewhere(claim: Claim, claimed: StoredDocument | None, found: Verdict) -> CheckedStatus:
    if claim.document is None:
        return found
    if claimed is None:
        return "document_missing"
    return "not_found" if found == "not_found" else "misattributed"


def _at(reader: Reader, claim: Claim, status: CheckedStatus, place: Place) -> CheckedQuotation:
    return CheckedQuotation(
        quote=claim.quote,
        status=status,
        claimed=claim.document,
        document=place.opened.ref,
        locator=reader.locator(place.opened, place.match.start, place.match.end),
    )
