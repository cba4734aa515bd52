"""A folder with things that are no files: each is one line of the report, the rest is read, and nothing hangs."""

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from search.parsing.apart.readers import FileReaders
from search.sources.folder import FolderSource
from search.sources.walk import folder_access

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes")


@pytest.fixture
def readers() -> Iterator[FileReaders]:
    with FileReaders() as opened:
        yield opened


def make_odd(folder: Path) -> dict[str, str]:
    """Fill a folder with what is no file; return what is said of each."""
    (folder / "good.md").write_text("# Good\n\nText.\n")
    os.mkfifo(folder / "pipe.md")
    os.mkfifo(folder / "pipe.bin")
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(folder)  # the name of a socket is short
        try:
            made.bind("socket.pdf")
        finally:
            os.chdir(here)
    (folder / "nowhere.md").symlink_to("missing.md")
    (folder / "circle.md").symlink_to("circle.md")
    (folder / "out.md").symlink_to("/dev/zero")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md")).write_text("x")
    Path(os.fsdecode(os.fsencode(folder) + b"/d\xff")).mkdir()
    told = {
        "pipe.md": "a pipe",
        "pipe.bin": "a pipe",
        "socket.pdf": "a socket",
        "nowhere.md": "leads nowhere",
        "circle.md": "leads nowhere",
        "out.md": "leads out of the folder",
        "caf\\xe9.md": "no UTF-8",
        "d\\xff": "no UTF-8",
    }
    if os.geteuid() == 0:
        os.mknod(folder / "device.md", 0o600 | 0o020000, os.makedev(1, 5))  # /dev/zero
        told["device.md"] = "a device"
    return told


async def test_each_is_one_line_and_the_rest_is_read(tmp_path: Path, readers: FileReaders) -> None:
    expected = make_odd(tmp_path)
    source = FolderSource("odd", tmp_path, readers=readers)
    async with asyncio.timeout(60):
        listing = await source.listing()
        loaded = await source.load(sorted(listing.hashes))
    assert [page.document.path for page in loaded.pages] == ["good.md"]
    told = {problem.path: problem.what for problem in listing.problems}
    assert {path: what for path, what in expected.items() if what not in told.get(path, "")} == {}
    assert told.keys() == expected.keys()


async def test_a_file_that_becomes_a_pipe_after_the_walk_is_told(tmp_path: Path, readers: FileReaders) -> None:
    (tmp_path / "a.md").write_text("x")
    source = FolderSource("odd", tmp_path, readers=readers)
    listing = await source.listing()
    (tmp_path / "a.md").unlink()
    os.mkfifo(tmp_path / "a.md")
    async with asyncio.timeout(60):
        loaded = await source.load(list(listing.hashes))
    assert [problem.what for problem in loaded.problems] == ["cannot be read: it is a pipe, no file"]


async def test_folders_within_folders_end_somewhere(tmp_path: Path, readers: FileReaders) -> None:
    deep = tmp_path
    for _ in range(300):
        deep = deep / "a"
        deep.mkdir()
    (tmp_path / "good.md").write_text("Text.")
    listing = await FolderSource("deep", tmp_path, readers=readers).listing()
    assert list(listing.hashes) == ["good.md"]
    assert [problem.what for problem in listing.problems] == ["lies more than 100 folders deep and is left out"]


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("missing"), Path.mkdir])
def test_a_list_that_is_no_file_closes_the_folder(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / ".access.yaml")
    access = folder_access(tmp_path, ("staff",))
    assert access.allow == ()
    assert "only the operator" in access.problem


def test_a_list_that_means_harm_closes_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".access.yaml").write_text("allow: " + "[" * 32_000)
    access = folder_access(tmp_path, ("staff",))
    assert access.allow == ()
    assert "nested" in access.problem
