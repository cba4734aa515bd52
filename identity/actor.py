"""The person (or named job) on whose behalf something happens."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

#: Languages that the desk speaks, as in `bot/texts`.
LANGUAGES = ("en", "zh")


class ActorKind(StrEnum):
    """What stands behind an actor."""

    PERSON = "person"  # listed in people.yaml
    STAFF = "staff"  # a full member of the workspace whom people.yaml does not list
    GUEST = "guest"  # a guest or somebody of another company
    OPERATOR = "operator"  # whoever holds the machine: the command line without --as
    SYSTEM = "system"  # a named job


@dataclass(frozen=True)
class QuietHours:
    """A part of each day in which a person is told nothing that can wait; it may go past midnight."""

    begin: time
    end: time

    def end_after(self, now: datetime, timezone: str) -> datetime | None:
        """Return the instant at which the quiet hours end that `now` lies in; None outside of them."""
        zone = ZoneInfo(timezone)
        local = now.astimezone(zone)
        at, over_midnight = local.time(), self.begin > self.end
        if not ((at >= self.begin or at < self.end) if over_midnight else self.begin <= at < self.end):
            return None
        day = local.date() + timedelta(days=int(over_midnight and at >= self.begin))
        ends = datetime.combine(day, self.end, zone).astimezone(UTC)
        # In the hour that a change of the clocks doubles, the end may be the second one.
        return ends if ends > now else datetime.combine(day, self.end, zone).replace(fold=1).astimezone(UTC)


@dataclass(frozen=True)
class Preferences:
    """What a person has chosen for themselves; "" and None where they have not."""

    language: str = ""
    timezone: str = ""
    quiet: QuietHours | None = None
    way: str = ""  # the first way of news to them: a name that `bot` knows


@dataclass(frozen=True)
class Actor:
    """Who is asking. Made by the directory from what a platform verified, never from a model or an argument."""

    id: str
    name: str
    kind: ActorKind = ActorKind.PERSON
    email: str | None = None
    tenant: str = "home"
    language: str = "en"
    timezone: str = "UTC"
    location: str = ""  # where they work
    phone: str = ""
    groups: frozenset[str] = field(default_factory=frozenset)
    units: frozenset[str] = field(default_factory=frozenset)
    roles: frozenset[str] = field(default_factory=frozenset)
    preferences: Preferences = Preferences()  # laid over what people.yaml or the platform says

    def preferring(self, chosen: Preferences) -> "Actor":
        """Return the same actor with what they have chosen for themselves."""
        return replace(
            self,
            language=chosen.language or self.language,
            timezone=chosen.timezone or self.timezone,
            preferences=chosen,
        )

    @property
    def principals(self) -> frozenset[str]:
        """Return every name under which a document may be shared with this actor.

        The local operator and system actors carry none: their reach is decided by the policy, not by lists.
        """
        if self.kind in (ActorKind.OPERATOR, ActorKind.SYSTEM):
            return frozenset()
        if self.kind is ActorKind.GUEST:
            return frozenset({"public"})
        return frozenset(
            {
                "public",
                "staff",
                f"person:{self.id}",
                *(f"group:{name}" for name in self.groups),
                *(f"unit:{name}" for name in self.units),
                *(f"role:{name}" for name in self.roles),
            }
        )


def local_operator() -> Actor:
    """Return the one who runs the command line on this machine and may read all that was indexed there."""
    return Actor(id="operator", name="Local operator", kind=ActorKind.OPERATOR)


def system_actor(job: str) -> Actor:
    """Return the named actor of a job, as it stands in the audit."""
    return Actor(id=f"system:{job}", name=job, kind=ActorKind.SYSTEM)
