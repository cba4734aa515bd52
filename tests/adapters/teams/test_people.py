"""Who people in Teams are, and who reads along: nobody is taken for one of ours who is not."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from adapters.events import Account
from adapters.port import Members, Unavailable, Undeliverable
from adapters.teams.address import TeamsAddress
from adapters.teams.wire.people import KEPT_S, MANY, MEMBERS_KEPT_S, PAGES
from storage.clock import ManualClock
from tests.adapters.teams.outgoing import Outgoing, outgoing
from tests.fakes.teams.records import User

READ_ONE, READ_ALL = "GetConversationMember", "GetConversationPagedMembers"


def account(address: TeamsAddress, **fields: Any) -> Account:
    """Return an account as an event of the address names it."""
    known = Account("teams", address.tenant, address.person or address.user, address.name)
    return replace(known, **({"kind": "member" if address.person else "external"} | fields))


async def identify(desk: Outgoing, user: User) -> Account:
    address = desk.ask(user=user)
    return await desk.chat.identify(account(address), address.to_json())


def kinds(members: Members) -> dict[str, str]:
    return {each.name: each.kind for each in members.accounts}


async def test_a_member_has_a_name_and_an_address_of_the_company() -> None:
    async with outgoing() as desk:
        ada = await identify(desk, desk.ada)

        assert (ada.name, ada.email, ada.email_verified, ada.kind) == (
            "Ada Lind", "ada.lind@harbour.example", True, "member",
        )  # fmt: skip
        assert (ada.tenant, ada.user) == (desk.organisation.tenant.id, desk.ada.aad_object_id)


async def test_the_sign_in_name_stands_for_a_missing_address() -> None:
    async with outgoing() as desk:
        nia = desk.organisation.add_user("Nia", email="", upn="nia@harbour.example")

        assert (await identify(desk, nia)).email == "nia@harbour.example"


@pytest.mark.parametrize("email", ["ada@elsewhere.example", "ada@harbour.example.evil.example", "ada@hаrbour.example"])
async def test_an_address_outside_of_the_companys_domains_links_nobody(email: str) -> None:
    async with outgoing() as desk:
        known = await identify(desk, desk.organisation.add_user("Mo", email=email))

        assert (known.kind, known.email_verified) == ("member", False)


async def test_without_domains_nobody_is_linked_by_an_address() -> None:
    async with outgoing(email_domains=frozenset()) as desk:
        assert not (await identify(desk, desk.ada)).email_verified


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"user_role": "guest"}, "guest"),
        ({"user_role": "guest", "upn": "gus_partner.example#EXT#@harbour.example"}, "guest"),
        ({"upn": "gus_partner.example#EXT#@harbour.example"}, "guest"),
        ({"upn": "gus_partner.example#ext#@harbour.example", "email": ""}, "guest"),
        ({"user_role": "anonymous", "aad_object_id": ""}, "external"),
        ({"user_role": "anonymous"}, "external"),
        ({"user_role": "federated"}, "external"),
        ({"aad_object_id": ""}, "external"),
        ({"tenant_id": "0c11d0aa-0000-4000-8000-000000000000"}, "external"),
    ],
)
async def test_whoever_is_not_clearly_a_full_member_is_not_one(fields: dict[str, Any], kind: str) -> None:
    async with outgoing() as desk:
        visitor = desk.organisation.add_user("Gus", **fields)
        channel = desk.organisation.add_channel("visitors", (desk.ada, visitor))
        address = desk.ask(channel, user=visitor)
        known = await desk.chat.identify(account(address), address.to_json())

        assert (known.kind, known.email, known.email_verified) == (kind, None, False)
        assert kinds(await desk.chat.members(address.to_json())) == {"Ada Lind": "member", "Gus": kind}


async def test_an_event_that_names_somebody_external_is_not_overruled() -> None:
    async with outgoing() as desk:
        address = desk.ask()
        known = await desk.chat.identify(account(address, kind="external"), address.to_json())

        assert (known.kind, known.email_verified) == ("external", False)


async def test_another_companys_conversation_makes_nobody_a_member() -> None:
    async with outgoing(tenant_id="0c11d0aa-0000-4000-8000-000000000000", signed=False) as desk:
        assert (await identify(desk, desk.ada)).kind == "external"


async def test_somebody_whom_teams_does_not_show_there_is_external() -> None:
    async with outgoing() as desk:
        stranger = desk.organisation.add_user("Sam")
        address = desk.ask(desk.general, user=stranger)

        known = await desk.chat.identify(account(address), address.to_json())
        assert (known.kind, known.email) == ("external", None)


async def test_an_address_that_names_two_people_is_nobodys() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        claimed = account(address, user=desk.ben.aad_object_id)

        known = await desk.chat.identify(claimed, address.to_json())
        assert (known.kind, known.email_verified) == ("external", False)


async def test_a_person_is_asked_for_once_in_a_while() -> None:
    async with outgoing(ManualClock()) as desk:
        address = desk.ask()
        who = account(address)
        await asyncio.gather(*(desk.chat.identify(who, address.to_json()) for _ in range(10)))
        assert len(desk.called(READ_ONE)) == 1
        desk.ada.user_role = "guest"
        assert (await desk.chat.identify(who, address.to_json())).kind == "member"
        await desk.clock.sleep(KEPT_S + 1)

        assert (await desk.chat.identify(who, address.to_json())).kind == "guest"


async def test_when_teams_is_away_nobody_is_taken_for_anybody() -> None:
    async with outgoing() as desk:
        desk.organisation.faults.down(600)
        with pytest.raises(Unavailable):
            await identify(desk, desk.ada)


async def test_everybody_in_a_group_chat_reads_along_and_nobody_else_can() -> None:
    async with outgoing() as desk:
        members = await desk.chat.members(desk.ask(desk.group).to_json())

        assert kinds(members) == {"Ada Lind": "member", "Ben Okoro": "member"}
        assert not members.open
        assert {each.user for each in members.accounts} == {desk.ada.aad_object_id, desk.ben.aad_object_id}


async def test_a_channel_is_taken_for_open() -> None:
    async with outgoing() as desk:
        members = await desk.chat.members(desk.ask(desk.general).to_json())

        assert kinds(members) == {"Ada Lind": "member", "Ben Okoro": "member"}
        assert members.open


async def test_in_a_chat_with_the_desk_only_the_person_reads() -> None:
    async with outgoing() as desk:
        members = await desk.chat.members(desk.ask().to_json())

        assert kinds(members) == {"Ada Lind": "member"}
        assert not members.open


async def test_a_long_roster_is_read_to_its_end_and_full_members_stand_for_each_other() -> None:
    async with outgoing() as desk:
        people = [desk.organisation.add_user(f"Person {number}") for number in range(MANY + 30)]
        guest = desk.organisation.add_user("Zoe", user_role="guest")
        crowd = desk.organisation.add_channel("everybody", (*people, guest))
        chat = desk.organisation.add_group_chat(tuple(people[:700]))

        assert sorted(kinds(await desk.chat.members(desk.at(crowd).to_json())).values()) == ["guest", "member"]
        assert len((await desk.chat.members(desk.at(chat).to_json())).accounts) == 700
        assert len(desk.called(READ_ALL)) == 3 + 2


async def test_more_people_than_are_looked_up_are_nobody_known() -> None:
    async with outgoing() as desk:
        desk.organisation.largest_page = 5
        people = [desk.organisation.add_user(f"Person {number}") for number in range(5 * PAGES + 1)]
        crowd = desk.organisation.add_channel("everybody", tuple(people))
        with pytest.raises(Undeliverable):
            await desk.chat.members(desk.at(crowd).to_json())


async def test_a_roster_that_names_nobody_is_no_roster() -> None:
    async with outgoing() as desk:
        desk.general.members.clear()
        with pytest.raises(Undeliverable):
            await desk.chat.members(desk.at(desk.general).to_json())


async def test_a_place_that_is_closed_to_the_desk_is_nobody_known() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        desk.general.with_bot = False
        with pytest.raises(Undeliverable):
            await desk.chat.members(address.to_json())


async def test_who_joins_is_known_at_once_when_teams_tells_and_soon_when_not() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general).to_json()
        await desk.chat.members(address)
        guest = desk.organisation.add_user("Zoe", user_role="guest")
        desk.general.members.append(guest.id)
        assert "Zoe" not in kinds(await desk.chat.members(address))
        desk.chat.people.forget(str(address["conversation"]))
        assert kinds(await desk.chat.members(address))["Zoe"] == "guest"
        desk.general.members.remove(guest.id)
        await desk.clock.sleep(MEMBERS_KEPT_S + 1)

        assert "Zoe" not in kinds(await desk.chat.members(address))


async def test_all_threads_of_a_channel_have_the_same_readers() -> None:
    async with outgoing() as desk:
        for _ in range(3):
            await desk.chat.members(desk.ask(desk.general).to_json())

        assert len(desk.called(READ_ALL)) == 1
