"""The inbox: durable, de-duplicated, one event of a thread at a time, never silent.

`receive` takes the secrets out of an event and puts it into the queue before the adapter acknowledges it. The worker
takes events thread by thread, and an event's end (its outcome and its reply) is one transaction: killed at any point,
the event is either taken again or its one reply is on its way.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace

from adapters.events import FormSubmit, Inbound, Message, Press, Withdrawn
from adapters.port import Accepted, Receipt, Unavailable
from bot.delivery.events import (
    Due,
    dump_event,
    event_key,
    event_line,
    event_topic,
    freed_of_secrets,
    kind_of,
    load_stored,
    overheard_topic,
    withdrawal_topic,
)
from bot.delivery.posts import Post, enqueue, enqueue_refresh
from bot.delivery.store import InboxEntry
from storage.clock import Clock
from storage.database import Database, Session
from storage.queue import work as queue
from storage.queue.failures import DeadlyItem, RetryLater
from storage.queue.rows import WorkItem
from storage.queue.worker import Ending, Topic, Worker
from storage.redaction.announced import Announcements

log = logging.getLogger(__name__)

#: Times that a process may end while an event is in hand, whatever else is; none of those may be its fault.
MAX_FAILURES = 8
#: Events that one process works on at a time: most of that time an answer waits for a language model.
PARALLEL = 32
#: Whatever somebody waits for goes before what was said to nobody.
LAST = 2
#: Seconds beyond the time of an answer in which its apology is made.
GRACE_S = 30.0


@dataclass(frozen=True)
class Reply:
    """How an event ended: its outcome and what is to be posted."""

    outcome: str
    posts: tuple[Post, ...] = ()
    run_id: str | None = None
    writes: tuple[Callable[[Session], Awaitable[None]], ...] = ()  # what else belongs to its end, such as the run
    refresh: tuple[str, ...] = ()  # subjects whose posted cards are to be drawn again


#: Answers a press or a form from state alone, before it is stored; None means "store it and work on it".
Respond = Callable[[Press | FormSubmit], Awaitable[Receipt | None]]
Work = Callable[[InboxEntry, Inbound | Due], Awaitable[Reply]]
Apologise = Callable[[InboxEntry, Inbound | Due, Exception], Reply]


#: Returns whether a message to nobody is worth a look; asked of all talk of all channels, so it has to cost nothing.
Worth = Callable[[Message], Awaitable[bool]]


async def nothing_is(_event: Message) -> bool:
    """Return False: where nobody listens, nothing that was said to nobody is worth a look."""
    return False


class GaveUp(Exception):
    """An event ended the process that worked on it each time (`deadly`), or its end could not be written."""

    def __init__(self, entry: str, *, deadly: bool) -> None:
        super().__init__(entry)
        self.deadly = deadly


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
        worth: Worth = nothing_is,
        announced: Announcements | None = None,
        platforms: Iterable[str],
        work_s: float,
        max_deaths: int = 2,
        parallel: int = PARALLEL,
        lease_s: float = 15.0,
    ) -> None:
        self._database = database
        self._announced = announced or Announcements(clock)
        self._respond = respond
        self._work = work
        self._apologise = apologise
        self._worth = worth
        self._work_s = work_s
        # Times that an event may end its process, while nothing else is in hand there, before it is closed as failed.
        self._max_deaths = max_deaths
        self.worker = Worker(database, clock, {}, name="inbox", parallel=parallel, lease_s=lease_s, at_stop="give back")
        for platform in platforms:
            self.serve(platform)

    def serve(self, platform: str) -> None:
        """Work on the events of one more platform: only a process that serves it could answer them."""
        how = Topic(
            self._handle,
            timeout_s=self._work_s + GRACE_S,
            max_failures=max(MAX_FAILURES, self._max_deaths),
            max_deaths=self._max_deaths,
            gave_up=self._gave_up,
        )
        self.worker.serve(event_topic(platform), how)
        self.worker.serve(withdrawal_topic(platform), how)
        self.worker.serve(overheard_topic(platform), how)

    async def receive(self, event: Inbound) -> Receipt:
        """Store an event and return; a redelivery is a no-op. Raises the database's error when it was not stored.

        What people said leaves this function without the secrets in it: nothing after it ever has them.
        """
        if isinstance(event, Message) and event.overheard and not await self._worth(event):
            return Accepted()
        given, event = event, await freed_of_secrets(event)
        if isinstance(event, Message):
            said = str(event.address.get("asked", event.event_id))  # as the transcript of the browser names it
            text = await self._announced.freed(f"{event.thread}:{event.account.user}", said, event.text)
            event = event if text == event.text else replace(event, text=text)
        if isinstance(event, Press | FormSubmit):
            receipt = await self._respond(event)
            if receipt is not None:
                return receipt
        follows = isinstance(event, Message) and not (event.addressed or event.overheard)
        if isinstance(event, Message) and follows and not await self._takes_part(event):
            return Accepted()
        kind, platform = kind_of(event), event.account.platform
        async with self._database.transaction() as session:
            await queue.enqueue(
                session,
                topic=_topic_of(event),
                payload={"kind": kind, "thread": event.thread, "event": dump_event(event), "redacted": event != given},
                key=event_key(platform, event.event_id),
                line=event_line(platform, event.thread),
                priority=LAST if isinstance(event, Message) and event.overheard else 0,
                kind="in",
            )
        return Accepted()

    async def _takes_part(self, event: Message) -> bool:
        """Return whether the desk was ever spoken to in the thread."""
        platform = event.account.platform
        async with self._database.reading() as session:
            return await queue.was_promised(
                session, line=event_line(platform, event.thread), topic=event_topic(platform)
            )

    async def run(self, stop: asyncio.Event) -> None:
        """Work until told to stop; what is unfinished then is given back."""
        await self.worker.run(stop)

    async def drain(self) -> None:
        """Work until nothing is left; for tests and for the command line."""
        await self.worker.drain()

    async def _handle(self, item: WorkItem) -> Ending:
        entry, event = _entry_of(item)
        try:
            async with asyncio.timeout(self._work_s):
                reply = await self._work(entry, event)
        except Unavailable as away:
            # Whoever asked is told nothing false: the event waits until its platform can be reached again.
            raise RetryLater(away.retry_after_s, begun=False) from away
        except Exception as error:
            # Whatever broke, the person gets an answer with a reference; the trace is in the log under it.
            log.exception("event %s failed", entry.id)
            reply = self._apologise(entry, event, error)
        return _ending(entry, reply)

    def _gave_up(self, item: WorkItem, error: Exception) -> Ending:
        """Whoever worked on an event died each time, or its end could not be written: the person is told."""
        entry, event = _entry_of(item)
        deadly = isinstance(error, DeadlyItem)
        if deadly:
            what = "ended the process that worked on it again and again and is not tried any more; its sender is told"
            log.critical("event %s of %s %s", entry.id, item.line or item.topic, what)
        else:
            log.error("event %s failed: %s", entry.id, type(error).__name__)
        return _ending(entry, self._apologise(entry, event, GaveUp(entry.id, deadly=deadly)))


def _topic_of(event: Inbound) -> str:
    platform = event.account.platform
    if isinstance(event, Withdrawn):
        return withdrawal_topic(platform)
    return overheard_topic(platform) if isinstance(event, Message) and event.overheard else event_topic(platform)


def _entry_of(item: WorkItem) -> tuple[InboxEntry, Inbound | Due]:
    thread = str(item.payload["thread"])
    redacted = item.payload.get("redacted") is True
    return InboxEntry(id=item.id, thread=thread, attempts=item.attempt, redacted=redacted), load_stored(item.payload)


def _ending(entry: InboxEntry, reply: Reply) -> Ending:
    async def effects(session: Session) -> None:
        for write in reply.writes:
            await write(session)
        for post in reply.posts:
            await enqueue(session, post, line=entry.thread)
        drawn = [post.key for post in reply.posts]
        for subject in reply.refresh:
            await enqueue_refresh(session, subject, version=entry.id, line=entry.thread, drawn=drawn)

    return Ending(reply.outcome, effects if reply.writes or reply.posts or reply.refresh else None)
