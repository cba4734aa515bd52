"""A real Prometheus, started on loopback over the metrics that were recorded, where Prometheus is installed.

It is ready in a tenth of a second and holds 45 MB, so that each recording has a server of its own: two recordings may
tell of the same pods.
"""

import asyncio
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx

from queries.observe.sources.asking import Endpoint, HttpAsker, NoCredentials
from queries.observe.sources.prometheus import PrometheusReader
from storage.clock import Clock

_READY_S = 20.0
_GOES_S = 5.0
_STARTS = 3  # a port that was free may be taken before the server takes it


class PrometheusFailed(Exception):
    """Prometheus is installed and did not start, or did not take the metrics; the text is what it said."""


def prometheus_installed() -> bool:
    """Say whether `prometheus` and `promtool` can be started. Reads the disk."""
    return shutil.which("prometheus") is not None and shutil.which("promtool") is not None


@asynccontextmanager
async def recorded_metrics(metrics: Path, clock: Clock) -> AsyncIterator[PrometheusReader | None]:
    """Yield a reader of the metrics of an OpenMetrics file; None without the file, or where no Prometheus is installed.

    Raise `PrometheusFailed` when it does not take the file.
    """
    if not await asyncio.to_thread(lambda: metrics.is_file() and prometheus_installed()):
        yield None
        return
    async with serving(metrics) as url:
        asker = HttpAsker(Endpoint(url), NoCredentials(), clock)
        try:
            yield PrometheusReader(asker)
        finally:
            await asker.close()


@asynccontextmanager
async def serving(metrics: Path) -> AsyncIterator[str]:
    """Yield the address of a Prometheus that holds an OpenMetrics file; raise `PrometheusFailed` as above."""
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="dutydesk-prometheus-"))
    try:
        await _load(metrics, folder)
        async with _started(folder) as url:
            yield url
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _load(metrics: Path, folder: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        "promtool",
        "tsdb",
        "create-blocks-from",
        "openmetrics",
        str(metrics),
        str(folder / "data"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    if process.returncode:
        raise PrometheusFailed(said.decode("utf-8", "replace")[-500:])


@asynccontextmanager
async def _started(folder: Path) -> AsyncIterator[str]:
    await asyncio.to_thread((folder / "empty.yml").write_text, "")
    for _ in range(_STARTS):
        port = _free_port()
        process = await asyncio.create_subprocess_exec(
            "prometheus",
            f"--config.file={folder / 'empty.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            "--storage.tsdb.retention.time=100y",
            f"--web.listen-address=127.0.0.1:{port}",
            "--log.level=error",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            if await _is_ready(f"http://127.0.0.1:{port}", process):
                yield f"http://127.0.0.1:{port}"
                return
        finally:
            await _end(process)
    raise PrometheusFailed("prometheus did not become ready")


async def _is_ready(url: str, process: asyncio.subprocess.Process) -> bool:
    """Return whether it answers before it ends."""
    try:
        async with asyncio.timeout(_READY_S), httpx.AsyncClient(trust_env=False) as client:
            while process.returncode is None:
                with suppress(httpx.TransportError):
                    if (await client.get(f"{url}/-/ready")).is_success:
                        return True
                await asyncio.sleep(0.03)
    except TimeoutError:
        pass
    return False


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(_GOES_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
