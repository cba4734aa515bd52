"""The detector of blocking calls detects them: a test under `no_blocking` says something."""

import asyncio
import logging
import socket
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from blockbuster import BlockingError

from tests.fixtures.blocking import swallowed

log = logging.getLogger(__name__)


def sleep(_: Path) -> None:
    time.sleep(0.001)


def read_file(folder: Path) -> None:
    (folder / "page.md").read_text(encoding="utf-8")


def query(folder: Path) -> None:
    with sqlite3.connect(folder / "some.db") as connection:
        connection.execute("SELECT 1")


def talk(_: Path) -> None:
    here, there = socket.socketpair()
    with here, there:
        here.sendall(b"hello")
        there.recv(5)


BLOCKING = (sleep, read_file, query, talk)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "page.md").write_text("# Page", encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("no_blocking")
@pytest.mark.parametrize("call", BLOCKING)
async def test_a_blocking_call_on_the_loop_raises(call: Callable[[Path], None], folder: Path) -> None:
    with pytest.raises(BlockingError):
        call(folder)


@pytest.mark.usefixtures("no_blocking")
@pytest.mark.parametrize("call", BLOCKING)
async def test_the_same_call_in_a_thread_does_not(call: Callable[[Path], None], folder: Path) -> None:
    await asyncio.to_thread(call, folder)


@pytest.mark.usefixtures("no_blocking")
async def test_one_that_was_caught_and_logged_is_found(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def careless() -> None:
        try:
            sleep(folder)
        except BlockingError as error:
            raise LookupError from error

    try:
        await careless()
    except LookupError:
        log.exception("it goes on")
    assert swallowed(caplog.records) == ["Blocking call to time.sleep"]
    caplog.clear()  # or the fixture would fail this test, as it should
