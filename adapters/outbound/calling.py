"""One call of a platform: in its thread's order, paced, held back while the platform is away, repeated when limited."""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from adapters.outbound.errors import OutcomeUnknown
from adapters.outbound.gates import ALL, REFUSED_S, Gates
from adapters.outbound.health import Health, Trouble
from adapters.outbound.pacing import Pacing, PostPriority, Spot
from adapters.outbound.recent import Recent
from adapters.port import ChatClock, Unavailable

#: Seconds of the clock that a call waits for its turn before it says when to come back.
PATIENCE_S = 2.0
#: Real seconds that an answer may take: the caller has about seven in all.
ANSWER_WITHIN_S = 5.0
#: Seconds before the first repetition of a call that is limited without a word on how long, and before any.
BACK_OFF_S, LONGEST_BACK_OFF_S = 1.0, 30.0

Json = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Going:
    """How a call goes: before whom, how long it waits, and whether it is still wanted when its turn comes.

    `answer_within_s` are real seconds; None is as long as for any other call.
    """

    priority: PostPriority = PostPriority.ANSWER
    patience_s: float = PATIENCE_S
    answer_within_s: float | None = None
    wanted: Callable[[], bool] | None = None


#: For what somebody waits for; for what nobody does; for a part of a text that is sent whole later.
NOW, NEWS, PIECE = Going(), Going(PostPriority.PROACTIVE, patience_s=0.0), Going(PostPriority.PIECE, patience_s=0.0)


class NotNow(Exception):
    """The platform asks to come back; `why` is raised when nobody waits that long."""

    def __init__(self, why: Unavailable, *, retry_after_s: float | None) -> None:
        super().__init__(why)
        self.why = why
        self.retry_after_s = retry_after_s


class Caller:
    """The calls of one platform."""

    def __init__(
        self, clock: ChatClock, *, platform: str, health: Health, pacing: Pacing, limit: str = "the rate limit of {}"
    ) -> None:
        self.gates = Gates(clock, health, platform=platform)
        self._pacing = pacing
        self._clock = clock
        self._health = health
        self._limit = limit  # what the health says is used up; {} is the kind of call
        self._refusals: Recent[str, int] = Recent(clock, seconds=REFUSED_S, most=500)  # in a row, by channel
        self._random = random.Random()  # noqa: S311 - spreads repetitions, keeps no secret

    async def call(
        self,
        spot: Spot,
        attempt: Callable[[T], Awaitable[Json]],
        *,
        prepare: Callable[[], Awaitable[T]],
        line: str = "",
        going: Going = NOW,
    ) -> Json:
        """Return the answer, {} for what is not wanted any more; calls of one `line` go one after the other.

        Each attempt is given what `prepare` returned. Raise `Unavailable` (come back; when it is `OutcomeUnknown`, the
        call may have been carried out) or what `attempt` raises for good.
        """
        deadline = self._clock.monotonic() + going.patience_s
        unsure: Unavailable | None = None
        async with self._pacing.in_order(line):
            if going.wanted is not None and not going.wanted():
                return {}
            while True:
                try:
                    self.gates.check(spot.method)
                    prepared = await prepare()
                    await self._turn(spot, patience_s=deadline - self._clock.monotonic())
                except Unavailable as wait:
                    if unsure is not None:
                        raise OutcomeUnknown(unsure.reason, retry_after_s=wait.retry_after_s) from wait
                    raise
                try:
                    answer = await attempt(prepared)
                except NotNow as later:
                    unsure = later.why if isinstance(later.why, OutcomeUnknown) else unsure
                    wait_s = self._slow_down(spot, later)
                    if self._clock.monotonic() + wait_s > deadline:
                        self._note_wait(spot)
                        later.why.retry_after_s = max(wait_s, later.why.retry_after_s)
                        raise later.why from None
                else:
                    self._refusals.forget(spot.channel)
                    self.gates.reopen(spot.method, Trouble.SCOPE)
                    self.gates.passed(self._pacing.narrowest(spot))
                    return answer

    async def _turn(self, spot: Spot, *, patience_s: float) -> None:
        """Wait for a slot, the last thing before a call goes: what takes its time after it would come in a burst."""
        try:
            await self._pacing.take(spot, patience_s=max(0.0, patience_s))
        except Unavailable:
            self._note_wait(spot)
            raise
        self.gates.check(spot.method)
        self.gates.try_again(ALL, spot.method)

    def _note_wait(self, spot: Spot) -> None:
        self._health.count("paced")
        if spot.priority is not PostPriority.PIECE:
            words = f"{self._limit.format(spot.method)} is used up; posts wait"
            self.gates.held_up(self._pacing.narrowest(spot), words)

    def _slow_down(self, spot: Spot, later: NotNow) -> float:
        """Keep the others that are counted with this call back, too; return for how many seconds."""
        before = self._refusals.known(spot.channel) or 0
        self._refusals.keep(spot.channel, before + 1)
        grown_s = min(LONGEST_BACK_OFF_S, BACK_OFF_S * 2.0 ** min(before, 10)) * self._random.uniform(0.5, 1.0)
        wait_s = later.retry_after_s or grown_s
        self._pacing.refused(spot, retry_after_s=wait_s)
        if not isinstance(later.why, OutcomeUnknown):
            self.gates.limited(self._pacing.narrowest(spot), retry_after_s=wait_s)
        return wait_s
