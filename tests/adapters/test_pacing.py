"""When calls may go: never over a limit, never past a closed door, answers first, a thread in order."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from adapters.outbound.pacing import MANY_LANES, Lane, Pacing, PostPriority, Rate, Spot
from adapters.port import Unavailable
from adapters.slack.wire.rates import SlackRates
from tests.adapters.virtual_clock import VirtualClock

POST = "chat.postMessage"
RATE = Rate(3, 10)


@given(arrivals=some.lists(some.floats(0, 5), max_size=40), calls=some.integers(1, 5))
def test_no_span_ever_holds_more_calls_than_the_rate(arrivals: list[float], calls: int) -> None:
    lane, now, taken = Lane(Rate(calls, 10)), 0.0, list[float]()
    for pause in arrivals:
        now += pause
        now += lane.wait_s(now)
        assert lane.wait_s(now) <= 1e-6
        lane.take(now)
        taken.append(now)

    assert len(taken) == len(arrivals)
    spans = [later - first for first, later in zip(taken, taken[calls:], strict=False)]
    assert min(spans, default=10) >= 10 - 1e-6


@given(ahead=some.integers(0, 12), used=some.integers(0, 3))
def test_who_waits_behind_others_is_told_the_time_that_it_will_take(ahead: int, used: int) -> None:
    lane, now = Lane(RATE), 0.0
    for _ in range(used):
        lane.take(now)
    promised = lane.wait_s(now, ahead=ahead)
    for _ in range(ahead):
        now += lane.wait_s(now)
        lane.take(now)

    assert now + lane.wait_s(now) == pytest.approx(promised)


def test_a_closed_lane_lets_nobody_through_before_its_time() -> None:
    lane = Lane(RATE)
    lane.close(100.0, seconds=30)

    assert lane.wait_s(100.0) == 30
    assert lane.wait_s(130.0) == 0


def test_a_part_of_each_rate_is_kept_for_answers() -> None:
    lane = Lane(Rate(4, 10))
    for _ in range(3):
        lane.take(0.0)

    assert lane.wait_s(0.0, priority=PostPriority.PROACTIVE) == 10
    assert lane.wait_s(0.0, priority=PostPriority.ANSWER) == 0


@given(wait_s=some.integers(0, 30), many=some.integers(2, 20))
def test_those_sent_away_come_back_one_after_the_other(wait_s: int, many: int) -> None:
    lane = Lane(Rate(5, 10))
    promised = [lane.promise(0.0, wait_s) for _ in range(many)]

    assert promised == sorted(promised)
    assert len(set(promised)) == min(many, 6)
    assert min(promised) == wait_s
    assert max(promised) <= wait_s + 10


async def gone(pacing: Pacing, log: list[str], name: str, spot: Spot, *, patience_s: float = 60) -> None:
    await pacing.take(spot, patience_s=patience_s)
    log.append(name)


async def test_answers_overtake_edits_and_edits_overtake_what_nobody_waits_for() -> None:
    clock, log = VirtualClock(), list[str]()
    pacing = Pacing(clock, SlackRates(rates={POST: Rate(1, 10)}))
    names = {"proactive": PostPriority.PROACTIVE, "edit": PostPriority.EDIT, "answer": PostPriority.ANSWER}
    await pacing.take(Spot(POST), patience_s=0)
    waiting = [gone(pacing, log, name, Spot(POST, priority=priority)) for name, priority in names.items()]
    await clock.run(asyncio.gather(*waiting))

    assert log == ["answer", "edit", "proactive"]
    assert clock.monotonic() == pytest.approx(30)


async def test_calls_of_one_priority_go_in_the_order_of_asking() -> None:
    clock, log = VirtualClock(), list[str]()
    pacing = Pacing(clock, SlackRates(rates={POST: Rate(2, 5)}))
    await clock.run(asyncio.gather(*(gone(pacing, log, str(number), Spot(POST)) for number in range(9))))

    assert log == [str(number) for number in range(9)]


@settings(max_examples=30)
@given(
    asked=some.lists(
        some.tuples(some.floats(0, 4), some.sampled_from(PostPriority), some.sampled_from(["C1", "C2"])), max_size=25
    )
)
def test_whoever_comes_no_channel_and_no_method_goes_over_its_rate(
    asked: list[tuple[float, PostPriority, str]],
) -> None:
    async def play() -> None:
        clock, taken = VirtualClock(), list[tuple[float, str]]()
        pacing = Pacing(clock, SlackRates(rates={POST: Rate(5, 10)}, posts_of_a_channel=Rate(2, 6)))

        async def one(at: float, priority: PostPriority, channel: str) -> None:
            await clock.sleep(at)
            await pacing.take(Spot(POST, channel, priority), patience_s=10_000)
            taken.append((clock.monotonic(), channel))

        await clock.run(asyncio.gather(*(one(*each) for each in asked)))
        assert len(taken) == len(asked)
        assert_within([at for at, _ in taken], Rate(5, 10))
        for name in ("C1", "C2"):
            assert_within([at for at, channel in taken if channel == name], Rate(2, 6))

    asyncio.run(play())


def assert_within(taken: list[float], rate: Rate) -> None:
    for first, later in zip(taken, taken[rate.calls :], strict=False):
        assert later - first >= rate.span_s - 1e-3


async def test_whoever_would_wait_too_long_is_told_when_to_come_back() -> None:
    clock = VirtualClock()
    pacing = Pacing(clock, SlackRates(rates={POST: Rate(1, 30)}))
    await pacing.take(Spot(POST), patience_s=0)
    with pytest.raises(Unavailable) as told:
        await pacing.take(Spot(POST), patience_s=2)

    assert told.value.retry_after_s == pytest.approx(30)
    assert clock.monotonic() == 0
    assert pacing.ready_in(Spot(POST)) == pytest.approx(30)


async def test_a_429_closes_one_channel_for_posts_and_a_whole_method_for_the_rest() -> None:
    pacing = Pacing(VirtualClock(), SlackRates())
    pacing.refused(Spot(POST, "C1"), retry_after_s=7)
    pacing.refused(Spot("chat.update", "C1"), retry_after_s=9)

    assert pacing.ready_in(Spot(POST, "C1")) == pytest.approx(7)
    assert pacing.ready_in(Spot(POST, "C2")) == 0
    assert pacing.ready_in(Spot("chat.update", "C2")) == pytest.approx(9)


async def test_a_thread_goes_one_call_at_a_time_and_other_threads_go_on() -> None:
    clock, log = VirtualClock(), list[str]()
    pacing = Pacing(clock, SlackRates())

    async def post(thread: str, name: str, seconds: float) -> None:
        async with pacing.in_order(thread):
            await clock.sleep(seconds)
            log.append(name)

    await clock.run(asyncio.gather(post("t1", "slow", 5), post("t1", "quick", 1), post("t2", "other", 2)))

    assert log == ["other", "slow", "quick"]


async def test_a_caller_that_gives_up_leaves_no_place_behind() -> None:
    clock = VirtualClock()
    pacing = Pacing(clock, SlackRates(rates={POST: Rate(1, 10)}))
    await pacing.take(Spot(POST), patience_s=0)
    impatient = asyncio.create_task(pacing.take(Spot(POST), patience_s=100))
    await asyncio.sleep(0)
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)

    assert pacing.ready_in(Spot(POST)) == pytest.approx(10)


async def test_channels_that_are_quiet_are_forgotten() -> None:
    clock = VirtualClock()
    pacing = Pacing(clock, SlackRates(rates={POST: Rate(10_000, 1)}))
    for number in range(3 * MANY_LANES):
        await pacing.take(Spot(POST, f"C{number}"), patience_s=0)
        await clock.run(clock.sleep(0.1))

    assert pacing.lanes < 2 * MANY_LANES
