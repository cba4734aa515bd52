"""The inbox: stored before it is acknowledged, once per event id, in order within a thread, never silent."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

import pytest
from sqlalchemy import text

from adapters.cards import Card, Text
from adapters.events import Account, FormSubmit, Message, Press
from adapters.port import InvalidForm, Receipt
from bot.delivery.posts import Post
from bot.delivery.store import InboxEntry
from bot.inbox.inbox import PARALLEL, Inbox, Reply
from bot.inbox.turns import Turns
from storage.clock import SystemClock
from storage.database import Database
from tests.scale import scaled

ADA = Account(platform="memory", tenant="home", user="ada", name="Ada")


def message(event_id: str, text: str = "hello", *, thread: str = "t1", addressed: bool = True) -> Message:
    return Message(
        event_id=event_id,
        account=ADA,
        address={"thread": thread},
        thread=thread,
        received_at=datetime.now(UTC),
        text=text,
        addressed=addressed,
    )


async def nothing_at_once(_event: Press | FormSubmit) -> Receipt | None:
    return None


def apologise(entry: InboxEntry, _event: Any, error: Exception) -> Reply:
    card = Card(blocks=(Text(f"{type(error).__name__} {entry.id}"),), fallback="failed")
    return Reply(outcome="failed", posts=(Post("memory", {}, card, key=f"reply:{entry.id}"),))


Work = Callable[[InboxEntry, Any], Awaitable[Reply]]


class MakeInbox(Protocol):
    """Makes an inbox that works on so many events at once."""

    def __call__(self, work: Work, *, parallel: int = PARALLEL) -> Inbox: ...


@pytest.fixture
def make_inbox(database: Database) -> MakeInbox:
    def make(work: Work, *, parallel: int = PARALLEL) -> Inbox:
        return Inbox(
            database,
            SystemClock(),
            respond=nothing_at_once,
            work=work,
            apologise=apologise,
            platforms=("memory",),
            work_s=5.0,
            lease_s=1.0,
            parallel=parallel,
        )

    return make


async def test_a_redelivered_event_is_worked_on_once(make_inbox: MakeInbox) -> None:
    seen: list[str] = []

    async def work(_entry: InboxEntry, event: Any) -> Reply:
        seen.append(event.event_id)
        return Reply(outcome="answered")

    inbox = make_inbox(work)
    await asyncio.gather(*(inbox.receive(message("e1")) for _ in range(5)))
    await inbox.drain()
    await inbox.receive(message("e1"))
    await inbox.drain()

    assert seen == ["e1"]


async def test_messages_of_one_thread_are_handled_in_order_and_threads_side_by_side(make_inbox: MakeInbox) -> None:
    seen: dict[str, list[int]] = {}
    at_work: set[str] = set()
    together = 0

    async def work(_entry: InboxEntry, event: Any) -> Reply:
        nonlocal together
        assert isinstance(event, Message)
        assert event.thread not in at_work
        at_work.add(event.thread)
        together = max(together, len(at_work))
        await asyncio.sleep(0.005)
        at_work.discard(event.thread)
        seen.setdefault(event.thread, []).append(int(event.text))
        return Reply(outcome="answered")

    inbox = make_inbox(work)
    for number in range(scaled(100, least=10)):
        for thread in ("a", "b", "c"):
            await inbox.receive(message(f"{thread}{number}", str(number), thread=thread))
    await inbox.drain()

    assert all(numbers == sorted(numbers) for numbers in seen.values())
    assert together > 1


async def test_two_workers_share_the_inbox_without_doing_anything_twice(make_inbox: MakeInbox) -> None:
    seen: list[str] = []

    async def work(_entry: InboxEntry, event: Any) -> Reply:
        await asyncio.sleep(0.001)
        seen.append(event.event_id)
        return Reply(outcome="answered")

    one, two = make_inbox(work), make_inbox(work)
    expected = [f"e{number}" for number in range(scaled(200, least=20))]
    for number, event_id in enumerate(expected):
        await one.receive(message(event_id, thread=f"t{number % 7}"))
    await asyncio.gather(one.drain(), two.drain())

    assert sorted(seen) == sorted(expected)


async def test_whatever_breaks_ends_in_a_reply_with_a_reference(make_inbox: MakeInbox, database: Database) -> None:
    async def work(_entry: InboxEntry, _event: Any) -> Reply:
        raise RuntimeError("the brain is on fire")

    inbox = make_inbox(work)
    await inbox.receive(message("e1"))
    await inbox.drain()

    (row,) = await _outbox(database)
    assert "RuntimeError in_" in row


async def test_overheard_words_are_not_answered(make_inbox: MakeInbox) -> None:
    seen: list[str] = []

    async def work(_entry: InboxEntry, event: Any) -> Reply:
        seen.append(event.event_id)
        return Reply(outcome="answered")

    inbox = make_inbox(work)
    await inbox.receive(message("e1", addressed=False))
    await inbox.drain()

    assert seen == []


async def test_a_wrong_form_is_answered_at_once_and_never_stored(database: Database) -> None:
    async def respond(_event: Press | FormSubmit) -> Receipt | None:
        return InvalidForm(errors={"title": "Please fill this in."})

    async def work(_entry: InboxEntry, _event: Any) -> Reply:
        raise AssertionError("a wrong form is not worked on")

    inbox = Inbox(
        database,
        SystemClock(),
        respond=respond,
        work=work,
        apologise=apologise,
        platforms=("memory",),
        work_s=5.0,
    )
    form = FormSubmit(
        event_id="f1",
        account=ADA,
        address={},
        thread="t1",
        received_at=datetime.now(UTC),
        form="draft.fields",
        id="d1",
        nonce="n",
        values={},
    )

    assert await inbox.receive(form) == InvalidForm(errors={"title": "Please fill this in."})
    await inbox.drain()


async def test_a_running_worker_stops_and_gives_back_what_it_held(make_inbox: MakeInbox) -> None:
    started = asyncio.Event()

    async def stuck(_entry: InboxEntry, _event: Any) -> Reply:
        started.set()
        await asyncio.sleep(60)
        return Reply(outcome="answered")

    async def quick(_entry: InboxEntry, event: Any) -> Reply:
        done.append(event.event_id)
        return Reply(outcome="answered")

    done: list[str] = []
    first, stop = make_inbox(stuck), asyncio.Event()
    running = asyncio.create_task(first.run(stop))
    await first.receive(message("e1"))
    await started.wait()
    stop.set()
    await running
    await make_inbox(quick).drain()

    assert done == ["e1"]


async def test_a_person_with_many_messages_leaves_places_to_others_and_gets_all_answers(make_inbox: MakeInbox) -> None:
    turns, others, at_work = Turns(2), asyncio.Event(), Counter[str]()
    most, done = 0, list[str]()

    async def work(_entry: InboxEntry, event: Any) -> Reply:
        nonlocal most
        person = event.account.user
        with turns.taken(person):
            at_work[person] += 1
            most = max(most, at_work[person])
            await others.wait() if person == "ada" else others.set()
            at_work[person] -= 1
        done.append(event.event_id)
        return Reply(outcome="answered")

    inbox = make_inbox(work, parallel=4)
    hers = [f"e{number}" for number in range(9)]
    for event_id in hers:
        await inbox.receive(message(event_id, thread=event_id))
    said = message("of ben", thread="of ben")
    await inbox.receive(replace(said, account=replace(ADA, user="ben")))
    stop = asyncio.Event()
    running = asyncio.create_task(inbox.run(stop))
    await asyncio.wait_for(others.wait(), 60)
    stop.set()
    await running
    await inbox.drain()

    assert sorted(done) == [*hers, "of ben"]
    assert most == 2


async def _outbox(database: Database) -> list[str]:
    async with database.reading() as session:
        rows = await session.execute(
            text("SELECT payload FROM storage_queue WHERE topic LIKE 'post:%' ORDER BY sequence")
        )
        return [str(row.payload) for row in rows]
