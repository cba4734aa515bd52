"""A damaged database, one that may not be written, a full disk: plain words with what helps, and no cut line."""

import asyncio
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import event

from adapters.web.transcript import TranscriptPlace
from tests.cli.conftest import finish
from tests.console.site import Site, site
from tests.desks.house import all_done, serving
from tests.processes import ROOT

TRACES = ("Traceback", "[SQL", "sqlalche.me", "INSERT INTO", "SELECT ", "OperationalError", "DatabaseError")
LARGE = 6_000_000
PLAIN = {"content-type": "application/octet-stream"}
LONG_QUESTION = "How long does a VPN session last? " + "I ask for a colleague. " * 250


def asked(number: int) -> dict[str, str]:
    """Return what the browser sends of a message."""
    return {"event_id": f"event-{number:08}", "thread": f"thread-{number:04}", "text": LONG_QUESTION}


def garbage(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100] + b"\xa5" * 200_000)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    ("damage", "helps"),
    [
        (garbage, "put a copy from your backup in its place"),
        (lambda file: file.write_text("no database at all " * 500), "put a copy from your backup in its place"),
        (a_folder, "give this user the right to write there"),
    ],
    ids=["garbage", "no-database", "folder"],
)
def test_a_database_that_cannot_be_used_is_named_with_what_helps(
    damage: Callable[[Path], object], helps: str, migrated_home: Path
) -> None:
    damage(migrated_home / "dutydesk.db")
    for line in (("ask", "How long does a VPN session last?"), ("doctor",)):
        code, output, errors = finish(*line, "--home", str(migrated_home))

        assert code == 1
        assert "dutydesk.db" in output + errors
        assert helps in " ".join((output + errors).split()) or "right to write there" in output + errors
        assert not [trace for trace in TRACES if trace in output + errors], output + errors


def test_a_database_that_may_not_be_written_is_told_without_a_statement(migrated_home: Path) -> None:
    file = migrated_home / "dutydesk.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    url = f"sqlite+aiosqlite:///file:{file}?mode=ro&uri=true"
    environment = {"DUTYDESK_DATABASE_URL": url}
    code, output, errors = finish("login", "--as", "ada", "--home", str(migrated_home), environment=environment)

    assert code == 1
    assert "it cannot be opened or written; give this user the right to write there" in errors
    assert not [trace for trace in TRACES if trace in output + errors], errors


#: Starts the command without what lets root write everywhere, so that permissions hold whoever runs the tests.
PERMITTED_ONLY = """
import ctypes, os, sys
if sys.platform == "linux":
    for privilege in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH; refused to who has none
        ctypes.CDLL(None).prctl(24, privilege, 0, 0, 0)  # PR_CAPBSET_DROP
os.execv(sys.executable, [sys.executable, "-m", "bot", *sys.argv[1:]])
"""


@pytest.fixture
def read_only(migrated_home: Path) -> Iterator[Path]:
    """Return a home that a desk made, in which nothing may be written any more."""
    for path in (*migrated_home.rglob("*"), migrated_home):
        path.chmod(path.stat().st_mode & ~0o222)
    yield migrated_home
    for path in (migrated_home, *migrated_home.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)


