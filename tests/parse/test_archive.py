import struct
import zipfile
from pathlib import Path

import pytest

from glossator.errors import DamagedFile, EncryptedFile, LimitExceeded, NotFound, SourceError
from glossator.parse.archive import ArchiveLimits, open_archive

SMALL = ArchiveLimits(entries=10, entry_bytes=5000, total_bytes=8000, directory_bytes=2000, ratio=20, ratio_from=1000)


def made(path: Path, files: dict[str, bytes], *, packed: bool = True) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_entries_are_read_by_name_and_found_whatever_the_case(tmp_path: Path) -> None:
    with open_archive(made(tmp_path / "a.zip", {"Text/One.xml": b"1", "empty/": b"", "two": b"2"})) as archive:
        assert archive.names == ("Text/One.xml", "two")
        assert archive.find("text/one.XML") == "Text/One.xml"
        assert archive.find("three") is None
        assert "two" in archive
        assert archive.read("Text/One.xml") == b"1"
        with pytest.raises(DamagedFile, match="no 'three'"):
            archive.read("three")


def test_a_bomb_is_refused_when_it_is_read_and_its_neighbours_are_not(tmp_path: Path) -> None:
    path = made(tmp_path / "bomb.zip", {"bomb": b"0" * 4000, "book": b"text"})
    with open_archive(path, limits=SMALL) as archive:
        with pytest.raises(LimitExceeded, match="over 20 times its size"):
            archive.read("bomb")
        assert archive.read("book") == b"text"


def test_size_is_limited_for_each_entry_and_for_all_together(tmp_path: Path) -> None:
    path = made(tmp_path / "a.zip", {"large": b"x" * 5001, "a": b"x" * 4500, "b": b"x" * 4500}, packed=False)
    with open_archive(path, limits=SMALL) as archive:
        with pytest.raises(LimitExceeded, match="'large'"):
            archive.read("large")
        archive.read("a")
        with pytest.raises(LimitExceeded, match="together"):
            archive.read("b")


def test_a_declared_size_that_lies_does_not_get_past_the_cap(tmp_path: Path) -> None:
    path = made(tmp_path / "a.zip", {"x": b"x" * 4000 + bytes(range(256)) * 8})
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 10)  # uncompressed size, in the directory
    path.write_bytes(data)
    with open_archive(path, limits=SMALL) as archive, pytest.raises((LimitExceeded, DamagedFile)):
        archive.read("x")


def test_too_many_entries_or_too_large_a_directory_are_refused_before_they_are_parsed(tmp_path: Path) -> None:
    many = {f"{i}": b"" for i in range(11)}
    with pytest.raises(LimitExceeded, match="more than 10 files"):
        open_archive(made(tmp_path / "many.zip", many), limits=SMALL)
    with pytest.raises(LimitExceeded, match="directory"):
        open_archive(made(tmp_path / "names.zip", {f"{i}" * 900: b"" for i in range(3)}), limits=SMALL)


def test_what_is_no_archive_is_a_clear_error(tmp_path: Path) -> None:
    whole = made(tmp_path / "a.zip", {"x": b"x" * 1000})
    (tmp_path / "cut.zip").write_bytes(whole.read_bytes()[:-30])
    (tmp_path / "empty.zip").write_bytes(b"")
    for name in ("cut.zip", "empty.zip"):
        with pytest.raises(DamagedFile, match=name):
            open_archive(tmp_path / name)
    with pytest.raises(NotFound):
        open_archive(tmp_path / "missing.zip")
    with pytest.raises(SourceError):
        open_archive(tmp_path)


def test_a_damaged_entry_is_named(tmp_path: Path) -> None:
    path = made(tmp_path / "a.zip", {"x": b"some text that is long enough to be hit"}, packed=False)
    path.write_bytes(path.read_bytes().replace(b"some text", b"same text"))
    with open_archive(path) as archive, pytest.raises(DamagedFile, match="'x' cannot be unpacked"):
        archive.read("x")


def test_an_entry_under_a_password_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    path = made(tmp_path / "a.zip", {"x": b"secret"})
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    path.write_bytes(data)
    with open_archive(path) as archive, pytest.raises(EncryptedFile, match="password"):
        archive.read("x")
