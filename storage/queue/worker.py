"""Carries out what was enqueued; any number of workers, in any number of processes, share the work.

A worker has its topics. It handles items of different lines side by side, keeps their leases alive while it does, and
lets go of an item that somebody else has taken over meanwhile. An item that fails is tried again later; one that fails
too often, or that kills whoever handles it, is kept as dead, logged, and its topic may apologise for it.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from storage.clock import Clock
from storage.database import AWAY, Database, Seat, changed_rows
from storage.ids import new_id
from storage.queue import rows, turns
from storage.queue.failures import DeadlyItem, Hopeless, RetryLater, words_of
from storage.queue.holders import Holder
from storage.queue.rows import Claimed, Eligible, Outcome, WorkItem
from storage.queue.seldom import SeldomLog
from storage.queue.tables import QueueTable
from storage.queue.turns import TopicTurns
from storage.queue.work import count_open, topic_signal

log = logging.getLogger(__name__)

#: Items that one worker handles at a time, unless it is told otherwise.
PARALLEL = 16
#: Ends that a worker with a `courtesy` writes down at a time: others write between two.
AT_A_TIME = 1
#: Seconds until the second attempt, and at most between two.
FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 300.0
#: Seconds after which an idle worker looks (it only reads) for items that another process wrote.
POLL_S = 1.0
#: Seconds that what is in hand has left to end by itself when the worker stops: most of it is in a database's answer.
STOP_S = 0.5

#: Seconds for which an item that its worker died with is alone in the next one, where its topic counts deaths: what
#: ends a process mostly does so at once, and others wait no longer than this.
QUIET_S = 1.0


#: Changes that are committed with the end of an item, and only if this worker still holds it.
Effects = Callable[[AsyncSession], Awaitable[object]]


@dataclass(frozen=True)
class Ending:
    """How handling ended, in a word, and what is to be committed with it."""

    outcome: str = "done"
    effects: Effects | None = None


Handler = Callable[[WorkItem], Awaitable[Ending | None]]
GaveUp = Callable[[WorkItem, Exception], Ending]


@dataclass(frozen=True)
class Topic:
    """Who handles a topic, for how many seconds at most, and how often it is tried."""

    handle: Handler
    timeout_s: float = 30.0
    max_failures: int = 8
    #: After so many deaths of workers that held nothing else, an item is given up; 0: such deaths are failures.
    max_deaths: int = 0
    #: What is committed with the end of an item that is given up. A topic that has it never handles an item again
    #: because its end cannot be written: that item is given up at once.
    gave_up: GaveUp | None = None
    #: Whether an item may be promised for a time that is days ahead.
    patient: bool = False
    #: Whether one process at a time handles those items for which nobody waits (their priority is above 0).
    in_turn: bool = False
    #: Whether a worker commits what came of its items in the order in which they were promised.
    in_order: bool = False
    #: Whether what somebody waits for goes before those of its line for which nobody does.
    overtakes: bool = False


@dataclass(frozen=True)
class _Ended:
    """What came of an item."""

    claimed: Claimed
    outcome: Outcome
    effects: Effects | None = None


class Worker:
    """One loop over some topics.

    `at_stop` says what becomes of the items in hand when it is told to stop: they are finished first, or given back.
    Of items for which nobody waits (their priority is above 0) it has at most `unhurried` in hand. `courtesy` is
    awaited before it writes and claims, where all that it does can wait for others a little.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        topics: Mapping[str, Topic],
        *,
        name: str,
        parallel: int = PARALLEL,
        unhurried: int = PARALLEL,
        courtesy: Callable[[], Awaitable[None]] | None = None,
        lease_s: float = 60.0,
        at_stop: Literal["finish", "give back"] = "finish",
    ) -> None:
        self._database = database
        self._clock = clock
        self._topics: dict[str, Topic] = {}
        self._name = name
        self._parallel = parallel
        self._unhurried = unhurried
        self._courtesy = courtesy
        self._lease_s = lease_s
        self._at_stop = at_stop
        self._holder = Holder(new_id(name))
        self._quiet: tuple[asyncio.Task[None], float] | None = None  # what may be deadly, and until when it is alone
        self._turns = TopicTurns(self._holder.worker, lease_s)
        self._awake = asyncio.Event()
        self._seldom = SeldomLog(log, clock.monotonic)
        self._jitter = random.Random()  # noqa: S311 - spreads retries, keeps no secret
        self._held: dict[int, tuple[Claimed, asyncio.Task[None]]] = {}  # by sequence: what is leased by this worker
        self._more = False  # whether the last claim left something that is due
        self._is_claiming = False  # what it finds room for is not in hand yet
        self._ended: list[_Ended] = []  # what came of it and is not written down yet
        # Writing down several items and renewing their leases lock the same rows, in no order that both would keep.
        self._writing = asyncio.Lock()
        for topic, how in topics.items():
            self.serve(topic, how)

    @property
    def topics(self) -> Mapping[str, Topic]:
        """Return what this worker handles."""
        return self._topics

    @property
    def is_working(self) -> bool:
        """Return whether this worker has something in hand, or has not written down what came of it."""
        return bool(self._held)

    def hurries(self, prefix: str) -> bool:
        """Return whether something that somebody waits for is in hand, of a topic that begins so."""
        return any(each.priority <= 0 and each.item.topic.startswith(prefix) for each, _ in self._held.values())

    def serve(self, topic: str, how: Topic) -> None:
        """Handle one more topic from now on."""
        if topic not in self._topics:
            self._database.listen(topic_signal(topic), self.wake)
        self._topics[topic] = how

    def wake(self) -> None:
        """Have `run` look at once; commits of this process do so by themselves."""
        self._awake.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Work until told to stop. A slow item holds up nothing but its own line."""

        def offer(topic: str, priority: int) -> Seat | None:
            full = len(self._running()) >= self._parallel
            full = full or (priority > 0 and (self._is_claiming or self._room_behind() <= 0))
            busy = self._more or self._is_quiet() or full
            if stop.is_set() or busy or topic not in self._topics or self._needs_turn(topic, priority):
                return None
            return Seat(self._holder.claim(alone=True), self._lease_s, begin)

        def begin(claimed: Claimed) -> None:
            if not stop.is_set():  # else its lease lapses
                self._begin(claimed)

        self._database.seats.append(offer)
        stopped = asyncio.create_task(stop.wait())
        keeper = asyncio.create_task(self._keep_leases(), name=f"{self._name} leases")
        look = True
        try:
            while not stop.is_set():
                if look:
                    self._awake.clear()  # only here: whatever wakes us from now on is looked at in the next turn
                    if await self._turn_or_log():
                        continue
                look = await self._pause(stopped) or await self._is_anything_due()
            if self._at_stop == "finish" and self._held:
                await asyncio.gather(*self._running())
        finally:
            self._database.seats.remove(offer)
            stopped.cancel()
            keeper.cancel()
            # Awaited: one that is in a transaction ends it before the database is closed under it.
            await asyncio.gather(stopped, keeper, return_exceptions=True)
            await self._let_go()

    async def drain_once(self) -> int:
        """Handle one batch of what is due and return how many items that were, well or badly."""
        batch = await self._turn()
        keeper = asyncio.create_task(self._keep_leases())
        try:
            for ended in await asyncio.gather(*self._running(), return_exceptions=True):
                if isinstance(ended, Exception):  # one that was lost to another worker is cancelled, and no error
                    raise ended
            await self._settle_all()
            await self._end_turns()
        finally:
            running = [keeper, *self._running()]
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            self._held.clear()
        return len(batch)

    async def drain(self) -> None:
        """Work until nothing of these topics is left, whatever waits until later included."""
        while True:
            if await self.drain_once():
                continue
            async with self._database.reading() as session:
                if await count_open(session, topics=self._topics) == 0:
                    return
            await self._clock.sleep(POLL_S)

    async def take_over(self) -> int:
        """Take back every lease, for a start when no other process can be at work; return how many there were."""
        async with self._database.transaction() as session:
            await changed_rows(session, turns.left_by_the_dead())
            return await changed_rows(session, rows.left_by_the_dead())

    async def _is_anything_due(self) -> bool:
        try:
            async with self._database.reading() as session:
                return await session.scalar(rows.anything_due(self._clock.now(), self._eligible())) is not None
        except SQLAlchemyError as error:
            self._unreadable(error)
            return False

    def _unreadable(self, error: SQLAlchemyError) -> None:
        """Say it once a minute: a database that is damaged or away is asked again at each poll."""
        self._seldom.say("the queue cannot be read; trying again", level=logging.ERROR, error=error)

    def _eligible(self) -> Eligible:
        topics = self._topics.items()
        in_turn = [topic for topic, how in topics if how.in_turn]
        return Eligible(
            topics=self._topics,
            patient=[topic for topic, how in topics if how.patient],
            overtaking=[topic for topic, how in topics if how.overtakes],
            bounds=(self._turns.nobody_else_has(in_turn),) if in_turn else (),
        )

    def _needs_turn(self, topic: str, priority: int) -> bool:
        return priority > 0 and self._topics[topic].in_turn and topic not in self._turns.held

    async def _turn_or_log(self) -> bool:
        """Take one turn; return whether more is due than there was room for."""
        if self._courtesy is not None:
            await self._courtesy()
        try:
            await self._turn()
        except SQLAlchemyError as error:
            self._unreadable(error)
            return False
        free = not self._is_quiet() and len(self._running()) < self._parallel
        return bool(self._ended) or (self._more and free)

    def _is_quiet(self) -> bool:
        """Return whether an item that a worker died with is to be alone now."""
        if self._quiet is None:
            return False
        task, until = self._quiet
        if task.done() or asyncio.get_running_loop().time() >= until:
            self._quiet = None
        return self._quiet is not None

    async def _turn(self) -> list[Claimed]:
        """Write down what has ended and lease what is due, as far as there is room: one transaction for both."""
        room = 0 if self._is_quiet() else self._parallel - len(self._running())
        most = len(self._ended) if self._courtesy is None else AT_A_TIME
        ended, self._ended = self._ended[:most], self._ended[most:]
        self._is_claiming = room > 0
        try:
            async with self._writing, self._database.transaction() as session:
                await self._settle(session, ended)
                batch = await self._claim(session, room) if room > 0 else []
        except Exception as error:
            self._turns.forget_fresh()
            if not ended:
                raise
            await self._settle_apart(ended, error)
            return []
        finally:
            self._is_claiming = False
        self._forget(ended)
        for claimed in batch:
            self._begin(claimed)
        return batch

    def _begin(self, claimed: Claimed) -> None:
        task = asyncio.create_task(self._carry_out(claimed), name=f"{self._name} {claimed.item.id}")
        self._held[claimed.sequence] = (claimed, task)
        if claimed.after_death and self._topics[claimed.item.topic].max_deaths:
            self._quiet = (task, asyncio.get_running_loop().time() + QUIET_S)

    def _room_behind(self) -> int:
        """Return how many more of the items for which nobody waits may be in hand."""
        behind = sum(claimed.priority > 0 for claimed, task in self._held.values() if not task.done())
        return self._unhurried - behind

    def _running(self) -> "list[asyncio.Task[None]]":
        return [task for _, task in self._held.values() if not task.done()]

    def _forget(self, ended: "list[_Ended]") -> None:
        for each in ended:
            self._held.pop(each.claimed.sequence, None)

    async def _pause(self, stopped: "asyncio.Task[Literal[True]]") -> bool:
        """Wait for a wake, for the end, or for a while; return whether something woke us."""
        awake = asyncio.create_task(self._awake.wait())
        await asyncio.wait({awake, stopped}, timeout=POLL_S, return_when=asyncio.FIRST_COMPLETED)
        awake.cancel()
        return self._awake.is_set()

    async def _claim(self, session: AsyncSession, limit: int) -> list[Claimed]:
        """Lease up to `limit`; what a holder died with is leased alone, so that only the deadly one is given up."""
        behind = max(0, self._room_behind())
        query = rows.due(self._clock.now(), self._eligible(), limit=limit, highest=None if behind else 0)
        first = list((await session.execute(query)).scalars())
        needed = {row.topic for row in first if row.priority > 0 and self._topics[row.topic].in_turn}
        if needed and (lost := await self._turns.take(session, needed)):
            first = [row for row in first if row.priority <= 0 or row.topic not in lost]
        # They come by priority: where some are left for later, nothing that hurries is behind them.
        found = first[: sum(row.priority <= 0 for row in first) + behind]
        suspects = [row for row in found if row.lease_owner is not None]
        taken = suspects[:1] or found
        self._more = len(found) == limit or len(taken) < len(found) <= len(first)
        deaths = await rows.deaths_of(session, suspects[0], taken_by=self._holder.worker) if suspects else 0
        # A new one each time: what comes of an item is only taken from its holder.
        holder = self._holder.claim(alone=len(taken) == 1, deaths=deaths)
        batch = [rows.claimed_from(row, holder=holder, deaths=deaths) for row in taken]
        if batch:
            sequences = [claimed.sequence for claimed in batch]
            await changed_rows(session, rows.claim(sequences, holder=holder, lease_s=self._lease_s))
        return batch

    async def _carry_out(self, claimed: Claimed) -> None:
        ended = await self._handle(claimed)
        await self._follow(claimed)
        self._ended.append(ended)  # by a statement of its own: the list is another one after the wait
        self.wake()

    async def _follow(self, claimed: Claimed) -> None:
        """Wait for the end of what was promised before an item of a topic in order."""
        topic = claimed.item.topic
        held = self._held.values() if self._topics[topic].in_order else ()
        before = [task for each, task in held if each.item.topic == topic and each.sequence < claimed.sequence]
        if before:
            await asyncio.wait(before)

    async def _handle(self, claimed: Claimed) -> "_Ended":
        item, how = claimed.item, self._topics[claimed.item.topic]
        if claimed.failures >= how.max_failures or 0 < how.max_deaths <= claimed.deaths:
            return self._given_up(claimed, how, DeadlyItem(), max(claimed.failures, claimed.deaths))
        try:
            async with asyncio.timeout(how.timeout_s):
                ending = await how.handle(item) or Ending()
        except RetryLater as later:
            outcome = Outcome("open", failures=claimed.failures, retry_in_s=later.seconds, begun=later.begun)
            return _Ended(claimed, outcome)
        except Hopeless as error:
            return self._given_up(claimed, how, error, claimed.failures + 1)
        except asyncio.CancelledError:
            if asyncio.current_task().cancelling():  # type: ignore[union-attr]  # we are a task
                raise
            return self._failed(claimed, how, RuntimeError("the handler cancelled itself"), claimed.failures + 1)
        except Exception as error:  # whatever a handler raises, the other items go on
            log.warning("queue: %s %s failed, attempt %d", item.topic, item.key, item.attempt, exc_info=True)
            return self._failed(claimed, how, error, claimed.failures + 1)
        return _Ended(claimed, Outcome("done", failures=claimed.failures, outcome=ending.outcome), ending.effects)

    def _spoiled(self, claimed: Claimed, error: Exception) -> "_Ended":
        """Return what comes of an item whose end cannot be written; a lost connection is no reason to give it up."""
        how, failures = self._topics[claimed.item.topic], claimed.failures + 1
        lost = isinstance(error, DBAPIError) and error.connection_invalidated
        if how.gave_up and not lost:
            return self._given_up(claimed, how, error, failures)
        return self._failed(claimed, how, error, failures)

    def _failed(self, claimed: Claimed, how: Topic, error: Exception, failures: int) -> "_Ended":
        if failures >= how.max_failures:
            return self._given_up(claimed, how, error, failures)
        longest = min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** (failures - 1))
        wait_s = longest * self._jitter.uniform(0.5, 1)
        return _Ended(claimed, Outcome("open", failures=failures, retry_in_s=wait_s, error=words_of(error)))

    def _given_up(self, claimed: Claimed, how: Topic, error: Exception, failures: int) -> "_Ended":
        item = claimed.item
        if isinstance(error, Hopeless):
            log.error("queue: %s %s is given up: %s", item.topic, item.key, error)
        else:
            log.error("queue: %s %s is given up after %d failures: %s", item.topic, item.key, failures, words_of(error))
        ending = how.gave_up(item, error) if how.gave_up else Ending("dead")
        outcome = Outcome("dead", failures=failures, outcome=ending.outcome, error=words_of(error))
        return _Ended(claimed, outcome, ending.effects)

    async def _settle(self, session: AsyncSession, ended: "list[_Ended]") -> None:
        """Write down what has ended, with its effects; nothing of what somebody else took over meanwhile."""
        now = self._clock.now()
        plain = [each for each in ended if each.effects is None]
        for outcome in dict.fromkeys(each.outcome for each in plain):
            alike = [each.claimed for each in plain if each.outcome == outcome]
            await changed_rows(session, rows.finished(alike, outcome, now=now))
        for each in ended:
            if each.effects is None:
                continue
            if await changed_rows(session, rows.finished([each.claimed], each.outcome, now=now)):
                await each.effects(session)
            else:
                log.warning("queue: %s was taken over by another worker; nothing is done twice", each.claimed.item.key)

    async def _settle_all(self) -> None:
        """Write down what has ended, until nothing is left."""
        while self._ended:
            ended, self._ended = self._ended, []
            try:
                async with self._writing, self._database.transaction() as session:
                    await self._settle(session, ended)
            except Exception as error:  # noqa: BLE001 - each is logged when it is written down alone
                # Which of them it was is found by writing each down alone.
                await self._settle_apart(ended, error)
            self._forget(ended)

    async def _settle_apart(self, ended: "list[_Ended]", error: Exception) -> None:
        """Write each down by itself, so that one whose effects fail spoils no other; it has failed, then."""
        log.warning("queue: %d items could not be finished together: %s", len(ended), error)
        for each in ended:
            try:
                async with self._database.transaction() as session:
                    await self._settle(session, [each])
            except Exception as why:
                # Its effects, or the database, refused: if even that cannot be written down, its lease lapses.
                log.exception("queue: %s could not be finished", each.claimed.item.key)
                with suppress(*AWAY):
                    async with self._database.transaction() as session:
                        await self._settle(session, [self._spoiled(each.claimed, why)])
        self._forget(ended)

    async def _keep_leases(self) -> None:
        """Renew the leases of what was in hand a look ago, too: what is done sooner costs no write."""
        before: set[str] = set()
        while True:
            await asyncio.sleep(self._lease_s / 4)  # of the database's seconds: no test's clock runs there
            in_hand = list(self._held.values())
            held = [each for each in in_hand if each[0].holder in before]
            before = {claimed.holder for claimed, _ in in_hand}
            if not held and not self._turns.held:
                continue
            try:
                async with self._writing, self._database.transaction() as session:
                    await self._turns.keep(session, {claimed.item.topic for claimed, _ in in_hand})
                    renewed = rows.renew([claimed for claimed, _ in held], lease_s=self._lease_s).returning(
                        QueueTable.sequence
                    )
                    kept = set((await session.execute(renewed)).scalars())
            except Exception:
                # The database may be back before the leases are over; if not, the end of an item decides.
                log.exception("leases could not be renewed")
                continue
            for claimed, task in held:
                if claimed.sequence not in kept and not task.done():
                    log.warning("queue: %s was lost to another worker", claimed.item.key)
                    self._held.pop(claimed.sequence, None)
                    task.cancel()

    async def _let_go(self) -> None:
        """Stop what is in hand, write down what has ended, and leave the rest to the next worker."""
        if self._held:
            await asyncio.wait([task for _, task in self._held.values()], timeout=STOP_S)
        running = self._running()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._settle_all()
        if self._held:
            async with self._database.transaction() as session:
                await changed_rows(session, rows.given_back([claimed for claimed, _ in self._held.values()]))
            self._held.clear()
        await self._end_turns()

    async def _end_turns(self) -> None:
        """Leave every turn to the next worker."""
        if self._turns.held:
            async with self._database.transaction() as session:
                await self._turns.give_up(session)
