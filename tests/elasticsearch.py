"""A real Elasticsearch for one test run, started by a script that lies beside the project (`run_servers` keeps it)."""

import json
import os
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests import run_servers
from tests.processes import ROOT
from tests.run_servers import ServerUnavailable

#: Holds `start [DIRECTORY] [PORT]`, which prints the address and password, and `stop [DIRECTORY]`.
SCRIPTS = ROOT.parent / "shared" / "elasticsearch"
START_TIMEOUT_S = 180
USER = "elastic"


@dataclass(frozen=True)
class Cluster:
    """Where the server of this run answers."""

    url: str
    password: str = ""
    username: str = USER

    @property
    def sign_in(self) -> dict[str, str]:
        """Return the settings that name the user; none where the server asks for none."""
        return {"username": self.username, "password": self.password} if self.password else {}

    def asking(self) -> httpx.Client:
        """Return a client of its own for what a test does behind the product's back."""
        return httpx.Client(base_url=self.url, auth=(self.username, self.password), timeout=60)


def find(directory: Path, *, owner_pid: int) -> Cluster:
    """Return the cluster that `ELASTICSEARCH_URL` names, or the run's own; raise `ServerUnavailable`."""
    if url := os.environ.get("ELASTICSEARCH_URL"):  # noqa: TID251 - a setting of the tests themselves
        return Cluster(url, os.environ.get("ELASTICSEARCH_PASSWORD", ""))  # noqa: TID251
    if not (SCRIPTS / "start").exists():
        raise ServerUnavailable("ELASTICSEARCH_URL names none, and none lies beside the project")
    told = json.loads(run_servers.start(directory, __file__, owner_pid=owner_pid, timeout_s=START_TIMEOUT_S))
    return Cluster(**told)


@dataclass(frozen=True)
class _Running:
    home: Path

    def runs(self) -> bool:
        return (self.home / "pid").exists()

    def stop(self) -> None:
        subprocess.run([SCRIPTS / "stop", self.home], check=False)


def _started(directory: Path) -> tuple[_Running, str]:
    if shutil.which("java") is None:
        raise ServerUnavailable("there is no Java (Debian: openjdk-17-jre-headless)")
    home = directory / "server"
    started = subprocess.run([SCRIPTS / "start", home, str(_free_port())], capture_output=True, text=True, check=False)
    if started.returncode != 0:
        raise ServerUnavailable(started.stderr.strip().splitlines()[-1] if started.stderr.strip() else "no reason told")
    told = dict(part.split("=", 1) for part in started.stdout.split() if "=" in part)
    found = {"url": told["ELASTICSEARCH_URL"], "password": told["ELASTICSEARCH_PASSWORD"]}
    return _Running(home), json.dumps(found)


def _free_port() -> int:
    """Return a port that is free, with the one that the server takes for itself."""
    for _ in range(100):
        with socket.socket() as http, socket.socket() as transport:
            http.bind(("127.0.0.1", 0))
            port = int(http.getsockname()[1])
            try:
                transport.bind(("127.0.0.1", port + 100))
            except (OSError, OverflowError):
                continue
            return port
    raise ServerUnavailable("no two free ports were found")


if __name__ == "__main__":
    run_servers.keep(Path(sys.argv[1]), _started, owner_pid=int(sys.argv[2]))
