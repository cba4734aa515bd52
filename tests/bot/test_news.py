"""Who is told what, when and by which way: watchers, those on duty, quiet hours, bundles, e-mail, a webhook."""

import asyncio
import hashlib
import hmac
import json
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.cli.running.serving import reach_in_the_page
from bot.delivery.news import store
from bot.delivery.news.telling import TOGETHER
from bot.delivery.news.webhook import signature
from identity.actor import local_operator
from storage.database import Database
from tests.fakes.news_ways import SECRET, Mailbox, Received, mail_server, webhook_receiver
from tests.scenarios.stage import MovableClock
from tests.scenarios.world import World, button, words, world_in

REPORT = "My laptop 77 on floor 3 does not start, my extension is 4411. Please open a ticket."
Open = Callable[..., AbstractAsyncContextManager[World]]


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def desk(tmp_path: Path, database: Database, clock: MovableClock) -> Open:
    """Return what opens a desk with settings."""

    @asynccontextmanager
    async def opened(**settings: Any) -> AsyncIterator[World]:
        async with world_in(tmp_path, database, settings=settings, clock=clock) as made:
            yield made

    return opened


async def filed(world: World) -> str:
    """Let Ada report a problem and confirm it; return the number of the ticket."""
    card = await world.say("ada", REPORT)
    done = await world.press("ada", button(card, "draft.confirm"))
    return next(word for word in words(done).split() if word.startswith("TCK-")).strip("*.")


def told(world: World, person: str) -> list[str]:
    """Return everything that a person was shown, in one text a message."""
    return [words(each.card) for each in world.chat.posted() if str(each.address["user"]) == person]


async def passes(world: World, clock: MovableClock, seconds: float) -> None:
    """Let time pass, and tell what is due then."""
    clock.skip(seconds)
    await world.settle("ada")


async def test_ten_changes_in_a_minute_are_the_first_at_once_and_one_message(desk: Open, clock: MovableClock) -> None:
    async with desk() as world:
        number = await filed(world)
        await world.say("ben", "/desk status")
        before = len(told(world, "ada"))
        for at in range(10):
            await world.say("ben", f"/desk ticket comment {number} remark-{at}")
        at_once = told(world, "ada")[before:]
        await passes(world, clock, TOGETHER.total_seconds() + 1)
        later = told(world, "ada")[before + 1 :]

        assert len(at_once) == 1
        assert "remark-0" in at_once[0]
        assert len(later) == 1
        places = [later[0].index(f"remark-{at}") for at in range(1, 10)]
        assert places == sorted(places)
        assert later[0].count("Laptop") <= 2  # the ticket itself is shown once


async def test_quiet_hours_hold_news_and_let_urgent_ones_through(desk: Open, clock: MovableClock) -> None:
    async with desk() as world:
        number = await filed(world)
        # From an hour ago on, for the next two, in Ada's zone.
        hour = clock.now().astimezone(ZoneInfo("Europe/Berlin")).hour
        shown = await world.say("ada", f"/desk settings set quiet {(hour - 1) % 24}:00-{(hour + 2) % 24}:00")
        assert f"{(hour - 1) % 24:02}:00–{(hour + 2) % 24:02}:00" in words(shown)
        await world.say("ben", f"/desk ticket comment {number} a quiet remark")
        await passes(world, clock, TOGETHER.total_seconds() + 1)
        assert not any("a quiet remark" in each for each in told(world, "ada"))

        await passes(world, clock, 3 * 3600)
        assert sum("a quiet remark" in each for each in told(world, "ada")) == 1


async def test_what_is_said_of_who_is_told_is_so(desk: Open) -> None:
    async with desk(tickets={"group": "it"}) as world:
        card = await world.say("ada", REPORT)
        done = await world.press("ada", button(card, "draft.confirm"))
        assert "Nobody has been told of it" in words(done)  # Ben never spoke to the desk: nothing leads to him
        assert told(world, "ben") == []

        await world.say("ben", "/desk status")
        urged = await world.say("ada", "/desk ticket urge last")
        assert "Told: Ben Brook." in words(urged)
        assert any("asked for an update" in each for each in told(world, "ben"))


