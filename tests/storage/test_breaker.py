"""A service that does not answer is left alone, and found again."""

from storage.breaker import Breaker, BreakerState
from storage.clock import ManualClock


def test_it_opens_after_failures_in_a_row(clock: ManualClock) -> None:
    breaker = Breaker(clock, failures=2)
    assert not breaker.failed()
    assert not breaker.succeeded()
    assert not breaker.failed()
    assert breaker.failed()
    assert breaker.state is BreakerState.OPEN
    assert not breaker.admits()


def test_one_call_finds_out_whether_it_is_back(clock: ManualClock) -> None:
    breaker = Breaker(clock, failures=1, open_s=5)
    breaker.failed()
    clock.advance(5)
    assert [breaker.admits(), breaker.admits()] == [True, False]
    assert not breaker.failed(), "it was known to be away"
    assert not breaker.admits()
    clock.advance(5)
    assert breaker.admits()
    assert breaker.succeeded()
    assert breaker.state is BreakerState.CLOSED
    assert breaker.admits()


def test_a_call_that_never_reports_does_not_keep_it_open(clock: ManualClock) -> None:
    breaker = Breaker(clock, failures=1, open_s=5)
    breaker.failed()
    clock.advance(5)
    assert breaker.admits()
    clock.advance(5)
    assert breaker.admits()
