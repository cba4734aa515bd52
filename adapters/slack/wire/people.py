"""Who people are and who reads along, as Slack says now: asked again after a while."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from adapters.events import Account
from adapters.inbound.readers import domain_of, one_full_member
from adapters.outbound.calling import Going
from adapters.outbound.errors import CallDenied, ScopeMissing
from adapters.outbound.recent import Recent
from adapters.port import ChatClock, Members, Undeliverable
from adapters.slack.address import SlackAddress
from adapters.slack.config import Installation, SlackConfig
from adapters.slack.config import account as account_of
from adapters.slack.wire.client import SlackCalls

#: Seconds for which Slack's word on a person is taken for true, and its word on who is in a channel: of somebody who
#: joins, one process alone is told at once.
KEPT_S, MEMBERS_KEPT_S = 600.0, 60.0
#: More unknown people than this are looked up in the list of everybody.
FEW = 20
#: In an open channel with more people, full members stand for each other: any of them may read there anyway.
MANY = 1_000
#: Pages of a list that are read at most, and the seconds that one may have to wait for its turn.
PAGES, PAGE_PATIENCE_S = 20, 10.0
PAGE = 1_000
SLACKBOT = "USLACKBOT"
#: Whoever of another company may come to read in a channel that is shared with it.
SOMEBODY_ELSE = Account(platform="slack", tenant="", user="", name="", kind="external")

Json = Mapping[str, Any]
Kind = Literal["member", "guest", "external", "bot"]


@dataclass(frozen=True)
class SlackProfile:
    """What Slack says of one person."""

    name: str
    team: str
    enterprise: str
    email: str | None
    email_confirmed: bool
    guest: bool
    stranger: bool
    bot: bool
    deleted: bool
    language: str | None

    def kind(self, at: Installation) -> Kind:
        """Return how the person belongs to the company; whoever is not clearly a full member is not one."""
        ours = self.team == at.team or bool(at.enterprise and self.enterprise == at.enterprise)
        if self.bot:
            return "bot"
        if self.stranger or self.deleted or not ours:
            return "external"
        return "guest" if self.guest else "member"


class SlackPeople:
    """Looks people and channels up; every method may raise `Unavailable`."""

    def __init__(self, calls: SlackCalls, clock: ChatClock, config: SlackConfig) -> None:
        self._calls = calls
        self._config = config
        self._profiles: Recent[str, SlackProfile] = Recent(clock, seconds=KEPT_S)
        self._everybody: Recent[str, bool] = Recent(clock, seconds=KEPT_S)
        self._members: Recent[str, Members] = Recent(clock, seconds=MEMBERS_KEPT_S, most=500)

    def language(self, user: str) -> str:
        """Return the language of somebody who is known by now; empty when nobody has asked for them lately."""
        profile = self._profiles.known(user)
        return (profile.language or "") if profile is not None else ""

    def forget(self, channel: str) -> None:
        """Look up anew who is in a channel: somebody joined or left."""
        self._members.forget(channel)

    async def identify(self, account: Account) -> Account:
        """Return the account with name, e-mail, kind and language; somebody whom Slack does not show is external."""
        at = await self._calls.installed()
        try:
            profile = await self._profiles.get(account.user, lambda: self._profile(account.user))
        except CallDenied:
            return replace(account, kind="external", email=None, email_verified=False)
        return self._told(account, profile, at)

    async def members(self, address: SlackAddress) -> Members:
        """Return who reads along; raise `Undeliverable` when that cannot be known."""
        at = await self._calls.installed()
        if not address.others_read:
            asker = account_of(address.user, address.user_team, at)
            return Members((await self.identify(asker),))
        try:
            return await self._members.get(address.channel, lambda: self._channel(address, at))
        except ScopeMissing as missing:
            raise Undeliverable(f"nobody can tell who reads along: {missing.reason}") from missing

    async def _channel(self, address: SlackAddress, at: Installation) -> Members:
        told = await self._calls.call("conversations.info", {"channel": address.channel, "include_num_members": True})
        channel: Json = told["channel"]
        shared = channel.get("is_ext_shared") or channel.get("is_pending_ext_shared")
        is_open = not any(channel.get(name) for name in ("is_private", "is_im", "is_mpim"))
        users = [user async for user in self._users_in(address.channel) if user != at.bot_user]
        profiles = await self._profiles_of(users)
        accounts = [self._reader(user, profiles.get(user), at) for user in users]
        if is_open and len(accounts) > MANY:
            accounts = one_full_member(accounts)
        creator = str(channel.get("creator") or "")
        owners = tuple(self._reader(user, profiles.get(user), at) for user in users if user == creator)
        called = f"#{name}" if (name := str(channel.get("name") or "")) and not channel.get("is_mpim") else ""
        if shared:  # another company lets its people in as it likes
            accounts.append(SOMEBODY_ELSE)
        return Members(tuple(accounts), open=is_open, called=called, owners=owners)

    async def _users_in(self, channel: str) -> AsyncIterator[str]:
        async for page in self._pages("conversations.members", {"channel": channel}):
            for user in page["members"]:
                yield str(user)

    async def _profiles_of(self, users: Iterable[str]) -> Mapping[str, SlackProfile]:
        """Return what is known of these people; whoever is still missing is not one of ours."""
        wanted = tuple(users)
        unknown = [user for user in wanted if self._profiles.known(user) is None]
        if len(unknown) > FEW:
            await self._everybody.get("", self._read_everybody)
            unknown = [user for user in unknown if self._profiles.known(user) is None]
        for start in range(0, min(len(unknown), FEW), 5):
            await asyncio.gather(*(self._look_up(user) for user in unknown[start : min(start + 5, FEW)]))
        known = {user: self._profiles.known(user) for user in wanted}
        return {user: profile for user, profile in known.items() if profile is not None}

    async def _look_up(self, user: str) -> None:
        try:
            await self._profiles.get(user, lambda: self._profile(user))
        except CallDenied:
            return

    async def _profile(self, user: str) -> SlackProfile:
        told = await self._calls.call("users.info", {"user": user, "include_locale": True})
        return _profile(told["user"])

    async def _read_everybody(self) -> bool:
        async for page in self._pages("users.list", {"include_locale": True}):
            for user in page["members"]:
                self._profiles.keep(user["id"], _profile(user))
        return True

    async def _pages(self, method: str, arguments: Json) -> AsyncIterator[Json]:
        cursor = ""
        for _ in range(PAGES):
            where = {"cursor": cursor} if cursor else {}
            page = await self._calls.call(
                method, {**arguments, **where, "limit": PAGE}, going=Going(patience_s=PAGE_PATIENCE_S)
            )
            yield page
            cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return
        raise Undeliverable(f"{method} names more people than are looked up")

    def _reader(self, user: str, profile: SlackProfile | None, at: Installation) -> Account:
        if profile is None:
            return replace(account_of(user, "", at), kind="external")
        return self._told(account_of(user, profile.team, at), profile, at)

    def _told(self, account: Account, profile: SlackProfile, at: Installation) -> Account:
        kind = profile.kind(at)
        email = profile.email if kind == "member" else None
        return replace(
            account,
            name=profile.name or account.name,
            email=email,
            email_verified=profile.email_confirmed and domain_of(email) in self._config.email_domains,
            kind=kind,
            language=profile.language or account.language,
        )


def _profile(user: Json) -> SlackProfile:
    told: Json = user.get("profile") or {}
    enterprise: Json = user.get("enterprise_user") or {}
    locale = str(user.get("locale") or "")[:2]
    return SlackProfile(
        name=told.get("real_name") or user.get("real_name") or user.get("name") or "",
        team=user.get("team_id") or "",
        enterprise=enterprise.get("enterprise_id") or "",
        email=told.get("email") or None,
        email_confirmed=bool(user.get("is_email_confirmed")),
        guest=bool(user.get("is_restricted") or user.get("is_ultra_restricted")),
        stranger=bool(user.get("is_stranger")),
        bot=bool(user.get("is_bot") or user.get("is_workflow_bot")) or user.get("id") == SLACKBOT,
        deleted=bool(user.get("deleted")),
        language=locale if locale in {"en", "zh"} else None,
    )