async def test_who_tries_the_demo_is_told_in_the_page_before_they_say_a_word(desk: Open) -> None:
    async with desk(tickets={"group": "it"}) as world:
        await reach_in_the_page(world.desk)
        card = await world.say("ada", REPORT)
        done = await world.press("ada", button(card, "draft.confirm"))
        assert "Told: Ben Brook." in words(done)
        (page,) = await world.desk.transcript.threads("ben")
        assert "TCK-" in page.title


async def test_the_home_of_who_works_tickets_has_their_work_and_what_nobody_has(desk: Open) -> None:
    async with desk() as world:
        number = await filed(world)
        free = words(await world.say("ben", "/desk status"))
        await world.say("ben", f"/desk ticket assign {number} me")
        taken = words(await world.say("ben", "/desk status"))
        others = words(await world.say("ada", "/desk status"))

        assert number in free[free.index("In the queue, assigned to nobody") :]
        assert "In the queue, assigned to nobody" not in taken
        assert number in taken[taken.index("Assigned to you") :]
        assert "Assigned to you" not in others


async def test_who_is_told_only_after_their_quiet_hours_is_not_said_to_be_told(desk: Open, clock: MovableClock) -> None:
    async with desk(tickets={"group": "it"}) as world:
        hour = clock.now().astimezone(ZoneInfo("Europe/Berlin")).hour
        await world.say("ben", f"/desk settings set quiet {(hour - 1) % 24}:00-{(hour + 2) % 24}:00")
        card = await world.say("ada", REPORT)
        done = await world.press("ada", button(card, "draft.confirm"))
        assert "Told when their quiet hours are over: Ben Brook." in words(done)
        assert "Told: Ben Brook" not in words(done)
        assert not any("Laptop" in each for each in told(world, "ben"))
        number = next(word for word in words(done).split() if word.startswith("TCK-")).strip("*.")
        await passes(world, clock, 3 * 3600)
        assert sum(number in each for each in told(world, "ben")) == 1


async def test_nobody_is_told_of_their_own_deed_and_who_had_the_ticket_is_told(desk: Open, clock: MovableClock) -> None:
    async with desk() as world:
        number = await filed(world)
        await world.say("cleo", "/desk status")
        await world.say("ben", f"/desk ticket assign {number} me")
        mine = len(told(world, "ben"))
        await passes(world, clock, 61)
        assert len(told(world, "ben")) == mine
        await world.say("ada", "/desk ticket show")
        await world.say("ada", f"/desk ticket comment {number} still broken")
        assert any("still broken" in each for each in told(world, "ben")[mine:])


async def test_watchers_lose_what_they_may_not_read_any_more(desk: Open, clock: MovableClock) -> None:
    """Rights come and go at random between the change and its telling: nothing shows that may not be read then."""
    chance = random.Random(17)
    async with desk() as world:
        number = await filed(world)
        people = world.desk.settings.people_path
        listed = await asyncio.to_thread(people.read_text, encoding="utf-8")
        without = listed.replace("groups: [it], roles: [agent]", "groups: [it]")
        assert without != listed
        await world.say("ben", "/desk status")
        for turn in range(12):
            await asyncio.to_thread(people.write_text, listed, encoding="utf-8")
            watched = await world.say("ben", f"/desk ticket watch {number}")
            assert "You will be told" in words(watched)
            await world.say("cleo", f"/desk ticket comment {number} hold-{turn}")  # what follows waits a minute
            await world.say("cleo", f"/desk ticket comment {number} word-{turn}")
            may = chance.random() < 0.5
            await asyncio.to_thread(people.write_text, listed if may else without, encoding="utf-8")
            await passes(world, clock, 61)
            assert any(f"word-{turn}" in each for each in told(world, "ben")) == may, turn
        assert any("word-" in each for each in told(world, "ada"))


