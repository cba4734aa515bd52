"""May this actor do that? A pure decision that always carries its reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from identity.actor import Actor, ActorKind
from identity.errors import Forbidden
from identity.permissions import ROLE_PERMISSIONS, AnyPermission, FeaturePermission, Permission

#: Stands for all who read along; no list of who may read can name it.
_EVERYBODY = ":everybody"


class PolicyReason(StrEnum):
    """Why a decision fell as it did; a code, put into words by the replies."""

    OPERATOR = "operator"  # whoever holds the machine may do everything on it
    OWN = "own"  # the thing belongs to the actor
    PARTICIPANT = "participant"  # the actor takes part in it
    ROLE = "role"  # one of the actor's roles holds the permission
    SYSTEM = "system"  # a named job
    NOT_PERMITTED = "not_permitted"  # none of the actor's roles holds the permission
    NOT_YOURS = "not_yours"  # the thing belongs to somebody else


@dataclass(frozen=True)
class Decision:
    """The outcome of asking the policy."""

    allowed: bool
    reason: PolicyReason
    permission: AnyPermission


def decide(actor: Actor, permission: AnyPermission) -> Decision:
    """Decide by kind and roles alone; ownership is judged by the use case that knows the thing."""
    if actor.kind is ActorKind.OPERATOR:
        return Decision(allowed=True, reason=PolicyReason.OPERATOR, permission=permission)
    if actor.kind is ActorKind.SYSTEM:
        return Decision(allowed=True, reason=PolicyReason.SYSTEM, permission=permission)
    if _holds(actor, permission):
        return Decision(allowed=True, reason=PolicyReason.ROLE, permission=permission)
    return Decision(allowed=False, reason=PolicyReason.NOT_PERMITTED, permission=permission)


def _holds(actor: Actor, permission: AnyPermission) -> bool:
    if isinstance(permission, FeaturePermission):
        roles = {"guest"} if actor.kind is ActorKind.GUEST else {"staff", *actor.roles}
        return bool(permission.roles & roles)
    return permission in permissions_of(actor)


def permissions_of(actor: Actor) -> frozenset[Permission]:
    """Return what the actor's kind and roles give together."""
    if actor.kind is ActorKind.GUEST:
        return ROLE_PERMISSIONS["guest"]
    held = set(ROLE_PERMISSIONS["staff"])
    for role in actor.roles:
        held |= ROLE_PERMISSIONS.get(role, frozenset())
    return frozenset(held)


def require(actor: Actor, permission: AnyPermission) -> Decision:
    """Return the decision that allows it, or raise `Forbidden` with the reason."""
    decision = decide(actor, permission)
    if not decision.allowed:
        raise Forbidden(actor_id=actor.id, permission=permission, reason=decision.reason)
    return decision


def in_common(members: Sequence[Actor], *, is_open: bool = False) -> Actor:
    """Return an actor who may do what each of these may do, and nothing that one of them may not.

    A role is in common where each has it or is an admin, who may do all that any role may. Units, groups and the
    person's own name are not: what is shared with them is a matter of principals (`identity.readership`). Where anybody
    may join without being asked (`is_open`), it is what each of the company may do; of nobody, what a guest may.
    """
    guests = not members or any(each.kind is ActorKind.GUEST for each in members)
    named = frozenset[str]().union(*(each.roles for each in members))
    roles = {name for name in named if all({name, "admin"} & each.roles for each in members)}
    return Actor(
        id=_EVERYBODY,
        name=_EVERYBODY,
        kind=ActorKind.GUEST if guests else ActorKind.STAFF,
        roles=frozenset() if guests or is_open else frozenset(roles),
    )
