"""Whether a platform may be called now: shut while it is away or refuses the desk, tried by one call at a time."""

import math
from collections.abc import Hashable

from adapters.outbound.errors import OutcomeUnknown, ScopeMissing
from adapters.outbound.health import Health, Trouble
from adapters.port import ChatClock, Unavailable

#: Seconds until credentials or a permission that were refused are tried again.
REFUSED_S = 60.0
#: So many failures in a row mean that a platform is away; then one call in a while finds out whether it is back.
AWAY_AFTER = 3
LONGEST_AWAY_S = 15.0
#: Seconds before a call is repeated that was given up for lack of an answer.
LATE_S = 5.0
#: Seconds that the others wait for what one call finds out.
PROBE_S = 5.0
#: The gate that every call goes through.
ALL = ""


class Gates:
    """The gates of one platform, by name; a gate is a kind of call, or `ALL` of them."""

    def __init__(self, clock: ChatClock, health: Health, *, platform: str) -> None:
        self._clock = clock
        self._health = health
        self._platform = platform
        self._shut: dict[str, float] = {}  # until that monotonic second
        self._failures = 0
        self._failing_since = self._failed_at = -math.inf
        self._limited: dict[Hashable, float] = {}  # what is limited, and until when

    def shut_s(self, gate: str) -> float:
        """Return the seconds that a gate stays shut, 0 when it is open."""
        now = self._clock.monotonic()
        return max(0.0, self._shut.get(gate, now) - now)

    def check(self, gate: str) -> None:
        """Raise `Unavailable` while the platform is known to be away or to refuse the desk, or this kind of call."""
        if (left_s := self.shut_s(ALL)) > 0:
            raise Unavailable(f"{self._platform} is away or refuses the desk", retry_after_s=left_s)
        if (left_s := self.shut_s(gate)) > 0:
            raise ScopeMissing(f"{gate}: missing_scope", retry_after_s=left_s)

    def try_again(self, *gates: str) -> None:
        """Let one call through gates that were shut; the others wait for what it finds out."""
        for gate in self._shut.keys() & gates:
            self._shut[gate] = self._clock.monotonic() + PROBE_S

    def refuse(self, gate: str, trouble: Trouble, words: str) -> None:
        """Shut a gate because the platform does not let the desk through; somebody has to change something."""
        now = self._clock.monotonic()
        self._health.begins(trouble, words)
        self._shut[gate] = now + REFUSED_S
        if gate == ALL:
            self._failed_at = now

    def reopen(self, gate: str, trouble: Trouble) -> None:
        """Open one gate; with no other one shut, its trouble is over."""
        if self._shut.pop(gate, None) is not None and not self._shut:
            self._health.ends(trouble)

    def failed(self, call: str, reason: str, *, late: bool = False) -> OutcomeUnknown:
        """Count a call without an answer; return what to raise. One that is `late` may still be on its way."""
        self._health.count("failures")
        now = self._failed_at = self._clock.monotonic()
        self._failures += 1
        if self._failures == 1:
            self._failing_since = now
        at_least_s = LATE_S if late else 1.0
        retry_after_s = min(LONGEST_AWAY_S, at_least_s + now - self._failing_since)
        if self._failures >= AWAY_AFTER:
            self._shut[ALL] = max(self._shut.get(ALL, now), now + retry_after_s)
            self._health.begins(Trouble.AWAY, f"no answer ({call}: {reason}); posts wait")
        return OutcomeUnknown(f"{call}: {reason}", retry_after_s=retry_after_s)

    def answered(self, began: float, *, well: bool) -> None:
        """Note that the platform is there; a late answer to a call that `began` before the trouble proves nothing."""
        if began < self._failed_at:
            return
        self._failures = 0
        self._shut.pop(ALL, None)
        self._health.ends(Trouble.AWAY)
        if well:
            self._health.ends(Trouble.CREDENTIALS)

    def limited(self, what: Hashable, *, retry_after_s: float) -> None:
        """Note what the platform limits, and for how long."""
        self._health.count("limited")
        self._limited[what] = self._clock.monotonic() + retry_after_s

    def held_up(self, what: Hashable, words: str) -> None:
        """Note that a call has to wait; that is trouble when the platform itself limits it."""
        if what in self._limited:
            self._health.begins(Trouble.LIMITED, words)

    def passed(self, what: Hashable) -> None:
        """Note that what was limited goes through again; what nobody asked for since is forgotten."""
        if not self._limited:
            return
        now = self._clock.monotonic()
        self._limited.pop(what, None)
        self._limited = {each: until for each, until in self._limited.items() if until + REFUSED_S > now}
        if not self._limited:
            self._health.ends(Trouble.LIMITED)
