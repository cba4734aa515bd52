"""Who may do what: by kind and roles, never more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identity.actor import Actor, ActorKind, local_operator, system_actor
from identity.errors import Forbidden
from identity.permissions import ROLE_PERMISSIONS, FeaturePermission, Permission
from identity.policy import PolicyReason, decide, in_common, permissions_of, require


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


ROLES = st.frozensets(st.sampled_from([*ROLE_PERMISSIONS, "manager"]))
PEOPLE = st.builds(
    Actor, id=st.just("p"), name=st.just("p"), kind=st.sampled_from([ActorKind.STAFF, ActorKind.GUEST]), roles=ROLES
)


@given(PEOPLE, st.frozensets(st.sampled_from(["staff", "guest", "agent", "admin"]), min_size=1))
def test_what_a_feature_permits_is_for_its_roles_only(person: Actor, roles: frozenset[str]) -> None:
    permission = FeaturePermission("thing:do", meaning="Do it", roles=roles)
    held = {"guest"} if person.kind is ActorKind.GUEST else {"staff", *person.roles}
    assert decide(person, permission).allowed is bool(held & permission.roles)


@given(st.lists(PEOPLE, max_size=4), st.booleans())
def test_who_read_along_may_do_together_what_none_of_them_may_not(members: list[Actor], is_open: bool) -> None:
    together = permissions_of(in_common(members, is_open=is_open))
    assert all(together <= permissions_of(each) for each in members)
    assert members or together == ROLE_PERMISSIONS["guest"]
    assert not is_open or together in (ROLE_PERMISSIONS["guest"], ROLE_PERMISSIONS["staff"])
