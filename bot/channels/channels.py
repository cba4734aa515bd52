"""How channels are set: shown, changed by who may, written down with what was before."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace

from pydantic import TypeAdapter, ValidationError

from adapters.events import Account, Address
from adapters.port import Chat, Unavailable, Undeliverable
from agent.runner.requests import Request
from bot.channels import store
from bot.channels.store import SetChannel
from bot.delivery import channel_store
from features.anatomy.channels import (
    DEFAULT,
    MANAGE,
    SEE,
    ChannelMode,
    ChannelSettings,
    KnownChannel,
    UnknownChoice,
)
from identity.actor import Actor
from identity.audit import record
from identity.errors import Forbidden
from identity.policy import decide, require
from search.service import SearchService
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject

_SETTINGS = TypeAdapter(ChannelSettings)
#: What an owner of a channel may set; what may be said there, and whose tickets, is for who may set every channel.
OWNERS_MAY = frozenset({"mode", "language", "digest"})
#: Seconds that a page waits for the name of a channel.
NAME_S = 2.0
#: The feature with which a channel is set.
OWN = "channels"
#: What is offered in every channel: its own settings, and help in an emergency.
ALWAYS = frozenset({OWN, "alarms"})


@dataclass(frozen=True)
class ChannelRules:
    """What an operator decides about channels."""

    owners_may: bool
    answers_per_day: int


class ChannelService:
    """Keeps the settings of channels."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        chats: Mapping[str, Chat],
        behind: Callable[[Account], Awaitable[Actor]],
        search: SearchService,
        categories: Mapping[str, tuple[str, ...]],
        tools: Mapping[str, frozenset[str]],
        rules: ChannelRules,
    ) -> None:
        self._database = database
        self._clock = clock
        self._chats = chats
        self._behind = behind
        self._search = search
        self._categories = categories  # each with what people call it
        self._tools = tools  # of each feature, by name
        self._rules = rules

    async def settings(self, target: JsonObject | None) -> ChannelSettings:
        """Return how a channel is set; what is unknown is as nobody has set it."""
        found = None if target is None else await self._find(target)
        return DEFAULT if found is None else found.settings

    async def told_of(self, category: str) -> tuple[JsonObject, ...]:
        """Return the targets of the channels that are told of new tickets of a category; none that is off."""
        async with self._database.reading() as session:
            every = await store.everything(session)
        return tuple(
            {"platform": each.platform, "channel": each.id}
            for each in every
            if each.settings.on and category in each.settings.queues
        )

    def around(self, address: JsonObject) -> JsonObject | None:
        """Return the target of the channel that something was written or typed in; None in a person's own chat."""
        platform, place = _opened(address)
        chat = self._chats.get(platform)
        found = None if chat is None or not place else chat.typed_in(place)
        return None if found is None else {"platform": platform, "channel": found[0]}

    def withheld(self, settings: ChannelSettings) -> frozenset[str]:
        """Return the tools that are not offered in a channel that is set so."""
        if settings.tools is None:
            return frozenset()
        names = [names for feature, names in self._tools.items() if feature not in settings.tools | ALWAYS]
        return frozenset().union(*names)

    @property
    def own_tools(self) -> frozenset[str]:
        """Return the tools by which a channel is set."""
        return self._tools.get(OWN, frozenset())

    async def placed(self, request: Request) -> Request:
        """Return a request without the tools that are not offered where it was written or typed."""
        target = self.around(request.address)
        return request if target is None else replace(request, withheld=self.withheld(await self.settings(target)))

    async def choices(self, actor: Actor) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the sources and the features that there are to choose from; needs `channels:manage`."""
        require(actor, MANAGE)
        return await self._search.names(actor), tuple(self._offered())

    async def show(self, actor: Actor, target: JsonObject) -> KnownChannel:
        """Return a channel with its settings; needs `channels:see`."""
        require(actor, SEE)
        async with self._database.reading() as session:
            heard = await channel_store.channel_at(session, target)
            found = await store.find(session, str(target["platform"]), str(target["channel"]))
        return _known(str(target["platform"]), str(target["channel"]), found, heard)

    async def known(self, actor: Actor) -> tuple[KnownChannel, ...]:
        """Return every channel that the desk knows, by name; needs `channels:manage`."""
        require(actor, MANAGE)
        async with self._database.reading() as session:
            heard = {(each.platform, each.id): each for each in await channel_store.channels(session)}
            found = {(each.platform, each.id): each for each in await store.everything(session)}
        return tuple(_known(*name, found.get(name), heard.get(name)) for name in sorted({*heard, *found}))

    async def called(self, target: JsonObject) -> str:
        """Return what people call a channel; "" where its platform does not tell."""
        async with self._database.reading() as session:
            heard = await channel_store.channel_at(session, target)
        chat = None if heard is None else self._chats.get(heard.platform)
        if heard is None or chat is None:
            return ""
        try:
            async with asyncio.timeout(NAME_S):
                return (await chat.members(heard.address)).called
        except (Undeliverable, Unavailable, TimeoutError):
            return ""

    async def may_change(self, actor: Actor, address: JsonObject) -> bool:
        """Return whether the actor may set the channel that an address lies in, or some of it."""
        return decide(actor, MANAGE).allowed or await self._is_owner(actor, address)

    async def change(
        self, actor: Actor, target: JsonObject, changes: Mapping[str, object], *, address: JsonObject | None = None
    ) -> KnownChannel:
        """Change the named settings, and write down how they were before."""
        if not decide(actor, MANAGE).allowed:
            owns = set(changes) <= OWNERS_MAY and address is not None and self.around(address) == target
            if not owns or address is None or not await self._is_owner(actor, address):
                await self.refuse(actor, target)
        checked = await self._checked(actor, changes)
        return await self._put(actor, target, checked, action="channel.change")

    async def hush(self, actor: Actor, target: JsonObject) -> KnownChannel:
        """Make the desk quiet in a channel at once; needs no more than `channels:see`."""
        require(actor, SEE)
        settings = await self.settings(target)
        mode = settings.mode if settings.mention_needed else ChannelMode.QUIET  # what is off stays off
        return await self._put(actor, target, {"mode": mode}, action="channel.hush")

    async def undo(self, actor: Actor, target: JsonObject) -> KnownChannel | None:
        """Take back what `hush` did, by who did it or who may set the channel; None when that is over."""
        require(actor, SEE)
        found = await self._find(target)
        if found is None or found.before is None:
            return None
        if found.changed_by != actor.id:
            require(actor, MANAGE)
        return await self._put(actor, target, {"mode": found.before.mode}, action="channel.undo")

    async def takes_turn(self, target: JsonObject) -> bool:
        """Count an answer that nobody asked for; False when the channel had as many today as it may have."""
        day = self._clock.now().date().isoformat()
        async with self._database.transaction() as session:
            return await store.take_turn(session, target, day=day, most=self._rules.answers_per_day)

    async def modes(self) -> Mapping[tuple[str, str], ChannelMode]:
        """Return the mode of every channel that was set, by platform and id."""
        async with self._database.reading() as session:
            return {(each.platform, each.id): each.settings.mode for each in await store.everything(session)}

    async def _find(self, target: JsonObject) -> SetChannel | None:
        async with self._database.reading() as session:
            return await store.find(session, str(target.get("platform")), str(target.get("channel")))

    async def _put(
        self, actor: Actor, target: JsonObject, changes: Mapping[str, object], *, action: str
    ) -> KnownChannel:
        platform, channel = str(target["platform"]), str(target["channel"])
        async with self._database.transaction() as session:
            found = await store.find(session, platform, channel)
            before = DEFAULT if found is None else found.settings
            after = _SETTINGS.validate_python({**asdict(before), **changes})
            kept = before if action == "channel.hush" and after != before else None
            changed = SetChannel(platform, channel, after, actor.id, actor.name, self._clock.now(), before=kept)
            if after != before:
                await store.put(session, changed)
                await channel_store.set_language(session, target, after.language)
            was, now = store.dump(before), store.dump(after)
            await record(
                session,
                actor=actor,
                action=action,
                resource=f"channel:{platform}:{channel}",
                allowed=True,
                reason=decide(actor, MANAGE).reason,
                outcome="done" if after != before else "unchanged",
                detail={name: {"before": was[name], "after": now[name]} for name in now if was[name] != now[name]},
                now=self._clock.now(),
            )
            heard = await channel_store.channel_at(session, target)
        return _known(platform, channel, changed if after != before else found, heard)

    async def refuse(self, actor: Actor, target: JsonObject) -> None:
        """Write down that somebody may not set a channel, and raise it."""
        decision = decide(actor, MANAGE)
        async with self._database.transaction() as session:
            await record(
                session,
                actor=actor,
                action="channel.change",
                resource=f"channel:{target['platform']}:{target['channel']}",
                allowed=False,
                reason=decision.reason,
                outcome="refused",
                now=self._clock.now(),
            )
        raise Forbidden(actor_id=actor.id, permission=MANAGE, reason=decision.reason)

    async def _is_owner(self, actor: Actor, address: JsonObject) -> bool:
        platform, place = _opened(address)
        chat = self._chats.get(platform)
        found = chat.typed_in(place) if chat is not None and place and self._rules.owners_may else None
        if chat is None or found is None:
            return False
        try:
            members = await chat.members(found[1])
        except (Undeliverable, Unavailable):
            return False
        owners = [await self._behind(account) for account in members.owners]
        return actor.id in {each.id for each in owners}

    async def _checked(self, actor: Actor, changes: Mapping[str, object]) -> Mapping[str, object]:
        checked = dict(changes)
        known = {each.name for each in fields(ChannelSettings)}
        if unknown := sorted(set(changes) - known):
            raise UnknownChoice("setting", unknown[0], tuple(sorted(known)))
        if changes.get("sources") is not None:
            names = await self._search.names(actor)
            checked["sources"] = _named("source", changes["sources"], {name: (name,) for name in names})
        if changes.get("tools") is not None:
            checked["tools"] = _named("tools", changes["tools"], {name: (name,) for name in self._offered()})
        if "queues" in changes:
            checked["queues"] = _named("category", changes["queues"], self._categories)
        try:
            _SETTINGS.validate_python({**asdict(DEFAULT), **checked})
        except ValidationError as error:
            name = str(error.errors()[0]["loc"][0])
            raise UnknownChoice(name, str(changes.get(name)), ()) from error
        return checked

    def _offered(self) -> list[str]:
        return sorted(name for name, tools in self._tools.items() if tools and name not in ALWAYS)


def _opened(address: JsonObject) -> tuple[str, Address]:
    """Return the platform and the address of what a run was given."""
    place = address.get("address")
    return str(address.get("platform") or ""), place if isinstance(place, Mapping) else {}


def _named(what: str, given: object, known: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Return what was named, by what it is kept under; raise `UnknownChoice` for what there is not."""
    called = {each.casefold(): name for name, names in known.items() for each in (name, *names) if each}
    chosen: set[str] = set()
    for each in given if isinstance(given, list | tuple | set | frozenset) else ():
        name = called.get(str(each).strip().casefold())
        if name is None:
            raise UnknownChoice(what, str(each), tuple(known))
        chosen.add(name)
    return frozenset(chosen)


def _known(platform: str, channel: str, found: SetChannel | None, heard: channel_store.Channel | None) -> KnownChannel:
    known = KnownChannel(platform, channel, DEFAULT, heard_at=None if heard is None else heard.heard_at)
    if found is None:
        return known
    return replace(
        known,
        settings=found.settings,
        changed_by=found.changed_by_name,
        changed_at=found.changed_at,
        undoable=found.before is not None,
    )
