"""Microsoft's test client for Teams (`client/`), kept on loopback: what it is told, and its process."""

import asyncio
import json
import os
import shutil
import sys
import uuid
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from identity.actor import Actor
from tests.browser.house import chromium

#: Where `make setup-client` puts it.
INSTALLED = Path(sys.prefix) / "teams-client/node_modules/@microsoft/m365agentsplayground/cli.js"
PRELOAD = Path(__file__).parent / "client" / "loopback.cjs"
PATIENCE_S = 30.0
#: The client wants so many people besides the one who sits before it, no more and no fewer.
COLLEAGUES = 5

TENANT = str(uuid.uuid5(uuid.NAMESPACE_DNS, "marenvold.example"))
APP_ID = str(uuid.uuid5(uuid.NAMESPACE_DNS, "desk.marenvold.example"))
DESK = "Duty Desk"
GROUP = "Ask it, together"
TEAM = "Marenvold"
CHANNEL = "ask-it"


class NotStarted(Exception):
    """The client came to its end before it listened; the text is what it wrote."""


@dataclass(frozen=True)
class Playground:
    """One running client: one person's Teams."""

    url: str
    person: Actor
    output: list[str]  # the lines that its process has written

    def left_the_machine(self) -> list[str]:
        """Return where its server wanted to connect to besides this machine."""
        return [line for line in self.output if line.startswith("left the machine")]


def missing() -> str:
    """Return why nothing can be tested here; "" when everything is there."""
    if chromium() is None:
        return "no Chromium was found on the PATH, so nothing was tested in Microsoft's Teams client"
    if shutil.which("node") is None:
        return "no Node.js was found on the PATH, so nothing was tested in Microsoft's Teams client"
    if not INSTALLED.exists():
        return "Microsoft's Teams client is not installed (make setup-client), so nothing was tested in it"
    return ""


@asynccontextmanager
async def playground(folder: Path, *, desk: str, person: Actor, others: Iterable[Actor]) -> AsyncIterator[Playground]:
    """Run a client in which `person` sits, for the desk that listens at the URL `desk`."""
    await asyncio.to_thread(_tell, folder, person, others)
    process = await asyncio.create_subprocess_exec(
        *("node", str(INSTALLED), "start", "--disable-telemetry"),
        *("--app-endpoint", f"{desk}/api/messages", "--channel-id", "msteams", "--port", "0"),
        cwd=folder,
        env=_environment(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output: list[str] = []
    listening: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    reading = asyncio.create_task(_read(process, output, listening))
    try:
        yield Playground(await asyncio.wait_for(listening, PATIENCE_S), person, output)
    finally:
        if process.returncode is None:
            process.terminate()
        await reading
        await process.wait()


def member(person: Actor) -> dict[str, Any]:
    """Return a person as the client's settings and its connector tell of them."""
    return {
        "id": f"29:{person.id}",
        "name": person.name,
        "aadObjectId": str(uuid.uuid5(uuid.NAMESPACE_DNS, person.email or person.id)),
        "userPrincipleName": person.email,  # spelt so by the client
        "email": person.email,
        "givenName": person.name,
        "surname": person.name,
    }


def _tell(folder: Path, person: Actor, others: Iterable[Actor]) -> None:
    """Write the client's settings: conversations of its own, so that one desk can have several clients."""
    settings = {
        "version": "0.1.1",
        "tenantId": TENANT,
        "bot": {"id": f"28:{APP_ID}", "name": DESK},
        "currentUser": member(person),
        "users": [member(each) for each in others if each.id != person.id][:COLLEAGUES],
        "personalChat": {"id": f"a:{person.id}"},
        "groupChat": {"id": f"19:group-{person.id}@thread.v2", "name": GROUP},
        "team": {
            "id": f"19:team-{person.id}@thread.tacv2",
            "name": TEAM,
            "aadGroupId": str(uuid.uuid5(uuid.NAMESPACE_DNS, TEAM)),
            "channels": [{"id": f"19:ask-it-{person.id}@thread.tacv2", "name": CHANNEL}],
        },
    }
    folder.mkdir(parents=True)
    # JSON is YAML.
    (folder / ".m365agentsplayground.yml").write_text(json.dumps(settings, ensure_ascii=False), encoding="utf-8")


def _environment() -> dict[str, str]:
    """Return what the client sees of ours, and what keeps it here and from opening a browser of its own."""
    environment = dict(os.environ)  # noqa: TID251 - Node.js is found on the PATH that the tests have
    environment |= {"BROWSER": "none", "TEAMSAPPTESTER_BROWSER": "none", "APPLICATION_INSIGHTS_NO_STATSBEAT": "true"}
    return environment | {"NODE_OPTIONS": f"--require {PRELOAD}"}


async def _read(process: asyncio.subprocess.Process, output: list[str], listening: asyncio.Future[str]) -> None:
    """Keep what the client writes, and tell where it listens as soon as it says so."""
    if process.stdout is None:
        raise RuntimeError("the client says nothing")
    while line := (await process.stdout.readline()).decode().strip():
        output.append(line)
        if (port := line.removeprefix("Listening on ")) != line:
            listening.set_result(f"http://127.0.0.1:{port}")
    if not listening.done():
        listening.set_exception(NotStarted("\n".join(output)))
