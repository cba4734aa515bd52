"""Who people are and who reads along: right, cheap, and never a guess in anybody's favour."""

import asyncio
from dataclasses import replace

import pytest

from adapters.events import Account
from adapters.port import Unavailable, Undeliverable
from adapters.slack.address import SlackAddress
from adapters.slack.config import Installation
from adapters.slack.wire.people import FEW, KEPT_S, MANY, SlackPeople, SlackProfile
from storage.clock import ManualClock
from tests.adapters.slack.outgoing import Outgoing, outgoing
from tests.fakes.slack.records import Channel, User


def people(desk: Outgoing) -> SlackPeople:
    return SlackPeople(desk.calls, desk.clock, desk.config)


def account(desk: Outgoing, user: User) -> Account:
    return Account(platform="slack", tenant=desk.workspace.team.id, user=user.id, name=user.id)


def in_channel(desk: Outgoing, channel: Channel) -> SlackAddress:
    return SlackAddress(user=desk.ada.id, team=desk.workspace.team.id, channel=channel.id, kind="channel")


async def kinds(desk: Outgoing, channel: Channel) -> dict[str, str]:
    members = await people(desk).members(in_channel(desk, channel))
    return {reader.user: reader.kind for reader in members.accounts}


async def test_a_member_is_known_by_name_address_and_language() -> None:
    async with outgoing() as desk:
        known = await people(desk).identify(account(desk, desk.ada))

        assert (known.name, known.email, known.email_verified) == ("Ada Lind", "ada@harbour.example", True)
        assert (known.kind, known.language) == ("member", "zh")
        assert known.tenant == desk.workspace.team.id


@pytest.mark.parametrize(
    ("flags", "kind"),
    [
        ({"is_restricted": True}, "guest"),
        ({"is_restricted": True, "is_ultra_restricted": True}, "guest"),
        ({"is_stranger": True}, "external"),
        ({"deleted": True}, "external"),
        ({"team_id": "T0OTHER"}, "external"),
        ({"is_bot": True}, "bot"),
    ],
)
async def test_whoever_is_no_full_member_is_linked_to_nobody(flags: dict[str, object], kind: str) -> None:
    async with outgoing() as desk:
        user = desk.workspace.add_user("visitor", **flags)
        known = await people(desk).identify(account(desk, user))

        assert (known.kind, known.email, known.email_verified) == (kind, None, False)


@pytest.mark.parametrize(
    "email",
    [
        "ada@elsewhere.example",
        "ada@harbour.example.evil.example",
        "harbour.example",
        "@harbour.example",
        "ada@evil.example@harbour.example",
        "ada@harbour.example\u2024",
    ],
)
async def test_an_address_of_another_domain_is_not_verified(email: str) -> None:
    async with outgoing() as desk:
        desk.ada.email = email

        assert not (await people(desk).identify(account(desk, desk.ada))).email_verified


async def test_an_address_that_was_never_confirmed_or_a_desk_without_domains_links_nobody() -> None:
    async with outgoing() as desk:
        desk.ben.is_email_confirmed = False
        unconfirmed = await people(desk).identify(account(desk, desk.ben))
        no_domains = SlackPeople(desk.calls, desk.clock, replace(desk.config, email_domains=frozenset()))

        assert not unconfirmed.email_verified
        assert not (await no_domains.identify(account(desk, desk.ada))).email_verified


async def test_somebody_whom_slack_does_not_show_is_external() -> None:
    async with outgoing() as desk:
        stranger = Account(platform="slack", tenant="T9", user="U9", name="U9")

        assert (await people(desk).identify(stranger)).kind == "external"


async def test_a_language_is_known_once_somebody_asked_for_the_person() -> None:
    async with outgoing() as desk:
        known = people(desk)
        assert known.language(desk.ada.id) == ""
        await known.identify(account(desk, desk.ada))
        assert known.language(desk.ada.id) == "zh"


async def test_many_questions_at_once_are_one_call_and_the_answer_is_kept_for_ten_minutes() -> None:
    clock = ManualClock()
    async with outgoing(clock) as desk:
        known = people(desk)
        await asyncio.gather(*(known.identify(account(desk, desk.ada)) for _ in range(10)))
        await known.identify(account(desk, desk.ada))
        assert len(desk.called("users.info")) == 1

        clock.advance(KEPT_S + 1)
        desk.ada.is_restricted = True
        assert (await known.identify(account(desk, desk.ada))).kind == "guest"


async def test_a_failure_is_not_kept() -> None:
    async with outgoing() as desk:
        known = people(desk)
        desk.workspace.faults.down(60)
        with pytest.raises(Unavailable):
            await known.identify(account(desk, desk.ada))

        desk.workspace.faults.calm()
        assert (await known.identify(account(desk, desk.ada))).name == "Ada Lind"


