"""Files from the browser chat: streamed to disk under a limit, each for its sender alone."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.events import File, Message
from adapters.port import TooLarge, Undeliverable
from adapters.web.files import MOST_WAITING, WebFiles
from tests.adapters.web_desk import EVENT, THREAD, WebDesk

ID = "file-00000001"
BYTES = "application/octet-stream"


def kept_below(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


@pytest.fixture
def desk(tmp_path: Path) -> WebDesk:
    return WebDesk(folder=tmp_path)


async def test_a_message_names_what_was_sent_before_it(desk: WebDesk) -> None:
    async with desk.client("ada") as client:
        kept = await client.post(f"/files?id={ID}", content=b"# Lease\n", headers={"content-type": BYTES})
        named = {"id": ID, "name": "lease.md", "size": 8}
        said = await client.post("/messages", json={"event_id": EVENT, "thread": THREAD, "text": "", "files": [named]})

    assert (kept.status_code, kept.json()["size"], said.status_code) == (201, 8, 202)
    (event,) = desk.heard
    assert isinstance(event, Message)
    assert event.files == (File(name="lease.md", reference={"id": ID}, size=8),)
    assert await desk.chat.fetch(event.address, event.files[0], at_most=8) == b"# Lease\n"
    with pytest.raises(TooLarge):
        await desk.chat.fetch(event.address, event.files[0], at_most=7)


async def test_nobody_fetches_what_somebody_else_sent(desk: WebDesk) -> None:
    async with desk.client("ada") as client:
        await client.post(f"/files?id={ID}", content=b"secret", headers={"content-type": BYTES})
    named = {"id": ID, "name": "lease.md", "size": 6}
    async with desk.client("ben") as client:
        await client.post("/messages", json={"event_id": EVENT, "thread": THREAD, "text": "", "files": [named]})

    (event,) = desk.heard
    assert isinstance(event, Message)
    with pytest.raises(Undeliverable):
        await desk.chat.fetch(event.address, event.files[0], at_most=100)


async def test_files_come_and_go_while_others_are_counted(desk: WebDesk, tmp_path: Path) -> None:
    async with desk.client("ada") as client:
        first = await client.post(f"/files?id={ID}", content=b"one", headers={"content-type": BYTES})
        (kept,) = kept_below(tmp_path)
        (kept.parent / "file-00000002.part").symlink_to(tmp_path / "moved")  # listed, and gone when it is looked at
        second = await client.post("/files?id=file-00000003", content=b"two", headers={"content-type": BYTES})

    assert (first.status_code, second.status_code) == (201, 201)
    assert await desk.chat.files.forget(before=datetime.now(UTC) + timedelta(days=1)) == 2


async def test_a_file_over_the_limit_is_refused_and_not_kept(desk: WebDesk, tmp_path: Path) -> None:
    async with desk.client("ada") as client:
        answer = await client.post(
            f"/files?id={ID}", content=b"x" * (desk.file_bytes + 1), headers={"content-type": BYTES}
        )

    assert (answer.status_code, answer.json()["message"]) == (413, "file_too_large")
    assert kept_below(tmp_path) == []


@pytest.mark.parametrize("identifier", ["", "short", "../../../../etc/passwd", "a/b/c/d/e/f", "file-0001.md"])
async def test_an_id_is_plain_letters(desk: WebDesk, identifier: str) -> None:
    async with desk.client("ada") as client:
        answer = await client.post("/files", params={"id": identifier}, content=b"x", headers={"content-type": BYTES})

    assert answer.status_code == 400


async def test_a_plain_form_of_another_site_cannot_send_any(desk: WebDesk) -> None:
    async with desk.client("ada") as client:
        answer = await client.post(f"/files?id={ID}", content=b"x", headers={"content-type": "text/plain"})

    assert answer.status_code == 400


async def test_who_is_not_signed_in_sends_none(desk: WebDesk) -> None:
    async with desk.client("") as client:
        answer = await client.post(f"/files?id={ID}", content=b"x", headers={"content-type": BYTES})

    assert answer.status_code == 401


async def test_a_message_without_words_or_files_is_none(desk: WebDesk) -> None:
    async with desk.client("ada") as client:
        answer = await client.post("/messages", json={"event_id": EVENT, "thread": THREAD, "text": " ", "files": []})

    assert answer.status_code == 400


async def test_nobody_fills_the_disk_with_what_no_message_names(desk: WebDesk, tmp_path: Path) -> None:
    async with desk.client("ada") as client:
        for number in range(MOST_WAITING + 5):
            await client.post(f"/files?id=file-{number:08}", content=b"x", headers={"content-type": BYTES})

    names = {file.name for file in kept_below(tmp_path)}
    assert len(names) == MOST_WAITING
    assert f"file-{MOST_WAITING + 4:08}" in names


async def test_what_no_message_named_is_forgotten(tmp_path: Path) -> None:
    files = WebFiles(tmp_path)

    async def one() -> AsyncIterator[bytes]:
        yield b"x"

    await files.keep("ada", ID, one(), at_most=10)

    assert await files.forget(before=datetime.now(UTC) - timedelta(hours=1)) == 0
    assert await files.forget(before=datetime.now(UTC) + timedelta(hours=1)) == 1
