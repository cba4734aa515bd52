"""Servers that all processes of one test run share: started by the first test that asks, gone when the run ends.

Each is kept by a process of its own that watches the run, so that not even a killed run leaves a server behind.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

READY = "ready"
PROBLEM = "problem"


@dataclass(frozen=True)
class Run:
    """One run of the tests, as one of its processes sees it."""

    folder: Path
    owner_pid: int
    worker: str = "main"


RUN = pytest.StashKey[Run]()


class ServerUnavailable(Exception):
    """There is no such server to test with; the words say why."""


class Server(Protocol):
    """A server that was started."""

    def runs(self) -> bool:
        """Say whether it is still there."""
        ...

    def stop(self) -> None:
        """End it and wait until it is gone."""
        ...


def start(directory: Path, keeper: str, *, owner_pid: int, timeout_s: float) -> str:
    """Return what the run's server told when it was ready; the first caller starts it, the others wait.

    `keeper` is a file that, run as a program with the directory and the owner, calls `keep`.
    """
    directory.mkdir(parents=True, exist_ok=True)
    directory.chmod(0o711)  # the server runs as another user when the tests run as root
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (directory / READY).exists() and not (directory / PROBLEM).exists():
            _launch(directory, keeper, owner_pid=owner_pid, timeout_s=timeout_s)
    if (directory / PROBLEM).exists():
        raise ServerUnavailable((directory / PROBLEM).read_text())
    return (directory / READY).read_text()


def keep(directory: Path, started: Callable[[Path], tuple[Server, str]], *, owner_pid: int) -> None:
    """Start the server, say so, and stop it when the owner is gone."""
    try:
        server, told = started(directory)
    except (ServerUnavailable, OSError, subprocess.CalledProcessError) as problem:
        (directory / PROBLEM).write_text(f"it cannot be started: {problem}")
        return
    (directory / f"{READY}.new").write_text(told)
    (directory / f"{READY}.new").rename(directory / READY)
    while _alive(owner_pid) and server.runs():
        time.sleep(0.2)
    server.stop()
    shutil.rmtree(directory, ignore_errors=True)
    remove_if_empty(directory.parent)


def remove_if_empty(directory: Path) -> None:
    """Remove the run's folder unless a server still has one in it."""
    try:
        directory.rmdir()
    except OSError:
        return


def _launch(directory: Path, keeper: str, *, owner_pid: int, timeout_s: float) -> None:
    command = [sys.executable, keeper, str(directory), str(owner_pid)]
    with (directory / "keeper.log").open("w") as log:
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}  # noqa: TID251 - handed on
        process = subprocess.Popen(
            command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, env=environment
        )
    process.returncode = 0  # it outlives this worker on purpose: the keeper watches the run itself
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if (directory / READY).exists() or (directory / PROBLEM).exists():
            return
        time.sleep(0.02)
    (directory / PROBLEM).write_text(f"it did not start within {timeout_s:.0f} s")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
