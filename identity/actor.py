"""The person (or named job) on whose behalf something happens."""

from dataclasses import dataclass, field
from enum import StrEnum

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