async def test_in_a_direct_message_and_after_a_command_one_person_reads() -> None:
    async with outgoing() as desk:
        for kind in ("dm", "command"):
            address = SlackAddress(user=desk.ada.id, team=desk.workspace.team.id, kind=kind)
            members = await people(desk).members(address)

            assert [reader.user for reader in members.accounts] == [desk.ada.id]
            assert not members.open


async def test_a_public_channel_is_open_and_a_private_one_is_not() -> None:
    async with outgoing() as desk:
        known = people(desk)
        general = await known.members(in_channel(desk, desk.general))
        secret = await known.members(in_channel(desk, desk.secret))

        assert general.open
        assert [reader.user for reader in general.accounts] == [desk.ada.id, desk.ben.id]
        assert not secret.open
        assert [reader.email for reader in secret.accounts] == ["ada@harbour.example"]


async def test_guests_strangers_and_the_other_company_of_a_shared_channel_read_along() -> None:
    async with outgoing() as desk:
        other = desk.workspace.add_team("Quay")
        guest = desk.workspace.add_user("guest", is_restricted=True)
        eve = desk.workspace.add_user("eve", team_id=other.id, is_stranger=True)
        shared = desk.workspace.add_channel("shared", (desk.ada, guest, eve), is_ext_shared=True)

        assert await kinds(desk, shared) == {
            desk.ada.id: "member",
            guest.id: "guest",
            eve.id: "external",
            "": "external",
        }


async def test_a_shared_channel_counts_as_read_by_the_other_company_before_anybody_of_it_came() -> None:
    async with outgoing() as desk:
        shared = desk.workspace.add_channel("shared", (desk.ada,), is_ext_shared=True)

        assert "external" in (await kinds(desk, shared)).values()


async def test_many_unknown_people_are_looked_up_in_one_list() -> None:
    async with outgoing() as desk:
        crowd = [desk.workspace.add_user(f"user{number}") for number in range(FEW + 10)]
        guest = desk.workspace.add_user("guest", is_restricted=True)
        eve = desk.workspace.add_user("eve", team_id="T9", is_stranger=True)
        channel = desk.workspace.add_channel("crowd", (*crowd, guest, eve), is_private=True)
        found = await kinds(desk, channel)

        assert (len(found), found[guest.id], found[eve.id]) == (FEW + 12, "guest", "external")
        assert len(desk.called("users.list")) == 1
        assert len(desk.called("users.info")) == 1  # of the stranger, who is in no list


async def test_a_channel_of_thousands_is_a_few_calls_and_keeps_every_guest() -> None:
    async with outgoing() as desk:
        crowd = [desk.workspace.add_user(f"user{number}") for number in range(2 * MANY + 500)]
        guest = desk.workspace.add_user("guest", is_restricted=True)
        channel = desk.workspace.add_channel("everybody", (*crowd, guest))
        known = people(desk)
        members = await known.members(in_channel(desk, channel))
        await known.members(in_channel(desk, channel))

        assert members.open
        assert sorted(reader.kind for reader in members.accounts) == ["guest", "member"]
        assert len(desk.workspace.calls) <= 10


async def test_who_joins_is_seen_at_once_when_the_adapter_is_told_and_after_a_minute_otherwise() -> None:
    clock = ManualClock()
    async with outgoing(clock) as desk:
        known, address = people(desk), in_channel(desk, desk.secret)
        assert len((await known.members(address)).accounts) == 1
        desk.secret.members.append(desk.ben.id)
        assert len((await known.members(address)).accounts) == 1
        known.forget(desk.secret.id)
        assert len((await known.members(address)).accounts) == 2

        desk.secret.members.remove(desk.ben.id)
        clock.advance(61)
        assert len((await known.members(address)).accounts) == 1


def test_whose_workspace_is_not_told_is_external() -> None:
    ada = SlackProfile(
        name="Ada",
        team="T1",
        enterprise="",
        email=None,
        email_confirmed=False,
        guest=False,
        stranger=False,
        bot=False,
        deleted=False,
        language=None,
    )
    kinds = [replace(ada, team=team).kind(Installation(team="T1")) for team in ("T1", "T2", "")]

    assert kinds == ["member", "external", "external"]


@pytest.mark.parametrize("scope", ["groups:read", "users:read"])
async def test_without_the_scope_nobody_is_listed_rather_than_an_empty_list(scope: str) -> None:
    async with outgoing() as desk:
        desk.workspace.scopes.discard(scope)
        for _ in range(2):
            with pytest.raises(Undeliverable):
                await people(desk).members(in_channel(desk, desk.secret))


async def test_a_channel_that_the_desk_cannot_see_has_no_readers_that_it_knows() -> None:
    async with outgoing() as desk:
        desk.secret.members.remove(desk.workspace.bot.id)
        with pytest.raises(Undeliverable):
            await people(desk).members(in_channel(desk, desk.secret))


async def test_while_slack_is_away_nothing_is_guessed() -> None:
    async with outgoing() as desk:
        desk.workspace.faults.down(60)
        with pytest.raises(Unavailable):
            await people(desk).members(in_channel(desk, desk.secret))
