"""Hostile files by every way in: the process lives, each bad file is a line, others are answered meanwhile."""

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from adapters.events import File, Message
from adapters.memory import MemoryChat
from storage.database import Database
from tests.console.conftest import desk_site
from tests.console.site import ORIGIN, Site
from tests.desks.harbour import LIMITS
from tests.processes import ROOT
from tests.scale import SCALE
from tests.scenarios.world import ACCOUNTS, World, words, world_in
from tests.suite.hostile_files import TEXTS, files
from tests.suite.hostile_yaml import HOSTILE

__all__ = ["desk_site"]

#: At a tenth of the scale a file may take this long; what takes longer is told as such, the sooner the better.
SECONDS = "20" if SCALE >= 1 else "1"
#: Seconds within which another's question is answered, and how many times as slow a busy machine may be.
ANSWERED_S, PATIENCE = 2.0, 5.0
SETTINGS = {"limits": LIMITS, "search": {"file_seconds": SECONDS, "uploads": {"thread_file_seconds": SECONDS}}}


@pytest.mark.timeout(600)
async def test_a_folder_of_them_is_indexed_and_each_is_read_or_told(tmp_path: Path) -> None:
    hostile, folder = _chosen(), tmp_path / "folder"
    assert len(hostile) >= 100
    await asyncio.to_thread(_write, folder, {**hostile, "zz good.md": b"# Good\n\nThe crane lifts.\n"})
    limits = {"DUTYDESK_SEARCH__FILE_SECONDS": SECONDS, "DUTYDESK_SEARCH__FILE_TEXT_MB": "0.3"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "--home", str(tmp_path / "home"), "index", str(folder), "--allow", "staff",
        cwd=ROOT, env={**os.environ, **limits},  # noqa: TID251 - as a person sets them
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await process.communicate()
    output = said.decode()
    assert process.returncode == 0, output
    assert "Traceback" not in output
    for name, (_, why) in HOSTILE.items():
        for suffix in ("md", "txt", "html"):
            assert f"yaml {name}.{suffix}" in output
        assert why in output
    for name in ("depth.html", "depth.docx", "laughs.docx", "noise.pdf", "cut.xlsx"):
        assert name in output
    assert "zz good.md" not in output


@pytest.mark.timeout(300)
async def test_others_are_answered_while_one_person_sends_them_in_chat(tmp_path: Path, database: Database) -> None:
    chat = MemoryChat(people=ACCOUNTS)
    async with world_in(tmp_path, database, chat=chat, settings=SETTINGS) as world, world.desk.running():
        chat.files = dict(_sent().items())
        event = chat._event("ada", "main", "")
        sent = tuple(File(name=name, reference={"id": name}, size=len(content)) for name, content in _sent().items())
        now = world.desk.clock.now()
        await chat.deliver(Message(**{**vars(event), "received_at": now}, text="", files=sent, addressed=True))
        asked = 0
        while not world.all("ada") or asked < 3:
            asked += 1
            assert await _answered(world, chat) < ANSWERED_S * PATIENCE
            await asyncio.sleep(0.3)
        told = "\n".join(words(each.card) for each in world.all("ada"))
        assert all(name in told for name in _sent())


async def _answered(world: World, chat: MemoryChat) -> float:
    """Let another person ask, and return how many seconds it took until they were answered."""
    before = len(world.all("ben"))
    began = time.monotonic()
    await chat.say("ben", "help")
    async with asyncio.timeout(60):
        while len(world.all("ben")) == before:  # noqa: ASYNC110 - what is looked at is a chat
            await asyncio.sleep(0.02)
    return time.monotonic() - began


def _sent() -> dict[str, bytes]:
    """Return ten of them, of all formats: as many as one message may bring."""
    hostile = files()
    names = (
        "yaml flow list.md", "yaml laughs.txt", "yaml merge of many.html", "lazy quotes.md", "links.txt",
        "colspan.html", "depth.html", "depth.docx", "laughs.xlsx", "noise.pdf",
    )  # fmt: skip
    return {name: hostile[name] for name in names}


@pytest.mark.timeout(300)
async def test_the_page_stands_while_they_are_uploaded(desk_site: Site) -> None:
    browser = await desk_site.browser("cleo")
    hostile = files()
    named = [f"{name}.{suffix}" for name in list(TEXTS)[:3] for suffix in ("md", "txt", "html")]
    named += [f"yaml {name}.md" for name in HOSTILE]
    parts = [("files", (name, hostile[name][:50_000], "application/octet-stream")) for name in named]
    data = {"csrf": browser.csrf, "to": "archive", "allow": "staff"}
    sending = asyncio.create_task(browser.client.post("/knowledge/upload", data=data, files=parts, headers=ORIGIN))
    async with asyncio.timeout(120):
        while True:
            began = time.monotonic()
            assert (await browser.client.get("/health")).status_code == 200
            assert time.monotonic() - began < ANSWERED_S * PATIENCE
            if sending.done() and all(
                work["over"] for work in (await browser.client.get("/knowledge/progress")).json()["works"]
            ):
                break
            await asyncio.sleep(0.1)
    assert (await sending).status_code == 303
    page = (await browser.get("/knowledge")).text
    assert "yaml flow list.md" in page


def _chosen() -> dict[str, bytes]:
    """Return all of them; below full scale each text in one format, in turn."""
    hostile = files()
    if SCALE >= 1:
        return hostile
    texts = {
        f"{name}.{suffix}"
        for number, name in enumerate(TEXTS)
        for at, suffix in enumerate(("md", "txt", "html"))
        if at != number % 3
    }
    return {name: content for name, content in hostile.items() if name not in texts}


def _write(folder: Path, contents: dict[str, bytes]) -> None:
    folder.mkdir()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
