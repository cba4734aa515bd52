"""Each change of what reaches people stands in the audit: by whom, when, from what to what."""

from datetime import time
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.delivery.news.configured import ACTION, ConfiguredNews
from bot.settings import MailSettings, WebhookSettings
from features.digests.digest import DigestOrder, Digests, SentDigest
from identity.actor import Preferences, QuietHours, local_operator
from identity.audit import AuditTrail
from identity.chain import AuditEntry
from identity.directory import Directory
from storage.clock import ManualClock
from storage.database import Database
from storage.queue.schedules import SYSTEM, Cron

KEY = b"the desk's own key"
SECRET = SecretStr("a-key-that-nobody-may-read")


def change_of(entry: AuditEntry) -> Any:
    """Return what stood before and what stands after it."""
    return entry.detail["before"], entry.detail["after"]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def trail(database: Database, clock: ManualClock) -> AuditTrail:
    return AuditTrail(database, clock)


async def test_of_personal_settings(database: Database, clock: ManualClock, trail: AuditTrail, tmp_path: Path) -> None:
    people = tmp_path / "people.yaml"
    people.write_text("people:\n- {id: ada, name: Ada Adler}\n", encoding="utf-8")
    directory = Directory(database, people, clock)
    ada = await directory.prefer(await directory.person("ada"), Preferences(language="zh", way="mail"))
    clock.advance(5)
    await directory.prefer(ada, Preferences(language="zh", way="slack", quiet=QuietHours(time(22), time(7))))

    second, first = await trail.entries(local_operator(), action="settings.change")
    assert (first.actor_id, second.actor_id, second.resource) == ("ada", "ada", "ada")
    assert (second.at - first.at).total_seconds() == 5
    assert first.detail == {"language": {"before": "", "after": "zh"}, "way": {"before": "", "after": "mail"}}
    assert second.detail == {
        "quiet": {"before": "", "after": "22:00-07:00"},
        "way": {"before": "mail", "after": "slack"},
    }


async def test_of_digests(database: Database, clock: ManualClock, trail: AuditTrail) -> None:
    operator, digests = local_operator(), Digests(database, clock)
    sent = SentDigest(operator.id, ("tickets",), Cron("0 9 * * 1"), "UTC")
    await digests.start(operator, sent)
    await digests.order(operator, sent.id, DigestOrder.PAUSE)
    await digests.order(operator, sent.id, DigestOrder.STOP)

    stop, pause, start = await trail.entries(operator, limit=3)
    assert [each.action for each in (start, pause, stop)] == ["digest.start", "digest.pause", "digest.stop"]
    assert {each.actor_id for each in (start, pause, stop)} == {operator.id}
    assert start.detail["before"] is None
    assert stop.detail["after"] is None
    assert start.detail["after"] == {
        "sections": ["tickets"],
        "channel": None,
        "when": repr(sent.trigger),
        "timezone": "UTC",
        "paused": False,
    }
    assert [each["paused"] for each in change_of(pause)] == [False, True]


async def test_of_digests_in_the_settings(database: Database, clock: ManualClock, trail: AuditTrail) -> None:
    digests = Digests(database, clock)
    nine, ten = (SentDigest(SYSTEM, (), Cron(f"0 {hour} * * 1"), "UTC", name="team") for hour in (9, 10))
    for wanted in ([nine], [nine], [ten], []):
        await digests.configure(wanted)

    ended, moved, begun = await trail.entries(local_operator(), action="digest.configure")
    whens = [tuple(each and each["when"] for each in change_of(entry)) for entry in (begun, moved, ended)]
    assert whens == [
        (None, repr(nine.trigger)),
        (repr(nine.trigger), repr(ten.trigger)),
        (repr(ten.trigger), None),
    ]


async def test_of_e_mail_and_the_webhook(database: Database, clock: ManualClock, trail: AuditTrail) -> None:
    nothing, none = MailSettings(), WebhookSettings()
    mail = MailSettings(host="mail.example", sender="desk@example.com", password=SECRET)
    hook = WebhookSettings(url="https://hooks.example/t/secret-path", secret=SECRET)
    other = WebhookSettings(url="https://hooks.example/t/another-path", secret=SECRET)
    for ways in ((nothing, none), (mail, none), (mail, none), (mail, hook), (mail, other), (nothing, none)):
        await ConfiguredNews(database, clock, trail, *ways, KEY).note()

    entries = (await trail.entries(local_operator(), action=ACTION))[::-1]
    assert [each.actor_name for each in entries] == ["settings"] * 4
    assert [each.detail["before"] for each in entries[1:]] == [each.detail["after"] for each in entries[:-1]]
    assert entries[0].detail["before"] == entries[-1].detail["after"] == {"mail": None, "webhook": None}
    told = repr([each.detail for each in entries])
    assert "mail.example" in told
    assert "hooks.example" in told
    assert "secret-path" not in told
    assert SECRET.get_secret_value() not in told


async def test_of_a_password_and_a_key_that_are_others(
    database: Database, clock: ManualClock, trail: AuditTrail
) -> None:
    mail = MailSettings(host="mail.example", sender="desk@example.com", password=SECRET)
    hook = WebhookSettings(url="https://hooks.example/t/secret-path", secret=SECRET)
    new = SecretStr("another-that-nobody-may-read")
    for ways in ((mail, hook), (mail.model_copy(update={"password": new}), hook), (mail, hook)):
        await ConfiguredNews(database, clock, trail, *ways, KEY).note()
    await ConfiguredNews(database, clock, trail, mail, hook.model_copy(update={"secret": new}), KEY).note()

    entries = (await trail.entries(local_operator(), action=ACTION))[::-1]
    changed = [
        {
            way: name
            for way in ("mail", "webhook")
            for name in will[way]
            if was and was[way] and was[way][name] != will[way][name]
        }
        for was, will in map(change_of, entries[1:])
    ]
    assert changed == [{"mail": "mark"}, {"mail": "mark"}, {"webhook": "mark"}]
    told = repr([each.detail for each in entries])
    assert SECRET.get_secret_value() not in told
    assert new.get_secret_value() not in told