@pytest.mark.parametrize(
    "command",
    [["serve", "--port", "0"], ["ask", "When does the gate open?"], ["index", "docs/how-to"], ["doctor"]],
    ids=lambda command: command[0],
)
def test_a_home_that_may_not_be_written_is_told_by_each_command(command: list[str], read_only: Path) -> None:
    before = {path: path.read_bytes() for path in read_only.rglob("*") if path.is_file()}
    line = [sys.executable, "-c", PERMITTED_ONLY, *command, "--home", str(read_only)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    said = " ".join((done.stdout + done.stderr).split())

    assert done.returncode == 1, said
    assert str(read_only) in said
    assert "give this user the right to write there" in said.lower()
    assert not [trace for trace in TRACES if trace in said], said
    assert command != ["doctor"] or "1 to mend." in said
    assert {path: path.read_bytes() for path in read_only.rglob("*") if path.is_file()} == before


@contextmanager
def full_for_files() -> Iterator[None]:
    """Let no file grow beyond a megabyte, as on a disk with little room."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def full_for_the_database(made: Site) -> Iterator[None]:
    """Let the database's file grow by nothing, as on a full disk."""

    def hold(connection: object) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()  # type: ignore[attr-defined]
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")  # type: ignore[attr-defined]

    engine = made.desk.database.engine.sync_engine
    event.listen(engine, "begin", hold)
    try:
        yield
    finally:
        event.remove(engine, "begin", hold)


async def test_an_upload_to_a_full_disk_is_answered_with_503(migrated_home: Path) -> None:
    async with site(migrated_home) as made, serving(made.desk) as url:
        cleo = await made.browser("cleo")
        headers = {"origin": url, "x-csrf-token": cleo.csrf}
        plain, cookies = {"content-type": "application/octet-stream"}, dict(cleo.client.cookies)
        async with httpx.AsyncClient(base_url=url, cookies=cookies, headers=headers, timeout=20) as client:
            with full_for_files():
                sent = [
                    await client.post("/chat/files?id=file-00000001", content=b"x" * LARGE, headers=plain),
                    await client.post(
                        "/knowledge/upload",
                        data={"csrf": cleo.csrf, "to": "manuals"},
                        files={"file": ("manual.md", b"# Manual\n\n" + b"word " * (LARGE // 5))},
                    ),
                    await client.post("/chat/files?id=file-00000002", content=b"x" * LARGE, headers=plain),
                ]
                healthy = await client.get("/health")
            again = await client.post("/chat/files?id=file-00000001", content=b"x" * 1_000, headers=plain)

    assert [(answer.status_code, "retry-after" in answer.headers) for answer in sent] == [(503, True)] * 3
    assert healthy.status_code == 200
    assert again.status_code == 201
    assert "may be full" in sent[1].text


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of its own, which is soon full."""
    place, mount = tmp_path / "disk", shutil.which("mount")
    place.mkdir()
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(place)]
    if mount is None or (refused := subprocess.run(command, capture_output=True, text=True, check=False)).returncode:
        pytest.skip(f"no disk may be mounted here: {refused.stderr.strip() if mount else 'no mount'}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(file: Path) -> None:
    """Write until nothing more fits."""
    with pytest.raises(OSError, match="No space left"), file.open("wb", buffering=0) as full:
        while True:
            full.write(b"x" * 4_096)


async def test_a_disk_that_is_really_full_loses_nothing_and_the_desk_goes_on(
    small_disk: Path, migrated_home: Path
) -> None:
    home, filler = small_disk / "home", small_disk / "filler"
    await asyncio.to_thread(shutil.copytree, migrated_home, home)
    async with site(home) as made, serving(made.desk) as url:
        ada = await made.browser("ada")
        headers = {"origin": url, "x-csrf-token": ada.csrf}
        cookies = dict(ada.client.cookies)
        async with httpx.AsyncClient(base_url=url, cookies=cookies, headers=headers, timeout=30) as client:

            async def ask(number: int) -> httpx.Response:
                return await client.post("/chat/messages", json=asked(number))

            await asyncio.to_thread(fill, filler)
            answers = [await ask(number) for number in range(12)]
            upload = await client.post("/chat/files?id=file-00000001", content=b"x" * LARGE, headers=PLAIN)
            healthy = await client.get("/health")
            filler.unlink()
            kept = [await ask(number) for number in range(12)]
            await all_done(made.desk.database, within_s=60)
            again = await client.post("/chat/files?id=file-00000001", content=b"x" * 1_000, headers=PLAIN)
        told = [
            [each.author for each in await made.desk.transcript.recent(TranscriptPlace("ada", f"thread-{number:04}"))]
            for number in range(12)
        ]

    assert {answer.status_code for answer in answers} <= {202, 503}
    assert (answers[-1].status_code, "retry-after" in answers[-1].headers) == (503, True)
    assert (upload.status_code, "retry-after" in upload.headers) == (503, True)
    assert healthy.status_code == 200
    assert {answer.status_code for answer in kept} == {202}
    assert told == [["person", "desk"]] * 12
    assert again.status_code == 201


async def test_messages_to_a_full_disk_are_refused_without_a_cut_connection(
    migrated_home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with site(migrated_home) as made, serving(made.desk) as url:
        ada = await made.browser("ada")
        headers, cookies = {"origin": url, "x-csrf-token": ada.csrf}, dict(ada.client.cookies)
        async with httpx.AsyncClient(base_url=url, cookies=cookies, headers=headers, timeout=20) as client:
            with full_for_the_database(made):
                answers = [await client.post("/chat/messages", json=asked(number)) for number in range(20)]

    assert [(each.status_code, "retry-after" in each.headers) for each in answers[-5:]] == [(503, True)] * 5
    assert "Exception in ASGI application" not in caplog.text


async def test_a_message_and_a_page_on_a_full_disk_are_answered_with_503(migrated_home: Path) -> None:
    async with site(migrated_home) as made:
        ada = await made.browser("ada")
        with full_for_the_database(made):
            answers = [
                await ada.door("messages", {"event_id": f"event-{number:08}", "text": "My laptop is broken. " * 300})
                for number in range(20)
            ]
        last = answers[-1]
        kept = await ada.door("messages", {"event_id": "event-00000019", "text": "My laptop is broken."})

    assert last.status_code == 503
    assert "retry-after" in last.headers
    assert {answer.status_code for answer in answers} <= {202, 503}
    assert kept.status_code == 202
