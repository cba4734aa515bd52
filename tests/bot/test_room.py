"""The queue has an end: of one person and of all; who is refused can send it again, and nothing that is in is lost."""

import logging
from collections.abc import Callable
from dataclasses import replace

import pytest

from adapters.events import Account, Message, Withdrawn, withdrawal_of
from adapters.port import Accepted, Overfull
from bot.delivery.store import InboxEntry
from bot.inbox.inbox import Inbox, Reply
from bot.inbox.room import WaitingRoom
from bot.settings import LimitSettings
from storage.clock import SystemClock
from storage.database import Database
from tests.bot.test_inbox import ADA, apologise, message, nothing_at_once

BEN = Account(platform="memory", tenant="home", user="ben", name="Ben")
MakeRoom = Callable[..., tuple[WaitingRoom, Inbox, list[str]]]


@pytest.fixture
def make_room(database: Database) -> MakeRoom:
    def make(**limits: int) -> tuple[WaitingRoom, Inbox, list[str]]:
        worked: list[str] = []

        async def work(_entry: InboxEntry, event: object) -> Reply:
            worked.append(getattr(event, "event_id", ""))
            return Reply(outcome="answered")

        inbox = Inbox(
            database,
            SystemClock(),
            respond=nothing_at_once,
            work=work,
            apologise=apologise,
            platforms=("memory",),
            work_s=5.0,
        )
        return WaitingRoom(inbox, database, SystemClock(), limits=LimitSettings(**limits)), inbox, worked

    return make


def of(account: Account, event_id: str, *, thread: str = "t1") -> Message:
    return replace(message(event_id, thread=thread), account=account)


async def test_who_lets_too_much_wait_is_refused_and_others_are_not(make_room: MakeRoom) -> None:
    room, inbox, worked = make_room(waiting_per_person=3, waiting=100)
    for number in range(3):
        await room.receive(of(ADA, f"e{number}", thread=f"t{number}"))
    with pytest.raises(Overfull) as refused:
        await room.receive(of(ADA, "e3"))
    await room.receive(of(BEN, "b0"))

    assert refused.value.retry_after_s >= 1
    await inbox.drain()
    await room.receive(of(ADA, "e3"))
    await inbox.drain()
    assert sorted(worked) == ["b0", "e0", "e1", "e2", "e3"]


async def test_more_than_all_together_may_have_wait_is_refused(
    make_room: MakeRoom, caplog: pytest.LogCaptureFixture
) -> None:
    room, inbox, worked = make_room(waiting=4)
    accounts = [Account(platform="memory", tenant="home", user=f"p{number}", name="P") for number in range(20)]
    refused = 0
    with caplog.at_level(logging.WARNING):
        for account in accounts:
            try:
                await room.receive(of(account, f"of-{account.user}"))
            except Overfull:
                refused += 1

    assert refused == 16
    assert len([line for line in caplog.messages if "events are refused" in line]) == 1
    await inbox.drain()
    assert len(worked) == 4


async def test_what_is_stored_already_and_what_is_taken_back_is_never_refused(make_room: MakeRoom) -> None:
    room, _inbox, _worked = make_room(waiting=1)
    event = of(ADA, "e0")
    await room.receive(event)
    back = Withdrawn(
        event_id=withdrawal_of("e0"),
        account=event.account,
        address=event.address,
        thread=event.thread,
        received_at=event.received_at,
        message="e0",
    )

    assert await room.receive(event) == Accepted()
    assert await room.receive(back) == Accepted()
