"""A desk as people serve it, with its own model: one person sends the worst files and messages, and others are served.

What is measured is what the others see, and what Linux says of the process's memory; the desk is one that was started
by its command, so nothing of the tests' is in it.
"""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.adversarial.share import Share
from tests.adversarial.test_long_messages import messages
from tests.processes import ROOT
from tests.scale import SCALE
from tests.suite import hostile_office, hostile_texts

#: Seconds in which another is answered, and /health, without those that other programs took; bytes of memory.
ANSWERED_S, HEALTHY_S, MEMORY = 2.0, 0.5, 1_500_000_000
#: A person may send more than usual here, or the attack would take days.
LIMITS = {
    "DUTYDESK_LIMITS__FILES_PER_DAY": "10000",
    "DUTYDESK_LIMITS__FILE_MB_PER_DAY": "10000",
    "DUTYDESK_LIMITS__MESSAGES_PER_MINUTE": "10000",
}
SUFFIXES = ("md", "txt", "html")
#: At full scale the attack comes in so many parts, each on a desk of its own: each has its own verdict and time.
PARTS = 12 if SCALE >= 1 else 1


@dataclass
class Person:
    """Somebody's browser at the demo."""

    http: httpx.AsyncClient
    csrf: str = ""
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    async def become(self, name: str) -> None:
        """Be one of the sample people."""
        for fields in ({"person": name}, None):
            page = (await self.http.get("/")).text
            found = re.search(r'name="csrf" value="(\w+)"', page)
            assert found
            self.csrf = found[1]
            if fields:
                await self.http.post("/demo/switch", data={"csrf": self.csrf, **fields})

    async def bring(self, name: str, content: bytes) -> dict[str, object]:
        """Send a file and return how a message names it."""
        identifier = f"file-{next(self.numbers):06}"
        kind = {"content-type": "application/octet-stream", "x-csrf-token": self.csrf}
        kept = await self._sent(f"/chat/files?id={identifier}", content=content, headers=kind)
        assert kept.status_code == 201, kept.text
        return {"id": identifier, "name": name, "size": len(content)}

    async def say(self, text: str, files: list[dict[str, object]] | None = None) -> str:
        """Say something in a thread of its own and return what the desk answers, as the page is told."""
        number = next(self.numbers)
        thread = f"thread-{number:06}"
        body = {"event_id": f"event-{number:06}", "thread": thread, "text": text, "files": files or []}
        sent = await self._sent("/chat/messages", json=body, headers={"x-csrf-token": self.csrf})
        assert sent.status_code == 202, sent.text
        async with self.http.stream("GET", f"/chat/events?thread={thread}") as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data:") and '"author": "desk"' in line:
                    return line
        raise AssertionError("the stream ended without an answer")

    async def _sent(self, address: str, **given: Any) -> httpx.Response:
        """Post, and again for as long as the desk asks to wait, as the page does."""
        answer = await self.http.post(address, **given)
        for _ in range(20):
            if answer.status_code != 503:
                break
            await asyncio.sleep(int(answer.headers["retry-after"]))
            answer = await self.http.post(address, **given)
        return answer


@dataclass
class Served:
    """A desk that serves."""

    process: asyncio.subprocess.Process
    url: str

    async def person(self, name: str) -> Person:
        """Return somebody who is signed in."""
        http = httpx.AsyncClient(base_url=self.url, headers={"origin": self.url}, timeout=180, trust_env=False)
        person = Person(http)
        await person.become(name)
        return person

    def most_memory(self) -> int:
        """Return the most bytes that the process has held since it began."""
        said = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(said.split("VmHWM:")[1].split()[0]) * 1_024


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "--home", str(tmp_path / "home"), "demo", "--port", "0", "--no-browser",
        cwd=ROOT, env={**os.environ, **LIMITS},  # noqa: TID251 - as a person sets them
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout
    url = ""
    async for line in process.stdout:
        found = re.search(r"is ready: (http://\S+)", line.decode())
        url = found[1] if found else url
        if b"pages of handbook can be asked about" in line:
            break
    reading = asyncio.create_task(process.stdout.read())
    yield Served(process, url)
    process.terminate()
    await process.wait()
    await reading


def hostile() -> dict[str, bytes]:
    """Return the files; below full scale each class of texts in one format, and some of the others."""
    made = dict[str, bytes]()
    for number, (name, text) in enumerate(hostile_texts.TEXTS.items()):
        for place, suffix in enumerate(SUFFIXES):
            if SCALE >= 1 or (place == number % 3 and number % 12 == 0):
                content = text().encode("utf-8", "replace")
                made[f"{name}.{suffix}"] = b"<p>" + content if suffix == "html" else content
    markup = {f"markup {name}.html": text().encode() for name, text in hostile_texts.MARKUP.items()}
    rest = list((markup | dict(hostile_office.files())).items())
    return made | dict(rest if SCALE >= 1 else rest[::14])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells how much memory a process has held")
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("part", range(PARTS))
async def test_others_are_served_while_one_person_sends_the_worst(served: Served, part: int) -> None:
    sender, other = await served.person("ada"), await served.person("ben")
    files, over = await asyncio.to_thread(hostile), asyncio.Event()
    assert len(files) >= (300 if SCALE >= 1 else 15)

    async def attack() -> None:
        names = list(files)[part::PARTS]
        for start in range(0, len(names), 5):
            brought = [await sender.bring(name, files[name]) for name in names[start : start + 5]]
            assert await sender.say("What do these say?", brought)
        for text in list(messages().values())[part :: PARTS if SCALE >= 1 else 3]:
            assert await sender.say(text)
        over.set()

    attacking = asyncio.create_task(attack())
    answered, healthy = list[float](), list[float]()
    while not attacking.done() or len(answered) < 3:
        began = Share.now(served.process.pid)
        assert (await other.http.get("/health")).status_code == 200
        reached = Share.now(served.process.pid)
        assert "10 hours" in await other.say("How long does a VPN session last?")
        answered.append(Share.now(served.process.pid).taken_since(reached))
        healthy.append(reached.taken_since(began))
        await asyncio.sleep(0.5)
    await attacking

    assert over.is_set()
    # One look may fall into a pause of the whole machine, of which the desk's own share cannot be told.
    for taken, allowed in ((healthy, HEALTHY_S), (answered, ANSWERED_S)):
        second, longest = sorted(taken)[-2:]
        assert second < allowed, sorted(taken)[-5:]
        assert longest < 2 * allowed, sorted(taken)[-5:]
    assert served.process.returncode is None
    assert served.most_memory() < MEMORY
