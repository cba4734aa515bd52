"""The inbox: durable, de-duplicated, one event of a thread at a time, never silent.

`receive` stores an event before the adapter acknowledges it. The worker takes events thread by thread, and an
event's end (its outcome and its reply in the outbox) is one transaction: killed at any point, the event is either
taken again or its one reply is on its way.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import timedelta

from adapters.events import FormSubmit, Inbound, Message, Press
from adapters.port import Accepted, Receipt, Unavailable
from bot.delivery import store
from bot.delivery.events import dump_event, kind_of, load_event
from bot.delivery.posts import Post, enqueue, enqueue_refresh
from storage.clock import Clock
from storage.database import Database
from storage.ids import new_id

log = logging.getLogger(__name__)

#: Deliveries of one event to the worker before it is closed as failed: the event itself may be what kills us.
MAX_ATTEMPTS = 8
#: Events that one process works on at a time: most of that time an answer waits for a language model.
PARALLEL = 32
#: Seconds between looks at the database when nothing wakes the worker (another process may have stored an event).
POLL_S = 1.0


@dataclass(frozen=True)
class Reply:
    """How an event ended: its outcome and what is to be posted."""

    outcome: str
    posts: tuple[Post, ...] = ()
    run_id: str | None = None
    refresh: tuple[str, ...] = ()  # subjects whose posted cards are to be drawn again


#: Answers a press or a form from state alone, before it is stored; None means "store it and work on it".
Respond = Callable[[Press | FormSubmit], Awaitable[Receipt | None]]
Work = Callable[[store.InboxEntry, Inbound], Awaitable[Reply]]
Apologise = Callable[[store.InboxEntry, Inbound, Exception], Reply]


class GaveUp(Exception):
    """An event was started `MAX_ATTEMPTS` times and never came to its end."""


class Inbox:
    """Stores inbound events and works them off."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        respond: Respond,
        work: Work,
        apologise: Apologise,
        posted: Callable[[], None],
        platforms: Collection[str],
        work_s: float,
        parallel: int = PARALLEL,
        lease_s: float = 15.0,
    ) -> None:
        self._database = database
        self._clock = clock
        self._respond = respond
        self._work = work
        self._apologise = apologise
        self._posted = posted
        self._platforms = platforms
        self._work_s = work_s
        self._parallel = parallel
        self._lease_s = lease_s
        self._owner = new_id("worker")
        self._wake = asyncio.Event()
        self._active: set[asyncio.Task[None]] = set()

    async def receive(self, event: Inbound) -> Receipt:
        """Store an event and return; a redelivery is a no-op. Raises the database's error when it was not stored."""
        if isinstance(event, Press | FormSubmit):
            receipt = await self._respond(event)
            if receipt is not None:
                return receipt
        if isinstance(event, Message) and not event.addressed and not await self._takes_part(event):
            return Accepted()
        async with self._database.transaction() as session:
            await store.add_event(
                session,
                platform=event.account.platform,
                event_id=event.event_id,
                thread=event.thread,
                kind=kind_of(event),
                payload=dump_event(event),
                now=self._clock.now(),
            )
        self._wake.set()
        return Accepted()

    async def _takes_part(self, event: Message) -> bool:
        async with self._database.reading() as session:
            return await store.takes_part(session, platform=event.account.platform, thread=event.thread)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until told to stop; what is unfinished then is given back."""
        keeper = asyncio.create_task(self._keep_leases())
        try:
            while not stop.is_set():
                if not await self._start_some():
                    await self._rest(stop)
        finally:
            keeper.cancel()
            await self._let_go()

    async def drain(self) -> None:
        """Work until nothing is left; for tests and for the command line."""
        while True:
            await self._start_some()
            if not self._active:
                async with self._database.reading() as session:
                    if await store.count_unfinished(session, platforms=self._platforms) == 0:
                        return
                await self._clock.sleep(POLL_S)  # some were given back until later
                continue
            await asyncio.wait(self._active, return_when=asyncio.FIRST_COMPLETED)

    async def _start_some(self) -> bool:
        free = self._parallel - len(self._active)
        if free <= 0:
            return False
        self._wake.clear()
        try:
            async with self._database.transaction() as session:
                taken = await store.take_events(
                    session,
                    owner=self._owner,
                    platforms=self._platforms,
                    now=self._clock.now(),
                    lease_s=self._lease_s,
                    limit=free,
                )
        except Exception:
            # The worker outlives a database that is away: nothing is lost, it looks again.
            log.exception("the inbox cannot be read; trying again")
            await self._clock.sleep(POLL_S)
            return False
        for entry in taken:
            task = asyncio.create_task(self._process(entry), name=f"inbox {entry.id}")
            self._active.add(task)
            task.add_done_callback(self._done)
        return bool(taken)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._active.discard(task)
        self._wake.set()

    async def _rest(self, stop: asyncio.Event) -> None:
        waiting = {asyncio.ensure_future(self._wake.wait()), asyncio.ensure_future(stop.wait())}
        try:
            await asyncio.wait(waiting, timeout=POLL_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waiting:
                each.cancel()

    async def _process(self, entry: store.InboxEntry) -> None:
        event = load_event(entry.kind, entry.payload)
        try:
            if entry.attempts > MAX_ATTEMPTS:
                raise GaveUp(entry.id)  # noqa: TRY301 - one way to apologise
            async with asyncio.timeout(self._work_s):
                reply = await self._work(entry, event)
        except Unavailable as away:
            await self._postpone(entry, away)
            return
        except Exception as error:
            # Whatever broke, the person gets an answer with a reference; the trace is in the log under it.
            log.exception("event %s failed", entry.id)
            reply = self._apologise(entry, event, error)
        try:
            await self._finish(entry, reply)
        except Exception:
            # The event stays leased; when the lease lapses it is taken again.
            log.exception("event %s could not be finished", entry.id)

    async def _finish(self, entry: store.InboxEntry, reply: Reply) -> None:
        async with self._database.transaction() as session:
            kept = await store.finish_event(
                session,
                entry.id,
                owner=self._owner,
                outcome=reply.outcome,
                run_id=reply.run_id,
                now=self._clock.now(),
            )
            if not kept:
                log.warning("event %s was taken over by another worker; its reply is not sent twice", entry.id)
                return
            for post in reply.posts:
                await enqueue(session, post, order=entry.thread)
            for subject in reply.refresh:
                await enqueue_refresh(session, subject, version=entry.id, order=entry.thread)
        self._posted()

    async def _postpone(self, entry: store.InboxEntry, away: Unavailable) -> None:
        """Give an event back until its platform can be reached again: whoever asked is told nothing false."""
        log.info("event %s waits: %s", entry.id, away)
        until = self._clock.now() + timedelta(seconds=away.retry_after_s)
        try:
            async with self._database.transaction() as session:
                await store.postpone_event(session, entry.id, owner=self._owner, until=until)
        except Exception:
            # The event stays leased; when the lease lapses it is taken again.
            log.exception("event %s could not be given back", entry.id)

    async def _keep_leases(self) -> None:
        while True:
            await self._clock.sleep(self._lease_s / 3)
            until = self._clock.now() + timedelta(seconds=self._lease_s)
            try:
                async with self._database.transaction() as session:
                    await store.renew_owner(session, owner=self._owner, until=until)
            except Exception:
                # A lost lease only means that somebody else may finish the event: finish_event decides.
                log.exception("leases could not be renewed")

    async def take_over(self) -> None:
        """Give back what a dead process held, for a start when no other process can be at work."""
        async with self._database.transaction() as session:
            await store.release_all(session)

    async def _let_go(self) -> None:
        for task in list(self._active):
            task.cancel()
        await asyncio.gather(*self._active, return_exceptions=True)
        async with self._database.transaction() as session:
            await store.release_owner(session, owner=self._owner)
