"""When a platform is called and when it is left alone."""

import logging

import pytest

from adapters.outbound.gates import ALL, AWAY_AFTER, LONGEST_AWAY_S, PROBE_S, REFUSED_S, Gates
from adapters.outbound.health import Health, Trouble
from storage.clock import ManualClock


def opened() -> tuple[ManualClock, Health, Gates]:
    clock = ManualClock()
    health = Health(clock, platform="Test")
    return clock, health, Gates(clock, health, platform="Test")


def fail(gates: Gates, times: int = AWAY_AFTER) -> None:
    for _ in range(times):
        gates.failed("post", "nothing")


def test_a_failure_or_two_shut_nothing() -> None:
    _, health, gates = opened()
    fail(gates, AWAY_AFTER - 1)

    assert gates.shut_s(ALL) == 0
    assert not health.episodes


def test_failures_in_a_row_mean_that_the_platform_is_away_and_are_told_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    clock, health, gates = opened()
    fail(gates, AWAY_AFTER + 5)
    assert 0 < gates.shut_s(ALL) <= LONGEST_AWAY_S
    assert [episode.trouble for episode in health.episodes] == [Trouble.AWAY]
    clock.advance(1)
    gates.answered(clock.monotonic(), well=True)

    assert (gates.shut_s(ALL), health.episodes) == (0, ())
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]


def test_a_success_between_failures_begins_the_count_anew() -> None:
    clock, _, gates = opened()
    for _ in range(10):
        fail(gates, AWAY_AFTER - 1)
        gates.answered(clock.monotonic(), well=True)

    assert gates.shut_s(ALL) == 0


def test_the_longer_it_lasts_the_rarer_it_is_tried_but_never_too_rarely() -> None:
    clock, _, gates = opened()
    waits = []
    for _ in range(20):
        waits.append(gates.failed("post", "nothing").retry_after_s)
        clock.advance(waits[-1])

    assert waits == sorted(waits)
    assert waits[0] < waits[-1] == LONGEST_AWAY_S
    assert gates.failed("post", "late", late=True).retry_after_s >= waits[0]


def test_a_late_answer_to_an_early_call_proves_nothing() -> None:
    clock, health, gates = opened()
    began = clock.monotonic()
    clock.advance(1)
    fail(gates)
    gates.answered(began, well=True)

    assert gates.shut_s(ALL) > 0
    assert health.episodes


def test_one_call_tries_a_shut_gate_and_the_others_wait_for_it() -> None:
    clock, _, gates = opened()
    gates.refuse("views", Trouble.SCOPE, "views are not allowed")
    clock.advance(REFUSED_S)
    assert gates.shut_s("views") == 0
    gates.try_again(ALL, "views", "posts")

    assert (gates.shut_s("views"), gates.shut_s("posts"), gates.shut_s(ALL)) == (PROBE_S, 0, 0)


def test_trouble_with_one_kind_of_call_is_over_when_the_last_such_gate_opens() -> None:
    _, health, gates = opened()
    gates.refuse("views", Trouble.SCOPE, "views are not allowed")
    gates.refuse("posts", Trouble.SCOPE, "posts are not allowed")
    gates.reopen("views", Trouble.SCOPE)
    assert health.episodes
    gates.reopen("posts", Trouble.SCOPE)

    assert not health.episodes


def test_waiting_is_trouble_only_where_the_platform_itself_limits() -> None:
    clock, health, gates = opened()
    gates.held_up("a", "posts wait")
    assert not health.episodes
    gates.limited("a", retry_after_s=10)
    gates.limited("b", retry_after_s=10)
    gates.held_up("a", "posts wait")
    assert [episode.trouble for episode in health.episodes] == [Trouble.LIMITED]
    gates.passed("a")
    assert health.episodes
    clock.advance(REFUSED_S + 11)
    gates.passed("c")

    assert not health.episodes
