"""A real Prometheus and Alertmanager: a rule fires and the desk diagnoses; the rule ends, the incident closes."""

import asyncio
import json
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from features.diagnosis.alerts import PATH
from identity.actor import local_operator
from tests.browser.house import served
from tests.console.site import site
from tests.scenarios.incident import SECRET, write_incident

T = TypeVar("T")
SERVERS = ("prometheus", "prometheus-alertmanager")
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, SERVERS)), reason=f"not installed: apt-get install {' '.join(SERVERS)}"
)
#: What fires at once: a value that is always there, with the labels that say where it belongs.
RULE = {
    "alert": "KubePodCrashLooping",
    "expr": "vector(1)",
    "labels": {"namespace": "shop", "app": "checkout"},
    "annotations": {"summary": "A pod of checkout keeps crashing."},
}
#: Seconds after which waiting for a server is given up.
PATIENCE_S = 60.0


async def test_a_rule_that_fires_becomes_an_incident_that_ends_with_it(tmp_path: Path) -> None:
    operator = local_operator()
    write_incident(tmp_path)
    async with site(tmp_path) as made, served(made.desk) as address:
        observe = made.desk.observe
        async with alerting(tmp_path, f"{address}{PATH}") as stop_firing:
            (line,) = await until(lambda: observe.reports(operator))
            report = await observe.report(operator, line.id)
            (incident,) = await observe.incidents(operator)
            assert [each.name for each in incident.firing] == ["KubePodCrashLooping"]
            assert line.door == "alert"
            assert "OOM_KILLED" in {issue.rule for issue in report.report.issues}

            await stop_firing()
            (ended,) = await until(lambda: closed(made.desk.observe.incidents(operator)))
            assert [each.firing for each in ended.alerts] == [False]

        assert len(await observe.reports(operator)) == 1


async def closed(found: Awaitable[tuple[T, ...]]) -> tuple[T, ...]:
    incidents = await found
    return () if any(getattr(each, "firing", ()) for each in incidents) else incidents


async def until(look: Callable[[], Awaitable[tuple[T, ...]]]) -> tuple[T, ...]:
    """Look until there is something."""
    async with asyncio.timeout(PATIENCE_S):
        while not (found := await look()):  # noqa: ASYNC110 - servers of others have no event for it
            await asyncio.sleep(0.1)
    return found


@asynccontextmanager
async def alerting(folder: Path, url: str) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Run both servers; what is yielded takes the rule away."""
    rules, ports = folder / "rules.json", (_free_port(), _free_port(), _free_port())
    prometheus, manager, cluster = ports
    write(rules, {"groups": [{"name": "pods", "interval": "1s", "rules": [RULE]}]})
    write(
        folder / "prometheus.yml",
        {
            "global": {"evaluation_interval": "1s"},
            "rule_files": [str(rules)],
            "alerting": {"alertmanagers": [{"static_configs": [{"targets": [f"127.0.0.1:{manager}"]}]}]},
        },
    )
    hook = {
        "url": url,
        "send_resolved": True,
        "http_config": {"authorization": {"type": "Bearer", "credentials": SECRET}},
    }
    write(
        folder / "alertmanager.yml",
        {
            "route": {"receiver": "desk", "group_by": ["alertname"], "group_wait": "0s", "group_interval": "1s"},
            "receivers": [{"name": "desk", "webhook_configs": [hook]}],
        },
    )
    commands = (
        (
            "prometheus-alertmanager",
            f"--config.file={folder / 'alertmanager.yml'}",
            f"--storage.path={folder / 'alertmanager'}",
            f"--web.listen-address=127.0.0.1:{manager}",
            f"--cluster.listen-address=127.0.0.1:{cluster}",
        ),
        (
            "prometheus",
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'prometheus'}",
            f"--web.listen-address=127.0.0.1:{prometheus}",
            "--web.enable-lifecycle",
            "--rules.alert.resend-delay=1s",
        ),
    )
    running = [
        await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        for command in commands
    ]

    async def stop_firing() -> None:
        write(rules, {"groups": [{"name": "pods", "interval": "1s", "rules": [{**RULE, "expr": "vector(1) > 2"}]}]})
        running[1].send_signal(signal.SIGHUP)  # it reads its files again

    try:
        yield stop_firing
    finally:
        for process in running:
            process.terminate()
            await process.wait()


def write(path: Path, value: object) -> None:
    """Write a file of settings: JSON is YAML, too."""
    path.write_text(json.dumps(value), encoding="utf-8")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