async def test_rights_that_end_between_drawing_and_sending_count(desk: Open, clock: MovableClock) -> None:
    async with desk() as world:
        number, people = await filed(world), world.desk.settings.people_path
        listed = await asyncio.to_thread(people.read_text, encoding="utf-8")
        without = listed.replace("groups: [it], roles: [agent]", "groups: [it]")
        assert without != listed
        tickets, shown = world.desk.tickets, 0
        for steps in range(6):
            await world.say("ben", f"/desk ticket watch {number}")
            await tickets.comment(local_operator(), number, text=f"word-{steps}")
            for _ in range(steps):
                await world.desk.outbox.drain_once()
            before = sum(f"word-{steps}" in each for each in told(world, "ben"))
            await asyncio.to_thread(people.write_text, without, encoding="utf-8")
            await world.settle("ada")
            assert sum(f"word-{steps}" in each for each in told(world, "ben")) == before, steps
            shown += before
            await asyncio.to_thread(people.write_text, listed, encoding="utf-8")
            await passes(world, clock, 61)
        assert shown > 0


@pytest.fixture
def mailbox(tmp_path: Path) -> Iterator[Mailbox]:
    with mail_server(tmp_path / "certificates") as box:
        yield box


@pytest.fixture
def received() -> Iterator[Received]:
    with webhook_receiver() as received:
        yield received


async def test_news_come_by_e_mail_to_who_wants_that(desk: Open, mailbox: Mailbox) -> None:
    async with desk(mail=mailbox.settings, web={"url": "https://desk.example.com"}) as world:
        number = await filed(world)
        await world.say("ada", "notify me by e-mail")
        before = len(told(world, "ada"))
        await world.say("ben", f"/desk ticket comment {number} Is it <b>plugged</b> in?")

        (message,) = mailbox.got
        assert message["To"] == "ada@example.com"
        assert number in message["Subject"]
        plain, html = message.get_body(("plain",)), message.get_body(("html",))
        assert plain is not None
        assert html is not None
        assert "Is it <b>plugged</b> in?" in plain.get_content()
        assert f"https://desk.example.com/tickets/{number}" in plain.get_content()
        assert "&lt;b&gt;plugged&lt;/b&gt;" in html.get_content()
        assert f'href="https://desk.example.com/tickets/{number}"' in html.get_content()
        assert len(told(world, "ada")) == before


async def test_what_the_mail_server_refuses_comes_in_the_chat(desk: Open, mailbox: Mailbox) -> None:
    mailbox.answer = "550 no such user"
    async with desk(mail=mailbox.settings) as world:
        number = await filed(world)
        await world.say("ada", "/desk settings set way mail")
        await world.say("ben", f"/desk ticket comment {number} look here")
        assert mailbox.got == []
        assert sum("look here" in each for each in told(world, "ada")) == 1


async def test_a_webhook_is_signed_and_tells_the_same(desk: Open, received: Received) -> None:
    async with desk(webhook=received.settings) as world:
        number = await filed(world)
        await world.say("ada", "/desk settings set way webhook")
        await world.say("ben", f"/desk ticket comment {number} 请看一下")
    ((headers, body),) = received.got
    sent_at = headers["X-Dutydesk-Timestamp"]
    expected = "v1=" + hmac.new(SECRET.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert headers["X-Dutydesk-Signature"] == expected == signature(SECRET, sent_at, body)
    said = json.loads(body)
    assert said["person"] == {"id": "ada", "email": "ada@example.com"}
    assert "请看一下" in said["text"]


async def test_what_no_way_delivers_is_kept_with_its_reason_and_tried_again(desk: Open, received: Received) -> None:
    received.status = 410
    async with desk(webhook=received.settings, tickets={"group": "it"}) as world:
        await filed(world)  # Ben is on duty, and never spoke to the desk: the webhook is his only way
        async with world.desk.database.reading() as session:
            (lost,) = await store.undelivered(session, limit=9)
        assert (lost.person, lost.way, lost.reason) == ("ben", "webhook", "the webhook answered 410")

        received.status = 204
        async with world.desk.database.transaction() as session:
            assert await world.desk.news.retry(session, lost.key)
            assert not await world.desk.news.retry(session, lost.key)
        await world.settle("ada")
        assert len(received.got) == 2
        async with world.desk.database.reading() as session:
            assert await store.undelivered(session, limit=9) == ()
