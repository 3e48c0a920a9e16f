"""The evaluation material: every file ends in a document or a clear error, hostile ones in their own process."""

from pathlib import Path

import pytest

from glossator.document.codec import document_from_json, document_to_json
from glossator.errors import DamagedFile, EncryptedFile, GlossatorError, LimitExceeded
from glossator.parse.blocks import document_of
from glossator.parse.pdf import read
from glossator.parse.worker import Limits, Pool
from tests.data_folder import DATA, needs_data

PDFS = sorted((DATA / "parsing" / "pdf").glob("*.pdf")) if DATA else []
HOSTILE = DATA / "hostile" / "pdf" if DATA else Path()


@needs_data
@pytest.mark.parametrize("path", PDFS, ids=lambda p: p.stem)
def test_a_file_becomes_a_document_or_a_clear_error(path: Path) -> None:
    try:
        document = document_of(read(path))
    except GlossatorError as caught:
        error = caught
    else:
        error = None
    if error:
        assert path.name in error.message
        assert error.hint
        return
    assert document_from_json(document_to_json(document)).text == document.text
    assert all(document.text[b.start : b.end] == b.text for b in document.blocks if b.start is not None)
    assert document.metadata.title
    assert document.pages


@needs_data
def test_hostile_files_end_in_a_document_or_an_error_and_the_pool_goes_on() -> None:
    with Pool(Limits(memory_bytes=1 << 30, cpu_seconds=20, wall_seconds=60)) as pool:
        assert pool.parse(HOSTILE / "hugepage.pdf").text == ""
        with pytest.raises(EncryptedFile, match=r"user_pw\.pdf.*password"):
            pool.parse(HOSTILE / "user_pw.pdf")
        with pytest.raises(DamagedFile, match=r"trunc\.pdf"):
            pool.parse(HOSTILE / "trunc.pdf")
        with pytest.raises((LimitExceeded, DamagedFile), match=r"flatebomb\.pdf"):
            pool.parse(HOSTILE / "flatebomb.pdf")
        assert len(pool.parse(HOSTILE / "owner_only.pdf").text) > 10_000
