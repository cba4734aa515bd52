"""Secrets that people say, type, name and judge by at the doors are in no table and no file afterwards."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from storage.database import Database
from storage.redaction.said import redact_said
from storage.redaction.stored import MARK
from tests.fixtures import secrets_of_staff as staff
from tests.fixtures.secrets import CHINESE, ENGLISH, SECRETS, remains
from tests.scenarios.everywhere import PLATFORMS
from tests.scenarios.platforms import Place
from tests.scenarios.stage import MovableClock, Setting, Stage
from tests.scenarios.steps import complete, number_in, ready_draft
from tests.scenarios.story import STORIES

DOORS = ("web", "slack_http", "teams_dialogs")
#: Secrets that one message holds, each in every phrasing of the door.
AT_ONCE = 3
LIMITS = {"messages_per_minute": 10_000, "address_messages_per_minute": 10_000}


@pytest.fixture
def door(request: pytest.FixtureRequest) -> str:
    """Return the name of a platform whose door is driven from outside."""
    return str(request.param)


@pytest.fixture
async def stage(door: str, tmp_path: Path, database: Database) -> AsyncIterator[Stage]:
    setting = Setting(tmp_path, database, MovableClock(), {"limits": LIMITS})
    async with PLATFORMS[door].open(setting) as opened:
        yield opened


def messages(door: str) -> Iterator[str]:
    """Yield messages with all secrets, each in every phrasing of a language, on a line of its own; doors take turns."""
    for number, start in enumerate(range(0, len(SECRETS), AT_ONCE), DOORS.index(door)):
        language = (ENGLISH, CHINESE)[number % 2]
        yield "\n".join(said.format(secret) for said in language for secret in SECRETS[start : start + AT_ONCE])


async def kept(stage: Stage, home: Path) -> str:
    """Return everything that the tables and the files of the home hold."""
    async with stage.desk.database.reading() as session:
        connection = await session.connection()
        rows = await connection.run_sync(_rows)
    files = await asyncio.to_thread(lambda: [each.read_bytes() for each in home.rglob("*") if each.is_file()])
    assert len(rows) > 50
    assert len(files) > 5
    return "\n".join((*rows, *(each.decode("utf-8", "replace") for each in files)))


def _rows(connection: Connection) -> list[str]:
    tables = inspect(connection).get_table_names()
    selects = (text(f'SELECT * FROM "{table}"') for table in tables)
    return [str(tuple(row)) for select in selects for row in connection.execute(select)]


@pytest.mark.parametrize("door", DOORS, indirect=True)
async def test_nothing_keeps_what_was_said(
    stage: Stage, door: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    for number, message in enumerate(messages(door)):
        await stage.say("ada", message, Place(f"talk-{number:04}"))

    everything = await kept(stage, tmp_path)
    assert everything.count(MARK) > len(SECRETS)
    assert [secret for secret in SECRETS if remains(secret, everything)] == []
    assert [secret for secret in SECRETS if remains(secret, caplog.text)] == []


#: What announces a secret, and the secret in a message of its own.
IN_TWO = (
    ("I can't get into the VPN, my password is", "zebrafish!"),
    ("wifi password?", "it is Gartenzaun7 on the sticker"),
    ("here's my pin:", "59213"),
    ("我的密码是", "Suzhou_2021"),
)


@pytest.mark.parametrize("door", DOORS, indirect=True)
async def test_nor_what_was_announced_in_one_message_and_told_in_the_next(stage: Stage, tmp_path: Path) -> None:
    for number, (announced, told) in enumerate(IN_TWO):
        for said in (announced, told):
            await stage.say("ada", said, Place(f"two-{number:04}"))

    everything = await kept(stage, tmp_path)
    assert everything.count(MARK) >= len(IN_TWO)
    assert [each for each in ("zebrafish", "Gartenzaun7", "59213", "Suzhou_2021") if remains(each, everything)] == []


@pytest.mark.parametrize("door", DOORS, indirect=True)
async def test_nor_what_was_typed_into_forms_named_or_given_as_a_reason(stage: Stage, tmp_path: Path) -> None:
    told = STORIES[0]
    draft = await ready_draft(stage, told)
    typed = {**complete(told), told.field("device"): "iMac, login: ada / hunter2"}
    await stage.fill(told.requester, draft, told.says("draft.edit"), typed)
    named = "password is Zebra-9471x.md"
    seen = await stage.send_file(told.requester, named, b"# Lease\n\nEleven weeks.\n", text="password is swordfish")
    assert told.says("secrets.taken_out") in seen.text
    answer = await stage.say(told.requester, told.question)
    await stage.rate(told.requester, answer, told.says("feedback.down"), reason="my password is Tr0ub4dor&3")
    await stage.settle()

    everything = await kept(stage, tmp_path)
    assert [each for each in ("hunter2", "Zebra-9471", "swordfish", "Tr0ub4dor") if each in everything] == []


@pytest.mark.parametrize("door", ["web"], indirect=True)
async def test_nothing_keeps_what_staff_said_and_is_known(stage: Stage, tmp_path: Path) -> None:
    said = [each for batch in (staff.FIRST, staff.SECOND) for each in batch.phrased()]
    known = [(secret, each) for secret, each in said if not remains(secret, redact_said(each))][::7]
    for number, start in enumerate(range(0, len(known), 4)):
        words = "\n\n".join(each for _, each in known[start : start + 4])
        await stage.say("ada", words, Place(f"staff-{number:04}"))

    everything = await kept(stage, tmp_path)
    assert len(known) > 150
    assert [secret for secret, _ in known if remains(secret, everything)] == []


#: What is said around a secret to features that keep words and bring them back later.
LATER = (
    "Remind me in 10 minutes to look: {}",
    "/desk remind tomorrow at 15:00 {}",
    "10分钟后提醒我看一下：{}",
    "Send me a digest of tickets every Monday at 9. {}",
    "Why do the pods of the shop crash? {}",
    "Set my quiet hours to 23:00-05:00. {}",
)


@pytest.mark.parametrize("door", ["web"], indirect=True)
async def test_nor_reminders_digests_diagnoses_and_settings_what_was_said_in_them(stage: Stage, tmp_path: Path) -> None:
    phrasings = (*ENGLISH, *CHINESE)
    for number, secret in enumerate(SECRETS[::4]):
        said = LATER[number % len(LATER)].format(phrasings[number % len(phrasings)].format(secret))
        await stage.say("ada", said, Place(f"later-{number:04}"))
    await stage.desk.jobs.tick()
    stage.clock.skip(660)
    await stage.desk.jobs.tick()
    await stage.settle()
    assert MARK in "".join(each.text for each in await stage.read("ada", Place("later-0000")))
    await stage.say("cleo", "/desk digest")

    everything = await kept(stage, tmp_path)
    assert [secret for secret in SECRETS[::4] if remains(secret, everything)] == []


@pytest.mark.parametrize("door", ["web"], indirect=True)
async def test_the_audit_tells_who_did_what_and_holds_nobody_s_words(stage: Stage) -> None:
    told = STORIES[0]
    draft = await ready_draft(stage, told)
    filed = await stage.press(told.requester, draft, told.says("draft.confirm"))
    number = number_in(filed.text)
    for said in (
        f"comment on {number}: the zebra is striped",
        "/desk ticket show zebra stripes",
        "where do zebras sleep?",
    ):
        await stage.say(told.requester, said)
    await stage.send_file(told.requester, "zebra.md", b"# Lease\n\nEleven weeks.\n", text=told.question)
    await stage.settle()

    async with stage.desk.database.reading() as session:
        rows = (await session.execute(text("SELECT action, resource, detail FROM identity_audit"))).all()
    assert {"knowledge.search", "draft.create", "draft.file", "knowledge.thread_file"} <= {row.action for row in rows}
    words = {"zebra", "stripe", *told.report.lower().split(), *told.question.lower().split(), told.device.lower()}
    held = {each for each in words if len(each) > 4 and any(each in str(row[1:]).lower() for row in rows)}
    assert held == set(), [row for row in rows if any(each in str(row[1:]).lower() for each in held)]
