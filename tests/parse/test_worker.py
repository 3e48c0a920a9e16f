"""The pool, with a parser that does harm: it is installed as any other parser is, by an entry point."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from glossator.errors import Cancelled, DamagedFile, EncryptedFile, LimitExceeded, NotFound
from glossator.parse import parse
from glossator.parse.worker import Limits, Pool
from tests.parse.books import files, write

posix = pytest.mark.skipif(os.name != "posix", reason="resource limits and signals are POSIX")

HARM = """
import os, socket, subprocess, sys, time
from glossator.errors import EncryptedFile

class Harm:
    suffixes = frozenset({".harm"})

    def read(self, path):
        what = path.read_text()
        if what == "abort": os.abort()
        if what == "hang": time.sleep(60)
        if what == "spin":
            while True: pass
        if what == "eat":
            kept = []
            while True: kept.append(bytearray(50_000_000))
        if what == "exit": os._exit(3)
        if what == "raise": raise RuntimeError("a defect")
        if what == "locked": raise EncryptedFile(f"{path}: locked", hint="unlock it")
        if what == "print": print("noise" * 1000); sys.stderr.write("more noise\\n" * 1000)
        if what == "socket": socket.create_connection(("127.0.0.1", 9))
        if what == "resolve": socket.getaddrinfo("example.org", 80)
        if what == "process": subprocess.run(["true"])
        if what == "write": (path.parent / "written").write_text("x" * 100)
        if what == "remove": path.unlink()
        if what == "lie": os.write(3, b"not json\\n")
        from glossator.document.model import Metadata, ParseReport
        from glossator.parse.html import canonical
        from glossator.parse.publication import Part, Reflowable
        root, _ = canonical("<p>" + ("x" * 3_000_000 if what == "long" else what) + f" {os.getpid()}</p>")
        return Reflowable(format="harm", metadata=Metadata(title="t"), parts=(Part(href="a", root=root),),
                          navigation=(), report=ParseReport(parser="harm/1"))

