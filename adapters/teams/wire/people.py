"""Who people are and who reads along, as Teams says now: asked again after a while."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from adapters.events import Account
from adapters.inbound.readers import domain_of, one_full_member
from adapters.outbound.calling import Going
from adapters.outbound.errors import CallDenied
from adapters.outbound.recent import Recent
from adapters.port import ChatClock, Gone, Members, Undeliverable
from adapters.teams.address import TeamsAddress
from adapters.teams.config import TeamsConfig
from adapters.teams.wire.connector import Connector
from adapters.teams.wire.operations import TeamsPlace, member, members, without_thread

#: Seconds for which Teams' word on a person is taken for true, and its word on who is in a conversation: of somebody
#: who joins, one process alone is told at once.
KEPT_S, MEMBERS_KEPT_S = 600.0, 60.0
#: In a channel with more people, full members stand for each other: any of them may read there anyway.
MANY = 1_000
#: The type of a channel that nobody comes into without being asked.
PRIVATE = "private"
#: Pages of a roster that are read at most, and the seconds that one may have to wait for its turn.
PAGES, PAGE_PATIENCE_S = 20, 10.0
#: In the sign-in name of a guest.
_GUEST_MARK = "#ext#"

Json = Mapping[str, Any]
Kind = Literal["member", "guest", "external", "bot"]


@dataclass(frozen=True)
class TeamsProfile:
    """What Teams says of one person. What is missing is empty."""

    user: str  # "29:…"
    person: str  # their Entra object id, in lower case
    name: str
    tenant: str
    email: str
    sign_in: str  # their user principal name
    role: str

    @classmethod
    def of(cls, told: Json) -> "TeamsProfile":
        """Read a member of a conversation."""
        return cls(
            user=_text(told, "id"),
            person=(_text(told, "aadObjectId") or _text(told, "objectId")).lower(),
            name=_text(told, "name"),
            tenant=_text(told, "tenantId").lower(),
            email=_text(told, "email"),
            sign_in=_text(told, "userPrincipalName"),
            role=_text(told, "userRole").lower(),
        )

    def kind(self, tenant: str) -> Kind:
        """Return how the person belongs to the company; whoever is not clearly a full member is not one."""
        if not self.person or self.role == "anonymous" or self.tenant != tenant.lower():
            return "external"
        if self.role == "guest" or _GUEST_MARK in self.sign_in.lower() or _GUEST_MARK in self.email.lower():
            return "guest"
        return "member" if self.role in {"user", "member", ""} else "external"


class TeamsPeople:
    """Looks people and conversations up; every method may raise `Unavailable`."""

    def __init__(self, connector: Connector, clock: ChatClock, config: TeamsConfig) -> None:
        self._connector = connector
        self._config = config
        self._profiles: Recent[tuple[str, str], TeamsProfile] = Recent(clock, seconds=KEPT_S)
        self._members: Recent[str, Members] = Recent(clock, seconds=MEMBERS_KEPT_S, most=500)

    def forget(self, conversation: str) -> None:
        """Look up anew who is in a conversation: somebody joined or left."""
        self._members.forget(without_thread(conversation))

    async def identify(self, account: Account, address: TeamsAddress) -> Account:
        """Return the account with name, e-mail and kind; somebody whom Teams does not show there is external."""
        place = _whole(address)
        if not place.conversation:
            return replace(account, kind="external", email=None, email_verified=False)

        async def ask() -> TeamsProfile:
            return TeamsProfile.of(await self._connector.call(member(place, address.user)))

        try:
            profile = await self._profiles.get((place.conversation, address.user), ask)
        except (CallDenied, Gone):
            return replace(account, kind="external", email=None, email_verified=False)
        if account.user.lower() not in {profile.person, profile.user.lower()}:
            return replace(account, kind="external", email=None, email_verified=False)
        return self._told(account, profile)

    async def members(self, address: TeamsAddress) -> Members:
        """Return who reads along; raise `Undeliverable` when that cannot be known."""
        if not address.others_read:
            return Members((await self.identify(_asker(address), address),))
        place = _whole(address)
        return await self._members.get(place.conversation, lambda: self._all_of(place, address))

    async def _all_of(self, place: TeamsPlace, address: TeamsAddress) -> Members:
        channel = address.kind == "channel"
        profiles = [TeamsProfile.of(each) async for each in self._roster(place)]
        if not profiles:
            raise Undeliverable("Teams names nobody who reads along")
        for profile in profiles:
            self._profiles.keep((place.conversation, profile.user), profile)
        accounts = [self._told(_account(profile, address.tenant), profile) for profile in profiles]
        if channel and len(accounts) > MANY:
            accounts = one_full_member(accounts)
        # Whether a team is open to the whole company is not told to bots, so that every one is taken for open.
        return Members(tuple(accounts), open=channel and address.channel_type != PRIVATE)

    async def _roster(self, place: TeamsPlace) -> AsyncIterator[Json]:
        continuation = ""
        for _ in range(PAGES):
            page = await self._connector.call(members(place, continuation), Going(patience_s=PAGE_PATIENCE_S))
            for each in page.get("members") or ():
                yield each
            continuation = _text(page, "continuationToken")
            if not continuation:
                return
        raise Undeliverable("more people read along than are looked up")

    def _told(self, account: Account, profile: TeamsProfile) -> Account:
        own = (self._config.tenant_id or account.tenant).lower()
        ours = account.kind != "external" and account.tenant.lower() == own
        kind = profile.kind(own) if ours else "external"
        email = (profile.email or profile.sign_in or None) if kind == "member" else None
        return replace(
            account,
            name=profile.name or account.name,
            email=email,
            email_verified=domain_of(email) in self._config.email_domains,
            kind=kind,
        )


def _whole(address: TeamsAddress) -> TeamsPlace:
    return TeamsPlace(address.service_url, without_thread(address.conversation))


def _asker(address: TeamsAddress) -> Account:
    """Return the account of the person behind an address."""
    return Account(
        platform="teams", tenant=address.tenant, user=address.person or address.user, name=address.name,
        kind="member" if address.person else "external",
    )  # fmt: skip


def _account(profile: TeamsProfile, tenant: str) -> Account:
    """Return somebody of a roster as the events of the conversation name them."""
    return Account(platform="teams", tenant=tenant, user=profile.person or profile.user, name=profile.name)


def _text(told: Json, name: str) -> str:
    return str(told.get(name) or "")
