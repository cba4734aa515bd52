"""Who may do what: by kind and roles, never more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identity.actor import Actor, ActorKind, local_operator, system_actor
from identity.errors import Forbidden
from identity.permissions import ROLE_PERMISSIONS, Permission
from identity.policy import PolicyReason, decide, permissions_of, require


def test_permissions_stand_in_alphabetical_order() -> None:
    values = [permission.value for permission in Permission]
    assert values == sorted(values)
    assert [permission.name for permission in Permission] == [value.upper().replace(":", "_") for value in values]


@given(st.frozensets(st.sampled_from([*ROLE_PERMISSIONS, "manager", "ADMIN", ""])))
def test_a_guest_is_a_guest_whatever_roles_it_claims(roles: frozenset[str]) -> None:
    guest = Actor(id="g", name="g", kind=ActorKind.GUEST, roles=roles)
    assert permissions_of(guest) == ROLE_PERMISSIONS["guest"]
    assert guest.principals == {"public"}


@given(st.frozensets(st.sampled_from([*ROLE_PERMISSIONS, "manager", "ADMIN", ""])))
def test_a_person_has_what_the_roles_give_together(roles: frozenset[str]) -> None:
    person = Actor(id="p", name="p", roles=roles)
    expected = set(ROLE_PERMISSIONS["staff"]).union(*(ROLE_PERMISSIONS.get(role, frozenset()) for role in roles))
    assert {permission for permission in Permission if decide(person, permission).allowed} == expected


def test_operator_and_jobs_may_do_everything_and_say_why() -> None:
    for actor, reason in ((local_operator(), PolicyReason.OPERATOR), (system_actor("digest"), PolicyReason.SYSTEM)):
        assert all(decide(actor, permission).reason is reason for permission in Permission)
        assert actor.principals == frozenset()


def test_a_refusal_says_who_what_and_why(ada: Actor) -> None:
    with pytest.raises(Forbidden) as caught:
        require(ada, Permission.AUDIT_READ)
    assert (caught.value.actor_id, caught.value.permission, caught.value.reason) == (
        "ada",
        "audit:read",
        "not_permitted",
    )
