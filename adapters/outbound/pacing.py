"""When a call may go: a little below a platform's limits, closed for as long as it says, answers before the rest."""

import asyncio
import itertools
import math
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum

from adapters.port import ChatClock, Unavailable


class PostPriority(IntEnum):
    """Who goes first where calls wait for each other."""

    ANSWER = 0
    EDIT = 1
    PROACTIVE = 2
    PIECE = 3  # best effort: a part of a text that is sent whole later


@dataclass(frozen=True)
class Rate:
    """At most so many calls in any such span of seconds."""

    calls: int
    span_s: float = 60.0


#: Share of a rate that each priority may use up, so that an answer seldom finds it spent.
SHARE = {PostPriority.ANSWER: 1.0, PostPriority.EDIT: 0.9, PostPriority.PROACTIVE: 0.75, PostPriority.PIECE: 0.75}

#: What is counted together, and where ("" for everywhere).
LaneName = tuple[str, str]
#: Lanes are forgotten when they are idle and there are more.
MANY_LANES = 500
#: Shorter waits are rounding errors.
NOW_S = 1e-6


@dataclass(frozen=True)
class Spot:
    """One call that wants to go."""

    method: str
    channel: str = ""
    priority: PostPriority = PostPriority.ANSWER


#: The lanes that a call goes through and their rates, the narrowest last: a refusal closes that one.
LanesOf = Callable[[Spot], Sequence[tuple[LaneName, Rate]]]


@dataclass
class Lane:
    """The calls that are counted together; instants are monotonic seconds."""

    rate: Rate
    closed_until: float = -math.inf
    promised: float = -math.inf
    _taken: deque[float] = field(default_factory=deque)

    def wait_s(self, now: float, *, priority: PostPriority = PostPriority.ANSWER, ahead: int = 0) -> float:
        """Return the seconds until the slot after those of `ahead` others is free."""
        self._forget(now)
        room = max(1, int(self.rate.calls * SHARE[priority]))
        slots = list(self._taken)
        for _ in range(ahead + 1):
            free = slots[-room] + self.rate.span_s if len(slots) >= room else now
            slots.append(max(now, self.closed_until, free))
        return slots[-1] - now

    def take(self, now: float) -> None:
        """Use a slot."""
        self._taken.append(now)

    def close(self, now: float, *, seconds: float) -> None:
        """Let nobody through for that long: the platform said so."""
        self.closed_until = max(self.closed_until, now + seconds)

    def promise(self, now: float, wait_s: float) -> float:
        """Return when to come back, each time a slot later, so that not all who wait come back at once."""
        apart = self.rate.span_s / self.rate.calls
        latest = now + wait_s + self.rate.span_s
        self.promised = min(latest, max(now + wait_s, self.promised + apart))
        return self.promised - now

    def idle(self, now: float) -> bool:
        """Return whether nothing is lost by forgetting the lane."""
        self._forget(now)
        return not self._taken and max(self.closed_until, self.promised) <= now

    def _forget(self, now: float) -> None:
        while self._taken and self._taken[0] <= now - self.rate.span_s:
            self._taken.popleft()


@dataclass(eq=False)
class _Waiter:
    spot: Spot
    number: int

    def before(self, other: "_Waiter") -> bool:
        return (self.spot.priority, self.number) < (other.spot.priority, other.number)


@dataclass
class _Line:
    """The calls of one thread, one at a time and in order."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class Pacing:
    """The queues of one platform: every call takes its slot here before it goes."""

    def __init__(self, clock: ChatClock, lanes_of: LanesOf) -> None:
        self._clock = clock
        self._rates_of = lanes_of
        self._lanes: dict[LaneName, Lane] = {}
        self._waiting: list[_Waiter] = []
        self._numbers = itertools.count()
        self._lines: dict[str, _Line] = {}

    @property
    def lanes(self) -> int:
        """Return how many lanes are remembered."""
        return len(self._lanes)

    def ready_in(self, spot: Spot) -> float:
        """Return the seconds after which a call could go, 0 for now."""
        return self._wait_s(_Waiter(spot, next(self._numbers)))

    async def take(self, spot: Spot, *, patience_s: float) -> None:
        """Wait for a slot and use it; raise `Unavailable` at once when that would take longer than `patience_s`."""
        waiter = _Waiter(spot, next(self._numbers))
        deadline = self._clock.monotonic() + patience_s
        self._waiting.append(waiter)
        try:
            while (wait_s := self._wait_s(waiter)) > NOW_S:
                if self._clock.monotonic() + wait_s > deadline + NOW_S:
                    raise Unavailable(f"{spot.method} has to wait", retry_after_s=self._promise(spot, wait_s))
                await self._clock.sleep(wait_s)
        finally:
            self._waiting.remove(waiter)
        for _, lane in self._lanes_of(spot):
            lane.take(self._clock.monotonic())

    def narrowest(self, spot: Spot) -> LaneName:
        """Return the lane that is closed when the platform limits this call."""
        return self._names(spot)[-1]

    def refused(self, spot: Spot, *, retry_after_s: float) -> None:
        """Close what a call came through: the platform answered 429."""
        _, lane = list(self._lanes_of(spot))[-1]
        lane.close(self._clock.monotonic(), seconds=retry_after_s)

    @asynccontextmanager
    async def in_order(self, thread: str) -> AsyncIterator[None]:
        """Hold back the other calls of a thread until the block ends; "" is no thread."""
        if not thread:
            yield
            return
        line = self._lines.setdefault(thread, _Line())
        line.users += 1
        try:
            async with line.lock:
                yield
        finally:
            line.users -= 1
            if not line.users:
                del self._lines[thread]

    def _wait_s(self, waiter: _Waiter) -> float:
        now = self._clock.monotonic()
        return max(
            lane.wait_s(now, priority=waiter.spot.priority, ahead=self._ahead(waiter, name))
            for name, lane in self._lanes_of(waiter.spot)
        )

    def _ahead(self, waiter: _Waiter, name: LaneName) -> int:
        return sum(each.before(waiter) for each in self._waiting if name in self._names(each.spot))

    def _promise(self, spot: Spot, wait_s: float) -> float:
        now = self._clock.monotonic()
        return max(lane.promise(now, wait_s) for _, lane in self._lanes_of(spot))

    def _names(self, spot: Spot) -> tuple[LaneName, ...]:
        return tuple(name for name, _ in self._rates_of(spot))

    def _lanes_of(self, spot: Spot) -> Iterator[tuple[LaneName, Lane]]:
        """Yield the lanes that a call goes through, the narrowest last."""
        for name, rate in self._rates_of(spot):
            if name not in self._lanes:
                self._tidy()
                self._lanes[name] = Lane(rate)
            yield name, self._lanes[name]

    def _tidy(self) -> None:
        if len(self._lanes) >= MANY_LANES:
            now = self._clock.monotonic()
            self._lanes = {name: lane for name, lane in self._lanes.items() if not lane.idle(now)}
