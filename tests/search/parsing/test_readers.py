"""The desk itself reads no foreign file: the libraries that do are loaded in other processes, which come and go."""

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from search.parsing.apart.exchange import Unreadable
from search.parsing.apart.readers import FileReaders, ReaderLimits
from search.parsing.converted import Converted, Kind
from tests.processes import ROOT

READING_LIBRARIES = ("docx", "lxml", "openpyxl", "pypdfium2", "selectolax")


def children() -> set[str]:
    """Return the reading processes of this one, as the system tells them."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, state = (folder / "cmdline").read_bytes(), (folder / "stat").read_text()
        except OSError:
            continue
        if b"search.parsing.apart.program" in command and state.rpartition(")")[2].split()[1] == str(_own()):
            found.add(folder.name)
    return found


def _own() -> int:
    return int(Path("/proc/self").resolve().name)


def test_the_desk_loads_no_library_that_reads_files() -> None:
    script = "import sys, bot.server, bot.compose; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert not set(READING_LIBRARIES) & set(done.stdout.split())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_processes_start_with_the_first_file_are_kept_and_end() -> None:
    before = children()  # of other tests
    with FileReaders(ReaderLimits(processes=2)) as readers:
        assert children() <= before
        files = [(Kind.TEXT, f"File {number}.".encode()) for number in range(6)]
        assert [found.markdown for found in readers.read(files) if isinstance(found, Converted)] == [
            f"File {number}." for number in range(6)
        ]
        first = children() - before
        assert 1 <= len(first) <= 2
        readers.read(files)
        assert first <= children()
    assert not first & children()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_closing_ends_a_file_that_is_being_read_and_starts_no_process_any_more() -> None:
    before = children()
    readers = FileReaders(ReaderLimits(processes=1))
    slow = (Kind.HTML, b"<p>" + b"<div>" * 400_000)
    with ThreadPoolExecutor() as threads:
        reading = threads.submit(readers.read, [slow, (Kind.TEXT, b"Never reached.")])
        while not children() - before:
            time.sleep(0.01)
        readers.close()
        first, second = reading.result()

    assert isinstance(first, Unreadable)
    assert isinstance(second, Unreadable)
    assert not children() - before


def test_a_process_that_breaks_down_is_replaced() -> None:
    deep = b"<p>" + b"<div>" * 400_000
    with FileReaders(ReaderLimits(processes=1, seconds=1.5)) as readers:
        found = readers.read([(Kind.HTML, deep), (Kind.TEXT, b"still there")])
    assert isinstance(found[0], Unreadable)
    assert found[1] == Converted(markdown="still there")


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of processor time")
def test_a_reader_that_nobody_waits_for_ends_by_itself() -> None:
    slow = b"<p>" + b"<div>" * 400_000
    asked = json.dumps({"kind": Kind.HTML, "size": len(slow), "path": "", "charset": ""}).encode() + b"\n"
    memory_mb, seconds, most_text = "1000", "1", "1000000"
    ended = subprocess.run(
        [sys.executable, "-m", "search.parsing.apart.program", memory_mb, seconds, most_text],
        cwd=ROOT,
        input=asked + slow,
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert ended.returncode == -signal.SIGXCPU
    assert ended.stdout == b""


def test_what_a_file_says_is_data_whatever_it_says() -> None:
    text = 'line\n{"unreadable": "no"}\n\u2028\x85"\\'
    with FileReaders(ReaderLimits(processes=1)) as readers:
        (found,) = readers.read([(Kind.HTML, f"<pre>{text}</pre>".encode())])
    assert isinstance(found, Converted)
    assert '{"unreadable": "no"}' in found.markdown