parser = Harm()
"""


@pytest.fixture
def harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for files, with the parser for `.harm` installed for child processes."""
    site = tmp_path / "site"
    (site / "harm-1.dist-info").mkdir(parents=True)
    (site / "harm.py").write_text(HARM)
    (site / "harm-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: harm\nVersion: 1\n")
    (site / "harm-1.dist-info" / "entry_points.txt").write_text("[glossator.parsers]\nharm = harm:parser\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    return tmp_path


def asked(folder: Path, what: str) -> Path:
    path = folder / f"{what}.harm"
    path.write_text(what)
    return path


def process_of(text: str) -> int:
    return int(text.rpartition(" ")[2])


def test_a_document_crosses_whole(tmp_path: Path) -> None:
    book = write(tmp_path / "b.epub", files())
    with Pool() as pool:
        assert pool.parse(book) == parse(book)


@posix
def test_names_that_are_no_text_cross_too_and_can_be_printed(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.epub")
    with Pool() as pool:
        assert "First words." in pool.parse(write(tmp_path / name, files())).text
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(DamagedFile, match=r"caf%E9\.epub"):
            pool.parse(tmp_path / name)


def test_errors_cross_with_their_kind_message_and_hint(harm: Path) -> None:
    with Pool() as pool:
        with pytest.raises(EncryptedFile, match=r"locked\.harm: locked") as caught:
            pool.parse(asked(harm, "locked"))
        assert caught.value.hint == "unlock it"
        with pytest.raises(NotFound, match=r"gone\.txt"):
            pool.parse(harm / "gone.txt")


@posix
def test_a_crash_is_that_files_error_and_the_next_file_is_read(harm: Path) -> None:
    with Pool() as pool:
        with pytest.raises(DamagedFile, match=r"abort\.harm.*crashed \(SIGABRT\)"):
            pool.parse(asked(harm, "abort"))
        with pytest.raises(DamagedFile, match=r"exit\.harm.*crashed \(exit code 3\)"):
            pool.parse(asked(harm, "exit"))
        assert pool.parse(asked(harm, "fine")).text.startswith("fine")


def test_a_defect_is_that_files_error_without_a_traceback(harm: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Pool() as pool, caplog.at_level("INFO"):
        with pytest.raises(
            DamagedFile, match=r"raise\.harm: the reader failed on it \(RuntimeError: a defect\)"
        ) as caught:
            pool.parse(asked(harm, "raise"))
        assert "Traceback" not in str(caught.value)
        assert "Traceback" in caplog.text
        assert pool.parse(asked(harm, "fine")).text.startswith("fine")


def test_a_parse_that_hangs_is_stopped_after_its_time(harm: Path) -> None:
    started = time.monotonic()
    with Pool(Limits(wall_seconds=1)) as pool, pytest.raises(LimitExceeded, match=r"hang\.harm.*1 seconds"):
        pool.parse(asked(harm, "hang"))
    assert time.monotonic() - started < 10


@posix
def test_processor_time_is_counted_for_each_file(harm: Path) -> None:
    with Pool(Limits(cpu_seconds=1)) as pool:
        with pytest.raises(LimitExceeded, match=r"spin\.harm.*processor time"):
            pool.parse(asked(harm, "spin"))
        for _ in range(2):
            assert pool.parse(asked(harm, "fine")).text.startswith("fine")


def test_a_parse_that_eats_memory_is_stopped(harm: Path) -> None:
    with Pool(Limits(memory_bytes=600 << 20)) as pool:
        with pytest.raises(LimitExceeded, match=r"eat\.harm.*memory"):
            pool.parse(asked(harm, "eat"))
        assert pool.parse(asked(harm, "fine")).text.startswith("fine")


def test_output_is_capped(harm: Path) -> None:
    with Pool(Limits(output_bytes=1 << 20)) as pool:
        with pytest.raises(LimitExceeded, match=r"long\.harm.*larger than one document"):
            pool.parse(asked(harm, "long"))
        assert pool.parse(asked(harm, "fine")).text.startswith("fine")


def test_what_a_parser_prints_disturbs_nothing(harm: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Pool() as pool:
        assert pool.parse(asked(harm, "print")).text.startswith("print")
    assert capfd.readouterr() == ("", "")


@posix
def test_a_false_reply_is_that_files_error(harm: Path) -> None:
    with Pool() as pool, pytest.raises(DamagedFile, match=r"lie\.harm"):
        pool.parse(asked(harm, "lie"))


def test_a_parser_reaches_no_network_starts_no_process_and_changes_no_file(harm: Path) -> None:
    with Pool() as pool:
        for what in ("socket", "resolve", "process", "write", "remove"):
            with pytest.raises(DamagedFile, match="PermissionError: a parse may not"):
                pool.parse(asked(harm, what))
    assert not (harm / "written").exists()
    assert (harm / "remove.harm").exists()


def test_a_child_serves_many_files_and_is_then_replaced(harm: Path) -> None:
    fine = asked(harm, "fine")
    with Pool(recycle_after=2) as pool:
        ids = [process_of(pool.parse(fine).text) for _ in range(4)]
    assert ids[0] == ids[1] != ids[2] == ids[3]
    assert not any(psutil.pid_exists(i) for i in ids)


def test_cancelling_stops_a_parse_at_once(harm: Path) -> None:
    started = time.monotonic()
    with Pool() as pool, pytest.raises(Cancelled):
        pool.parse(asked(harm, "hang"), cancel=lambda: True)
    assert time.monotonic() - started < 5


def test_several_threads_parse_side_by_side(harm: Path) -> None:
    fine, found = asked(harm, "fine"), []
    with Pool() as pool:
        threads = [threading.Thread(target=lambda: found.append(pool.parse(fine).text)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 3


@posix
def test_an_idle_child_that_was_killed_is_replaced_silently(harm: Path) -> None:
    fine = asked(harm, "fine")
    with Pool() as pool:
        os.kill(process_of(pool.parse(fine).text), signal.SIGKILL)
        time.sleep(0.2)
        assert pool.parse(fine).text.startswith("fine")


@posix
def test_children_end_with_the_process_that_started_them_and_are_deaf_to_ctrl_c(harm: Path) -> None:
    code = (
        "import sys, threading, time; from pathlib import Path; from glossator.parse.worker import Pool\n"
        "pool = Pool(); print(pool.parse(Path(sys.argv[1])).text, flush=True)\n"
        "threading.Thread(target=lambda: pool.parse(Path(sys.argv[2])), daemon=True).start(); time.sleep(60)"
    )
    args = [sys.executable, "-c", code, str(asked(harm, "fine")), str(asked(harm, "hang"))]
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(process_of(parent.stdout.readline().strip()))
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert child.is_running()
        assert os.getpgid(child.pid) != os.getpgid(parent.pid)
        parent.kill()
    child.wait(timeout=10)
