"""Credentials from a program that a kubeconfig names (`exec`), run when they are needed and kept until they end."""

import asyncio
import json
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.sources.asking import ClientCertificate, Presented
from queries.observe.sources.credentials import bearer
from storage.clock import Clock
from storage.ids import JsonObject
from storage.redaction.stored import redact

_MOST_BYTES = 1_000_000
_GONE_S = 2.0
#: Seconds before their end at which credentials are asked for anew.
_AHEAD = timedelta(seconds=30)


@dataclass(frozen=True)
class Plugin:
    """The program and how it is called."""

    command: str
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)  # beside the desk's own
    version: str = "client.authentication.k8s.io/v1"


class PluginCredentials:
    """Runs the program; only one of it at a time."""

    def __init__(self, plugin: Plugin, clock: Clock, *, timeout_s: float = 15.0) -> None:
        self._plugin = plugin
        self._clock = clock
        self.timeout_s = timeout_s
        self._held: Presented | None = None
        self._until: datetime | None = None
        self._running = asyncio.Lock()

    async def present(self, *, again: bool = False) -> Presented:
        """Return what the program last said, while it holds; raise `ReadFailed`."""
        before = self._held
        async with self._running:
            replaced = again and self._held is not before  # another request has just asked anew
            ended = self._until is not None and self._clock.now() >= self._until - _AHEAD
            if self._held is None or ended or (again and not replaced):
                self._held, self._until = await self._asked()
            return self._held

    async def _asked(self) -> tuple[Presented, datetime | None]:
        said = await self._output()
        try:
            status = json.loads(said)["status"]
            until = status.get("expirationTimestamp")
            return _presented(status), datetime.fromisoformat(until) if until else None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self._failed("its answer is no ExecCredential") from error

    async def _output(self) -> bytes:
        info = {"apiVersion": self._plugin.version, "kind": "ExecCredential", "spec": {"interactive": False}}
        further = {**self._plugin.environment, "KUBERNETES_EXEC_INFO": json.dumps(info)}
        try:
            # `env` adds to the environment without our reading it.
            process = await asyncio.create_subprocess_exec(
                "env",
                *(f"{name}={value}" for name, value in further.items()),
                self._plugin.command,
                *self._plugin.arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,  # so that what it has started ends with it
            )
        except (OSError, ValueError) as error:
            raise self._failed(str(error)) from error
        assert process.stdout  # noqa: S101 - it is a pipe
        assert process.stderr  # noqa: S101 - it is a pipe
        try:
            async with asyncio.timeout(self.timeout_s):
                said, complaint = await asyncio.gather(_all_of(process.stdout), _all_of(process.stderr))
                code = await process.wait()
        except TimeoutError as error:
            raise self._failed(f"no answer in {self.timeout_s:g} s", FailureKind.TIMED_OUT) from error
        finally:
            await _end(process)
        if code:
            raise self._failed(redact(complaint.decode("utf-8", "replace"))[:200])
        return said

    def _failed(self, detail: str, kind: FailureKind = FailureKind.UNAUTHORIZED) -> ReadFailed:
        return ReadFailed(kind, f"the program {self._plugin.command}", detail=" ".join(detail.split()))


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the program with all that it has started."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(TimeoutError):  # something may have left its group and hold the pipe
            async with asyncio.timeout(_GONE_S):
                await process.communicate()  # to the end of its pipes, which closes them


async def _all_of(stream: asyncio.StreamReader) -> bytes:
    """Return what a program writes, and let it write on past what is kept."""
    kept = bytearray()
    while chunk := await stream.read(65_536):
        kept += chunk[: _MOST_BYTES - len(kept)]
    return bytes(kept)


def _presented(status: JsonObject) -> Presented:
    token, certificate, key = (status.get(name) for name in ("token", "clientCertificateData", "clientKeyData"))
    headers = bearer(token).headers if isinstance(token, str) else {}
    if isinstance(certificate, str) and isinstance(key, str):
        return Presented(headers, ClientCertificate(certificate, key))
    if not headers:
        raise ValueError("neither a token nor a certificate")
    return Presented(headers)
