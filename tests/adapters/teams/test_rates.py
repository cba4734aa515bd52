"""The desk's own limits stay below those of Teams, in any span of any length."""

import asyncio
from random import Random

import pytest

from adapters.outbound.pacing import Pacing, PostPriority, Spot
from adapters.teams.wire.rates import READS, WRITES, TeamsRates
from tests.adapters.virtual_clock import VirtualClock
from tests.fakes.teams.rates import APP_SPANS, SPANS


async def times_of(clock: VirtualClock, spots: list[Spot]) -> dict[str, list[float]]:
    """Return when each call of a burst may go, by its conversation."""
    pacing = Pacing(clock, TeamsRates())
    went: dict[str, list[float]] = {}

    async def go(spot: Spot) -> None:
        await pacing.take(spot, patience_s=100_000.0)
        went.setdefault(spot.channel, []).append(clock.monotonic())

    await clock.run(asyncio.gather(*(go(spot) for spot in spots)))
    return went


def most_in(times: list[float], span_s: float) -> int:
    """Return the largest number of instants in any span."""
    times = sorted(times)
    return max(sum(first <= each < first + span_s for each in times) for first in times)


@pytest.mark.parametrize(("kind", "scenario"), [(WRITES, "send"), (READS, "members")])
async def test_a_burst_into_one_conversation_stays_below_teams_limits(kind: str, scenario: str) -> None:
    went = await times_of(VirtualClock(), [Spot(kind, "a:1") for _ in range(150)])

    spans = next(limits for name, limits in SPANS.items() if name == scenario)
    assert len(went["a:1"]) == 150
    assert all(most_in(went["a:1"], span) < most for span, most in spans.items() if most < 150)


async def test_many_conversations_at_once_stay_below_the_limit_of_the_app() -> None:
    random = Random(7)
    spots = [Spot(random.choice((READS, WRITES)), f"a:{random.randrange(60)}") for _ in range(200)]
    went = await times_of(VirtualClock(), spots)

    every = [at for times in went.values() for at in times]
    assert len(every) == 200
    assert all(most_in(every, span) < most for span, most in APP_SPANS.items())


async def test_who_writes_does_not_wait_for_who_reads() -> None:
    clock = VirtualClock()
    pacing = Pacing(clock, TeamsRates())
    for _ in range(10):
        await clock.run(pacing.take(Spot(READS, "a:1"), patience_s=0.0))

    assert pacing.ready_in(Spot(WRITES, "a:1", PostPriority.ANSWER)) == 0.0


async def test_answers_go_before_what_nobody_waits_for() -> None:
    clock = VirtualClock()
    news = [Spot(WRITES, f"news {number}", PostPriority.PROACTIVE) for number in range(100)]
    answers = [Spot(WRITES, f"answer {number}") for number in range(30)]
    went = await times_of(clock, news + answers)

    before = sorted(at for name, (at,) in went.items() if name.startswith("answer"))
    assert before[6] == 0.0
    assert before[-1] <= 1.0
    assert sum(at <= 1.0 for name, (at,) in went.items() if name.startswith("news")) <= 24
